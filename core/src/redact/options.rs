//! How a redactor is set up, and what can be wrong with that.
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
/// let redactor = Redactor::new(options)?;
/// assert_eq!(redactor.clean("say correct-horse-battery").as_str(), "say [REDACTED:exact]");
/// # Ok::<(), throughline_core::redact::RedactError>(())
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Which findings are replaced.
    pub mode: Mode,
    /// Values that are secrets wherever they stand, such as those of the host's own environment: 6 bytes and
    /// more, no placeholders.
    pub exact: Vec<String>,
}

impl Options {
    /// The fewest UTF-8 bytes of an exact value.
    pub const EXACT_MIN: usize = 6;
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("mode", &self.mode)
            .field("exact", &format_args!("{} values", self.exact.len()))
            .finish()
    }
}

/// What a redactor refuses. No message holds a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RedactError {
    /// An option that cannot be taken: `option_invalid`.
    #[error("{path}: {reason}")]
    OptionInvalid {
        /// Where, such as `exact[3]`.
        path: String,
        /// What was wrong and what is accepted.
        reason: &'static str,
    },
    /// An exact value of fewer than 6 bytes: `exact_too_short`.
    #[error("exact[{index}]: {length} bytes; an exact value has at least 6")]
    ExactTooShort {
        /// Position in [`Options::exact`], from 0.
        index: usize,
        /// Its length in UTF-8 bytes.
        length: usize,
    },
    /// An exact value that is a placeholder: `exact_placeholder`.
    #[error("exact[{index}]: a placeholder; replacing it everywhere would destroy text that holds no secret")]
    ExactPlaceholder {
        /// Position in [`Options::exact`], from 0.
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
            Self::ExactTooShort { .. } => "exact_too_short",
            Self::ExactPlaceholder { .. } => "exact_placeholder",
            Self::SecretInIdentifier { .. } => "secret_in_identifier",
        }
    }
}
