//! Clock and entropy of JavaScript, and the host that an engine runs on.

use crate::{
    arguments::instant,
    fault::{Fault, Thrown},
    storage::JsStorage,
    value::{bytes, kind},
    watch::Watch,
};
use js_sys::Function;
use std::cell::Cell;
use throughline_core::{
    host::{Clock, Entropy, Parts},
    time::Timestamp,
};
use wasm_bindgen::prelude::{JsCast, JsValue};

/// Everything that a JavaScript host injects.
pub type JsHost = Parts<JsStorage, JsClock, JsEntropy>;

/// Puts a host together.
///
/// # Errors
/// `host_invalid`, with the path of what is not as it must be.
pub fn host(
    storage: JsValue,
    driver: JsValue,
    clock: JsValue,
    entropy: JsValue,
    watch: &Watch,
) -> Result<JsHost, Fault> {
    let absent = |value: &JsValue| value.is_undefined() || value.is_null();
    let storage = match (absent(&storage), absent(&driver)) {
        (true, true) => JsStorage::memory(watch.clone()),
        (false, true) => JsStorage::object(storage, watch.clone())?,
        (true, false) => JsStorage::driver(driver, watch.clone())?,
        (false, false) => {
            let message = "`driver` is given beside `storage`: one of them is the place of everything";
            return Err(Fault::new("host_invalid", message).at("driver"));
        }
    };
    let clock = JsClock::new(clock, watch)?;
    let entropy = JsEntropy::new(entropy, watch)?;
    Ok(JsHost { storage, clock, entropy })
}

fn function(value: JsValue, name: &str) -> Result<Function, Fault> {
    value.dyn_into().map_err(|value: JsValue| {
        let message = format!("`{name}` is {}, but must be a function", kind(&value));
        Fault::new("host_invalid", message).at(name)
    })
}

fn call(function: &Function, code: &'static str, name: &str) -> Result<JsValue, Fault> {
    function.call0(&JsValue::UNDEFINED).map_err(|error| {
        let thrown = Thrown::from(error);
        let message = format!("`{name}` threw: {}", thrown.message());
        Fault::new(code, message).at(name).with_details(thrown.into_value())
    })
}

/// A function that gives the time: milliseconds since 1970, text as in RFC 3339, or a `Date`.
#[derive(Debug)]
pub struct JsClock {
    /// Absent where the time is fixed.
    function: Option<Function>,
    last: Cell<Timestamp>,
    watch: Watch,
}

impl JsClock {
    /// A clock that asks a function.
    ///
    /// # Errors
    /// `host_invalid`, with path `clock`.
    pub fn new(clock: JsValue, watch: &Watch) -> Result<Self, Fault> {
        let function = Some(function(clock, "clock")?);
        Ok(Self { function, last: Cell::new(Timestamp::EPOCH), watch: watch.clone() })
    }

    /// A clock that stands still.
    #[must_use]
    pub fn fixed(at: Timestamp, watch: &Watch) -> Self {
        Self { function: None, last: Cell::new(at), watch: watch.clone() }
    }

    fn read(&self) -> Result<Timestamp, Fault> {
        let Some(function) = &self.function else { return Ok(self.last.get()) };
        let value = call(function, "clock_invalid", "clock")?;
        instant(&value, "clock").map_err(|fault| Fault::new("clock_invalid", fault.message()).at("clock"))
    }
}

impl Clock for JsClock {
    /// The time. Where the function gives none, the last one: the operation then fails without a write.
    fn now(&self) -> Timestamp {
        match self.read() {
            Ok(now) => self.last.set(now),
            Err(fault) => self.watch.fatal(fault),
        }
        self.last.get()
    }
}

/// A function that gives 16 random bytes.
#[derive(Debug)]
pub struct JsEntropy {
    function: Function,
    watch: Watch,
}

impl JsEntropy {
    /// Entropy that asks a function.
    ///
    /// # Errors
    /// `host_invalid`, with path `entropy`.
    pub fn new(entropy: JsValue, watch: &Watch) -> Result<Self, Fault> {
        Ok(Self { function: function(entropy, "entropy")?, watch: watch.clone() })
    }

    fn read(&self) -> Result<[u8; 16], Fault> {
        let value = call(&self.function, "entropy_invalid", "entropy")?;
        let found = bytes(&value);
        let array = found.as_ref().and_then(|found| found.to_vec().try_into().ok());
        array.ok_or_else(|| {
            let found = found.map_or_else(|| kind(&value), |found| format!("{} bytes", found.length()));
            let message = format!("`entropy` gave {found}, but must give a Uint8Array of 16 bytes");
            Fault::new("entropy_invalid", message).at("entropy")
        })
    }
}

impl Entropy for JsEntropy {
    /// Random bytes. Where the function gives none, zeros: the operation then fails without a write.
    fn bytes(&self) -> [u8; 16] {
        self.read().unwrap_or_else(|fault| {
            self.watch.fatal(fault);
            [0; 16]
        })
    }
}
