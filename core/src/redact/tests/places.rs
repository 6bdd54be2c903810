//! Planted secrets: wherever they stand, they do not survive.
use super::{certain, clean};
use alloc::{format, string::String, vec::Vec};
use proptest::{prelude::*, test_runner::RngSeed};

/// What may stand directly before a token.
#[rustfmt::skip] // A table.
const LEFT: &[&str] = &[
    "", " ", "\n", "\t", "\"", "'", "`", "(", "[", "{", "<", ">", "=", ": ", ":", ",", ";", "|", "/",
    "\\n", "\\r\\n", "\\t", "\\\"", "\\\\n", "%3D", "%20", "\\u003d", "\\u0022", "&quot;", "é", "日本", "🙂",
    "\u{1b}[32m", "\u{1b}[0;1m", "\\u001b[32m", "**", "key=", "token: ", "https://", "x-token:", "$", "~",
    "!", "\u{a0}", "。", "”",
];

/// What may stand directly behind it.
#[rustfmt::skip] // A table.
const RIGHT: &[&str] = &[
    "", " ", "\n", "\"", "'", "`", ")", "]", "}", "<", ",", ";", "|", "\\n", "\\r\\n", "\\\"", "\\\\\"",
    "&", "&quot;", "é", "日本", "🙂", "\u{1b}[0m", "\\u001b[0m", "**", "\r\n", ". Next", "!", "?", "#x",
    "\u{a0}", "。", "”", " and more",
];

#[test]
fn between_all_neighbours() {
    let mut survived = Vec::new();
    for token in certain() {
        // What of a value counts is what follows the keyword.
        let body = &token[token.len() / 2..];
        let pairs = LEFT.iter().map(|l| (*l, " ")).chain(RIGHT.iter().map(|r| ("=", *r)));
        for (left, right) in pairs {
            let text = if left.is_empty() {
                format!("{token}{right}")
            } else {
                format!("some text{left}{token}{right}")
            };
            if clean(&text).contains(body) {
                survived.push(text);
            }
        }
    }
    assert!(
        survived.is_empty(),
        "{} survived, such as {:#?}",
        survived.len(),
        &survived[..survived.len().min(12)]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default() })]

    #[test]
    fn in_random_text(
        n in any::<prop::sample::Index>(),
        left in proptest::sample::select(LEFT),
        right in proptest::sample::select(RIGHT),
        before in "[ -~éß日\n]{0,60}",
        after in "[ -~éß日\n]{0,60}",
    ) {
        let all = certain();
        let token = n.get(&all);
        let text = format!("{before} {left}{token}{right} {after}");
        let body = &token[token.len() / 2..];
        prop_assert!(!clean(&text).contains(body), "{:?} -> {:?}", text, clean(&text));
    }

    #[test]
    fn in_json_at_any_depth(n in any::<prop::sample::Index>(), depth in 0usize..4, before in "[ -~\n]{0,30}") {
        let all = certain();
        let token = n.get(&all);
        let mut text = format!("{before}\n{token}\nend");
        for _ in 0..depth {
            let mut outer = String::new();
            crate::json::write_canonical(&crate::json::Json::String(text), &mut outer);
            text = format!("{{\"text\":{outer}}}");
        }
        // Escapes may stand inside of a key block; its last base64 line is the same at every depth.
        let line = token.lines().nth(token.lines().count() / 2).unwrap_or(token);
        let body = &line[line.len() / 2..];
        let out = clean(&text);
        prop_assert!(!out.contains(body), "{:?} -> {:?}", text, out);
        if depth > 0 {
            prop_assert!(crate::json::parse(&out).is_ok(), "{:?}", out);
        }
    }
}

#[test]
fn assignments_in_the_languages_people_write() {
    let secret = ["Tr0ub4", "dor&3x"].concat().replace('&', "_");
    for form in [
        "password: {}",
        "password = {}",
        "PASSWORD={}",
        "export DB_PASSWORD={}",
        "DB_PASSWORD='{}'",
        "\"password\": \"{}\"",
        "'password' => '{}',",
        "{\"a\":1,\"clientSecret\":\"{}\",\"b\":2}",
        "{\\\"apiKey\\\": \\\"{}\\\"}",
        "\\\\\\\"secret\\\\\\\": \\\\\\\"{}\\\\\\\"",
        "const apiSecret: string = \"{}\";",
        "var password string = \"{}\"",
        "let secret_key = r\"{}\";",
        "config['db_password'] = '{}'",
        "spring.datasource.password={}",
        "Server=db;User Id=app;Password={};Database=main",
        "https://host.internal/login?user=a&password={}&x=1",
        "postgres://app:{}@db.internal:5432/main",
        "<password>{}</password>",
        "<add key=\"x\" password=\"{}\"/>",
        "tool --password {} --verbose",
        "tool --password={}",
        "[\"--password\", \"{}\"]",
        "curl -u app:{} https://host.internal",
        "mysql -uroot -p{} main",
        "docker login -u app -p {} registry.internal",
        "machine host.internal login app password {}",
        "CREATE USER app IDENTIFIED BY '{}';",
        "ALTER ROLE app WITH PASSWORD '{}'",
        "Authorization: Token {}",
        "X-Api-Key: {}",
        "Set-Cookie: sessionid={}; Path=/; HttpOnly",
        "  password: {}  # the one",
        "password&quot;: &quot;{}&quot;",
        "$password = \"{}\";",
        "-H 'Authorization: Bearer {}'",
        "\"headers\":{\"Authorization\":[\"Bearer {}\"]}",
    ] {
        let text = form.replace("{}", &secret);
        let out = clean(&text);
        assert!(!out.contains(&secret), "{text} -> {out}");
        let (head, tail) = form.split_once("{}").unwrap();
        assert!(out.starts_with(head) && out.ends_with(tail), "structure: {text} -> {out}");
    }
}

#[test]
fn key_blocks_in_every_form() {
    let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----"].concat();
    let end = ["-----END RSA PRIV", "ATE KEY-----"].concat();
    let lines = [
        "MIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu",
        "KUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQJAIJLixBy2qpFoS4DSmoEm",
        "o3qGy0t6z09AIJtH+5OeRV1be+N4cDYJKffGzDa88vQENZiRm0GRq6a+HPGQMd2k",
        "TQ==",
    ];
    let block = |sep: &str| format!("{begin}{sep}{}{sep}{end}", lines.join(sep));
    let forms = [
        (block("\n"), ""),
        (block("\r\n"), ""),
        (block("\\n"), ""),
        (block("\\\\n"), ""),
        (block("\n    "), ""),
        (block("\\n\" +\n    \""), ""),
        (block("\n# "), ""),
        (block(" "), ""),
        (
            format!(
                "{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011223344556677\n\n{}\n{end}",
                lines.join("\n")
            ),
            "",
        ),
        (format!("{begin}\n{}\n", lines[..2].join("\n")), "\n"),
    ];
    for (text, rest) in forms {
        let whole = format!("a: \"{text}\"\nnext: value");
        let out = clean(&whole);
        assert_eq!(out, format!("a: \"[REDACTED:private-key]{rest}\"\nnext: value"), "{whole}");
    }
    let one_line = format!(
        "{{\"key\":\"{begin}\\n{}\\n\",\"other\":\"abcdefghijklmnopqrstuvwxyz\"}}",
        lines.join("\\n")
    );
    assert_eq!(
        clean(&one_line),
        "{\"key\":\"[REDACTED:private-key]\\n\",\"other\":\"abcdefghijklmnopqrstuvwxyz\"}"
    );
    let prose = format!("It starts with {begin} and then\nthe key follows.");
    assert_eq!(clean(&prose), prose);
}
