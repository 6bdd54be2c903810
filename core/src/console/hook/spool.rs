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

impl<S: Surroundings> Visit<'_, S> {
    /// Keeps an event that the store refused. Gives why there is something to be said: the refusal, or that the
    /// event could not be kept.
    pub(super) async fn spool(&self, spooled: &Spooled, file_id: &BatchId, refused: Failure) -> Failure {
        let redactor = Redactor::standard();
        let identifiers =
            [("session", self.id.key()), ("agent", self.id.agent()), ("harness", self.id.harness())];
        for (field, text) in identifiers {
            if let Err(error) = redactor.identifier(field, text) {
                return error.into();
            }
        }
        let (Some(folder), Some(spool)) = (self.folder(SPOOL), self.home(SPOOL)) else { return refused };
        self.make_room(&spool, spooled.at).await;
        let path = format!("{folder}/{}.json", file_id.as_str());
        let file = spooled.file(&redactor);
        match self.surroundings.keep(&path, file.as_str().as_bytes(), true).await {
            Ok(()) => refused,
            Err(fault) => refused.and(&format!("the event could not be kept: {fault}")),
        }
    }

    /// Takes the events that wait, in the order in which they came. The first that the store refuses ends it.
    pub(super) async fn replay(&self, engine: &Engine<S::Host>) -> Result<(), Failure> {
        let Some(folder) = self.folder(SPOOL) else { return Ok(()) };
        let mut names = self.surroundings.names(&folder).await.unwrap_or_default();
        names.retain(|name| name.ends_with(".json"));
        names.sort();
        let oldest = self.now.saturating_add_millis(SPOOL_DAYS.saturating_mul(-24 * 60 * 60 * 1000));
        for name in names {
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
        Ok(())
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
