use super::{
    answer::Answer,
    arguments::Call,
    failure::Failure,
    surroundings::{Surroundings, whole},
    table::Table,
};
use crate::{
    compaction::{Effective, Layers, resolve},
    json::{self, Json, canonical},
};
use alloc::{format, string::String, vec};

/// `options resolve`: what the layers come to, and which set what. No store is opened.
pub(super) async fn run<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Answer, Failure> {
    let word = call.word().unwrap_or_default();
    if word != "resolve" {
        let message = format!("`{}` is not known here; accepted: resolve", crate::text::clip(word, 100));
        return Err(Failure::usage("argument_invalid", message).at("<ACTION>"));
    }
    let session = file(call, surroundings, "--session").await?;
    let agent = file(call, surroundings, "--agent").await?;
    let config = file(call, surroundings, "--config").await?;
    let effective = resolve(&Layers::from_json(&session, &agent, &config)?)?;
    if call.json() {
        return Ok(Answer::text(format!("{}\n", canonical(&effective.report()))));
    }
    let answer = Answer::table(&table(&effective));
    Ok(effective.warnings().iter().fold(answer, |answer, warning| answer.remark(warning)))
}

/// The JSON of the file that a flag names; null without the flag.
async fn file<S: Surroundings>(call: &Call, surroundings: &S, flag: &str) -> Result<Json, Failure> {
    let Some(path) = call.value(flag) else { return Ok(Json::Null) };
    let bytes = whole(surroundings, path).await.map_err(|fault| Failure::input(path, &fault))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::usage("option_invalid", "options are UTF-8 text with one JSON object").at(path)
    })?;
    json::parse(&text).map_err(|error| Failure::from(error).at(path))
}

fn table(effective: &Effective) -> Table {
    let mut table = Table::new(&["option", "value", "set by"]);
    for (path, origin) in effective.origins() {
        let value = effective.leaf(path).map(canonical).unwrap_or_default();
        table.row(vec![path.clone(), value, origin.name()]);
    }
    table
}
