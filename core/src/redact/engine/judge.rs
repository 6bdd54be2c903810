//! Judging a value: what stands for a secret, what refers to one, and how random it looks.
use super::bytes::{at, part, run};
use super::score::score;
use crate::redact::rules::names::{NO_PARTS, NO_VALUES};

/// Bytes of a value that are looked at.
pub(super) const LOOK: usize = 128;

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
    if distinct <= 1 && value.len() != 1 || (distinct <= 2 && value.len() >= 12) {
        return true;
    }
    NO_PARTS.iter().any(|p| contains_fold(value, p.as_bytes()))
}

/// Templates, variables and expressions: `${TOKEN}`, `{{ token }}`, `<your-token>`, `%TOKEN%`, `$(cat x)`, `%s`.
fn template(value: &[u8]) -> bool {
    let (first, second) = (at(value, 0), at(value, 1));
    let last = at(value, value.len().saturating_sub(1));
    match first {
        b'$' => {
            second == b'{' || second == b'(' || second == b'[' || {
                let end = run(value, 1, value.len(), |b| {
                    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'-' | b'>')
                });
                end == value.len()
                    && !second.is_ascii_digit()
                    && !(value.contains(&b'$')
                        && value.iter().any(u8::is_ascii_digit)
                        && value.iter().any(u8::is_ascii_lowercase)
                        && value.len() >= 10)
            }
        }
        b'{' => last == b'}' || second == b'{' || second == b'%',
        b'<' => last == b'>' || value.contains(&b'>'),
        b'%' => (last == b'%' && value.len() > 1) || (value.len() <= 3) || second == b'{' || second == b'(',
        // A colour, or an interpolation.
        b'#' => {
            second == b'{'
                || (matches!(value.len(), 4 | 7 | 9) && value.iter().skip(1).all(u8::is_ascii_hexdigit))
        }
        b'\\' => true,
        b'@' => second == b'{' || second == b'@',
        b'[' => last == b']',
        b'(' => true,
        b'!' => second == b'!' || has_call(value),
        b'=' | b'>' | b'|' if value.len() <= 3 => true,
        _ => value.windows(2).any(|w| matches!(w, b"${" | b"{{" | b"#{" | b"$(")),
    }
}

/// Paths and addresses: slashes at the start, or a scheme.
fn path(value: &[u8]) -> bool {
    let starts = |lits: &[&[u8]]| lits.iter().any(|l| value.starts_with(l));
    if starts(&[
        b"./",
        b"../",
        b"~/",
        b"/",
        b"file:",
        b"http://",
        b"https://",
        b"arn:",
        b"secretsmanager:",
        b"ssm:",
        b"vault:",
        b"op://",
        b"env:",
        b"urn:",
        b"secret://",
        b"data:",
    ]) {
        // One slash and no more may start base64.
        let slashes = value.iter().filter(|b| **b == b'/').count();
        return at(value, 0) != b'/' || slashes >= 2 && score(value) < 3 || value.len() < 12;
    }
    let drive =
        at(value, 1) == b':' && matches!(at(value, 2), b'\\' | b'/') && at(value, 0).is_ascii_alphabetic();
    drive || file_name(value)
}

/// `master.key`, `creds.json`, `id_rsa.pem`.
fn file_name(value: &[u8]) -> bool {
    const SUFFIXES: [&[u8]; 18] = [
        b".json", b".pem", b".key", b".txt", b".yml", b".yaml", b".env", b".crt", b".cert", b".jks", b".p12",
        b".pfx", b".creds", b".js", b".ts", b".py", b".go", b".toml",
    ];
    SUFFIXES.iter().any(|s| value.ends_with(s)) && value.iter().all(|b| b.is_ascii_graphic())
}

/// Whether an unquoted value is code: a call, a member, an index, an operator.
pub(super) fn expression(value: &[u8]) -> bool {
    let value = part(value, 0, value.len().min(LOOK));
    let word = run(value, 0, value.len(), |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
    let rest = part(value, word, value.len());
    if word == 0 {
        return matches!(
            at(value, 0),
            b'&' | b'*' | b'(' | b'[' | b'{' | b'"' | b'\'' | b'@' | b':' | b'-' | b'+' | b'>'
        ) && !value.iter().any(u8::is_ascii_digit);
    }
    if rest.is_empty() {
        let name = value.trim_ascii_start();
        return value.starts_with(b"__") || SUFFIXES.contains(&name);
    }
    let regex = [&b"qr/"[..], b"s/", b"m/", b"tr/"].iter().any(|p| value.starts_with(p));
    if has_call(value) || regex {
        return true;
    }
    // Members: `config.password`, `this->token`, `Foo::Bar`, `env["X"]`, `Some<T>`, `value?`.
    const OWNERS: [&[u8]; 12] = [
        b"self",
        b"this",
        b"exports",
        b"module",
        b"process",
        b"os",
        b"env",
        b"config",
        b"settings",
        b"ctx",
        b"req",
        b"request",
    ];
    let owned = OWNERS.contains(&part(value, 0, word)) && rest.starts_with(b".");
    let identifier = |w: &[u8]| {
        !w.is_empty()
            && !at(w, 0).is_ascii_digit()
            && w.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'?' | b'!'))
    };
    let dotted = value.contains(&b'.')
        && value.split(|b| *b == b'.').all(|w| identifier(w) && (score(w) < 2 || w.len() < 12));
    dotted
        || owned
        || rest.starts_with(b"->")
        || rest.starts_with(b"::")
        || indexed(value)
        || rest.starts_with(b"?.")
}

/// An index: `env["X"]`, `os.environ[name]`.
fn indexed(value: &[u8]) -> bool {
    let open = run(value, 0, value.len(), |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'));
    at(value, open) == b'[' && !at(value, 0).is_ascii_digit() && score(part(value, 0, open)) < 2
}

/// A call: a name directly before a bracket.
fn has_call(value: &[u8]) -> bool {
    memchr::memchr(b'(', value).is_some_and(|i| {
        let head = part(value, 0, i);
        i > 0
            && head.iter().all(|b| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'_' | b'.' | b':' | b'$' | b'!' | b'?' | b'-' | b'>' | b'@')
            })
            && head.last().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'!' | b'?'))
            && !head.first().is_some_and(u8::is_ascii_digit)
    })
}

/// Letters, `_` and `-` alone: a word, an identifier, a constant.
pub(super) fn wordy(value: &[u8]) -> bool {
    value
        .iter()
        .all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-' | b'.' | b' ' | b'/' | b':' | b','))
}

/// A number, a version, a date, a size, a duration, with the type that programs write behind it.
pub(super) fn number(value: &[u8]) -> bool {
    let value = SUFFIXES.iter().find_map(|s| value.strip_suffix(*s)).unwrap_or(value);
    let hexadecimal = value.strip_prefix(b"0x").or_else(|| value.strip_prefix(b"0X"));
    if let Some(digits) = hexadecimal {
        return digits.iter().all(|b| b.is_ascii_hexdigit() || *b == b'_');
    }
    let sign = |b: &u8| {
        matches!(b, b'.' | b',' | b'-' | b'+' | b'_' | b':' | b'/' | b'x' | b'e' | b'E' | b'%' | b' ')
    };
    value.iter().any(u8::is_ascii_digit) && value.iter().all(|b| b.is_ascii_digit() || sign(b))
}

/// Number types of languages: what a literal ends with, or a field has.
const SUFFIXES: &[&[u8]] = &[
    b"u8",
    b"u16",
    b"u32",
    b"u64",
    b"u128",
    b"usize",
    b"i8",
    b"i16",
    b"i32",
    b"i64",
    b"i128",
    b"isize",
    b"f32",
    b"f64",
    b"UL",
    b"ULL",
    b"L",
    b"n",
    b"uint8_t",
    b"uint16_t",
    b"uint32_t",
    b"uint64_t",
    b"int8_t",
    b"int16_t",
    b"int32_t",
    b"int64_t",
    b"uint32",
    b"uint64",
    b"int32",
    b"int64",
];

/// Whether a value is 8-4-4-4-12 hexadecimal digits.
pub(super) fn uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value
            .iter()
            .enumerate()
            .all(|(i, b)| if matches!(i, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() })
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

/// Whether `needle` (in lower case) stands in `value`, without regard to case.
pub(super) fn contains_fold(value: &[u8], needle: &[u8]) -> bool {
    value.windows(needle.len()).any(|w| w.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::{expression, number, placeholder, uuid};

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

    #[test]
    fn expressions() {
        for value in
            ["get_token()", "config.password", "os.environ[0]", "this->token", "Foo::Bar", "fmt.Sprintf(x)"]
        {
            assert!(expression(value.as_bytes()), "{value}");
        }
        for value in ["hunter2", "abc", "gk.mQN2YhVGJKX26vR.Z3QVt9DbLTa"] {
            assert!(!expression(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn numbers_and_ids() {
        assert!(number(b"12.5") && number(b"0x7A03_u32") && !number(b"abc"));
        assert!(uuid(b"89d2c023-ea53-40a5-b20a-d84905c622d7"));
    }
}
