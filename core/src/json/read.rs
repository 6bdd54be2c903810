//! The reader: bytes in, values out, linear in time and without recursion.
use super::error::{Fault, JsonError, Problem, place_of};
use super::options::{Options, Repairs};
use super::string::{Discard, Sink, StringReader};
use super::{Json, Number, Object};
use alloc::string::String;
use alloc::vec::Vec;

/// Reads one value after another from bytes.
///
/// ```
/// use throughline_core::json::{Options, Reader};
/// let mut reader = Reader::new(br#"{"a": 1}{"b": "\ud800"}"#, Options::LENIENT);
/// assert_eq!(reader.value()?.get("a").and_then(|a| a.as_u64()), Some(1));
/// assert_eq!(reader.position(), 8);
/// assert_eq!(reader.value()?.get("b").and_then(|b| b.as_str()), Some("\u{FFFD}"));
/// assert_eq!(reader.repairs().surrogates, 1);
/// assert!(reader.at_end());
/// # Ok::<(), throughline_core::json::JsonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    lenient: bool,
    max_depth: usize,
    repairs: Repairs,
}

/// An array or object that is being read.
enum Open {
    Array(Vec<Json>),
    Object { pairs: Vec<(String, Json)>, key: String },
}

/// How an array or object goes on after a value.
enum Next {
    Item,
    Close,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8], options: Options) -> Reader<'a> {
        let at = if options.lenient && bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let max_depth = options.max_depth.min(Options::DEPTH_LIMIT);
        Reader { bytes, at, lenient: options.lenient, max_depth, repairs: Repairs::default() }
    }

    /// Reads the next value, white space before it included; what follows it is not looked at.
    ///
    /// # Errors
    /// `json_invalid` or `json_too_deep`; the position is then where the value begins, and the error says
    /// where the fault is.
    pub fn value(&mut self) -> Result<Json, JsonError> {
        self.object_without(&[])
    }

    /// Reads the next value like [`Reader::value`]; when it is an object, the values under the keys in
    /// `skip` are checked, but left out and not built.
    ///
    /// # Errors
    /// Those of [`Reader::value`]: what it accepts does not depend on `skip`.
    ///
    /// ```
    /// use throughline_core::json::{Options, Reader};
    /// let mut reader = Reader::new(br#"{"big": [[1, 2], {}], "id": 7}"#, Options::STRICT);
    /// let value = reader.object_without(&["big"])?;
    /// assert_eq!(throughline_core::json::text(&value), r#"{"id":7}"#);
    /// # Ok::<(), throughline_core::json::JsonError>(())
    /// ```
    pub fn object_without(&mut self, skip: &[&str]) -> Result<Json, JsonError> {
        self.skip_whitespace();
        let (start, repairs) = (self.at, self.repairs);
        self.build(skip).map_err(|fault| {
            (self.at, self.repairs) = (start, repairs);
            fault.into_error(self.bytes, self.max_depth)
        })
    }

    /// Skips white space and makes sure that nothing else is left.
    ///
    /// # Errors
    /// `json_trailing`.
    pub fn end(&mut self) -> Result<(), JsonError> {
        self.skip_whitespace();
        if self.at_end() { Ok(()) } else { Err(JsonError::Trailing { at: place_of(self.bytes, self.at) }) }
    }

    /// The offset of the next byte to be read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether every byte is read.
    pub fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// What was repaired so far.
    pub fn repairs(&self) -> Repairs {
        self.repairs
    }

    /// Moves over spaces, tabs and line ends.
    pub fn skip_whitespace(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at = self.at.saturating_add(1);
        }
    }

    fn build(&mut self, skip: &[&str]) -> Result<Json, Fault> {
        let mut open: Vec<Open> = Vec::new();
        'value: loop {
            let mut value = match self.byte()? {
                b'[' => {
                    self.open(open.len())?;
                    if !self.closes(b']') {
                        open.push(Open::Array(Vec::new()));
                        continue 'value;
                    }
                    Json::Array(Vec::new())
                }
                b'{' => {
                    self.open(open.len())?;
                    if !self.closes(b'}') {
                        open.push(Open::Object { pairs: Vec::new(), key: String::new() });
                        if self.next_key(&mut open, skip)? {
                            continue 'value;
                        }
                        self.close(open.pop())
                    } else {
                        Json::Object(Object::new())
                    }
                }
                b'"' => Json::String(self.string()?),
                _ => self.scalar()?,
            };
            loop {
                let goes_on = match open.last_mut() {
                    None => return Ok(value),
                    Some(Open::Array(items)) => {
                        items.push(value);
                        matches!(self.after_value(b']')?, Next::Item)
                    }
                    Some(Open::Object { pairs, key }) => {
                        pairs.push((core::mem::take(key), value));
                        matches!(self.after_value(b'}')?, Next::Item) && self.next_key(&mut open, skip)?
                    }
                };
                if goes_on {
                    continue 'value;
                }
                value = self.close(open.pop());
            }
        }
    }

    /// Reads the key of the next pair into the innermost object, passing over pairs to be skipped; false
    /// when the object ended with one of those.
    fn next_key(&mut self, open: &mut [Open], skip: &[&str]) -> Result<bool, Fault> {
        let outermost = open.len() == 1;
        let Some(Open::Object { key, .. }) = open.last_mut() else { return Ok(true) };
        loop {
            self.key(key)?;
            if !outermost || !skip.contains(&key.as_str()) {
                return Ok(true);
            }
            key.clear();
            let repairs = self.repairs;
            self.pass_over(1)?;
            self.repairs = repairs;
            if matches!(self.after_value(b'}')?, Next::Close) {
                return Ok(false);
            }
        }
    }

    fn close(&mut self, innermost: Option<Open>) -> Json {
        match innermost {
            Some(Open::Array(items)) => Json::Array(items),
            Some(Open::Object { pairs, .. }) => {
                let (object, duplicates) = Object::from_pairs(pairs);
                self.repairs.duplicate_keys = self.repairs.duplicate_keys.saturating_add(duplicates);
                Json::Object(object)
            }
            None => Json::Null,
        }
    }

    /// Checks the next value, which stands inside `depth` arrays and objects, without building it.
    fn pass_over(&mut self, depth: usize) -> Result<(), Fault> {
        let mut ends: Vec<u8> = Vec::new();
        'value: loop {
            match self.byte()? {
                start @ (b'[' | b'{') => {
                    self.open(ends.len().saturating_add(depth))?;
                    let end = if start == b'[' { b']' } else { b'}' };
                    if !self.closes(end) {
                        ends.push(end);
                        if end == b'}' {
                            self.key(&mut Discard)?;
                        }
                        continue 'value;
                    }
                }
                b'"' => self.string_into(&mut Discard)?,
                b'-' | b'0'..=b'9' => self.number().map(|_| ())?,
                _ => self.scalar().map(|_| ())?,
            }
            while let Some(end) = ends.last().copied() {
                if let Next::Item = self.after_value(end)? {
                    if end == b'}' {
                        self.key(&mut Discard)?;
                    }
                    continue 'value;
                }
                ends.pop();
            }
            return Ok(());
        }
    }

    /// The next byte that is not white space.
    fn byte(&mut self) -> Result<u8, Fault> {
        self.skip_whitespace();
        self.bytes.get(self.at).copied().ok_or(Fault::Invalid(Problem::EndOfInput, self.at))
    }

    fn fault(&self, problem: Problem) -> Fault {
        Fault::Invalid(problem, self.at)
    }

    fn bump(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// Enters an array or object that stands inside `depth` others.
    fn open(&mut self, depth: usize) -> Result<(), Fault> {
        if depth >= self.max_depth {
            return Err(Fault::TooDeep(self.at));
        }
        self.bump();
        Ok(())
    }

    /// Moves over `end` when it comes next.
    fn closes(&mut self, end: u8) -> bool {
        self.skip_whitespace();
        let closes = self.bytes.get(self.at) == Some(&end);
        if closes {
            self.bump();
        }
        closes
    }

    fn after_value(&mut self, end: u8) -> Result<Next, Fault> {
        let byte = self.byte()?;
        if byte != b',' && byte != end {
            let problem = if end == b']' { Problem::ArrayGoesOn } else { Problem::ObjectGoesOn };
            return Err(self.fault(problem));
        }
        self.bump();
        Ok(if byte == end { Next::Close } else { Next::Item })
    }

    fn key(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        if self.byte()? != b'"' {
            return Err(self.fault(Problem::NoKey));
        }
        self.string_into(sink)?;
        if self.byte()? != b':' {
            return Err(self.fault(Problem::NoColon));
        }
        self.bump();
        Ok(())
    }

    fn string(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        self.string_into(&mut text)?;
        Ok(text)
    }

    fn string_into(&mut self, sink: &mut impl Sink) -> Result<(), Fault> {
        let (bytes, at, lenient) = (self.bytes, self.at.saturating_add(1), self.lenient);
        self.at = StringReader { bytes, at, lenient, repairs: &mut self.repairs }.read(sink)?;
        Ok(())
    }

    fn scalar(&mut self) -> Result<Json, Fault> {
        let (word, value) = match self.byte()? {
            b't' => ("true", Json::Bool(true)),
            b'f' => ("false", Json::Bool(false)),
            b'n' => ("null", Json::Null),
            b'-' | b'0'..=b'9' => return Ok(Json::Number(Number::from_literal(self.number()?))),
            _ => return Err(self.fault(Problem::NoValue)),
        };
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.at = self.at.saturating_add(word.len());
            Ok(value)
        } else if word.as_bytes().starts_with(rest) {
            Err(Fault::Invalid(Problem::EndOfInput, self.bytes.len()))
        } else {
            Err(self.fault(Problem::NoValue))
        }
    }

    fn number(&mut self) -> Result<&'a str, Fault> {
        let start = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.bump();
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.bump();
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.bump();
            self.digits()?;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.bump();
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.bump();
            }
            self.digits()?;
        }
        let literal = self.bytes.get(start..self.at).unwrap_or_default();
        core::str::from_utf8(literal).map_err(|_| Fault::Invalid(Problem::Utf8, start))
    }

    /// One digit and more.
    fn digits(&mut self) -> Result<(), Fault> {
        match self.bytes.get(self.at) {
            None => return Err(self.fault(Problem::EndOfInput)),
            Some(byte) if !byte.is_ascii_digit() => return Err(self.fault(Problem::NoDigit)),
            Some(_) => {}
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.bump();
        }
        Ok(())
    }
}

/// Reads a whole text strictly, to depth 128.
///
/// # Errors
/// `json_invalid`, `json_too_deep`, and `json_trailing` when something follows the value.
///
/// ```
/// use throughline_core::json::parse;
/// assert!(parse("[1, 2]").is_ok());
/// assert_eq!(parse("[1, 2] 3").unwrap_err().code(), "json_trailing");
/// ```
pub fn parse(text: &str) -> Result<Json, JsonError> {
    let mut reader = Reader::new(text.as_bytes(), Options::STRICT);
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}
