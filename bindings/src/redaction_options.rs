//! The options of a redactor, as JavaScript names them.

use crate::{
    arguments::{Options, flag, one_of, refused, text, texts, whole},
    fault::Fault,
    value::{bytes, json_text},
};
use throughline_core::{
    json,
    redact::{self, HostRule, Mode, RedactError},
};
use wasm_bindgen::prelude::JsValue;

const KNOWN: &[&str] = &["mode", "exact", "tagKey", "mark", "allow", "keys", "rules", "pii", "decodeDepth"];

/// A redactor with options: `{mode?, exact?, tagKey?, mark?, allow?, keys?, rules?, pii?, decodeDepth?}`.
///
/// # Errors
/// `argument_invalid`, and what the core says of options; paths stand below `path`.
pub fn redactor(options: &JsValue, path: &str) -> Result<redact::Redactor, Fault> {
    let given = Options::of(options, path, KNOWN)?.inside(path);
    let mut options = redact::Options::default();
    if let Some(mode) = given.optional("mode", mode)? {
        options.mode = mode;
    }
    options.exact = given.optional("exact", texts)?.unwrap_or_default();
    options.tag_key = given.optional("tagKey", key)?;
    options.mark = given.optional("mark", text)?;
    let allow = given.get("allow")?;
    let at = format!("{path}.allow");
    let lists = Options::of(&allow, &at, &["values", "keys", "rules"])?.inside(&at);
    options.allow.values = lists.optional("values", texts)?.unwrap_or_default();
    options.allow.keys = lists.optional("keys", texts)?.unwrap_or_default();
    options.allow.rules = lists.optional("rules", texts)?.unwrap_or_default();
    let at = format!("{path}.keys");
    let lists = Options::of(&given.get("keys")?, &at, &["strong", "weak"])?.inside(&at);
    options.keys.strong = lists.optional("strong", texts)?.unwrap_or_default();
    options.keys.weak = lists.optional("weak", texts)?.unwrap_or_default();
    options.rules = given.optional("rules", |value, at| rules(value, at, path))?.unwrap_or_default();
    options.pii = given.optional("pii", flag)?.unwrap_or_default();
    if let Some(depth) = given.optional("decodeDepth", |value, at| whole(value, at, 0..=4))? {
        options.decode_depth = u8::try_from(depth).unwrap_or(redact::Options::DECODE_DEPTH_MAX);
    }
    redact::Redactor::new(options).map_err(|error| fault(&error, path))
}

/// What the core says of options, with JavaScript's names in the path.
fn fault(error: &RedactError, path: &str) -> Fault {
    let option = error.path().unwrap_or_default().replace("tag_key", "tagKey");
    let at = format!("{path}.{}", option.replace("decode_depth", "decodeDepth"));
    Fault::new(error.code(), format!("`{at}`: {}", error.reason())).at(at)
}

fn mode(value: &JsValue, path: &str) -> Result<Mode, Fault> {
    let modes = [("default", Mode::Default), ("paranoid", Mode::Paranoid), ("report_only", Mode::ReportOnly)];
    one_of(value, path, &modes)
}

/// A key: bytes, or a text that stands for its UTF-8.
fn key(value: &JsValue, path: &str) -> Result<Vec<u8>, Fault> {
    if let Some(text) = value.as_string() {
        return Ok(text.into_bytes());
    }
    let bytes = bytes(value).ok_or_else(|| refused(value, path, "a string or a Uint8Array"))?;
    Ok(bytes.to_vec())
}

/// Rows of rules: an array of objects, or its JSON text.
fn rules(value: &JsValue, at: &str, path: &str) -> Result<Vec<HostRule>, Fault> {
    let invalid = |found: String| Fault::new("argument_invalid", format!("`{at}` is {found}")).at(at);
    let text = json_text(value).map_err(invalid)?;
    let rows =
        json::parse(&text).map_err(|error| Fault::new(error.code(), format!("`{at}`: {error}")).at(at))?;
    HostRule::list(&rows).map_err(|error| fault(&error, path))
}
