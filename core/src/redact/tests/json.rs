//! JSON by its text and by its value: what is found in the one is found in the other.
use crate::json::{canonical, parse};
use crate::redact::{EditStream, Options, Records, Redactor};
use alloc::{format, string::String, vec::Vec};

/// Base64 of 64 bytes and more in which a token stands.
fn blob() -> (String, String) {
    let token = ["ghp_", "q9x2mn7pk4rt8wy1cv5bz3df6gh0jl2e1234"].concat();
    (["AAAA/", &token, "/", &"QUJD".repeat(16)].concat(), token)
}

/// A text scrubbed as text and by its value, both in canonical JSON.
fn both(redactor: &Redactor, json: &str) -> [String; 2] {
    let by_text = redactor.redact_json_text(json).unwrap().text;
    let by_value = redactor.redact_json(&parse(json).unwrap()).0;
    [by_text.as_str(), by_value.as_str()].map(|out| canonical(&parse(out).unwrap()))
}

#[test]
fn what_is_passed_on_as_it_is_is_not_read() {
    let (blob, _) = blob();
    for json in [
        format!(r#"{{"type":"redacted_thinking","n":"x","data":"{blob}"}}"#),
        format!(r#"{{"data":"{blob}","n":"x","type":"redacted_thinking"}}"#),
        format!(r#"{{"signatur\u0065":"{blob}"}}"#),
        format!(r#"{{"signature":"{}"}}"#, blob.replace('/', "\\/")),
        format!(r#"[{{"encrypted_content":"{blob}"}},{{"n":1}}]"#),
    ] {
        let as_it_is = canonical(&parse(&json).unwrap());
        assert_eq!(both(&Redactor::standard(), &json), [as_it_is.clone(), as_it_is], "{json}");
        assert_eq!(Redactor::standard().redact_json_text(&json).unwrap().text.as_str(), json);
    }
    // Another object's type, and none.
    for json in [
        format!(r#"[{{"type":"redacted_thinking"}},{{"n":"x","data":"{blob}"}}]"#),
        format!(r#"{{"type":["redacted_thinking"],"n":"x","data":"{blob}"}}"#),
    ] {
        for out in both(&Redactor::standard(), &json) {
            assert!(out.contains("[REDACTED:"), "{json} became {out}");
        }
    }
}

#[test]
fn what_is_passed_on_as_it_is_tells_nothing_of_others() {
    let (blob, token) = blob();
    // No token by itself: others would find it here as well.
    let other = ["zz", &token, "99"].concat();
    let json = format!(r#"{{"a":{{"signature":"{blob}"}},"b":"{other}"}}"#);
    assert_eq!(both(&Redactor::standard(), &json), [json.clone(), json]);
}

#[test]
fn a_string_is_one_record_with_all_of_its_lines() {
    let value = ["q9x2mn7pk4", "rt8wy1cv5b"].concat();
    let redactor = Redactor::standard();
    let [near, far] = [" ".repeat(7 * 1024), " ".repeat(9 * 1024)];
    for (between, marks) in [("", 3), (&*near, 3), (&*far, 2)] {
        let json = format!(r#"{{"out":"saw {value}\n{between}DB_PASSWORD={value}\nsaw {value}"}}"#);
        for out in both(&redactor, &json) {
            assert_eq!(out.matches("[REDACTED:assignment]").count(), marks, "{}: {out}", between.len());
        }
    }
    // A UUID is an id in other lines.
    let id = "6fa459ea-ee8a-4ca4-894e-db77e160355e";
    let json = format!(r#"{{"out":"saw {id}\nCLIENT_SECRET={id}\n"}}"#);
    let value = redactor.redact_json(&parse(&json).unwrap()).0;
    assert_eq!(value.as_str().matches(id).count(), 1, "{}", value.as_str());
}

#[test]
fn what_is_held_is_not_printed() {
    let value = ["q9x2mn7pk4", "rt8wy1cv5b"].concat();
    let (redactor, mut records) = (Redactor::standard(), Records::default());
    let (mut stream, mut edits) = (redactor.stream(), EditStream::default());
    let _ = records.redact(&redactor, &format!("password={value}"));
    stream.push(format!("password={value}").as_bytes(), &mut Vec::new());
    edits.push(&redactor, &format!("password={value}"));
    for printed in [format!("{records:?}"), format!("{stream:?}"), format!("{edits:?}")] {
        assert!(!printed.contains(&value) && !printed.contains("113, 57, 120"), "{printed}");
    }
}

#[test]
fn a_tag_is_of_what_is_said() {
    let options = Options { tag_key: Some(b"0123456789abcdef".to_vec()), ..Options::default() };
    let redactor = Redactor::new(options).unwrap();
    let tagged = |json: &str| both(&redactor, json);
    let [by_text, by_value] = tagged(r#"{"password":"q9x2mn7pk4rt8wy1cv5b"}"#);
    assert_eq!(by_text, by_value);
    for otherwise in [
        r#"{"password":"q\u0039x2mn7pk4rt8wy1cv5b"}"#,
        r#"{"passw\u006frd":"\u00719x2mn7pk4rt8wy1cv5\u0062"}"#,
    ] {
        assert_eq!(tagged(otherwise), [by_text.clone(), by_text.clone()], "{otherwise}");
    }
    assert_ne!(tagged(r#"{"password":"q\u0038x2mn7pk4rt8wy1cv5b"}"#)[0], by_text);
    // A secret with an escape in it, and in a key.
    for json in
        [r#"{"password":"q9x2mn7p\\k4rt8wy1cv5b"}"#, r#"{"password: q9x2\u006dn7pk4rt8wy1cv5b":"password"}"#]
    {
        let [by_text, by_value] = tagged(json);
        assert_eq!(by_text, by_value, "{json}");
    }
}

#[test]
fn what_a_name_says_is_hidden_in_what_stands_beside_it() {
    let redactor = Redactor::standard();
    // Only without what is hidden is the server near enough to tell that its pairs are those of a connection.
    let pad = ", two of these lines and".repeat(6);
    let secret = "cGFzc3dvcmQ9aHVudGVyMjImcorrect-horse";
    let json = format!(r#"{{"authorization":"Server=db;X={secret}{};Pwd=config.secret;"}}"#, &pad[..128]);
    let marked = format!(
        r#"{{"authorization":"Server=db;X=[REDACTED:cookie]{};Pwd=[REDACTED:assignment];"}}"#,
        &pad[..128]
    );
    assert_eq!(both(&redactor, &json), [marked.clone(), marked]);
}
