//! JSON texts, with everything that the grammar allows and little that people write.
use super::Random;

/// A literal of a number: small and large, with and without fraction and exponent.
pub(super) fn literal(random: &mut Random) -> String {
    if random.chance(2) {
        return random.between(i64::MIN, i64::MAX).to_string();
    }
    let mut text = String::from(random.pick(&["", "-"]));
    match random.below(3) {
        0 => text.push('0'),
        _ => {
            text.push(random.pick(&['1', '5', '9']));
            text += &random.of_alphabet("0123456789000", 24);
        }
    }
    if random.chance(2) {
        text.push('.');
        text.push(random.pick(&['0', '5']));
        text += &random.of_alphabet("0123456789000", 23);
    }
    if random.chance(2) {
        text += random.pick(&["e", "E"]);
        text += random.pick(&["", "+", "-"]);
        text += &random.below(400).to_string();
    }
    text
}

/// What may stand between the quotes of a string; surrogates may stand alone.
pub(super) fn string_body(random: &mut Random) -> String {
    let pieces = random.size(5);
    (0..pieces)
        .map(|_| match random.below(7) {
            0 => random.of_alphabet("abcxyz \x7f", 12),
            1 => random.pick(&["é", "€", "😀", "\u{2028}", "\u{FB33}"]).to_owned(),
            2 => random.pick(&["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"]).to_owned(),
            3 => format!("\\u{:04x}", random.below(0x1_0000)),
            4 => format!("\\u{:04X}", 0xD800 + random.below(0x400)),
            5 => format!("\\u{:04x}", 0xDC00 + random.below(0x400)),
            _ => "\\ud83d\\ude00".to_owned(),
        })
        .collect()
}

/// A JSON text, correct but for lone surrogates.
pub(super) fn json_text(random: &mut Random) -> String {
    let mut out = String::new();
    value(random, 5, &mut out);
    out
}

fn value(random: &mut Random, depth: u32, out: &mut String) {
    match random.below(if depth == 0 { 5 } else { 9 }) {
        0 => *out += random.pick(&["null", "true", "false"]),
        1 | 2 => *out += &literal(random),
        3 | 4 => quoted(random, out),
        5 | 6 => {
            out.push('[');
            for index in 0..random.size(4) {
                *out += if index > 0 { " ,\n" } else { "" };
                value(random, depth - 1, out);
            }
            out.push(']');
        }
        _ => {
            out.push('{');
            // Now and then more keys than are compared one by one.
            let most = if random.chance(8) { 24 } else { 5 };
            for index in 0..random.size(most) {
                *out += if index > 0 { "," } else { "" };
                match random.below(2) {
                    // The last two are ordered otherwise by UTF-16 than by UTF-8.
                    0 => *out += random.pick(&["\"a\"", "\"b\"", "\"s\"", "\"\"", "\"\u{FB33}\"", "\"😀\""]),
                    _ => quoted(random, out),
                }
                *out += " : ";
                value(random, depth - 1, out);
            }
            out.push('}');
        }
    }
}

fn quoted(random: &mut Random, out: &mut String) {
    *out += "\"";
    *out += &string_body(random);
    *out += "\"";
}
