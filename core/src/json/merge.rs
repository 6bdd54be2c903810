//! Layers of options, merged into one value.
use super::canonical::utf16_order;
use super::{Json, Object};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The left fold of `layers`, weakest first (`spec/compaction.md`, effective options).
///
/// Objects merge recursively; a list replaces, an empty one too; any other value replaces; null means absent
/// and sets nothing. `[]` and `{}` differ: `[]` over an object replaces it, `{}` over an object changes
/// nothing, and `{}` over a list replaces it. What stands in a list is taken as it is, nulls included.
///
/// The result shares nothing with the layers and does not depend on the order of their keys: its own keys
/// are in the order of canonical JSON. It is null when no layer sets anything.
///
/// ```
/// use throughline_core::json::{merge, parse, text};
/// let defaults = parse(r#"{"keep": {"rows": 10, "notes": true}, "tags": ["a"]}"#)?;
/// let agent = parse(r#"{"tags": [], "keep": {"rows": 20, "notes": null}}"#)?;
/// assert_eq!(text(&merge([&defaults, &agent])), r#"{"keep":{"notes":true,"rows":20},"tags":[]}"#);
/// # Ok::<(), throughline_core::json::JsonError>(())
/// ```
pub fn merge<'a>(layers: impl IntoIterator<Item = &'a Json>) -> Json {
    let set: Vec<&Json> = layers.into_iter().filter(|layer| !layer.is_null()).collect();
    // What came before the last value that is no object is replaced by it, and it by the objects after it.
    let replaced = set.iter().rposition(|layer| layer.as_object().is_none());
    let objects = replaced.map_or(&*set, |last| set.get(last.saturating_add(1)..).unwrap_or_default());
    if objects.is_empty() {
        return set.last().map_or(Json::Null, |last| with_sorted_keys(last));
    }
    let mut values: BTreeMap<&str, Vec<&Json>> = BTreeMap::new();
    for (key, value) in objects.iter().filter_map(|layer| layer.as_object()).flat_map(Object::iter) {
        values.entry(key).or_default().push(value);
    }
    let merged = values.into_iter().map(|(key, values)| (key.to_owned(), merge(values)));
    sorted_object(merged.filter(|(_, value)| !value.is_null()).collect())
}

fn with_sorted_keys(value: &Json) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().map(with_sorted_keys).collect()),
        Json::Object(object) => sorted_object(
            object.iter().map(|(key, value)| (key.to_owned(), with_sorted_keys(value))).collect(),
        ),
        other => other.clone(),
    }
}

fn sorted_object(mut pairs: Vec<(String, Json)>) -> Json {
    pairs.sort_by(|(a, _), (b, _)| utf16_order(a, b));
    Json::Object(pairs.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{parse, text};

    fn merged(layers: &[&str]) -> String {
        let layers: Vec<Json> = layers.iter().map(|layer| parse(layer).unwrap()).collect();
        text(&merge(&layers))
    }

    #[test]
    fn later_layers_win() {
        for (layers, expected) in [
            (&[][..], "null"),
            (&["null", "null"], "null"),
            (&[r#"{"a":{"x":1,"y":2}}"#, r#"{"a":{"y":3}}"#], r#"{"a":{"x":1,"y":3}}"#),
            (&[r#"{"a":{"x":1}}"#, r#"{"a":[]}"#], r#"{"a":[]}"#),
            (&[r#"{"a":{"x":1}}"#, r#"{"a":{}}"#], r#"{"a":{"x":1}}"#),
            (&[r#"{"a":[1]}"#, r#"{"a":{}}"#], r#"{"a":{}}"#),
            (&[r#"{"a":{"x":1}}"#, r#"{"a":1}"#, r#"{"a":{"y":2}}"#], r#"{"a":{"y":2}}"#),
            (&["1", "null"], "1"),
        ] {
            assert_eq!(merged(layers), expected, "{layers:?}");
        }
    }

    #[test]
    fn nulls_set_nothing_at_any_depth() {
        assert_eq!(merged(&[r#"{"a":1,"b":null}"#, r#"{"a":null,"c":{"d":null}}"#]), r#"{"a":1,"c":{}}"#);
        assert_eq!(merged(&[r#"[null,{"b":null,"a":1}]"#]), r#"[null,{"a":1,"b":null}]"#);
    }
}
