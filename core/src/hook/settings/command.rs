//! Commands as a shell reads them.

use alloc::{string::String, vec::Vec};

/// The words as one command of a POSIX shell.
///
/// ```
/// use throughline_core::hook::settings::{is_ours, shell_words};
/// let command = shell_words(["/opt/my tools/throughline", "hook"]);
/// assert_eq!(command, "'/opt/my tools/throughline' hook");
/// assert!(is_ours(&command));
/// ```
pub fn shell_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut command = String::new();
    for word in words {
        if !command.is_empty() {
            command.push(' ');
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:@%+=,".contains(&byte);
        if !word.is_empty() && word.bytes().all(is_plain) {
            command.push_str(word);
        } else {
            command.push('\'');
            command.push_str(&word.replace('\'', r"'\''"));
            command.push('\'');
        }
    }
    command
}

/// The file that a program which runs scripts of Node is given.
const SCRIPT: &str = "throughline-node.js";

/// Whether the command runs `throughline hook` or `throughline-node hook`, by itself or by a program that runs
/// scripts of Node. A command with anything else in it (a pipe, a variable, another command) is not ours.
#[must_use]
pub fn is_ours(command: &str) -> bool {
    let Some(words) = split(command) else { return false };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words {
        [program, "hook", ..] if is_program(program) => true,
        // The script is known by its own name, whatever runs it.
        [_, program, "hook", ..] if name_of(program) == SCRIPT => true,
        [runner, program, "hook", ..] => is_runner(runner) && is_program(program),
        [runner, "-y" | "--yes", program, "hook", ..] => is_runner(runner) && is_program(program),
        _ => false,
    }
}

fn is_program(word: &str) -> bool {
    let name = name_of(word);
    let name = [".exe", ".cmd", ".js"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    name == "throughline" || name == "throughline-node"
}

fn is_runner(word: &str) -> bool {
    let name = name_of(word);
    let name = [".exe", ".cmd"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    // One of several versions has its number in its name: `node22`, `node-20`.
    let version = name.strip_prefix("node").map(|rest| rest.strip_prefix('-').unwrap_or(rest));
    let is_version =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    ["node", "nodejs", "npx", "bun", "bunx", "deno"].contains(&name) || version.is_some_and(is_version)
}

fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The words of a simple command; `None` for anything that a shell does more with than to run it.
fn split(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut rest = command.trim().chars();
    while let Some(character) = rest.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '"' => break,
                        '$' | '`' => return None,
                        '\\' => match rest.next()? {
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            ';' | '&' | '|' | '<' | '>' | '(' | ')' | '$' | '`' | '\n' | '\r' | '#' | '*' | '?' => {
                return None;
            }
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ours() {
        for command in [
            "throughline hook",
            "/usr/bin/throughline hook --store sqlite:/a/b.db",
            "'/a b/throughline' hook",
            "\"/a b/throughline\" hook",
            "/a\\ b/throughline hook",
            "'C:\\Program Files\\throughline.exe' hook",
            "'/opt/it'\\''s/throughline' hook",
            "/usr/bin/node /lib/throughline-node/bin/throughline-node.js hook",
            "npx throughline-node hook",
            "npx -y throughline-node hook",
            "/opt/node-20 throughline-node.js hook",
            "node22 /x/throughline-node.js hook",
            "node-22.1 /x/throughline-node hook",
            "nodejs throughline-node hook",
            "deno /x/throughline-node.js hook",
            "bun /x/throughline-node.js hook",
            "/opt/electron /x/throughline-node.js hook --agent a",
        ] {
            assert!(is_ours(command), "{command}");
        }
        for command in [
            "",
            "throughline",
            "throughline hooks",
            "throughline doctor",
            "echo throughline hook",
            "my-throughline hook",
            "throughline hook; rm x",
            "throughline hook | tee log",
            "$HOME/bin/throughline hook",
            "\"$HOME/bin/throughline\" hook",
            "'throughline hook",
            "node other.js hook",
            "nodes throughline-node hook",
            "node- throughline-node hook",
            "/opt/electron throughline-node hook",
            "throughline-other/run hook",
        ] {
            assert!(!is_ours(command), "{command}");
        }
    }

    #[test]
    fn words_come_back() {
        let words = ["/a b/it's", "", "$x", "sqlite:/a.db", "`y`", "\\", "é", "\""];
        let split = split(&shell_words(words)).unwrap();
        assert_eq!(split, words);
    }
}
