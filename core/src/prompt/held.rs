//! Thinking that may not be stored, in memory while its tool round lasts (`spec/prompt.md`, "Thinking").
use crate::{
    id::RowId,
    model::{Part, PartBody, ProviderData, StoredRow},
    redact::Opaque,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use core::fmt;

/// A block of signed thinking that may not be stored: its text holds a secret, or it stands behind one that does.
///
/// It is sent as it came until its tool round ends, and is for memory alone: it has no stored form, and its `Debug`
/// form says nothing of the text. The row of the answer keeps a part in its place, without text and signature.
#[derive(Clone, PartialEq, Eq)]
pub struct HeldThinking {
    /// Index of its block in the answer, which is that of its part in the row, from 0.
    pub block: usize,
    /// Its text as it came; of an item of OpenAI Responses the pieces of its summary. Empty where the row has the
    /// block itself.
    pub pieces: Vec<String>,
    /// What its issuer alone can read.
    pub provider_data: ProviderData,
}

impl fmt::Debug for HeldThinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldThinking").field("block", &self.block).finish_non_exhaustive()
    }
}

impl HeldThinking {
    /// Whether it is what this part has the place of.
    pub(super) fn stands_for(&self, part: &Part) -> bool {
        is_withheld(part) && usize::try_from(part.index) == Ok(self.block)
    }
}

/// The texts of held thinking by what it was signed with: what a neutral part without text is sent with. For memory
/// alone: no JSON form of a prompt has it, and its `Debug` form says how many there are.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct HeldTexts(BTreeMap<String, Vec<String>>);

impl fmt::Debug for HeldTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldTexts").field("blocks", &self.0.len()).finish_non_exhaustive()
    }
}

impl HeldTexts {
    /// The pieces of the block that has this signature or encrypted content.
    #[must_use]
    pub fn get(&self, signed: &Opaque) -> Option<&[String]> {
        self.0.get(signed.as_str()).map(Vec::as_slice)
    }

    /// How many blocks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    fn put(&mut self, held: &HeldThinking) {
        let ProviderData { signature, data, .. } = &held.provider_data;
        if let Some(key) = signature.as_ref().or(data.as_ref()) {
            self.0.insert(key.as_str().into(), held.pieces.clone());
        }
    }

    /// Takes in what stands for parts of this row of which nothing is stored.
    pub(super) fn put_all(&mut self, held: &[HeldThinking], stored: &StoredRow) {
        let empty = |held: &&HeldThinking| {
            stored.parts.iter().any(|part| is_placeholder(part) && held.stands_for(part))
        };
        held.iter().filter(empty).for_each(|held| self.put(held));
    }
}

/// Held thinking by its row. A row with no block is one whose thinking was sent until its round ended.
pub(super) type Memory = BTreeMap<RowId, Vec<HeldThinking>>;

/// Whether a part is signed thinking that may not be sent from storage.
fn is_withheld(part: &Part) -> bool {
    !part.replay && part.provider_data.is_some() && matches!(part.body, PartBody::Thinking { .. })
}

/// Whether nothing of a block is stored but that it was there.
pub(super) fn is_placeholder(part: &Part) -> bool {
    is_withheld(part) && part.provider_data.as_ref() == Some(&ProviderData::NOTHING)
}

/// Whether a row says of thinking of which nothing is stored.
pub(super) fn has_placeholder(stored: &StoredRow) -> bool {
    stored.parts.iter().any(is_placeholder)
}

/// Whether the round of a row lost thinking that may not be stored: `held` is what memory has of it.
pub(super) fn loses(stored: &StoredRow, held: Option<&Vec<HeldThinking>>, is_current: bool) -> bool {
    let is_covered = |part: &Part| {
        held.is_some_and(|held| match held.is_empty() {
            true => !is_current,
            false => held.iter().any(|held| held.stands_for(part)),
        })
    };
    stored.parts.iter().any(|part| is_withheld(part) && !is_covered(part))
}
