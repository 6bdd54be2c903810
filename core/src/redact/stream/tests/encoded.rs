//! What is encoded, in lines or behind what it holds, is found however a text is cut.
use super::{MOST, RANDOM, same, standard};
use crate::redact::tests::encoded::base64;
use alloc::{string::String, vec::Vec};

/// Base64 of a text in lines of so many letters.
fn in_lines(text: &str, width: usize) -> String {
    let letters = base64(text.as_bytes());
    let lines: Vec<_> = letters.as_bytes().chunks(width).map(String::from_utf8_lossy).collect();
    lines.join("\n") + "\n"
}

#[test]
fn a_blob_in_lines_goes_whole_wherever_it_stands() {
    let blob = in_lines(&["HOST=db\n".repeat(40).as_str(), "DB_PASSWORD=", RANDOM, "\n"].concat(), 76);
    for before in [0, 1, 900, MOST / 4 - 60, MOST / 4 - 2, MOST / 4 + 100] {
        let (lines, behind) = ("x y\n".repeat(before), "done now\n".repeat(9000));
        let text = [&*lines, &blob, &behind].concat();
        assert_eq!(same(&text, &[before * 4 + 100, before * 4 + 300]), Ok(()), "{before}");
        let wanted = [&*lines, "[REDACTED:assignment]\n", &behind];
        assert_eq!(standard().redact(&text).text.as_str(), wanted.concat(), "{before}");
    }
}

#[test]
fn a_blob_in_many_lines_is_read_in_parts() {
    let secret = ["DB_PASSWORD=", RANDOM, "\n"].concat();
    let blob = in_lines(&["HOST=db\n".repeat(12_000), secret, "HOST=db\n".repeat(100)].concat(), 76);
    assert_eq!(same(&blob, &[70_000, 100_000]), Ok(()));
    let clean = standard().redact(&blob).text;
    assert!(clean.as_str().ends_with("\n[REDACTED:assignment]\n"), "{}", clean.len());
    assert!(clean.len() > 3 * 32 * 1024, "{}", clean.len());
}

#[test]
fn values_are_looked_for_in_what_is_encoded_later() {
    let hidden = in_lines(&["the value is ", RANDOM, " today"].concat(), 1000);
    for between in [0, 1, 2000, 30_000] {
        let text = ["DB_PASSWORD=", RANDOM, "\n", &"x y\n".repeat(between), "z ", &hidden].concat();
        assert_eq!(same(&text, &[between * 4]), Ok(()), "{between}");
        assert!(standard().redact(&text).text.as_str().ends_with("z [REDACTED:assignment]\n"), "{between}");
    }
}
