//! Answers of the render room.
use super::{Answer, prompt};
use serde_json::{Value, json};
use throughline_core::{
    id::RowId,
    json::{Json, canonical, parse},
    prompt::Diagnostic,
    redact::Redactor,
    render::{self, Api, Options, RenamedTool, RenderError, Stream},
};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "render_request" => request,
        "render_response" => response,
        "render_stream" => stream,
        _ => return None,
    })
}

fn api(input: &Value) -> Api {
    Api::parse(super::text(input, "api")).unwrap_or_else(|| panic!("no such interface: {}", input["api"]))
}

fn plain(json: &Json) -> Value {
    serde_json::from_str(&canonical(json)).unwrap_or_default()
}

fn read(value: &Value) -> Json {
    parse(&value.to_string()).unwrap_or(Json::Null)
}

fn codes(diagnostics: &[Diagnostic]) -> Value {
    let line = |note: &Diagnostic| match &note.row {
        Some(row) => format!("{} {row}", note.code),
        None => note.code.to_owned(),
    };
    diagnostics.iter().map(|note| Value::from(line(note))).collect()
}

fn options(input: &Value) -> Options {
    let mut options = Options::default();
    if let Some(markers) = input["cache_markers"].as_bool() {
        options.cache_markers = markers;
    }
    options.cache_key = input["cache_key"].as_str().map(str::to_owned);
    options.drop_stale_thinking = input["drop_stale_thinking"].as_bool().unwrap_or_default();
    let ids = input["inline_system"].as_array().into_iter().flatten().filter_map(Value::as_str);
    options.inline_system = ids.filter_map(|id| RowId::new(id).ok()).collect();
    options
}

fn request(input: &Value) -> Value {
    let prompt = match prompt::prompt(input) {
        Ok(prompt) => prompt,
        Err(error) => return json!({"error": error}),
    };
    let rendered = render::render(api(input), &prompt, &options(&input["options"]));
    let renamed: Value =
        rendered.renamed.iter().map(|id| json!([id.row.as_str(), id.call_id, id.sent])).collect();
    let tools: Value = rendered.renamed_tools.iter().map(|tool| json!([tool.name, tool.sent])).collect();
    json!({
        "body": plain(&rendered.body),
        "renamed": renamed,
        "renamed_tools": tools,
        "betas": rendered.betas,
        "diagnostics": codes(&rendered.diagnostics),
    })
}

fn refused(error: &RenderError) -> Value {
    json!({"error": error.code(), "path": error.path()})
}

fn response(input: &Value) -> Value {
    let tool = |pair: &Value| RenamedTool {
        name: pair[0].as_str().unwrap_or_default().into(),
        sent: pair[1].as_str().unwrap_or_default().into(),
    };
    let tools: Vec<RenamedTool> = input["tools"].as_array().into_iter().flatten().map(tool).collect();
    match render::read(api(input), &read(&input["response"]), &Redactor::standard(), &tools) {
        Ok(response) => {
            let mut answer = plain(&response.to_json());
            answer["diagnostics"] = codes(&response.diagnostics);
            answer
        }
        Err(error) => refused(&error),
    }
}

fn stream(input: &Value) -> Value {
    let mut stream = Stream::new(api(input));
    for event in input["events"].as_array().into_iter().flatten() {
        if let Err(error) = stream.push(&read(event)) {
            return refused(&error);
        }
    }
    let merged = stream.finish();
    let mut answer = plain(&merged.to_json());
    answer["diagnostics"] = codes(&merged.diagnostics);
    answer
}
