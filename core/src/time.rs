//! Instants: reading RFC 3339 as harnesses write it, the order key, and durations for people.
//!
//! The rules are those of `spec/session.md` (time and order). No clock is read here: the host passes
//! `now` in.
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

const NANOS_PER_SECOND: i128 = 1_000_000_000;
const NANOS_PER_MILLI: i128 = 1_000_000;
/// 0001-01-01T00:00:00Z in Unix nanoseconds.
const MIN_NANOS: i128 = -62_135_596_800 * NANOS_PER_SECOND;
/// 9999-12-31T23:59:59.999999999Z in Unix nanoseconds.
const MAX_NANOS: i128 = 253_402_300_800 * NANOS_PER_SECOND - 1;
/// The instant that Unix time counts from, as a civil time in UTC.
const UNIX_EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
/// The length of an order key in bytes.
const ORDER_KEY_LEN: usize = 29;

/// An instant in UTC with nanoseconds, in the years 0001–9999.
///
/// ```
/// use throughline_core::time::Timestamp;
/// let at: Timestamp = "2026-01-01T02:00:00.5+02:00".parse()?;
/// assert_eq!(at.to_string(), "2026-01-01T00:00:00.5Z");
/// assert_eq!(at.order_key(), "2026-01-01T00:00:00.500000000");
/// # Ok::<(), throughline_core::time::TimestampError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Nanoseconds since the Unix epoch, between [`MIN_NANOS`] and [`MAX_NANOS`].
    nanos: i128,
}

/// A text or number that is no [`Timestamp`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TimestampError {
    /// The text is not written as a time is.
    #[error(
        "timestamp `{text}` cannot be read: {wrong}; accepted is RFC 3339 such as 2026-01-31T09:30:00.5Z"
    )]
    Malformed {
        /// The text, clipped to 64 characters.
        text: String,
        /// What about it cannot be read.
        wrong: &'static str,
    },
    /// The instant lies outside the years 0001–9999 of UTC.
    #[error("timestamp `{text}` is out of range; accepted are the years 0001 to 9999 in UTC")]
    OutOfRange {
        /// The text or number, clipped to 64 characters.
        text: String,
    },
}

impl TimestampError {
    /// The stable code of the error: `timestamp_invalid`.
    pub fn code(&self) -> &'static str {
        "timestamp_invalid"
    }
}

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Timestamp = Timestamp { nanos: 0 };
    /// The first instant, 0001-01-01T00:00:00Z.
    pub const MIN: Timestamp = Timestamp { nanos: MIN_NANOS };
    /// The last instant, 9999-12-31T23:59:59.999999999Z.
    pub const MAX: Timestamp = Timestamp { nanos: MAX_NANOS };

    /// Reads RFC 3339 and what harnesses write beside it: `T`, `t` or a space; `Z`, `z`, `±hh:mm`,
    /// `±hhmm`, `±hh` or no zone (UTC); a fraction after `.` or `,`, truncated after nine digits; a date
    /// alone (midnight); minutes without seconds; second 60 as the last nanosecond of its minute.
    ///
    /// # Errors
    /// `timestamp_invalid` for anything else, for impossible dates, hour 24, and years outside 0001–9999
    /// after conversion to UTC.
    ///
    /// ```
    /// use throughline_core::time::Timestamp;
    /// assert_eq!(Timestamp::parse("2026-01-01")?, Timestamp::parse("2026-01-01 00:00Z")?);
    /// assert!(Timestamp::parse("2026-02-30T00:00:00Z").is_err());
    /// # Ok::<(), throughline_core::time::TimestampError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Timestamp, TimestampError> {
        let malformed = |wrong| TimestampError::Malformed { text: clipped(text), wrong };
        let nanos = read(text.as_bytes()).map_err(malformed)?;
        Timestamp::from_nanos(nanos, || clipped(text))
    }

    /// The instant so many seconds after the Unix epoch.
    ///
    /// # Errors
    /// `timestamp_invalid` outside the years 0001–9999.
    pub fn from_unix_seconds(seconds: i64) -> Result<Timestamp, TimestampError> {
        let nanos = i128::from(seconds).saturating_mul(NANOS_PER_SECOND);
        Timestamp::from_nanos(nanos, || format!("{seconds} s"))
    }

    /// The instant so many milliseconds after the Unix epoch.
    ///
    /// # Errors
    /// `timestamp_invalid` outside the years 0001–9999.
    pub fn from_unix_millis(millis: i64) -> Result<Timestamp, TimestampError> {
        let nanos = i128::from(millis).saturating_mul(NANOS_PER_MILLI);
        Timestamp::from_nanos(nanos, || format!("{millis} ms"))
    }

    fn from_nanos(nanos: i128, text: impl FnOnce() -> String) -> Result<Timestamp, TimestampError> {
        if (MIN_NANOS..=MAX_NANOS).contains(&nanos) {
            Ok(Timestamp { nanos })
        } else {
            Err(TimestampError::OutOfRange { text: text() })
        }
    }

    /// Whole milliseconds since the Unix epoch, rounded down.
    pub fn unix_millis(self) -> i64 {
        i64::try_from(self.nanos.div_euclid(NANOS_PER_MILLI)).unwrap_or(i64::MAX)
    }

    /// The order key: fixed-width text that sorts bytewise like the instant.
    ///
    /// ```
    /// use throughline_core::time::Timestamp;
    /// assert_eq!(Timestamp::EPOCH.order_key(), "1970-01-01T00:00:00.000000000");
    /// ```
    pub fn order_key(self) -> String {
        let at = self.civil();
        let (date, time) = (at.date(), at.time());
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}",
            date.year(),
            date.month(),
            date.day(),
            time.hour(),
            time.minute(),
            time.second(),
            time.subsec_nanosecond(),
        )
    }

    /// Reads an order key back.
    ///
    /// # Errors
    /// `timestamp_invalid` for anything that [`Timestamp::order_key`] does not write.
    pub fn from_order_key(key: &str) -> Result<Timestamp, TimestampError> {
        let wrong = "an order key is a date, `T`, a time and nine digits of fraction, without a zone";
        let malformed = || TimestampError::Malformed { text: clipped(key), wrong };
        if key.len() != ORDER_KEY_LEN {
            return Err(malformed());
        }
        let at = Timestamp::parse(key)?;
        if at.order_key() == key { Ok(at) } else { Err(malformed()) }
    }

    /// The instant one nanosecond later; the last instant stays.
    #[must_use]
    pub fn next(self) -> Timestamp {
        Timestamp::saturating(self.nanos.saturating_add(1))
    }

    /// The instant so many milliseconds later (earlier when negative), at most the last, at least the first.
    #[must_use]
    pub fn saturating_add_millis(self, millis: i64) -> Timestamp {
        Timestamp::saturating(self.nanos.saturating_add(i128::from(millis).saturating_mul(NANOS_PER_MILLI)))
    }

    /// Whole milliseconds from `earlier` to this instant, rounded down; negative when `earlier` is later.
    pub fn millis_since(self, earlier: Timestamp) -> i64 {
        let nanos = self.nanos.saturating_sub(earlier.nanos);
        i64::try_from(nanos.div_euclid(NANOS_PER_MILLI)).unwrap_or(i64::MAX)
    }

    fn saturating(nanos: i128) -> Timestamp {
        Timestamp { nanos: nanos.clamp(MIN_NANOS, MAX_NANOS) }
    }

    /// The civil time in UTC.
    fn civil(self) -> DateTime {
        // A timestamp is always within the years that civil time has, so neither fallback is ever taken.
        let seconds = i64::try_from(self.nanos.div_euclid(NANOS_PER_SECOND)).unwrap_or_default();
        let subsec = i32::try_from(self.nanos.rem_euclid(NANOS_PER_SECOND)).unwrap_or_default();
        UNIX_EPOCH.saturating_add(SignedDuration::new(seconds, subsec))
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 with `Z`, the fraction without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.order_key();
        let short = key.trim_end_matches('0');
        f.write_str(short.strip_suffix('.').unwrap_or(short))?;
        f.write_str("Z")
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Timestamp, TimestampError> {
        Timestamp::parse(text)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        let text = alloc::borrow::Cow::<str>::deserialize(deserializer)?;
        Timestamp::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A duration in whole minutes as people read it: `0m`, `59m`, `1h`, `1h 1m`, `1d`, `1d 2h`; from one day on
/// without minutes, and a negative one is `0m` (`spec/checkpoints.md`, digests).
///
/// ```
/// use throughline_core::time::minutes_text;
/// assert_eq!(minutes_text(61), "1h 1m");
/// assert_eq!(minutes_text(26 * 60), "1d 2h");
/// ```
pub fn minutes_text(minutes: i64) -> String {
    let minutes = minutes.max(0);
    let (days, hours, minutes) = (minutes / 1440, (minutes / 60) % 24, minutes % 60);
    match (days, hours, minutes) {
        (0, 0, minutes) => format!("{minutes}m"),
        (0, hours, 0) => format!("{hours}h"),
        (0, hours, minutes) => format!("{hours}h {minutes}m"),
        (days, 0, _) => format!("{days}d"),
        (days, hours, _) => format!("{days}d {hours}h"),
    }
}

fn clipped(text: &str) -> String {
    crate::text::clip(text, 64).to_string()
}

/// Reads a whole text into Unix nanoseconds, of any year that four digits can write.
fn read(text: &[u8]) -> Result<i128, &'static str> {
    let mut at = Cursor { rest: text };
    let date = at.date()?;
    if at.rest.is_empty() {
        return Ok(unix_nanos(date.to_datetime(Time::midnight())));
    }
    if !at.take(b"Tt ") {
        return Err("after the date stands `T`, `t` or a space");
    }
    let time = at.time()?;
    let offset_seconds = at.zone()?;
    if !at.rest.is_empty() {
        return Err("something stands after the zone");
    }
    let offset = i128::from(offset_seconds).saturating_mul(NANOS_PER_SECOND);
    Ok(unix_nanos(date.to_datetime(time)).saturating_sub(offset))
}

fn unix_nanos(at: DateTime) -> i128 {
    at.duration_since(UNIX_EPOCH).as_nanos()
}

/// What is left to read of a timestamp.
struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn take(&mut self, any_of: &[u8]) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if any_of.contains(first) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn digits(&mut self, count: usize) -> Option<i16> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        let mut number = 0i16;
        for digit in digits {
            let value = digit.checked_sub(b'0').filter(|value| *value < 10)?;
            number = number.saturating_mul(10).saturating_add(i16::from(value));
        }
        self.rest = rest;
        Some(number)
    }

    /// Two digits of at most `max`.
    fn pair(&mut self, max: i8) -> Option<i8> {
        i8::try_from(self.digits(2)?).ok().filter(|number| *number <= max)
    }

    fn date(&mut self) -> Result<Date, &'static str> {
        let mut fields = || {
            let year = self.digits(4)?;
            let month = self.take(b"-").then(|| self.pair(99))??;
            let day = self.take(b"-").then(|| self.pair(99))??;
            Some((year, month, day))
        };
        let (year, month, day) = fields().ok_or("it begins with a date as in 2026-01-31")?;
        Date::new(year, month, day).map_err(|_| "there is no such date")
    }

    fn time(&mut self) -> Result<Time, &'static str> {
        let hour = self.pair(23).ok_or("the hour is 00 to 23")?;
        let minute = self.take(b":").then(|| self.pair(59)).flatten();
        let minute = minute.ok_or("the minute is `:` and 00 to 59")?;
        let (mut second, mut nanos) = (0, 0);
        if self.take(b":") {
            second = self.pair(60).ok_or("the second is 00 to 60")?;
            if self.take(b".,") {
                nanos = self.fraction().ok_or("the fraction has at least one digit")?;
            }
        }
        if second == 60 {
            // A leap second has no place of its own in Unix time.
            (second, nanos) = (59, 999_999_999);
        }
        Time::new(hour, minute, second, nanos).map_err(|_| "there is no such time")
    }

    /// The digits of a fraction as nanoseconds, truncated after nine.
    fn fraction(&mut self) -> Option<i32> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        let digit = |index| digits.get(index).map_or(0, |digit: &u8| i32::from(digit.saturating_sub(b'0')));
        let nanos = (0..9).fold(0i32, |nanos, index| nanos.saturating_mul(10).saturating_add(digit(index)));
        (count > 0).then_some(nanos)
    }

    /// The zone's offset in seconds east of UTC.
    fn zone(&mut self) -> Result<i32, &'static str> {
        if self.rest.is_empty() || self.take(b"Zz") {
            return Ok(0);
        }
        let east = self.take(b"+");
        if !east && !self.take(b"-") {
            return Err("after the time stands `Z`, an offset such as +02:00, or nothing");
        }
        let hours = self.pair(23).ok_or("the offset's hours are 00 to 23")?;
        let minutes = if self.rest.is_empty() {
            0
        } else {
            self.take(b":");
            self.pair(59).ok_or("the offset's minutes are 00 to 59")?
        };
        let seconds =
            i32::from(hours).saturating_mul(3600).saturating_add(i32::from(minutes).saturating_mul(60));
        Ok(if east { seconds } else { seconds.saturating_neg() })
    }
}

#[cfg(test)]
mod tests;
