//! Rows as a summary reads them.

use crate::{
    json::{self, Json},
    model::{Arguments, Part, PartBody, ResultStatus, RowKind, StoredRow},
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
    pub(super) texts: Vec<&'a Clean>,
    /// Images and documents.
    pub(super) attachments: usize,
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
                    let texts = content.iter().filter_map(text_of).collect::<Vec<_>>();
                    let attachments = content.len().saturating_sub(texts.len());
                    result =
                        Some(CallResult { failed: *status != ResultStatus::Success, texts, attachments });
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

/// The texts of a row's own parts that may be sent, blank ones left out.
pub(super) fn texts(stored: &StoredRow) -> impl Iterator<Item = &Clean> {
    let sent = stored.parts.iter().filter(|part| part.replay);
    sent.filter_map(|part| text_of(&part.body)).filter(|text| !text.as_str().trim().is_empty())
}

/// The text of a row: its texts, one a line.
pub(super) fn text(stored: &StoredRow) -> Clean {
    let texts: Vec<Clean> = texts(stored).cloned().collect();
    Clean::join(&texts, "\n")
}

/// Names and media types of a row's images and documents.
pub(super) fn attachments(stored: &StoredRow) -> impl Iterator<Item = (Option<&Clean>, &Clean)> {
    stored.parts.iter().filter_map(|part| match &part.body {
        PartBody::Image { media_type, name, .. } | PartBody::Document { media_type, name, .. } => {
            Some((name.as_ref(), media_type))
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
        PartBody::ToolResult { content, .. } => {
            content.iter().filter_map(text_of).map(Clean::as_str).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn is_user(stored: &StoredRow) -> bool {
    stored.row.kind == RowKind::User
}
