use crate::{
    redact::{Clean, CleanBuf},
    text::utf16_len,
};

/// The longest text of one answer, in UTF-16 code units.
pub const ANSWER_UNITS: usize = 9_500;

/// A part of an answer.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its text.
    pub text: Clean,
    /// Where the whole of it is found: a file, or a command that prints it.
    pub whole: Clean,
}

/// Puts the sections into one text of at most [`ANSWER_UNITS`], a blank line between them. One that does not
/// fit is cut at a line end, and a line says where the whole of it is; the ones behind it are named by their line alone,
/// where there is room (`spec/hosts.md`, "Hooks").
///
/// ```
/// use throughline_core::{hook::{Section, fit}, redact::Redactor};
/// let clean = |text: &str| Redactor::standard().clean(text);
/// let line = "a line of the text\n".repeat(1_000);
/// let text = fit(&[Section { text: clean(&line), whole: clean("notes.md") }]);
/// assert!(text.as_str().ends_with("a line of the text\n[cut here; the whole: notes.md]"));
/// ```
#[must_use]
pub fn fit(sections: &[Section]) -> Clean {
    let mut out = CleanBuf::new();
    let mut left = ANSWER_UNITS;
    for section in sections.iter().filter(|section| !section.text.is_empty()) {
        let gap = if out.is_empty() { "" } else { "\n\n" };
        let Some(room) = left.checked_sub(utf16_len(gap)) else { break };
        let units = utf16_len(section.text.as_str());
        if units <= room {
            out.lit(gap).clean(&section.text);
            left = room.saturating_sub(units);
            continue;
        }
        let note = note(section);
        let Some(room) = room.checked_sub(utf16_len(note.as_str())) else { break };
        out.lit(gap);
        let mut rest = room;
        for line in section.text.lines() {
            let units = utf16_len(line.as_str()).saturating_add(1);
            let Some(after) = rest.checked_sub(units) else { break };
            out.clean(&line).lit("\n");
            rest = after;
        }
        out.clean(&note);
        left = rest;
    }
    out.finish()
}

fn note(section: &Section) -> Clean {
    let mut note = CleanBuf::new();
    note.lit("[cut here; the whole: ").clean(&section.whole).lit("]");
    note.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;
    use proptest::prelude::*;
    use std::{format, string::String, vec, vec::Vec};

    fn section(text: &str, whole: &str) -> Section {
        let clean = |text: &str| Redactor::standard().clean(text);
        Section { text: clean(text), whole: clean(whole) }
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        assert_eq!(fit(&[]).as_str(), "");
        assert_eq!(fit(&[section("", "x"), section("a\nb", "x"), section("c", "y")]).as_str(), "a\nb\n\nc");
        let whole = "é".repeat(ANSWER_UNITS);
        assert_eq!(fit(&[section(&whole, "x")]).as_str(), whole);
    }

    #[test]
    fn units_count_and_not_characters() {
        let wide = "🎈".repeat(ANSWER_UNITS / 2);
        assert_eq!(fit(&[section(&wide, "x")]).as_str(), wide);
        assert_eq!(fit(&[section(&format!("{wide}a"), "x")]).as_str(), "[cut here; the whole: x]");
    }

    #[test]
    fn later_sections_give_way() {
        let long = "0123456789\n".repeat(2_000);
        let text = fit(&[section("first", "one"), section(&long, "two"), section("third", "three")]);
        let text = text.as_str();
        assert!(text.starts_with("first\n\n0123456789\n"));
        assert!(text.contains("0123456789\n[cut here; the whole: two]"), "{text}");
        assert!(utf16_len(text) <= ANSWER_UNITS);
    }

    proptest! {
        #[test]
        fn never_longer_and_cut_at_line_ends(
            texts in proptest::collection::vec("([a-zé🎈]{0,40}\n){0,400}", 0..4),
        ) {
            let sections: Vec<Section> = texts.iter().map(|text| section(text, "file")).collect();
            let text: String = fit(&sections).into_string();
            prop_assert!(utf16_len(&text) <= ANSWER_UNITS);
            let lines: vec::Vec<&str> = texts.iter().flat_map(|text| text.split('\n')).collect();
            for line in text.split('\n') {
                prop_assert!(line.is_empty() || line.starts_with("[cut here; ") || lines.contains(&line), "{}", line);
            }
        }
    }
}
