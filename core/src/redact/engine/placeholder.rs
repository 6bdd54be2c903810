//! What stands for a secret, or refers to one.
use super::bytes::{at, ends_with_any, part, run, starts_with_any};
use super::code::has_call;
use super::lexicon::{self, listed};
use super::parts::Parts;
use super::score::{LOOK, score};
use crate::redact::rules::values::{FILE_SUFFIXES, NO_PARTS, PATH_PREFIXES};

/// Whether a value stands for a secret, or refers to one: constants, templates, variables, calls, paths, types.
pub(super) fn placeholder(value: &[u8]) -> bool {
    let value = part(value, 0, value.len().min(LOOK)).trim_ascii();
    constant(value) || template(value) || path(value)
}

/// Constants and words that stand for a secret.
pub(super) fn constant(value: &[u8]) -> bool {
    let bare = trim(value, |b| matches!(b, b'*' | b'.' | b'-' | b'_' | b'!' | b'?' | b','));
    if bare.is_empty() || listed(&lexicon::NO_VALUES, bare) {
        return true;
    }
    let distinct = distinct(value);
    // One byte over and over: `xxxxx`, `*****`.
    if (distinct <= 1 && value.len() != 1) || (distinct <= 2 && value.len() >= 12) {
        return true;
    }
    PARTS.stand_in(value) || alphabet(value) || cut(value) || checks(value)
}

/// What makes a value stand for a secret where it is in it.
static PARTS: Parts = Parts::of(NO_PARTS);

/// The prefix of a token and dots for the rest: `sk-...`, `ghp_…`, `eyJ...`.
fn cut(value: &[u8]) -> bool {
    const BEGINS: [&[u8]; 6] = [b"eyJ", b"AKIA", b"ASIA", b"AIza", b"MII", b"ya29"];
    let prefix = value.strip_suffix(b"...").or_else(|| value.strip_suffix("…".as_bytes()));
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    prefix.is_some_and(|prefix| {
        BEGINS.contains(&prefix)
            || (prefix.len() <= 16 && matches!(prefix, [.., b'-' | b'_']) && prefix.iter().all(word))
    })
}

/// What a form asks of a value: `required|string|min:8`.
fn checks(value: &[u8]) -> bool {
    const FIRST: [&[u8]; 6] = [b"required", b"nullable", b"sometimes", b"bail", b"string", b"confirmed"];
    let sign =
        |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'|' | b':' | b',' | b'_');
    let bar = run(value, 0, value.len().min(16), |b| b != b'|');
    FIRST.contains(&part(value, 0, bar)) && bar < value.len() && value.iter().all(sign)
}

/// How many different bytes a value has, up to three.
fn distinct(value: &[u8]) -> usize {
    let Some(first) = value.first() else { return 0 };
    let mut others = value.iter().filter(|b| *b != first);
    let Some(second) = others.next() else { return 1 };
    if others.any(|b| b != second) { 3 } else { 2 }
}

/// The letters in their order, and hardly anything else.
fn alphabet(value: &[u8]) -> bool {
    const LEAST: usize = 12;
    let (mut run, mut all, mut breaks) = (1usize, 0usize, 0usize);
    for pair in value.windows(2) {
        let next = matches!(pair, [a, b] if a.is_ascii_alphabetic() && a.wrapping_add(1) == *b);
        run = if next { run.saturating_add(1) } else { 1 };
        breaks = breaks.saturating_add(usize::from(!next));
        // No four fifths can be in their order any more.
        if breaks.saturating_mul(3) > value.len() {
            return false;
        }
        all = all.saturating_add(match run {
            LEAST => LEAST,
            n => usize::from(n > LEAST),
        });
    }
    all > 0 && all.saturating_mul(5) >= value.len().saturating_mul(4)
}

/// Templates, variables and expressions: `${TOKEN}`, `{{ token }}`, `<your-token>`, `%TOKEN%`, `$(cat x)`, `%s`.
fn template(value: &[u8]) -> bool {
    let (first, second) = (at(value, 0), at(value, 1));
    let last = at(value, value.len().saturating_sub(1));
    match first {
        b'$' => matches!(second, b'{' | b'(' | b'[') || variable(value),
        b'{' => last == b'}' || second == b'{' || second == b'%',
        b'<' => last == b'>' || value.contains(&b'>'),
        b'%' => (last == b'%' && value.len() > 1) || (value.len() <= 3) || second == b'{' || second == b'(',
        // A colour, or an interpolation.
        b'#' => {
            second == b'{'
                || (matches!(value.len(), 4 | 7 | 9) && value.iter().skip(1).all(u8::is_ascii_hexdigit))
        }
        b'\\' | b'(' => true,
        b'@' => second == b'{' || second == b'@',
        b'[' => last == b']',
        b'!' => second == b'!' || has_call(value),
        b'=' | b'>' | b'|' if value.len() <= 3 => true,
        _ if memchr::memchr3(b'{', b'$', b'%', value).is_none() => false,
        _ => value.windows(2).any(|w| matches!(w, b"${" | b"{{" | b"#{" | b"$(")) || format(value),
    }
}

/// `%s:%s`, `Basic %s`: at least half of it is filled in later.
fn format(value: &[u8]) -> bool {
    let places = value.windows(2).filter(|w| matches!(*w, b"%s" | b"%d" | b"%v" | b"{}" | b"%q")).count();
    places > 0 && places.saturating_mul(6) >= value.len()
}

/// `$TOKEN`, `$user->token`; a password may start with `$` as well.
fn variable(value: &[u8]) -> bool {
    let end = run(value, 1, value.len(), |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'-' | b'>')
    });
    let mixed = value.iter().any(u8::is_ascii_digit) && value.iter().any(u8::is_ascii_lowercase);
    end == value.len() && !at(value, 1).is_ascii_digit() && !(mixed && value.len() >= 10)
}

/// Paths and addresses: slashes at the start, or a scheme.
fn path(value: &[u8]) -> bool {
    if starts_with_any(value, PATH_PREFIXES) {
        // One slash and no more may start base64.
        let slashes = value.iter().filter(|b| **b == b'/').count();
        return at(value, 0) != b'/' || (slashes >= 2 && score(value) < 3) || value.len() < 12;
    }
    let drive =
        at(value, 1) == b':' && matches!(at(value, 2), b'\\' | b'/') && at(value, 0).is_ascii_alphabetic();
    drive || file_name(value)
}

/// `master.key`, `creds.json`, `id_rsa.pem`.
fn file_name(value: &[u8]) -> bool {
    ends_with_any(value, FILE_SUFFIXES) && value.iter().all(u8::is_ascii_graphic)
}

fn trim(mut value: &[u8], drop: impl Fn(u8) -> bool) -> &[u8] {
    while let [first, rest @ ..] = value {
        if !drop(*first) {
            break;
        }
        value = rest;
    }
    while let [rest @ .., last] = value {
        if !drop(*last) {
            break;
        }
        value = rest;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::placeholder;

    #[test]
    fn placeholders() {
        for value in [
            "${TOKEN}",
            "$TOKEN",
            "{{ token }}",
            "<your-token>",
            "xxxxxxxx",
            "changeme",
            "%TOKEN%",
            "%s",
            "****",
            "your-token-here",
            "null",
            "./my.creds",
            "/etc/ssl/key.pem",
            "$(cat x)",
            "AKIAIOSFODNN7EXAMPLE",
        ] {
            assert!(placeholder(value.as_bytes()), "{value}");
        }
        for value in ["hunter2", "s3cr3t!", "dipPr17Gg!", "/VT2Xs2dMd8GJKfrXhjYPDkTjOVrY12", "correct horse"]
        {
            assert!(!placeholder(value.as_bytes()), "{value}");
        }
    }
}
