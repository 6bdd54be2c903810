//! Redacts many texts in one process: a JSON string a line on standard input; for each a line of JSON on standard
//! output, `[[rule, kind, confidence, offset, length], …]`.
use serde_json::{Value, json};
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use throughline_core::redact::{Redactor, rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let redactor = Redactor::standard();
    let mut out = BufWriter::new(stdout().lock());
    if std::env::args().nth(1).as_deref() == Some("--rules") {
        let list: Vec<Value> = rules().iter().map(|r| json!([r.id, r.kind, r.keywords.len()])).collect();
        writeln!(out, "{}", Value::from(list))?;
        return Ok(());
    }
    for line in stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let found = redactor.report(&text).into_iter();
        let list: Vec<Value> =
            found.map(|f| json!([f.rule, f.kind, f.confidence, f.offset, f.length])).collect();
        writeln!(out, "{}", Value::from(list))?;
    }
    Ok(())
}
