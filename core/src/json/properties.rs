use super::*;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use proptest::prelude::*;
use serde_json::Value;
use std::vec;

fn literal() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?"
    ]
}

fn string_body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z \u{7f}é€😀]{0,12}",
        "\\\\[\"\\\\/bfnrt]",
        "\\\\u[0-9a-fA-F]{4}",
        "\\\\u[dD][89abAB][0-9a-f]{2}",
        "\\\\u[dD][c-fC-F][0-9a-f]{2}",
        Just("\\ud83d\\ude00".to_owned()),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// JSON texts, correct but for lone surrogates.
fn json_text() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        literal(),
        string_body().prop_map(|body| ["\"", &body, "\""].concat()),
    ];
    scalar.prop_recursive(5, 40, 12, |inner| {
        let key = prop_oneof!["[abs]", string_body()];
        let pair = (key, inner.clone()).prop_map(|(key, value)| ["\"", &key, "\" : ", &value].concat());
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|items| ["[", &items.join(" ,\n"), "]"].concat()),
            prop::collection::vec(pair, 0..12).prop_map(|pairs| ["{", &pairs.join(","), "}"].concat()),
        ]
    })
}

fn same(ours: &Json, theirs: &Value) -> bool {
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

/// The range of doubles is a limit of serde_json's numbers and none of ours.
fn is_out_of_range(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("number out of range")
}

proptest! {
    #[test]
    fn agrees_with_serde_json(text in json_text()) {
        match (parse(&text), serde_json::from_str::<Value>(&text)) {
            (Ok(ours), Ok(theirs)) => prop_assert!(same(&ours, &theirs), "{}", super::text(&ours)),
            (ours, Err(theirs)) => prop_assert!(ours.is_err() || is_out_of_range(&theirs), "{}", theirs),
            (Err(ours), Ok(_)) => prop_assert!(false, "{}", ours),
        }
    }

    #[test]
    fn accepts_what_serde_json_accepts(text in json_text(), at: prop::sample::Index, change in "[\\[\\]{},:\"\\\\0-9.eE+-]?", drop: bool) {
        let mut text: vec::Vec<char> = text.chars().collect();
        let index = at.index(text.len());
        if drop {
            text.remove(index);
        }
        let text: String = text[..index].iter().copied().chain(change.chars()).chain(text[index..].iter().copied()).collect();
        let theirs = serde_json::from_str::<Value>(&text);
        if !theirs.as_ref().is_err_and(is_out_of_range) {
            prop_assert_eq!(parse(&text).is_ok(), theirs.is_ok(), "{}: {:?}", text, theirs);
        }
    }

    #[test]
    fn canonical_is_a_fixed_point(text in json_text()) {
        if let Ok(value) = parse(&text) {
            let once = canonical(&value);
            let again = parse(&once).unwrap();
            prop_assert_eq!(canonical(&again), once);
            prop_assert_eq!(&parse(&super::text(&value)).unwrap(), &value);
        }
    }

    #[test]
    fn canonical_numbers_denote_the_same_double(literal in literal()) {
        let written = canonical(&parse(&literal).unwrap());
        prop_assert_eq!(written.parse::<f64>().unwrap(), literal.parse::<f64>().unwrap());
    }

    #[test]
    fn skipping_only_leaves_out(text in json_text(), end: prop::sample::Index, whole: bool) {
        let bytes = if whole { text.as_bytes() } else { &text.as_bytes()[..end.index(text.len() + 1)] };
        let mut skipping = Reader::new(bytes, Options::LENIENT);
        let mut reading = Reader::new(bytes, Options::LENIENT);
        match (skipping.object_without(&["a", "s"]), reading.value()) {
            (Ok(skipped), Ok(mut value)) => {
                if let Json::Object(object) = &mut value {
                    object.remove("a");
                    object.remove("s");
                }
                prop_assert_eq!(skipped, value);
                prop_assert_eq!(skipping.position(), reading.position());
            }
            (Err(a), Err(b)) => prop_assert_eq!(a, b),
            (skipped, value) => prop_assert!(false, "{skipped:?} {value:?}"),
        }
    }

    #[test]
    fn lenient_readers_take_all_strict_ones_take(text in json_text()) {
        let (value, repairs) = {
            let mut reader = Reader::new(text.as_bytes(), Options::LENIENT);
            (reader.value(), reader.repairs())
        };
        let value = value.unwrap();
        match parse(&text) {
            Ok(strict) if repairs.total() == 0 => prop_assert_eq!(strict, value),
            Ok(_) => prop_assert!(repairs.nuls > 0 && repairs.surrogates == 0),
            Err(_) => prop_assert!(repairs.surrogates > 0),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Box<[u8]>) {
        for options in [Options::STRICT, Options::LENIENT] {
            let quoted = [b"\"", &bytes[..], b"\""].concat();
            for input in [&bytes[..], &quoted] {
                let mut reader = Reader::new(input, options);
                match reader.value() {
                    Ok(_) => prop_assert!(reader.position() <= input.len()),
                    Err(error) => prop_assert!(error.place().offset <= input.len()),
                }
            }
        }
    }

    #[test]
    fn strings_survive(text: String) {
        let mut written = String::new();
        write_string(&text, &mut written);
        prop_assert_eq!(&serde_json::from_str::<String>(&written).unwrap(), &text);
        prop_assert_eq!(parse(&written).unwrap(), Json::String(text));
    }
}
