//! Reading strings: runs without anything special go whole, escapes one by one.
use super::error::{Fault, Problem};
use super::options::Repairs;
use alloc::string::String;

/// Where the text of a string goes.
pub(super) trait Sink {
    fn text(&mut self, text: &str);
}

impl Sink for String {
    fn text(&mut self, text: &str) {
        self.push_str(text);
    }
}

/// Takes the text of values that are skipped.
pub(super) struct Discard;

impl Sink for Discard {
    fn text(&mut self, _: &str) {}
}

/// The string that begins at `at`, behind its opening quote.
pub(super) struct StringReader<'a, 'r> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) lenient: bool,
    pub(super) repairs: &'r mut Repairs,
}

const REPLACEMENT: &str = "\u{FFFD}";

impl StringReader<'_, '_> {
    /// Reads up to and over the closing quote; says where the string ends.
    pub(super) fn read(mut self, sink: &mut impl Sink) -> Result<usize, Fault> {
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let (run, after) = rest.split_at(plain_len(rest));
            if !run.is_empty() {
                self.run(run, sink)?;
                self.at = self.at.saturating_add(run.len());
            }
            match after.first() {
                None => return Err(Fault::Invalid(Problem::EndOfInput, self.bytes.len())),
                Some(b'"') => return Ok(self.at.saturating_add(1)),
                Some(b'\\') => self.escape(sink)?,
                Some(_) => return Err(Fault::Invalid(Problem::ControlCharacter, self.at)),
            }
        }
    }

    fn run(&mut self, run: &[u8], sink: &mut impl Sink) -> Result<(), Fault> {
        match core::str::from_utf8(run) {
            Ok(text) => sink.text(text),
            Err(_) if self.lenient => {
                for chunk in run.utf8_chunks() {
                    sink.text(chunk.valid());
                    if !chunk.invalid().is_empty() {
                        sink.text(REPLACEMENT);
                        self.repairs.utf8 = self.repairs.utf8.saturating_add(1);
                    }
                }
            }
            Err(error) => {
                return Err(Fault::Invalid(Problem::Utf8, self.at.saturating_add(error.valid_up_to())));
            }
        }
        Ok(())
    }

    fn escape(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        let start = self.at;
        let plain = match self.bytes.get(start.saturating_add(1)) {
            None => return Err(Fault::Invalid(Problem::EndOfInput, self.bytes.len())),
            Some(b'"') => "\"",
            Some(b'\\') => "\\",
            Some(b'/') => "/",
            Some(b'b') => "\u{8}",
            Some(b'f') => "\u{c}",
            Some(b'n') => "\n",
            Some(b'r') => "\r",
            Some(b't') => "\t",
            Some(b'u') => return self.unicode_escape(sink),
            Some(_) => return Err(Fault::Invalid(Problem::Escape, start)),
        };
        sink.text(plain);
        self.at = start.saturating_add(2);
        Ok(())
    }

    fn unicode_escape(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        let start = self.at;
        let first = self.code_unit(start)?;
        self.at = start.saturating_add(6);
        let character = match first {
            0xD800..=0xDBFF => match self.low_surrogate()? {
                Some(low) => {
                    self.at = self.at.saturating_add(6);
                    let high = u32::from(first) & 0x3FF;
                    char::from_u32(0x1_0000u32.saturating_add((high << 10) | (u32::from(low) & 0x3FF)))
                }
                None => None,
            },
            unit => char::from_u32(u32::from(unit)),
        };
        match character {
            Some('\0') if self.lenient => {
                self.repairs.nuls = self.repairs.nuls.saturating_add(1);
                sink.text(REPLACEMENT);
            }
            Some(character) => sink.text(character.encode_utf8(&mut [0; 4])),
            None if self.lenient => {
                self.repairs.surrogates = self.repairs.surrogates.saturating_add(1);
                sink.text(REPLACEMENT);
            }
            None => return Err(Fault::Invalid(Problem::LoneSurrogate, start)),
        }
        Ok(())
    }

    /// The low surrogate whose escape follows at the current place. What follows and is none is read on its
    /// own afterwards.
    fn low_surrogate(&self) -> Result<Option<u16>, Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if !rest.starts_with(b"\\u") {
            return Ok(None);
        }
        let unit = self.code_unit(self.at)?;
        Ok(matches!(unit, 0xDC00..=0xDFFF).then_some(unit))
    }

    /// The four hexadecimal digits of the `\u` escape that begins at `start`.
    fn code_unit(&self, start: usize) -> Result<u16, Fault> {
        let digits = self.bytes.get(start.saturating_add(2)..).unwrap_or_default();
        let mut unit = 0u16;
        for index in 0..4 {
            let Some(digit) = digits.get(index) else {
                return Err(Fault::Invalid(Problem::EndOfInput, self.bytes.len()));
            };
            let value = char::from(*digit).to_digit(16).and_then(|value| u16::try_from(value).ok());
            unit = (unit << 4) | value.ok_or(Fault::Invalid(Problem::Escape, start))?;
        }
        Ok(unit)
    }
}

/// How many bytes stand before the next quote, backslash or control character; eight bytes at a time.
fn plain_len(bytes: &[u8]) -> usize {
    let mut length = 0usize;
    let mut rest = bytes;
    while let Some((chunk, after)) = rest.split_first_chunk::<8>() {
        let special = special_bytes(u64::from_le_bytes(*chunk));
        if special != 0 {
            let before = usize::try_from(special.trailing_zeros() / 8).unwrap_or_default();
            return length.saturating_add(before);
        }
        length = length.saturating_add(8);
        rest = after;
    }
    let tail = rest.iter().position(|byte| *byte < 0x20 || *byte == b'"' || *byte == b'\\');
    length.saturating_add(tail.unwrap_or(rest.len()))
}

/// Sets the high bit of every byte that is a quote, a backslash or a control character. A borrow can set
/// a bit wrongly only above a byte that is set rightly, so the lowest set bit is always right.
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES.wrapping_mul(limit)) & !word;
    let quote = word ^ ONES.wrapping_mul(0x22);
    let backslash = word ^ ONES.wrapping_mul(0x5C);
    (below(word, 0x20) | below(quote, 1) | below(backslash, 1)) & HIGH
}
