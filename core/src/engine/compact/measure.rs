//! The size of a prompt, as far as a counter of texts can tell.

use crate::{
    json::canonical,
    model::{TokenCounter, total_tokens},
    prompt::{Body, Part, Prompt, ResultContent},
};
use alloc::{string::String, vec::Vec};

/// What an image or document counts for.
const MEDIA_TOKENS: u64 = 1600;
/// What a message adds to its texts.
const MESSAGE_TOKENS: u64 = 4;

/// The tokens of a prompt by a counter of texts: system texts, tools and messages, four more for each message,
/// and 1,600 for each image or document.
pub fn prompt_tokens<C: TokenCounter + ?Sized>(prompt: &Prompt, counter: &C) -> u64 {
    let mut sizes = Sizes { texts: Vec::new(), written: Vec::new(), media: 0 };
    sizes.texts.extend(prompt.system.iter().map(|text| text.as_str()));
    for tool in &prompt.tools {
        sizes.texts.extend([tool.name.as_str(), tool.description.as_str()]);
        sizes.written.push(canonical(&tool.input_schema));
    }
    for message in &prompt.messages {
        message.parts.iter().for_each(|part| sizes.part(part));
    }
    let Sizes { mut texts, written, media } = sizes;
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
        if let Some(data) = part.provider_data.as_ref().and_then(|data| data.data.as_ref()) {
            self.texts.push(data.as_str());
        }
    }
}
