//! `watch`: logs that are read as they grow.

mod followed;

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
    engine::{Engine, Settled},
    host::{Clock, FileFault, Host},
    id::SessionId,
    model::Trigger,
    transcript::Format,
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use followed::{Advanced, Followed, Open};
use serde_json::{Value, json};

/// A log that was quiet for so long gets its checkpoint, in milliseconds. Until then what was read is in the store,
/// and recovery tells of it.
const QUIET: u64 = 30_000;
/// How long changes are waited for before the folder is looked through anyway, in milliseconds.
const TICK: u32 = 5_000;
/// How many logs are kept open; others are read from their start when they change.
const OPEN: usize = 32;

struct Watching<'a, S: Surroundings> {
    call: &'a Call,
    place: &'a Place,
    surroundings: &'a S,
    engine: &'a Engine<S::Host>,
    logs: BTreeMap<String, Followed<'a, S::Host>>,
    /// What the folder failed with.
    lost: Option<FileFault>,
    /// What was told of as having no name.
    unnamed: BTreeSet<String>,
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
    let mut watching = Watching {
        call,
        place,
        surroundings,
        engine: &engine,
        logs: BTreeMap::new(),
        lost: None,
        unnamed: BTreeSet::new(),
    };
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
                    self.name(folder.unnamed()).await?;
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
                } else if let Some(log) = self.logs.get_mut(&path) {
                    log.retry = true;
                }
            }
            first = false;
            let waited = if folder.stopped() { None } else { Some(folder.wait(TICK).await) };
            match waited {
                Some(waited) if !waited.stopped => self.settle(waited.millis).await?,
                _ => return self.end(folder).await,
            }
        }
    }

    /// What was written just before the end is read as well, of logs that are open.
    async fn end(&mut self, folder: &mut S::Folder) -> Result<(), FileFault> {
        if let Ok(seen) = folder.logs().await {
            for path in self.update(seen).await? {
                if self.logs.get(&path).is_some_and(|log| log.open.is_some()) {
                    self.read(&path, false).await?;
                }
            }
        }
        self.settle(u64::MAX).await
    }

    /// Says once of each that it cannot be read.
    async fn name(&mut self, unnamed: Vec<String>) -> Result<(), FileFault> {
        for name in unnamed {
            if self.unnamed.insert(name.clone()) {
                let fault = FileFault::Other("its name is no text in UTF-8, so it is not read".into());
                self.fails(&name, &Failure::input(&name, &fault)).await?;
            }
        }
        Ok(())
    }

    /// Takes in what is there; gives the paths of what is to be read, the one that changed last at the end.
    async fn update(&mut self, mut seen: Vec<SeenLog>) -> Result<Vec<String>, FileFault> {
        let there: BTreeSet<&str> = seen.iter().map(|log| log.path.as_str()).collect();
        let gone: Vec<String> =
            self.logs.keys().filter(|path| !there.contains(path.as_str())).cloned().collect();
        for path in gone {
            self.close(&path).await?;
            // A checkpoint that could not be written is tried again.
            self.logs.retain(|other, log| *other != path || !log.waits.is_empty());
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
                    self.logs.insert(path.clone(), Followed::new(bytes, changed));
                    due.push(path);
                }
            }
        }
        Ok(due)
    }

    async fn read(&mut self, path: &str, checkpoint: bool) -> Result<(), FileFault> {
        let Some(log) = self.logs.get_mut(path) else { return Ok(()) };
        let mut open = log.open.take();
        let failure = loop {
            match self.advance(path, open.take(), checkpoint).await {
                Ok(Advanced::Gone) => return Ok(()),
                Ok(Advanced::Replaced(old)) => {
                    if let Some(log) = self.logs.get_mut(path) {
                        log.open = Some(old);
                    }
                    self.close(path).await?;
                }
                Ok(Advanced::Read(open, settled)) => {
                    if let Some(log) = self.logs.get_mut(path) {
                        log.read(open, &settled, checkpoint);
                    }
                    self.tell(path, &settled).await?;
                    return self.close_oldest(path).await;
                }
                Err(failure) => break failure,
            }
        };
        if let Some(log) = self.logs.get_mut(path) {
            // A store that was in the way may not be next time.
            log.retry = failure.is_storage();
            log.owes |= log.retry;
        }
        self.fails_once(path, failure).await
    }
}

impl<'a, S: Surroundings> Watching<'a, S> {
    /// Reads on where it was left, or from the start when there is nothing to go on from.
    async fn advance(
        &self,
        path: &str,
        open: Option<Open<'a, S::Host>>,
        checkpoint: bool,
    ) -> Result<Advanced<'a, S::Host>, Failure> {
        let failed = |fault: FileFault| Failure::input(path, &fault);
        let engine = |error| Failure::from(error).at(path);
        let mut open = open.unwrap_or_else(|| self.begin(path));
        let back = u64::try_from(open.mark.len()).unwrap_or_default();
        let mut file = match self.surroundings.tail(path, open.offset.saturating_sub(back)).await {
            Ok(file) => file,
            Err(FileFault::NotFound) => return Ok(Advanced::Gone),
            Err(fault) => return Err(failed(fault)),
        };
        let (mark, mut matched, mut added) = (open.mark.clone(), 0, 0);
        while let Some(piece) = file.next().await.map_err(failed)? {
            let expected = mark.get(matched..).unwrap_or_default();
            let (known, new) = piece.split_at(expected.len().min(piece.len()));
            if !expected.starts_with(known) {
                return Ok(Advanced::Replaced(open));
            }
            matched = matched.saturating_add(known.len());
            if new.is_empty() {
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
        if matched < mark.len() {
            return Ok(Advanced::Replaced(open));
        }
        let mut settled = open.reading.settle(checkpoint).await.map_err(engine)?;
        settled.added = settled.added.saturating_add(added);
        Ok(Advanced::Read(open, settled))
    }

    fn begin(&self, path: &str) -> Open<'a, S::Host> {
        let reading = self.engine.ingest(options(self.call, self.place, path));
        Open::new(reading)
    }

    /// After a wait of so long: checkpoints of what is quiet.
    async fn settle(&mut self, millis: u64) -> Result<(), FileFault> {
        let mut due = Vec::new();
        for (path, log) in &mut self.logs {
            log.quiet = log.quiet.saturating_add(millis);
            if !log.waits.is_empty() && log.quiet >= QUIET {
                due.push(path.clone());
            }
        }
        for path in due {
            self.checkpoint(&path).await?;
        }
        Ok(())
    }

    /// Checkpoints of what waits for them: by who reads the log, or by the engine alone where nobody does any more.
    async fn checkpoint(&mut self, path: &str) -> Result<(), FileFault> {
        let Some(log) = self.logs.get_mut(path).filter(|log| !log.waits.is_empty()) else { return Ok(()) };
        // What fails is tried again when it was quiet for so long once more.
        log.quiet = 0;
        let settled = match &mut log.open {
            Some(open) => open.reading.settle(true).await.map(Some),
            None => Ok(None),
        };
        match settled {
            Ok(Some(settled)) => {
                if let (Some(_), Some(session)) = (&settled.checkpoint, &settled.session) {
                    log.waits.remove(session);
                }
                self.tell(path, &settled).await?;
            }
            Ok(None) => {}
            Err(error) => {
                (log.open, log.retry) = (None, true);
                return self.fails_once(path, Failure::from(error).at(path)).await;
            }
        }
        let left = self.logs.get(path).map(|log| log.waits.clone()).unwrap_or_default();
        for session in left {
            let taken = self.take(path, &session).await;
            if let Some(log) = self.logs.get_mut(path)
                && !taken.as_ref().is_err_and(Failure::is_storage)
            {
                log.waits.remove(&session);
            }
            match taken {
                Ok(settled) => self.tell(path, &settled).await?,
                Err(failure) => self.fails_once(path, failure).await?,
            }
        }
        Ok(())
    }

    /// A checkpoint of a session that this log was of.
    async fn take(&self, path: &str, session: &str) -> Result<Settled, Failure> {
        let options = options(self.call, self.place, path);
        let harness = options.harness.as_deref().unwrap_or(Format::ClaudeCode.as_str());
        let id = SessionId::new(harness, options.agent.as_deref().unwrap_or_default(), session);
        let id = id.map_err(|error| Failure::from(error).at(path))?;
        let taken = self.engine.take_checkpoint(&id, Trigger::Explicit).await;
        let taken = taken.map_err(|error| Failure::from(error).at(path))?;
        let checkpoint = taken.id.filter(|_| taken.written);
        Ok(Settled { session: Some(session.into()), added: 0, checkpoint })
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
        let open = self.logs.iter().filter(|(_, log)| log.open.is_some());
        let open: Vec<_> =
            open.map(|(path, log)| (u64::MAX.saturating_sub(log.quiet), log.changed, path)).collect();
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

    /// The same failure of a log is said once.
    async fn fails_once(&mut self, path: &str, failure: Failure) -> Result<(), FileFault> {
        let Some(log) = self.logs.get_mut(path) else { return Ok(()) };
        if log.failed.as_ref() == Some(&failure) {
            return Ok(());
        }
        log.failed = Some(failure.clone());
        self.fails(path, &failure).await
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
