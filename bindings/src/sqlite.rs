//! What a SQLite driver in JavaScript needs of the core, so that it decides nothing itself.

use crate::{
    arguments::{Options, flag, one_of, text, whole},
    fault::Fault,
    storage::storage_fault,
    value::{bytes, plain},
};
use throughline_core::{
    model::FileFault,
    sql::{self, sqlite},
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The schema as data: `{applicationId, migrations, pragmas, headBytes}`.
///
/// # Errors
/// None that a caller can cause.
#[wasm_bindgen(js_name = sqliteSchema)]
pub fn sqlite_schema() -> Result<JsValue, JsValue> {
    Ok(plain(&serde_json::json!({
        "applicationId": sql::APPLICATION_ID,
        "migrations": sql::migrations(),
        "pragmas": sqlite::PRAGMAS,
        "headBytes": sqlite::HEAD_BYTES,
    }))?)
}

/// Judges a file by its first bytes: the schema that it has.
///
/// # Errors
/// `storage_foreign`, `schema_newer`, `argument_invalid`.
#[wasm_bindgen(js_name = sqliteJudge)]
pub fn sqlite_judge(path: &JsValue, head: &JsValue, logged: &JsValue) -> Result<u32, JsValue> {
    let head = bytes(head).ok_or_else(|| crate::arguments::refused(head, "head", "bytes"))?;
    let found = sqlite::judge(&text(path, "path")?, &head.to_vec(), flag(logged, "logged")?);
    Ok(found.map_err(|error| storage_fault(&error))?)
}

/// Judges an open database by its marks: the schema that it has.
///
/// # Errors
/// `storage_foreign`, `schema_newer`.
#[wasm_bindgen(js_name = sqliteFound)]
pub fn sqlite_found(application_id: i32, user_version: f64, tables: f64) -> Result<u32, JsValue> {
    // Whole numbers of 32 bits; a cast saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let (user_version, tables) = (user_version as i64, tables as u64);
    let found = sql::schema_found(application_id, user_version, tables);
    Ok(found.map_err(|error| storage_fault(&error))?)
}

/// The journal for a kind of file system; `undefined` where the system does not tell.
#[wasm_bindgen(js_name = sqliteJournal)]
#[must_use]
pub fn sqlite_journal(file_system: Option<f64>) -> String {
    #[allow(clippy::cast_possible_truncation, reason = "the kinds are numbers of 32 bits")]
    sqlite::journal(file_system.map(|kind| kind as i64)).into()
}

/// What an error of SQLite means: `{busy, error}` with a `ThroughlineError`, from `{code, message, commit?,
/// sizeLimit?}`, where the code is the extended one.
///
/// # Errors
/// `argument_invalid`.
#[wasm_bindgen(js_name = sqliteFault)]
pub fn sqlite_fault(thrown: &JsValue) -> Result<SqliteFault, JsValue> {
    let options = Options::of(thrown, "fault", &["code", "message", "commit", "sizeLimit"])?;
    let code = options.optional("code", |value, path| whole(value, path, 0..=0xFFFF))?;
    let fault = sqlite::Fault {
        code: code.and_then(|code| i32::try_from(code).ok()).unwrap_or_default(),
        text: options.required("message", text)?,
        // Whole numbers of bytes; a cast saturates.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        size_limit: options.get("sizeLimit")?.as_f64().map(|bytes| bytes as u64),
    };
    let busy = fault.is_busy();
    let commit = options.optional("commit", flag)?.unwrap_or_default();
    let error = if commit { fault.at_commit() } else { fault.into() };
    Ok(SqliteFault { busy, error: storage_fault(&error) })
}

/// The answer of [`sqlite_fault`].
#[derive(Debug)]
#[wasm_bindgen]
pub struct SqliteFault {
    busy: bool,
    error: Fault,
}

#[wasm_bindgen]
impl SqliteFault {
    /// Whether waiting may help.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn busy(&self) -> bool {
        self.busy
    }

    /// The error.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn error(&self) -> JsValue {
        self.error.clone().into()
    }
}

/// The `ThroughlineError` for a file that cannot be a store: `why` is `look`, `read`, `make` or `make_folder`
/// with the system's name and words for it, or `folder`, `irregular`, `read_only`.
///
/// # Errors
/// `argument_invalid`.
#[wasm_bindgen(js_name = sqliteRefusal)]
pub fn sqlite_refusal(
    why: &JsValue,
    path: &JsValue,
    name: Option<String>,
    words: Option<String>,
) -> Result<JsValue, JsValue> {
    type Make = fn(FileFault) -> sqlite::Refusal;
    let known: [(&str, Make); 7] = [
        ("look", sqlite::Refusal::Look),
        ("read", sqlite::Refusal::Read),
        ("make", sqlite::Refusal::Make),
        ("make_folder", sqlite::Refusal::MakeFolder),
        ("folder", |_| sqlite::Refusal::Folder),
        ("irregular", |_| sqlite::Refusal::Irregular),
        ("read_only", |_| sqlite::Refusal::ReadOnly),
    ];
    let make = one_of(why, "why", &known)?;
    let fault = file_fault(name.as_deref(), &words.unwrap_or_default());
    Ok(storage_fault(&make(fault).at(&text(path, "path")?)).into())
}

/// What Node says of a file: its code, and its words without code and call
/// (`EMFILE: too many open files, open 'x'`).
#[must_use]
pub fn file_fault(name: Option<&str>, words: &str) -> FileFault {
    let name = name.unwrap_or_default();
    let words = words.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(words);
    FileFault::named(name, words.split(", ").next().unwrap_or(words))
}
