//! What holds for every text: see `spec/redaction.md`, contract.
use super::{Confidence, Mode, Options, Redactor, rules};
use crate::json::{Json, canonical, parse};
use alloc::{format, string::String, string::ToString, vec, vec::Vec};
use proptest::{prelude::*, test_runner::RngSeed};

mod edits;
pub(super) mod encoded;
mod exact;
mod floods;
mod json;
mod places;
mod record;
mod stays;

fn clean(text: &str) -> String {
    Redactor::standard().redact(text).text.as_str().into()
}

/// Bits of text that the finders look at, between which anything may stand.
pub(super) fn bit() -> impl Strategy<Value = String> {
    #[rustfmt::skip] // A table.
    let fixed = [
        "password", "token", "api_key", "secret: ", "key=", "=", ": ", ":", "\"", "'", "`", "\\", "\\\"",
        "\\n", "\n", " ", "  ", "://", "@", "/", "?", "&", "#", "{", "}", "[", "]", "(", ")", ",", ";",
        "<password>", "</password>", "Bearer ", "Basic ", "Authorization: ", "Cookie: ", "sid=",
        "--password ", "-p", "curl -u ", "mysql ", "login ", "IDENTIFIED BY ", "-----BEGIN ",
        "PRIVATE KEY-----", "-----END ", "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "ghp_", "sk-ant-", "AKIA",
        "xoxb-", "é", "日本", "🙂", "\u{1b}[32m", "\u{1b}[0m", "\u{1b}[K",
        "\u{1b}", "\u{1b}]8;;", "\\u001b[1m", "\\e[m", "%3D", "&quot;", "hunter2",
        "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB", "[REDACTED:", "[REDACTED:bearer]", "[REDACTED:assignment]",
        "[REDACTED:nothing]", "0123456789abcdef", "q9x2mn7pk4rt8wy1cv5bz3df6gh0jl2e", "null", "${TOKEN}",
        "$", "%", "user:pa55w0rd@", "http", "-us12", ":AA", "Q~", ".atlasv1.",
    ];
    prop_oneof![
        6 => proptest::sample::select(fixed.to_vec()).prop_map(str::to_string),
        1 => "[a-zA-Z0-9_]{1,12}",
        1 => "\\PC{0,4}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(bit(), 0..24).prop_map(|bits| bits.concat())
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::from),
        text().prop_map(Json::String),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        let name = prop_oneof![
            bit(),
            text(),
            Just("password".to_string()),
            Just("id".to_string()),
            Just("authorization".to_string())
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Json::Array),
            proptest::collection::vec((name, inner), 0..6)
                .prop_map(|pairs| Json::Object(pairs.into_iter().collect())),
        ]
    })
}

/// What is there beside strings, and keys and their order.
fn shape(value: &Json) -> String {
    match value {
        Json::String(_) => "s".into(),
        Json::Array(items) => format!("[{}]", items.iter().map(shape).collect::<Vec<_>>().join(",")),
        Json::Object(object) => {
            let mut members: Vec<_> = object.iter().map(|(_, value)| shape(value)).collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => canonical(value),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1200, failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default() })]

    #[test]
    fn scrubbing_twice_changes_nothing(text in text()) {
        let once = clean(&text);
        prop_assert_eq!(clean(&once), once, "from {:?}", text);
    }

    #[test]
    fn only_findings_change(text in text()) {
        let out = Redactor::standard().redact(&text);
        let (mut at, mut out_at) = (0, 0);
        for f in &out.findings {
            prop_assert_eq!(&text[at..f.offset], &out.text.as_str()[out_at..f.out_offset]);
            let mark = &out.text.as_str()[f.out_offset..f.out_offset + f.out_length];
            prop_assert_eq!(mark, format!("[REDACTED:{}]", f.kind));
            let before = &text[..f.offset];
            prop_assert_eq!(f.line, before.matches('\n').count() + 1);
            prop_assert_eq!(f.column, before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1);
            (at, out_at) = (f.offset + f.length, f.out_offset + f.out_length);
        }
        prop_assert_eq!(&text[at..], &out.text.as_str()[out_at..]);
        prop_assert_eq!(Redactor::standard().report(&text), out.findings);
    }

    #[test]
    fn any_text_is_taken(text in "\\PC{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = clean(&text);
        let _ = clean(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn verbatim_is_all_or_nothing(text in text()) {
        let redactor = Redactor::standard();
        match redactor.verbatim(&text) {
            Some(same) => prop_assert_eq!(same.as_str(), text),
            None => prop_assert!(!redactor.report(&text).is_empty()),
        }
    }

    #[test]
    fn json_keeps_its_shape(value in json()) {
        let redactor = Redactor::standard();
        let (out, findings) = redactor.redact_json(&value);
        let back = parse(out.as_str()).unwrap();
        let input = parse(&canonical(&value)).unwrap();
        prop_assert_eq!(shape(&input), shape(&back), "{} -> {}", canonical(&value), out.as_str());
        let (again, _) = redactor.redact_json(&back);
        prop_assert_eq!(again.as_str(), out.as_str());
        prop_assert_eq!(findings.is_empty(), out.as_str() == canonical(&value));
    }

    #[test]
    fn json_text_stays_json_of_the_same_shape(value in json()) {
        let input = canonical(&value);
        let output = clean(&input);
        let back = parse(&output);
        prop_assert!(back.is_ok(), "{} -> {}", input, output);
        prop_assert_eq!(shape(&parse(&input).unwrap()), shape(&back.unwrap()), "{} -> {}", input, output);
    }
}

#[test]
fn options_are_checked() {
    let with = |value: &str| {
        Redactor::new(Options { exact: vec!["a long enough one".into(), value.into()], ..Options::default() })
    };
    assert_eq!(with("short").unwrap_err().code(), "exact_too_short");
    assert_eq!(with("changeme").unwrap_err().code(), "exact_placeholder");
    assert!(with("sixsix").is_ok());
    assert!(!format!("{:?}", with("sixsix").unwrap()).contains("sixsix"));
}

#[test]
fn exact_values_go_in_every_encoding() {
    let value = "c0rrect horse/\"battery\"";
    let redactor = Redactor::new(Options { exact: vec![value.into()], ..Options::default() }).unwrap();
    for form in [
        value.to_string(),
        value.replace('"', "\\\""),
        "c0rrect%20horse%2F%22battery%22".into(),
        "YzBycmVjdCBob3JzZS8iYmF0dGVy".into(),
    ] {
        let text = format!("before {form} after");
        assert!(
            redactor.clean(&text).as_str().starts_with("before [REDACTED:exact]"),
            "{form}: {}",
            redactor.clean(&text)
        );
    }
}

#[test]
fn modes_differ_in_what_is_possible() {
    let text = "session_code = k3v9x2m1q8";
    assert_eq!(clean(text), text);
    let paranoid = Redactor::new(Options { mode: Mode::Paranoid, ..Options::default() }).unwrap();
    assert_eq!(paranoid.report(text)[0].confidence, Confidence::Possible);
    let looks = Redactor::new(Options { mode: Mode::ReportOnly, ..Options::default() }).unwrap();
    assert_eq!(looks.mode(), Mode::ReportOnly);
    assert_eq!(looks.clean("password: hunter2").as_str(), "password: [REDACTED:assignment]");
}

#[test]
fn identifiers_hold_no_certain_secret() {
    let redactor = Redactor::standard();
    let token = ["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tY"].concat();
    let error = redactor.identifier("key", &format!("session-{token}")).unwrap_err();
    assert_eq!(error.code(), "secret_in_identifier");
    assert!(!error.to_string().contains(&token));
    redactor.identifier("key", "toolu_01A09q90qw90lq917835lq9").unwrap();
    redactor.identifier("key", "password: hunter2").unwrap();
}

#[test]
fn keys_that_become_alike_keep_their_members() {
    let token = |last: &str| ["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4", last].concat();
    let mark = "[REDACTED:github-token]";
    let names = [token("aa"), "id".into(), token("bb"), format!("{mark} 2"), token("cc"), mark.into()];
    let object = names.iter().zip(0i64..).map(|(name, n)| (name.clone(), Json::from(n))).collect();
    let (out, findings) = Redactor::standard().redact_json(&Json::Object(object));
    let told = parse(out.as_str()).unwrap();
    assert_eq!(
        out.as_str(),
        format!(r#"{{"{mark}":5,"{mark} 2":3,"{mark} 3":0,"{mark} 4":2,"{mark} 5":4,"id":1}}"#)
    );
    assert_eq!(findings.len(), 3);
    assert_eq!(Redactor::standard().redact_json(&told).0, out);
}

#[test]
fn likely_secrets_in_keys_go_as_well() {
    let password = ["s3cr3t", "Pw99"].concat();
    let text = format!(
        r#"{{"postgres://admin:{password}@host/db":1,"postgres://admin:{password}1@host/db":2,
            "x":{{"Authorization: Bearer zzzzabcd12345678zzzz":3}}}}"#
    );
    let (out, findings) = Redactor::standard().redact_json(&parse(&text).unwrap());
    let url = "postgres://admin:[REDACTED:url-password]@host/db";
    let header = "Authorization: Bearer [REDACTED:bearer]";
    assert_eq!(out.as_str(), format!(r#"{{"{url}":1,"{url} 2":2,"x":{{"{header}":3}}}}"#));
    assert_eq!(findings.len(), 3);
    assert_eq!(Redactor::standard().redact_json(&parse(out.as_str()).unwrap()).0, out);
}

#[test]
fn ordinary_keys_stay() {
    let paranoid = Redactor::new(Options { mode: Mode::Paranoid, ..Options::default() }).unwrap();
    for key in [
        "toolu_01A09q90qw90lq917835lq9",
        "89d2c023-ea53-40a5-b20a-d84905c622d7",
        "/home/user/projects/secret-keeper/src/token/password.rs:12:5",
        "src/auth/token_store.rs",
        "maxActiveAsyncRunsPerSession",
        "getUserAccessToken",
        "X-Api-Key",
        "password",
        "token:read",
        "https://example.org/path?page=2&sort=key#token",
        "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ",
        "f3d17de96b66ad5f56a3f29cf8bcb57b7aed83fe",
        "session_code = k3v9x2m1q8",
        "node_modules/@scope/pkg",
        "Authorization: required",
        "live_rows_are_those_on_the_way_from_the_leaf",
    ] {
        let object = [(String::from(key), Json::from(1i64))].into_iter().collect();
        let value = Json::Object(object);
        assert_eq!(paranoid.redact_json(&value).0.as_str(), canonical(&value));
    }
}

#[test]
fn a_mark_in_a_key_says_nothing() {
    let token = ["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tY"].concat();
    let value = Json::from("Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB");
    let object = [(token, value)].into_iter().collect();
    let (once, _) = Redactor::standard().redact_json(&Json::Object(object));
    assert!(once.as_str().contains("Zf3D0"));
    assert_eq!(Redactor::standard().redact_json(&parse(once.as_str()).unwrap()).0, once);
}

#[test]
fn overlaps_take_the_surer_kind() {
    let token = ["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tY"].concat();
    assert_eq!(clean(&format!("password={token}!")), "password=[REDACTED:github-token]");
}

/// A value of each certain rule, from its example.
fn certain() -> Vec<String> {
    let sure = rules().iter().filter(|r| r.confidence == Confidence::Certain && r.id != "exact");
    sure.map(|r| r.example[0].concat()).collect()
}
