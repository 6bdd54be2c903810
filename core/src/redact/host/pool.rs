//! Rows of hosts, kept for as long as the program runs.
//!
//! Findings name their rule by reference, so a row has to live as long as any of them. Equal rows are kept once: a
//! program that builds many redactors with the same rules takes their memory once.
use super::{HostRule, HostShape};
use crate::redact::rules::{self, Row};
use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};
use async_lock::Mutex;

static POOL: Mutex<BTreeMap<String, &'static Row>> = Mutex::new(BTreeMap::new());

/// The row of a rule that was checked.
pub(in crate::redact) fn keep(rule: &HostRule) -> &'static Row {
    // It has no map with other keys than strings, and no number that JSON has not.
    let key = serde_json::to_string(rule).unwrap_or_default();
    let mut pool = loop {
        match POOL.try_lock() {
            Some(pool) => break pool,
            None => core::hint::spin_loop(),
        }
    };
    pool.entry(key).or_insert_with(|| Box::leak(Box::new(row(rule))))
}

fn row(rule: &HostRule) -> Row {
    let (id, kind) = (text(&rule.id), text(&rule.kind));
    match &rule.shape {
        HostShape::Token { keywords, alphabet, min, max, needs } => {
            let keywords: Vec<&'static str> = keywords.iter().map(|k| text(k)).collect();
            rules::host(id, kind, rule.confidence, keywords.leak()).token(alphabet, *min, *max, needs)
        }
        HostShape::Regex { .. } => rules::host(id, kind, rule.confidence, &[]),
    }
}

fn text(text: &str) -> &'static str {
    String::from(text).leak()
}
