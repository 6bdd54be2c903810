//! A string of a row is one record with all of its lines.
use super::{bit, clean};
use crate::redact::{Redactor, engine::Kept, stream::MOST};
use alloc::{format, string::String, vec::Vec};
use proptest::prelude::*;

const MARK: &str = "[REDACTED:assignment]";

fn row(text: &str) -> String {
    Redactor::standard().clean(text).as_str().into()
}

#[test]
fn what_is_found_in_one_line_goes_in_those_before() {
    let value = ["Zf3D0LXCM3EIMbgJ", "pUNnkRtOfOueHznB"].concat();
    let text = format!("{value} before\n{value} and api_key={value}\nthen {value}");
    assert_eq!(row(&text), format!("{MARK} before\n{MARK} and api_key={MARK}\nthen {MARK}"));
    assert_eq!(clean(&text), format!("{value} before\n{MARK} and api_key={MARK}\nthen {MARK}"));
    let far = format!("{value} before\n{}\napi_key={value}", " ".repeat(9 * 1024));
    assert_eq!(row(&far).matches(MARK).count(), 1);
}

#[test]
fn of_a_long_string_each_line_is_one() {
    let value = ["Zf3D0LXCM3EIMbgJ", "pUNnkRtOfOueHznB"].concat();
    let key = "-----BEGIN RSA PRIVATE KEY-----\n";
    let block = format!("{key}{}", "MIIEpAIBAAKCAQEAq9x2mN7pK4rT8wY1cV5bZ3dF6gH0jL\n".repeat(MOST / 40));
    for text in [format!("{value} before\napi_key={value}\n{}", "word ".repeat(MOST / 5)), block] {
        assert!(text.len() > MOST);
        assert_eq!(row(&text), clean(&text));
    }
}

#[test]
fn what_is_clean_stays() {
    for text in ["", "\n", "nothing here\r\nnor there", "[REDACTED:jwt]\n"] {
        assert_eq!(row(text), text);
    }
}

#[test]
fn what_is_left_of_a_run_of_base64_is_read() {
    let id = ["AKIA", "VGCNLTVF5LAU22CF"].concat();
    for (blob, mark) in [("cGFzc3dvcmQ9aHVyMjIywora", MARK), ("cGFzc3dvcmQ9aHVudGVyMjIm", MARK)] {
        for text in [format!("{id}-----BEGIN .\n{id}{blob}"), format!("{id}\n{id}{blob}\n{blob}")] {
            let row = row(&text);
            assert!(row.contains(mark) && !row.contains(blob), "{row}");
            assert_eq!(clean(&row), row);
        }
    }
}

proptest! {
    #[test]
    fn what_goes_from_a_text_goes_from_a_row(text in prop::collection::vec(bit(), 0..40).prop_map(|bits| bits.concat())) {
        let row = row(&text);
        prop_assert_eq!(&clean(&row), &row, "{:?}", text);
        let redactor = Redactor::standard();
        let spans = redactor.record(&text, Vec::new(), &|_| Vec::new(), &mut Kept::default());
        for found in redactor.report(&text) {
            let end = found.offset + found.length;
            let goes = spans.iter().any(|span| span.start <= found.offset && end <= span.end);
            prop_assert!(goes, "{:?}: {}", text, found.rule);
        }
    }
}
