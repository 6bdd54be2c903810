use super::{
    answer::Answer,
    arguments::Call,
    failure::{Failure, NOT_SO},
    table::Table,
};
use crate::redact::{Rule, rules};
use alloc::{format, string::String, vec, vec::Vec};
use serde_json::Value;

pub(super) fn run(call: &Call) -> Result<Answer, Failure> {
    let all = rules();
    let found: Vec<&Rule> = match call.word() {
        Some(id) => vec![all.iter().find(|rule| rule.id == id).ok_or_else(|| unknown(all, id))?],
        None => all.iter().collect(),
    };
    if call.json() {
        return Answer::json(&found);
    }
    if let (Some(_), Some(rule)) = (call.word(), found.first()) {
        return Ok(Answer::text(card(rule)));
    }
    let mut table = Table::new(&["id", "kind", "confidence", "finds"]);
    for rule in found {
        table.row(vec![rule.id.into(), rule.kind.into(), confidence(rule), rule.description.into()]);
    }
    Ok(Answer::table(&table))
}

/// The stored name of the confidence, such as `certain`.
fn confidence(rule: &Rule) -> String {
    match serde_json::to_value(rule.confidence) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

fn card(rule: &Rule) -> String {
    let keywords = if rule.keywords.is_empty() { "none".into() } else { rule.keywords.join(", ") };
    format!(
        "{}\n{}\n\nmark        [REDACTED:{}]\nconfidence  {}\nkeywords    {keywords}\n",
        rule.id,
        rule.description,
        rule.kind,
        confidence(rule),
    )
}

fn unknown(all: &[Rule], id: &str) -> Failure {
    let near: Vec<&str> = all
        .iter()
        .map(|rule| rule.id)
        .filter(|known| known.contains(id) || id.contains(known) || shared(known, id) >= 5)
        .take(3)
        .collect();
    let hint = match near.as_slice() {
        [] => "`throughline rules` lists them all".into(),
        near => format!("did you mean {}?", near.join(", ")),
    };
    Failure::new("rule_unknown", format!("there is no rule `{id}`; {hint}"), NOT_SO).at(id)
}

/// How many characters both begin with.
fn shared(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}
