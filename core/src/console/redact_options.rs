use super::{
    arguments::Call,
    failure::Failure,
    files::{bytes, json, text},
    surroundings::Surroundings,
};
use crate::{
    json::Json,
    redact::{HostRule, Mode, Options, RedactError, Redactor},
};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// The redactor that the flags ask for.
pub(super) async fn redactor<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Redactor, Failure> {
    let mut options = Options { mode: mode(call)?, ..Options::default() };
    let mut exact = Exact::default();
    if let Some(file) = call.value("--exact") {
        exact.file(file, &text(surroundings, file, "exact values are UTF-8 text").await?);
    }
    if let Some(names) = call.value("--exact-env") {
        exact.variables(names, surroundings)?;
    }
    options.exact = exact.values;
    if let Some(file) = call.value("--tag-key") {
        let key = bytes(surroundings, file).await?;
        // The line end of an editor is no part of it.
        let line = key.strip_suffix(b"\n").unwrap_or(&key);
        options.tag_key = Some(line.strip_suffix(b"\r").unwrap_or(line).to_vec());
    }
    options.mark = call.value("--mark").map(String::from);
    if let Some(file) = call.value("--rules") {
        let rows = json(surroundings, file).await?;
        options.rules = HostRule::list(&rows).map_err(|error| wrong(&error, file))?;
    }
    if let Some(file) = call.value("--keys") {
        let value = json(surroundings, file).await?;
        let [strong, weak] = lists(&value, "keys", ["strong", "weak"]).map_err(|error| error.at(file))?;
        (options.keys.strong, options.keys.weak) = (strong, weak);
    }
    if let Some(file) = call.value("--allow") {
        let value = json(surroundings, file).await?;
        let found = lists(&value, "allow", ["values", "keys", "rules"]).map_err(|error| error.at(file))?;
        [options.allow.values, options.allow.keys, options.allow.rules] = found;
    }
    options.pii = call.has("--pii");
    if let Some(depth) = call.number("--decode-depth", 0..=u32::from(Options::DECODE_DEPTH_MAX))? {
        options.decode_depth = u8::try_from(depth).unwrap_or(Options::DECODE_DEPTH_MAX);
    }
    let origins = exact.origins;
    Redactor::new(options).map_err(|error| refused(call, &error, &origins))
}

fn mode(call: &Call) -> Result<Mode, Failure> {
    let mode = match call.value("--mode") {
        Some("paranoid") => Mode::Paranoid,
        Some("report_only") => Mode::ReportOnly,
        _ => Mode::Default,
    };
    match call.has("--paranoid") {
        true if call.has("--mode") && mode != Mode::Paranoid => {
            let message = "--paranoid is --mode paranoid, and another mode is given";
            Err(Failure::usage("argument_conflict", message).at("--paranoid"))
        }
        true => Ok(Mode::Paranoid),
        false => Ok(mode),
    }
}

/// Exact values, and where each came from: a line of a file, or a variable. A wrong one is named by that, since it is
/// not to be shown.
#[derive(Default)]
struct Exact {
    values: Vec<String>,
    origins: Vec<String>,
}

impl Exact {
    fn file(&mut self, file: &str, text: &str) {
        for (line, value) in (1..).zip(text.lines()).filter(|(_, value)| !value.is_empty()) {
            self.values.push(value.to_owned());
            self.origins.push(format!("{file}:{line}"));
        }
    }

    fn variables<S: Surroundings>(&mut self, names: &str, surroundings: &S) -> Result<(), Failure> {
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let value = surroundings.variable(name).ok_or_else(|| {
                Failure::usage("argument_invalid", format!("the environment has no variable `{name}`"))
                    .at("--exact-env <NAMES>")
            })?;
            self.values.push(value);
            self.origins.push(format!("${name}"));
        }
        Ok(())
    }
}

/// What the core says of options, with the flag or the file that they came from.
fn refused(call: &Call, error: &RedactError, origins: &[String]) -> Failure {
    let index = match error {
        RedactError::ExactTooShort { index, .. }
        | RedactError::ExactTooLong { index, .. }
        | RedactError::ExactPlaceholder { index } => Some(*index),
        _ => None,
    };
    if let Some(origin) = index.and_then(|index| origins.get(index)) {
        return Failure::usage(error.code(), error.reason()).at(origin);
    }
    let path = error.path().unwrap_or_default();
    let flags = [
        ("rules", "--rules"),
        ("keys", "--keys"),
        ("allow", "--allow"),
        ("tag_key", "--tag-key"),
        ("mark", "--mark"),
    ];
    let flag = flags.iter().find(|(option, _)| path.starts_with(option)).map(|(_, flag)| *flag);
    let file = flag.filter(|flag| *flag != "--mark").and_then(|flag| call.value(flag));
    wrong(error, file.or(flag).unwrap_or("redact"))
}

fn wrong(error: &RedactError, at: &str) -> Failure {
    Failure::usage(error.code(), error.to_string()).at(at)
}

/// The lists of texts of an object; those that are absent are empty.
fn lists<const N: usize>(value: &Json, path: &str, names: [&str; N]) -> Result<[Vec<String>; N], Failure> {
    let invalid = |at: &str, reason: &str| Failure::usage("option_invalid", format!("{at}: {reason}"));
    let known = || format!("not an object with lists of {}", names.join(", "));
    let object = value.as_object().ok_or_else(|| invalid(path, &known()))?;
    if object.iter().any(|(name, _)| !names.contains(&name)) {
        return Err(invalid(path, &known()));
    }
    let mut found = [const { Vec::new() }; N];
    for (name, list) in names.iter().zip(found.iter_mut()) {
        let Some(value) = object.get(name) else { continue };
        let wanted = || invalid(&format!("{path}.{name}"), "not an array of strings");
        for item in value.as_array().ok_or_else(wanted)? {
            list.push(item.as_str().ok_or_else(wanted)?.to_owned());
        }
    }
    Ok(found)
}
