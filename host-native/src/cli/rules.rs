use super::{
    Answer,
    args::Rules,
    error::{CliError, NOT_SO},
    output::{Output, Table},
};
use serde_json::Value;
use throughline_core::redact::{Rule, rules};

pub(super) fn run(command: &Rules, output: &mut Output) -> Result<Answer, CliError> {
    let all = rules();
    let found: Vec<&Rule> = match &command.id {
        Some(id) => vec![all.iter().find(|rule| rule.id == id.as_str()).ok_or_else(|| unknown(all, id))?],
        None => all.iter().collect(),
    };
    if output.is_json() {
        output.value(&found)?;
        return Ok(Answer::Yes);
    }
    if let (Some(_), Some(rule)) = (&command.id, found.first()) {
        output.text(&card(rule))?;
        return Ok(Answer::Yes);
    }
    let mut table = Table::new(&["id", "kind", "confidence", "finds"]);
    for rule in found {
        table.row(vec![rule.id.into(), rule.kind.into(), confidence(rule), rule.description.into()]);
    }
    output.table(&table)?;
    Ok(Answer::Yes)
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

fn unknown(all: &[Rule], id: &str) -> CliError {
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
    CliError::new("rule_unknown", format!("there is no rule `{id}`; {hint}"), NOT_SO).at(id)
}

/// How many characters both begin with.
fn shared(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}
