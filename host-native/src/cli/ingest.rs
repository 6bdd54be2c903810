use super::{
    Answer,
    args::{Global, Ingest},
    error::CliError,
    output::{Output, Table},
    store::{CliEngine, Place},
};
use pollster::block_on;
use serde::Serialize;
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};
use throughline_core::engine::{IngestOptions, IngestReport};

/// How much of a log is read at once.
const CHUNK: usize = 256 * 1024;

#[derive(Debug, Serialize)]
struct Ingested {
    file: String,
    #[serde(flatten)]
    report: IngestReport,
}

/// Reads every log that can be read; the first that cannot decides how the command ends.
pub(super) fn run(
    command: &Ingest,
    global: &Global,
    place: &Place,
    output: &mut Output,
) -> Result<Answer, CliError> {
    let mut engine = None;
    let (mut done, mut failed): (Vec<Ingested>, Option<CliError>) = (Vec::new(), None);
    for file in &command.files {
        let read = open(file).and_then(|log| {
            // Opened once there is something to read.
            let engine = match &engine {
                Some(engine) => engine,
                None => engine.insert(place.engine()?),
            };
            ingest(engine, global, file, log)
        });
        match read {
            Ok(report) => done.push(Ingested { file: file.display().to_string(), report }),
            Err(error) => {
                if let Some(earlier) = failed.replace(error) {
                    earlier.print(output.is_json());
                }
            }
        }
    }
    if !done.is_empty() {
        print(&done, output)?;
    }
    failed.map_or(Ok(Answer::Yes), Err)
}

fn open(file: &Path) -> Result<Box<dyn Read>, CliError> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let log = File::open(file).map_err(|error| CliError::input(file, &error))?;
    Ok(Box::new(log))
}

fn ingest(
    engine: &CliEngine,
    global: &Global,
    file: &Path,
    mut log: Box<dyn Read>,
) -> Result<IngestReport, CliError> {
    let at = |error: CliError| error.at(file.display().to_string());
    let stem = if file == Path::new("-") {
        "stdin".into()
    } else {
        file.file_stem().unwrap_or_default().to_string_lossy()
    };
    let options = IngestOptions {
        harness: global.harness.clone(),
        agent: global.agent.clone(),
        project: global.project.clone(),
        fallback_key: stem.into_owned(),
    };
    let mut reading = engine.ingest(options);
    let mut chunk = vec![0; CHUNK];
    loop {
        let length = match log.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CliError::input(file, &error)),
        };
        let bytes = chunk.get(..length).unwrap_or_default();
        block_on(reading.push(bytes)).map_err(|error| at(error.into()))?;
    }
    block_on(reading.finish()).map_err(|error| at(error.into()))
}

fn print(done: &[Ingested], output: &mut Output) -> Result<(), CliError> {
    if output.is_json() {
        return output.value(&done);
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
        let mut cells = vec![file.clone(), report.session.clone().unwrap_or_else(|| "-".into())];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.push(checkpoint.into());
        table.row(cells);
    }
    output.table(&table)
}
