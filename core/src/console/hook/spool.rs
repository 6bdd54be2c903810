//! Events that wait in files for the store.

use super::{
    super::{
        failure::Failure,
        surroundings::{Surroundings, whole},
    },
    visit::{SPOOL, Visit},
};
use crate::{
    engine::Engine,
    hook::{SPOOL_DAYS, Spooled, decide, surplus},
    id::BatchId,
    redact::Redactor,
    time::Timestamp,
};
use alloc::{format, string::String, vec::Vec};

/// How long events that waited are taken, in milliseconds: the harness ends a hook that takes too long, and the
/// event that it came with would be lost.
const REPLAY_MILLIS: u64 = 300;

impl<S: Surroundings> Visit<'_, S> {
    /// Keeps an event that the store refused. Gives why there is something to be said: the refusal, or that the
    /// event could not be kept.
    pub(super) async fn spool(&self, spooled: &Spooled, file_id: &BatchId, refused: Failure) -> Failure {
        match self.keep_for_later(spooled, file_id).await {
            Ok(()) => refused,
            Err(failure) if failure.is_of_storage() => refused.and(failure.message()),
            Err(failure) => failure,
        }
    }

    /// Puts an event behind those that wait.
    pub(super) async fn keep_for_later(&self, spooled: &Spooled, file_id: &BatchId) -> Result<(), Failure> {
        let redactor = Redactor::standard();
        let identifiers =
            [("session", self.id.key()), ("agent", self.id.agent()), ("harness", self.id.harness())];
        for (field, text) in identifiers {
            redactor.identifier(field, text)?;
        }
        let (Some(folder), Some(spool)) = (self.folder(SPOOL), self.home(SPOOL)) else { return Ok(()) };
        self.make_room(&spool, spooled.at).await;
        let path = format!("{folder}/{}.json", file_id.as_str());
        let file = spooled.file(&redactor);
        let kept = self.surroundings.keep(&path, file.as_str().as_bytes(), true).await;
        kept.map_err(|fault| Failure::unspooled(&fault))
    }

    /// Takes the events that wait, in the order in which they came. The first that the store refuses ends it.
    /// Gives whether none is left.
    pub(super) async fn replay(&self, engine: &Engine<S::Host>) -> Result<bool, Failure> {
        let Some(folder) = self.folder(SPOOL) else { return Ok(true) };
        let started = self.surroundings.elapsed_millis();
        let mut names = self.surroundings.names(&folder).await.unwrap_or_default();
        names.retain(|name| name.ends_with(".json"));
        names.sort();
        let oldest = self.now.saturating_add_millis(SPOOL_DAYS.saturating_mul(-24 * 60 * 60 * 1000));
        for name in names {
            if self.surroundings.elapsed_millis().saturating_sub(started) >= REPLAY_MILLIS {
                return Ok(false);
            }
            let path = format!("{folder}/{name}");
            let Ok(file) = whole(self.surroundings, &path).await else { continue };
            let spooled = Spooled::read(&String::from_utf8_lossy(&file));
            let spooled = spooled.filter(|spooled| spooled.at >= oldest);
            if let Some((spooled, decisions)) =
                spooled.and_then(|spooled| decide(&spooled.event).map(|decisions| (spooled, decisions)))
            {
                match self.take(engine, &spooled, &decisions, false).await {
                    Err(failure) if failure.is_of_storage() => return Err(failure),
                    // Taken, or never to be taken.
                    _ => {}
                }
            }
            // What cannot be removed is known by its id when it is read again.
            let _ = self.surroundings.discard(&path).await;
        }
        Ok(true)
    }

    /// Keeps the spool within its bounds, over all sessions.
    async fn make_room(&self, spool: &str, now: Timestamp) {
        let mut files: Vec<String> = Vec::new();
        for session in self.surroundings.names(spool).await.unwrap_or_default() {
            let names = self.surroundings.names(&format!("{spool}/{session}")).await.unwrap_or_default();
            files.extend(names.into_iter().map(|name| format!("{session}/{name}")));
        }
        for file in surplus(&files, now) {
            let _ = self.surroundings.discard(&format!("{spool}/{file}")).await;
        }
    }
}
