//! The merge of layers, against a plain fold over pairs.
use super::json::{is_sorted, shuffled};
use super::{Outcome, Property, Random, equal, holds, property};
use throughline_core::json::{Json, Object, canonical, merge, text};

pub(super) const ALL: &[Property] = &[
    property("merge: layers are folded from the left", folds),
    property("merge: the result does not depend on the order of keys", key_order),
    property("merge: no null is left, and a result merges to itself", settled),
    property("merge: associative while no key changes its kind", associative),
];

fn layer(random: &mut Random, depth: u32) -> Json {
    match random.below(if depth == 0 { 4 } else { 9 }) {
        0 => Json::Null,
        1 => Json::from(random.below(3)),
        2 => random.pick(&["", "x"]).into(),
        3 => {
            let items = random.size(3);
            Json::Array((0..items).map(|_| layer(random, depth.saturating_sub(1))).collect())
        }
        _ => {
            let mut object = Object::new();
            for _ in 0..random.size(5) {
                // The last two are ordered otherwise by UTF-16 than by UTF-8.
                let key = random.pick(&["a", "b", "c", "\u{FB33}", "😀"]);
                object.insert(key, layer(random, depth - 1));
            }
            object.into()
        }
    }
}

fn layers(random: &mut Random) -> Vec<Json> {
    let count = random.size(5);
    (0..count).map(|_| layer(random, 3)).collect()
}

/// One layer over another, as the rules say it.
fn over(base: Json, layer: &Json) -> Json {
    match (base, layer) {
        (base, Json::Null) => base,
        (base, Json::Object(changes)) => {
            let mut result = if let Json::Object(object) = base { object } else { Object::new() };
            for (key, change) in changes.iter() {
                let merged = over(result.remove(key).unwrap_or(Json::Null), change);
                if !merged.is_null() {
                    result.insert(key, merged);
                }
            }
            result.into()
        }
        (_, other) => other.clone(),
    }
}

fn folds(random: &mut Random) -> Outcome {
    let layers = layers(random);
    let folded = layers.iter().fold(Json::Null, over);
    let merged = merge(&layers);
    holds(canonical(&merged) == canonical(&folded), || format!("{layers:?}: {merged:?}, wanted {folded:?}"))?;
    let (first, rest) = layers.split_at(random.size(layers.len() + 1));
    let in_steps = merge([&merge(first)].into_iter().chain(rest));
    holds(in_steps == merged, || format!("{layers:?}: in steps {in_steps:?}"))
}

fn key_order(random: &mut Random) -> Outcome {
    let layers = layers(random);
    let others: Vec<Json> = layers.iter().map(|layer| shuffled(layer, random)).collect();
    let merged = merge(&layers);
    equal("of shuffled", &text(&merge(&others)), &text(&merged))?;
    holds(is_sorted(&merged), || format!("{} is not sorted", text(&merged)))
}

fn has_null(value: &Json) -> bool {
    value.as_object().is_some_and(|object| object.iter().any(|(_, value)| value.is_null() || has_null(value)))
}

fn settled(random: &mut Random) -> Outcome {
    let merged = merge(&layers(random));
    holds(!has_null(&merged), || format!("{} holds null", text(&merged)))?;
    equal("again", &text(&merge([&merged])), &text(&merged))?;
    equal("twice", &text(&merge([&merged, &merged])), &text(&merged))
}

/// An object whose keys say of what kind their values are: the same in every layer, at every depth.
fn of_fixed_kinds(random: &mut Random, depth: u32) -> Json {
    let mut object = Object::new();
    for _ in 0..random.size(5) {
        let key = random.pick(&["list", "number", "text", "object", "other object"]);
        let value = match key {
            _ if random.chance(5) => Json::Null,
            "list" => Json::Array((0..random.size(3)).map(|_| Json::from(random.below(3))).collect()),
            "number" => Json::from(random.below(3)),
            "text" => random.pick(&["", "x"]).into(),
            _ if depth == 0 => continue,
            _ => of_fixed_kinds(random, depth - 1),
        };
        object.insert(key, value);
    }
    object.into()
}

fn associative(random: &mut Random) -> Outcome {
    let [one, two, three] =
        [0; 3].map(|_| if random.chance(8) { Json::Null } else { of_fixed_kinds(random, 3) });
    let (left, right) = (merge([&merge([&one, &two]), &three]), merge([&one, &merge([&two, &three])]));
    equal(&format!("{one:?}, {two:?}, {three:?}"), &text(&left), &text(&right))
}
