//! An object of the host, such as its storage: checked once, then called by method name.

use crate::fault::{Fault, Thrown};
use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A JavaScript object with the methods that a trait of the core asks for.
#[derive(Clone, Debug)]
pub struct JsObject {
    this: JsValue,
}

impl JsObject {
    /// Takes `this` if it is an object on which every one of `methods` is a function.
    ///
    /// `name` is what the host calls the argument; it heads the path of an error.
    ///
    /// # Errors
    /// `host_invalid`, with path `storage` when that argument is no object, and `storage.commit`
    /// when it lacks that method.
    pub fn check(this: JsValue, name: &str, methods: &[&str]) -> Result<Self, Fault> {
        if !this.is_object() {
            let kind = if this.is_null() { "null".into() } else { this.js_typeof() };
            let kind = kind.as_string().unwrap_or_default();
            let message =
                format!("`{name}` is {kind}, but must be an object with the methods {}", methods.join(", "));
            return Err(Fault::new("host_invalid", message).at(name));
        }
        for method in methods {
            if !Reflect::get(&this, &JsValue::from_str(method)).is_ok_and(|value| value.is_function()) {
                let path = format!("{name}.{method}");
                return Err(Fault::new("host_invalid", format!("`{path}` is not a function")).at(path));
            }
        }
        Ok(Self { this })
    }

    /// Calls `method` and waits for what it gives back, a promise or a plain value.
    ///
    /// The method is looked up at each call, as JavaScript itself does.
    ///
    /// # Errors
    /// [`Thrown`] when the method throws, or its promise is rejected.
    pub async fn call(&self, method: &str, arguments: &[JsValue]) -> Result<JsValue, Thrown> {
        let answer = self.call_now(method, arguments)?;
        Ok(JsFuture::from(Promise::resolve(&answer)).await?)
    }

    /// Calls `method` and takes what it gives back as it is.
    ///
    /// # Errors
    /// [`Thrown`] when the method throws.
    pub fn call_now(&self, method: &str, arguments: &[JsValue]) -> Result<JsValue, Thrown> {
        let function: Function = Reflect::get(&self.this, &JsValue::from_str(method))?.dyn_into()?;
        Ok(function.apply(&self.this, &arguments.iter().collect::<Array>())?)
    }

    /// The object itself.
    #[must_use]
    pub fn value(&self) -> &JsValue {
        &self.this
    }
}
