//! Planted secrets: wherever they stand, they do not survive.
use super::{certain, clean};
use alloc::{format, string::String, vec, vec::Vec};
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
        "<system-reminder>Authorization: Bearer {}</system-reminder>",
        "<td>Authorization: Bearer {}</td><td>next</td>",
        "| Authorization: Bearer {}|next|",
        "**Authorization: Bearer {}**",
        "{Authorization: Bearer {}}",
        "cat /home/x/password={}/a.txt",
        "{\"name\": \"DB_PASSWORD\", \"value\": \"{}\"}",
        "{\\\"name\\\":\\\"API_TOKEN\\\",\\\"value\\\":\\\"{}\\\"}",
        "<add key=\"ApiKey\" value=\"{}\" />",
        "<input type=\"password\" value=\"{}\">",
        "const secret = process.env.JWT_SECRET || '{}';",
        "token: process.env['API_TOKEN'] ?? \"{}\",",
        "#define WIFI_PASSWORD \"{}\"",
        "\"#define\\tDB_PASSWORD\\t\\\"{}\\\"\"",
        "$p = ConvertTo-SecureString '{}' -AsPlainText -Force",
        "ConvertTo-SecureString -String \"{}\" -AsPlainText",
        "ENV DB_PASSWORD {}",
        "setx API_TOKEN {}",
        "requirepass {}",
        "char password[] = \"{}\";",
        "uint8_t api_key[32] = \"{}\";",
        "password <- \"{}\"",
        "<property name=\"password\">{}</property>",
        "git clone https://x-access-token:{}@git.internal/o/r",
        "snmpwalk -v3 -A {} host.internal",
        "ansible_become_pass: {}",
        "Server=db;User Id=app;Password={};",
        "{user: \"app\", pass: \"{}\"}",
        "ALTER USER 'app'@'%' IDENTIFIED WITH mysql_native_password BY '{}';",
        "<secret>{}</secret>",
    ] {
        let text = form.replace("{}", &secret);
        let out = clean(&text);
        assert!(!out.contains(&secret), "{text} -> {out}");
        let (head, tail) = form.split_once("{}").unwrap();
        assert!(out.starts_with(head) && out.ends_with(tail), "structure: {text} -> {out}");
    }
}

#[test]
fn mnemonic_phrases_under_their_names() {
    let words =
        ["legal winner thank year", "wave sausage worth useful", "legal winner thank yellow"].join(" ");
    for form in ["mnemonic: \"{}\"", "SEED_PHRASE='{}'", "{\"recoveryPhrase\": \"{}\"}", "MNEMONIC=\"{}\""] {
        let text = form.replace("{}", &words);
        assert_eq!(clean(&text), form.replace("{}", "[REDACTED:assignment]"));
    }
    assert_eq!(clean(&words), words);
}

#[test]
fn connection_strings_hold_weak_passwords_too() {
    for value in ["secret", "myPassword", "sa", "p"] {
        let text = format!("Server=db.internal;Database=main;User Id=app;Password={value};Timeout=5");
        assert_eq!(clean(&text).contains(&format!("Password={value}")), value.len() < 3, "{text}");
    }
    for text in [
        "Server=db;User Id=app;Password={0};",
        "Server=db;Uid=app;Pwd=<your-password>;",
        "Server=db;Uid=app;Pwd=***;",
    ] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn values_found_once_go_elsewhere_as_well() {
    let id = "89d2c023-ea53-40a5-b20a-d84905c622d7";
    let text = format!("token = '{id}' | '{id}' request_id: '{id}'\n{id}");
    assert_eq!(
        clean(&text),
        format!("token = '[REDACTED:assignment]' | '[REDACTED:assignment]' request_id: '{id}'\n{id}")
    );
    let value = ["Zf3D0LXCM3EIMbgJ", "pUNnkRtOfOueHznB"].concat();
    let text = format!("{value} before\n{value} and api_key={value}\nthen {value}");
    let mark = "[REDACTED:assignment]";
    assert_eq!(clean(&text), format!("{value} before\n{mark} and api_key={mark}\nthen {mark}"));
}

#[test]
fn tokens_that_a_terminal_wrapped() {
    let checked = ["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL", "4Wfr6P"].concat();
    let fixed = ["AIza", "F9TxS5ruk1KF0dYIw5imHZ4dktVHkRt6dLt"].concat();
    for (token, mark) in [(&checked, "[REDACTED:github-token]"), (&fixed, "[REDACTED:google-key]")] {
        for (line_end, at) in
            [("\n", vec![16]), ("\r\n", vec![20]), ("\n", vec![14, 22]), ("\n", vec![13, 20, 29])]
        {
            let mut text = String::from("$ echo ");
            let mut wanted = text.clone();
            let mut last = 0;
            for cut in at {
                text = format!("{text}{}{line_end}", &token[last..cut]);
                wanted = format!("{wanted}{mark}{line_end}");
                last = cut;
            }
            assert_eq!(clean(&format!("{text}{}\n$ ", &token[last..])), format!("{wanted}{mark}\n$ "));
        }
    }
    for text in [format!("{}\nnext line", &fixed[..20]), format!("{}\n{}x", &fixed[..20], &fixed[20..])] {
        assert_eq!(clean(&text), text);
    }
}

#[test]
fn header_values_end_with_their_alphabet() {
    let basic = ["dXNlcjoxMjM0NTY3", "ODkwMTIzNDU2Nzg="].concat();
    for tag in ["x", "td", "system-reminder"] {
        let text = format!("<{tag}>Authorization: Basic {basic}</{tag}>");
        assert_eq!(clean(&text), format!("<{tag}>Authorization: Basic [REDACTED:basic-auth]</{tag}>"));
    }
    let pair = format!("Authorization: Basic {}:{}", "app1", ["Tr0ub4", "dor3x"].concat());
    assert_eq!(clean(&pair), "Authorization: Basic [REDACTED:basic-auth]");
}

#[test]
fn weak_passwords_go_under_strong_names() {
    let weak = ["let", "mein"].concat();
    for form in [
        "PASSWORD={}",
        "PGPASSWORD={}",
        "openssl req -new -x509 -passin pass:{} -days 365",
        "run PGPASSWORD={} psql -h x",
        "password: {}",
        "the password: {}",
        "{password: {}}",
        "`PGPASSWORD={}`",
    ] {
        let text = form.replacen("{}", &weak, 1);
        assert!(!clean(&text).contains(&weak), "{text}");
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
        (block("\\n#5 0.228 "), ""),
        (block("\\n\", \""), ""),
        (block("\",\""), ""),
        (block("\\\\n\\\", \\\""), ""),
        (block("\\n\" \""), ""),
        (block("\\n', '"), ""),
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
    // Another string is no part of the block when not all of them are.
    let other = format!("{{\"key\":\"{begin}\\n{}\",\"abcdefghijklmnop\":\"x\",\"y\":\"{end}\"}}", lines[0]);
    assert_eq!(
        clean(&other),
        format!("{{\"key\":\"[REDACTED:private-key]\",\"abcdefghijklmnop\":\"x\",\"y\":\"{end}\"}}")
    );
    let prose = format!("It starts with {begin} and then\nthe key follows.");
    assert_eq!(clean(&prose), prose);
}

#[test]
fn a_key_block_ends_outside_of_other_secrets() {
    let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----"].concat();
    let (body, secret) = ("MIIBOgIBAAJBAKj34GkxFhD9", "dFxU8sZA5g4kJ88T86q9ps9khDuG58G63U2p");
    let words = "q9x2mn7pk4rt8wy1cv5bz3df6gh0jl2e";
    for (end, rest) in [
        (format!("-----END {words} {secret}"), format!(" {words} [REDACTED:assignment]")),
        (format!("-----END RSA {secret}"), " [REDACTED:assignment]".into()),
        (["-----END RSA PRIV", "ATE KEY and"].concat(), " and".into()),
        (["-----END RSA PRIV", "ATE KEY--"].concat(), String::new()),
        (["-----END RSA PRIV", "ATE KEY-----"].concat(), String::new()),
    ] {
        let text = format!("api_key = \"{secret}\" {begin} {body}{end}");
        let wanted = format!("api_key = \"[REDACTED:assignment]\" [REDACTED:private-key]{rest}");
        assert_eq!(clean(&text), wanted, "{text}");
        assert_eq!(clean(&wanted), wanted);
    }
}

#[test]
fn short_words_tell_before_any_sign() {
    let value = ["k7Fq2mXz9", "Lw4Rt8B"].concat();
    for before in ["`pat`: ", "`sid` = ", "sid||=\"", "pin |= \"", "PAT="] {
        let text = clean(&format!("{before}{value}\n"));
        assert!(text.starts_with(&format!("{before}[REDACTED:")), "{text}");
    }
}

#[test]
fn a_dash_behind_a_word_begins_no_flag() {
    for text in ["kubectl get secret ${APP}-token k9x2m", "deploy <env>-token k9x2m", "\u{e9}-password k9x2m"]
    {
        assert_eq!(clean(text), text);
    }
    assert_eq!(clean("deploy (--token k9x2m7q"), "deploy (--token [REDACTED:argument]");
}

#[test]
fn an_end_that_goes_with_another_secret_ends_no_block() {
    let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----\n"].concat();
    for end in ["-----END", "-----END RSA PRIVATE KEY-----"] {
        let text = format!("{begin}secret: 3ZBzCC{end} [login two of\ntwo+of%0D%0Athese+linestwo of)\nmore");
        let once = clean(&text);
        assert!(once.contains("[REDACTED:assignment]"), "{once}");
        assert_eq!(clean(&once), once);
    }
}

#[test]
fn a_login_behind_a_key_block_goes_on() {
    let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----\n"].concat();
    let text =
        format!("{begin}}}Cookie: Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB login app\nIDENTIFIED BY x7Kq2mVn9");
    let once = clean(&text);
    assert_eq!(once, "[REDACTED:private-key] login app\nIDENTIFIED BY [REDACTED:login]");
    assert_eq!(clean(&once), once);
    for before in ["", "?"] {
        let text = format!("login {before}{begin}MIIBOgIBAAJBAKj34GkxFhD9\nIDENTIFIED BY x7Kq2mVn9");
        let wanted = format!("login {before}[REDACTED:private-key]\nIDENTIFIED BY [REDACTED:login]");
        assert_eq!(clean(&text), wanted);
        assert_eq!(clean(&wanted), wanted);
    }
}

#[test]
fn a_mark_stands_as_near_as_what_it_hides() {
    let token = ["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tY"].concat();
    // A name of a login that is long until a part of it is hidden.
    for behind in [" IDENTIFIED BY Tr0ub4dor3x", "\npassword Tr0ub4dor3x"] {
        let once = clean(&format!("login {token},{}{behind}", "x".repeat(30)));
        assert_eq!(clean(&once), once);
        assert!(!once.contains("Tr0ub4dor3x"), "{once}");
    }
    // A user beside a password, and the pairs of a connection string.
    for length in 0..80 {
        let far = "x".repeat(length);
        for text in [
            format!("{{user: 'ann', x: '{token}{far}', pass: 'sunshine'}}"),
            format!("Server=db;X={token}{far}{far};Pwd=config.secret;"),
        ] {
            let once = clean(&text);
            assert_eq!(clean(&once), once, "{length}");
        }
    }
    // A program that is far until what stands between is hidden.
    for length in (440..520).step_by(3) {
        let once = clean(&format!("curl {} {token} -u ann:Tr0ub4dor3x", "x".repeat(length)));
        assert_eq!(clean(&once), once, "{length}");
    }
    // What is left of a password beside a mark is none of its own.
    assert_eq!(clean("curl -u ann:[REDACTED:jwt]-rest"), "curl -u ann:[REDACTED:jwt]-rest");
}
