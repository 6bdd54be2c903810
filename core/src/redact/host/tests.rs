//! What options are taken, what they do, and what is said of those that are not.
use crate::json::parse;
use crate::redact::{Confidence, HostRule, Mode, Options, RedactError, Redactor};
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

const RANDOM: &str = "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB";
const KEY: &[u8] = b"0123456789abcdef";

fn with(set: impl FnOnce(&mut Options)) -> Redactor {
    let mut options = Options::default();
    set(&mut options);
    Redactor::new(options).unwrap()
}

fn refused(set: impl FnOnce(&mut Options)) -> RedactError {
    let mut options = Options::default();
    set(&mut options);
    Redactor::new(options).unwrap_err()
}

fn rows(json: &str) -> Result<Vec<HostRule>, RedactError> {
    HostRule::list(&parse(json).unwrap())
}

const ACME: &str =
    r#"[{"id": "acme-token", "keywords": ["acme_"], "alphabet": "alnum", "min": 20, "max": 40}]"#;

#[test]
fn tags_follow_equal_secrets() {
    let redactor = with(|o| o.tag_key = Some(KEY.to_vec()));
    let text = format!("api_key = \"{RANDOM}\"\nsee {RANDOM}\npassword: hunter2\npassword: hunter3\n");
    let clean = redactor.clean(&text);
    let tags: Vec<&str> =
        clean.as_str().split("[REDACTED:assignment:").skip(1).map(|rest| &rest[..9]).collect();
    assert_eq!(tags.len(), 4, "{clean}");
    assert_eq!(tags[0], tags[1]);
    assert_eq!((tags[2], tags[3]), ("aaaaaaaa]", "aaaaaaaa]"));
    assert_ne!(tags[0], tags[2]);
    assert_eq!(redactor.clean(clean.as_str()), clean);
    assert_eq!(Redactor::standard().clean(clean.as_str()), clean);
    let other = with(|o| o.tag_key = Some(b"another key of the host".to_vec()));
    assert_ne!(other.clean(&text), clean);
}

#[test]
fn marks_of_the_host() {
    for (mark, wanted) in [
        ("***", "***"),
        ("<gone>", "<gone>"),
        ("<{kind}>", "<assignment>"),
        ("((SCRUBBED/{kind}))", "((SCRUBBED/assignment))"),
    ] {
        let redactor = with(|o| o.mark = Some(mark.into()));
        let clean = redactor.clean("password: hunter2, api_key: \"k9x7-q2w4\"");
        assert_eq!(clean.as_str(), format!("password: {wanted}, api_key: \"{wanted}\""));
        assert_eq!(redactor.clean(clean.as_str()), clean);
        let found = &redactor.report("password: hunter2")[0];
        assert_eq!(found.out_length, wanted.len());
    }
    for mark in [
        "",
        "ab",
        "abc",
        "[a=b]",
        "[a\"]",
        "[a\\]",
        "[$a]",
        "[a b]",
        "[{}]",
        "[é]",
        "█é█",
        "{kind}",
        "x{kind}]",
        "[x",
        "'x'",
        &"[".repeat(65),
    ] {
        let error = refused(|o| o.mark = Some(mark.into()));
        assert_eq!((error.code(), error.path().as_deref()), ("option_invalid", Some("mark")), "{mark}");
    }
    let token = ["[ghp_", "0123456789abcdefghijABCDEFGHIJ012345]"].concat();
    assert!(refused(|o| o.mark = Some(token)).to_string().contains("reads like a secret"));
}

#[test]
fn rules_of_the_host() {
    let redactor = with(|o| o.rules = rows(ACME).unwrap());
    let text = format!("say acme_{RANDOM}, and acme_short");
    let out = redactor.redact(&text);
    assert_eq!(out.text.as_str(), "say [REDACTED:acme-token], and acme_short");
    let inside = format!("xacme_{RANDOM}");
    assert_eq!(redactor.clean(&inside).as_str(), inside);
    assert_eq!((out.findings[0].rule, out.findings[0].confidence), ("acme-token", Confidence::Certain));
    // Its mark is one to this redactor, and to no other one.
    let named = "password: [REDACTED:acme-token]";
    assert_eq!(redactor.clean(named).as_str(), named);
    assert_eq!(redactor.clean(out.text.as_str()), out.text);
    // Equal rows are kept once.
    let again = with(|o| o.rules = rows(ACME).unwrap());
    assert!(core::ptr::eq(again.report(&text)[0].rule, out.findings[0].rule));
}

#[test]
fn rows_that_are_none() {
    for (json, path) in [
        ("{}", "rules"),
        ("[1]", "rules[0]"),
        ("[{}]", "rules[0].id"),
        (r#"[{"id": 1}]"#, "rules[0].id"),
        (r#"[{"id": "a-b", "other": 1}]"#, "rules[0]"),
        (r#"[{"id": "a-b", "keywords": "x"}]"#, "rules[0].keywords"),
        (r#"[{"id": "a-b", "keywords": ["xy"]}]"#, "rules[0].alphabet"),
        (r#"[{"id": "a-b", "keywords": ["xy"], "alphabet": "hex", "min": 1.5}]"#, "rules[0].min"),
        (r#"[{"id": "a-b", "regex": "x", "min": 1}]"#, "rules[0].min"),
        (r#"[{"id": "a-b", "confidence": "sure"}]"#, "rules[0].confidence"),
    ] {
        let error = rows(json).unwrap_err();
        assert_eq!((error.code(), error.path().as_deref()), ("option_invalid", Some(path)), "{json}");
    }
    let row = |fields: &str| {
        format!(r#"[{{"id": "a-b", "keywords": ["xy"], "alphabet": "hex", "min": 4, {fields}}}]"#)
    };
    for (fields, path) in [
        (r#""id": "A""#, "rules[0].id"),
        (r#""id": "a--b""#, "rules[0].id"),
        (r#""id": "assignment""#, "rules[0].id"),
        (r#""kind": "x]""#, "rules[0].kind"),
        (r#""keywords": []"#, "rules[0].keywords"),
        (r#""keywords": ["ab", "a b"]"#, "rules[0].keywords[1]"),
        (r#""alphabet": "letters""#, "rules[0].alphabet"),
        (r#""needs": "more""#, "rules[0].needs"),
        (r#""min": 0"#, "rules[0].min"),
        (r#""max": 3"#, "rules[0].max"),
        (r#""max": 513"#, "rules[0].max"),
        (r#""description": "a\nb""#, "rules[0].description"),
    ] {
        let error = refused(|o| o.rules = rows(&row(fields)).unwrap());
        assert_eq!((error.code(), error.path().as_deref()), ("option_invalid", Some(path)), "{fields}");
        assert!(error.to_string().starts_with(path) && !error.reason().starts_with(path));
    }
    let twice = [rows(ACME).unwrap(), rows(ACME).unwrap()].concat();
    assert_eq!(refused(|o| o.rules = twice).path().as_deref(), Some("rules[1].id"));
}

#[test]
fn regex_rules() {
    let rules =
        rows(r#"[{"id": "ticket", "confidence": "likely", "regex": "ticket (?<secret>[A-Z]{3}-[0-9]+)"}]"#)
            .unwrap();
    if cfg!(all(feature = "host-regex", not(target_family = "wasm"))) {
        let redactor = with(|o| o.rules = rules);
        assert_eq!(redactor.clean("see ticket ABC-42!").as_str(), "see ticket [REDACTED:ticket]!");
        let wrong = rows(r#"[{"id": "ticket", "regex": "("}]"#).unwrap();
        assert_eq!(refused(|o| o.rules = wrong).code(), "option_invalid");
    } else {
        let error = refused(|o| o.rules = rules);
        assert_eq!((error.code(), error.path().as_deref()), ("regex_unavailable", Some("rules[0].regex")));
    }
}

#[test]
fn what_is_allowed_stays() {
    let text = format!("password: hunter2\ntest_password: hunter3\napi_key: \"{RANDOM}\"\n");
    let clean = |set: &dyn Fn(&mut Options)| String::from(with(set).clean(&text).as_str());
    assert!(
        clean(&|o| o.allow.values = vec!["hunter2".into()])
            .starts_with("password: hunter2\ntest_password: [R")
    );
    assert!(
        clean(&|o| o.allow.keys = vec!["test_password".into()])
            .contains("[REDACTED:assignment]\ntest_password: hunter3\n")
    );
    assert_eq!(clean(&|o| o.allow.rules = vec!["assignment".into()]), text);
    for (set, path) in [
        ((|o| o.allow.rules = vec!["none-such".into()]) as fn(&mut Options), "allow.rules[0]"),
        (|o| o.allow.keys = vec!["a".into(), "*".into()], "allow.keys[1]"),
        (|o| o.allow.keys = vec!["a..b".into()], "allow.keys[0]"),
        (|o| o.allow.values = vec![String::new()], "allow.values[0]"),
        (|o| o.keys.strong = vec!["é".into()], "keys.strong[0]"),
        (|o| o.keys.weak = vec!["x".into()], "keys.weak[0]"),
        (|o| o.tag_key = Some(vec![1; 15]), "tag_key"),
        (|o| o.decode_depth = 5, "decode_depth"),
    ] {
        let error = refused(set);
        assert_eq!((error.code(), error.path().as_deref()), ("option_invalid", Some(path)));
    }
}

#[test]
fn paths_of_names_in_json() {
    let value =
        parse(r#"{"a": {"x": {"password": "hunter2"}, "password": "hunter3"}, "password": "hunter4"}"#)
            .unwrap();
    let clean =
        |key: &str| String::from(with(|o| o.allow.keys = vec![key.into()]).redact_json(&value).0.as_str());
    assert_eq!(
        clean("password"),
        r#"{"a":{"password":"hunter3","x":{"password":"hunter2"}},"password":"hunter4"}"#
    );
    let mark = "[REDACTED:assignment]";
    assert_eq!(
        clean("a.*.PASSWORD"),
        format!(r#"{{"a":{{"password":"{mark}","x":{{"password":"hunter2"}}}},"password":"{mark}"}}"#)
    );
    assert_eq!(
        clean("a.password"),
        format!(r#"{{"a":{{"password":"hunter3","x":{{"password":"{mark}"}}}},"password":"{mark}"}}"#)
    );
}

#[test]
fn names_of_the_host() {
    let redactor = with(|o| {
        o.keys.strong = vec!["launch_code".into()];
        o.keys.weak = vec!["batch".into()];
    });
    for text in [
        "launch_code=k7-9a",
        "launchCode: \"k7-9a\"",
        "LAUNCH-CODE: k7-9a",
        "run --launch-code k7-9a now",
        "my.launch_code = k7-9a",
    ] {
        let clean = redactor.clean(text);
        assert_eq!(clean.as_str(), text.replace("k7-9a", "[REDACTED:assignment]"));
        assert_eq!(Redactor::standard().clean(text).as_str(), text);
    }
    for stays in ["launch_code=${CODE}", "launch_codes=k7-9a", "batch: hello", "launch code: none"] {
        assert_eq!(redactor.clean(stays).as_str(), stays);
    }
    assert!(redactor.clean(&format!("batch: {RANDOM}")).as_str().contains("[REDACTED:"));
    let value = parse(r#"{"launchCode": "k7-9a"}"#).unwrap();
    assert!(redactor.redact_json(&value).0.as_str().contains("[REDACTED:"));
}

#[test]
fn options_do_not_show_values() {
    let mut options = Options { mode: Mode::Paranoid, ..Options::default() };
    options.exact = vec!["a-secret-value".into()];
    options.allow.values = vec!["a-secret-value".into()];
    options.tag_key = Some(b"a-secret-value-of-a-key".to_vec());
    assert!(!format!("{options:?}").contains("a-secret-value"));
    assert!(!format!("{:?}", Redactor::new(options).unwrap().marker).contains("97, 45"));
}

#[test]
fn what_is_allowed_stays_in_json_as_well() {
    let value = parse(r#"{"password": "hunter2", "secret": "hunter3"}"#).unwrap();
    let by_value = with(|options| options.allow.values = vec!["hunter2".into()]);
    assert_eq!(
        by_value.redact_json(&value).0.as_str(),
        r#"{"password":"hunter2","secret":"[REDACTED:assignment]"}"#
    );
    let by_rule = with(|options| options.allow.rules = vec!["assignment".into()]);
    assert_eq!(by_rule.redact_json(&value).0.as_str(), r#"{"password":"hunter2","secret":"hunter3"}"#);
}

#[test]
fn exact_values_are_found_percent_encoded_in_either_case() {
    let redactor = with(|options| options.exact = vec!["p/ss+word".into()]);
    for text in ["p%2Fss%2Bword", "p%2fss%2bword", "702f73732b776f7264", "702F73732B776F7264"] {
        assert_eq!(redactor.clean(text).as_str(), "[REDACTED:exact]", "{text}");
    }
}

#[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
#[test]
fn expressions_find_the_same_in_a_text_and_line_by_line() {
    let rules = rows(r#"[{"id": "acme", "confidence": "likely", "regex": "^ACME (\\w+)$"}]"#).unwrap();
    let redactor = with(|options| options.rules = rules);
    let text = "ACME one23\nno ACME two45\r\nACME three6\n".repeat(100);
    let whole = redactor.clean(&text);
    assert_eq!(whole.as_str().matches("ACME [REDACTED:").count(), 200);
    let (mut stream, mut out) = (redactor.stream(), Vec::new());
    text.split_inclusive('\n').for_each(|line| stream.push(line.as_bytes(), &mut out));
    stream.finish(&mut out);
    assert_eq!(whole.as_str().as_bytes(), out);
}
