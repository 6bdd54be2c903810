use super::{EVENTS, Files, SettingsProblem, install, unified, uninstall};
use crate::json::{self, Json};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use proptest::prelude::*;

const COMMAND: &str = "/usr/bin/throughline hook";
const OLDER: &str = "'/opt/old tools/throughline' hook --store sqlite:/a.db";

fn files(text: &str) -> Files {
    Files { file: Some(text.as_bytes().to_vec()), ..Files::default() }
}

fn text(files: &Files) -> String {
    String::from_utf8(files.file.clone().unwrap()).unwrap()
}

/// Without comments, and commas before a closing bracket: by another way than the code does it.
fn plain(text: &str) -> Json {
    let (mut out, mut rest) = (String::new(), text.trim_start_matches('\u{feff}').chars().peekable());
    while let Some(character) = rest.next() {
        match (character, rest.peek()) {
            ('"', _) => {
                out.push('"');
                while let Some(inner) = rest.next() {
                    out.push(inner);
                    match inner {
                        '"' => break,
                        '\\' => out.extend(rest.next()),
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while rest.next_if(|next| !"\r\n".contains(*next)).is_some() {},
            ('/', Some('*')) => {
                rest.next();
                let mut last = ' ';
                for next in rest.by_ref() {
                    if (last, next) == ('*', '/') {
                        break;
                    }
                    last = next;
                }
            }
            _ if character.is_whitespace() => {}
            ('}' | ']', _) => {
                if out.ends_with(',') {
                    out.pop();
                }
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    if out.is_empty() { Json::Object(json::Object::new()) } else { json::parse(&out).unwrap() }
}

/// Without entries of ours, and without lists and objects under `hooks` that hold nothing.
fn bare(value: &Json) -> Json {
    let mut value = value.clone();
    let Json::Object(root) = &mut value else { return value };
    let Some(Json::Object(events)) = root.remove("hooks") else { return value };
    let mut left = json::Object::new();
    for (event, groups) in events.iter() {
        let groups = groups.as_array().unwrap().iter().filter_map(|group| {
            let mut group = group.as_object().unwrap().clone();
            let entries = group.remove("hooks").unwrap();
            let is_other =
                |entry: &&Json| !entry.get("command").and_then(Json::as_str).is_some_and(super::is_ours);
            let entries: Vec<Json> = entries.as_array().unwrap().iter().filter(is_other).cloned().collect();
            let is_empty = entries.is_empty();
            group.insert("hooks", entries);
            (!is_empty || group.iter().any(|(key, _)| key != "hooks" && key != "matcher"))
                .then_some(Json::Object(group))
        });
        let groups: Vec<Json> = groups.collect();
        if !groups.is_empty() {
            left.insert(event, groups);
        }
    }
    if !left.is_empty() {
        root.insert("hooks", left);
    }
    value
}

/// What `install` and `uninstall` promise of any text that is accepted.
fn holds(before: &str) {
    let before_files = files(before);
    let there = install(&before_files, COMMAND).unwrap();
    let now = text(&there.files);
    // Each event once.
    let value = plain(&now);
    let hooks = value.get("hooks").unwrap();
    for (event, _) in EVENTS {
        let commands = json::text(hooks.get(event).unwrap());
        assert_eq!(commands.matches(COMMAND).count(), 1, "{event}: {now}");
    }
    assert_eq!(bare(&value), bare(&plain(before)), "{now}");
    // Twice is once.
    let twice = install(&there.files, COMMAND).unwrap();
    assert_eq!((twice.files, twice.added.len(), twice.removed.len()), (there.files.clone(), 0, 0));
    // Back, byte for byte.
    let back = uninstall(&there.files).unwrap();
    let had_ours = !uninstall(&before_files).unwrap().removed.is_empty();
    if had_ours {
        assert_eq!(bare(&plain(&text(&back.files))), bare(&plain(before)));
    } else {
        assert_eq!(back.files, before_files, "{now}");
        let mut rest = now.bytes();
        assert!(before.bytes().all(|byte| rest.any(|other| other == byte)), "a byte is lost: {now}");
    }
    assert!(back.restored);
    // Another place of the program, and back again.
    let moved = install(&there.files, OLDER).unwrap();
    assert!(!text(&moved.files).contains(COMMAND));
    assert_eq!((moved.added.len(), moved.removed.len()), (7, 7));
    assert_eq!(install(&moved.files, COMMAND).unwrap().files, there.files);
    assert_eq!(uninstall(&moved.files).unwrap().files, back.files);
    // Changed since: our entries alone go.
    let edited = Files { file: Some(format!("{now}\n// since\n").into_bytes()), ..there.files };
    let alone = uninstall(&edited).unwrap();
    assert!(!alone.restored && text(&alone.files).ends_with("\n// since\n"));
    assert_eq!((alone.files.backup, alone.files.record), (None, None));
    let left = String::from_utf8(alone.files.file.unwrap()).unwrap();
    assert_eq!(bare(&plain(&left)), bare(&plain(before)), "{left}");
    assert!(uninstall(&files(&left)).unwrap().removed.is_empty(), "{left}");
    let mut rest = now.bytes();
    let kept = left.trim_end_matches("\n// since\n").bytes().all(|byte| rest.any(|other| other == byte));
    assert!(kept, "only deleted: {left}");
}

#[test]
fn what_stands_there_stays() {
    for before in [
        "",
        "\n",
        "{}",
        "{ }\n",
        "{\n}\n",
        "\u{feff}{\r\n\t\"model\": \"opus\"\r\n}",
        "// only a comment",
        "{\"model\":\"opus\"}",
        "{ \"a\": 1, }",
        "{\n  \"a\": [1, 2 /* two */, ], // one\n  /* last */\n}\n",
        "{\"a\": 1 // c\r}",
        "{\"a\": 1, // c\r}\r",
        "// c\r{\r\t\"hooks\": {\"Stop\": [ // d\r ]} // e\r}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"} // c\r]} // d\r]}}",
        "{\"hooks\":{}}",
        "{\"hooks\": {\"Stop\": []}}",
        "{\n    \"hooks\": {\n        \"Stop\": [\n            { \"hooks\": [{\"type\": \"command\", \"command\": \"true\"}] }, // mine\n        ]\n    }\n}",
        "{\"hooks\": {\"Stop\": [{\"matcher\": \"x\", \"hooks\": [{\"type\": \"command\", \"command\": \"a\"}, {\"type\": \"command\", \"command\": \"throughline hook\"}]}]}}",
        "{\"hooks\": {\"Notification\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"throughline hook\"}]}]}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"throughline hook\"}]}, {\"hooks\": [{\"type\": \"command\", \"command\": \"/x/throughline hook\"}]}]}}",
    ] {
        holds(before);
    }
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    let there = install(&Files::default(), COMMAND).unwrap();
    assert_eq!(there.files.backup, None);
    let back = uninstall(&there.files).unwrap();
    assert_eq!((back.files, back.restored, back.removed.len()), (Files::default(), true, 7));
    let nothing = uninstall(&Files::default()).unwrap();
    assert_eq!((nothing.files, nothing.restored), (Files::default(), false));
}

#[test]
fn what_is_kept_is_the_file_before_the_first_installation() {
    let before = files("{\"a\": 1}\n");
    let mut there = install(&before, OLDER).unwrap().files;
    there = install(&there, COMMAND).unwrap().files;
    assert_eq!(there.backup, before.file);
    // Edited, then installed again: what is kept is the edited one without us.
    there.file = Some(text(&there).replace("\"a\": 1", "\"a\": 2").into_bytes());
    let again = install(&there, OLDER).unwrap().files;
    assert_eq!(again.backup.as_deref(), Some(&b"{\"a\": 2}\n"[..]));
    assert_eq!(text(&uninstall(&again).unwrap().files), "{\"a\": 2}\n");
    // A backup that somebody changed is not trusted.
    let broken = Files { backup: Some(b"{}".to_vec()), ..again };
    let back = uninstall(&broken).unwrap();
    assert_eq!((text(&back.files).as_str(), back.restored), ("{\"a\": 2}\n", false));
}

#[test]
fn an_entry_of_a_program_by_another_name_is_known() {
    const NIGHTLY: &str = "/opt/tl-nightly hook";
    assert!(!super::is_ours(NIGHTLY));
    let there = install(&files("{\"a\": 1}\n"), NIGHTLY).unwrap().files;
    assert_eq!(install(&there, NIGHTLY).unwrap().files, there);
    let edited = text(&there).replace("\"a\": 1", "\"a\": 2");
    let edited = Files { file: Some(edited.into_bytes()), ..there };
    // Again over an edit, and by its own name over the other.
    assert_eq!(text(&install(&edited, NIGHTLY).unwrap().files).matches(NIGHTLY).count(), 7);
    let moved = install(&edited, COMMAND).unwrap();
    assert_eq!((moved.removed.len(), text(&moved.files).matches("tl-nightly").count()), (7, 0));
    let gone = uninstall(&edited).unwrap();
    assert_eq!((gone.removed.len(), text(&gone.files).as_str()), (7, "{\"a\": 2}\n"));
}

#[test]
fn the_only_backup_stays() {
    let there = install(&files("{\"a\": 1}\n"), COMMAND).unwrap().files;
    let lost = Files { file: None, ..there.clone() };
    assert_eq!(uninstall(&lost).unwrap().files, lost);
    // Installed anew, once more with another command, and gone again.
    let anew = install(&lost, COMMAND).unwrap().files;
    assert_eq!(anew.backup, there.backup);
    let moved = install(&anew, OLDER).unwrap().files;
    assert_eq!(moved.backup, there.backup);
    let gone = uninstall(&moved).unwrap();
    assert_eq!((gone.files.file, gone.files.backup, gone.restored), (None, there.backup.clone(), true));
    let edited = Files { file: Some([text(&moved), "// since\n".into()].concat().into_bytes()), ..moved };
    assert_eq!(uninstall(&edited).unwrap().files.backup, there.backup);
    // Nothing of ours is in the file any more.
    let other = Files { file: Some(b"{}".to_vec()), ..there.clone() };
    assert_eq!(uninstall(&other).unwrap().files, other);
    let by_hand = Files { file: there.backup.clone(), ..there.clone() };
    assert_eq!(uninstall(&by_hand).unwrap().files, Files { file: there.backup, ..Files::default() });
}

#[test]
fn a_change_that_was_cut_short_can_be_taken_back() {
    const NIGHTLY: &str = "/opt/tl-nightly hook";
    for before in [files("{\"a\": 1}\n"), Files::default()] {
        let one = install(&before, NIGHTLY).unwrap().files;
        let two = install(&one, COMMAND).unwrap().files;
        let record = one.record_between(&two);
        for file in [&one.file, &two.file] {
            let between = Files { file: file.clone(), backup: two.backup.clone(), record: record.clone() };
            let back = uninstall(&between).unwrap();
            assert_eq!((back.files, back.removed.len(), back.restored), (before.clone(), 7, true));
            assert_eq!(install(&between, OLDER).unwrap().files, install(&one, OLDER).unwrap().files);
        }
        // Also where an edit came before it.
        let edited = Files { file: Some([text(&one), "// x\n".into()].concat().into_bytes()), ..one };
        let two = install(&edited, COMMAND).unwrap().files;
        let between = Files { file: edited.file.clone(), record: edited.record_between(&two), ..two.clone() };
        assert_eq!(uninstall(&between).unwrap().files, uninstall(&two).unwrap().files);
    }
}

#[test]
fn comments_and_empty_lists_of_people_stay() {
    let ours = "{\"type\": \"command\", \"command\": \"throughline hook\"}";
    for (before, after) in [
        (
            "{\"hooks\": {\"Stop\": [{\"hooks\": [/* why */ OURS]}]}}",
            "{\"hooks\": {\"Stop\": [{\"hooks\": [/* why */]}]}}",
        ),
        (
            "{\"hooks\": {\"Stop\": [{/* why */ \"hooks\": [OURS]}]}}",
            "{\"hooks\": {\"Stop\": [{/* why */ \"hooks\": []}]}}",
        ),
        ("{\"hooks\": {\"Stop\": [/* why */ {\"hooks\": [OURS]}]}}", "{\"hooks\": {\"Stop\": [/* why */]}}"),
        ("{\"hooks\": {\"Stop\": // why\n[{\"hooks\": [OURS]}]}}", "{\"hooks\": {\"Stop\": // why\n[]}}"),
        ("{\"hooks\": {\n// why\n\"Stop\": [{\"hooks\": [OURS]}]}}", "{\"hooks\": {\n// why\n}}"),
        ("{\"hooks\": {\"Stop\": [{\"hooks\": [OURS]}], \"End\": []}}", "{\"hooks\": { \"End\": []}}"),
        ("{/* a */ \"hooks\": {\"Stop\": [{\"hooks\": [OURS]}]} /* b */}", "{/* a */ /* b */}"),
    ] {
        assert_eq!(text(&uninstall(&files(&before.replace("OURS", ours))).unwrap().files), after);
    }
    // What stood there before install, as the backup tells.
    for before in [
        "{\"hooks\": {\"Stop\": [], \"x\": 1}}",
        "{\"hooks\": {}}",
        "{\"hooks\": {\"PreCompact\": []}, \"a\": []}",
    ] {
        let there = install(&files(before), COMMAND).unwrap().files;
        let edited = Files { file: Some([text(&there), "\n// since".into()].concat().into_bytes()), ..there };
        let moved = install(&edited, OLDER).unwrap().files;
        for edited in [edited, moved] {
            let left = text(&uninstall(&edited).unwrap().files);
            assert_eq!(plain(&left), plain(before), "{left}");
        }
    }
}

#[test]
fn what_people_made_of_an_entry_stays() {
    let before = "{\"hooks\": {\"Stop\": [{\"matcher\": \"*\", \"note\": \"n\", \"hooks\": [{\"timeout\": 3, \"type\": \"command\", \"command\": \"throughline hook\"}]}]}}";
    let there = install(&files(before), COMMAND).unwrap();
    assert!(text(&there.files).contains("\"note\": \"n\", \"hooks\": [{\"timeout\": 3, \"type\": \"command\", \"command\": \"/usr/bin/throughline hook\"}]"));
    assert_eq!(there.removed[0].command, "throughline hook");
    let left = text(&uninstall(&files(before)).unwrap().files);
    assert_eq!(left, "{\"hooks\": {\"Stop\": [{\"matcher\": \"*\", \"note\": \"n\", \"hooks\": []}]}}");
    assert!(install(&files("{\"disableAllHooks\": true}"), COMMAND).unwrap().disabled);
}

#[test]
fn settings_that_are_none_are_refused_with_the_place() {
    for (text, error) in [
        ("[]", "line 1, column 1: the whole is expected to be an object"),
        ("{\"a\": 1", "line 1, column 8: the input ends before the value does"),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: `,` or `}` is expected"),
        ("{\"a\": [1 2]}", "line 1, column 10: `,` or `]` is expected"),
        ("{a: 1}", "line 1, column 2: a key in double quotes is expected"),
        ("{\"a\" 1}", "line 1, column 6: `:` is expected after the key"),
        (
            "{\"a\": yes}",
            "line 1, column 7: a value is expected: an object, array, string, number, true, false or null",
        ),
        ("{} {}", "line 1, column 4: nothing but comments is expected after the settings"),
        ("{} /* never", "line 1, column 4: a comment that begins with /* ends with */"),
        ("{\"a\": \"\t\"}", "line 1, column 8: a control character in a string must be escaped"),
        (
            "{\r\n\"hooks\": []}",
            "line 2, column 10: hooks is expected to be an object with a list for each event",
        ),
        (
            "{\"hooks\": {\"Stop\": {}}}",
            "line 1, column 20: hooks.Stop is expected to be an array of {\"matcher\", \"hooks\"}",
        ),
        (
            "{\"hooks\": {\"Stop\": [1]}}",
            "line 1, column 21: hooks.Stop[0] is expected to be an object with the array `hooks`",
        ),
        (
            "{\"hooks\": {\"Stop\": [{\"hooks\": 1}]}}",
            "line 1, column 31: hooks.Stop[0].hooks is expected to be an array",
        ),
    ] {
        let found = install(&files(text), COMMAND).unwrap_err();
        assert_eq!((found.to_string().as_str(), found.code()), (error, "settings_invalid"), "{text}");
    }
    let latin = Files { file: Some(b"{\"a\": \"caf\xe9\"}".to_vec()), ..Files::default() };
    assert_eq!(install(&latin, COMMAND).unwrap_err().problem, SettingsProblem::Utf8);
    assert_eq!(uninstall(&latin).unwrap_err().at.column, 11);
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(100), "]".repeat(100));
    assert_eq!(install(&files(&deep), COMMAND).unwrap_err().problem, SettingsProblem::TooDeep { max: 100 });
    assert!(uninstall(&files("{\"hooks\": [1]}")).unwrap().removed.is_empty(), "nothing of ours is there");
}

#[test]
fn a_diff_is_that_of_diff() {
    let before: String = (0..30).map(|number| format!("{number}\n")).collect();
    let after = before.replace("\n3\n", "\nthree\n").replace("\n20\n", "\n").trim_end().to_string();
    let expected = "--- a\n+++ b\n@@ -1,7 +1,7 @@\n 0\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n@@ -18,7 +18,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n@@ -27,4 +26,4 @@\n 26\n 27\n 28\n-29\n+29\n\\ No newline at end of file\n";
    assert_eq!(unified("a", "b", &before, &after), expected);
    assert_eq!(unified("a", "b", "x", "x"), "");
    assert_eq!(unified("/dev/null", "b", "", "x\n"), "--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+x\n");
}

/// A value as people write it: `choices` decides on comments, line ends, spaces and commas.
struct Writer<'a> {
    choices: core::iter::Cycle<core::slice::Iter<'a, u8>>,
    newline: &'static str,
    lines: bool,
    out: String,
}

impl Writer<'_> {
    fn choose(&mut self, of: u8) -> u8 {
        self.choices.next().unwrap() % of
    }

    fn gap(&mut self) {
        let (newline, lines) = (self.newline, self.lines);
        match self.choose(12) {
            0 => self.out.push_str("/* \"hooks\": { */"),
            1 if lines => self.out.extend([" // it's {[\",] ", newline]),
            2 => self.out.push(' '),
            3..=5 if lines => self.out.extend([newline, "    "]),
            6 if lines => self.out.extend([newline, "\t", newline, " "]),
            _ => {}
        }
    }

    fn value(&mut self, value: &Json) {
        let items: Vec<(Option<&str>, &Json)> = match value {
            Json::Object(object) => object.iter().map(|(key, value)| (Some(key), value)).collect(),
            Json::Array(items) => items.iter().map(|item| (None, item)).collect(),
            _ => return self.out.push_str(&json::text(value)),
        };
        let [open, close] = if matches!(value, Json::Object(_)) { ['{', '}'] } else { ['[', ']'] };
        self.out.push(open);
        let last = items.len().saturating_sub(1);
        for (index, (key, item)) in items.iter().enumerate() {
            self.gap();
            if let Some(key) = key {
                json::write_string(key, &mut self.out);
                self.gap();
                self.out.push(':');
                self.gap();
            }
            self.value(item);
            self.gap();
            if index < last || self.choose(4) == 0 {
                self.out.push(',');
            }
        }
        self.gap();
        self.out.push(close);
    }
}

fn any_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        ".{0,6}".prop_map(Json::from),
        Just(Json::from("// no comment, }")),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            prop::collection::vec(("[a-z]{0,4}", inner), 0..4)
                .prop_map(|pairs| Json::Object(pairs.into_iter().collect())),
        ]
    })
}

fn any_hooks() -> impl Strategy<Value = Json> {
    let command = prop_oneof![
        Just("true"),
        Just("echo throughline hook"),
        Just(OLDER),
        Just("throughline hook"),
        Just("x | throughline hook"),
    ];
    let entry = command.prop_map(|command| {
        let pairs = [("type", Json::from("command")), ("command", Json::from(command))];
        Json::Object(pairs.into_iter().map(|(key, value)| (key.into(), value)).collect())
    });
    let group = (any::<bool>(), any::<bool>(), prop::collection::vec(entry, 0..3)).prop_map(
        |(matcher, other, entries)| {
            let mut group = json::Object::new();
            if matcher {
                group.insert("matcher", "startup");
            }
            group.insert("hooks", entries);
            if other {
                group.insert("note", "n");
            }
            Json::Object(group)
        },
    );
    let event = prop_oneof![Just("Stop"), Just("SessionStart"), Just("Notification"), Just("SessionEnd")];
    prop::collection::vec((event, prop::collection::vec(group, 0..3)), 0..4).prop_map(|events| {
        Json::Object(events.into_iter().map(|(event, groups)| (event.into(), Json::Array(groups))).collect())
    })
}

fn any_settings() -> impl Strategy<Value = String> {
    let members = prop::collection::vec(("[a-z]{1,5}", any_value()), 0..4);
    let hooks = prop::option::of((any::<prop::sample::Index>(), any_hooks()));
    let choices = prop::collection::vec(any::<u8>(), 1..60);
    (members, hooks, choices, any::<u8>(), any::<[bool; 3]>()).prop_map(
        |(members, hooks, choices, line_end, [bom, lines, end])| {
            let mut members: Vec<(String, Json)> =
                members.into_iter().filter(|(key, _)| key != "hooks").collect();
            if let Some((place, hooks)) = hooks {
                members.insert(place.index(members.len() + 1), ("hooks".into(), hooks));
            }
            let newline = ["\n", "\r\n", "\r"][usize::from(line_end % 3)];
            let mut writer = Writer { choices: choices.iter().cycle(), newline, lines, out: String::new() };
            if bom {
                writer.out.push('\u{feff}');
            }
            writer.gap();
            writer.value(&Json::Object(members.into_iter().collect()));
            writer.gap();
            if end {
                writer.out.push_str(newline);
            }
            writer.out
        },
    )
}

proptest! {
    #[test]
    fn any_settings_hold(before in any_settings()) {
        holds(&before);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}|[{}\\[\\]:,\"a/* \n]{0,30}") {
        if let Ok(there) = install(&files(&text), COMMAND) {
            prop_assert_eq!(&install(&there.files, COMMAND).unwrap().files, &there.files);
            prop_assert_eq!(uninstall(&there.files).unwrap().files, files(&text));
        }
    }

    #[test]
    fn a_diff_tells_both(before in "([ab]\n){0,12}[ab]?", after in "([ab]\n){0,12}[ab]?") {
        let diff = unified("a", "b", &before, &after);
        let changed: Vec<&str> = diff.lines().skip(2).filter(|line| !line.starts_with('@')).collect();
        let gone = changed.iter().filter(|line| line.starts_with('-')).count();
        let new = changed.iter().filter(|line| line.starts_with('+')).count();
        let lines = |text: &str| text.split_inclusive('\n').count();
        prop_assert_eq!(lines(&before) - gone, lines(&after) - new);
    }
}
