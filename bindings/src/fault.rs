//! Errors on their way to JavaScript, and what JavaScript threw on its way back.

use js_sys::Reflect;
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

#[wasm_bindgen(module = "/js/error.js")]
extern "C" {
    type ThroughlineError;

    #[wasm_bindgen(constructor)]
    fn new(message: &str, code: &str, path: Option<&str>, details: &JsValue) -> ThroughlineError;
}

/// A failure as JavaScript will see it: the fields of one `ThroughlineError`.
#[derive(Clone, Debug)]
pub struct Fault {
    code: &'static str,
    message: String,
    path: Option<String>,
    details: JsValue,
}

impl Fault {
    /// A fault with a stable `code` (lower_snake_case) and a message for people.
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), path: None, details: JsValue::UNDEFINED }
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says where the input was wrong, such as `storage.commit` or `rows[3].role`.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Attaches data that goes with the code: a plain value, or the error that the host threw.
    #[must_use]
    pub fn with_details(mut self, details: JsValue) -> Self {
        self.details = details;
        self
    }
}

impl From<Fault> for JsValue {
    fn from(fault: Fault) -> Self {
        ThroughlineError::new(&fault.message, fault.code, fault.path.as_deref(), &fault.details).into()
    }
}

/// What host code threw, or rejected its promise with.
///
/// JavaScript can throw anything, so every part may be absent.
#[derive(Clone, Debug)]
pub struct Thrown {
    value: JsValue,
}

impl Thrown {
    /// The `code` of the thrown object, when it has one that is a string.
    #[must_use]
    pub fn code(&self) -> Option<String> {
        self.text("code")
    }

    /// The `message` of the thrown object; else the thrown string; else what kind of value it was.
    #[must_use]
    pub fn message(&self) -> String {
        self.text("message").or_else(|| self.value.as_string()).unwrap_or_else(|| {
            let kind = self.value.js_typeof().as_string().unwrap_or_default();
            format!("the host threw a value of type {kind} without a message")
        })
    }

    /// An entry of the `details` of the thrown object.
    #[must_use]
    pub fn detail(&self, key: &str) -> Option<JsValue> {
        let details = Reflect::get(&self.value, &"details".into()).ok().filter(JsValue::is_object)?;
        Reflect::get(&details, &key.into()).ok().filter(|value| !value.is_undefined())
    }

    /// The value itself.
    #[must_use]
    pub fn value(&self) -> &JsValue {
        &self.value
    }

    /// The value itself, to hand on as `details`.
    #[must_use]
    pub fn into_value(self) -> JsValue {
        self.value
    }

    fn text(&self, key: &str) -> Option<String> {
        if !self.value.is_object() && !self.value.is_instance_of::<js_sys::Function>() {
            return None;
        }
        // A getter may throw as well; then the part counts as absent.
        Reflect::get(&self.value, &JsValue::from_str(key)).ok()?.as_string()
    }
}

impl From<JsValue> for Thrown {
    fn from(value: JsValue) -> Self {
        Self { value }
    }
}
