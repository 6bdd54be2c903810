//! The size of a prompt, as far as a counter of texts can tell.

use crate::{
    json::canonical,
    model::{TokenCounter, total_tokens},
    prompt::{Body, HeldTexts, Part, Prompt, ResultContent},
    redact::Opaque,
};
use alloc::{string::String, vec::Vec};

/// What an image or document counts for.
const MEDIA_TOKENS: u64 = 1600;
/// What a message adds to its texts.
const MESSAGE_TOKENS: u64 = 4;

/// The tokens of a prompt by a counter of texts: system texts, tools and messages with what their issuers alone can
/// read and with thinking that is in memory alone, four more for each message, and 1,600 for each image or document.
pub fn prompt_tokens<C: TokenCounter + ?Sized>(prompt: &Prompt, counter: &C) -> u64 {
    let mut sizes = Sizes { texts: Vec::new(), written: Vec::new(), media: 0, held: &prompt.held };
    sizes.texts.extend(prompt.system.iter().map(|text| text.as_str()));
    for tool in &prompt.tools {
        sizes.texts.extend([tool.name.as_str(), tool.description.as_str()]);
        sizes.written.push(canonical(&tool.input_schema));
    }
    for message in &prompt.messages {
        message.parts.iter().for_each(|part| sizes.part(part));
    }
    let Sizes { mut texts, written, media, .. } = sizes;
    texts.extend(written.iter().map(String::as_str));
    let messages = u64::try_from(prompt.messages.len()).unwrap_or(u64::MAX);
    total_tokens(counter, &texts)
        .saturating_add(media.saturating_mul(MEDIA_TOKENS))
        .saturating_add(messages.saturating_mul(MESSAGE_TOKENS))
}

struct Sizes<'a> {
    texts: Vec<&'a str>,
    written: Vec<String>,
    media: u64,
    held: &'a HeldTexts,
}

impl<'a> Sizes<'a> {
    fn part(&mut self, part: &'a Part) {
        match &part.body {
            Body::Text(text) | Body::Thinking { text, .. } => self.texts.push(text.as_str()),
            Body::Image(_) | Body::Document(_) => self.media = self.media.saturating_add(1),
            Body::ToolCall { name, arguments, .. } => {
                self.texts.push(name.as_str());
                self.written.push(canonical(arguments));
            }
            Body::ToolResult { content: ResultContent::Text(text), .. } => self.texts.push(text.as_str()),
            Body::ToolResult { content: ResultContent::Parts(parts), .. } => {
                parts.iter().for_each(|part| self.part(part));
            }
        }
        self.texts.extend(part.held_in(self.held).into_iter().flatten().map(String::as_str));
        let issued = part.provider_data.iter().flat_map(|issued| [&issued.signature, &issued.data]);
        self.texts.extend(issued.flatten().map(Opaque::as_str));
    }
}

#[cfg(test)]
mod tests {
    use super::prompt_tokens;
    use crate::{
        model::{EstimatedTokens, ProviderData, StoredRow},
        prompt::{
            HeldThinking, Input, assemble,
            tests::rows::{assistant, by, call, prompt, thinking, user},
        },
    };
    use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

    fn rows(words: &str, signature: &str) -> Vec<StoredRow> {
        let mut answer = assistant("a1", 2);
        answer.parts = vec![thinking("a1", 0, words, signature)];
        answer.row.issuer = Some(by("m"));
        answer.row.generation_checkpoint_id = Some(String::new());
        // In the tool round of now it is sent.
        vec![user("u1", 1), answer, call("c1", 3, Some(("a1", 0)))]
    }

    #[test]
    fn a_signature_counts() {
        let tokens = |signature: &str| prompt_tokens(&prompt(rows("hm", signature)), &EstimatedTokens);
        assert!(tokens(&"s".repeat(4000)) >= tokens("s") + 500);
    }

    #[test]
    fn thinking_that_is_in_memory_alone_counts() {
        let tokens = |piece: &str| {
            let mut rows = rows("", "c2ln");
            let part = &mut rows[1].parts[0];
            let provider_data = part.provider_data.replace(ProviderData::NOTHING).unwrap();
            part.replay = false;
            let block = HeldThinking { block: 0, pieces: vec![piece.into()], provider_data };
            let held = BTreeMap::from([(rows[1].row.id.clone(), vec![block])]);
            prompt_tokens(&assemble(Input { rows, held, ..Input::default() }), &EstimatedTokens)
        };
        assert!(tokens(&"word ".repeat(1000)) >= tokens("word") + 500);
    }
}
