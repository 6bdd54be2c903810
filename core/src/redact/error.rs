//! What a redactor refuses.
use alloc::{borrow::Cow, string::String};

/// What a redactor refuses. No message holds a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RedactError {
    /// An option that cannot be taken: `option_invalid`.
    #[error("{path}: {reason}")]
    OptionInvalid {
        /// Where, such as `rules[2].alphabet`.
        path: String,
        /// What was wrong and what is accepted.
        reason: Cow<'static, str>,
    },
    /// A regex rule in a build that has none: `regex_unavailable`.
    #[error("{path}: this build has no regex rules: they need a native build with the feature `host-regex`")]
    RegexUnavailable {
        /// Where, such as `rules[2].regex`.
        path: String,
    },
    /// An exact value of fewer than 6 bytes: `exact_too_short`.
    #[error("exact[{index}]: {length} bytes; an exact value has at least 6")]
    ExactTooShort {
        /// Position in [`Options::exact`](super::Options::exact), from 0.
        index: usize,
        /// Its length in UTF-8 bytes.
        length: usize,
    },
    /// An exact value of more than 4,000 bytes, or more than 8,000 once it is escaped or encoded: `exact_too_long`.
    #[error(
        "exact[{index}]: {length} bytes, {encoded} once encoded; an exact value has at most 4000, and 8000 once encoded"
    )]
    ExactTooLong {
        /// Position in [`Options::exact`](super::Options::exact), from 0.
        index: usize,
        /// Its length in UTF-8 bytes, without line ends around it.
        length: usize,
        /// The length of its longest encoding that was worked out.
        encoded: usize,
    },
    /// An exact value that is a placeholder: `exact_placeholder`.
    #[error("exact[{index}]: a placeholder; replacing it everywhere would destroy text that holds no secret")]
    ExactPlaceholder {
        /// Position in [`Options::exact`](super::Options::exact), from 0.
        index: usize,
    },
    /// An identifier that is a secret: `secret_in_identifier`.
    #[error("{field}: holds a secret (rule {rule}); an identifier is stored as it is, so it may hold none")]
    SecretInIdentifier {
        /// The field, such as `key`.
        field: &'static str,
        /// The rule that fired.
        rule: &'static str,
    },
}

impl RedactError {
    /// The stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OptionInvalid { .. } => "option_invalid",
            Self::RegexUnavailable { .. } => "regex_unavailable",
            Self::ExactTooShort { .. } => "exact_too_short",
            Self::ExactTooLong { .. } => "exact_too_long",
            Self::ExactPlaceholder { .. } => "exact_placeholder",
            Self::SecretInIdentifier { .. } => "secret_in_identifier",
        }
    }

    /// Where in the options, such as `rules[2].alphabet`; `None` for an identifier.
    ///
    /// ```
    /// use throughline_core::redact::{Options, Redactor};
    /// let mut options = Options::default();
    /// options.exact = vec!["long-enough".into(), "short".into()];
    /// let error = Redactor::new(options).unwrap_err();
    /// assert_eq!((error.code(), error.path().as_deref()), ("exact_too_short", Some("exact[1]")));
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<String> {
        match self {
            Self::OptionInvalid { path, .. } | Self::RegexUnavailable { path } => Some(path.clone()),
            Self::ExactTooShort { index, .. }
            | Self::ExactTooLong { index, .. }
            | Self::ExactPlaceholder { index } => Some(alloc::format!("exact[{index}]")),
            Self::SecretInIdentifier { .. } => None,
        }
    }

    /// What was wrong, without the path.
    #[must_use]
    pub fn reason(&self) -> String {
        let text = alloc::string::ToString::to_string(self);
        let prefix = self.path().map(|path| alloc::format!("{path}: "));
        match prefix.and_then(|prefix| text.strip_prefix(prefix.as_str()).map(String::from)) {
            Some(reason) => reason,
            None => text,
        }
    }

    pub(super) fn option(path: impl Into<String>, reason: impl Into<Cow<'static, str>>) -> Self {
        Self::OptionInvalid { path: path.into(), reason: reason.into() }
    }
}
