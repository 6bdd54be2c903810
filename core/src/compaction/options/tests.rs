use super::{Layers, TraitLayer, resolve};
use crate::json::{Json, parse, text};
use alloc::{format, string::String, vec::Vec};

fn json(text: &str) -> Json {
    parse(text).unwrap()
}

fn layers(session: &str, traits: &[(&str, &str)], agent: &str, persisted: &str) -> Layers {
    let traits = traits.iter().map(|(id, layer)| TraitLayer { id: (*id).into(), checkpoint: json(layer) });
    Layers {
        session: json(session),
        traits: traits.collect(),
        agent: json(agent),
        persisted: json(persisted),
    }
}

fn resolved(session: &str, traits: &[(&str, &str)], agent: &str, persisted: &str) -> String {
    text(&resolve(&layers(session, traits, agent, persisted)).unwrap().to_json())
}

#[test]
fn the_packaged_threshold_stands_where_none_is_named() {
    assert_eq!(resolved("null", &[], "null", "null"), r#"{"token_threshold":50000}"#);
    assert_eq!(resolved("{}", &[], "{}", "null"), r#"{"token_threshold":50000}"#);
    assert_eq!(resolved(r#"{"token_checkpoint_threshold":null}"#, &[], "{}", "null"), "{}");
    assert_eq!(
        resolved(r#"{"token_checkpoint_threshold":" 7e3 "}"#, &[], "{}", "null"),
        r#"{"token_threshold":7e3}"#
    );
}

#[test]
fn layers_stand_over_one_another_and_name_what_they_set() {
    let traits = [
        ("one", r#"{"max_tokens":1,"strict":true,"model":"m"}"#),
        ("two", r#"{"max_tokens":2}"#),
        ("off", "false"),
    ];
    let given =
        layers("{}", &traits, r#"{"a":{"x":1,"y":{}},"max_tokens":3}"#, r#"{"a":{"x":null,"z z":2}}"#);
    let effective = resolve(&given).unwrap();
    let expected = r#"{"a":{"x":1,"y":{},"z z":2},"max_tokens":3,"strict":true,"token_threshold":50000}"#;
    assert_eq!(text(&effective.to_json()), expected);
    let origins: Vec<String> =
        effective.origins().iter().map(|(path, origin)| format!("{path} {}", origin.name())).collect();
    let expected = [
        "a.x agent",
        "a.y agent",
        r#"a["z z"] persisted"#,
        "max_tokens agent",
        "strict trait:one",
        "token_threshold session_default",
    ];
    assert_eq!(origins, expected);
    assert_eq!(effective.warnings().len(), 1, "{:?}", effective.warnings());
    assert_eq!(effective.removed_traits(), ["off"]);
}

#[test]
fn what_does_not_read_is_named() {
    for (given, path) in [
        (layers("[]", &[], "null", "null"), "session"),
        (
            layers(r#"{"token_checkpoint_threshold":"many"}"#, &[], "null", "null"),
            "session.token_checkpoint_threshold",
        ),
        (layers("{}", &[("t", "true")], "null", "null"), "traits[0].checkpoint"),
        (
            layers("{}", &[("t", r#"{"token_threshold":"x"}"#)], "null", "null"),
            "traits[0].checkpoint.token_threshold",
        ),
        (
            layers("{}", &[], r#"{"token_threshold":true}"#, "null"),
            "agent_options.checkpoint.token_threshold",
        ),
        (
            layers("{}", &[], r#"{"token_threshold":1e999}"#, "null"),
            "agent_options.checkpoint.token_threshold",
        ),
        (layers("{}", &[], r#"{"enabled":"no"}"#, "null"), "agent_options.checkpoint.enabled"),
        (layers("{}", &[], "{}", r#"{"function_id":7}"#), "config.checkpoint.function_id"),
    ] {
        let error = resolve(&given).unwrap_err();
        assert_eq!((error.code(), error.path()), ("option_invalid", Some(path)), "{error}");
    }
}

#[test]
fn zero_and_blank_mean_none() {
    let effective =
        resolve(&layers("{}", &[], r#"{"token_threshold":"-0.5","function_id":" "}"#, "null")).unwrap();
    assert_eq!((effective.token_threshold(), effective.function_id()), (None, None));
    let given = [r#"{"token_threshold":0.5}"#];
    assert_eq!(resolve(&layers("{}", &[], given[0], "null")).unwrap().token_threshold(), Some(0.5));
}
