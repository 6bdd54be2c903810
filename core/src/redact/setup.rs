//! From options to an engine: everything that can be wrong with options is said here.
use super::{
    Confidence, Mode, Options, RedactError, Redactor,
    engine::{self, Custom, Engine, Marks, Settings},
    host::{self, HostRule, HostShape},
    mark::Marker,
    rules::rows,
};
use alloc::{borrow::ToOwned, collections::BTreeSet, format, string::String, vec::Vec};

/// The most entries of a list of an option.
const MANY: usize = 1000;

impl Redactor {
    /// A redactor with these options.
    ///
    /// # Errors
    /// `exact_too_short` and `exact_placeholder` for an exact value that would be replaced all over the place,
    /// `exact_too_long` for one that would not be found wherever it stands, `regex_unavailable` for a regex rule where
    /// there are none, and `option_invalid` for everything else, with a path
    /// such as `rules[2].alphabet`.
    ///
    /// ```
    /// use throughline_core::redact::{Options, Redactor};
    /// let mut options = Options::default();
    /// options.tag_key = Some(b"too short".to_vec());
    /// assert_eq!(Redactor::new(options).unwrap_err().to_string(), "tag_key: 9 bytes; a key has at least 16");
    /// ```
    pub fn new(options: Options) -> Result<Self, RedactError> {
        check_exact(&options.exact)?;
        if let Some(key) = &options.tag_key
            && key.len() < Options::TAG_KEY_MIN
        {
            return Err(RedactError::option(
                "tag_key",
                format!("{} bytes; a key has at least 16", key.len()),
            ));
        }
        if options.decode_depth > Options::DECODE_DEPTH_MAX {
            return Err(RedactError::option("decode_depth", "not 0 to 4"));
        }
        let own = options.mark.as_deref().map(own_mark).transpose()?;
        let mut custom = Custom::default();
        names(&options, &mut custom)?;
        host_rules(&options.rules, &mut custom)?;
        allow(&options, &mut custom)?;
        let kinds = options.rules.iter().map(|rule| rule.kind.clone()).collect();
        let marker = Marker { key: options.tag_key.clone(), own: own.clone() };
        Ok(Self::with(&options, custom, Marks { kinds, own, ..Marks::default() }, marker))
    }

    /// A redactor with the default options.
    #[must_use]
    pub fn standard() -> Self {
        Self::with(&Options::default(), Custom::default(), Marks::default(), Marker::default())
    }

    fn with(options: &Options, custom: Custom, marks: Marks, marker: Marker) -> Self {
        let least = match options.mode {
            Mode::Paranoid => Confidence::Possible,
            Mode::Default | Mode::ReportOnly => Confidence::Likely,
        };
        let engine = Engine::new(Settings {
            exact: &options.exact,
            least,
            decode_depth: options.decode_depth,
            pii: options.pii,
            custom,
            marks,
        });
        Self { mode: options.mode, engine, marker }
    }
}

fn check_exact(values: &[String]) -> Result<(), RedactError> {
    for (index, value) in values.iter().enumerate() {
        let value = engine::exact::trimmed(value);
        let length = value.len();
        if length < Options::EXACT_MIN {
            return Err(RedactError::ExactTooShort { index, length });
        }
        let too_long = length > Options::EXACT_MAX;
        let encoded = if too_long { length } else { engine::exact::longest(value) };
        if too_long || encoded > Options::EXACT_ENCODED_MAX {
            return Err(RedactError::ExactTooLong { index, length, encoded });
        }
        if engine::placeholder(value) {
            return Err(RedactError::ExactPlaceholder { index });
        }
    }
    Ok(())
}

/// The parts of a host's own mark around the kind.
fn own_mark(mark: &str) -> Result<(String, Option<String>), RedactError> {
    let wrong = |reason: &'static str| Err(RedactError::option("mark", reason));
    let (before, after) = match mark.split_once("{kind}") {
        Some((before, after)) => (before, Some(after)),
        None => (mark, None),
    };
    if !(3..=64).contains(&mark.len()) {
        return wrong("not 3 to 64 bytes");
    }
    let barred =
        |c: char| !c.is_ascii_graphic() || matches!(c, '"' | '\'' | '`' | '\\' | '=' | '$' | '{' | '}');
    if before.contains(barred) || after.is_some_and(|after| after.contains(barred)) {
        return wrong(
            "holds white space, a quote, a backslash, `=`, `$`, or a brace that is none of `{kind}`",
        );
    }
    let edge = |c: Option<char>| c.is_some_and(|c| !c.is_alphanumeric());
    let last = after.unwrap_or(before).chars().next_back();
    if !edge(before.chars().next()) || !edge(last) {
        return wrong("starts or ends with a letter or digit, or with the kind; text would be taken for it");
    }
    // With a kind in it, and as the host wrote it.
    let example = [before, "kind", after.unwrap_or_default()].concat();
    let paranoid = Options { mode: Mode::Paranoid, ..Options::default() };
    let redactor = Redactor::with(&paranoid, Custom::default(), Marks::default(), Marker::default());
    if !redactor.report(&example).is_empty() || !redactor.report(mark).is_empty() {
        return wrong("reads like a secret itself");
    }
    Ok((before.to_owned(), after.map(ToOwned::to_owned)))
}

/// Refuses lists of more entries than `MANY`, and entries that are not of these lengths.
fn check_list(
    path: &str,
    list: &[String],
    lengths: core::ops::RangeInclusive<usize>,
) -> Result<(), RedactError> {
    if list.len() > MANY {
        return Err(RedactError::option(path, "more than 1000 entries"));
    }
    match list.iter().position(|entry| !lengths.contains(&entry.len())) {
        Some(n) => {
            let reason = format!("not {} to {} bytes", lengths.start(), lengths.end());
            Err(RedactError::option(format!("{path}[{n}]"), reason))
        }
        None => Ok(()),
    }
}

fn names(options: &Options, custom: &mut Custom) -> Result<(), RedactError> {
    // A name that stands in both lists is a strong one.
    for (path, list, strong) in
        [("keys.weak", &options.keys.weak, false), ("keys.strong", &options.keys.strong, true)]
    {
        check_list(path, list, 2..=80)?;
        for (n, name) in list.iter().enumerate() {
            let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b' ');
            if !name.bytes().all(letter) || name.bytes().filter(u8::is_ascii_alphanumeric).count() < 2 {
                let reason = "not two letters or digits and more, joined by `_`, `-`, `.` or blanks";
                return Err(RedactError::option(format!("{path}[{n}]"), reason));
            }
            custom.name(name, strong);
        }
    }
    Ok(())
}

fn host_rules(list: &[HostRule], custom: &mut Custom) -> Result<(), RedactError> {
    if list.len() > HostRule::MOST {
        return Err(RedactError::option("rules", "more than 256 rules"));
    }
    let mut ids = BTreeSet::new();
    for (n, rule) in list.iter().enumerate() {
        let path = format!("rules[{n}]");
        rule.check(&path)?;
        if !ids.insert(&rule.id) {
            return Err(RedactError::option(format!("{path}.id"), "another rule has this id"));
        }
        match &rule.shape {
            HostShape::Token { .. } => custom.token(host::keep(rule)),
            #[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
            HostShape::Regex { regex } => {
                if let Some(regex) = host::expression(regex) {
                    custom.regex(regex, host::keep(rule));
                }
            }
            #[cfg(not(all(feature = "host-regex", not(target_family = "wasm"))))]
            HostShape::Regex { .. } => {}
        }
    }
    Ok(())
}

fn allow(options: &Options, custom: &mut Custom) -> Result<(), RedactError> {
    let list = &options.allow;
    check_list("allow.values", &list.values, 1..=8192)?;
    check_list("allow.keys", &list.keys, 1..=200)?;
    check_list("allow.rules", &list.rules, 1..=40)?;
    custom.allow.values = list.values.iter().map(|value| value.clone().into_bytes()).collect();
    for (n, key) in list.keys.iter().enumerate() {
        let segments: Vec<String> = key.split('.').map(ToOwned::to_owned).collect();
        if segments.iter().any(String::is_empty) || segments.iter().all(|s| s == "*") {
            let reason = "not names joined by dots, at least one of them no `*`";
            return Err(RedactError::option(format!("allow.keys[{n}]"), reason));
        }
        custom.allow.keys.push(segments);
    }
    for (n, id) in list.rules.iter().enumerate() {
        let known = rows().iter().any(|row| row.id == id) || options.rules.iter().any(|rule| rule.id == *id);
        if !known {
            return Err(RedactError::option(format!("allow.rules[{n}]"), "no rule has this id"));
        }
        custom.allow.rules.insert(id.clone());
    }
    Ok(())
}
