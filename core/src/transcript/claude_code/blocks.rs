//! Content blocks as parts, scrubbed.

use crate::{
    json::{Json, canonical},
    model::{Arguments, MediaSource, PartBody},
    redact::{Clean, CleanJson, Finding, Opaque, Records, Redactor},
};
use alloc::vec::Vec;

/// Arguments deeper than this are opaque text (`spec/prompt.md`, canonical JSON).
const MAX_DEPTH: usize = 128;

/// Scrubs what a log says. Each text is a record, in which what others before it held is looked for.
pub(super) struct Scrub<'a> {
    redactor: &'a Redactor,
    secrets: &'a mut Records,
    pub(super) found: Vec<Finding>,
}

impl<'a> Scrub<'a> {
    pub(super) fn new(redactor: &'a Redactor, secrets: &'a mut Records) -> Self {
        Self { redactor, secrets, found: Vec::new() }
    }

    pub(super) fn text(&mut self, text: &str) -> Clean {
        let mut redaction = self.secrets.redact(self.redactor, text);
        self.found.append(&mut redaction.findings);
        redaction.text
    }

    /// Whether nothing is found in a text.
    fn is_clean(&mut self, text: &str) -> bool {
        self.secrets.verbatim(self.redactor, text).is_some()
    }

    fn json(&mut self, json: &Json) -> CleanJson {
        let (clean, mut findings) = self.secrets.redact_json(self.redactor, json);
        self.found.append(&mut findings);
        clean
    }
}

/// The arguments of a call: canonical JSON without secrets.
pub(super) fn arguments(scrub: &mut Scrub<'_>, input: &Json) -> Arguments {
    if depth_exceeds(input, MAX_DEPTH) {
        return Arguments::Text(scrub.text(&canonical(input)));
    }
    Arguments::Json(scrub.json(input).to_clean())
}

fn depth_exceeds(json: &Json, limit: usize) -> bool {
    let Some(below) = limit.checked_sub(1) else {
        return matches!(json, Json::Array(_) | Json::Object(_));
    };
    match json {
        Json::Array(items) => items.iter().any(|item| depth_exceeds(item, below)),
        Json::Object(members) => members.iter().any(|(_, value)| depth_exceeds(value, below)),
        _ => false,
    }
}

/// Text, images and documents of a user's message or of a tool's result. What is none of these is kept as
/// the text of its JSON.
pub(super) fn content(scrub: &mut Scrub<'_>, content: Option<&Json>) -> Vec<PartBody> {
    match content {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::String(text)) => alloc::vec![text_part(scrub, text)],
        Some(Json::Array(blocks)) => blocks.iter().map(|block| part(scrub, block)).collect(),
        Some(other) => alloc::vec![part(scrub, other)],
    }
}

/// One block as a part.
pub(super) fn part(scrub: &mut Scrub<'_>, block: &Json) -> PartBody {
    let text = |key: &str| block.get(key).and_then(Json::as_str);
    match text("type") {
        Some("text") => text_part(scrub, text("text").unwrap_or_default()),
        Some(kind @ ("image" | "document")) => {
            media(scrub, block, kind == "image").unwrap_or_else(|| json_part(scrub, block))
        }
        _ => json_part(scrub, block),
    }
}

pub(super) fn text_part(scrub: &mut Scrub<'_>, text: &str) -> PartBody {
    PartBody::Text { text: scrub.text(text) }
}

fn json_part(scrub: &mut Scrub<'_>, block: &Json) -> PartBody {
    PartBody::Text { text: scrub.json(block).to_clean() }
}

/// Whether what is of a media type is read as text.
fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/")
        || ["json", "xml", "yaml", "javascript"].iter().any(|end| media_type.ends_with(end))
}

fn media(scrub: &mut Scrub<'_>, block: &Json, image: bool) -> Option<PartBody> {
    let source = block.get("source")?;
    let text = |key: &str| source.get(key).and_then(Json::as_str);
    let media_type = scrub.text(text("media_type").unwrap_or_default());
    let name = block.get("title").and_then(Json::as_str).map(|title| scrub.text(title));
    let source = match text("type")? {
        // Binary parts are stored as they are; what is no base64 is none. Text is no binary part (`spec/prompt.md`,
        // thinking): where it holds a secret it is kept as the scrubbed JSON of its block.
        "base64" => {
            let data = text("data")?;
            let is_clean = !is_text(media_type.as_str()) || scrub.is_clean(data);
            MediaSource::Base64(Opaque::signature(data).filter(|_| is_clean)?)
        }
        "url" => MediaSource::Url(scrub.text(text("url")?)),
        "file" => MediaSource::File(scrub.text(text("file_id")?)),
        _ => return None,
    };
    Some(if image {
        PartBody::Image { media_type, source, name }
    } else {
        PartBody::Document { media_type, source, name }
    })
}
