//! What stands for a secret, or refers to one.
use super::bytes::{at, contains_fold, part, run};
use super::code::has_call;
use super::score::{LOOK, score};
use crate::redact::rules::values::{FILE_SUFFIXES, NO_PARTS, NO_VALUES, PATH_PREFIXES};

/// Whether a value stands for a secret, or refers to one: constants, templates, variables, calls, paths, types.
pub(super) fn placeholder(value: &[u8]) -> bool {
    let value = part(value, 0, value.len().min(LOOK)).trim_ascii();
    constant(value) || template(value) || path(value)
}

/// Constants and words that stand for a secret.
pub(super) fn constant(value: &[u8]) -> bool {
    let bare = trim(value, |b| matches!(b, b'*' | b'.' | b'-' | b'_' | b'!' | b'?' | b','));
    if bare.is_empty() || NO_VALUES.iter().any(|w| bare.eq_ignore_ascii_case(w.as_bytes())) {
        return true;
    }
    let mut seen = [false; 256];
    let mut distinct = 0usize;
    for b in value {
        if let Some(slot) = seen.get_mut(usize::from(*b)).filter(|s| !**s) {
            *slot = true;
            distinct = distinct.saturating_add(1);
        }
    }
    // One byte over and over: `xxxxx`, `*****`.
    if (distinct <= 1 && value.len() != 1) || (distinct <= 2 && value.len() >= 12) {
        return true;
    }
    NO_PARTS.iter().any(|p| contains_fold(value, p.as_bytes()))
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
        _ => value.windows(2).any(|w| matches!(w, b"${" | b"{{" | b"#{" | b"$(")),
    }
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
    if PATH_PREFIXES.iter().any(|p| value.starts_with(p.as_bytes())) {
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
    FILE_SUFFIXES.iter().any(|s| value.ends_with(s.as_bytes())) && value.iter().all(u8::is_ascii_graphic)
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
