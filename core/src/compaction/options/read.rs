//! Layers from the files that describe a session, an agent and a host's configuration.

use super::layers::{Layers, TraitLayer};
use crate::{compaction::CompactionError, json::Json};
use alloc::{format, string::String, vec::Vec};

impl Layers {
    /// Reads `session`: `{token_checkpoint_threshold?, checkpoint_function_id?}`, `agent`: `{agent_options?:
    /// {checkpoint?}, traits?: [{id, checkpoint?}]}` and `config`: `{checkpoint?}`, as `throughline options
    /// resolve` takes them (`spec/cli.md`). What else stands in them is not looked at; null is as good as absent.
    ///
    /// # Errors
    /// `option_invalid` with a path such as `traits[2].id`.
    pub fn from_json(session: &Json, agent: &Json, config: &Json) -> Result<Self, CompactionError> {
        let field = |value: &Json, path: &str, name: &str| match value {
            Json::Null => Ok(Json::Null),
            Json::Object(object) => Ok(object.get(name).cloned().unwrap_or(Json::Null)),
            _ => Err(CompactionError::option(path, "accepted is an object")),
        };
        let own = field(agent, "agent", "agent_options")?;
        Ok(Self {
            session: session.clone(),
            traits: traits(&field(agent, "agent", "traits")?)?,
            agent: field(&own, "agent_options", "checkpoint")?,
            persisted: field(config, "config", "checkpoint")?,
        })
    }
}

fn traits(list: &Json) -> Result<Vec<TraitLayer>, CompactionError> {
    if list.is_null() {
        return Ok(Vec::new());
    }
    let list = list.as_array().ok_or_else(|| CompactionError::option("traits", "accepted is an array"))?;
    let layer = |(index, item): (usize, &Json)| {
        let id = item.get("id").and_then(Json::as_str).filter(|id| !id.trim().is_empty());
        let id = id.ok_or_else(|| {
            let reason = "each trait is an object with an id, a string that is not blank";
            CompactionError::option(format!("traits[{index}].id"), reason)
        })?;
        let checkpoint = item.get("checkpoint").cloned().unwrap_or(Json::Null);
        Ok(TraitLayer { id: String::from(id), checkpoint })
    };
    list.iter().enumerate().map(layer).collect()
}
