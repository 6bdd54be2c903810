//! Numbers as the literals they were written as.
use alloc::string::{String, ToString};

/// A JSON number: its literal as it stood.
///
/// ```
/// let value = throughline_core::json::parse("10.0")?;
/// let number = value.as_number().unwrap();
/// assert_eq!((number.literal(), number.as_u64()), ("10.0", Some(10)));
/// # Ok::<(), throughline_core::json::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    literal: String,
}

impl Number {
    /// A number of a literal that the reader has checked.
    pub(super) fn from_literal(literal: &str) -> Number {
        Number { literal: literal.into() }
    }

    /// The number nearest to `value` as RFC 8785 writes it; none for infinities and NaN.
    pub fn from_f64(value: f64) -> Option<Number> {
        value.is_finite().then(|| Number { literal: ryu_js::Buffer::new().format_finite(value).into() })
    }

    /// The literal as it was written.
    pub fn literal(&self) -> &str {
        &self.literal
    }

    /// The number as a `u64` when it denotes exactly one: `10`, `10.0` and `1e1` do.
    pub fn as_u64(&self) -> Option<u64> {
        u64::try_from(self.whole()?).ok()
    }

    /// The number as an `i64` when it denotes exactly one.
    pub fn as_i64(&self) -> Option<i64> {
        i64::try_from(self.whole()?).ok()
    }

    /// The nearest `f64`, unless the number lies outside its range.
    pub fn as_f64(&self) -> Option<f64> {
        self.literal.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// The whole number of at most 20 digits that the literal denotes exactly.
    fn whole(&self) -> Option<i128> {
        if let Ok(whole) = self.literal.parse::<i64>() {
            return Some(whole.into());
        }
        let decimal = Decimal::of(&self.literal)?;
        let zeros = u32::try_from(decimal.exponent).ok().filter(|zeros| *zeros <= 20)?;
        let mut whole = 0i128;
        for digit in decimal.digits() {
            whole = whole.checked_mul(10)?.checked_add(i128::from(digit.saturating_sub(b'0')))?;
        }
        whole = whole.checked_mul(10i128.checked_pow(zeros)?)?;
        Some(if decimal.negative { whole.saturating_neg() } else { whole })
    }

    /// The number as canonical JSON writes it: as RFC 8785 does when that denotes exactly the same decimal
    /// value, else the literal (`spec/prompt.md`, fingerprint and chain).
    pub(super) fn canonical(&self) -> String {
        let is_plain = self.literal.len() <= 15 && self.literal.bytes().all(|byte| byte.is_ascii_digit());
        let double = if is_plain { None } else { self.as_f64() };
        if let Some(double) = double {
            let mut buffer = ryu_js::Buffer::new();
            let text = buffer.format_finite(double);
            if same_decimal(text, &self.literal) {
                return text.to_string();
            }
        }
        self.literal.clone()
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number { literal: value.to_string() }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number { literal: value.to_string() }
    }
}

/// What a literal denotes: its digits without leading and trailing zeros, times a power of ten.
/// Zero has no digits and the exponent 0.
struct Decimal<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// None when the exponent is beyond `i64` and the number is not zero.
    fn of(literal: &'a str) -> Option<Decimal<'a>> {
        let (negative, unsigned) = match literal.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, literal),
        };
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let (mut whole, mut fraction) = (whole.trim_start_matches('0'), fraction);
        if whole.is_empty() {
            let significant = fraction.trim_start_matches('0');
            if significant.is_empty() {
                return Some(Decimal { negative: false, whole: &[], fraction: &[], exponent: 0 });
            }
        }
        let mut exponent: i64 = exponent.parse().ok()?;
        fraction = fraction.trim_end_matches('0');
        exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        if fraction.is_empty() {
            let digits = whole.trim_end_matches('0');
            let zeros = whole.len().saturating_sub(digits.len());
            exponent = exponent.checked_add(i64::try_from(zeros).ok()?)?;
            whole = digits;
        }
        if whole.is_empty() {
            fraction = fraction.trim_start_matches('0');
        }
        Some(Decimal { negative, whole: whole.as_bytes(), fraction: fraction.as_bytes(), exponent })
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }
}

/// Whether two literals denote exactly the same decimal value.
fn same_decimal(a: &str, b: &str) -> bool {
    match (Decimal::of(a), Decimal::of(b)) {
        (Some(a), Some(b)) => {
            a.negative == b.negative && a.exponent == b.exponent && a.digits().eq(b.digits())
        }
        _ => false,
    }
}
