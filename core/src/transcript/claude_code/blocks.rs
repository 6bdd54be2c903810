//! Content blocks as parts, scrubbed.

use crate::{
    json::{Json, canonical},
    model::{Arguments, MediaSource, PartBody},
    redact::{Finding, Opaque, Redactor},
};
use alloc::vec::Vec;

/// Arguments deeper than this are opaque text (`spec/prompt.md`, canonical JSON).
const MAX_DEPTH: usize = 128;

/// The arguments of a call: canonical JSON without secrets.
pub(super) fn arguments(redactor: &Redactor, input: &Json) -> (Arguments, Vec<Finding>) {
    if depth_exceeds(input, MAX_DEPTH) {
        let found = redactor.redact_record(&canonical(input));
        return (Arguments::Text(found.text), found.findings);
    }
    let (json, findings) = redactor.redact_json(input);
    (Arguments::Json(json.to_clean()), findings)
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
pub(super) fn content(
    redactor: &Redactor,
    content: Option<&Json>,
    found: &mut Vec<Finding>,
) -> Vec<PartBody> {
    match content {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::String(text)) => alloc::vec![text_part(redactor, text, found)],
        Some(Json::Array(blocks)) => blocks.iter().map(|block| part(redactor, block, found)).collect(),
        Some(other) => alloc::vec![part(redactor, other, found)],
    }
}

/// One block as a part.
pub(super) fn part(redactor: &Redactor, block: &Json, found: &mut Vec<Finding>) -> PartBody {
    let text = |key: &str| block.get(key).and_then(Json::as_str);
    match text("type") {
        Some("text") => text_part(redactor, text("text").unwrap_or_default(), found),
        Some(kind @ ("image" | "document")) => media(redactor, block, kind == "image", found)
            .unwrap_or_else(|| json_part(redactor, block, found)),
        _ => json_part(redactor, block, found),
    }
}

pub(super) fn text_part(redactor: &Redactor, text: &str, found: &mut Vec<Finding>) -> PartBody {
    let mut redaction = redactor.redact_record(text);
    found.append(&mut redaction.findings);
    PartBody::Text { text: redaction.text }
}

fn json_part(redactor: &Redactor, block: &Json, found: &mut Vec<Finding>) -> PartBody {
    let (json, mut findings) = redactor.redact_json(block);
    found.append(&mut findings);
    PartBody::Text { text: json.to_clean() }
}

fn media(redactor: &Redactor, block: &Json, image: bool, found: &mut Vec<Finding>) -> Option<PartBody> {
    let source = block.get("source")?;
    let text = |key: &str| source.get(key).and_then(Json::as_str);
    let mut clean = |text: &str| {
        let mut redaction = redactor.redact_record(text);
        found.append(&mut redaction.findings);
        redaction.text
    };
    let media_type = clean(text("media_type").unwrap_or_default());
    let name = block.get("title").and_then(Json::as_str).map(&mut clean);
    let source = match text("type")? {
        // Binary parts are stored as they are; what is no base64 is none.
        "base64" => MediaSource::Base64(Opaque::signature(text("data")?)?),
        "url" => MediaSource::Url(clean(text("url")?)),
        "file" => MediaSource::File(clean(text("file_id")?)),
        _ => return None,
    };
    Some(if image {
        PartBody::Image { media_type, source, name }
    } else {
        PartBody::Document { media_type, source, name }
    })
}
