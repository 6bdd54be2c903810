//! Values that are code.
use super::bytes::{at, inc, part, run};
use super::score::{LOOK, score};
use crate::redact::rules::values::NUMBER_TYPES;

/// What members are read from.
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

/// Whether an unquoted value is code: a call, a member, an index, an operator.
pub(super) fn expression(value: &[u8]) -> bool {
    let value = part(value, 0, value.len().min(LOOK));
    let word = run(value, 0, value.len(), |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
    if word == 0 {
        return matches!(
            at(value, 0),
            b'&' | b'*' | b'(' | b'[' | b'{' | b'"' | b'\'' | b'@' | b':' | b'-' | b'+' | b'>'
        ) && !value.iter().any(u8::is_ascii_digit);
    }
    if word == value.len() {
        return value.starts_with(b"__") || NUMBER_TYPES.iter().any(|t| t.as_bytes() == value);
    }
    let regex = [&b"qr/"[..], b"s/", b"m/", b"tr/"].iter().any(|p| value.starts_with(p));
    // `read::<T>()`
    let generic = value.ends_with(b"::");
    has_call(value) || generic || regex || member(value, word) || indexed(value) || listed(value, word)
}

/// A member: `config.password`, `this->token`, `Foo::Bar`, `user?.token`. The first word ends at `word`.
fn member(value: &[u8], word: usize) -> bool {
    let identifier = |w: &[u8]| {
        !w.is_empty()
            && !at(w, 0).is_ascii_digit()
            && w.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'?' | b'!'))
    };
    let dotted = value.contains(&b'.')
        && value.split(|b| *b == b'.').all(|w| identifier(w) && (score(w) < 2 || w.len() < 12));
    let rest = part(value, word, value.len());
    dotted
        || (rest.starts_with(b".") && OWNERS.contains(&part(value, 0, word)))
        || [&b"->"[..], b"::", b"?."].iter().any(|p| rest.starts_with(p))
}

/// A constant, a comma and more: `null,t.at(-1)!=r.verification`.
fn listed(value: &[u8], word: usize) -> bool {
    const CONSTANTS: [&[u8]; 6] = [b"null", b"true", b"false", b"undefined", b"void", b"this"];
    at(value, word) == b',' && CONSTANTS.contains(&part(value, 0, word))
}

/// An index: `env["X"]`, `os.environ[name]`.
fn indexed(value: &[u8]) -> bool {
    let open = run(value, 0, value.len(), |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'));
    let head = part(value, 0, open);
    let digits = run(value, inc(open), value.len(), |b| b.is_ascii_digit());
    // One of a list: `matches[1]`.
    let numbered = digits > inc(open)
        && inc(digits) == value.len()
        && at(value, digits) == b']'
        && !head.iter().any(u8::is_ascii_digit);
    at(value, open) == b'[' && !at(value, 0).is_ascii_digit() && (numbered || score(head) < 2)
}

/// A call: a name directly before a bracket.
pub(super) fn has_call(value: &[u8]) -> bool {
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

#[cfg(test)]
mod tests {
    use super::expression;

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
}
