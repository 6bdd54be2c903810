use super::*;
use alloc::string::ToString;

fn session(agent: &str) -> SessionId {
    SessionId::new("claude-code", agent, "3f2c").unwrap()
}

#[test]
fn sessions_are_checked() {
    let long = "é".repeat(IDENTIFIER_MAX_CHARS);
    assert!(SessionId::new("h", "", long.clone()).is_ok());
    for (harness, agent, key, field, says) in [
        ("", "", "k", "harness", "harness is empty"),
        ("h", "a\nb", "k", "agent", "U+000A at byte 1"),
        ("h", "", "", "key", "key is empty"),
        ("h", "", &[long.as_str(), "x"].concat(), "key", "201 characters"),
        ("h", "", "\u{85}", "key", "U+0085"),
    ] {
        let error = SessionId::new(harness, agent, key).unwrap_err();
        assert_eq!((error.code(), error.field()), ("identifier_invalid", field));
        assert!(error.to_string().contains(says) && error.to_string().contains("accepted"), "{error}");
    }
}

#[test]
fn sessions_show_and_store() {
    assert_eq!(session("").to_string(), "claude-code/3f2c");
    assert_eq!(session("main").to_string(), "claude-code/main/3f2c");
    let text = r#"{"agent":"main","harness":"claude-code","key":"3f2c"}"#;
    assert_eq!(serde_json::to_string(&session("main")).unwrap(), text);
    assert_eq!(serde_json::from_str::<SessionId>(text).unwrap(), session("main"));
    assert_eq!(
        serde_json::from_str::<SessionId>(r#"{"harness":"claude-code","key":"3f2c"}"#).unwrap(),
        session("")
    );
    assert!(serde_json::from_str::<SessionId>(r#"{"harness":"","key":"3f2c"}"#).is_err());
}

#[test]
fn storage_keys_are_length_prefixed_hashes() {
    // Worked out apart: base32 of SHA-256 of the length-prefixed parts.
    assert_eq!(session("").storage_key(), "rsgvpengdpzcloen4kuptwdaza");
    assert_eq!(session("main").storage_key(), "b45zvmykkgomvp3puwdy4xmjjv");
    assert_eq!(session("main").token(), session("main").storage_key()[..16]);
    let shifted = |harness, agent| SessionId::new(harness, agent, "k").unwrap().storage_key();
    assert_ne!(shifted("ab", "c"), shifted("a", "bc"));
}

#[test]
fn base32_is_the_usual_one() {
    assert_eq!(base32(b"foobarfoob", 99), "mzxw6ytbojtg633c");
    assert_eq!(base32(b"fooba", 99), "mzxw6ytb");
    assert_eq!(base32(b"fooba", 3), "mzx");
}

#[test]
fn rows_are_checked() {
    assert_eq!(RowId::new("r1").unwrap().as_str(), "r1");
    assert_eq!(RowId::new("a\0").unwrap_err().field(), "row id");
    assert_eq!(serde_json::to_string(&RowId::new("r1").unwrap()).unwrap(), "\"r1\"");
    assert!(serde_json::from_str::<RowId>("\"\"").is_err());
}

#[test]
fn uuids_are_version_7() {
    let now = Timestamp::from_unix_millis(0x0123_4567_89AB).unwrap();
    let id = BatchId::generate(now, [0xFF; 10]);
    assert_eq!(id.as_str(), "01234567-89ab-7fff-bfff-ffffffffffff");
    assert_eq!(BatchId::parse("01234567-89AB-7FFF-BFFF-FFFFFFFFFFFF"), Ok(id));
    let early = CheckpointId::generate(Timestamp::MIN, [0; 10]);
    assert_eq!(early.as_str(), "00000000-0000-7000-8000-000000000000");
    for text in ["", "0123456789ab7fffbfffffffffffffff", "01234567-89ab-7fff-bfff-fffffffffffg"] {
        assert_eq!(CheckpointId::parse(text).unwrap_err().field(), "checkpoint id");
    }
    assert_eq!(serde_json::from_str::<CheckpointId>(&serde_json::to_string(&early).unwrap()).unwrap(), early);
}

#[test]
fn projects_have_one_form() {
    for (path, expected) in [
        ("/home/u/app", "/home/u/app"),
        ("/home/u//app/", "/home/u/app"),
        ("/home/./u/x/../app/.", "/home/u/app"),
        ("/", "/"),
        ("///", "/"),
        ("/..", "/"),
        ("/../a", "/a"),
        ("///a", "/a"),
        ("../a/../b/", "../b"),
        ("../../a", "../../a"),
        ("a/../../b", "../b"),
        (".", "."),
        ("a/..", "."),
        ("./a", "a"),
        ("/Home/App", "/Home/App"),
        ("/a\\b", "/a\\b"),
        ("C:\\Work\\App\\", "c:/Work/App"),
        ("c:/Work//App/..", "c:/Work"),
        ("C:", "c:"),
        ("C:\\", "c:/"),
        ("C:\\..\\x", "c:/x"),
        ("C:x\\..\\..\\y", "c:../y"),
        ("./C:/x", "./C:/x"),
        ("\\\\host\\share\\a\\..\\b", "//host/share/b"),
        ("\\\\host\\share\\..\\b", "//host/share/b"),
        ("//host/share/", "//host/share"),
        ("\\\\host", "//host"),
        ("file:///home/u/a%20b/", "/home/u/a b"),
        ("file://localhost/x", "/x"),
        ("FILE:///C:/Work%5CApp", "c:/Work/App"),
        ("file://C:/Work", "c:/Work"),
        ("file:///c:", "c:"),
        ("file://host/share/x", "//host/share/x"),
        ("file:////host/share", "//host/share"),
        ("file://", "/"),
        ("file:///a%zz%2", "/a%zz%2"),
        ("file:///a%ff%41", "/a%ff%41"),
        ("file:///%C3%A9%2525", "/é%25"),
        ("file:///a/%2e%2e/b", "/b"),
    ] {
        let project = Project::new(path).unwrap();
        assert_eq!(project.normalized(), expected, "{path}");
        assert_eq!(Project::new(expected).unwrap().normalized(), expected, "{path}");
        assert_eq!(project.raw(), path);
        assert_eq!(project.hash(), sha256_hex(expected.as_bytes()));
    }
    assert_eq!(Project::new(""), None);
}
