//! Writing JSON: the canonical form and the compact form that keeps order and literals.
use super::{Json, Object};
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The canonical form of a value: RFC 8785 key order (UTF-16 units) and strings; a number as RFC 8785
/// writes it when that denotes exactly the same decimal value, else its own literal (`spec/prompt.md`,
/// fingerprint and chain).
///
/// ```
/// use throughline_core::json::{canonical, parse};
/// let value = parse(r#"{"b": 1.0, "a": 1234567890123456789}"#)?;
/// assert_eq!(canonical(&value), r#"{"a":1234567890123456789,"b":1}"#);
/// # Ok::<(), throughline_core::json::JsonError>(())
/// ```
pub fn canonical(value: &Json) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

/// Appends the canonical form of a value to `out`; see [`canonical`].
pub fn write_canonical(value: &Json, out: &mut String) {
    write(value, out, true);
}

/// The compact form of a value, its keys and number literals as they stood.
///
/// ```
/// use throughline_core::json::{parse, text};
/// assert_eq!(text(&parse(r#"{ "b": 1.0, "a": [] }"#)?), r#"{"b":1.0,"a":[]}"#);
/// # Ok::<(), throughline_core::json::JsonError>(())
/// ```
pub fn text(value: &Json) -> String {
    let mut out = String::new();
    write_text(value, &mut out);
    out
}

/// Appends the compact form of a value to `out`; see [`text`].
pub fn write_text(value: &Json, out: &mut String) {
    write(value, out, false);
}

fn write(value: &Json, out: &mut String, canonical: bool) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(number) if canonical => out.push_str(&number.canonical()),
        Json::Number(number) => out.push_str(number.literal()),
        Json::String(text) => write_string(text, out),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out, canonical);
            }
            out.push(']');
        }
        Json::Object(object) => write_object(object, out, canonical),
    }
}

fn write_object(object: &Object, out: &mut String, canonical: bool) {
    let mut pairs: Vec<(&str, &Json)> = object.iter().collect();
    if canonical {
        pairs.sort_by(|(a, _), (b, _)| utf16_order(a, b));
    }
    out.push('{');
    for (index, (key, value)) in pairs.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(key, out);
        out.push(':');
        write(value, out, canonical);
    }
    out.push('}');
}

/// Compares by UTF-16 code units, which differs from the order of UTF-8 only above the surrogates.
pub(super) fn utf16_order(a: &str, b: &str) -> Ordering {
    if a.is_ascii() || b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// Appends `text` as a JSON string with its quotes, escaped as RFC 8785 says: `\"`, `\\`, `\b`, `\t`, `\n`,
/// `\f`, `\r`, other control characters below U+0020 as `\u00xx` in lower case, everything else as it is.
///
/// ```
/// let mut out = String::new();
/// throughline_core::json::write_string("a\n\u{1}é", &mut out);
/// assert_eq!(out, "\"a\\n\\u0001é\"");
/// ```
pub fn write_string(text: &str, out: &mut String) {
    out.reserve(text.len().saturating_add(2));
    out.push('"');
    let mut rest = text;
    while let Some(found) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        let (plain, after) = rest.split_at(found);
        out.push_str(plain);
        let mut characters = after.chars();
        if let Some(special) = characters.next() {
            write_escape(special, out);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn write_escape(special: char, out: &mut String) {
    match special {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\u{c}' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        other => {
            let code = u32::from(other);
            out.push_str(if code < 0x10 { "\\u000" } else { "\\u001" });
            out.extend(char::from_digit(code & 15, 16));
        }
    }
}
