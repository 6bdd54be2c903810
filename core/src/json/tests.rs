use super::*;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;

fn canonical_of(source: &str) -> String {
    canonical(&parse(source).unwrap())
}

fn lenient(source: &[u8]) -> (Result<Json, JsonError>, Repairs) {
    let mut reader = Reader::new(source, Options::LENIENT);
    (reader.value(), reader.repairs())
}

#[test]
fn values_are_read() {
    let value = parse(
        r#" {"a": [1, -0.5e+3, "x\n\u00e9\ud83d\ude00\/"], "b": {}, "c": [], "d": [null, true, false]} "#,
    );
    let value = value.unwrap();
    assert_eq!(text(&value), r#"{"a":[1,-0.5e+3,"x\né😀/"],"b":{},"c":[],"d":[null,true,false]}"#);
    assert_eq!(value.get("a").unwrap().as_array().unwrap()[0].as_u64(), Some(1));
    assert!(value.get("d").unwrap().as_array().unwrap()[0].is_null());
    assert_eq!(value.get("e"), None);
    assert_eq!(Json::Null.get("a"), None);
    assert_eq!(parse("\"\\u0000\"").unwrap().as_str(), Some("\0"));
}

#[test]
fn faults_are_placed() {
    for (source, code, offset) in [
        ("", "json_invalid", 0),
        ("  ", "json_invalid", 2),
        ("[1,]", "json_invalid", 3),
        ("[1 2]", "json_invalid", 3),
        ("[1}", "json_invalid", 2),
        ("{\"a\":1,}", "json_invalid", 7),
        ("{\"a\" 1}", "json_invalid", 5),
        ("{\"a\":1 \"b\"}", "json_invalid", 7),
        ("{a:1}", "json_invalid", 1),
        ("01", "json_trailing", 1),
        ("-", "json_invalid", 1),
        ("-a", "json_invalid", 1),
        ("1.", "json_invalid", 2),
        ("1.x", "json_invalid", 2),
        ("1e+", "json_invalid", 3),
        (".5", "json_invalid", 0),
        ("+1", "json_invalid", 0),
        ("tru", "json_invalid", 3),
        ("trux", "json_invalid", 0),
        ("NaN", "json_invalid", 0),
        ("\"a\tb\"", "json_invalid", 2),
        ("\"a\\x\"", "json_invalid", 2),
        ("\"a\\u12g4\"", "json_invalid", 2),
        ("\"a\\ud800\"", "json_invalid", 2),
        ("\"\\ud800\\u0041\"", "json_invalid", 1),
        ("\"\\udc00\"", "json_invalid", 1),
        ("\"abc", "json_invalid", 4),
        ("\"abc\\", "json_invalid", 5),
        ("\"abc\\u00", "json_invalid", 8),
        ("[1] x", "json_trailing", 4),
        ("\u{feff}1", "json_invalid", 0),
    ] {
        let error = parse(source).unwrap_err();
        assert_eq!((error.code(), error.place().offset), (code, offset), "{source:?}: {error}");
    }
    let error = parse("{\n  \"a\": é\n}").unwrap_err();
    assert_eq!(error.place(), Place { offset: 9, line: 2, column: 8 });
    assert!(error.to_string().starts_with("json at line 2, column 8: "), "{error}");
}

#[test]
fn every_truncation_is_known_as_one() {
    let source = r#"{"a": [1.5e2, "x\n\u00e9é", true], "b": null}"#;
    for end in 0..source.len() {
        let error = Reader::new(&source.as_bytes()[..end], Options::LENIENT).value().unwrap_err();
        assert!(error.is_end_of_input(), "{end}: {error}");
    }
}

#[test]
fn depth_is_bounded_everywhere() {
    let nested = |depth: usize, open: &str, close: &str| [open.repeat(depth), close.repeat(depth)].concat();
    assert!(parse(&nested(128, "[", "]")).is_ok());
    let error = parse(&nested(129, "[", "]")).unwrap_err();
    assert_eq!((error.code(), error.place().offset), ("json_too_deep", 128));
    let objects = ["{\"a\":".repeat(128), "1".into(), "}".repeat(128)].concat();
    assert!(parse(&objects).is_ok());
    for deep in [1_000_000, 127 + 1] {
        let skipped = format!("{{\"a\":1,\"skip\":{}}}", "[".repeat(deep));
        let error = Reader::new(skipped.as_bytes(), Options::STRICT).object_without(&["skip"]).unwrap_err();
        assert_eq!(error.code(), "json_too_deep");
    }
    let options = Options { lenient: false, max_depth: usize::MAX };
    let error = Reader::new("[".repeat(1_000_000).as_bytes(), options).value().unwrap_err();
    assert_eq!(error.place().offset, Options::DEPTH_LIMIT);
}

#[test]
fn lenient_readers_repair_and_count() {
    let (value, repairs) =
        lenient(b"[\"a\\ud800b\\udc00\\ud83d\\ud83d\\ude00\", \"\\u0000\", \"x\xff\xf0\x9f\"]");
    assert_eq!(
        text(&value.unwrap()),
        "[\"a\u{FFFD}b\u{FFFD}\u{FFFD}😀\",\"\u{FFFD}\",\"x\u{FFFD}\u{FFFD}\"]"
    );
    assert_eq!(repairs, Repairs { surrogates: 3, nuls: 1, utf8: 2, duplicate_keys: 0 });
    assert_eq!(repairs.total(), 6);
    let (value, repairs) = lenient(b"\xEF\xBB\xBF{\"\\ud800\":1");
    assert!(value.unwrap_err().is_end_of_input());
    assert_eq!(repairs, Repairs::default());
    let strict = Reader::new(b"\"ab\xff\"", Options::STRICT).value().unwrap_err();
    assert_eq!(strict.place().offset, 3);
}

#[test]
fn the_last_duplicate_counts() {
    let mut reader = Reader::new(br#"{"a":1,"b":2,"a":3,"c":{"x":1,"x":2,"x":3}}"#, Options::STRICT);
    assert_eq!(text(&reader.value().unwrap()), r#"{"a":3,"b":2,"c":{"x":3}}"#);
    assert_eq!(reader.repairs().duplicate_keys, 3);
    assert_eq!(reader.repairs().total(), 0);
    let many = format!("{{{}\"k7\":0}}", (0..20).map(|n| format!("\"k{n}\":{n},")).collect::<String>());
    let value = parse(&many).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 20);
    assert_eq!(value.as_object().unwrap().iter().nth(7), Some(("k7", &Json::from(0u64))));
}

#[test]
fn glued_values_are_read_one_by_one() {
    let mut reader = Reader::new(b"{\"a\":1}[2]3 \n", Options::LENIENT);
    assert_eq!(text(&reader.value().unwrap()), "{\"a\":1}");
    assert_eq!(text(&reader.value().unwrap()), "[2]");
    assert_eq!((text(&reader.value().unwrap()), reader.position()), ("3".into(), 11));
    assert!(!reader.at_end());
    assert!(reader.end().is_ok() && reader.at_end());
    let mut torn = Reader::new(b"  {\"a\":{\"b\":1}", Options::LENIENT);
    assert!(torn.value().is_err());
    assert_eq!(torn.position(), 2);
}

#[test]
fn skipped_values_are_checked() {
    let skip = |source: &str| {
        let mut reader = Reader::new(source.as_bytes(), Options::LENIENT);
        reader.object_without(&["s", "t"]).map(|value| (text(&value), reader.repairs()))
    };
    let (value, repairs) = skip(r#"{"s":[1,{"x":"\ud800\u0000"},[]],"a":{"s":1},"t":-1.5e3}"#).unwrap();
    assert_eq!((value.as_str(), repairs), (r#"{"a":{"s":1}}"#, Repairs::default()));
    assert_eq!(skip(r#"{"s":{}}"#).unwrap().0, "{}");
    assert_eq!(skip(r#"{"s":true,"b":"s"}"#).unwrap().0, r#"{"b":"s"}"#);
    assert_eq!(skip(r#"["s"]"#).unwrap().0, r#"["s"]"#);
    for source in [
        r#"{"s":[1,}}"#,
        r#"{"s":{"a":}}"#,
        r#"{"s":{"a" 1}}"#,
        r#"{"s":01}"#,
        r#"{"s":"\x"}"#,
        r#"{"s":1,}"#,
    ] {
        let built = Reader::new(source.as_bytes(), Options::LENIENT).value().unwrap_err();
        assert_eq!(skip(source).unwrap_err(), built, "{source}");
    }
}

#[test]
fn canonical_numbers_keep_their_value() {
    for (literal, expected) in [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0e5", "0"),
        ("0e99999999999999999999", "0"),
        ("1.0", "1"),
        ("1e2", "100"),
        ("0.1", "0.1"),
        ("0.10", "0.1"),
        ("1E+2", "100"),
        ("-1.50", "-1.5"),
        ("1e21", "1e+21"),
        ("1e20", "100000000000000000000"),
        ("0.000001", "0.000001"),
        ("0.0000001", "1e-7"),
        ("1234567890123456789", "1234567890123456789"),
        ("9007199254740993", "9007199254740993"),
        ("9007199254740992", "9007199254740992"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("1e400", "1e400"),
        ("1e-400", "1e-400"),
        ("5e-324", "5e-324"),
        ("333333333.33333329", "333333333.33333329"),
        ("4.50", "4.5"),
        ("2e-3", "0.002"),
        ("1e99999999999999999999", "1e99999999999999999999"),
    ] {
        assert_eq!(canonical_of(literal), expected, "{literal}");
        assert_eq!(canonical_of(expected), expected);
    }
}

#[test]
fn canonical_keys_and_strings_follow_rfc_8785() {
    let keys = "{\"€\":1,\"\\r\":2,\"\u{fb33}\":3,\"1\":4,\"😀\":5,\"\u{80}\":6,\"ö\":7}";
    assert_eq!(
        canonical_of(keys),
        "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
    );
    assert_eq!(
        canonical_of(r#""\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/\u007f\u001f""#),
        "\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\u{7f}\\u001f\""
    );
    assert_eq!(canonical_of("\"\\b\\t\\n\\f\\r\""), "\"\\b\\t\\n\\f\\r\"");
}

#[test]
fn numbers_convert_exactly_or_not_at_all() {
    let number = |source: &str| parse(source).unwrap();
    assert_eq!(number("18446744073709551615").as_u64(), Some(u64::MAX));
    assert_eq!(number("18446744073709551616").as_u64(), None);
    assert_eq!(number("-9223372036854775808").as_i64(), Some(i64::MIN));
    assert_eq!((number("-1").as_u64(), number("-1").as_i64()), (None, Some(-1)));
    assert_eq!(
        (number("10.0").as_u64(), number("1e3").as_u64(), number("0.5e1").as_u64()),
        (Some(10), Some(1000), Some(5))
    );
    assert_eq!(
        (number("1.5").as_u64(), number("1e-1").as_i64(), number("1e30").as_u64()),
        (None, None, None)
    );
    assert_eq!((number("-0").as_u64(), number("0.0").as_u64()), (Some(0), Some(0)));
    assert_eq!(
        (number("1e400").as_number().unwrap().as_f64(), number("2.5").as_number().unwrap().as_f64()),
        (None, Some(2.5))
    );
    assert_eq!(Number::from_f64(f64::NAN), None);
    assert_eq!(Number::from_f64(1e21).unwrap().literal(), "1e+21");
}

#[test]
fn serde_gets_what_it_can_carry() {
    let value = parse(r#"{"a":[18446744073709551615,-2,1.5,1e400,null,true,"x"]}"#).unwrap();
    let expected = r#"{"a":[18446744073709551615,-2,1.5,"1e400",null,true,"x"]}"#;
    assert_eq!(serde_json::to_string(&value).unwrap(), expected);
}

#[test]
fn objects_keep_their_order() {
    let mut object = Object::new();
    assert!(object.is_empty());
    object.insert("b", 1u64);
    object.insert("a", "x");
    assert_eq!(object.insert("b", true), Some(Json::from(1u64)));
    assert_eq!(text(&object.clone().into()), r#"{"b":true,"a":"x"}"#);
    assert_eq!((object.remove("b"), object.len()), (Some(Json::Bool(true)), 1));
    let pairs = vec![("k".to_string(), Json::Null), ("k".to_string(), Json::Bool(true))];
    assert_eq!(text(&pairs.into_iter().collect::<Object>().into()), r#"{"k":true}"#);
}
