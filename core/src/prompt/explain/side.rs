//! What is compared: a prompt, or one that was printed and read back.
use super::super::{
    Edit, Prompt, Role,
    write::{bytes_of, write_message, write_model, write_part, write_settings, write_tool},
};
use crate::json::write_string;
use alloc::{borrow::Cow, string::String, vec::Vec};

/// A remark on a row, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark<'a> {
    pub(super) code: &'a str,
    pub(super) row: &'a str,
    pub(super) edit: Edit,
}

/// One of the two prompts. Items are given as their canonical JSON.
pub(super) trait Side {
    fn model(&self) -> Cow<'_, str>;
    fn tools(&self) -> usize;
    fn tool(&self, index: usize) -> Cow<'_, str>;
    fn system(&self) -> usize;
    fn system_part(&self, index: usize) -> Cow<'_, str>;
    /// The settings, without or with the one that no cache depends on.
    fn settings(&self, all: bool) -> Cow<'_, str>;
    fn messages(&self) -> usize;
    fn message(&self, index: usize) -> Cow<'_, str>;
    /// The length of a message's canonical JSON.
    fn size(&self, index: usize) -> usize;
    fn role(&self, index: usize) -> &str;
    fn row(&self, index: usize) -> &str;
    /// The parts of a message, thinking apart.
    fn spoken(&self, index: usize) -> Vec<Cow<'_, str>>;
    /// The chain hash at a message, where it is known to be right, and the fingerprint that it begins with.
    fn chain(&self, index: usize) -> Option<(&str, &str)>;
    fn stable_len(&self) -> usize;
    fn boundary(&self) -> Option<&str>;
    fn text_version(&self) -> u64;
    /// Remarks that name an edit.
    fn remarks(&self) -> Vec<Remark<'_>>;
}

fn text_of(write: impl FnOnce(&mut String)) -> Cow<'static, str> {
    Cow::Owned(String::from_utf8(bytes_of(write)).unwrap_or_default())
}

impl Side for Prompt {
    fn model(&self) -> Cow<'_, str> {
        text_of(|out| write_model(self.model.as_ref(), out))
    }

    fn tools(&self) -> usize {
        self.tools.len()
    }

    fn tool(&self, index: usize) -> Cow<'_, str> {
        self.tools.get(index).map_or(Cow::Borrowed(""), |tool| text_of(|out| write_tool(tool, out)))
    }

    fn system(&self) -> usize {
        self.system.len()
    }

    fn system_part(&self, index: usize) -> Cow<'_, str> {
        let part = self.system.get(index);
        part.map_or(Cow::Borrowed(""), |text| text_of(|out| write_string(text.as_str(), out)))
    }

    fn settings(&self, all: bool) -> Cow<'_, str> {
        let mut settings = self.settings.clone();
        if !all {
            settings.max_output_tokens = None;
        }
        text_of(|out| write_settings(&settings, out))
    }

    fn messages(&self) -> usize {
        self.messages.len()
    }

    fn message(&self, index: usize) -> Cow<'_, str> {
        let message = self.messages.get(index);
        message.map_or(Cow::Borrowed(""), |message| text_of(|out| write_message(message, None, out)))
    }

    fn size(&self, index: usize) -> usize {
        self.messages.get(index).map_or(0, |message| message.size)
    }

    fn role(&self, index: usize) -> &str {
        self.messages.get(index).map_or("", |message| message.role.as_str())
    }

    fn row(&self, index: usize) -> &str {
        self.messages.get(index).map_or("", |message| message.row.as_str())
    }

    fn spoken(&self, index: usize) -> Vec<Cow<'_, str>> {
        let parts = self.messages.get(index).map_or(&[][..], |message| message.parts.as_slice());
        let spoken = parts.iter().filter(|part| !part.is_thinking());
        spoken.map(|part| text_of(|out| write_part(part, out))).collect()
    }

    fn chain(&self, index: usize) -> Option<(&str, &str)> {
        self.messages.get(index).map(|message| (message.hash.as_str(), self.fingerprint.as_str()))
    }

    fn stable_len(&self) -> usize {
        self.stable_len
    }

    fn boundary(&self) -> Option<&str> {
        self.boundary.as_ref().map(|boundary| boundary.as_str())
    }

    fn text_version(&self) -> u64 {
        self.render_text_version.into()
    }

    fn remarks(&self) -> Vec<Remark<'_>> {
        let notes = self.diagnostics.iter();
        notes
            .filter_map(|note| {
                Some(Remark { code: note.code, row: note.row.as_ref()?.as_str(), edit: note.edit? })
            })
            .collect()
    }
}

/// The name of a role, for a message that is read back.
pub(super) fn is_role(name: &str) -> bool {
    [Role::User, Role::Assistant, Role::Tool, Role::Developer, Role::System]
        .into_iter()
        .any(|role| role.as_str() == name)
}
