//! The checks on objects that a host hands over, and what comes back from its methods.
#![cfg(target_family = "wasm")]

use js_sys::{Function, Reflect};
use throughline_wasm::js_object::JsObject;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// What a JavaScript expression gives.
fn js(expression: &str) -> JsValue {
    Function::new_no_args(&format!("return ({expression})")).call0(&JsValue::UNDEFINED).unwrap()
}

fn field(value: &JsValue, name: &str) -> Option<String> {
    Reflect::get(value, &name.into()).unwrap().as_string()
}

/// The `ThroughlineError` of a refused object.
fn refusal(host: &str) -> JsValue {
    JsObject::check(js(host), "storage", &["commit", "read"]).unwrap_err().into()
}

#[wasm_bindgen_test]
fn an_object_with_all_methods_is_taken() {
    assert!(JsObject::check(js("{ commit() {}, read() {} }"), "storage", &["commit", "read"]).is_ok());
    assert!(JsObject::check(js("new (class { commit() {} })"), "storage", &["commit"]).is_ok());
}

#[wasm_bindgen_test]
fn what_is_no_object_is_refused_by_name() {
    for host in ["undefined", "null", "7", "'sqlite'"] {
        let error = refusal(host);
        assert_eq!(field(&error, "name").as_deref(), Some("ThroughlineError"), "{host}");
        assert_eq!(field(&error, "code").as_deref(), Some("host_invalid"), "{host}");
        assert_eq!(field(&error, "path").as_deref(), Some("storage"), "{host}");
    }
    assert!(field(&refusal("null"), "message").unwrap().starts_with("`storage` is null, but"));
}

#[wasm_bindgen_test]
fn a_missing_method_is_named_in_the_path() {
    for host in [
        "{ read() {} }",
        "{ commit: 'soon', read() {} }",
        "{ get commit() { throw new Error('no') }, read() {} }",
    ] {
        let error = refusal(host);
        assert_eq!(field(&error, "code").as_deref(), Some("host_invalid"), "{host}");
        assert_eq!(field(&error, "path").as_deref(), Some("storage.commit"), "{host}");
    }
}

#[wasm_bindgen_test]
async fn a_call_waits_for_a_promise_or_takes_a_plain_value() {
    let host = js("{ by: 2, plain(n) { return n * this.by }, async later(n) { return n * this.by } }");
    let host = JsObject::check(host, "host", &["plain", "later"]).unwrap();
    for method in ["plain", "later"] {
        assert_eq!(host.call(method, &[21.into()]).await.unwrap().as_f64(), Some(42.0), "{method}");
    }
}

#[wasm_bindgen_test]
async fn whatever_the_host_throws_is_carried() {
    let host = js("{
        commit() { throw Object.assign(new Error('moved on'), { code: 'conflict' }) },
        async read() { throw 'plain text' },
        clock() { throw undefined },
        zone() { throw { get message() { throw 1 } } },
    }");
    let host = JsObject::check(host, "host", &["commit", "read", "clock", "zone"]).unwrap();

    let thrown = host.call("commit", &[]).await.unwrap_err();
    assert_eq!((thrown.code().as_deref(), thrown.message().as_str()), (Some("conflict"), "moved on"));
    assert_eq!(field(&thrown.into_value(), "name").as_deref(), Some("Error"));

    let thrown = host.call("read", &[]).await.unwrap_err();
    assert_eq!((thrown.code(), thrown.message().as_str()), (None, "plain text"));

    let unnamed = "the host threw a value of type undefined without a message";
    assert_eq!(host.call("clock", &[]).await.unwrap_err().message(), unnamed);
    let unnamed = "the host threw a value of type object without a message";
    assert_eq!(host.call("zone", &[]).await.unwrap_err().message(), unnamed);
    // A method that has gone since the check is an error of the call, not a trap.
    assert!(host.call("gone", &[]).await.is_err());
}
