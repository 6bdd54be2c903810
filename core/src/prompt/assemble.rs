//! Assembly in one go.
use super::{Conversation, Input, Prompt};

/// Makes the neutral prompt of a conversation (`spec/prompt.md`).
///
/// Any rows give a valid prompt: what cannot be sent is repaired or left out, with a diagnostic. The same
/// input gives the same prompt. Linear in the rows and their bytes; a [`Conversation`] is for one that goes on.
///
/// ```
/// use throughline_core::prompt::{Input, assemble};
/// let prompt = assemble(Input::default());
/// assert_eq!((prompt.messages.len(), prompt.stable_len), (0, 0));
/// assert_eq!(prompt.tail_hash, prompt.fingerprint);
/// ```
#[must_use]
pub fn assemble(input: Input) -> Prompt {
    Conversation::new(input).into_prompt()
}
