//! Instants, against a calendar of our own.
use super::{Outcome, Property, Random, equal, holds, property};
use throughline_core::time::{Timestamp, minutes_text};

pub(super) const ALL: &[Property] = &[
    property("time: order keys sort like instants", order),
    property("time: what is written is read back", round_trips),
    property("time: every accepted form reads to its instant", forms),
    property("time: any text is read or refused", any_text),
    property("time: unix times and milliseconds", unix),
    property("time: durations for people are rounded down", durations),
];

const SECONDS_PER_DAY: i64 = 86_400;
const NANOS: i128 = 1_000_000_000;
/// 0001-01-01 and 9999-12-31 as days since 1970-01-01.
const DAYS: (i64, i64) = (-719_162, 2_932_896);

/// An instant, as days since 1970-01-01, the second of the day and its nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Instant {
    days: i64,
    second: i64,
    nano: i64,
}

impl Instant {
    fn any(random: &mut Random) -> Instant {
        let days = match random.below(4) {
            0 => random.between(DAYS.0, DAYS.0 + 400),
            1 => random.between(-800, 800),
            2 => random.between(DAYS.1 - 400, DAYS.1),
            _ => random.between(DAYS.0, DAYS.1),
        };
        let second = match random.below(4) {
            0 => 0,
            1 => SECONDS_PER_DAY - 1,
            _ => random.between(0, SECONDS_PER_DAY - 1),
        };
        let digits = u32::try_from(random.below(10)).unwrap_or_default();
        let unit = 10i64.pow(9 - digits);
        Instant { days, second, nano: random.between(0, 999_999_999) / unit * unit }
    }

    fn nanos(self) -> i128 {
        i128::from(self.days * SECONDS_PER_DAY + self.second) * NANOS + i128::from(self.nano)
    }

    fn of_nanos(nanos: i128) -> Instant {
        let seconds = i64::try_from(nanos.div_euclid(NANOS)).unwrap_or_default();
        let nano = i64::try_from(nanos.rem_euclid(NANOS)).unwrap_or_default();
        let (days, second) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
        Instant { days, second, nano }
    }

    fn is_accepted(self) -> bool {
        (DAYS.0..=DAYS.1).contains(&self.days)
    }

    /// Year, month and day: years of 400 in which the leap day comes last, so counted from March.
    fn date(self) -> (i64, i64, i64) {
        let days = self.days + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        (year_of_era + era * 400 + i64::from(month <= 2), month, day)
    }

    fn key(self) -> String {
        let ((year, month, day), second) = (self.date(), self.second);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:09}", self.nano)
    }
}

fn read(at: Instant) -> Result<Timestamp, String> {
    Timestamp::from_order_key(&at.key()).map_err(|error| format!("{at:?}: {error}"))
}

fn order(random: &mut Random) -> Outcome {
    let one = Instant::any(random);
    let other = match random.below(2) {
        0 => Instant::any(random),
        _ => Instant::of_nanos(one.nanos() + i128::from(random.between(-3, 3))),
    };
    if !other.is_accepted() {
        return holds(read(other).is_err(), || format!("{other:?} is read"));
    }
    let (a, b) = (read(one)?, read(other)?);
    let orders = [a.cmp(&b), a.order_key().as_bytes().cmp(b.order_key().as_bytes())];
    equal("order", &(one, other, orders), &(one, other, [one.cmp(&other); 2]))
}

fn round_trips(random: &mut Random) -> Outcome {
    let at = Instant::any(random);
    let time = read(at)?;
    equal("order key", &time.order_key(), &at.key())?;
    let written = time.to_string();
    equal("read back", &Timestamp::parse(&written), &Ok(time))?;
    let plain = written.strip_suffix('Z').ok_or_else(|| format!("{written} has no Z"))?;
    let is_short = plain.len() == 19 || (plain.contains('.') && !plain.ends_with(['0', '.']));
    holds(is_short && at.key().starts_with(plain), || format!("{at:?} is written as {written}"))
}

/// A time of day in one of the forms that are read, of the instant `key` is the order key of; what it denotes
/// is left in `at`.
fn time_of_day(random: &mut Random, key: &str, at: &mut Instant) -> String {
    match random.below(7) {
        0 => {
            (at.second, at.nano) = (at.second / 60 * 60, 0);
            key[11..16].to_owned()
        }
        1 => {
            (at.second, at.nano) = (at.second / 60 * 60 + 59, 999_999_999);
            [&key[11..17], "60", random.pick(&["", ".0", ",25", ".999999999999"])].concat()
        }
        2 => {
            at.nano = 0;
            key[11..19].to_owned()
        }
        _ => {
            let digits = 1 + random.size(14);
            let more = random.of_alphabet("0123456789", 6);
            let fraction: String = [&key[20..], &*more].concat().chars().take(digits).collect();
            let kept: String = fraction.chars().chain("000000000".chars()).take(9).collect();
            at.nano = kept.parse().unwrap_or_default();
            [&key[11..19], random.pick(&[".", ","]), &fraction].concat()
        }
    }
}

/// A zone in one of the forms that are read, and its minutes east of UTC.
fn zone(random: &mut Random) -> (String, i64) {
    let minutes = match random.below(3) {
        0 => random.between(-14, 14) * 60,
        _ => random.between(-1439, 1439),
    };
    let (sign, hours, rest) = (if minutes < 0 { '-' } else { '+' }, minutes.abs() / 60, minutes.abs() % 60);
    match random.below(6) {
        0 => (String::new(), 0),
        1 => (random.pick(&["Z", "z", "-00:00", "+0000", "-00"]).to_owned(), 0),
        2 => (format!("{sign}{hours:02}"), minutes.signum() * hours * 60),
        3 => (format!("{sign}{hours:02}{rest:02}"), minutes),
        _ => (format!("{sign}{hours:02}:{rest:02}"), minutes),
    }
}

/// An instant in one of the forms that are read.
fn written(random: &mut Random) -> (String, Instant) {
    let mut at = Instant::any(random);
    let key = at.key();
    if random.chance(8) {
        (at.second, at.nano) = (0, 0);
        return (key[..10].to_owned(), at);
    }
    let separator = random.pick(&["T", "t", " "]);
    let time = time_of_day(random, &key, &mut at);
    let (zone, minutes) = zone(random);
    let at = Instant::of_nanos(at.nanos() - i128::from(minutes) * 60 * NANOS);
    ([&key[..10], separator, &time, &zone].concat(), at)
}

/// A text that reads as a timestamp, in any form and zone and near the ends as well, and its Unix
/// nanoseconds.
pub fn timestamp_text(random: &mut Random) -> (String, i128) {
    loop {
        let (text, at) = written(random);
        if at.is_accepted() {
            return (text, at.nanos());
        }
    }
}

fn forms(random: &mut Random) -> Outcome {
    let (text, at) = written(random);
    let found = Timestamp::parse(&text).ok().map(Timestamp::order_key);
    let wanted = at.is_accepted().then(|| at.key());
    equal("read", &(&text, found), &(&text, wanted))
}

fn any_text(random: &mut Random) -> Outcome {
    let text = match random.below(3) {
        0 => random.text(40),
        1 => random.of_alphabet("0123456789T:.,Zz+- ", 40),
        _ => {
            let mut bytes = Instant::any(random).key().into_bytes();
            let at = random.size(bytes.len());
            bytes[at] = random.pick(b"0123456789T:.,Zz+- ");
            String::from_utf8(bytes).unwrap_or_default()
        }
    };
    match Timestamp::parse(&text) {
        Err(error) => equal("code", &error.code(), &"timestamp_invalid"),
        Ok(at) => {
            holds((Timestamp::MIN..=Timestamp::MAX).contains(&at), || format!("{text:?} is {at}"))?;
            equal("read back", &Timestamp::parse(&at.to_string()), &Ok(at))
        }
    }
}

fn unix(random: &mut Random) -> Outcome {
    let at = Instant::any(random);
    let (time, nanos) = (read(at)?, at.nanos());
    let millis = i64::try_from(nanos.div_euclid(1_000_000)).unwrap_or_default();
    equal("milliseconds", &time.unix_millis(), &millis)?;
    let key = |nanos: i128| {
        let at = Instant::of_nanos(nanos);
        at.is_accepted().then(|| at.key())
    };
    let whole = Timestamp::from_unix_millis(millis).ok().map(Timestamp::order_key);
    equal("from milliseconds", &whole, &key(i128::from(millis) * 1_000_000))?;
    // Far outside as often as inside.
    let seconds = random.between(-500_000_000_000, 500_000_000_000);
    let from_seconds = Timestamp::from_unix_seconds(seconds).ok().map(Timestamp::order_key);
    equal("from seconds", &(seconds, from_seconds), &(seconds, key(i128::from(seconds) * NANOS)))?;
    let step = random.between(-1_000_000_000_000, 1_000_000_000_000);
    let later = time.saturating_add_millis(step);
    match key(nanos + i128::from(step) * 1_000_000) {
        Some(key) => {
            equal("later", &later.order_key(), &key)?;
            equal("millis since", &later.millis_since(time), &step)
        }
        None => equal("clamped", &later, &if step < 0 { Timestamp::MIN } else { Timestamp::MAX }),
    }
}

fn durations(random: &mut Random) -> Outcome {
    let end = random.pick(&[200, 3000, 1_000_000]);
    let minutes = random.between(-10, end);
    let text = minutes_text(minutes);
    let mut read = 0;
    for piece in text.split(' ') {
        let (count, unit) = piece.split_at(piece.len() - 1);
        let unit = match unit {
            "d" => 1440,
            "h" => 60,
            _ => 1,
        };
        read += count.parse::<i64>().map_err(|error| format!("{text}: {error}"))? * unit;
    }
    let unit = if minutes < 1440 { 1 } else { 60 };
    equal("minutes", &(&text, read), &(&text, minutes.max(0) / unit * unit))
}
