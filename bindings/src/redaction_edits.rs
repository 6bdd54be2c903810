//! What is replaced in a string, which comes in pieces.

use crate::fault::Fault;
use js_sys::Uint32Array;
use std::{cell::RefCell, rc::Rc};
use throughline_core::redact::{EditStream, Redactor, Utf16Edits};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Edits as JavaScript takes them; see `js/joined.js`.
pub fn parts(edits: Utf16Edits) -> Vec<JsValue> {
    vec![Uint32Array::from(&*edits.places).into(), edits.marks.into()]
}

/// A string that comes in pieces, as `js/edits.js` hands it over; it keeps its redactor alive.
#[derive(Debug)]
#[wasm_bindgen(js_name = Edits)]
pub struct EditsHandle {
    redactor: Rc<Redactor>,
    stream: RefCell<EditStream>,
}

impl EditsHandle {
    /// The start of a string.
    #[must_use]
    pub fn new(redactor: Rc<Redactor>) -> Self {
        Self { redactor, stream: RefCell::default() }
    }
}

#[wasm_bindgen(js_class = Edits)]
impl EditsHandle {
    /// Takes a piece of the string, in UTF-8.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn push(&self, piece: &[u8]) -> Result<(), JsValue> {
        let invalid =
            |error| Fault::new("argument_invalid", format!("`piece` is no UTF-8: {error}")).at("piece");
        let piece = std::str::from_utf8(piece).map_err(invalid)?;
        self.stream.borrow_mut().push(&self.redactor, piece);
        Ok(())
    }

    /// What is replaced in all of it; `undefined` when nothing is.
    #[wasm_bindgen]
    #[must_use]
    pub fn finish(&self) -> Option<Vec<JsValue>> {
        let edits = self.stream.borrow_mut().finish(&self.redactor);
        (!edits.places.is_empty()).then(|| parts(edits))
    }
}
