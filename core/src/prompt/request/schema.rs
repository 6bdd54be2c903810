//! One order for what JSON Schema leaves open.
use crate::json::{Json, Object};
use alloc::{string::String, vec::Vec};

/// Keywords whose values are data: everything under them stays as given.
const DATA: [&str; 5] = ["enum", "const", "default", "example", "examples"];
/// Keywords whose keys are names of the schema's own, not keywords.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// The schema with its object keys sorted (by UTF-16 units) and each `required` sorted; the order of every
/// other array, and everything inside data such as `enum`, stays (`spec/prompt.md`, fingerprint).
pub(in crate::prompt) fn normalised(schema: &Json) -> Json {
    match schema {
        Json::Object(object) => sorted(object, |key, value| match key {
            "required" => sorted_names(value),
            key if NAMED.contains(&key) => match value {
                Json::Object(named) => sorted(named, |_, schema| normalised(schema)),
                other => other.clone(),
            },
            key if DATA.contains(&key) => keys_sorted(value),
            _ => normalised(value),
        }),
        Json::Array(items) => Json::Array(items.iter().map(normalised).collect()),
        other => other.clone(),
    }
}

fn sorted_names(value: &Json) -> Json {
    match value {
        Json::Array(names) if names.iter().all(|name| name.as_str().is_some()) => {
            let mut names = names.clone();
            names.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            Json::Array(names)
        }
        other => keys_sorted(other),
    }
}

fn keys_sorted(value: &Json) -> Json {
    match value {
        Json::Object(object) => sorted(object, |_, value| keys_sorted(value)),
        Json::Array(items) => Json::Array(items.iter().map(keys_sorted).collect()),
        other => other.clone(),
    }
}

fn sorted(object: &Object, value_of: impl Fn(&str, &Json) -> Json) -> Json {
    let mut pairs: Vec<(&str, &Json)> = object.iter().collect();
    pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    let pairs = pairs.into_iter().map(|(key, value)| (String::from(key), value_of(key, value)));
    Json::Object(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::normalised;
    use crate::json::{parse, text};

    #[test]
    fn sorts_keys_and_required_and_nothing_else() {
        let schema = parse(
            r#"{"type":"object","required":["b","a"],"properties":{"required":{"type":"array","enum":[["z","a"]]},
            "enum":{"required":["y","x"],"type":"object"}},"oneOf":[{"required":["d","c"]},{"a":1}],
            "default":{"required":["b","a"],"a":1}}"#,
        );
        assert_eq!(
            text(&normalised(&schema.unwrap())),
            concat!(
                r#"{"default":{"a":1,"required":["b","a"]},"oneOf":[{"required":["c","d"]},{"a":1}],"#,
                r#""properties":{"enum":{"required":["x","y"],"type":"object"},"#,
                r#""required":{"enum":[["z","a"]],"type":"array"}},"required":["a","b"],"type":"object"}"#
            )
        );
    }
}
