//! A conversation that is kept assembled, behind a handle; and explanations of two prompts.

use crate::{
    arguments::{Options, absent, one_of, refused, text},
    fault::Fault,
    prompt::{self, request},
    prompt_input,
    redactor::with_standard,
    value::plain,
};
use js_sys::Uint8Array;
use serde_json::json;
use std::cell::RefCell;
use throughline_core::{
    id::RowId,
    prompt::{Change, Conversation, Prices, PromptError, PromptFile, Provider, Removal, explain_files},
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The handle. Arguments are read before the conversation is borrowed, so that what they call may call it too.
#[wasm_bindgen(js_name = Conversation)]
#[derive(Debug)]
pub struct Handle {
    conversation: RefCell<Conversation>,
}

type Done = Result<JsValue, JsValue>;

fn told(change: Change) -> Done {
    Ok(plain(&json!({ "kept": change.kept, "edit": change.edit }))?)
}

fn fault(error: &PromptError) -> Fault {
    Fault::new(error.code(), error.to_string()).at(error.path())
}

fn anchor(value: &JsValue) -> Result<Option<RowId>, Fault> {
    if absent(value) { Ok(None) } else { prompt_input::row_id(value, "after").map(Some) }
}

#[wasm_bindgen(js_class = Conversation)]
impl Handle {
    /// Assembles a conversation from what a prompt is made from.
    ///
    /// # Errors
    /// As [`prompt_input::read`].
    #[wasm_bindgen(constructor)]
    pub fn new(input: &JsValue) -> Result<Handle, JsValue> {
        let conversation = RefCell::new(Conversation::new(prompt_input::read(input)?));
        Ok(Self { conversation })
    }

    fn edit(&self, edit: impl FnOnce(&mut Conversation) -> Result<Change, PromptError>) -> Done {
        match edit(&mut self.conversation.borrow_mut()) {
            Ok(change) => told(change),
            Err(error) => Err(fault(&error).into()),
        }
    }

    /// Takes in a row, new or changed.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn put(&self, row: &JsValue) -> Done {
        let row = with_standard(|redactor| prompt_input::row(row, "row", redactor))?;
        self.edit(|conversation| Ok(conversation.put(row)))
    }

    /// Takes in rows as one change.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen(js_name = putAll)]
    pub fn put_all(&self, rows: &JsValue) -> Done {
        let rows = with_standard(|redactor| prompt_input::rows(rows, "rows", redactor))?;
        self.edit(|conversation| Ok(conversation.put_all(rows)))
    }

    /// Keeps thinking of an answer that may not be stored, while its tool round lasts.
    ///
    /// # Errors
    /// `argument_invalid`, `identifier_invalid`, `row_unknown`.
    #[wasm_bindgen]
    pub fn hold(&self, row: &JsValue, held: &JsValue) -> Done {
        let row = prompt_input::row_id(row, "row")?;
        let held = with_standard(|redactor| prompt_input::held(held, "held", redactor))?;
        self.edit(|conversation| conversation.hold(&row, held))
    }

    /// Withdraws the result of a call.
    ///
    /// # Errors
    /// `argument_invalid`, `row_unknown`.
    #[wasm_bindgen]
    pub fn withdraw(&self, row: &JsValue, why: &JsValue) -> Done {
        let row = prompt_input::row_id(row, "row")?;
        let why = if absent(why) { None } else { Some(text(why, "why")?) };
        let why = why.map(|why| with_standard(|redactor| redactor.clean(&why)));
        self.edit(|conversation| conversation.withdraw(&row, why))
    }

    /// Applies pending steering behind its anchor.
    ///
    /// # Errors
    /// `argument_invalid`, `row_unknown`, `input_state`.
    #[wasm_bindgen(js_name = applySteering)]
    pub fn apply_steering(&self, rows: &JsValue, after: &JsValue) -> Done {
        let (rows, after) = (prompt_input::row_ids(rows, "rows")?, anchor(after)?);
        self.edit(|conversation| conversation.apply_steering(&rows, after.as_ref()))
    }

    /// Returns steering to pending.
    ///
    /// # Errors
    /// `argument_invalid`, `row_unknown`, `input_state`.
    #[wasm_bindgen(js_name = returnSteering)]
    pub fn return_steering(&self, rows: &JsValue, after: &JsValue) -> Done {
        let (rows, after) = (prompt_input::row_ids(rows, "rows")?, anchor(after)?);
        self.edit(|conversation| conversation.return_steering(&rows, after.as_ref()))
    }

    /// Takes rows away: `rewound` or `discarded`.
    ///
    /// # Errors
    /// `argument_invalid`, `row_unknown`.
    #[wasm_bindgen]
    pub fn remove(&self, rows: &JsValue, why: &JsValue) -> Done {
        let rows = prompt_input::row_ids(rows, "rows")?;
        let known = [("rewound", Removal::Rewound), ("discarded", Removal::Discarded)];
        let why = one_of(why, "why", &known)?;
        self.edit(|conversation| conversation.remove(&rows, why))
    }

    /// Sets what is given of `{boundary, request, contexts, turn, uploads}`; `null` takes boundary and turn back.
    ///
    /// # Errors
    /// As [`prompt_input::read`].
    #[wasm_bindgen]
    pub fn set(&self, options: &JsValue) -> Done {
        let known = ["boundary", "request", "contexts", "turn", "uploads"];
        let options = Options::of(options, "options", &known)?;
        let given: Vec<&str> = known
            .into_iter()
            .map(|key| options.get(key).map(|value| (key, value.is_undefined())))
            .filter_map(|given| given.map(|(key, out)| (!out).then_some(key)).transpose())
            .collect::<Result<_, Fault>>()?;
        let [key] = given.as_slice() else {
            return Err(Fault::new("argument_invalid", format!("give one of {}", known.join(", "))).into());
        };
        let edit: Box<dyn FnOnce(&mut Conversation) -> Change> = with_standard(|redactor| {
            Ok::<Box<dyn FnOnce(&mut Conversation) -> Change>, Fault>(match *key {
                "boundary" => {
                    let value =
                        options.optional(key, |value, path| prompt_input::boundary(value, path, redactor))?;
                    Box::new(|conversation| conversation.set_boundary(value))
                }
                "request" => {
                    let value = request(&options, redactor)?;
                    Box::new(|conversation| conversation.set_request(value))
                }
                "contexts" => {
                    let value =
                        options.optional(key, |value, path| prompt_input::contexts(value, path, redactor))?;
                    Box::new(|conversation| conversation.set_contexts(value.unwrap_or_default()))
                }
                "turn" => {
                    let value =
                        options.optional(key, |value, path| prompt_input::turn(value, path, redactor))?;
                    Box::new(|conversation| conversation.set_turn(value))
                }
                _ => {
                    let value =
                        options.optional(key, |value, path| prompt_input::uploads(value, path, redactor))?;
                    Box::new(|conversation| conversation.set_uploads(value.unwrap_or_default()))
                }
            })
        })?;
        self.edit(|conversation| Ok(edit(conversation)))
    }

    /// Lets go of rows that cannot render any more; gives how many.
    #[wasm_bindgen]
    pub fn release(&self) -> usize {
        self.conversation.borrow_mut().release()
    }

    /// How many rows are held.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.conversation.borrow().len()
    }

    /// The prompt as JSON text: neutral, or a provider's request body.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn prompt(&self, options: &JsValue) -> Result<String, JsValue> {
        let form = prompt::form(options)?;
        Ok(form.text(self.conversation.borrow().prompt()))
    }

    /// The same as bytes of UTF-8, to be sent as they are.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen(js_name = promptBytes)]
    pub fn prompt_bytes(&self, options: &JsValue) -> Result<Uint8Array, JsValue> {
        Ok(Uint8Array::from(self.prompt(options)?.as_bytes()))
    }

    /// The neutral messages from an index on as JSON text.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn messages(&self, from: &JsValue) -> Result<String, JsValue> {
        let from = if absent(from) { 0 } else { crate::arguments::whole(from, "from", 0..=u32::MAX)? };
        let conversation = self.conversation.borrow();
        Ok(conversation.prompt().messages_text(usize::try_from(from).unwrap_or(usize::MAX)))
    }

    /// How it stands: hashes and numbers, without the messages.
    ///
    /// # Errors
    /// None that a caller can cause.
    #[wasm_bindgen]
    pub fn state(&self) -> Done {
        let conversation = self.conversation.borrow();
        let prompt = conversation.prompt();
        Ok(plain(&json!({
            "fingerprint": prompt.fingerprint,
            "cache_key": prompt.cache_key(),
            "messages": prompt.messages.len(),
            "stable_len": prompt.stable_len,
            "stable_hash": prompt.stable_hash,
            "tail_hash": prompt.tail_hash,
            "thinking_off": prompt.thinking_off,
            "diagnostics": prompt.diagnostics,
        }))?)
    }
}

/// Says where two prompts part: neutral JSON of both, and `{provider?, prices?: {cached, uncached}}`.
///
/// # Errors
/// `argument_invalid`; `prompt_invalid` with a path such as `next.messages[2].role`.
#[wasm_bindgen]
pub fn explain(previous: &JsValue, next: &JsValue, options: &JsValue) -> Done {
    let options = Options::of(options, "options", &["provider", "prices"])?;
    let provider = options.optional("provider", |value, path| one_of(value, path, &Provider::ALL))?;
    let prices = options.optional("prices", prices)?;
    let read = |value: &JsValue, path: &str| {
        let text = crate::value::json_text(value).map_err(|_| refused(value, path, "a neutral prompt"))?;
        PromptFile::read(&text).map_err(|error| {
            Fault::new(error.code(), error.to_string()).at(format!("{path}.{}", error.path()))
        })
    };
    let (previous, next) = (read(previous, "previous")?, read(next, "next")?);
    Ok(plain(&explain_files(&previous, &next, provider.unwrap_or_default(), prices))?)
}

fn prices(value: &JsValue, path: &str) -> Result<Prices, Fault> {
    let options = Options::of(value, path, &["cached", "uncached"])?.inside(path);
    let price = |value: &JsValue, path: &str| {
        let price = value.as_f64().filter(|price| price.is_finite() && *price >= 0.0);
        price.ok_or_else(|| refused(value, path, "a price for a million tokens"))
    };
    Ok(Prices { cached: options.required("cached", price)?, uncached: options.required("uncached", price)? })
}
