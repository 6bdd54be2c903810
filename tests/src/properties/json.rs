//! The JSON reader and writers, against serde_json.
use super::json_text::{json_text, literal};
use super::{Outcome, Property, Random, equal, holds, property};
use serde_json::Value;
use throughline_core::json::{Json, Object, Options, Reader, canonical, parse, text, write_string};

pub(super) const ALL: &[Property] = &[
    property("json: values are those of serde_json", agrees),
    property("json: what is accepted is what serde_json accepts", accepts),
    property("json: the canonical form is a fixed point", fixed_point),
    property("json: the canonical form does not depend on the order of keys", key_order),
    property("json: skipping only leaves out", skipping),
    property("json: lenient readers take all that strict ones take", leniency),
    property("json: any bytes are read or refused inside the input", any_bytes),
    property("json: strings survive", strings),
];

/// Whether both are the same value; numbers as far as serde_json keeps them.
pub(crate) fn same(ours: &Json, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(a), Value::Bool(b)) => a == b,
        (Json::String(a), Value::String(b)) => a == b,
        (Json::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (Json::Number(a), Value::Number(b)) => match (b.as_u64(), b.as_i64(), b.as_f64()) {
            (Some(b), _, _) => a.as_u64() == Some(b),
            (_, Some(b), _) => a.as_i64() == Some(b),
            // Without its feature `float_roundtrip`, serde_json may miss the nearest double.
            (_, _, Some(b)) => a.as_f64().is_some_and(|a| (a - b).abs() <= a.abs() * 1e-15),
            _ => false,
        },
        _ => false,
    }
}

/// Limits that serde_json has and the reader has not: the range of doubles, and a depth of 127.
pub(crate) fn is_limit_of_theirs(error: &serde_json::Error) -> bool {
    let text = error.to_string();
    text.starts_with("number out of range") || text.starts_with("recursion limit exceeded")
}

fn agrees(random: &mut Random) -> Outcome {
    let source = json_text(random);
    match (parse(&source), serde_json::from_str::<Value>(&source)) {
        (Ok(ours), Ok(theirs)) => holds(same(&ours, &theirs), || format!("{source}: {ours:?}, {theirs:?}")),
        (Ok(_), Err(theirs)) => holds(is_limit_of_theirs(&theirs), || format!("{source}: {theirs}")),
        (Err(_), Err(_)) => Ok(()),
        (Err(ours), Ok(_)) => Err(format!("{source}: {ours}")),
    }
}

fn accepts(random: &mut Random) -> Outcome {
    let mut characters: Vec<char> = json_text(random).chars().collect();
    let at = random.size(characters.len());
    if random.chance(2) {
        characters.remove(at);
    }
    if random.chance(2) {
        let new = random.of_alphabet("[]{},:\"\\0.eE+-u", 1);
        characters.splice(at..at, new.chars());
    }
    let source: String = characters.into_iter().collect();
    let (ours, theirs) = (parse(&source), serde_json::from_str::<Value>(&source));
    let is_limit = theirs.as_ref().is_err_and(is_limit_of_theirs);
    holds(is_limit || ours.is_ok() == theirs.is_ok(), || format!("{source}: {ours:?}, {theirs:?}"))
}

fn fixed_point(random: &mut Random) -> Outcome {
    let Ok(value) = parse(&json_text(random)) else { return Ok(()) };
    let once = canonical(&value);
    let again = parse(&once).map_err(|error| format!("{once}: {error}"))?;
    equal("canonical again", &canonical(&again), &once)?;
    equal("compact text", &parse(&text(&value)), &Ok(value))
}

fn key_order(random: &mut Random) -> Outcome {
    let Ok(value) = parse(&json_text(random)) else { return Ok(()) };
    let shuffled = shuffled(&value, random);
    let form = canonical(&value);
    equal("canonical of shuffled", &canonical(&shuffled), &form)?;
    let read = parse(&form).map_err(|error| format!("{form}: {error}"))?;
    holds(is_sorted(&read), || format!("{form} is not sorted"))
}

/// The same value with the keys of every object in another order.
pub(super) fn shuffled(value: &Json, random: &mut Random) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().map(|item| shuffled(item, random)).collect()),
        Json::Object(object) => {
            let mut pairs: Vec<_> =
                object.iter().map(|(key, value)| (key.to_owned(), shuffled(value, random))).collect();
            random.shuffle(&mut pairs);
            Json::Object(pairs.into_iter().collect())
        }
        other => other.clone(),
    }
}

pub(super) fn is_sorted(value: &Json) -> bool {
    let units = |key: &str| key.encode_utf16().collect::<Vec<_>>();
    let are_keys_sorted = |object: &Object| {
        object.iter().map(|(key, _)| units(key)).is_sorted_by(|a, b| a < b)
            && object.iter().all(|(_, value)| is_sorted(value))
    };
    value.as_array().unwrap_or_default().iter().all(is_sorted)
        && value.as_object().is_none_or(are_keys_sorted)
}

fn skipping(random: &mut Random) -> Outcome {
    let text = json_text(random);
    let end = if random.chance(2) { text.len() } else { random.size(text.len() + 1) };
    let bytes = &text.as_bytes()[..end];
    let mut skipping = Reader::new(bytes, Options::LENIENT);
    let mut reading = Reader::new(bytes, Options::LENIENT);
    let skipped = skipping.object_without(&["a", "s"]);
    let mut value = reading.value();
    if let Ok(Json::Object(object)) = &mut value {
        object.remove("a");
        object.remove("s");
    }
    let shown = || String::from_utf8_lossy(bytes);
    equal("skipped", &(shown(), skipped), &(shown(), value))?;
    equal("position", &(shown(), skipping.position()), &(shown(), reading.position()))
}

fn leniency(random: &mut Random) -> Outcome {
    let source = json_text(random);
    let mut reader = Reader::new(source.as_bytes(), Options::LENIENT);
    let value = reader.value().map_err(|error| format!("{source}: {error}"))?;
    let repairs = reader.repairs();
    let is_right = match parse(&source) {
        Ok(strict) if repairs.total() == 0 => strict == value,
        Ok(_) => repairs.nuls > 0 && repairs.surrogates == 0,
        Err(_) => repairs.surrogates > 0,
    };
    holds(is_right, || format!("{source}: {value:?}, {repairs:?}"))
}

fn any_bytes(random: &mut Random) -> Outcome {
    let bytes = match random.below(2) {
        0 => random.bytes(60),
        _ => {
            let mut bytes = json_text(random).into_bytes();
            let at = random.size(bytes.len());
            bytes[at] = random.next() as u8;
            bytes
        }
    };
    let quoted = [b"\"", &bytes[..], b"\""].concat();
    for (options, input) in
        [Options::STRICT, Options::LENIENT].into_iter().flat_map(|it| [(it, &bytes), (it, &quoted)])
    {
        let mut reader = Reader::new(input, options);
        match reader.value() {
            Ok(_) => holds(reader.position() <= input.len(), || format!("{input:?} is read beyond its end"))?,
            Err(error) => {
                let (place, lines) = (error.place(), input.iter().filter(|byte| **byte == b'\n').count());
                let is_inside = place.offset <= input.len() && place.line <= lines + 1 && place.column >= 1;
                holds(is_inside && reader.position() <= place.offset, || format!("{input:?}: {error:?}"))?;
            }
        }
    }
    Ok(())
}

fn strings(random: &mut Random) -> Outcome {
    let text = if random.chance(4) { literal(random) } else { random.text(30) };
    let mut written = String::new();
    write_string(&text, &mut written);
    equal("by serde_json", &serde_json::from_str::<String>(&written).ok().as_ref(), &Some(&text))?;
    equal("by the reader", &parse(&written), &Ok(Json::String(text)))
}
