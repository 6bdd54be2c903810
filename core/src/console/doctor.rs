use super::{
    answer::Answer,
    arguments::Call,
    failure::{Failure, NOT_SO},
    line::{count, minute},
    place::Place,
    store::Store,
    surroundings::{SqliteFacts, StoreFacts, Surroundings},
    table::Table,
};
use crate::{
    engine::{Inspection, SecretAtRest},
    model,
    sql::sqlite,
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Report {
    store: String,
    /// The store's schema; `null` when there is no store yet.
    schema: Option<u32>,
    ok: bool,
    checks: Vec<Check>,
    counts: BTreeMap<&'static str, u64>,
    /// The files of the store; in PostgreSQL its tables with their indexes.
    bytes: u64,
    /// Text in each table.
    bytes_by_table: BTreeMap<&'static str, u64>,
    secrets_at_rest: Vec<SecretAtRest>,
}

#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    detail: String,
}

pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let engine = place.open(surroundings).await?;
    let facts = surroundings.facts(place.store()).await;
    let facts = facts.map_err(|failure| failure.at(place.store().to_string()))?;
    let inspection = engine.inspect().await?;
    let file = match &facts {
        Some(StoreFacts::Sqlite(file)) => Some(file),
        _ => None,
    };
    let mut checks = file.map(of_file).unwrap_or_default();
    checks.extend(of_contents(&inspection));
    let report = Report {
        store: match place.store() {
            Store::Sqlite(path) => format!("sqlite:{path}"),
            Store::Postgres(address) => address.to_string(),
        },
        schema: facts.as_ref().map(StoreFacts::schema),
        ok: checks.iter().all(|check| check.ok),
        checks,
        counts: inspection.tables.iter().map(|(table, tally)| (table.as_str(), tally.rows)).collect(),
        bytes: facts.as_ref().map_or(0, StoreFacts::bytes),
        bytes_by_table: inspection
            .tables
            .iter()
            .map(|(table, tally)| (table.as_str(), tally.bytes))
            .collect(),
        secrets_at_rest: inspection.secrets,
    };
    let answer = if call.json() { Answer::json(&report)? } else { shown(&report) };
    let on_network = file.is_some_and(is_remote);
    let answer = if on_network { answer.remark(NETWORK) } else { answer };
    Ok(if report.ok { answer } else { answer.exit(NOT_SO) })
}

const NETWORK: &str = "the store lies on a network file system: keep it on a local one when several \
                       processes use it";

fn is_remote(facts: &SqliteFacts) -> bool {
    sqlite::journal(facts.file_system) != "wal"
}

/// What the file itself says.
fn of_file(facts: &SqliteFacts) -> Vec<Check> {
    let sound = facts.integrity.iter().all(|line| line == "ok");
    let integrity = facts.integrity.first().filter(|_| !sound).map_or("no damage was found", String::as_str);
    let wanted = sqlite::journal(facts.file_system);
    let place = if is_remote(facts) { "a network file system" } else { "a local file system" };
    let mut checks = vec![
        Check { name: "integrity", ok: sound, detail: integrity.into() },
        Check {
            name: "references",
            ok: facts.orphans == 0,
            detail: format!("{} without what they belong to", count_of(facts.orphans, "row", "rows")),
        },
        Check {
            name: "journal",
            ok: facts.journal == wanted,
            detail: format!("{} on {place}, which takes {wanted}", facts.journal),
        },
    ];
    checks.extend(facts.mode.map(|mode| Check {
        name: "permissions",
        ok: mode & 0o077 == 0,
        detail: format!("mode {:04o}; 0600 keeps others out", mode & 0o7777),
    }));
    checks
}

/// What is stored says.
fn of_contents(inspection: &Inspection) -> [Check; 3] {
    let waiting = inspection.tables.iter().find(|(table, _)| *table == model::Table::PendingCheckpoints);
    let waiting = waiting.map_or(0, |(_, tally)| tally.rows);
    let first =
        inspection.first_due.map(|at| format!(", the first is due {}", minute(at))).unwrap_or_default();
    [
        Check {
            name: "contents",
            ok: inspection.unreadable == 0,
            detail: format!("{} cannot be read", count_of(inspection.unreadable, "body", "bodies")),
        },
        Check {
            name: "pending",
            ok: true,
            detail: format!("{}{first}", count_of(waiting, "draft waits", "drafts wait")),
        },
        Check {
            name: "secrets",
            ok: inspection.secrets_found == 0,
            detail: format!("{} found at rest", count(inspection.secrets_found, "secret", "secrets")),
        },
    ]
}

fn count_of(number: u64, one: &str, many: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), one, many)
}

fn shown(report: &Report) -> Answer {
    let mut checks = Table::new(&["check", "", "detail"]);
    let schema = report.schema.map_or("no store yet".into(), |schema| format!("schema {schema}"));
    checks.row(vec!["store".into(), "ok".into(), format!("{}, {schema}", report.store)]);
    for Check { name, ok, detail } in &report.checks {
        checks.row(vec![(*name).into(), if *ok { "ok" } else { "WRONG" }.into(), detail.clone()]);
    }
    let mut sizes = Table::new(&["table", "#rows", "#bytes"]);
    for (name, rows) in &report.counts {
        let bytes = report.bytes_by_table.get(name).copied().unwrap_or_default();
        sizes.row(vec![(*name).into(), rows.to_string(), bytes.to_string()]);
    }
    sizes.row(vec!["files".into(), String::new(), report.bytes.to_string()]);
    let mut text = format!("{checks}\n{sizes}");
    if !report.secrets_at_rest.is_empty() {
        let mut secrets = Table::new(&["table", "column", "row", "rule"]);
        for SecretAtRest { table, column, row, rule } in &report.secrets_at_rest {
            secrets.row(vec![(*table).into(), column.clone(), row.clone(), (*rule).into()]);
        }
        text.push_str(&format!("\n{secrets}"));
    }
    Answer::text(text)
}
