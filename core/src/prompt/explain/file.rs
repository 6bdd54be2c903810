//! A prompt that was printed and is read back.
use super::side::{Remark, Side, is_role};
use crate::{
    json::{self, Json, Object, canonical},
    prompt::{Edit, PromptError},
};
use alloc::{
    borrow::{Cow, ToOwned},
    format,
    string::String,
    vec::Vec,
};

/// A prompt as `throughline prompt --json` prints it, read back to be compared. Its hashes are not believed:
/// what stands in it is.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptFile {
    model: String,
    tools: Vec<String>,
    system: Vec<String>,
    settings: Object,
    messages: Vec<Message>,
    stable_len: usize,
    boundary: Option<String>,
    text_version: u64,
    remarks: Vec<(String, String, Edit)>,
}

#[derive(Debug, Clone, PartialEq)]
struct Message {
    text: String,
    role: String,
    row: String,
    spoken: Vec<String>,
}

impl PromptFile {
    /// Reads neutral JSON (`spec/cli.md`). Fields that are not known are passed over.
    ///
    /// ```
    /// use throughline_core::prompt::{Input, PromptFile, assemble};
    /// let printed = assemble(Input::default()).json_text();
    /// assert!(PromptFile::read(&printed).is_ok());
    /// assert_eq!(PromptFile::read("{}").unwrap_err().path(), "messages");
    /// ```
    ///
    /// # Errors
    /// `prompt_invalid` with a path such as `messages[2].role`.
    pub fn read(text: &str) -> Result<Self, PromptError> {
        let options = json::Options { max_depth: json::Options::DEPTH_LIMIT, ..json::Options::STRICT };
        let mut reader = json::Reader::new(text.as_bytes(), options);
        let read = reader.value().and_then(|value| reader.end().map(|()| value));
        let json = read.map_err(|error| wrong("prompt", &format!("no JSON: {error}")))?;
        if json.as_object().is_none() {
            return Err(wrong("prompt", "accepted is one object, as prompt --json prints it"));
        }
        let messages = array(&json, "messages")?.iter().enumerate();
        let messages: Vec<Message> =
            messages.map(|(at, item)| message(at, item)).collect::<Result<_, _>>()?;
        let length = messages.len();
        let stable_len = json.get("stable_len").and_then(Json::as_u64);
        let stable_len =
            stable_len.and_then(|length| usize::try_from(length).ok()).filter(|len| *len <= length);
        let all = |field: &str| -> Result<Vec<String>, PromptError> {
            Ok(array(&json, field)?.iter().map(canonical).collect())
        };
        Ok(Self {
            model: canonical(json.get("model").unwrap_or(&Json::Null)),
            tools: all("tools")?,
            system: all("system")?,
            settings: json.get("settings").and_then(Json::as_object).cloned().unwrap_or_default(),
            messages,
            stable_len: stable_len
                .ok_or_else(|| wrong("stable_len", "accepted is a number up to that of the messages"))?,
            boundary: json.get("boundary").and_then(Json::as_str).map(ToOwned::to_owned),
            text_version: json.get("render_text_version").and_then(Json::as_u64).unwrap_or(1),
            remarks: remarks(&json),
        })
    }
}

fn wrong(path: &str, reason: &str) -> PromptError {
    PromptError::PromptInvalid { path: path.to_owned(), reason: reason.to_owned() }
}

fn array<'a>(json: &'a Json, field: &str) -> Result<&'a [Json], PromptError> {
    json.get(field).and_then(Json::as_array).ok_or_else(|| wrong(field, "accepted is an array"))
}

fn message(at: usize, json: &Json) -> Result<Message, PromptError> {
    let path = |field: &str| format!("messages[{at}]{field}");
    let text = |field: &str| json.get(field).and_then(Json::as_str);
    let role = text("role").filter(|role| is_role(role));
    let role = role.ok_or_else(|| wrong(&path(".role"), "accepted is the role of a message"))?;
    let parts = json.get("parts").and_then(Json::as_array);
    let parts = parts.ok_or_else(|| wrong(&path(".parts"), "accepted is an array"))?;
    let mut bytes = Object::new();
    for field in ["name", "parts", "role"] {
        if let Some(value) = json.get(field) {
            bytes.insert(field, value.clone());
        }
    }
    let is_thinking = |part: &&Json| part.get("type").and_then(Json::as_str) == Some("thinking");
    Ok(Message {
        text: canonical(&Json::Object(bytes)),
        role: role.to_owned(),
        row: text("row").unwrap_or_default().to_owned(),
        spoken: parts.iter().filter(|part| !is_thinking(part)).map(canonical).collect(),
    })
}

fn remarks(json: &Json) -> Vec<(String, String, Edit)> {
    let notes = json.get("diagnostics").and_then(Json::as_array).unwrap_or_default();
    let text = |note: &Json, field: &str| note.get(field).and_then(Json::as_str).map(ToOwned::to_owned);
    let remark =
        |note: &Json| Some((text(note, "code")?, text(note, "row")?, Edit::parse(&text(note, "edit")?)?));
    notes.iter().filter_map(remark).collect()
}

fn borrowed(texts: &[String], index: usize) -> Cow<'_, str> {
    texts.get(index).map_or("", String::as_str).into()
}

impl Side for PromptFile {
    fn model(&self) -> Cow<'_, str> {
        self.model.as_str().into()
    }

    fn tools(&self) -> usize {
        self.tools.len()
    }

    fn tool(&self, index: usize) -> Cow<'_, str> {
        borrowed(&self.tools, index)
    }

    fn system(&self) -> usize {
        self.system.len()
    }

    fn system_part(&self, index: usize) -> Cow<'_, str> {
        borrowed(&self.system, index)
    }

    fn settings(&self, all: bool) -> Cow<'_, str> {
        let kept = self.settings.iter().filter(|(name, _)| all || *name != "max_output_tokens");
        let kept = kept.map(|(name, value)| (String::from(name), value.clone()));
        canonical(&Json::Object(kept.collect())).into()
    }

    fn messages(&self) -> usize {
        self.messages.len()
    }

    fn message(&self, index: usize) -> Cow<'_, str> {
        self.messages.get(index).map_or("", |message| message.text.as_str()).into()
    }

    fn size(&self, index: usize) -> usize {
        self.messages.get(index).map_or(0, |message| message.text.len())
    }

    fn role(&self, index: usize) -> &str {
        self.messages.get(index).map_or("", |message| message.role.as_str())
    }

    fn row(&self, index: usize) -> &str {
        self.messages.get(index).map_or("", |message| message.row.as_str())
    }

    fn spoken(&self, index: usize) -> Vec<Cow<'_, str>> {
        let spoken = self.messages.get(index).map_or(&[][..], |message| message.spoken.as_slice());
        spoken.iter().map(|part| part.as_str().into()).collect()
    }

    fn chain(&self, _index: usize) -> Option<(&str, &str)> {
        None
    }

    fn stable_len(&self) -> usize {
        self.stable_len
    }

    fn boundary(&self) -> Option<&str> {
        self.boundary.as_deref()
    }

    fn text_version(&self) -> u64 {
        self.text_version
    }

    fn remarks(&self) -> Vec<Remark<'_>> {
        self.remarks.iter().map(|(code, row, edit)| Remark { code, row, edit: *edit }).collect()
    }
}
