use super::super::{masks::LATE, tokens::first};
use super::{LEAST, Places, Rare, Reader, STEP, as_before, each};
use crate::redact::engine::bytes::{MARK, at};
use alloc::{vec, vec::Vec};
use fearless_simd::{Level, Simd, dispatch};
use proptest::prelude::*;

/// Places that are rare, and those that are looked at once all are known.
type Found = (Rare, [u64; LATE]);

/// The places from `from` on, by the vectors of a level, or by plain numbers.
fn read_from(bytes: &[u8], from: usize, level: Option<Level>) -> Vec<(Places, Found)> {
    let (scalar, mut all) = (level.is_none(), Vec::new());
    let mut start = from.saturating_sub(STEP);
    let inside = inside(bytes, start);
    dispatch!(level.unwrap_or(Level::baseline()), simd => {
        let mut reader = Reader::new(simd, bytes, start, inside, scalar);
        while start < bytes.len() {
            start = reader.read(bytes, start, bytes.len(), |places, rare| {
                if places.start >= from {
                    all.push((places, rare.copied().unwrap_or_default()));
                }
            });
        }
    });
    all
}

fn read(bytes: &[u8], level: Option<Level>) -> Vec<(Places, Found)> {
    read_from(bytes, 0, level)
}

/// The vectors of this machine, from the widest to those that every machine of its kind has.
fn levels() -> Vec<Level> {
    let widest = Level::try_detect().unwrap_or(Level::baseline());
    let mut levels = vec![widest, Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    levels.extend(
        [widest.as_avx2().map(Simd::level), widest.as_sse4_2().map(Simd::level)].into_iter().flatten(),
    );
    levels
}

fn places(bytes: &[u8], of: impl Fn(&Places, &Found) -> u64) -> Vec<usize> {
    let mut all = Vec::new();
    for (places, rare) in read(bytes, Some(Level::baseline())) {
        each(of(&places, &rare), places.start, |place| all.push(place));
    }
    all
}

#[test]
fn places_stand_where_they_should_whatever_stands_before() {
    for lead in 0..130 {
        let text = [&"~".repeat(lead), " DB_PASSWORD = x"].concat();
        assert_eq!(places(text.as_bytes(), |p, _| p.delimiters), [lead + 13], "{text}");
        let text = [&"~".repeat(lead), "\\u003dghp_abcdefghijklmn"].concat();
        assert!(places(text.as_bytes(), |p, _| p.tokens).contains(&(lead + 5 + LEAST)), "{text}");
        let text = [&"~".repeat(lead), "://"].concat();
        assert_eq!(places(text.as_bytes(), |_, (rare, _)| rare.urls), [lead + 2]);
    }
}

#[test]
fn tokens_start_with_their_first_bytes() {
    for b in (1..=127u8).filter(|b| *b != b'%' && *b != b'\\') {
        let text = [&b" "[..], &[b], b"bcdefghijklmnopqrst"].concat();
        let found = places(&text, |p, _| p.tokens).contains(&LEAST);
        assert_eq!(found, first(b), "{b}");
    }
}

/// Whether `i` is inside of a string of its line, byte by byte.
fn inside(bytes: &[u8], i: usize) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for place in 0..i {
        match at(bytes, place) {
            b'\\' => escaped = !escaped,
            byte => {
                inside = byte != b'\n' && (inside != (byte == b'"' && !escaped));
                escaped = false;
            }
        }
    }
    inside
}

proptest! {
    #[test]
    fn all_ways_find_the_same_places(
        text in "([a-z]{0,9}|[A-Z_]{0,5}|pass|token|KEY|pat|pin|sid|\\\\x[0-9a-f]{2}|\\\\u00[0-9]{2}|[%|^{}]|bearer |://|-----BEGIN|[:=>,'\"`\\\\ \\n/.~-]{0,4}|\u{e9}){0,60}",
    ) {
        for level in levels() {
            prop_assert_eq!(read(text.as_bytes(), None), read(text.as_bytes(), Some(level)), "{:?}", level);
        }
    }

    #[test]
    fn strings_are_followed(text in "([a-z]{0,40}|[\"\\\\\\n]{0,3}){0,30}") {
        let all = read(text.as_bytes(), levels().first().copied());
        for (places, _) in all.iter().filter(|(places, _)| places.start < text.len()) {
            prop_assert_eq!(places.inside, inside(text.as_bytes(), places.start), "{}", places.start);
        }
    }

    #[test]
    fn places_are_as_before_behind_what_is_hidden(
        text in "([a-zA-Z0-9]{0,40}|pass|token|[\"\\\\:=/. \\n_-]{0,3}|[ \\\\]{60}){10,40}", at in 0usize..300, length in 0usize..60,
    ) {
        let (from, to) = (at.min(text.len()), at.saturating_add(length).min(text.len()));
        let mut hidden = text.as_bytes().to_vec();
        hidden[from..to].fill(MARK);
        for level in levels() {
            let (before, now) = (read(text.as_bytes(), Some(level)), read(&hidden, Some(level)));
            let same = before.iter().zip(&now).position(|((before, _), (now, _))| {
                before.inside == now.inside && as_before(&hidden, now.start, to)
            });
            for ((before, rare), (now, rare_now)) in before.iter().zip(&now).skip(same.unwrap_or(before.len())) {
                prop_assert_eq!((Places { blobs: 0, ..*before }, rare), (Places { blobs: 0, ..*now }, rare_now));
            }
        }
    }

    #[test]
    fn a_reader_may_start_anywhere(
        text in "([a-zA-Z0-9]{0,40}|pass|[\"\\\\:=/. \\n_-]{0,3}){0,30}", at in 0usize..300,
    ) {
        let at = if at < STEP { 0 } else { at };
        let (bytes, at) = (text.as_bytes(), if at > text.len() { 0 } else { at });
        // As places in the text: blocks lie otherwise.
        let seen = |all: Vec<(Places, Found)>, of: fn(&Places, &Found) -> u64| {
            let mut seen = Vec::new();
            all.iter().for_each(|(places, rare)| each(of(places, rare), places.start, |place| seen.push(place)));
            seen.retain(|place| *place >= at);
            seen
        };
        let same: [fn(&Places, &Found) -> u64; 6] = [
            |places, _| places.tokens, |places, _| places.flags, |places, _| places.blobs,
            |_, (rare, _)| rare.urls, |_, (rare, _)| rare.discord, |_, (_, late)| late[0],
        ];
        // A name may reach to where reading starts.
        let more: [fn(&Places, &Found) -> u64; 2] = [|places, _| places.delimiters, |places, _| places.phrases];
        for level in levels() {
            let (whole, part) = (read(bytes, Some(level)), read_from(bytes, at, Some(level)));
            for of in same {
                prop_assert_eq!(seen(part.clone(), of), seen(whole.clone(), of));
            }
            for of in more {
                let found = seen(part.clone(), of);
                prop_assert!(seen(whole.clone(), of).iter().all(|place| found.contains(place)));
            }
            for (places, _) in &part {
                prop_assert!(places.start > bytes.len() || places.inside == inside(bytes, places.start));
            }
        }
    }
}
