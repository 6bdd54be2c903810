//! Answers of the compaction room, and of the engine where it commits a boundary.
use super::{Answer, text};
use serde_json::{Value, json};
use throughline_core::compaction::{
    self, Cut, FailedAttempt, FoldOptions, Gain, Layers, Opening, Reported, SummarizerConfig, TraitLayer,
    Window, fold, is_due, measured, resolve, summary_input,
};
use throughline_core::json::{Json, parse};
use throughline_core::model::{EstimatedTokens, StoredRow, TokenCounter};
use throughline_core::prompt::request_of;
use throughline_core::redact::{Clean, Redactor};

mod attempts;
mod commit;
mod rows;

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "compaction_options" => options,
        "compaction_trigger" => trigger,
        "compaction_anchor" => anchor,
        "compaction_attempts" => attempts::attempts,
        "compaction_summarizer" => summarizer,
        "compaction_input" => input_of,
        "compaction_fold" => folded,
        "compaction_again" => again,
        "compaction_commit" => commit::commit,
        _ => return None,
    })
}

/// A value of a case as the core reads it.
fn json_of(value: &Value) -> Json {
    parse(&value.to_string()).expect("a value of a case is JSON")
}

fn value_of(value: &Json) -> Value {
    serde_json::from_str(&throughline_core::json::text(value)).expect("what the core writes is JSON")
}

fn layers(input: &Value) -> Layers {
    let traits = input["traits"].as_array().map_or(&[][..], Vec::as_slice);
    let layer = |of: &Value| TraitLayer { id: text(of, "id").into(), checkpoint: json_of(&of["checkpoint"]) };
    Layers {
        session: json_of(&input["session"]),
        traits: traits.iter().map(layer).collect(),
        agent: json_of(&input["agent"]),
        persisted: json_of(&input["persisted"]),
    }
}

fn options(input: &Value) -> Value {
    match resolve(&layers(input)) {
        Ok(effective) => value_of(&effective.report()),
        Err(error) => json!({"error": error.code(), "path": error.path()}),
    }
}

/// `tokens` is what a provider reported, `estimate` the counter's figure for the prompt as assembled.
fn trigger(input: &Value) -> Value {
    let layers = Layers { agent: json_of(&input["agent_checkpoint"]), ..layers(input) };
    let effective = match resolve(&layers) {
        Ok(effective) => effective,
        Err(error) => return json!({"error": error.code()}),
    };
    let reported = input["tokens"]
        .as_object()
        .map(|tokens| Reported { context_tokens: tokens.get("context_tokens").and_then(Value::as_u64) });
    let bindings = input["bindings"].as_array().map_or(0, Vec::len);
    let size = measured(reported, || input["estimate"].as_u64().unwrap_or_default());
    let due = size.is_some_and(|size| is_due(&effective, bindings, size));
    let mut answer = json!({"trigger": due, "function_id": effective.function_id()});
    if let Some(size) = size {
        answer["trigger_tokens"] = size.tokens.into();
        if size.estimated {
            answer["diagnostic"] = "context_tokens_missing".into();
        }
    }
    answer
}

fn anchor(input: &Value) -> Value {
    let rows = match text(input, "step") {
        "" => rows::rows(&input["rows"]),
        step => {
            let (user, assistant) = (text(input, "user_id"), text(input, "assistant_id"));
            let earlier = (step == "continuation").then(|| json!({"assistant": "earlier", "id": "earlier"}));
            let list = [
                Some(json!({"user": "do", "id": user})),
                earlier,
                Some(json!({"assistant": "ok", "id": assistant})),
            ];
            rows::rows(&list.into_iter().flatten().collect())
        }
    };
    let cut = match text(input, "when") {
        "idle" => compaction::when_idle(&rows),
        "outgoing" => compaction::before_sending(&rows, &rows::rows(&input["pending"])),
        _ => compaction::after_step(&rows),
    };
    let shown = |cut: Cut| {
        let request = match compaction::originating_request(&rows, cut) {
            Opening::Replaced(index) => request_of(&rows[index]),
            Opening::Replays | Opening::Earlier => None,
        };
        json!({"anchor": rows[cut.anchor].row.id.as_str(), "mode": cut.mode, "replaced": cut.replaced,
            "restored": request.map(|request| request.text)})
    };
    cut.map_or_else(|| json!({"anchor": null}), shown)
}

fn window(value: &Value) -> Option<Window> {
    let number = |field: &str| value[field].as_u64().unwrap_or_default();
    value.is_object().then(|| Window { tokens: number("tokens"), max_output: number("max_output") })
}

fn summarizer(input: &Value) -> Value {
    let config = SummarizerConfig::of(&json_of(&input["options"]));
    let budget = config.budget(window(&input["window"]));
    json!({"model": config.model, "temperature": value_of(&Json::Number(config.temperature.clone())),
        "max_tokens": config.max_tokens, "max_tool_result_chars": config.max_tool_result_chars,
        "max_tool_results": config.max_tool_results, "max_tool_results_chars": config.max_tool_results_chars,
        "max_conversation_bytes": budget.conversation_bytes, "input": budget.input, "output": budget.output,
        "asked": budget.asked, "replaced": config.replaced})
}

fn previous(input: &Value) -> Option<Clean> {
    input["previous"].as_str().map(|text| Redactor::standard().clean(text))
}

fn input_of(input: &Value) -> Value {
    let config = SummarizerConfig::of(&json_of(&input["options"]));
    let (rows, previous): (Vec<StoredRow>, _) = (rows::rows(&input["rows"]), previous(input));
    let window = window(&input["window"]);
    match summary_input(&rows, previous.as_ref(), &config, window, &EstimatedTokens, &Redactor::standard()) {
        Ok(built) => {
            // The instruction is the same in all; the cases are about what stands before it.
            let (told, instruction) = built.text.as_str().split_once("## Instruction\n").unwrap_or_default();
            let asks = format!("at most {} tokens", config.budget(window).asked);
            json!({"text": told, "asks": instruction.contains(&asks), "max_tokens": built.max_tokens,
                "tool_results": built.tool_results})
        }
        Err(error) => json!({"error": error.code(), "message": error.to_string()}),
    }
}

fn folded(input: &Value) -> Value {
    let options = FoldOptions {
        max_tokens: input["max_tokens"].as_u64().unwrap_or(3000),
        keep_below: input["keep_below"].as_u64(),
    };
    let previous = previous(input);
    let rows = rows::rows(&input["rows"]);
    let summary = fold(&rows, previous.as_ref(), options, &EstimatedTokens, &Redactor::standard());
    json!({"summary": summary, "tokens": EstimatedTokens.count(&[summary.as_str()])[0]})
}

/// Whether another try may be made after a failure, or after a compaction that gained `before` − `after`.
fn again(input: &Value) -> Value {
    let number = |field: &str| input[field].as_u64().unwrap_or_default();
    let outcome = if input["before"].is_u64() {
        Gain { before: number("before"), after: number("after") }.may_repeat(number("tokens"))
    } else {
        let setup = text(input, "failed_setup").into();
        let failed = FailedAttempt {
            input_tokens: number("failed_tokens"),
            setup,
            step: number("failed_step"),
            held_back: number("held_back"),
        };
        failed.may_try(number("tokens"), text(input, "setup"), number("step"))
    };
    json!({"may": outcome.is_ok(), "code": outcome.err().map(|error| error.code())})
}
