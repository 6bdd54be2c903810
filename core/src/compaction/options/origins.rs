//! Which layer set each leaf: the walk of the merge once more, with names.

use crate::json::{Json, Object};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// The layer that set an option.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// Session-wide defaults, the packaged one included.
    SessionDefault,
    /// A trait's behaviour, by the trait's id.
    Trait(String),
    /// The agent's explicit values.
    Agent,
    /// The persisted configuration of the host.
    Persisted,
}

impl Origin {
    /// `session_default`, `trait:ID`, `agent` or `persisted`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::SessionDefault => "session_default".into(),
            Self::Trait(id) => format!("trait:{id}"),
            Self::Agent => "agent".into(),
            Self::Persisted => "persisted".into(),
        }
    }
}

/// For each leaf of `merged`, the layer that set it; `layers` are those that were merged, weakest first.
pub(super) fn origins(merged: &Object, layers: &[(Origin, Json)]) -> BTreeMap<String, Origin> {
    let mut found = BTreeMap::new();
    let layers: Vec<(&Origin, &Json)> = layers.iter().map(|(origin, layer)| (origin, layer)).collect();
    under("", merged, &layers, &mut found);
    found
}

fn under(path: &str, merged: &Object, layers: &[(&Origin, &Json)], found: &mut BTreeMap<String, Origin>) {
    for (key, value) in merged.iter() {
        let path = join(path, key);
        let set: Vec<(&Origin, &Json)> = layers
            .iter()
            .filter_map(|(origin, layer)| Some((*origin, layer.get(key)?)))
            .filter(|(_, value)| !value.is_null())
            .collect();
        let replaced = set.iter().rposition(|(_, value)| value.as_object().is_none());
        let objects = replaced.map_or(&*set, |last| set.get(last.saturating_add(1)..).unwrap_or_default());
        match value {
            Json::Object(object) if !object.is_empty() => under(&path, object, objects, found),
            // Of objects without content the first set it; the others changed nothing.
            _ => {
                let origin = objects.first().or_else(|| set.last());
                found.extend(origin.map(|(origin, _)| (path, (*origin).clone())));
            }
        }
    }
}

/// The path of a key below another path.
pub(super) fn join(path: &str, key: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if key.is_empty() || !key.chars().all(is_word) {
        return format!("{path}[{}]", crate::json::text(&Json::from(key)));
    }
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}
