//! Functions without a host: what they say follows from their arguments alone.
//!
//! Rows that a host kept are scrubbed again on their way in, which leaves scrubbed text as it is.

use crate::{
    arguments::{Options, flag, instant, parsed, session},
    engine::budget,
    fault::Fault,
    redactor::with_standard,
    value::plain,
};
use throughline_core::{checkpoint, model::CheckpointRow};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The text that stands for a session where storages order and page them.
///
/// # Errors
/// `argument_invalid`, `identifier_invalid`, with path `session` or below it.
#[wasm_bindgen(js_name = storageKey)]
pub fn storage_key(id: &JsValue) -> Result<String, JsValue> {
    Ok(session(id, "session")?.storage_key())
}

/// Writes the digest of a checkpoint row.
///
/// # Errors
/// `argument_invalid`, with path `checkpoint`.
#[wasm_bindgen]
pub fn digest(row: &JsValue) -> Result<String, JsValue> {
    Ok(checkpoint::digest(&checkpoint_row(row)?).into_string())
}

/// Writes the recovery text of a checkpoint row: `{text, chars, left_out}`.
///
/// # Errors
/// `argument_invalid`, `timestamp_invalid`.
#[wasm_bindgen(js_name = recoveryText)]
pub fn recovery_text(row: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let row = checkpoint_row(row)?;
    let options = Options::of(options, "options", &["lastActivity", "ended", "budget"])?;
    let last_activity = options.optional("lastActivity", instant)?.unwrap_or(row.created_at);
    let ended = options.optional("ended", flag)?.unwrap_or_default();
    let budget = options.optional("budget", budget)?;
    let usual = || checkpoint::ContinuityOptions::default().recovery_budget_chars;
    let budget = budget.unwrap_or_else(|| usize::try_from(usual()).unwrap_or(usize::MAX));
    Ok(plain(&checkpoint::recovery(&row, last_activity, ended, budget))?)
}

fn checkpoint_row(value: &JsValue) -> Result<CheckpointRow, Fault> {
    let row: CheckpointRow<String> = parsed(value, "checkpoint", "a checkpoint row")?;
    Ok(with_standard(|redactor| row.restore(redactor)))
}
