//! `watch`: logs that are read as they grow.
use super::{
    answer::Answer,
    arguments::Call,
    failure::Failure,
    folder::{FolderWatch, SeenLog},
    ingest::options,
    log_file::LogFile,
    place::Place,
    surroundings::Surroundings,
};
use crate::{
    engine::{Engine, Ingest, Settled},
    host::{Clock, FileFault, Host},
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use serde_json::{Value, json};

/// A log that was quiet for so long gets its checkpoint, in milliseconds. Until then what was read is in the store,
/// and recovery tells of it.
const QUIET: u64 = 30_000;
/// How long changes are waited for before the folder is looked through anyway, in milliseconds.
const TICK: u32 = 5_000;
/// How many logs are kept open; others are read from their start when they change.
const OPEN: usize = 32;
/// How many bytes before its end show that a log is the one that was read before.
const MARK: usize = 256;

/// A log, as it was when it was last looked at.
struct Followed<'a, H> {
    bytes: u64,
    changed: i64,
    open: Option<Open<'a, H>>,
    /// What it failed with, which is said once.
    failed: Option<Failure>,
    /// It is to be read although it did not change.
    retry: bool,
}

/// A log that can be read on.
struct Open<'a, H> {
    reading: Ingest<'a, H>,
    offset: u64,
    mark: Vec<u8>,
    quiet: u64,
    /// Something was added that no checkpoint tells of.
    waits: bool,
}

struct Watching<'a, S: Surroundings> {
    call: &'a Call,
    place: &'a Place,
    surroundings: &'a S,
    engine: &'a Engine<S::Host>,
    logs: BTreeMap<String, Followed<'a, S::Host>>,
    /// What the folder failed with.
    lost: Option<FileFault>,
}

/// Ends when the program is told to, or when nobody reads what is said.
pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let dir = call.word().unwrap_or_default();
    let mut folder = surroundings.watch(dir).await.map_err(|fault| Failure::input(dir, &fault))?;
    let engine = place.open(surroundings).await?;
    let mut watching =
        Watching { call, place, surroundings, engine: &engine, logs: BTreeMap::new(), lost: None };
    match watching.follow(dir, &mut folder).await {
        Ok(()) => Ok(Answer::default()),
        Err(fault) => Failure::unwritten(&fault).map_or_else(|| Ok(Answer::default()), Err),
    }
}

impl<S: Surroundings> Watching<'_, S> {
    /// Fails when standard output does.
    async fn follow(&mut self, dir: &str, folder: &mut S::Folder) -> Result<(), FileFault> {
        let mut first = true;
        loop {
            let due = match folder.logs().await {
                Ok(seen) => {
                    self.lost = None;
                    self.update(seen).await?
                }
                Err(fault) => {
                    if self.lost.as_ref() != Some(&fault) {
                        self.fails(dir, &Failure::input(dir, &fault)).await?;
                        self.lost = Some(fault);
                    }
                    Vec::new()
                }
            };
            for path in due {
                if !folder.stopped() {
                    self.read(&path, first).await?;
                }
            }
            first = false;
            let waited = if folder.stopped() { None } else { Some(folder.wait(TICK).await) };
            match waited {
                Some(waited) if !waited.stopped => self.settle(waited.millis).await?,
                _ => return self.settle(u64::MAX).await,
            }
        }
    }

    /// Takes in what is there; gives the paths of what is to be read, the one that changed last at the end.
    async fn update(&mut self, mut seen: Vec<SeenLog>) -> Result<Vec<String>, FileFault> {
        let there: BTreeSet<&str> = seen.iter().map(|log| log.path.as_str()).collect();
        let gone: Vec<String> =
            self.logs.keys().filter(|path| !there.contains(path.as_str())).cloned().collect();
        for path in gone {
            self.close(&path).await?;
            self.logs.remove(&path);
        }
        seen.sort_by(|a, b| (a.changed, &a.path).cmp(&(b.changed, &b.path)));
        let mut due = Vec::new();
        for SeenLog { path, bytes, changed } in seen {
            match self.logs.get_mut(&path) {
                Some(log) if (log.bytes, log.changed, log.retry) == (bytes, changed, false) => {}
                Some(log) => {
                    (log.bytes, log.changed, log.retry) = (bytes, changed, false);
                    due.push(path);
                }
                None => {
                    let log = Followed { bytes, changed, open: None, failed: None, retry: false };
                    self.logs.insert(path.clone(), log);
                    due.push(path);
                }
            }
        }
        Ok(due)
    }

    async fn read(&mut self, path: &str, checkpoint: bool) -> Result<(), FileFault> {
        let Some(log) = self.logs.get_mut(path) else { return Ok(()) };
        let open = log.open.take();
        match self.advance(path, open, checkpoint).await {
            Ok(None) => {}
            Ok(Some((open, settled))) => {
                if let Some(log) = self.logs.get_mut(path) {
                    (log.open, log.failed) = (Some(open), None);
                }
                self.tell(path, &settled).await?;
                self.close_oldest(path).await?;
            }
            Err(failure) => {
                let Some(log) = self.logs.get_mut(path) else { return Ok(()) };
                // A store that was in the way may not be next time.
                log.retry = failure.is_storage();
                if log.failed.as_ref() != Some(&failure) {
                    log.failed = Some(failure.clone());
                    self.fails(path, &failure).await?;
                }
            }
        }
        Ok(())
    }
}

type Advanced<'a, H> = Option<(Open<'a, H>, Settled)>;

impl<'a, S: Surroundings> Watching<'a, S> {
    /// Reads on where it was left, or from the start when there is nothing to go on from; `None` when the log is gone.
    async fn advance(
        &self,
        path: &str,
        open: Option<Open<'a, S::Host>>,
        checkpoint: bool,
    ) -> Result<Advanced<'a, S::Host>, Failure> {
        let failed = |fault: FileFault| Failure::input(path, &fault);
        let engine = |error| Failure::from(error).at(path);
        let mut open = open.unwrap_or_else(|| self.begin(path));
        loop {
            let back = u64::try_from(open.mark.len()).unwrap_or_default();
            let mut file = match self.surroundings.tail(path, open.offset.saturating_sub(back)).await {
                Ok(file) => file,
                Err(FileFault::NotFound) => return Ok(None),
                Err(fault) => return Err(failed(fault)),
            };
            let (mark, mut matched, mut added) = (open.mark.clone(), 0, 0);
            let mut same = true;
            while let (true, Some(piece)) = (same, file.next().await.map_err(failed)?) {
                let expected = mark.get(matched..).unwrap_or_default();
                let (known, new) = piece.split_at(expected.len().min(piece.len()));
                same = expected.starts_with(known);
                matched = matched.saturating_add(known.len());
                if !same || new.is_empty() {
                    continue;
                }
                let is_first = open.offset == 0;
                open.reading.push(new).await.map_err(engine)?;
                open.read(new);
                if is_first {
                    // What is no log of ours is known by its beginning.
                    added = open.reading.settle(false).await.map_err(engine)?.added;
                }
            }
            if !same || matched < mark.len() {
                // Cut, or another file under this name.
                open = self.begin(path);
                continue;
            }
            let mut settled = open.reading.settle(checkpoint).await.map_err(engine)?;
            settled.added = settled.added.saturating_add(added);
            open.quiet = 0;
            open.waits = !checkpoint && (open.waits || settled.added > 0);
            return Ok(Some((open, settled)));
        }
    }

    fn begin(&self, path: &str) -> Open<'a, S::Host> {
        let reading = self.engine.ingest(options(self.call, self.place, path));
        Open { reading, offset: 0, mark: Vec::new(), quiet: 0, waits: false }
    }

    /// After a wait of so long: checkpoints of what is quiet.
    async fn settle(&mut self, millis: u64) -> Result<(), FileFault> {
        let mut due = Vec::new();
        for (path, log) in &mut self.logs {
            let Some(open) = &mut log.open else { continue };
            open.quiet = open.quiet.saturating_add(millis);
            if open.waits && open.quiet >= QUIET {
                due.push(path.clone());
            }
        }
        for path in due {
            self.checkpoint(&path).await?;
        }
        Ok(())
    }

    async fn checkpoint(&mut self, path: &str) -> Result<(), FileFault> {
        let Some(log) = self.logs.get_mut(path) else { return Ok(()) };
        let Some(open) = log.open.as_mut().filter(|open| open.waits) else { return Ok(()) };
        match open.reading.settle(true).await {
            Ok(settled) => {
                open.waits = false;
                self.tell(path, &settled).await
            }
            Err(error) => {
                (log.open, log.retry) = (None, true);
                self.fails(path, &Failure::from(error).at(path)).await
            }
        }
    }

    /// Reads no further; what was added gets its checkpoint.
    async fn close(&mut self, path: &str) -> Result<(), FileFault> {
        self.checkpoint(path).await?;
        if let Some(log) = self.logs.get_mut(path) {
            log.open = None;
        }
        Ok(())
    }

    /// Keeps no more than so many open; `newest` was read just now.
    async fn close_oldest(&mut self, newest: &str) -> Result<(), FileFault> {
        let open = self.logs.iter().filter_map(|(path, log)| Some((log.open.as_ref()?, log.changed, path)));
        let open: Vec<_> =
            open.map(|(open, changed, path)| (u64::MAX.saturating_sub(open.quiet), changed, path)).collect();
        if open.len() <= OPEN {
            return Ok(());
        }
        let oldest = open.into_iter().filter(|(.., path)| *path != newest).min();
        match oldest.map(|(.., path)| path.clone()) {
            Some(path) => self.close(&path).await,
            None => Ok(()),
        }
    }

    async fn tell(&self, path: &str, settled: &Settled) -> Result<(), FileFault> {
        if settled.added == 0 && settled.checkpoint.is_none() {
            return Ok(());
        }
        let Settled { session, added, checkpoint } = settled;
        let checkpoint = checkpoint.as_ref().map(|id| id.as_str());
        self.line(json!({ "file": path, "session": session, "added": added, "checkpoint": checkpoint })).await
    }

    async fn fails(&self, path: &str, failure: &Failure) -> Result<(), FileFault> {
        self.line(json!({ "file": path, "error": failure.value() })).await
    }

    async fn line(&self, mut value: Value) -> Result<(), FileFault> {
        if let Some(fields) = value.as_object_mut() {
            fields.insert("at".into(), json!(self.engine.host().clock().now()));
        }
        self.surroundings.write(alloc::format!("{value}\n").as_bytes()).await
    }
}

impl<H> Open<'_, H> {
    /// Keeps where reading stopped, and the bytes before it.
    fn read(&mut self, new: &[u8]) {
        self.offset = self.offset.saturating_add(u64::try_from(new.len()).unwrap_or_default());
        self.mark.extend(new.get(new.len().saturating_sub(MARK)..).unwrap_or_default());
        self.mark.drain(..self.mark.len().saturating_sub(MARK));
    }
}
