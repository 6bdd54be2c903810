//! Stored parts into neutral parts.
use super::{
    Body, Diagnostic, Edit, HeldThinking, IssuedData, Media, Part, ResultContent, Upload,
    held::is_placeholder,
    layout::{Call, is_error},
    texts::{NIL, artifact_note, attachment_note, file_note, fixed},
};
use crate::{
    id::RowId,
    json::{self, Json, Reader},
    model::{
        self, Arguments, Issuer, MediaSource, PartBody, ProviderData, ResultStatus, Row, RowKind, StoredRow,
    },
    redact::Clean,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// A part of an assistant message and its place among the blocks.
pub(super) struct Block {
    pub(super) index: u32,
    pub(super) part: Part,
}

impl Part {
    pub(super) fn is_thinking(&self) -> bool {
        matches!(self.body, Body::Thinking { .. })
    }

    /// Whether it is text that says nothing; a signature may stand on an empty one.
    pub(super) fn is_blank(&self) -> bool {
        let is_signed = self.provider_data.as_ref().is_some_and(|data| data.signature.is_some());
        !is_signed && matches!(&self.body, Body::Text(text) if text.as_str().trim().is_empty())
    }

    fn is_media(&self) -> bool {
        matches!(self.body, Body::Image(_) | Body::Document(_))
    }
}

/// Texts as parts.
pub(super) fn texts<const N: usize>(texts: [Clean; N]) -> Vec<Part> {
    texts.into_iter().map(|text| Body::Text(text).into()).collect()
}

/// The parts of a user or developer row: its text first, then attachments in stored order. Where a row has
/// several texts their order says what belongs to which attachment, and stays. Blank text is left out.
pub(super) fn of_note(stored: &StoredRow, notes: &mut Vec<Diagnostic>) -> Vec<Part> {
    let mut out: Vec<Part> = blocks(stored, &[], notes, |body| {
        matches!(body, PartBody::Text { .. } | PartBody::Image { .. } | PartBody::Document { .. })
    })
    .map(|block| block.part)
    .filter(|part| !part.is_blank())
    .collect();
    if out.iter().filter(|part| !part.is_media()).count() == 1 {
        out.sort_by_key(Part::is_media);
    }
    out
}

/// What the model is told of the files of a user row, and of attachments that cannot be sent.
pub(super) fn of_files(stored: &StoredRow, uploads: &BTreeMap<String, Upload>) -> Vec<Part> {
    let note = |part: &model::Part| match &part.body {
        PartBody::File { id, name, media_type, size } => {
            let stored = || Upload { name: name.clone(), media_type: media_type.clone(), size: *size };
            let known = uploads.get(id.as_str()).cloned().unwrap_or_else(stored);
            Some(Body::Text(file_note(id, &known)).into())
        }
        PartBody::Image { media_type, name, .. } | PartBody::Document { media_type, name, .. }
            if !part.replay =>
        {
            let known = Upload { name: name.clone(), media_type: Some(media_type.clone()), size: None };
            Some(Body::Text(attachment_note(&known)).into())
        }
        _ => None,
    };
    // Of parts with one number the first counts; the others were reported with the blocks.
    let mut parts = in_order(&stored.parts);
    parts.dedup_by_key(|part| part.index);
    parts.into_iter().filter_map(note).collect()
}

/// The text of an artifact row, framed; nothing when it has none.
pub(super) fn of_artifact(stored: &StoredRow, notes: &mut Vec<Diagnostic>) -> Vec<Part> {
    let parts = blocks(stored, &[], notes, |body| matches!(body, PartBody::Text { .. }));
    let framed = |block: Block| match &block.part.body {
        Body::Text(text) if !block.part.is_blank() => Some(Body::Text(artifact_note(text)).into()),
        _ => None,
    };
    parts.filter_map(framed).collect()
}

/// The parts of an assistant row by index, those that are `held` in memory among them; a block stored twice is
/// there once.
pub(super) fn of_assistant(
    stored: &StoredRow,
    held: &[HeldThinking],
    notes: &mut Vec<Diagnostic>,
) -> Vec<Block> {
    let row = &stored.row;
    let mut out: Vec<Block> = Vec::with_capacity(stored.parts.len());
    let allowed = |body: &PartBody| !matches!(body, PartBody::ToolCall { .. } | PartBody::ToolResult { .. });
    let mut duplicates = Vec::new();
    for block in blocks(stored, held, notes, allowed) {
        match out.iter().any(|earlier| is_same_thinking(&earlier.part, &block.part)) {
            true => duplicates.push(block.index),
            false => out.push(block),
        }
    }
    notes.extend(duplicates.into_iter().map(|index| duplicate(row, index)));
    out
}

/// Whether two thinking blocks carry the same signature or the same data: the same block, stored twice.
fn is_same_thinking(a: &Part, b: &Part) -> bool {
    let (Some(a_data), Some(b_data)) = (&a.provider_data, &b.provider_data) else { return false };
    let is_signed = a_data.signature.is_some() || a_data.data.is_some();
    a.is_thinking() && b.is_thinking() && is_signed && a_data == b_data
}

fn in_order(parts: &[model::Part]) -> Vec<&model::Part> {
    let mut parts: Vec<&model::Part> = parts.iter().collect();
    parts.sort_by_key(|part| part.index);
    parts
}

/// The sendable parts of a row in order of their index, each index once. What a note tells of is no part.
fn blocks<'a>(
    stored: &'a StoredRow,
    held: &'a [HeldThinking],
    notes: &'a mut Vec<Diagnostic>,
    is_allowed: impl Fn(&PartBody) -> bool + 'a,
) -> impl Iterator<Item = Block> + 'a {
    let row = &stored.row;
    let mut last = None;
    in_order(&stored.parts).into_iter().filter_map(move |part| {
        let index = part.index;
        let is_repeated = last.replace(index) == Some(index);
        if let Some(held) = held.iter().find(|held| !is_repeated && held.stands_for(part)) {
            notes.push(sent_from_memory(row).index(held.block));
            // No text of it stands in the neutral prompt: what is not stored has its data from memory alone.
            let data =
                if is_placeholder(part) { Some(&held.provider_data) } else { part.provider_data.as_ref() };
            let provider_data = issued(data, row.issuer.as_ref());
            return Some(Block { index, part: Part { body: body(&part.body)?, provider_data } });
        }
        let refused = if is_repeated {
            Some(duplicate(row, index))
        } else if row.kind == RowKind::User && matches!(part.body, PartBody::File { .. }) {
            return None;
        } else if !part.replay {
            Some(withheld(&part.body, row))
        } else if !is_allowed(&part.body) {
            Some(misplaced(&part.body, row))
        } else {
            None
        };
        if let Some(note) = refused {
            notes.push(note.index(usize::try_from(index).unwrap_or(usize::MAX)));
            return None;
        }
        let body = body(&part.body)?;
        Some(Block {
            index,
            part: Part { body, provider_data: issued(part.provider_data.as_ref(), row.issuer.as_ref()) },
        })
    })
}

fn duplicate(row: &Row, index: u32) -> Diagnostic {
    Diagnostic::new("duplicate_part", "the row holds this part already")
        .row(&row.id)
        .index(usize::try_from(index).unwrap_or(usize::MAX))
}

fn withheld(body: &PartBody, row: &Row) -> Diagnostic {
    let (code, message) = match body {
        PartBody::Thinking { .. } => ("thinking_withheld", "thinking that may not be sent again is left out"),
        PartBody::Image { .. } | PartBody::Document { .. } if row.kind == RowKind::User => {
            let note = "an attachment that can no longer be sent is named in a note";
            return Diagnostic::new("attachment_expired", note).row(&row.id).edit(Edit::AttachmentExpired);
        }
        _ => ("part_withheld", "a part that may not be sent again is left out"),
    };
    Diagnostic::new(code, message).row(&row.id)
}

fn sent_from_memory(row: &Row) -> Diagnostic {
    let note = "thinking that may not be stored is sent from memory until its tool round ends";
    Diagnostic::new("thinking_held", note).row(&row.id)
}

fn misplaced(body: &PartBody, row: &Row) -> Diagnostic {
    let (code, message) = match body {
        PartBody::ToolResult { .. } => ("orphan_result", "a result without a call is left out"),
        _ => ("part_misplaced", "this kind of row holds no such part; left out"),
    };
    Diagnostic::new(code, message).row(&row.id)
}

fn body(body: &PartBody) -> Option<Body> {
    let media = |media_type: &Clean, source: &MediaSource, name: &Option<Clean>| Media {
        media_type: media_type.clone(),
        source: source.clone(),
        name: name.clone(),
    };
    match body {
        PartBody::Text { text } => Some(Body::Text(text.clone())),
        PartBody::Image { media_type, source, name } => Some(Body::Image(media(media_type, source, name))),
        PartBody::Document { media_type, source, name } => {
            Some(Body::Document(media(media_type, source, name)))
        }
        PartBody::Thinking { text, redacted } => {
            Some(Body::Thinking { text: text.clone(), redacted: *redacted })
        }
        PartBody::Value { json } => Some(Body::Text(value_text(json))),
        PartBody::File { .. } | PartBody::ToolCall { .. } | PartBody::ToolResult { .. } => None,
    }
}

/// A JSON value as the text of a result: a string is its text, `null` is [`NIL`], the rest canonical JSON.
fn value_text(value: &Clean) -> Clean {
    if value.as_str().trim() == "null" {
        return fixed(NIL);
    }
    value.json_string().unwrap_or_else(|| value.clone())
}

/// Provider data with its issuer.
pub(super) fn issued(data: Option<&ProviderData>, issuer: Option<&Issuer>) -> Option<IssuedData> {
    let ProviderData { signature, data, item_id } = data?;
    if signature.is_none() && data.is_none() && item_id.is_none() {
        return None;
    }
    let (signature, data, item_id) = (signature.clone(), data.clone(), item_id.clone());
    Some(IssuedData { issuer: issuer.cloned(), signature, data, item_id })
}

/// The request of a call.
pub(super) fn request(call: &Call, notes: &mut Vec<Diagnostic>) -> Part {
    let arguments = arguments(&call.arguments, &call.row, notes);
    let body = Body::ToolCall { id: call.id.clone(), name: call.name.clone(), arguments };
    Part { body, provider_data: issued(call.provider_data.as_ref(), call.issuer.as_ref()) }
}

/// Arguments decoded when they are JSON of at most 128 levels, else as text.
fn arguments(arguments: &Arguments, row: &RowId, notes: &mut Vec<Diagnostic>) -> Json {
    let text = match arguments {
        Arguments::Text(text) => return Json::from(text.as_str()),
        Arguments::Json(text) => text.as_str(),
    };
    let mut reader = Reader::new(text.as_bytes(), json::Options::STRICT);
    match reader.value().and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => {
            if reader.repairs().duplicate_keys > 0 {
                notes.push(
                    Diagnostic::new("duplicate_keys", "of a key that stands twice the last counts").row(row),
                );
            }
            value
        }
        Err(_) => Json::from(text),
    }
}

/// A stored result.
pub(super) fn result(
    id: String,
    status: ResultStatus,
    content: &[PartBody],
    provider_data: Option<IssuedData>,
    row: &RowId,
    notes: &mut Vec<Diagnostic>,
) -> Part {
    let mut parts = Vec::with_capacity(content.len());
    for item in content {
        match item {
            PartBody::Text { .. }
            | PartBody::Value { .. }
            | PartBody::Image { .. }
            | PartBody::Document { .. } => parts.extend(body(item).map(Part::from)),
            _ => notes
                .push(Diagnostic::new("part_misplaced", "a result holds no such part; left out").row(row)),
        }
    }
    let content = match parts.as_mut_slice() {
        [] => ResultContent::Text(Clean::default()),
        [Part { body: Body::Text(text), .. }] => ResultContent::Text(core::mem::take(text)),
        _ => ResultContent::Parts(parts),
    };
    let is_error = is_error(status);
    Part { body: Body::ToolResult { id, content, is_error }, provider_data }
}

/// A result that the rows do not hold.
pub(super) fn made_up(id: String, text: Clean, is_error: bool) -> Part {
    Body::ToolResult { id, content: ResultContent::Text(text), is_error }.into()
}
