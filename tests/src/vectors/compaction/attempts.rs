//! Who is asked, in which order, and what comes of it.
use super::{json_of, rows};
use crate::vectors::text;
use serde_json::{Value, json};
use throughline_core::compaction::{
    AttemptPlan, Binding, CompactionError, Draft, Event, Layers, Measured, Operation, Scheduled, Step,
    after_step, resolve,
};
use throughline_core::json::Object;
use throughline_core::model::{CompactionReason, EstimatedTokens};
use throughline_core::redact::Redactor;

/// What happened on the way.
#[derive(Default)]
struct Seen {
    called: Vec<String>,
    options: Vec<Value>,
    /// Bindings whose failure was recorded.
    errors: Vec<String>,
}

/// Bindings say by `fails` or `summary` what they will answer, the function by `function_answers`.
pub(super) fn attempts(input: &Value) -> Value {
    let mut seen = Seen::default();
    let outcome = run(input, &mut seen);
    let Seen { called, options, errors } = seen;
    let mut answer = match &outcome {
        Ok(draft) => {
            json!({"applied": 1, "summary": draft.summary, "source": draft.source, "source_id": draft.source_id})
        }
        Err(error) => json!({"applied": 0, "error": error.code()}),
    };
    answer["called"] = called.into();
    answer["errors"] = errors.into();
    if input["show_options"] == true {
        answer["options"] = options.into();
    }
    answer
}

fn binding(of: &Value) -> Binding {
    let mut own = match json_of(&of["options"]) {
        throughline_core::json::Json::Object(own) => own,
        _ => Object::new(),
    };
    if let Some(strict) = of["strict"].as_bool() {
        own.insert("strict", strict);
    }
    let plain = Binding::new(text(of, "id"));
    Binding {
        trait_id: of["trait_id"].as_str().map(str::to_owned),
        contract: of["contract"].as_str().map_or(plain.contract.clone(), str::to_owned),
        priority: of["priority"].as_i64().unwrap_or(plain.priority),
        options: own.into(),
        ..plain
    }
}

fn run(input: &Value, seen: &mut Seen) -> Result<Draft, CompactionError> {
    let bindings = input["bindings"].as_array().map_or(&[][..], Vec::as_slice);
    let mut agent = match json_of(&input["options"]) {
        throughline_core::json::Json::Object(given) => given,
        _ => Object::new(),
    };
    if let Some(function) = input["function"].as_str() {
        agent.insert("function_id", function);
    }
    let layers = Layers { agent: agent.into(), traits: super::layers(input).traits, ..Layers::default() };
    let has_host = input.get("host").is_none_or(|host| !host.is_null());
    let plan = AttemptPlan::new(
        &bindings.iter().map(binding).collect::<Vec<_>>(),
        &resolve(&layers)?,
        has_host,
        input["fallback"] == true,
    )?;
    let answers =
        |id: &str| bindings.iter().find(|of| text(of, "id") == id).unwrap_or(&input["function_answers"]);
    let filler = "what stood there before it was folded ".repeat(20);
    let rows = rows::rows(
        &json!([{"user": "Fix it."}, {"assistant": filler}, {"user": "go on"}, {"assistant": "ok"}]),
    );
    let cut = after_step(&rows).expect("the rows of a case can be cut");
    let trigger = Measured { tokens: 1, estimated: false };
    let reason = CompactionReason::TokenThresholdExceeded;
    let scheduled =
        Scheduled { rows, cut, before: None, reason, trigger, plan, windows: [].into(), keep_below: None };
    let counter = EstimatedTokens;
    let mut operation = Operation::new(scheduled, &counter)?;
    let outcome = ask_all(&mut operation, &answers, seen);
    let errors = operation.scheduled().plan.binding_errors();
    seen.errors = errors.iter().map(|error| error.binding_id.as_str().to_owned()).collect();
    outcome
}

fn ask_all<'a>(
    operation: &mut Operation,
    answers: &impl Fn(&str) -> &'a Value,
    seen: &mut Seen,
) -> Result<Draft, CompactionError> {
    let (counter, redactor) = (EstimatedTokens, Redactor::standard());
    let mut step = operation.start(&counter, &redactor)?;
    loop {
        let asked = match step {
            Step::Ready(draft) => return Ok(draft),
            Step::Summarize(asked) => asked,
        };
        seen.called.push(asked.attempt.id.clone());
        seen.options.push(super::value_of(&asked.attempt.options));
        let answer = answers(&asked.attempt.id);
        let event = match answer["fails"] == true {
            true => Event::Failed { error: "told to".into() },
            false => Event::Summarized {
                text: redactor.clean(answer["summary"].as_str().unwrap_or("a summary")),
                truncated: answer["truncated"] == true,
            },
        };
        step = operation.on(event, &counter, &redactor)?;
    }
}
