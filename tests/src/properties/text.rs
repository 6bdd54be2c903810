//! Cuts, against a reader of the rules that looks at every grapheme and every mark.
use super::{Outcome, Property, Random, equal, holds, property};
use throughline_core::text::{
    chars, clip, excerpt, fold_line_ends, head, head_bytes, hex, mark_len, tail, tail_bytes, utf16_len,
};
use unicode_segmentation::UnicodeSegmentation;

pub(super) const ALL: &[Property] = &[
    property("text: heads are cut by the rules", heads),
    property("text: tails are cut by the rules", tails),
    property("text: clips and excerpts fit and keep their marks", clips_and_excerpts),
    property("text: cuts by bytes fall on scalars outside marks", bytes),
    property("text: folded line ends", folding),
    property("text: counts and hexadecimal digits", counts),
];

const PIECES: &[&str] = &[
    "e\u{301}",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\u{301}",
    "😀",
    "👨\u{200d}👩\u{200d}👧",
    "🇩🇪",
    "🇩",
    "\r\n",
    "\r",
    "[REDACTED:bearer]",
    "[REDACTED:a:k7f3q2wd]",
    "[REDACTED:",
    "]",
    "한",
    "\u{1112}\u{1161}",
    "\u{600}",
    "क्षि",
];

fn any_text(random: &mut Random) -> String {
    let pieces = random.size(14);
    let piece = |random: &mut Random| match random.below(3) {
        0 => random.pick(PIECES).to_owned(),
        1 => random.of_alphabet("abcxyz ", 9),
        _ => random.char().into(),
    };
    (0..pieces).map(|_| piece(random)).collect()
}

fn any_limit(random: &mut Random) -> usize {
    let end = random.pick(&[12, 60]);
    random.size(end)
}

fn marks(text: &str) -> Vec<(usize, usize)> {
    text.char_indices().filter_map(|(at, _)| Some((at, at + mark_len(&text[at..])?))).collect()
}

fn around(ranges: impl IntoIterator<Item = (usize, usize)>, cut: usize) -> Option<(usize, usize)> {
    ranges.into_iter().find(|(start, end)| *start < cut && cut < *end)
}

/// Where the rules put a cut at `limit`.
fn expected_cut(text: &str, limit: usize, max: usize, side: fn((usize, usize)) -> usize) -> usize {
    let graphemes = || text.grapheme_indices(true).map(|(at, grapheme)| (at, at + grapheme.len()));
    let on_grapheme = |cut: usize| match around(graphemes(), cut) {
        // Longer than half the limit: cut like plain scalars.
        Some((start, end)) if 2 * chars(&text[start..end]) > max => cut,
        Some(grapheme) => side(grapheme),
        None => cut,
    };
    let cut = on_grapheme(limit);
    around(marks(text), cut).map_or(cut, |mark| on_grapheme(side(mark)))
}

fn heads(random: &mut Random) -> Outcome {
    let (text, max) = (any_text(random), any_limit(random));
    let limit = text.char_indices().nth(max).map(|(at, _)| at);
    let expected = limit.map_or(text.len(), |limit| expected_cut(&text, limit, max, |(start, _)| start));
    let head = head(&text, max);
    equal("head", &(&text, max, head), &(&text, max, &text[..expected]))?;
    holds(chars(head) <= max && around(marks(&text), expected).is_none(), || {
        format!("{text:?} to {max}: {head:?}")
    })
}

fn tails(random: &mut Random) -> Outcome {
    let (text, max) = (any_text(random), any_limit(random));
    let limit = chars(&text).checked_sub(max).filter(|start| *start > 0);
    let limit = limit.map(|start| text.char_indices().nth(start).map_or(text.len(), |(at, _)| at));
    let expected = limit.map_or(0, |limit| expected_cut(&text, limit, max, |(_, end)| end));
    let tail = tail(&text, max);
    equal("tail", &(&text, max, tail), &(&text, max, &text[expected..]))?;
    holds(chars(tail) <= max && around(marks(&text), expected).is_none(), || {
        format!("{text:?} to {max}: {tail:?}")
    })
}

fn clips_and_excerpts(random: &mut Random) -> Outcome {
    let (text, max) = (any_text(random), any_limit(random));
    let open = |text: &str| text.matches("[REDACTED:").count() - marks(text).len();
    for cut in [clip(&text, max), excerpt(&text, max)] {
        let is_right =
            chars(&cut) <= max && (cut == text) == (chars(&text) <= max) && open(&cut) <= open(&text);
        holds(is_right, || format!("{text:?} to {max}: {cut:?}"))?;
    }
    Ok(())
}

fn bytes(random: &mut Random) -> Outcome {
    let (text, max) = (any_text(random), random.size(120));
    let (head, tail) = (head_bytes(&text, max), tail_bytes(&text, max));
    let starts = || text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let is_outside = |cut: usize| around(marks(&text), cut).is_none();
    let longest = starts().filter(|at| *at <= max && is_outside(*at)).max().unwrap_or_default();
    equal("head", &(&text, max, head), &(&text, max, &text[..longest]))?;
    let from = text.len().saturating_sub(max);
    let earliest = starts().filter(|at| *at >= from && is_outside(*at)).min().unwrap_or(text.len());
    equal("tail", &(&text, max, tail), &(&text, max, &text[earliest..]))
}

fn folding(random: &mut Random) -> Outcome {
    let text = any_text(random);
    let folded = fold_line_ends(&text);
    equal("folded", &&*folded, &&*text.replace("\r\n", "\n").replace('\r', "\n"))?;
    equal("folded again", &fold_line_ends(&folded), &folded)
}

fn counts(random: &mut Random) -> Outcome {
    let text = any_text(random);
    equal("UTF-16 units", &utf16_len(&text), &text.encode_utf16().count())?;
    equal("characters", &chars(&text), &text.chars().count())?;
    let bytes = random.bytes(20);
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    equal("hexadecimal", &hex(&bytes), &digits)
}
