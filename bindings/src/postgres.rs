//! What a PostgreSQL driver in JavaScript needs of the core, so that it decides nothing itself.

use crate::{
    arguments::{Options, flag, one_of, text, whole},
    fault::Fault,
    storage::{rows, storage_fault},
    value::plain,
};
use js_sys::Reflect;
use serde_json::json;
use throughline_core::sql::{
    migrations,
    postgres::{self, Address, Attempt, Fault as ServerFault, Moment, Next, Tls, Wire},
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The fixed texts, and the number of the newest schema: `{look, mark, size, lock,
/// upgradeLock, schema}`.
///
/// # Errors
/// None that a caller can cause.
#[wasm_bindgen(js_name = postgresTexts)]
pub fn postgres_texts() -> Result<JsValue, JsValue> {
    let (look, mark, size) = (postgres::LOOK, postgres::MARK, postgres::SIZE);
    let (lock, upgrade) = (postgres::LOCK, postgres::UPGRADE_LOCK);
    let schema = migrations().len();
    let texts = json!({
        "look": look, "mark": mark, "size": size, "lock": lock, "upgradeLock": upgrade, "schema": schema,
    });
    Ok(plain(&texts)?)
}

/// Reads an address; `environment` is an object with what it leaves out, such as `process.env`.
///
/// # Errors
/// `store_invalid`, without a word of the address.
#[wasm_bindgen(js_name = postgresAddress)]
pub fn postgres_address(url: &JsValue, environment: &JsValue) -> Result<JsValue, JsValue> {
    let variable = |name: &str| Reflect::get(environment, &name.into()).ok()?.as_string();
    let address = Address::parse(&text(url, "store")?, variable)
        .map_err(|error| Fault::new(error.code(), error.to_string()).at("store"))?;
    Ok(address_value(&address)?)
}

/// An address as the object that a driver takes, with its password.
///
/// # Errors
/// None that a caller can cause.
pub fn address_value(address: &Address) -> Result<JsValue, Fault> {
    plain(&json!({
        "shown": address.to_string(),
        "host": address.host,
        "port": address.port,
        "user": address.user,
        "password": address.password,
        "database": address.database,
        "tls": address.tls == Tls::Verified,
        "rootCertificates": address.root_certificates,
        "options": address.options,
        "application": address.application,
        "connectMillis": u32::from(address.connect_seconds) * 1000,
    }))
}

/// A statement of the core as PostgreSQL reads it.
#[wasm_bindgen(js_name = postgresTranslate)]
#[must_use]
pub fn postgres_translate(sql: &str) -> String {
    postgres::translate(sql)
}

/// Begins the transaction of a batch.
#[wasm_bindgen(js_name = postgresBegin)]
#[must_use]
pub fn postgres_begin(wait_millis: u32) -> String {
    postgres::begin(wait_millis)
}

/// Whether a database is marked as ours, by the rows of `look`.
///
/// # Errors
/// `storage_foreign`, `storage_unavailable`, `storage_corrupt`.
#[wasm_bindgen(js_name = postgresJudge)]
pub fn postgres_judge(look: &JsValue) -> Result<bool, JsValue> {
    let judged = rows(look).and_then(|rows| postgres::judge(&rows.into_iter().next().unwrap_or_default()));
    Ok(judged.map_err(|error| storage_fault(&error))?)
}

/// The schema that a marked database has, by the rows of `mark`.
///
/// # Errors
/// `storage_foreign`, `schema_newer`.
#[wasm_bindgen(js_name = postgresFound)]
pub fn postgres_found(mark: &JsValue) -> Result<u32, JsValue> {
    let found = rows(mark).and_then(|rows| postgres::schema_found(&rows));
    Ok(found.map_err(|error| storage_fault(&error))?)
}

/// The script that brings a database from the schema that it has to the newest.
#[wasm_bindgen(js_name = postgresUpgrade)]
#[must_use]
pub fn postgres_upgrade(found: u32) -> String {
    postgres::upgrade(found)
}

/// What to do about an error: `{state?, name?, message}` says what it was, and `{moment, tries, waited, wait,
/// unsettled, spread}` how far the work had come.
///
/// # Errors
/// `argument_invalid`.
#[wasm_bindgen(js_name = postgresNext)]
pub fn postgres_next(thrown: &JsValue, attempt: &JsValue) -> Result<PostgresNext, JsValue> {
    let options = Options::of(thrown, "fault", &["state", "name", "message"])?;
    let (state, words) = (options.optional("state", text)?, options.required("message", text)?);
    let name = options.optional("name", text)?.unwrap_or_default();
    let fault = match state {
        Some(state) => ServerFault::Server { state, text: words },
        None => ServerFault::Lost(Wire::named(&name, &words)),
    };
    let keys = ["moment", "tries", "waited", "wait", "unsettled", "spread"];
    let options = Options::of(attempt, "attempt", &keys)?;
    let moments = [
        ("opening", Moment::Opening),
        ("connecting", Moment::Connecting),
        ("reading", Moment::Reading),
        ("writing", Moment::Writing),
        ("committing", Moment::Committing),
    ];
    let number = |value: &JsValue, path: &str| whole(value, path, 0..=u32::MAX);
    let attempt = Attempt {
        moment: options.required("moment", |value, path| one_of(value, path, &moments))?,
        tries: options.required("tries", number)?,
        waited_millis: options.required("waited", number)?.into(),
        wait_millis: options.required("wait", number)?.into(),
        unsettled: options.required("unsettled", flag)?,
        spread: options.required("spread", number)?.try_into().unwrap_or(u8::MAX),
    };
    Ok(match fault.next(&attempt) {
        // At most half a second.
        Next::Again { pause_millis, unsettled } => {
            PostgresNext { pause: u32::try_from(pause_millis).ok(), unsettled, error: None }
        }
        Next::Fail(error) => {
            PostgresNext { pause: None, unsettled: false, error: Some(storage_fault(&error)) }
        }
    })
}

/// The answer of [`postgres_next`].
#[derive(Debug)]
#[wasm_bindgen]
pub struct PostgresNext {
    pause: Option<u32>,
    unsettled: bool,
    error: Option<Fault>,
}

#[wasm_bindgen]
impl PostgresNext {
    /// How long to wait before the next attempt, in milliseconds; absent when there is none.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn pause(&self) -> Option<u32> {
        self.pause
    }

    /// What `unsettled` is from now on.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn unsettled(&self) -> bool {
        self.unsettled
    }

    /// The error, when there is no further attempt.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn error(&self) -> JsValue {
        self.error.clone().map_or(JsValue::UNDEFINED, JsValue::from)
    }
}
