use super::{DEFAULT_TOKEN_THRESHOLD, Effective, Origin, origins::origins};
use crate::{
    compaction::CompactionError,
    json::{self, Json, Object},
};
use alloc::{format, string::String, vec::Vec};

/// What counts of a trait's behaviour.
const OF_TRAITS: [&str; 5] = ["function_id", "max_memory_chars", "max_tokens", "strict", "token_threshold"];
/// What counts of the session-wide defaults, and the option that each gives.
const OF_SESSIONS: [(&str, &str); 2] =
    [("token_checkpoint_threshold", "token_threshold"), ("checkpoint_function_id", "function_id")];

/// A trait's behaviour, as far as it concerns compaction.
#[derive(Debug, Clone, PartialEq)]
pub struct TraitLayer {
    /// The trait.
    pub id: String,
    /// An object of defaults, `false` to remove the trait's handler, or null for nothing.
    pub checkpoint: Json,
}

/// The layers, weakest first. What is null sets nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// Session-wide defaults: `{token_checkpoint_threshold?, checkpoint_function_id?}`.
    pub session: Json,
    /// Behaviours of the agent's traits, in the order in which the agent lists them.
    pub traits: Vec<TraitLayer>,
    /// The agent's `agent_options.checkpoint`.
    pub agent: Json,
    /// The host's configuration `config.checkpoint`, from its storage alone: never from a start token, never
    /// from a proposal of the model.
    pub persisted: Json,
}

impl Default for Layers {
    fn default() -> Self {
        Self { session: Json::Null, traits: Vec::new(), agent: Json::Null, persisted: Json::Null }
    }
}

/// Merges the layers (`spec/compaction.md`, "Effective options").
///
/// ```
/// use throughline_core::{compaction::{Layers, resolve}, json::{parse, text}};
/// let layers = Layers {
///     session: parse(r#"{"checkpoint_function_id": "host:checkpoint"}"#)?,
///     agent: parse(r#"{"token_threshold": "12000"}"#)?,
///     ..Layers::default()
/// };
/// let effective = resolve(&layers)?;
/// assert_eq!(text(&effective.to_json()), r#"{"function_id":"host:checkpoint","token_threshold":12000}"#);
/// assert_eq!(effective.origins()["token_threshold"].name(), "agent");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `option_invalid` with the path of a layer that is no object, a threshold that is no number, an `enabled`
/// that is no truth value, or a `function_id` that is no string.
pub fn resolve(layers: &Layers) -> Result<Effective, CompactionError> {
    let mut warnings = Vec::new();
    let mut stack = Vec::with_capacity(layers.traits.len().saturating_add(3));
    stack.push((Origin::SessionDefault, session(&layers.session, &mut warnings)?));
    let mut removed = Vec::new();
    for (index, layer) in layers.traits.iter().enumerate() {
        let path = format!("traits[{index}].checkpoint");
        if layer.checkpoint == Json::Bool(false) {
            removed.push(layer.id.clone());
            continue;
        }
        let given = object(&layer.checkpoint, &path)?;
        let (known, others): (Vec<_>, Vec<_>) =
            given.into_iter().flat_map(Object::iter).partition(|(key, _)| OF_TRAITS.contains(key));
        let ignored = |(key, _): (&str, &Json)| {
            format!("{path}.{key} counts for nothing: of a trait only {} do", OF_TRAITS.join(", "))
        };
        warnings.extend(others.into_iter().filter(|(_, value)| !value.is_null()).map(ignored));
        let known = known.into_iter().map(|(key, value)| (key.into(), value.clone())).collect();
        stack.push((Origin::Trait(layer.id.clone()), checked(&known, &path)?));
    }
    for (origin, layer, path) in [
        (Origin::Agent, &layers.agent, "agent_options.checkpoint"),
        (Origin::Persisted, &layers.persisted, "config.checkpoint"),
    ] {
        if let Some(given) = object(layer, path)? {
            stack.push((origin, checked(given, path)?));
        }
    }
    let options = match json::merge(stack.iter().map(|(_, layer)| layer)) {
        Json::Object(options) => options,
        _ => Object::new(),
    };
    let origins = origins(&options, &stack);
    Ok(Effective { options, origins, warnings, removed })
}

/// The layer of the session-wide defaults. The packaged threshold stands where the host names none, and an
/// explicit null takes it away.
fn session(given: &Json, warnings: &mut Vec<String>) -> Result<Json, CompactionError> {
    let mut layer = Object::new();
    let given = object(given, "session")?;
    for (name, option) in OF_SESSIONS {
        let value = given.and_then(|given| given.get(name));
        match value {
            None if option == "token_threshold" => {
                layer.insert(option, DEFAULT_TOKEN_THRESHOLD);
            }
            None | Some(Json::Null) => {}
            Some(value) => {
                layer.insert(option, typed(option, value, &format!("session.{name}"))?);
            }
        }
    }
    let known = |key: &str| OF_SESSIONS.iter().any(|(name, _)| *name == key);
    let others = given.into_iter().flat_map(Object::iter).filter(|(key, _)| !known(key));
    warnings.extend(others.map(|(key, _)| {
        format!(
            "session.{key} counts for nothing: known are token_checkpoint_threshold, checkpoint_function_id"
        )
    }));
    Ok(layer.into())
}

/// A layer whose options have their types.
fn checked(given: &Object, path: &str) -> Result<Json, CompactionError> {
    let typed = |(key, value): (&str, &Json)| Ok((key.into(), typed(key, value, &format!("{path}.{key}"))?));
    Ok(Json::Object(given.iter().map(typed).collect::<Result<Object, _>>()?))
}

fn typed(option: &str, value: &Json, path: &str) -> Result<Json, CompactionError> {
    let wrong = |accepted: &str| {
        CompactionError::option(path, format!("found {}; accepted is {accepted}", value.kind()))
    };
    match (option, value) {
        (_, Json::Null) => Ok(Json::Null),
        ("token_threshold", value) => {
            threshold(value).ok_or_else(|| wrong("a number, or a string that holds one"))
        }
        ("enabled", value) if value.as_bool().is_none() => Err(wrong("true or false")),
        ("function_id", value) if value.as_str().is_none() => Err(wrong("a string")),
        (_, value) => Ok(value.clone()),
    }
}

/// A number that a double can hold, or a string with one.
fn threshold(value: &Json) -> Option<Json> {
    let number = match value {
        Json::String(text) => json::parse(text.trim()).ok()?,
        other => other.clone(),
    };
    number.as_number()?.as_f64()?;
    Some(number)
}

fn object<'a>(layer: &'a Json, path: &str) -> Result<Option<&'a Object>, CompactionError> {
    match layer {
        Json::Null => Ok(None),
        Json::Object(object) => Ok(Some(object)),
        other => Err(CompactionError::option(path, format!("found {}; accepted is an object", other.kind()))),
    }
}
