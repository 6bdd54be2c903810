//! How a redactor is set up.
use super::host::HostRule;
use alloc::{string::String, vec::Vec};
use core::fmt;

/// Which findings are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Certain and likely findings.
    #[default]
    Default,
    /// Possible findings too.
    Paranoid,
    /// For hosts that only look: [`Redactor::report`](super::Redactor::report) is what they call. A
    /// [`Clean`](super::Clean) is scrubbed all the same, as in [`Mode::Default`].
    ReportOnly,
}

/// Options of a [`Redactor`](super::Redactor), fixed once it is built.
///
/// ```
/// use throughline_core::redact::{Mode, Options, Redactor};
/// let mut options = Options::default();
/// options.mode = Mode::Paranoid;
/// options.exact = vec!["correct-horse-battery".into()];
/// options.keys.strong = vec!["launch_code".into()];
/// options.allow.values = vec!["hunter2".into()];
/// let redactor = Redactor::new(options)?;
/// assert_eq!(redactor.clean("say correct-horse-battery").as_str(), "say [REDACTED:exact]");
/// assert_eq!(redactor.clean("launchCode: \"k7-9a\"").as_str(), "launchCode: \"[REDACTED:assignment]\"");
/// assert_eq!(redactor.clean("password: hunter2").as_str(), "password: hunter2");
/// # Ok::<(), throughline_core::redact::RedactError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// Which findings are replaced.
    pub mode: Mode,
    /// Values that are secrets wherever they stand, such as those of the host's own environment: 6 to 4,000 bytes, no
    /// placeholders; one of more than 8,000 bytes once it is escaped or encoded is refused. They may go over lines, which
    /// end in LF or CRLF in either; line ends around them are left out.
    pub exact: Vec<String>,
    /// The host key of the tags, 16 bytes and more. With it a mark is `[REDACTED:<kind>:<tag>]`, and equal secrets
    /// have equal tags; those that could be guessed all have the tag `aaaaaaaa`.
    pub tag_key: Option<Vec<u8>>,
    /// The host's own mark in place of `[REDACTED:<kind>]`; `{kind}` in it stands for the kind. 3 to 64 visible
    /// ASCII characters, neither first nor last of them a letter or digit, without quotes, backslash, `=`, `$` and
    /// other braces. It has no tags, and cuts of clean text may fall inside of it.
    pub mark: Option<String>,
    /// What stays although a rule finds it.
    pub allow: AllowList,
    /// Names under which secrets stand, beside those of the tables.
    pub keys: KeyNames,
    /// Rules of the host, at most 256.
    pub rules: Vec<HostRule>,
    /// Whether the rules for personal data (e-mail, phone, cards) are on.
    pub pii: bool,
    /// How many encodings around a secret are seen through: 0 to 4, 2 when not set.
    pub decode_depth: u8,
}

/// What stays although a rule finds it: up to 1,000 entries each.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct AllowList {
    /// Whole values.
    pub values: Vec<String>,
    /// Names whose values stay: `fixture_password`, or the last segments of a path of names in JSON,
    /// `users.*.password`, where `*` stands for any one name. In other text a path is what the name itself says:
    /// `spring.datasource.password`. Case does not matter.
    pub keys: Vec<String>,
    /// Ids of rules that are off.
    pub rules: Vec<String>,
}

/// Names of a host, in any case and joined in any way: `acme_code` is `acmeCode` and `ACME-CODE` as well. Up to 1,000
/// each, of 2 to 80 bytes.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct KeyNames {
    /// Every value under these is a secret, but for placeholders, references and the like.
    pub strong: Vec<String>,
    /// Values under these are secrets when they look random.
    pub weak: Vec<String>,
}

impl Options {
    /// The fewest UTF-8 bytes of an exact value.
    pub const EXACT_MIN: usize = 6;
    /// The most UTF-8 bytes of an exact value.
    pub const EXACT_MAX: usize = 4000;
    /// The most bytes of an exact value once it is escaped or encoded: no more is read beyond a part of a long text.
    pub const EXACT_ENCODED_MAX: usize = 8000;
    /// The fewest bytes of a host key.
    pub const TAG_KEY_MIN: usize = 16;
    /// The most encodings that are seen through.
    pub const DECODE_DEPTH_MAX: u8 = 4;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Default,
            exact: Vec::new(),
            tag_key: None,
            mark: None,
            allow: AllowList::default(),
            keys: KeyNames::default(),
            rules: Vec::new(),
            pii: false,
            decode_depth: 2,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("mode", &self.mode)
            .field("exact", &format_args!("{} values", self.exact.len()))
            .field("tag_key", &self.tag_key.is_some())
            .field("mark", &self.mark)
            .field("allow", &self.allow)
            .field("keys", &self.keys)
            .field("rules", &self.rules)
            .field("pii", &self.pii)
            .field("decode_depth", &self.decode_depth)
            .finish()
    }
}

impl fmt::Debug for AllowList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AllowList")
            .field("values", &format_args!("{} values", self.values.len()))
            .field("keys", &self.keys)
            .field("rules", &self.rules)
            .finish()
    }
}
