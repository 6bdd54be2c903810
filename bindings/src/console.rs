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
    console::{
        Answer, Failure, FolderWatch, HookSystem, LogFile, SeenLog, Store, StoreFacts, Surroundings, Waited,
        run, unwritten,
    },
    engine::{Engine, Options},
    host::{Clock, Entropy, FileFault, StorageError},
    redact::Redactor,
    time::Timestamp,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;

/// The program that the command line runs in: `{variable(name), home(), folder(), open(kind, place, wait),
/// facts(kind, place), file(path), write(bytes), clock, entropy}`, for `install`, `uninstall` and `watch`
/// `{program(), replace(path, bytes, like), remove(path), tail(path, offset), watch(folder)}`, and for `hook`
/// `{elapsed(), names(folder), keep(path, bytes, lasting), discard(path), log(path, from)}`.
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

    async fn opened(&self, method: &str, words: &[JsValue]) -> Result<File, FileFault> {
        let file = self.object.call(method, words).await.map_err(fault)?;
        JsObject::check(file, "file", &["next"])
            .map(File)
            .map_err(|fault| FileFault::Other(fault.message().into()))
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
    type Folder = Folder;

    fn variable(&self, name: &str) -> Option<String> {
        self.text("variable", &[name.into()])
    }

    fn home(&self) -> Option<String> {
        self.text("home", &[])
    }

    fn folder(&self) -> Option<String> {
        self.text("folder", &[])
    }

    async fn open(
        &self,
        store: &Store,
        now: Option<Timestamp>,
        wait_millis: Option<u32>,
    ) -> Result<Engine<JsHost>, Failure> {
        let [kind, place] = place(store)?;
        let arguments = [kind, place, wait_millis.map_or(JsValue::UNDEFINED, JsValue::from)];
        let driver = self.object.call("open", &arguments).await.map_err(|thrown| storage_error(&thrown))?;
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
        self.opened("file", &[path.into()]).await
    }

    async fn write(&self, bytes: &[u8]) -> Result<(), FileFault> {
        self.object.call("write", &[Uint8Array::from(bytes).into()]).await.map(drop).map_err(fault)
    }

    fn program(&self) -> Option<Vec<String>> {
        texts(&self.object.call_now("program", &[]).ok()?, "program").ok()
    }

    async fn replace(&self, path: &str, bytes: &[u8], like: &str) -> Result<(), FileFault> {
        let words = [path.into(), Uint8Array::from(bytes).into(), like.into()];
        self.object.call("replace", &words).await.map(drop).map_err(fault)
    }

    async fn remove(&self, path: &str) -> Result<(), FileFault> {
        self.object.call("remove", &[path.into()]).await.map(drop).map_err(fault)
    }

    async fn tail(&self, path: &str, offset: u64) -> Result<File, FileFault> {
        // A file of more bytes than a double counts is not read.
        #[allow(clippy::cast_precision_loss, reason = "offsets are far below 2^53")]
        let offset = offset as f64;
        self.opened("tail", &[path.into(), offset.into()]).await
    }

    async fn watch(&self, folder: &str) -> Result<Folder, FileFault> {
        let folder = self.object.call("watch", &[folder.into()]).await.map_err(fault)?;
        JsObject::check(folder, "folder", &["wait", "logs", "stopped"])
            .map(Folder)
            .map_err(|fault| FileFault::Other(fault.message().into()))
    }
}

impl HookSystem for Program {
    type Log = File;

    fn moment(&self, now: Option<Timestamp>) -> (Timestamp, [u8; 16]) {
        let clock = match now {
            Some(at) => Ok(JsClock::fixed(at, &self.watch)),
            None => JsClock::new(self.get("clock"), &self.watch),
        };
        let entropy = JsEntropy::new(self.get("entropy"), &self.watch);
        let now = clock.map_or(Timestamp::EPOCH, |clock| clock.now());
        (now, entropy.map(|entropy| entropy.bytes()).unwrap_or_default())
    }

    fn elapsed_millis(&self) -> u64 {
        let elapsed = self.object.call_now("elapsed", &[]).ok().and_then(|value| value.as_f64());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
        elapsed.map_or(u64::MAX, |millis| millis as u64)
    }

    fn has_drives(&self) -> bool {
        self.object.call_now("hasDrives", &[]).is_ok_and(|value| value.is_truthy())
    }

    async fn names(&self, folder: &str) -> Result<Vec<String>, FileFault> {
        let names = self.object.call("names", &[folder.into()]).await.map_err(fault)?;
        texts(&names, "names").map_err(|fault| FileFault::Other(fault.message().into()))
    }

    async fn keep(&self, path: &str, bytes: &[u8], lasting: bool) -> Result<(), FileFault> {
        let arguments = [path.into(), Uint8Array::from(bytes).into(), lasting.into()];
        self.object.call("keep", &arguments).await.map(drop).map_err(fault)
    }

    async fn discard(&self, path: &str) -> Result<(), FileFault> {
        self.object.call("discard", &[path.into()]).await.map(drop).map_err(fault)
    }

    async fn discard_folder(&self, path: &str) -> Result<(), FileFault> {
        self.object.call("discardFolder", &[path.into()]).await.map(drop).map_err(fault)
    }

    async fn log(&self, path: &str, from: u64) -> Result<(u64, File), FileFault> {
        #[allow(clippy::cast_precision_loss, reason = "no file is longer than 2^53 bytes")]
        let from = JsValue::from_f64(from as f64);
        let file = self.object.call("log", &[path.into(), from]).await.map_err(fault)?;
        let length = Reflect::get(&file, &"length".into()).ok().and_then(|length| length.as_f64());
        let file = JsObject::check(file, "log", &["next"])
            .map(File)
            .map_err(|fault| FileFault::Other(fault.message().into()))?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
        Ok((length.unwrap_or_default() as u64, file))
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

/// A file: `next()` gives its next bytes, and `undefined` at its end; `close()`, where there is one, is called when
/// nobody reads on, which may be before the end, and after it.
#[derive(Debug)]
struct File(JsObject);

impl Drop for File {
    fn drop(&mut self) {
        // Whoever has nothing to close has no such method.
        let _ = self.0.call_now("close", &[]);
    }
}

impl LogFile for File {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, FileFault> {
        let answer = self.0.call("next", &[]).await.map_err(fault)?;
        Ok(bytes(&answer).map(|bytes| bytes.to_vec()))
    }
}

/// A watched folder: `wait(millis)` gives `{millis, stopped}`, `logs()` a list of `{path, bytes, changed}`.
#[derive(Debug)]
struct Folder(JsObject);

impl FolderWatch for Folder {
    async fn wait(&mut self, most: u32) -> Waited {
        let waited = self.0.call("wait", &[most.into()]).await.ok();
        let waited = waited.and_then(|waited| parsed(&waited, "waited", "how a wait ended").ok());
        waited.unwrap_or(Waited { millis: 0, stopped: true })
    }

    async fn logs(&mut self) -> Result<Vec<SeenLog>, FileFault> {
        let logs = self.0.call("logs", &[]).await.map_err(fault)?;
        parsed(&logs, "logs", "files with path, bytes and changed")
            .map_err(|fault| FileFault::Other(fault.message().into()))
    }

    fn stopped(&self) -> bool {
        self.0.call_now("stopped", &[]).is_ok_and(|stopped| stopped.is_truthy())
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
    let methods = [
        "variable", "home", "folder", "open", "facts", "file", "write", "elapsed", "names", "keep",
        "discard", "log", "clock", "entropy",
    ];
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
