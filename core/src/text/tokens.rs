//! How many tokens a text comes to, where nobody counts them.

/// An estimate of the tokens of `text`: four ASCII characters a token, and one for each other character.
///
/// It is for hosts without a counter of the model's own, and marked as an estimate wherever it decides
/// (`spec/compaction.md`, "When"). It never falls when text is added.
///
/// ```
/// use throughline_core::text::estimate_tokens;
/// assert_eq!((estimate_tokens(""), estimate_tokens("word"), estimate_tokens("words")), (0, 1, 2));
/// ```
#[must_use]
pub fn estimate_tokens(text: &str) -> u64 {
    let other = text.bytes().filter(|byte| *byte >= 0xC0).count();
    let ascii = text.bytes().filter(u8::is_ascii).count();
    u64::try_from(ascii.div_ceil(4).saturating_add(other)).unwrap_or(u64::MAX)
}
