//! Layers of options on the command line.
use super::Desk;
use alloc::{collections::BTreeMap, format, string::String};

#[test]
fn layers_of_options_are_resolved_without_a_store() {
    let files = BTreeMap::from([
        ("s", &br#"{"token_checkpoint_threshold": "60000", "checkpoint_function_id": "s:f"}"#[..]),
        (
            "a",
            br#"{"agent_options": {"checkpoint": {"max_tokens": 7, "m": {"a b": 1}}},
                "traits": [{"id": "t", "checkpoint": {"function_id": "t:f", "model": "m"}}, {"id": "u", "checkpoint": false}]}"#,
        ),
        ("c", br#"{"checkpoint": {"token_threshold": 9}}"#),
        ("wrong", br#"{"token_checkpoint_threshold": "many"}"#),
        ("torn", b"{"),
        ("list", b"[]"),
    ]);
    let desk = Desk { files, ..Desk::at_home() };
    assert_eq!(
        desk.out("options resolve --session s --agent a --config c --json"),
        concat!(
            r#"{"options":{"function_id":"t:f","m":{"a b":1},"max_tokens":7,"token_threshold":9},"#,
            r#""origins":{"function_id":"trait:t","m[\"a b\"]":"agent","max_tokens":"agent","token_threshold":"persisted"},"#,
            r#""warnings":["traits[0].checkpoint.model counts for nothing: of a trait only function_id, "#,
            "max_memory_chars, max_tokens, strict, token_threshold do\"]}\n"
        )
    );
    let table = desk.run("options resolve --session s --agent a");
    assert_eq!(
        String::from_utf8(table.stdout).unwrap(),
        "option           value  set by\n\
         function_id      \"t:f\"  trait:t\n\
         m[\"a b\"]         1      agent\n\
         max_tokens       7      agent\n\
         token_threshold  60000  session_default\n"
    );
    assert!(table.stderr.starts_with("traits[0].checkpoint.model counts for nothing"), "{}", table.stderr);
    assert_eq!(desk.out("options resolve").lines().count(), 2, "the packaged default");
    for (line, error) in [
        ("options", "argument_missing: <ACTION>"),
        ("options list", "argument_invalid: `list` is not known here; accepted: resolve [<ACTION>]"),
        ("options resolve --session none", "input_unreadable: "),
        (
            "options resolve --session wrong",
            "option_invalid: session.token_checkpoint_threshold: found a string",
        ),
        ("options resolve --agent list", "option_invalid: agent: accepted is an object [agent]"),
        ("options resolve --config torn", "json_invalid: "),
    ] {
        let (exit, stderr) = desk.err(line);
        assert!(stderr.starts_with(&format!("throughline: {error}")), "{line}: {stderr}");
        assert_eq!(exit, 2, "{line}");
    }
    assert_eq!(desk.opened.take(), None, "no store is opened");
}
