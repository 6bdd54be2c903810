//! Numbers through the reader and the canonical writer, against the standard library's shortest digits and
//! against the digits as they stand.
use super::json_text::literal;
use super::{Outcome, Property, Random, equal, holds, property};
use throughline_core::json::{Json, Number, canonical, parse, text};

pub(super) const ALL: &[Property] = &[
    Property { name: "numbers: doubles go through", times: 10, check: doubles },
    property("numbers: big integers go through", integers),
    property("numbers: a canonical number denotes what its literal does", decimals),
];

/// A finite double: any bits, near whole numbers, near powers of ten.
fn double(random: &mut Random) -> f64 {
    let near = |value: f64, random: &mut Random| {
        f64::from_bits(value.to_bits().wrapping_add_signed(random.between(-3, 3)))
    };
    let drawn = match random.below(8) {
        0 => near(random.between(-1 << 54, 1 << 54) as f64, random),
        1 => {
            let exponent = i32::try_from(random.between(-30, 30)).unwrap_or_default();
            near(10f64.powi(exponent), random)
        }
        2 => random.between(-100_000, 100_000) as f64 / 1000.0,
        3 => f64::from_bits(random.below(1 << 53)),
        _ => f64::from_bits(random.next()),
    };
    if drawn.is_finite() { drawn } else { 0.0 }
}

/// The digits of a number in the form of `{:e}`, and its exponent.
fn digits_of(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or_default())
}

/// The fewest digits that read back to `value`, which is above zero, and their exponent. Where two are as
/// near, ECMAScript wants the even one; the standard library gives the greater one.
fn shortest(value: f64) -> (String, i32) {
    let (digits, exponent) = digits_of(&format!("{value:e}"));
    // More digits than a double can have below its point, so this is exact.
    let rest_of = |precision: usize| {
        let (exact, _) = digits_of(&format!("{value:.precision$e}"));
        exact.get(digits.len()..).map(|rest| rest.trim_end_matches('0').to_owned())
    };
    let is_tie = rest_of(18).as_deref() == Some("5") && rest_of(1100).as_deref() == Some("5");
    let even = match digits.strip_suffix(['1', '3', '5', '7', '9']) {
        Some(before) if is_tie => {
            let last = digits.as_bytes().last().map_or('0', |last| char::from(last - 1));
            [before, last.encode_utf8(&mut [0; 4])].concat()
        }
        _ => digits,
    };
    (even, exponent)
}

/// A double as ECMAScript writes it, and so RFC 8785.
fn ecmascript(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let (digits, exponent) = shortest(value.abs());
    // The value is 0.DIGITS times ten to the power of `point`.
    let point = exponent + 1;
    let count = i32::try_from(digits.len()).unwrap_or_default();
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let number = if count <= point && point <= 21 {
        [&digits, &*zeros(point - count)].concat()
    } else if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
        [whole, ".", fraction].concat()
    } else if -6 < point && point <= 0 {
        ["0.", &zeros(-point), &digits].concat()
    } else {
        let (first, rest) = digits.split_at(1);
        let point_and_rest = if rest.is_empty() { String::new() } else { [".", rest].concat() };
        format!("{first}{point_and_rest}e{:+}", point - 1)
    };
    [if value < 0.0 { "-" } else { "" }, &number].concat()
}

fn doubles(random: &mut Random) -> Outcome {
    let value = double(random);
    let expected = ecmascript(value);
    let written = Number::from_f64(value).map(|number| number.literal().to_owned());
    equal("written", &(value.to_bits(), written), &(value.to_bits(), Some(expected.clone())))?;
    for literal in [expected.clone(), format!("{value:e}"), format!("{value:?}"), format!("{value:E}")] {
        let read = parse(&literal).map_err(|error| format!("{literal}: {error}"))?;
        // The greater of two digits that are as near is another decimal, and stays.
        let wanted = if denoted(&literal) == denoted(&expected) { &expected } else { &literal };
        equal("canonical", &(&literal, &canonical(&read)), &(&literal, wanted))?;
        equal("literal", &text(&read), &literal)?;
        let bits = read.as_number().and_then(Number::as_f64).map(f64::to_bits);
        equal("bits", &(&literal, bits), &(&literal, literal.parse().ok().map(f64::to_bits)))?;
    }
    let back: f64 = expected.parse().map_err(|error| format!("{expected}: {error}"))?;
    // The one thing that is lost is the sign of zero.
    equal("read back", &back.to_bits(), &(value + 0.0).to_bits())
}

fn integers(random: &mut Random) -> Outcome {
    let mut digits: String = random.pick(&["1", "2", "5", "9"]).into();
    digits += &random.of_alphabet("0123456789", 50);
    if random.chance(3) {
        digits += &"0".repeat(random.size(12));
    }
    let literal = [random.pick(&["", "-"]), &digits].concat();
    let read = parse(&literal).map_err(|error| format!("{literal}: {error}"))?;
    equal("literal", &text(&read), &literal)?;
    equal("u64", &(&literal, read.as_u64()), &(&literal, literal.parse().ok()))?;
    equal("i64", &(&literal, read.as_i64()), &(&literal, literal.parse().ok()))?;
    let written = canonical(&read);
    if written == literal {
        return Ok(());
    }
    // Only a number that ECMAScript writes with an exponent is written in another way, and keeps its digits.
    let (mantissa, exponent) = written.split_once("e+").unwrap_or((&written, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let zeros = exponent.parse::<usize>().unwrap_or_default().saturating_sub(fraction.len());
    equal("digits", &[whole, fraction, &"0".repeat(zeros)].concat(), &literal)?;
    let is_ecmascript = literal.parse().map(ecmascript).as_ref() == Ok(&written);
    holds(is_ecmascript && exponent != "0", || format!("{literal} is written as {written}"))
}

/// What a literal denotes, to be compared: sign, digits without zeros at the ends, and the exponent of the
/// last digit. Zero has no digits.
fn denoted(literal: &str) -> Option<(bool, String, i64)> {
    let unsigned = literal.trim_start_matches('-');
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let kept = digits.trim_end_matches('0');
    let dropped = i64::try_from(digits.len() - kept.len()).ok()?;
    let exponent = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()? + dropped;
    let kept = kept.trim_start_matches('0');
    Some(if kept.is_empty() {
        (false, String::new(), 0)
    } else {
        (literal.starts_with('-'), kept.into(), exponent)
    })
}

fn decimals(random: &mut Random) -> Outcome {
    let literal = literal(random);
    let read = parse(&literal).map_err(|error| format!("{literal}: {error}"))?;
    let written = canonical(&read);
    equal("denoted", &(&literal, denoted(&written)), &(&literal, denoted(&literal)))?;
    let shortest = literal.parse().ok().filter(|value: &f64| value.is_finite()).map(ecmascript);
    let is_exact = shortest.as_ref().is_some_and(|text| denoted(text) == denoted(&literal));
    let expected = shortest.filter(|_| is_exact).unwrap_or_else(|| literal.clone());
    equal("canonical", &written, &expected)?;
    let same = matches!(&read, Json::Number(number) if number.literal() == literal);
    holds(same, || format!("{literal} is read as {read:?}"))
}
