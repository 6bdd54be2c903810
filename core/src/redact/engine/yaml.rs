//! What may stand before a value in YAML: tags and anchors.
use super::bytes::{at, blank, inc, part, run};

/// Tags of what is no value but says where one is: of templates, of settings, of secret stores.
#[rustfmt::skip] // A table.
const REFERENCES: [&[u8]; 19] = [
    b"Ref", b"Sub", b"GetAtt", b"GetAZs", b"ImportValue", b"Join", b"Select", b"Split", b"FindInMap", b"If",
    b"Transform", b"Condition", b"vault", b"secret", b"env_var", b"env", b"ENV", b"include", b"reference",
];

/// Tags of what is a value as it stands there.
const LITERALS: [&[u8]; 3] = [b"unsafe", b"str", b"binary"];

/// Where the value starts that has a tag or an anchor at `i`, or that itself starts there: `!unsafe …`, `!!str …`,
/// `&name …`; none where the tag is that of a reference.
pub(super) fn content(bytes: &[u8], i: usize) -> Option<usize> {
    let name = run(bytes, i, i.saturating_add(2), |b| b == at(bytes, i));
    let end =
        run(bytes, name, name.saturating_add(32), |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    let word = part(bytes, name, end);
    let start = run(bytes, end, end.saturating_add(16), blank);
    let tag = at(bytes, i) == b'!';
    if tag && REFERENCES.contains(&word) && !at(bytes, end).is_ascii_graphic() {
        return None;
    }
    // Another word behind `!` may be a password; `&str = …` is a type.
    let twice = name > inc(i);
    let literal = if tag {
        twice || LITERALS.contains(&word)
    } else {
        !twice && at(bytes, start) != b'=' && word != b"mut"
    };
    // What is hidden behind it was its value.
    let good = literal && end > name && start > end && at(bytes, start) > b' ';
    Some(if good { start } else { i })
}
