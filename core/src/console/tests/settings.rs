use super::*;

#[test]
fn what_the_settings_are_to_run() {
    let secret = ["sk-ant-api03-", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"].concat();
    let settings = format!("{{\"env\": {{\"KEY\": \"{secret}\"}}}}");
    let files = BTreeMap::from([
        ("/home/ada/.claude/settings.json", settings.leak().as_bytes()),
        ("torn", &b"{\n  \"a\" 1}"[..]),
    ]);
    let mut desk = Desk { files, folder: Some("/w"), ..Desk::at_home() };
    let mut command = |variable: &'static str, value: &'static str, line: &str| {
        desk.variables.insert(variable, value);
        let value: serde_json::Value =
            serde_json::from_str(&desk.out(&format!("{line} --dry-run --json"))).unwrap();
        value["command"].as_str().map(String::from)
    };
    let base = "'/opt/my tools/throughline' hook";
    for (variable, value, line, rest) in [
        ("X", "", "install claude-code", ""),
        ("X", "", "install claude-code --store sqlite:a.db --agent b", " --store sqlite:/w/a.db --agent b"),
        ("X", "", "install claude-code --store postgres://ada@h/d", " --store postgres://ada@h/d"),
        ("THROUGHLINE_HOME", "/h", "install claude-code", " --store sqlite:/h/throughline.db"),
        ("THROUGHLINE_STORE", "postgres://u:hunter2@h/d", "install claude-code", ""),
    ] {
        assert_eq!(command(variable, value, line), Some([base, rest].concat()), "{line}");
    }
    desk.variables.clear();
    let diff = desk.out("install claude-code --dry-run");
    assert!(diff.starts_with("--- /home/ada/.claude/settings.json\n") && !diff.contains(&secret), "{diff}");
    for (line, exit, error) in [
        ("install codex", 2, "argument_invalid: `codex` is not accepted; accepted: claude-code [<HARNESS>]"),
        (
            "install claude-code --store postgres://u:hunter2@h/d",
            2,
            "argument_invalid: a password would stand",
        ),
        ("install claude-code --settings torn", 2, "settings_invalid: line 2, column 7: `:` is expected"),
        ("install claude-code", 3, "output_failed: cannot be written: read-only file system"),
        ("uninstall claude-code --settings=", 2, "argument_invalid: a file is expected"),
        (
            "install claude-code --continuity -",
            2,
            "argument_invalid: a file is expected, since hooks read it [",
        ),
        (
            "install claude-code --continuity=",
            2,
            "argument_invalid: a file is expected, since hooks read it [",
        ),
        ("watch /none", 2, "input_unreadable: "),
    ] {
        let (found, stderr) = desk.err(line);
        assert!(found == exit && stderr.starts_with(&format!("throughline: {error}")), "{line}: {stderr}");
    }
    assert_eq!(desk.out("uninstall claude-code --settings none"), "nothing of Throughline is in none\n");
    desk.variables.insert("CLAUDE_CONFIG_DIR", "/c");
    assert!(desk.out("install claude-code --dry-run").starts_with("--- /dev/null\n+++ /c/settings.json\n"));
}

#[test]
fn what_is_kept_stands_beside_the_store() {
    let kept = |variables: &[(&'static str, &'static str)], line: &str| {
        let desk =
            Desk { variables: variables.iter().copied().collect(), folder: Some("/w"), ..Desk::at_home() };
        let Parsed::Call(call) = arguments::read(&words(line)).unwrap() else { panic!("a command") };
        let place = block_on(Place::find(&call, &desk)).unwrap();
        (String::from(place.home().unwrap()), place.kept())
    };
    let home = |at: &str| (String::from(at), String::from(at));
    let beside = |at: &str, store: &str| (String::from(at), format!("{store}, {at}/spool and {at}/cursors"));
    let none = "install claude-code";
    assert_eq!(kept(&[], none), home("/home/ada/.throughline"));
    assert_eq!(kept(&[("THROUGHLINE_HOME", "/h")], none), home("/h"));
    // As the hook is called that such an installation puts in.
    assert_eq!(kept(&[], "hook --store sqlite:/h/throughline.db").0, "/h");
    assert_eq!(kept(&[], "install claude-code --store sqlite:/x/a.db"), beside("/x", "/x/a.db"));
    assert_eq!(kept(&[("THROUGHLINE_STORE", "sqlite:/x/a.db")], none), beside("/x", "/x/a.db"));
    assert_eq!(kept(&[], "install claude-code --store sqlite:a.db"), beside(".", "a.db"));
    let both = kept(&[("THROUGHLINE_HOME", "/h")], "install claude-code --store sqlite:/x/a.db");
    assert_eq!(both, (String::from("/h"), "/x/a.db and /h".into()));
    let (at, all) = kept(&[], "install claude-code --store postgres://ada@h/d");
    assert_eq!(
        (at.as_str(), all.as_str()),
        ("/home/ada/.throughline", "postgres://ada@h:5432/d and /home/ada/.throughline")
    );
}
