//! Scrubbing in chunks.

use crate::{
    arguments::refused,
    value::{bytes, plain},
};
use js_sys::Uint8Array;
use std::{cell::RefCell, rc::Rc};
use throughline_core::redact::{Redactor, StreamCore};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// What is copied into wasm memory at once.
const PIECE: u32 = 64 * 1024;

/// A stream as JavaScript holds it; it keeps its redactor alive.
#[derive(Debug)]
#[wasm_bindgen(js_name = RedactionStream)]
pub struct StreamHandle {
    redactor: Rc<Redactor>,
    core: RefCell<StreamCore>,
    from: u64,
}

impl StreamHandle {
    /// A stream from its start on.
    #[must_use]
    pub fn new(redactor: Rc<Redactor>, core: StreamCore) -> Self {
        Self::from(redactor, core, 0)
    }

    /// A stream that is to be fed from an offset on.
    #[must_use]
    pub fn from(redactor: Rc<Redactor>, core: StreamCore, from: u64) -> Self {
        Self { redactor, core: RefCell::new(core), from }
    }
}

#[wasm_bindgen(js_class = RedactionStream)]
impl StreamHandle {
    /// Takes the bytes of a chunk, and gives what is clean for good.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn push(&self, chunk: &JsValue) -> Result<Uint8Array, JsValue> {
        let chunk = bytes(chunk).ok_or_else(|| refused(chunk, "chunk", "a Uint8Array or an ArrayBuffer"))?;
        let (mut out, mut at) = (Vec::new(), 0);
        while at < chunk.length() {
            let end = at.saturating_add(PIECE).min(chunk.length());
            let piece = chunk.subarray(at, end).to_vec();
            self.core.borrow_mut().push(&self.redactor, &piece, &mut out);
            at = end;
        }
        Ok(Uint8Array::from(&*out))
    }

    /// Gives what was held back: nothing more comes.
    #[wasm_bindgen]
    #[must_use]
    pub fn finish(&self) -> Uint8Array {
        let mut out = Vec::new();
        self.core.borrow_mut().finish(&self.redactor, &mut out);
        Uint8Array::from(&*out)
    }

    /// What was found since this was asked last, with places in bytes.
    ///
    /// # Errors
    /// None that a caller can cause.
    #[wasm_bindgen(js_name = takeFindings)]
    pub fn take_findings(&self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.core.borrow_mut().take_findings())?)
    }

    /// Bytes that are held back.
    #[wasm_bindgen]
    #[must_use]
    pub fn held(&self) -> usize {
        self.core.borrow().held()
    }

    /// What is needed to go on later; no text.
    ///
    /// # Errors
    /// None that a caller can cause.
    #[wasm_bindgen]
    pub fn state(&self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.core.borrow().state())?)
    }

    /// From which offset of its input on the stream is to be fed.
    #[wasm_bindgen(getter)]
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "no file is longer than 2^53 bytes")]
    pub fn from_offset(&self) -> f64 {
        self.from as f64
    }
}
