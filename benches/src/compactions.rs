//! When to compact, and what a summary that no model wrote costs.
use crate::{
    cases::{Case, case},
    data,
};
use std::hint::black_box;
use throughline_core::{
    compaction::{self, FoldOptions, Layers, Measured, TraitLayer},
    host::EstimatedTokens,
    json::{self, Json},
    model::StoredRow,
    redact::Redactor,
};

fn layers() -> Layers {
    let json = |text: &str| json::parse(text).unwrap_or(Json::Null);
    let layer = |id: &str, text: &str| TraitLayer { id: id.into(), checkpoint: json(text) };
    Layers {
        session: json(r#"{"token_checkpoint_threshold":"60000","checkpoint_function_id":"host:checkpoint"}"#),
        traits: vec![
            layer("memory", r#"{"max_memory_chars":4000,"strict":true}"#),
            layer("coder", r#"{"max_tokens":2000,"token_threshold":80000}"#),
        ],
        agent: json(
            r#"{"max_tokens":2500,"model":"class:fast","memory":{"keep":{"rows":10,"notes":true},"tags":["a","b"]}}"#,
        ),
        persisted: json(r#"{"token_threshold":90000,"memory":{"keep":{"rows":20},"tags":[]}}"#),
    }
}

/// One run of what is measured in microseconds does it so often.
const MANY: usize = 1000;

/// Layers of options, the check of every step, and the fold.
pub(crate) fn all() -> Vec<Case> {
    let (given, options) = (layers(), compaction::resolve(&layers()));
    let rows = data::rows(10_000);
    let bytes = size(&rows);
    vec![
        many("compaction: options resolved", move || {
            let resolved = (0..MANY).map(|_| compaction::resolve(black_box(&given)));
            resolved.map(|found| found.map_or(0, |found| found.options().len())).sum()
        }),
        many("compaction: schedule checked for a step", move || {
            let Ok(options) = &options else { return 0 };
            let at = |step: usize| Measured {
                tokens: 89_500 + u64::try_from(step).unwrap_or(0),
                estimated: false,
            };
            (0..MANY).filter(|step| compaction::is_due(black_box(options), 1, at(*step))).count()
        }),
        case("compaction: fold of 10,000 rows", bytes, move || {
            let redactor = Redactor::standard();
            compaction::fold(black_box(&rows), None, FoldOptions::default(), &EstimatedTokens, &redactor)
                .len()
        }),
    ]
}

fn many(name: &'static str, run: impl Fn() -> usize + 'static) -> Case {
    Case { times: MANY, ..case(name, 0, run) }
}

/// How much text the rows hold.
fn size(rows: &[StoredRow]) -> usize {
    rows.iter().map(|row| serde_json::to_string(row).map_or(0, |text| text.len())).sum()
}
