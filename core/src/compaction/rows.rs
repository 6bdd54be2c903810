//! Rows as a summary reads them.

use crate::{
    json::{self, Json},
    model::{Arguments, Part, PartBody, ResultStatus, RowKind, Stale, StoredRow},
    redact::{Clean, Redactor},
};
use alloc::vec::Vec;

/// A call with what came of it.
pub(super) struct Call<'a> {
    pub(super) name: &'a Clean,
    pub(super) arguments: &'a Clean,
    is_json: bool,
    /// `None` while it is pending.
    pub(super) result: Option<CallResult<'a>>,
}

/// The result of a call.
pub(super) struct CallResult<'a> {
    pub(super) failed: bool,
    /// Why it no longer counts; then there is nothing else of it.
    pub(super) withdrawn: Option<&'a Stale>,
    content: &'a [PartBody],
}

impl CallResult<'_> {
    /// Its text, piece by piece.
    pub(super) fn text(&self) -> Clean {
        let texts: Vec<Clean> = self.content.iter().filter_map(result_text).collect();
        Clean::join(&texts, "\n")
    }

    /// Whether there is text in it.
    pub(super) fn has_text(&self) -> bool {
        self.content.iter().any(|body| text_of_result(body).is_some())
    }

    /// How many images and documents are in it.
    pub(super) fn attachments(&self) -> usize {
        self.content.iter().filter(|body| text_of_result(body).is_none()).count()
    }
}

/// What says in the arguments of a call what it is about; the first that is there counts.
const TARGETS: [&str; 12] = [
    "file_path",
    "notebook_path",
    "path",
    "command",
    "cmd",
    "pattern",
    "query",
    "url",
    "description",
    "subject",
    "prompt",
    "name",
];
/// Which of them name files.
const FILES: [&str; 3] = ["file_path", "notebook_path", "path"];

impl<'a> Call<'a> {
    /// The call of a row, whatever kind of call it is: a row that holds none is no call.
    pub(super) fn of(stored: &'a StoredRow) -> Option<Self> {
        let mut call = None;
        let mut result = None;
        for part in stored.parts.iter().filter(|part| part.replay) {
            match &part.body {
                PartBody::ToolCall { name, arguments, .. } if call.is_none() => {
                    call = Some((name, arguments))
                }
                PartBody::ToolResult { status, content, .. } if result.is_none() => {
                    let withdrawn = stored.row.stale();
                    let content = if withdrawn.is_some() { &[] } else { content.as_slice() };
                    let failed = *status != ResultStatus::Success;
                    result = Some(CallResult { failed, withdrawn, content });
                }
                _ => {}
            }
        }
        let (name, arguments) = call?;
        let (arguments, is_json) = match arguments {
            Arguments::Json(text) => (text, true),
            Arguments::Text(text) => (text, false),
        };
        Some(Self { name, arguments, is_json, result })
    }

    /// What the call is about, on one line: a path, a command, a question.
    pub(super) fn target(&self, redactor: &Redactor) -> Option<Clean> {
        let value = self.value()?;
        let named = TARGETS.iter().find_map(|key| value.get(key)?.as_str());
        let other = || value.as_object()?.iter().find_map(|(_, value)| value.as_str());
        let target = named.or_else(other).filter(|text| !text.trim().is_empty())?;
        // Decoded text is scrubbed once more: it is no piece of the clean text that it stood in.
        Some(redactor.clean(target).one_line())
    }

    /// The file that the call names.
    pub(super) fn file(&self, redactor: &Redactor) -> Option<Clean> {
        let value = self.value()?;
        let path =
            FILES.iter().find_map(|key| value.get(key)?.as_str()).filter(|path| !path.trim().is_empty())?;
        Some(redactor.clean(path).one_line())
    }

    fn value(&self) -> Option<Json> {
        if self.is_json { json::parse(self.arguments.as_str()).ok() } else { None }
    }
}

fn text_of(body: &PartBody) -> Option<&Clean> {
    match body {
        PartBody::Text { text } => Some(text),
        _ => None,
    }
}

/// The text of a piece of a result; of a JSON value its text, where it is a string.
fn result_text(body: &PartBody) -> Option<Clean> {
    match body {
        PartBody::Value { json } => Some(json.json_string().unwrap_or_else(|| json.clone())),
        _ => text_of(body).cloned(),
    }
}

/// The texts of a row's own parts that may be sent, blank ones left out.
pub(super) fn texts(stored: &StoredRow) -> impl Iterator<Item = &Clean> {
    let sent = stored.parts.iter().filter(|part| part.replay);
    sent.filter_map(|part| text_of(&part.body)).filter(|text| !text.as_str().trim().is_empty())
}

/// What is known of an image, a document or an uploaded file.
pub(super) struct Attachment<'a> {
    pub(super) name: Option<&'a Clean>,
    pub(super) media_type: Option<&'a Clean>,
}

impl<'a> Attachment<'a> {
    /// Its name, or what it is.
    pub(super) fn label(&self) -> Option<&'a Clean> {
        self.name.or(self.media_type)
    }
}

/// A row's images, documents and files.
pub(super) fn attachments(stored: &StoredRow) -> impl Iterator<Item = Attachment<'_>> {
    stored.parts.iter().filter_map(|part| match &part.body {
        PartBody::Image { media_type, name, .. } | PartBody::Document { media_type, name, .. } => {
            Some(Attachment { name: name.as_ref(), media_type: Some(media_type) })
        }
        PartBody::File { name, media_type, .. } => {
            Some(Attachment { name: name.as_ref(), media_type: media_type.as_ref() })
        }
        _ => None,
    })
}

/// All text of a row that a prompt holds while the row replays; thinking is left out, since it seldom does.
pub(super) fn replayed(stored: &StoredRow) -> impl Iterator<Item = &str> {
    stored.parts.iter().filter(|part| part.replay).flat_map(texts_of_part)
}

fn texts_of_part(part: &Part) -> Vec<&str> {
    match &part.body {
        PartBody::Text { text } => alloc::vec![text.as_str()],
        PartBody::ToolCall { name, arguments: Arguments::Json(text) | Arguments::Text(text), .. } => {
            alloc::vec![name.as_str(), text.as_str()]
        }
        PartBody::ToolResult { content, .. } => content.iter().filter_map(text_of_result).collect(),
        _ => Vec::new(),
    }
}

fn text_of_result(body: &PartBody) -> Option<&str> {
    match body {
        PartBody::Value { json } => Some(json.as_str()),
        _ => text_of(body).map(Clean::as_str),
    }
}

/// Whether a row opens a turn: a user's, and none that came while one ran.
pub(super) fn is_request(stored: &StoredRow) -> bool {
    stored.row.kind == RowKind::User && stored.row.input().is_none()
}
