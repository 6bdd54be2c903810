//! What an engine counts, queues, tells and removes.

use crate::{
    arguments::{Options, identifier, instant, one_of, parsed, refused, session, text, trigger},
    engine::{Handle, found, project, recover_request},
    fault::Fault,
    value::{json_text, plain},
};
use js_sys::{Array, Promise};
use serde_json::json;
use throughline_core::{
    checkpoint::{ContinuityOptions, ResolvedContinuity},
    engine::{Activity, CheckpointRequest, QueueMode, RecordOptions, Tick},
    id::CheckpointId,
    json::parse,
    model::Structural,
};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

#[wasm_bindgen(js_class = Engine)]
impl Handle {
    /// The options of checkpoints, and what was odd about them.
    ///
    /// # Errors
    /// `internal`, which does not come.
    #[wasm_bindgen]
    pub fn continuity(&self) -> Result<JsValue, JsValue> {
        Ok(plain(&self.continuity)?)
    }

    /// Takes a checkpoint.
    #[wasm_bindgen(js_name = takeCheckpoint)]
    pub fn take_checkpoint(&self, id: &JsValue, why: &JsValue, options: &JsValue) -> Promise {
        let arguments = || {
            let options = Options::of(options, "options", &["context", "note", "structural", "at"])?;
            let trigger = trigger(why, "trigger")?;
            let request = CheckpointRequest {
                context: options.optional("context", text)?,
                note: options.optional("note", text)?,
                structural: options.optional("structural", structural)?,
                at: options.optional("at", instant)?,
                ..trigger.into()
            };
            Ok((session(id, "session")?, request))
        };
        self.run(arguments, async |engine, (session, request)| {
            Ok(plain(&engine.take_checkpoint(&session, request).await?)?)
        })
    }

    /// Counts activities.
    #[wasm_bindgen]
    pub fn record(&self, id: &JsValue, activities: &JsValue, options: &JsValue) -> Promise {
        let arguments = || {
            let options = Options::of(options, "options", &["project", "at"])?;
            let (project, at) = (options.optional("project", project)?, options.optional("at", instant)?);
            Ok((session(id, "session")?, all_activities(activities)?, RecordOptions { project, at }))
        };
        self.run(arguments, async |engine, (session, activities, options)| {
            let (counted, effects) = engine.record(&session, &activities, &options).await?;
            Ok(plain(&json!({ "counted": counted, "effects": effects }))?)
        })
    }

    /// When there is something to do next, in milliseconds since 1970.
    #[wasm_bindgen(js_name = nextDeadline)]
    pub fn next_deadline(&self) -> Promise {
        self.run(
            || Ok(()),
            async |engine, ()| Ok(plain(&engine.next_deadline().await.map(|at| at.unix_millis()))?),
        )
    }

    /// Does what is due.
    #[wasm_bindgen]
    pub fn tick(&self) -> Promise {
        self.run(|| Ok(()), async |engine, ()| Ok(ticked(&engine.tick().await)?))
    }

    /// Writes everything that waits.
    #[wasm_bindgen]
    pub fn flush(&self) -> Promise {
        self.run(|| Ok(()), async |engine, ()| Ok(ticked(&engine.flush().await)?))
    }

    /// Writes what waits of one session.
    #[wasm_bindgen(js_name = flushSession)]
    pub fn flush_session(&self, id: &JsValue) -> Promise {
        let arguments = || session(id, "session");
        self.run(arguments, async |engine, session| Ok(plain(&engine.flush_session(&session).await?)?))
    }

    /// Recovers for a session that is told once.
    #[wasm_bindgen]
    pub fn offer(&self, receiver: &JsValue, options: &JsValue) -> Promise {
        let arguments = || Ok((session(receiver, "receiver")?, recover_request(options)?));
        self.run(arguments, async |engine, (receiver, request)| {
            let offer = engine.offer(&receiver, &request).await?;
            Ok(plain(&found(offer.map(|offer| offer.recovered).as_ref()))?)
        })
    }

    /// The session has been told.
    #[wasm_bindgen]
    pub fn delivered(&self, receiver: &JsValue, checkpoint: &JsValue) -> Promise {
        let arguments = || {
            let id = CheckpointId::parse(&text(checkpoint, "checkpoint")?);
            Ok((session(receiver, "receiver")?, id.map_err(|error| identifier(&error, "").at("checkpoint"))?))
        };
        self.run(arguments, async |engine, (receiver, checkpoint)| {
            engine.delivered(&receiver, &checkpoint).await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Deletes what a session could be recovered from.
    #[wasm_bindgen]
    pub fn clear(&self, id: &JsValue) -> Promise {
        let arguments = || session(id, "session");
        self.run(arguments, async |engine, session| Ok(plain(&engine.clear(&session).await?)?))
    }

    /// Deletes a session.
    #[wasm_bindgen]
    pub fn forget(&self, id: &JsValue) -> Promise {
        let arguments = || session(id, "session");
        self.run(arguments, async |engine, session| Ok(plain(&engine.forget(&session).await?)?))
    }

    /// Deletes what is older than the retention.
    #[wasm_bindgen]
    pub fn prune(&self) -> Promise {
        self.run(|| Ok(()), async |engine, ()| Ok(plain(&engine.prune().await?)?))
    }
}

/// Reads a configuration `continuity`: `{options, warnings}`.
///
/// # Errors
/// `continuity_invalid` with a path such as `continuity.promptInterval`; `argument_invalid`.
#[wasm_bindgen(js_name = resolveContinuity)]
pub fn resolve_continuity(given: &JsValue) -> Result<JsValue, JsValue> {
    Ok(plain(&continuity(given, "continuity")?)?)
}

/// The configuration of checkpoints, as an object or as JSON text.
pub(crate) fn continuity(value: &JsValue, path: &str) -> Result<ResolvedContinuity, Fault> {
    if value.is_undefined() || value.is_null() {
        return Ok(ResolvedContinuity::default());
    }
    let text = json_text(value)
        .map_err(|found| Fault::new("argument_invalid", format!("`{path}` is {found}")).at(path))?;
    let json = parse(&text).map_err(|error| Fault::new(error.code(), error.to_string()).at(path))?;
    ContinuityOptions::resolve(&json)
        .map_err(|error| Fault::new(error.code(), error.to_string()).at(error.path()))
}

/// Where drafts wait, by name.
pub(crate) fn queue(value: &JsValue, path: &str) -> Result<QueueMode, Fault> {
    one_of(value, path, &[("journaled", QueueMode::Journaled), ("buffered", QueueMode::Buffered)])
}

fn structural(value: &JsValue, path: &str) -> Result<Structural<String>, Fault> {
    parsed(value, path, "structural context")
}

fn all_activities(value: &JsValue) -> Result<Vec<Activity>, Fault> {
    if !Array::is_array(value) {
        return Err(refused(value, "activities", "an array of activities"));
    }
    let entries = value.unchecked_ref::<Array>().iter().enumerate();
    entries.map(|(index, entry)| activity(&entry, &format!("activities[{index}]"))).collect()
}

/// `{prompt}`, `{query}` or `{remember}`.
fn activity(value: &JsValue, path: &str) -> Result<Activity, Fault> {
    let accepted = "an object with one of prompt, query and remember";
    if !value.is_object() {
        return Err(refused(value, path, accepted));
    }
    let options = Options::of(value, path, &["prompt", "query", "remember"])?.inside(path);
    let all = [
        options.optional("prompt", text)?.map(Activity::Prompt),
        options.optional("query", text)?.map(Activity::Query),
        options.optional("remember", text)?.map(Activity::Remember),
    ];
    let mut given = all.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(activity), None) => Ok(activity),
        _ => Err(refused(value, path, accepted)),
    }
}

fn ticked(tick: &Tick) -> Result<JsValue, Fault> {
    let failed = tick.failed.as_ref();
    let failed = failed.map(|error| json!({ "code": error.code(), "message": error.to_string() }));
    plain(&json!({ "written": tick.written, "queued": tick.queued, "failed": failed }))
}
