//! The engine as a handle: each method reads its arguments at once and gives back a promise.

use crate::{
    arguments::{Options, identifier, session, text, whole},
    compaction::{Asked, json_value},
    continuity,
    fault::Fault,
    host::host,
    ingest::{Log, ingest},
    prompt,
    redaction_options::redactor,
    stop::{JsEngine, Stop},
    value::plain,
    watch::Watch,
};
use js_sys::Promise;
use serde_json::{Value, json};
use std::rc::Rc;
use throughline_core::{
    checkpoint::{LeftOut, ResolvedContinuity},
    engine::{Engine, Options as EngineOptions, RecoverRequest, Recovered, Whose},
    id::{CheckpointId, Project, SessionId},
    model::SessionCursor,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;

/// Pages hold this many entries unless the caller says otherwise, and at most [`LIMIT_MAX`].
const LIMIT: u32 = 100;
/// The most that a page holds.
const LIMIT_MAX: u32 = 1000;

/// The engine as JavaScript holds it; `js/engine.js` stands in front of it.
#[derive(Debug)]
#[wasm_bindgen(js_name = Engine)]
pub struct Handle {
    engine: Rc<JsEngine>,
    watch: Watch,
    pub(crate) continuity: ResolvedContinuity,
}

impl Handle {
    /// Reads the arguments now, and runs the operation on its own hold of the engine.
    pub(crate) fn run<A: 'static>(
        &self,
        arguments: impl FnOnce() -> Result<A, Fault>,
        operation: impl AsyncFnOnce(&JsEngine, A) -> Result<JsValue, Stop> + 'static,
    ) -> Promise {
        let (engine, watch) = (self.engine.clone(), self.watch.clone());
        let arguments = arguments();
        future_to_promise(async move {
            let arguments = arguments?;
            let (result, mut incidents) = watch.over(operation(&engine, arguments)).await;
            match (incidents.fatal.take(), result) {
                (Some(fault), _) => Err(fault.into()),
                (None, Ok(answer)) => Ok(answer),
                (None, Err(stop)) => Err(stop.fault(incidents).into()),
            }
        })
    }
}

#[wasm_bindgen(js_class = Engine)]
impl Handle {
    /// An engine over a host; `storage` and `driver` may be absent.
    ///
    /// # Errors
    /// `host_invalid`, `argument_invalid`, and what a redactor refuses.
    #[wasm_bindgen(constructor)]
    pub fn new(
        storage: JsValue,
        driver: JsValue,
        clock: JsValue,
        entropy: JsValue,
        redaction: &JsValue,
        options: &JsValue,
    ) -> Result<Handle, JsValue> {
        let watch = Watch::default();
        let host = host(storage, driver, clock, entropy, &watch)?;
        let redactor = redactor(redaction, "redaction")?;
        let (options, continuity) = engine_options(options)?;
        let engine = Rc::new(Engine::new(host, redactor, options));
        Ok(Self { engine, watch, continuity })
    }

    /// Stores what a user sent.
    #[wasm_bindgen(js_name = submitPrompt)]
    pub fn submit_prompt(&self, id: &JsValue, message: &JsValue, options: &JsValue) -> Promise {
        let arguments = || {
            let options = Options::of(options, "options", &["project"])?;
            Ok((session(id, "session")?, text(message, "text")?, options.optional("project", project)?))
        };
        self.run(arguments, async |engine, (id, message, project)| {
            let effects = engine.submit_prompt(&id, project.as_ref(), &message).await?;
            Ok(plain(&effects)?)
        })
    }

    /// Reads the log of a harness.
    #[wasm_bindgen]
    pub fn ingest(&self, log: &JsValue, options: &JsValue) -> Promise {
        let arguments = || Log::arguments(log, options);
        self.run(arguments, async |engine, (log, options)| {
            let report = ingest(engine, log, options).await?;
            Ok(plain(&report)?)
        })
    }

    /// Lists sessions.
    #[wasm_bindgen]
    pub fn sessions(&self, options: &JsValue) -> Promise {
        let arguments = || {
            let options = Options::of(options, "options", &["limit", "cursor"])?;
            Ok((limit(&options)?, options.optional("cursor", cursor)?))
        };
        self.run(arguments, async |engine, (limit, cursor)| {
            Ok(plain(&engine.sessions(limit, cursor).await?)?)
        })
    }

    /// Finds the session that a bare key names.
    #[wasm_bindgen(js_name = findSession)]
    pub fn find_session(&self, key: &JsValue, options: &JsValue) -> Promise {
        let arguments = || {
            let options = Options::of(options, "options", &["harness", "agent"])?;
            Ok((text(key, "key")?, options.optional("harness", text)?, options.optional("agent", text)?))
        };
        self.run(arguments, async |engine, (key, harness, agent)| {
            let session = engine.find_session(&key, harness.as_deref(), agent.as_deref()).await?;
            Ok(plain(&session)?)
        })
    }

    /// Lists checkpoints of one session or of all.
    #[wasm_bindgen]
    pub fn checkpoints(&self, id: &JsValue, options: &JsValue) -> Promise {
        let arguments = || {
            let options = Options::of(options, "options", &["limit"])?;
            let all = id.is_undefined() || id.is_null();
            let session = if all { None } else { Some(session(id, "session")?) };
            Ok((session, limit(&options)?))
        };
        self.run(arguments, async |engine, (session, limit)| {
            let checkpoints = engine.checkpoints(session.as_ref(), limit).await?;
            Ok(plain(&checkpoints)?)
        })
    }

    /// Reads one checkpoint.
    #[wasm_bindgen]
    pub fn checkpoint(&self, id: &JsValue) -> Promise {
        let arguments =
            || CheckpointId::parse(&text(id, "id")?).map_err(|error| identifier(&error, "").at("id"));
        self.run(arguments, async |engine, id| Ok(plain(&engine.checkpoint(&id).await?)?))
    }

    /// Assembles the prompt that goes on with a session, as JSON text.
    #[wasm_bindgen]
    pub fn prompt(&self, id: &JsValue, options: &JsValue) -> Promise {
        let arguments = || Ok((session(id, "session")?, prompt::wanted(options, self.engine.redactor())?));
        self.run(arguments, async |engine, (session, (request, form))| {
            let prompt = engine.prompt(&session, &request).await?;
            Ok(form.text(&prompt).into())
        })
    }

    /// Looks whether a compaction is due, and makes it.
    #[wasm_bindgen]
    pub fn compact(&self, id: &JsValue, options: &JsValue) -> Promise {
        let arguments = || Ok((session(id, "session")?, Asked::of(options, self.engine.redactor())?));
        let watch = self.watch.clone();
        self.run(arguments, async move |engine, (session, asked)| asked.run(engine, &session, &watch).await)
    }

    /// Stores that a compaction is wanted.
    #[wasm_bindgen(js_name = requestCompaction)]
    pub fn request_compaction(&self, id: &JsValue) -> Promise {
        let arguments = || session(id, "session");
        self.run(arguments, async |engine, session| {
            engine.request_compaction(&session).await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Stores the host's configuration of compactions, or takes it away.
    #[wasm_bindgen(js_name = setCompactionConfig)]
    pub fn set_compaction_config(&self, id: &JsValue, config: &JsValue) -> Promise {
        let arguments = || {
            let absent = config.is_undefined() || config.is_null();
            let config = if absent { None } else { Some(json_value(config, "config")?) };
            Ok((session(id, "session")?, config))
        };
        self.run(arguments, async |engine, (session, config)| {
            engine.set_compaction_config(&session, config.as_ref()).await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Writes the recovery text of a session, or of the newest work.
    #[wasm_bindgen]
    pub fn recover(&self, options: &JsValue) -> Promise {
        let arguments = || recover_request(options);
        self.run(arguments, async |engine, request| {
            Ok(plain(&found(engine.recover(&request).await?.as_ref()))?)
        })
    }
}

/// What is to be told, or that there is nothing.
pub(crate) fn found(found: Option<&Recovered>) -> Value {
    let id = found.map(|found| &found.session);
    let recovery = found.map(|found| &found.recovery);
    json!({
        "found": found.is_some(),
        "session": id.map(SessionId::key),
        "harness": id.map(SessionId::harness),
        "agent": id.map(SessionId::agent),
        "checkpoint": found.map(|found| &found.checkpoint.id),
        "chars": recovery.map_or(0, |recovery| recovery.chars),
        "text": recovery.map_or("", |recovery| recovery.text.as_str()),
        "left_out": recovery.map_or_else(LeftOut::default, |recovery| recovery.left_out),
    })
}

fn engine_options(value: &JsValue) -> Result<(EngineOptions, ResolvedContinuity), Fault> {
    let known =
        ["storage", "driver", "clock", "entropy", "redaction", "continuity", "queue", "recoveryWindowMs"];
    let options = Options::of(value, "options", &known)?;
    let mut chosen = EngineOptions::default();
    let continuity = options.optional("continuity", continuity::continuity)?.unwrap_or_default();
    chosen.continuity = continuity.options;
    chosen.queue = options.optional("queue", continuity::queue)?.unwrap_or_default();
    let millis = |value: &_, path: &_| whole(value, path, 0..=u32::MAX).map(i64::from);
    if let Some(millis) = options.optional("recoveryWindowMs", millis)? {
        chosen.recovery_window_millis = millis;
    }
    Ok((chosen, continuity))
}

pub(crate) fn recover_request(value: &JsValue) -> Result<RecoverRequest, Fault> {
    let options = Options::of(value, "options", &["session", "project", "harness", "agent", "budget"])?;
    Ok(RecoverRequest {
        session: options.optional("session", session)?,
        whose: Whose::default(),
        project: options.optional("project", project)?,
        harness: options.optional("harness", text)?,
        agent: options.optional("agent", text)?,
        budget: options.optional("budget", budget)?,
    })
}

/// Characters of one recovery text; too few for any give an empty one.
pub(crate) fn budget(value: &JsValue, path: &str) -> Result<usize, Fault> {
    whole(value, path, 0..=1_000_000).map(|chars| usize::try_from(chars).unwrap_or(usize::MAX))
}

fn limit(options: &Options) -> Result<u32, Fault> {
    let limit = options.optional("limit", |value, path| whole(value, path, 1..=LIMIT_MAX))?;
    Ok(limit.unwrap_or(LIMIT))
}

fn cursor(value: &JsValue, path: &str) -> Result<SessionCursor, Fault> {
    crate::arguments::parsed(value, path, "the `next` of a page of sessions")
}

pub(crate) fn project(value: &JsValue, path: &str) -> Result<Project, Fault> {
    let refused =
        || Fault::new("argument_invalid", format!("`{path}` is blank, but must be a path")).at(path);
    Project::new(&text(value, path)?).ok_or_else(refused)
}
