use crate::redact::{Confidence, Options, Redactor};
use alloc::{format, string::String, vec, vec::Vec};
use proptest::prelude::*;

/// What a redactor finds, as places and rules.
fn found(redactor: &Redactor, text: &str) -> Vec<(usize, usize, &'static str)> {
    redactor.report(text).iter().map(|f| (f.offset, f.length, f.rule)).collect()
}

fn same(text: &str) -> Result<(), TestCaseError> {
    let paranoid = Options { mode: crate::redact::Mode::Paranoid, ..Options::default() };
    for options in [Options::default(), paranoid] {
        let (vectors, numbers) = (Redactor::new(options.clone())?, Redactor::new(options)?.by_numbers());
        prop_assert_eq!(found(&vectors, text), found(&numbers, text), "{}", text);
    }
    Ok(())
}

fn token() -> String {
    [["gh", "p_"].concat().as_str(), "Zf3D0LXCM3EIMbgJ", "pUNnkRtOfOueHznB4c7d"].concat()
}

/// Pieces of which texts are made that hold secrets, nearly hold some, or break what does.
const PIECES: &str = r#"(password|db_pass|API_KEY|token|secret|Authorization|Bearer|Basic|Cookie|curl -u |mysql -p|eyJ|://|-----BEGIN RSA PRIV|ATE KEY-----|\[REDACTED:jwt\]|[a-z]{1,9}|[A-Za-z0-9]{8,40}|[0-9]{1,12}|:|=|\.|"|'|\\|\\n|\n| |,|/|@|<|>|-|_|é|🔑){0,60}"#;

proptest! {
    #[test]
    fn vectors_and_numbers_find_the_same(text in PIECES) {
        same(&text)?;
    }

    #[test]
    fn vectors_and_numbers_find_the_same_in_any_text(text: String) {
        same(&text)?;
    }
}

#[test]
fn secrets_are_found_at_every_place_of_a_block() {
    let token = token();
    for lead in 0..140 {
        for (before, after) in [(" ", " "), ("\\n", "\\n"), ("=", ""), ("é", "\""), ("\n", "\n")] {
            let text = format!("{}{before}{token}{after}", "x".repeat(lead));
            let start = text.len() - token.len() - after.len();
            for redactor in [Redactor::standard(), Redactor::standard().by_numbers()] {
                assert_eq!(found(&redactor, &text), [(start, token.len(), "github-pat")], "{text}");
            }
        }
    }
}

#[test]
fn secrets_are_found_at_the_borders_of_windows() {
    let window = crate::redact::stream::MOST;
    let secrets = [format!(" {} ", token()), "\"client_secret\": \"s3cr3t-v4lue-9x\", ".into()];
    for (filler, secret) in
        ["some words, ", "{\"a\": 1}, ", "é ", "line\n"].iter().zip(secrets.iter().cycle())
    {
        for lead in (window - 60..window + 60).step_by(3) {
            let before = filler.repeat(lead / filler.len() + 1);
            let text =
                format!("{}{secret}{}", &before[..before.floor_char_boundary(lead)], filler.repeat(99));
            assert_eq!(Redactor::standard().report(&text).len(), 1, "{filler:?} {lead}");
        }
    }
}

#[test]
fn a_key_block_of_any_length_is_one_finding() {
    let (begin, end) =
        (["-----BEGIN PRIV", "ATE KEY-----\n"].concat(), ["-----END PRIV", "ATE KEY-----"].concat());
    for lines in [10, 1000, 5000] {
        let line = "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznBZf3D0LXCM3EIMbgJpUNnkRtOfOueHznB\n";
        for (lead, end) in [(0, &*end), (60_000, &*end), (60_000, "")] {
            let text =
                format!("{}{begin}{}{end}\nprose goes on\n", "word ".repeat(lead / 5), line.repeat(lines));
            let findings = Redactor::standard().report(&text);
            let places: Vec<_> = findings.iter().map(|f| (f.offset, f.kind, f.confidence)).collect();
            assert_eq!(places, [(lead, "private-key", Confidence::Certain)], "{lines} {lead}");
            let least = begin.len() + lines * line.len() + end.len() - 1;
            assert!((least..=least + 1).contains(&findings[0].length), "{lines} {lead}");
        }
    }
}

#[test]
fn values_are_looked_for_again_over_windows() {
    let value = "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB";
    let text = format!("api_key = {value}\n{}again {value} x\n", "some more words\n".repeat(20_000));
    let offsets: Vec<_> = Redactor::standard().report(&text).iter().map(|f| f.offset).collect();
    assert_eq!(offsets, vec![10, text.len() - value.len() - 3]);
}

#[test]
fn a_string_that_goes_on_over_windows_is_followed() {
    // Inside of the string the quote before the comma closes it: what looks like a value is a key.
    let long = "words of a line \\\" ".repeat(8000);
    for text in [
        format!("{{\"a\": \"{long}\", \"password\": \"hunter2x\"}}"),
        format!("\"{long}password\":\"hunter2x\""),
    ] {
        assert_eq!(Redactor::standard().report(&text).len(), 1);
        same(&text).unwrap();
    }
}
