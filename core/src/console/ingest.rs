use super::{
    answer::Answer, arguments::Call, failure::Failure, log_file::LogFile, place::Place,
    surroundings::Surroundings, table::Table,
};
use crate::{
    engine::{Engine, IngestOptions, IngestReport},
    host::Host,
};
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Ingested<'a> {
    file: &'a str,
    #[serde(flatten)]
    report: IngestReport,
}

/// Reads every log that can be read; the last that cannot decides how the command ends.
pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let (mut engine, mut done) = (None, Vec::new());
    let mut failed: Option<Failure> = None;
    let mut earlier = String::new();
    for file in call.words() {
        match one(call, file, &mut engine, place, surroundings).await {
            Ok(report) => done.push(Ingested { file, report }),
            Err(failure) => {
                if let Some(before) = failed.replace(failure) {
                    earlier.push_str(&before.print(call.json()));
                }
            }
        }
    }
    let mut answer = if done.is_empty() { Answer::default() } else { listed(call, &done)? };
    answer.stderr = earlier;
    if let Some(failure) = failed {
        answer.stderr.push_str(&failure.print(call.json()));
        answer.exit = failure.exit();
    }
    Ok(answer)
}

async fn one<S: Surroundings>(
    call: &Call,
    file: &str,
    engine: &mut Option<Engine<S::Host>>,
    place: &Place,
    surroundings: &S,
) -> Result<IngestReport, Failure> {
    let log = surroundings.file(file).await.map_err(|fault| Failure::input(file, &fault))?;
    // Opened once there is something to read.
    let engine = match engine {
        Some(engine) => engine,
        None => engine.insert(place.open(surroundings).await?),
    };
    ingest(call, place, file, engine, log).await
}

async fn ingest<H: Host>(
    call: &Call,
    place: &Place,
    file: &str,
    engine: &Engine<H>,
    mut log: impl LogFile,
) -> Result<IngestReport, Failure> {
    let mut reading = engine.ingest(options(call, place, file));
    while let Some(bytes) = log.next().await.map_err(|fault| Failure::input(file, &fault))? {
        reading.push(&bytes).await.map_err(|error| Failure::from(error).at(file))?;
    }
    reading.finish().await.map_err(|error| Failure::from(error).at(file))
}

/// What the flags and the file's name say of a log.
pub(super) fn options(call: &Call, place: &Place, file: &str) -> IngestOptions {
    let option = |flag| call.value(flag).map(String::from);
    IngestOptions {
        harness: option("--harness"),
        agent: option("--agent"),
        project: place.project().map(String::from),
        fallback_key: stem(file).into(),
    }
}

/// The file's name without its last extension; a name that begins with a dot has none.
fn stem(file: &str) -> &str {
    if file == "-" {
        return "stdin";
    }
    let name = file.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

fn listed(call: &Call, done: &[Ingested<'_>]) -> Result<Answer, Failure> {
    if call.json() {
        return Answer::json(&done);
    }
    let mut table = Table::new(&[
        "file",
        "session",
        "#records",
        "#user",
        "#assistant",
        "#calls",
        "#scrubbed",
        "#skipped",
        "#added",
        "checkpoint",
    ]);
    for Ingested { file, report } in done {
        let summary = &report.summary;
        let checkpoint = report.checkpoint.as_ref().map_or("-", |id| id.as_str());
        let numbers = [
            summary.records,
            summary.messages.user,
            summary.messages.assistant,
            summary.tool_calls,
            summary.findings,
            summary.skipped_lines,
            report.added,
        ];
        let mut cells = vec![String::from(*file), report.session.clone().unwrap_or_else(|| "-".into())];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.push(checkpoint.into());
        table.row(cells);
    }
    Ok(Answer::table(&table))
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn the_key_is_the_stem_of_the_name() {
        for (file, key) in [
            ("-", "stdin"),
            ("3f2c.jsonl", "3f2c"),
            ("/a.b/3f2c.log.jsonl", "3f2c.log"),
            ("./a/.hidden", ".hidden"),
            ("plain", "plain"),
            ("é.jsonl", "é"),
            ("a/", "a"),
        ] {
            assert_eq!(stem(file), key, "{file}");
        }
    }
}
