//! What is replaced, told without the text.
use super::{
    super::{EditStream, Utf16Edits},
    text,
};
use crate::redact::{Options, Redactor};
use alloc::{string::String, vec, vec::Vec};
use proptest::{prelude::*, test_runner::RngSeed};

/// The text as a host puts it together that counts in UTF-16 units.
fn joined(text: &str, edits: &Utf16Edits) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let marks: Vec<u16> = edits.marks.encode_utf16().collect();
    let (mut out, mut at, mut mark) = (Vec::new(), 0, 0);
    for place in edits.places.chunks(3) {
        let [start, end, length] = [place[0], place[1], place[2]].map(|number| number as usize);
        out.extend_from_slice(&units[at..start]);
        out.extend_from_slice(&marks[mark..mark + length]);
        (at, mark) = (end, mark + length);
    }
    assert_eq!(mark, marks.len());
    out.extend_from_slice(&units[at..]);
    String::from_utf16(&out).unwrap()
}

/// The same of a text that comes in pieces of so many bytes, or a few more.
fn in_pieces(redactor: &Redactor, text: &str, length: usize) -> Utf16Edits {
    let (mut stream, mut rest) = (EditStream::default(), text);
    while !rest.is_empty() {
        let cut = (length..rest.len()).find(|cut| rest.is_char_boundary(*cut)).unwrap_or(rest.len());
        let (piece, more) = rest.split_at(cut);
        stream.push(redactor, piece);
        rest = more;
    }
    stream.finish(redactor)
}

fn holds(redactor: &Redactor, text: &str) {
    let edits = redactor.edits(text);
    assert_eq!(joined(text, &Utf16Edits::of(text, &edits)), redactor.clean(text).as_str());
    for length in [1, 7, 300, 10_000, 70_000].into_iter().filter(|length| text.len() / length < 10_000) {
        let edits = in_pieces(redactor, text, length);
        assert_eq!(joined(text, &edits), redactor.clean(text).as_str(), "{length}");
    }
    assert_eq!(redactor.redact(text).text, redactor.clean(text));
    assert_eq!(redactor.changed(text).is_some(), !edits.is_empty());
    assert_eq!(edits.iter().filter(|edit| !edit.mark.is_empty()).count(), redactor.report(text).len());
}

#[test]
fn a_secret_that_is_read_in_parts_has_one_mark() {
    let block = ["é -----BEGIN RSA PRIVATE", " KEY-----\n", &"MIIEpAIBAAKCAQEA7Jh\n".repeat(9000)].concat();
    let text = [&block, "-----END RSA PRIVATE KEY-----\n😀 password: hunter2\n"].concat();
    let edits = Redactor::standard().edits(&text);
    let marks: Vec<&str> =
        edits.iter().map(|edit| edit.mark.as_str()).filter(|mark| !mark.is_empty()).collect();
    assert_eq!(marks, ["[REDACTED:private-key]", "[REDACTED:assignment]"]);
    assert!(edits.len() > marks.len(), "it was read at once");
    holds(&Redactor::standard(), &text);
}

#[test]
fn what_stands_around_secrets_may_be_any_text() {
    let own =
        Options {
            mark: Some("<{kind}>".into()), exact: vec!["grün-😀-geheim".into()], ..Options::default()
        };
    for redactor in [Redactor::standard(), Redactor::new(own).unwrap()] {
        for text in
            ["", "nothing", "😀", "password=hunter2", "é password: hunter2 😀\nsay grün-😀-geheim 日本"]
        {
            holds(&redactor, text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(16), ..ProptestConfig::default() })]
    #[test]
    fn the_clean_text_follows_from_what_is_replaced(text in text()) {
        holds(&Redactor::standard(), &text);
    }
}
