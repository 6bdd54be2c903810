//! Personal data, an opt-in set of its own: e-mail addresses, phone numbers, payment cards, IBANs.
use super::bytes::{at, back, blank, contains_fold, inc, part, run, run_back};
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;

/// How far before a number the words are looked for that say what it is.
const BEFORE: usize = 40;
/// How far a number is read.
const NUMBER: usize = 40;
/// A card of 19 digits in groups of four.
const CARD: usize = 23;

/// Adds the personal data in a text.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    for sign in memchr::memchr_iter(b'@', bytes) {
        spans.extend(email(bytes, sign));
    }
    let mut i = 0;
    while let Some(start) = bytes.get(i..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        let start = i.saturating_add(start);
        let end = number_end(bytes, start);
        let whole = card(bytes, start, end).or_else(|| iban(bytes, start));
        let whole = whole.or_else(|| phone(bytes, start, end));
        let found = whole.or_else(|| card_among(bytes, start, end));
        spans.extend(found);
        // Of a run that is longer than it was read, a card may lie on both sides of the end.
        let is_cut = found.is_none() && end.saturating_sub(start).saturating_add(3) > NUMBER;
        let next = if is_cut { joint_before(bytes, start, end) } else { None };
        i = next.unwrap_or(inc(end));
    }
}

/// Behind the last blank or dash of a number after which no whole card fits before its end.
fn joint_before(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let from = end.saturating_sub(CARD);
    let behind = memchr::memrchr2(b' ', b'-', part(bytes, start, from))?;
    Some(start.saturating_add(behind).saturating_add(1))
}

/// `name@host.tld`; not the user info of a URL, nor a package with a scope.
fn email(bytes: &[u8], sign: usize) -> Option<Span> {
    let local = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'+' | b'-' | b'%');
    let start = run_back(bytes, sign, 64, local);
    let stop = run(bytes, inc(sign), sign.saturating_add(254), |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')
    });
    let trail = part(bytes, sign, stop).iter().rev().take_while(|b| matches!(b, b'.' | b'-')).count();
    let end = stop.saturating_sub(trail);
    let dot = memchr::memrchr(b'.', part(bytes, sign, end))?;
    let top = part(bytes, sign.saturating_add(dot).saturating_add(1), end);
    let url = matches!(back(bytes, start, 1), b':' | b'/')
        && back(bytes, start, 2) != b' '
        && at(bytes, end) != b'"'
        && !after_label(bytes, start);
    let version = at(bytes, inc(sign)).is_ascii_digit();
    let good = start < sign && dot > 1 && top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic);
    // `git@host.tld:path` is an address of a repository.
    let remote = at(bytes, end) == b':' && !blank(at(bytes, inc(end))) && at(bytes, inc(end)) != b'"';
    (good && !url && !version && !remote).then(|| Span { start, end, rule: of(Place::Email) })
}

/// Whether what stands before `i` says that an address follows: `mailto:`, `email:`.
fn after_label(bytes: &[u8], i: usize) -> bool {
    const LABELS: [&[u8]; 6] = [b"mailto", b"mail", b"email", b"from", b"to", b"cc"];
    let colon = i.saturating_sub(1);
    let start = run_back(bytes, colon, 16, |b| b.is_ascii_alphabetic());
    let word = part(bytes, start, colon);
    at(bytes, colon) == b':'
        && !matches!(back(bytes, start, 1), b'/' | b'@' | b'-' | b'.' | b'_' | b'+' | b'%' | b'~' | b':')
        && !back(bytes, start, 1).is_ascii_digit()
        && LABELS.iter().any(|label| word.eq_ignore_ascii_case(label))
}

/// The end of a number that starts at `i`: digits, with blanks, dashes, dots and brackets between them.
fn number_end(bytes: &[u8], i: usize) -> usize {
    let joins = |b: u8| b.is_ascii_digit() || matches!(b, b' ' | b'-' | b'.' | b'(' | b')');
    let stop = run(bytes, i, i.saturating_add(NUMBER), joins);
    let trail = part(bytes, i, stop).iter().rev().take_while(|b| !b.is_ascii_digit()).count();
    stop.saturating_sub(trail)
}

/// Whether one of some words stands before `i`, in its line.
fn after(bytes: &[u8], i: usize, words: &[&[u8]]) -> bool {
    let start = run_back(bytes, i, BEFORE, |b| b != b'\n');
    words.iter().any(|word| contains_fold(part(bytes, start, i), word))
}

/// Whether a number is part of a longer word.
fn glued(bytes: &[u8], start: usize, end: usize) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/');
    word(back(bytes, start, 1))
        || at(bytes, end).is_ascii_alphanumeric()
        || matches!(at(bytes, end), b'-' | b'_')
}

/// 13 to 19 digits with the right check digit, in groups or behind a word that says card.
fn card(bytes: &[u8], start: usize, end: usize) -> Option<Span> {
    const WORDS: &[&[u8]] = &[b"card", b"visa", b"mastercard", b"amex", b"pan", b"credit", b"debit", b"cc"];
    let text = part(bytes, start, end);
    let count = text.iter().filter(|b| b.is_ascii_digit()).count();
    if !(13..=19).contains(&count) {
        return None;
    }
    let digits: Vec<u8> =
        text.iter().filter(|b| b.is_ascii_digit()).map(|b| b.saturating_sub(b'0')).collect();
    let other = text.iter().any(|b| !b.is_ascii_digit() && !matches!(b, b' ' | b'-'));
    let first = matches!(digits.first(), Some(3..=6));
    let fits = first && !other && luhn(&digits);
    let grouped = text.split(|b| matches!(b, b' ' | b'-')).count() >= 3;
    let grouped = grouped && text.split(|b| matches!(b, b' ' | b'-')).all(|g| (3..=6).contains(&g.len()));
    (fits && !glued(bytes, start, end) && (grouped || after(bytes, start, WORDS))).then(|| Span {
        start,
        end,
        rule: of(Place::Card),
    })
}

/// The groups of a card with other numbers before or behind them: `12 4111 1111 1111 1111`.
fn card_among(bytes: &[u8], start: usize, end: usize) -> Option<Span> {
    let joint = |i: &usize| matches!(at(bytes, *i), b' ' | b'-');
    let is_first = |i: &usize| matches!(at(bytes, *i), b'3'..=b'6');
    if part(bytes, start, end).iter().filter(|b| b.is_ascii_digit()).count() < 13 {
        return None;
    }
    let starts = || core::iter::once(start).chain((start..end).filter(joint).map(inc)).filter(is_first);
    // Four groups, as they are printed; three are those of a card of 15 digits.
    starts().find_map(|first| {
        let ends = (first..end).filter(joint).chain(core::iter::once(end));
        ends.skip(2).take(2).find_map(|last| card(bytes, first, last))
    })
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(n, d)| match (n % 2, u32::from(*d)) {
            (0, d) => d,
            (_, d) if d > 4 => d.saturating_mul(2).saturating_sub(9),
            (_, d) => d.saturating_mul(2),
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Two capitals, two digits (which stand at `i`), 11 to 30 capitals and digits, in groups or not; remainder 1.
fn iban(bytes: &[u8], i: usize) -> Option<Span> {
    let start = i.checked_sub(2)?;
    let country = part(bytes, start, i).iter().all(u8::is_ascii_uppercase);
    if !country || back(bytes, start, 1).is_ascii_alphanumeric() || !at(bytes, inc(i)).is_ascii_digit() {
        return None;
    }
    let letter = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    let mut end = run(bytes, start, start.saturating_add(35), letter);
    while at(bytes, end) == b' ' && end.saturating_sub(start) < 42 {
        let group = run(bytes, inc(end), end.saturating_add(5), letter);
        if group == inc(end) {
            break;
        }
        end = group;
    }
    let text: Vec<u8> = part(bytes, start, end).iter().copied().filter(|b| *b != b' ').collect();
    let whole = (15..=34).contains(&text.len()) && !at(bytes, end).is_ascii_alphanumeric();
    (whole && remainder(&text) == Some(1)).then(|| Span { start, end, rule: of(Place::Iban) })
}

/// The remainder by 97 of an IBAN whose first four characters are put at its end.
fn remainder(text: &[u8]) -> Option<u32> {
    let (head, tail) = text.split_at_checked(4)?;
    tail.iter().chain(head).try_fold(0u32, |rest, b| {
        let value = char::from(*b).to_digit(36)?;
        let shift = if value > 9 { 100 } else { 10 };
        rest.saturating_mul(shift).saturating_add(value).checked_rem(97)
    })
}

/// `+` and 8 to 15 digits, or 7 to 15 behind a word that says phone.
fn phone(bytes: &[u8], start: usize, end: usize) -> Option<Span> {
    const WORDS: &[&[u8]] =
        &[b"phone", b"tel:", b"tel.", b"mobile", b"fax", b"call me", b"whatsapp", b"telefon"];
    let open = run_back(bytes, start, 1, |b| b == b'(');
    let plus = back(bytes, open, 1) == b'+';
    let first = if plus { open.saturating_sub(1) } else { open };
    let digits = part(bytes, start, end).iter().filter(|b| b.is_ascii_digit()).count();
    let alone = !back(bytes, first, 1).is_ascii_alphanumeric() && !at(bytes, end).is_ascii_alphanumeric();
    let good =
        (plus && (8..=15).contains(&digits)) || ((7..=15).contains(&digits) && after(bytes, first, WORDS));
    (alone && good).then(|| Span { start: first, end, rule: of(Place::Phone) })
}
