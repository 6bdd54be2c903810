//! A provider that signs its thinking, and refuses it when anything before it is not what it saw. It knows the
//! requests alone, as they go over the wire, and nothing of rows, hashes or boundaries.
use std::collections::BTreeMap;
use throughline_core::json::{Json, canonical};

/// What it saw before each signature: one number for all of it.
#[derive(Debug, Default)]
pub(super) struct Provider {
    signed: BTreeMap<String, u64>,
    /// What stood in the last request; what it answers stands behind that.
    seen: u64,
    next: u64,
}

/// What it says of the thinking in a request.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Signatures that it knows, behind what it saw.
    pub(super) accepted: Vec<String>,
    /// Signatures that it knows, behind something else.
    pub(super) refused: Vec<String>,
    /// Signatures that are not its own.
    pub(super) foreign: usize,
}

/// FNV-1a, going on from what came before.
fn mix(before: u64, text: &str) -> u64 {
    let mixed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    text.bytes().chain([0]).fold(before, mixed)
}

fn items<'a>(value: &'a Json, key: &str) -> &'a [Json] {
    value.get(key).and_then(Json::as_array).unwrap_or_default()
}

fn text<'a>(value: &'a Json, key: &str) -> &'a str {
    value.get(key).and_then(Json::as_str).unwrap_or_default()
}

impl Provider {
    /// Reads a request: model, tools, system, then message by message and block by block.
    pub(super) fn read(&mut self, body: &Json) -> Verdict {
        let mut verdict = Verdict::default();
        let mut seen = 0xCBF2_9CE4_8422_2325;
        for section in ["model", "tools", "system"] {
            seen = mix(seen, &body.get(section).map(canonical).unwrap_or_default());
        }
        for message in items(body, "messages") {
            seen = mix(seen, text(message, "role"));
            for block in items(message, "content") {
                if text(block, "type") == "thinking" {
                    let signature = text(block, "signature");
                    match self.signed.get(signature) {
                        None => verdict.foreign += 1,
                        Some(known) if *known == seen => verdict.accepted.push(signature.to_owned()),
                        Some(_) => verdict.refused.push(signature.to_owned()),
                    }
                }
                seen = mix(seen, &canonical(block));
            }
        }
        self.seen = mix(seen, "assistant");
        verdict
    }

    /// Signs thinking that stands first in the answer to the last request.
    pub(super) fn sign(&mut self) -> String {
        self.next += 1;
        // Base64, as signatures are.
        let signature = format!("c2ln{:08}", self.next);
        self.signed.insert(signature.clone(), self.seen);
        signature
    }
}
