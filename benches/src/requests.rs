//! Requests and what they cost beside copying the prompt that they are made from.
use crate::{
    cases::{Case, case},
    data,
};
use std::hint::black_box;
use throughline_core::{
    prompt::{Input, Prompt, assemble},
    render::{self, Api},
};

fn assembled(rows: &[throughline_core::model::StoredRow]) -> Prompt {
    assemble(Input { rows: rows.to_vec(), ..Input::default() })
}

/// The requests of each provider, beside copying the prompt that they are made from.
pub(crate) fn all() -> Vec<Case> {
    let prompts = [assembled(&data::rows(1000)), assembled(&data::rows(10_000))];
    let names = [
        ["render: Anthropic, 1,000 rows", "render: Anthropic, 10,000 rows"],
        ["render: OpenAI Responses, 1,000 rows", "render: OpenAI Responses, 10,000 rows"],
        ["render: OpenAI Chat, 1,000 rows", "render: OpenAI Chat, 10,000 rows"],
        ["render: Gemini, 1,000 rows", "render: Gemini, 10,000 rows"],
    ];
    let mut cases = Vec::new();
    for (api, names) in Api::ALL.into_iter().zip(names) {
        for (name, prompt) in names.into_iter().zip(prompts.clone()) {
            let options = render::Options::default();
            cases.push(case(name, 0, move || {
                render::render(api, black_box(&prompt), &options)
                    .body
                    .as_object()
                    .map_or(0, |body| body.len())
            }));
        }
    }
    let [_, large] = prompts;
    cases.push(case("render: copying the prompt of 10,000 rows", 0, move || {
        black_box(large.clone()).messages.len()
    }));
    cases
}
