use super::{Origin, origins::join};
use crate::json::{Json, Object};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// What the layers come to: a value of its own, so that later changes of a layer do not reach it.
#[derive(Debug, Clone, PartialEq)]
pub struct Effective {
    /// An object; its keys are in the order of canonical JSON.
    pub(super) options: Object,
    pub(super) origins: BTreeMap<String, Origin>,
    pub(super) warnings: Vec<String>,
    pub(super) removed: Vec<String>,
}

impl Effective {
    /// The options, as they are handed to a binding or function.
    #[must_use]
    pub fn options(&self) -> &Object {
        &self.options
    }

    /// The options as a value.
    #[must_use]
    pub fn to_json(&self) -> Json {
        Json::Object(self.options.clone())
    }

    /// For the path of each leaf, such as `headers.name`, the layer that set it. A key that is not a word
    /// stands as `["a key"]`; an empty object is a leaf.
    #[must_use]
    pub fn origins(&self) -> &BTreeMap<String, Origin> {
        &self.origins
    }

    /// The value at a path of [`origins`](Self::origins).
    #[must_use]
    pub fn leaf(&self, path: &str) -> Option<&Json> {
        leaf("", &self.options, path)
    }

    /// What was given and counts for nothing, for people.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Traits whose handler is removed by `checkpoint: false`.
    #[must_use]
    pub fn removed_traits(&self) -> &[String] {
        &self.removed
    }

    /// Whether compaction is switched on; it is unless `enabled` is false.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.options.get("enabled").and_then(Json::as_bool).unwrap_or(true)
    }

    /// The threshold; `None` when there is none, or one that is zero or negative.
    #[must_use]
    pub fn token_threshold(&self) -> Option<f64> {
        let number = self.options.get("token_threshold")?.as_number()?.as_f64()?;
        (number > 0.0).then_some(number)
    }

    /// The function that writes summaries; an empty id means none.
    #[must_use]
    pub fn function_id(&self) -> Option<&str> {
        self.options.get("function_id")?.as_str().filter(|id| !id.trim().is_empty())
    }

    /// `{options, origins, warnings}` as `throughline options resolve --json` prints it.
    #[must_use]
    pub fn report(&self) -> Json {
        let origins = self.origins.iter().map(|(path, origin)| (path.clone(), Json::from(origin.name())));
        let warnings: Vec<Json> = self.warnings.iter().map(|text| Json::from(text.as_str())).collect();
        let mut report = Object::new();
        report.insert("options", self.to_json());
        report.insert("origins", Json::Object(origins.collect()));
        report.insert("warnings", warnings);
        report.into()
    }
}

fn leaf<'a>(prefix: &str, object: &'a Object, wanted: &str) -> Option<&'a Json> {
    object.iter().find_map(|(key, value)| {
        let path = join(prefix, key);
        match value {
            value if path == wanted => Some(value),
            Json::Object(below) if wanted.starts_with(&path) => leaf(&path, below, wanted),
            _ => None,
        }
    })
}
