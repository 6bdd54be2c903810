//! Reading a request from JSON: every field is known and has its type, or the error says where not.
use super::{PromptError, Request, Settings, Tool};
use crate::{
    json::{Json, Object},
    redact::{Clean, Redactor},
};
use alloc::{
    borrow::ToOwned,
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};

impl Request {
    /// Reads `{model?, system?: [text], tools?: [{name, description?, input_schema}], settings?: {tool_choice?,
    /// effort?, response_format?, max_output_tokens?}}`; `null` is as good as absent (`spec/cli.md`, `prompt`).
    ///
    /// Model, system texts, names and descriptions are scrubbed.
    ///
    /// # Errors
    /// `request_invalid` with a path such as `tools[2].name`: a field that is not known, of another type, or
    /// missing, or a tool that stands twice.
    pub fn from_json(json: &Json, redactor: &Redactor) -> Result<Self, PromptError> {
        let object = object(json, "")?;
        known(object, "", &["model", "system", "tools", "settings"])?;
        let model = given(object, "model").map(|model| non_blank(model, "model")).transpose()?;
        Ok(Self {
            model: model.map(|model| redactor.clean(model)),
            system: system(object, redactor)?,
            tools: tools(object, redactor)?,
            settings: given(object, "settings").map(settings).transpose()?.unwrap_or_default(),
        })
    }
}

fn system(request: &Object, redactor: &Redactor) -> Result<Vec<Clean>, PromptError> {
    let Some(system) = given(request, "system") else { return Ok(Vec::new()) };
    let texts = array(system, "system")?.iter().enumerate();
    texts.map(|(i, item)| Ok(redactor.clean(text(item, &format!("system[{i}]"))?))).collect()
}

fn tools(request: &Object, redactor: &Redactor) -> Result<Vec<Tool>, PromptError> {
    let Some(tools) = given(request, "tools") else { return Ok(Vec::new()) };
    let mut names = BTreeSet::new();
    let mut list = Vec::new();
    for (i, item) in array(tools, "tools")?.iter().enumerate() {
        let path = format!("tools[{i}]");
        let tool = tool(item, &path, redactor)?;
        if !names.insert(tool.name.clone()) {
            return Err(wrong(format!("{path}.name"), "this tool stands twice; names are unique".to_owned()));
        }
        list.push(tool);
    }
    Ok(list)
}

fn tool(json: &Json, path: &str, redactor: &Redactor) -> Result<Tool, PromptError> {
    let tool = object(json, path)?;
    known(tool, path, &["name", "description", "input_schema"])?;
    let at = |field: &str| join(path, field);
    let name = given(tool, "name").ok_or_else(|| missing(at("name"), "a string"))?;
    let schema = given(tool, "input_schema").ok_or_else(|| missing(at("input_schema"), "an object"))?;
    object(schema, &at("input_schema"))?;
    let description = given(tool, "description").map(|json| text(json, &at("description"))).transpose()?;
    Ok(Tool {
        name: redactor.clean(non_blank(name, &at("name"))?),
        description: redactor.clean(description.unwrap_or_default()),
        input_schema: schema.clone(),
    })
}

fn settings(json: &Json) -> Result<Settings, PromptError> {
    let settings = object(json, "settings")?;
    known(settings, "settings", &["tool_choice", "effort", "response_format", "max_output_tokens"])?;
    let field = |name: &str, accepted: &str, is_fine: fn(&Json) -> bool| match given(settings, name) {
        Some(value) if !is_fine(value) => Err(wrong_type(join("settings", name), value, accepted)),
        value => Ok(value.cloned()),
    };
    Ok(Settings {
        tool_choice: field("tool_choice", "a string or an object", |value| {
            value.as_str().is_some() || value.as_object().is_some()
        })?,
        effort: field("effort", "a string", |value| value.as_str().is_some())?,
        response_format: field("response_format", "an object", |value| value.as_object().is_some())?,
        max_output_tokens: field("max_output_tokens", "a whole number from 1", |value| {
            value.as_u64().is_some_and(|tokens| tokens > 0)
        })?,
    })
}

/// The value of a field, unless it is absent or `null`.
fn given<'a>(object: &'a Object, field: &str) -> Option<&'a Json> {
    object.get(field).filter(|value| !value.is_null())
}

fn known(object: &Object, path: &str, fields: &[&str]) -> Result<(), PromptError> {
    match object.iter().find(|(key, _)| !fields.contains(key)) {
        None => Ok(()),
        Some((key, _)) => {
            Err(wrong(join(path, key), format!("this field is not known; known are {}", fields.join(", "))))
        }
    }
}

fn object<'a>(json: &'a Json, path: &str) -> Result<&'a Object, PromptError> {
    json.as_object().ok_or_else(|| wrong_type(path.to_owned(), json, "an object"))
}

fn array<'a>(json: &'a Json, path: &str) -> Result<&'a [Json], PromptError> {
    json.as_array().ok_or_else(|| wrong_type(path.to_owned(), json, "an array"))
}

fn text<'a>(json: &'a Json, path: &str) -> Result<&'a str, PromptError> {
    json.as_str().ok_or_else(|| wrong_type(path.to_owned(), json, "a string"))
}

fn non_blank<'a>(json: &'a Json, path: &str) -> Result<&'a str, PromptError> {
    let text = text(json, path)?;
    if text.trim().is_empty() {
        return Err(wrong(path.to_owned(), "the string is blank; accepted is one that is not".to_owned()));
    }
    Ok(text)
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

fn wrong(path: String, reason: String) -> PromptError {
    let path = if path.is_empty() { "request".to_string() } else { path };
    PromptError::RequestInvalid { path, reason }
}

fn missing(path: String, accepted: &str) -> PromptError {
    wrong(path, format!("this field is missing; accepted is {accepted}"))
}

fn wrong_type(path: String, found: &Json, accepted: &str) -> PromptError {
    let found = found.kind();
    wrong(path, format!("found {found}; accepted is {accepted}"))
}
