//! The command line over a JavaScript host, for `throughline-node`.

use crate::{
    arguments::{parsed, texts},
    fault::{Fault, Thrown},
    host::{JsClock, JsEntropy, JsHost},
    js_object::JsObject,
    postgres::address_value,
    sqlite::file_fault,
    storage::{JsStorage, storage_error},
    value::bytes,
    watch::Watch,
};
use js_sys::{Object, Promise, Reflect, Uint8Array};
use throughline_core::{
    console::{Answer, Failure, LogFile, Store, StoreFacts, Surroundings, run, unwritten},
    engine::{Engine, Options},
    host::{FileFault, StorageError},
    redact::Redactor,
    time::Timestamp,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;

/// The program that the command line runs in: `{variable(name), home(), folder(), open(kind, place),
/// facts(kind, place), file(path), write(bytes), clock, entropy}`.
#[derive(Debug)]
struct Program {
    object: JsObject,
    watch: Watch,
}

impl Program {
    fn get(&self, key: &str) -> JsValue {
        Reflect::get(self.object.value(), &key.into()).unwrap_or_default()
    }

    fn text(&self, method: &str, arguments: &[JsValue]) -> Option<String> {
        self.object.call_now(method, arguments).ok()?.as_string()
    }

    fn host(&self, driver: JsValue, now: Option<Timestamp>) -> Result<JsHost, Fault> {
        let clock = match now {
            Some(at) => JsClock::fixed(at, &self.watch),
            None => JsClock::new(self.get("clock"), &self.watch)?,
        };
        let entropy = JsEntropy::new(self.get("entropy"), &self.watch)?;
        Ok(JsHost { storage: JsStorage::driver(driver, self.watch.clone())?, clock, entropy })
    }
}

impl Surroundings for Program {
    type Host = JsHost;
    type File = File;

    fn variable(&self, name: &str) -> Option<String> {
        self.text("variable", &[name.into()])
    }

    fn home(&self) -> Option<String> {
        self.text("home", &[])
    }

    fn folder(&self) -> Option<String> {
        self.text("folder", &[])
    }

    async fn open(&self, store: &Store, now: Option<Timestamp>) -> Result<Engine<JsHost>, Failure> {
        let driver =
            self.object.call("open", &place(store)?).await.map_err(|thrown| storage_error(&thrown))?;
        let host = self.host(driver, now).map_err(invalid)?;
        Ok(Engine::new(host, Redactor::standard(), Options::default()))
    }

    async fn facts(&self, store: &Store) -> Result<Option<StoreFacts>, Failure> {
        let facts =
            self.object.call("facts", &place(store)?).await.map_err(|thrown| storage_error(&thrown))?;
        if facts.is_undefined() || facts.is_null() {
            return Ok(None);
        }
        let what = "what a store says of itself";
        let facts = match store {
            Store::Sqlite(_) => parsed(&facts, "facts", what).map(StoreFacts::Sqlite),
            Store::Postgres(_) => parsed(&facts, "facts", what).map(StoreFacts::Postgres),
            _ => return Err(unsupported()),
        };
        Ok(Some(facts.map_err(invalid)?))
    }

    async fn file(&self, path: &str) -> Result<File, FileFault> {
        let file = self.object.call("file", &[path.into()]).await.map_err(fault)?;
        JsObject::check(file, "file", &["next"])
            .map(File)
            .map_err(|fault| FileFault::Other(fault.message().into()))
    }

    async fn write(&self, bytes: &[u8]) -> Result<(), FileFault> {
        self.object.call("write", &[Uint8Array::from(bytes).into()]).await.map(drop).map_err(fault)
    }
}

/// The kind of a store and where it is: a path, or an address as a driver takes it.
fn place(store: &Store) -> Result<[JsValue; 2], Failure> {
    match store {
        Store::Sqlite(path) => Ok(["sqlite".into(), path.into()]),
        Store::Postgres(address) => Ok(["postgres".into(), address_value(address).map_err(invalid)?]),
        _ => Err(unsupported()),
    }
}

fn unsupported() -> Failure {
    Failure::storage("store_unsupported", "this build does not know this kind of store")
}

fn invalid(fault: Fault) -> StorageError {
    StorageError::Unavailable { why: fault.message().into() }
}

/// A file: `next()` gives its next bytes, and `undefined` at its end.
#[derive(Debug)]
struct File(JsObject);

impl LogFile for File {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, FileFault> {
        let answer = self.0.call("next", &[]).await.map_err(fault)?;
        Ok(bytes(&answer).map(|bytes| bytes.to_vec()))
    }
}

fn fault(thrown: Thrown) -> FileFault {
    file_fault(thrown.code().as_deref(), &thrown.message())
}

fn answer(answer: &Answer) -> Result<JsValue, JsValue> {
    let object = Object::new();
    Reflect::set(&object, &"stdout".into(), &Uint8Array::from(&*answer.stdout))?;
    Reflect::set(&object, &"stderr".into(), &answer.stderr.as_str().into())?;
    Reflect::set(&object, &"exit".into(), &answer.exit.into())?;
    Ok(object.into())
}

/// Runs a command: `{stdout, stderr, exit}`.
#[wasm_bindgen(js_name = runConsole)]
pub fn run_console(words: &JsValue, program: JsValue) -> Promise {
    let methods = ["variable", "home", "folder", "open", "facts", "file", "write", "clock", "entropy"];
    let arguments =
        texts(words, "words").and_then(|words| Ok((words, JsObject::check(program, "program", &methods)?)));
    future_to_promise(async move {
        let (words, object) = arguments?;
        answer(&run(&words, &Program { object, watch: Watch::default() }).await)
    })
}

/// The answer in place of one that could not be written, by the system's name and words for the reason.
///
/// # Errors
/// `argument_invalid`.
#[wasm_bindgen(js_name = unwrittenAnswer)]
pub fn unwritten_answer(words: &JsValue, name: Option<String>, why: &str) -> Result<JsValue, JsValue> {
    answer(&unwritten(&texts(words, "words")?, &file_fault(name.as_deref(), why)))
}
