//! Secrets in encoded text do not survive, and what may not be altered stays.
use super::clean;
use crate::redact::{Options, Redactor};
use alloc::{format, string::String, vec, vec::Vec};
use proptest::{prelude::*, test_runner::RngSeed};

/// Base64, by other code than that which is tested.
pub(in crate::redact) fn base64(text: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let mut bits = [0u8; 3];
        bits[..three.len()].copy_from_slice(three);
        let number = u32::from_be_bytes([0, bits[0], bits[1], bits[2]]);
        let letter = |n: usize| {
            let six = (number >> (18 - 6 * n)) & 63;
            if n <= three.len() { char::from(LETTERS[six as usize]) } else { '=' }
        };
        (0..4).map(letter).collect::<String>()
    };
    text.chunks(3).map(group).collect()
}

fn hexadecimal(text: &[u8]) -> String {
    text.iter().map(|b| format!("{b:02x}")).collect()
}

fn percent(text: &str) -> String {
    let escape = |c: char| if c.is_alphanumeric() { c.into() } else { format!("%{:02X}", u32::from(c)) };
    text.chars().map(escape).collect()
}

/// Texts that hold a secret, in parts.
fn secrets() -> Vec<String> {
    let secret = ["hunter", "2x"].concat();
    vec![
        format!("{{\"user\":\"app\",\"password\":\"{secret}\"}}"),
        format!("postgres://app:{secret}@db.internal:5432/main"),
        format!("DB_HOST=db.internal\nDB_PASSWORD={secret}\n"),
        ["a token: ghp_", "u8jzPde0IgxLd6GncfBAepfJBd0Kh8oOOL"].concat(),
    ]
}

#[test]
fn blobs_that_hide_a_secret_go_whole() {
    for text in secrets() {
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let twice = base64(format!("x: {}", base64(text.as_bytes())).as_bytes());
        for blob in [base64(text.as_bytes()), hexadecimal(text.as_bytes()), base64(&wide), twice] {
            for (before, behind) in [
                ("data: ", ""),
                ("{\"a\":\"", "\"}"),
                ("echo ", " | base64 -d"),
                ("a\\n", "\\nb"),
                ("/x/", ""),
            ] {
                let out = clean(&format!("{before}{blob}{behind}"));
                let mark = out.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
                let whole = mark.is_some_and(|m| m.starts_with("[REDACTED:") && m.ends_with(']'));
                assert!(whole && out.matches('[').count() == 1, "{text} {before}: {out}");
            }
        }
    }
}

#[test]
fn blobs_of_other_text_stay() {
    for text in
        ["An ordinary text of no interest at all.", "{\"name\":\"value\",\"count\":12,\"path\":\"/a/b\"}"]
    {
        for blob in [base64(text.as_bytes()), hexadecimal(text.as_bytes())] {
            let text = format!("data: {blob}");
            assert_eq!(clean(&text), text);
        }
    }
    // Deeper than is looked through, or longer than is decoded.
    let secret = &secrets()[0];
    let deep = base64(base64(base64(secret.as_bytes()).as_bytes()).as_bytes());
    let long = base64(format!("{}{secret}", "filler ".repeat(5000)).as_bytes());
    for blob in [deep, long] {
        assert_eq!(clean(&blob), blob);
    }
}

#[test]
fn escapes_are_seen_through() {
    for text in secrets() {
        let entities = text.replace('&', "&amp;").replace('"', "&quot;").replace(':', "&#58;");
        let numbers = text.replace('"', "&#34;").replace('=', "&#x3d;");
        let unicode = format!(
            "{{\"m\":\"{}\"}}",
            text.replace('"', "\\u0022").replace('=', "\\u003d").replace('\n', "\\n")
        );
        for form in [percent(&text), format!("q={}", percent(&percent(&text))), entities, numbers, unicode] {
            let out = clean(&form);
            for secret in ["hunter2x", "GncfBAepf"] {
                assert!(!out.contains(secret), "{form} -> {out}");
            }
        }
    }
}

#[test]
fn exact_values_are_found_in_blobs() {
    let value = "correct-horse-battery";
    let redactor = Redactor::new(Options { exact: vec![value.into()], ..Options::default() }).unwrap();
    for padding in ["", "a", "ab"] {
        let blob = base64(format!("{padding} it is {value}, yes").as_bytes());
        assert_eq!(redactor.clean(&blob).as_str(), "[REDACTED:exact]");
    }
}

#[test]
fn signatures_and_encrypted_reasoning_are_not_scanned() {
    // A token stands in the middle of it by chance.
    let body =
        ["EqQBCkYICxgCKkDfZ2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tYu-ghp", "_u8jzPde0IgxLd6GncfBAepfJBd0Kh8oOOL="]
            .concat();
    for form in [
        "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"{}\"}",
        "{\\\"type\\\":\\\"thinking\\\",\\\"signature\\\":\\\"{}\\\"}",
        "{\"type\": \"reasoning\", \"encrypted_content\": \"{}\"}",
        "{\"thoughtSignature\": \"{}\"}",
        "{\"type\":\"redacted_thinking\",\"data\":\"{}\"}",
        "{\"data\":\"{}\",\"type\":\"redacted_thinking\"}",
    ] {
        let text = form.replace("{}", &body);
        assert_eq!(clean(&text), text);
        // Short, or of another alphabet: not one of them.
        let token = ["ghp_", "u8jzPde0IgxLd6GncfBAepfJBd0Kh8oOOL"].concat();
        assert!(!clean(&form.replace("{}", &token)).contains(&token));
        assert!(!clean(&form.replace("{}", &format!("{body} {token}"))).contains(&token));
    }
    assert!(clean(&format!("{{\"content\":\"{body}\"}}")).contains("github-token"));
}

/// A text in which each delimiter is coloured.
fn coloured(text: &str, sequences: [&str; 2]) -> String {
    let [on, off] = sequences;
    let colour =
        |c: char| if matches!(c, ':' | '=' | '"' | '@') { format!("{off}{c}{on}") } else { c.into() };
    text.chars().map(colour).collect()
}

/// Pairs of sequences, as they are and written out.
const SEQUENCES: [[&str; 2]; 7] = [
    ["\u{1b}[01;31m\u{1b}[K", "\u{1b}[m\u{1b}[K"],
    ["\u{1b}[38:5:1m", "\u{1b}(B\u{1b}[m"],
    ["\u{1b}]8;;https://example.org/a?b=c\u{1b}\\", "\u{1b}]8;;\u{7}"],
    ["\\u001b[1;39m", "\\u001b[0m"],
    ["\\\\u001b]8;;https://example.org\\\\u0007\\\\u001b[m", "\\\\u001b[m\\\\u001b]8;;\\\\u001b\\\\\\\\"],
    ["\\033[33m", "\\e[0m"],
    ["\\x1b[2;37m", "\\x1B[m"],
];

#[test]
fn colours_are_looked_through() {
    for text in secrets() {
        for sequences in SEQUENCES {
            let form = coloured(&text, sequences);
            for form in [form.clone(), format!("{} {form}", "word ".repeat(400).trim_end())] {
                let out = clean(&form);
                for secret in ["hunter2x", "GncfBAepf"] {
                    assert!(!out.contains(secret), "{form} -> {out}");
                }
                assert_eq!(clean(&out), out, "{form}");
            }
        }
    }
    let (on, off) = ("\u{1b}[32m", "\u{1b}[0m");
    // Sequences at both ends stay, and those inside go.
    let value = format!("password: '{on}hunter{off}{on}2x{off}' {on}# old{off}");
    assert_eq!(clean(&value), format!("password: '{on}[REDACTED:assignment]{off}' {on}# old{off}"));
    // Behind a move the text is another.
    assert_eq!(
        clean("password: hunter2x\u{1b}[5;1Hstatus: ready"),
        "password: [REDACTED:assignment]\u{1b}[5;1Hstatus: ready"
    );
}

#[test]
fn coloured_text_without_secrets_stays() {
    for text in [
        "\u{1b}[1mToken:\u{1b}[0m \u{1b}[32mvalid\u{1b}[0m",
        "\u{1b}[32mtoken expiration\u{1b}[0m bug: the \u{1b}[1mpassword\u{1b}[0m \u{1b}[31mis wrong\u{1b}[0m",
        "commit \u{1b}[33m54f8fd9de9e579534688c2e3d0588f12f83dae71\u{1b}[m (\u{1b}[1;36mHEAD\u{1b}[m)",
        "const RED = \"\\u001b[31m\", password = \"\\u001b[0m\";",
        "printf '\\033[1mPassword:\\033[0m %s' \"$PASSWORD\"",
        "\u{1b}[36mpassword\u{1b}[0m: \u{1b}[32m${DB_PASSWORD}\u{1b}[0m",
        "\u{1b}[31m\u{1b}[",
    ] {
        assert_eq!(clean(text), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(21), ..ProptestConfig::default() })]

    #[test]
    fn scrubbing_encoded_text_twice_changes_nothing(
        n in 0usize..4,
        form in 0usize..5,
        before in "[ -~é\n]{0,40}",
        behind in "[ -~é\n]{0,40}",
    ) {
        let text = format!("{before}{}{behind}", secrets()[n]);
        let text = match form {
            0 => base64(text.as_bytes()),
            1 => hexadecimal(text.as_bytes()),
            2 => percent(&text),
            3 => text.replace('&', "&amp;").replace('"', "&quot;").replace('=', "&#61;"),
            _ => text.replace('"', "\\u0022").replace('=', "\\u003d"),
        };
        let once = clean(&format!("{before}\n{text}\n{behind}"));
        prop_assert_eq!(clean(&once), once);
    }
}
