use crate::text::estimate_tokens;
use alloc::vec::Vec;

/// Counts tokens as the model does that is to read them.
///
/// Hosts inject one; a function from texts to counts is one. Where a count is missing from an answer, the
/// estimate of [`EstimatedTokens`] stands in.
pub trait TokenCounter {
    /// The tokens of each text, in order.
    fn count(&self, texts: &[&str]) -> Vec<u64>;

    /// Whether the counts are a guess; what is decided by them says so.
    fn is_estimate(&self) -> bool {
        false
    }
}

impl<F: Fn(&[&str]) -> Vec<u64>> TokenCounter for F {
    fn count(&self, texts: &[&str]) -> Vec<u64> {
        self(texts)
    }
}

/// The built-in estimate, for hosts without a counter: see [`estimate_tokens`].
///
/// ```
/// use throughline_core::host::{EstimatedTokens, TokenCounter};
/// assert_eq!(EstimatedTokens.count(&["word", "words"]), [1, 2]);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EstimatedTokens;

impl TokenCounter for EstimatedTokens {
    fn count(&self, texts: &[&str]) -> Vec<u64> {
        texts.iter().map(|text| estimate_tokens(text)).collect()
    }

    fn is_estimate(&self) -> bool {
        true
    }
}

/// The tokens of all texts together.
pub(crate) fn total<C: TokenCounter + ?Sized>(counter: &C, texts: &[&str]) -> u64 {
    let counts = counter.count(texts);
    let counted = counts.iter().take(texts.len()).fold(0_u64, |sum, count| sum.saturating_add(*count));
    let missing = texts.iter().skip(counts.len()).map(|text| estimate_tokens(text));
    missing.fold(counted, u64::saturating_add)
}
