//! Logs of harnesses on their way in: whole, or chunk by chunk.

use crate::{
    arguments::{Options, refused, text},
    fault::{Fault, Thrown},
    host::JsHost,
    stop::{JsEngine, Stop},
    value::bytes,
};
use js_sys::{Function, Promise, Reflect, Symbol, Uint8Array};
use throughline_core::engine::{Ingest, IngestOptions, IngestReport};
use wasm_bindgen::prelude::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// What is copied into wasm memory at once.
const PIECE: u32 = 1 << 20;
const ACCEPTED: &str = "a string, bytes, or an iterable of such chunks";

/// A log as JavaScript gives it.
#[derive(Debug)]
pub enum Log {
    /// All of its text.
    Text(String),
    /// All of its bytes.
    Bytes(Uint8Array),
    /// Something that gives its chunks one after the other, such as a stream of Node.
    Chunks(Chunks),
}

impl Log {
    /// Reads the arguments of `ingest`.
    ///
    /// # Errors
    /// `argument_invalid`.
    pub fn arguments(log: &JsValue, options: &JsValue) -> Result<(Self, IngestOptions), Fault> {
        let options = Options::of(options, "options", &["key", "harness", "agent", "project"])?;
        let options = IngestOptions {
            fallback_key: options.optional("key", text)?.unwrap_or_default(),
            harness: options.optional("harness", text)?,
            agent: options.optional("agent", text)?,
            project: options.optional("project", text)?,
        };
        Ok((Self::of(log)?, options))
    }

    fn of(value: &JsValue) -> Result<Self, Fault> {
        if let Some(text) = value.as_string() {
            return Ok(Self::Text(text));
        }
        if let Some(bytes) = bytes(value) {
            return Ok(Self::Bytes(bytes));
        }
        Chunks::of(value)?.map(Self::Chunks).ok_or_else(|| refused(value, "log", ACCEPTED))
    }
}

/// An iterator over chunks, asynchronous or not.
#[derive(Debug)]
pub struct Chunks {
    iterator: JsValue,
    next: Function,
}

impl Chunks {
    fn of(value: &JsValue) -> Result<Option<Self>, Fault> {
        if !value.is_object() {
            return Ok(None);
        }
        for symbol in [Symbol::async_iterator(), Symbol::iterator()] {
            let Ok(start) = Reflect::get(value, &symbol).and_then(JsCast::dyn_into::<Function>) else {
                continue;
            };
            let iterator = start.call0(value).map_err(source_failed)?;
            let next = Reflect::get(&iterator, &"next".into()).map_err(source_failed)?;
            let next = next.dyn_into().map_err(|_| refused(value, "log", ACCEPTED))?;
            return Ok(Some(Self { iterator, next }));
        }
        Ok(None)
    }

    /// The next chunk, if there is one.
    async fn next(&self) -> Result<Option<JsValue>, Fault> {
        let answer = self.next.call0(&self.iterator).map_err(source_failed)?;
        let answer = JsFuture::from(Promise::resolve(&answer)).await.map_err(source_failed)?;
        let field = |key: &str| Reflect::get(&answer, &key.into()).map_err(source_failed);
        if field("done")?.is_truthy() {
            return Ok(None);
        }
        field("value").map(Some)
    }

    /// Tells the source that no more is wanted; what it says to that does not matter any more.
    async fn close(&self) {
        let Ok(end) = Reflect::get(&self.iterator, &"return".into()).and_then(JsCast::dyn_into::<Function>)
        else {
            return;
        };
        if let Ok(answer) = end.call0(&self.iterator) {
            let _ = JsFuture::from(Promise::resolve(&answer)).await;
        }
    }
}

/// Reads a log to its end, and commits what is new.
///
/// # Errors
/// Those of [`Ingest`]; `source_failed` when the source of the chunks fails; `argument_invalid` for a
/// chunk that is neither text nor bytes.
pub async fn ingest(engine: &JsEngine, log: Log, options: IngestOptions) -> Result<IngestReport, Stop> {
    let mut ingest = engine.ingest(options);
    match log {
        Log::Text(text) => ingest.push(text.as_bytes()).await?,
        Log::Bytes(bytes) => push(&mut ingest, &bytes).await?,
        Log::Chunks(chunks) => {
            let mut index = 0_u64;
            while let Some(chunk) = chunks.next().await? {
                let pushed = push_chunk(&mut ingest, &chunk, index).await;
                if pushed.is_err() {
                    chunks.close().await;
                }
                pushed?;
                index = index.saturating_add(1);
            }
        }
    }
    Ok(ingest.finish().await?)
}

async fn push_chunk(ingest: &mut Ingest<'_, JsHost>, chunk: &JsValue, index: u64) -> Result<(), Stop> {
    if let Some(text) = chunk.as_string() {
        return Ok(ingest.push(text.as_bytes()).await?);
    }
    match bytes(chunk) {
        Some(bytes) => push(ingest, &bytes).await,
        None => Err(refused(chunk, &format!("log[{index}]"), "a string or bytes").into()),
    }
}

/// Piece by piece, so that a long log never stands in wasm memory as a whole.
async fn push(ingest: &mut Ingest<'_, JsHost>, bytes: &Uint8Array) -> Result<(), Stop> {
    let length = bytes.length();
    let mut at = 0;
    while at < length {
        let end = at.saturating_add(PIECE).min(length);
        ingest.push(&bytes.subarray(at, end).to_vec()).await?;
        at = end;
    }
    Ok(())
}

fn source_failed(error: JsValue) -> Fault {
    let thrown = Thrown::from(error);
    let message = format!("the source of the log failed: {}", thrown.message());
    Fault::new("source_failed", message).at("log").with_details(thrown.into_value())
}
