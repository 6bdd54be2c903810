//! Fingerprint and chain (`spec/prompt.md`, "Fingerprint and chain").
use super::{
    Message, Prompt, Sections, Settings, Tool,
    write::{Scratch, bytes_of, write_message, write_model, write_settings, write_system, write_tools},
};
use crate::{id::sha256_hex, redact::Clean, text::hex};
use alloc::string::String;
use sha2::{Digest, Sha256};

const TAG: &[u8] = b"throughline.prefix.v1";

/// A chain hash as raw digest.
pub(super) type Hash = [u8; 32];

/// What stands before the messages, hashed.
pub(super) struct Prefix {
    pub(super) sections: Sections,
    pub(super) fingerprint: Hash,
}

impl Prefix {
    pub(super) fn of(model: Option<&Clean>, tools: &[Tool], system: &[Clean], settings: &Settings) -> Self {
        let model = bytes_of(|out| write_model(model, out));
        let tools = bytes_of(|out| write_tools(tools, out));
        let system = bytes_of(|out| write_system(system, out));
        let mut hash = Sha256::new_with_prefix(TAG);
        for section in [&model, &tools, &system] {
            hash.update(length(section));
            hash.update(section);
        }
        Self {
            fingerprint: hash.finalize().into(),
            sections: Sections {
                model: sha256_hex(&model),
                tools: sha256_hex(&tools),
                system: sha256_hex(&system),
                settings: sha256_hex(&bytes_of(|out| write_settings(settings, out))),
            },
        }
    }
}

/// The chain over the messages, from the fingerprint on.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    last: Hash,
    scratch: Scratch,
}

impl Chain {
    pub(super) fn from(fingerprint: Hash) -> Self {
        Self { last: fingerprint, scratch: Scratch::default() }
    }

    /// The hash of the last message, or the fingerprint.
    pub(super) fn last(&self) -> String {
        hex(&self.last)
    }

    /// Goes back to where the last hash was this one.
    pub(super) fn go_back(&mut self, last: Hash) {
        self.last = last;
    }

    /// Takes a message on, and gives it its hash and size.
    pub(super) fn extend(&mut self, message: &mut Message) {
        message.size = self.take(message);
        message.hash = self.last();
    }

    /// Takes a message on, and gives the length of its bytes.
    fn take(&mut self, message: &Message) -> usize {
        let bytes = self.scratch.bytes(|out| write_message(message, None, out));
        let mut hash = Sha256::new_with_prefix(self.last);
        hash.update(length(bytes));
        hash.update(bytes);
        self.last = hash.finalize().into();
        bytes.len()
    }
}

impl Prompt {
    /// The chain hash of the last message, worked out again from what stands in the prompt: model, tools,
    /// system and every message. It equals [`tail_hash`](Self::tail_hash) as long as nothing was changed.
    ///
    /// ```
    /// use throughline_core::prompt::{Input, assemble};
    /// let prompt = assemble(Input::default());
    /// assert_eq!(prompt.hash_again(), prompt.tail_hash);
    /// ```
    #[must_use]
    pub fn hash_again(&self) -> String {
        let prefix = Prefix::of(self.model.as_ref(), &self.tools, &self.system, &self.settings);
        let mut chain = Chain::from(prefix.fingerprint);
        for message in &self.messages {
            chain.take(message);
        }
        chain.last()
    }
}

/// The digest that a message's hash stands for.
pub(super) fn digest_of(hex: &str) -> Option<Hash> {
    let mut digest = Hash::default();
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if !rest.is_empty() || pairs.len() != digest.len() {
        return None;
    }
    for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
        let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        *byte = digit(*high)?.checked_mul(16)?.checked_add(digit(*low)?)?;
    }
    Some(digest)
}

fn length(bytes: &[u8]) -> [u8; 8] {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes()
}
