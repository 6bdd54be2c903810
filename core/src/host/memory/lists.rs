//! Questions that go over more than one session.
use super::{
    session::Session,
    state::State,
    text::{StorageError, read_back},
};
use crate::{
    id::{CheckpointId, SessionId},
    model::{
        Aging, Body, BodyKey, CheckpointHead, CheckpointRow, DueDraft, Expired, Query, SessionRow, Table,
        Tally,
    },
    time::Timestamp,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

impl State {
    pub(super) fn sessions(&self, query: &Query) -> Result<Vec<SessionRow<String>>, StorageError> {
        let Query::Sessions { key, project_hash, after, limit } = query else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for session in self.sessions.values() {
            let row: SessionRow<String> = read_back(&session.head.body, "a session")?;
            let wanted = key.as_ref().is_none_or(|key| row.id.key() == key)
                && project_hash.as_ref().is_none_or(|hash| row.project_hash.as_ref() == Some(hash));
            if wanted {
                found.push((row.last_activity, row.id.storage_key(), row));
            }
        }
        found.sort_by(|a, b| (b.0, &b.1).cmp(&(a.0, &a.1)));
        let rest = found.into_iter().filter(|(at, key, _)| {
            after.as_ref().is_none_or(|after| (*at, key) < (after.last_activity, &after.storage_key))
        });
        Ok(rest.map(|(_, _, row)| row).take(usize::try_from(*limit).unwrap_or(usize::MAX)).collect())
    }

    pub(super) fn checkpoints(
        &self,
        session: Option<&SessionId>,
        limit: u32,
    ) -> Result<Vec<CheckpointRow<String>>, StorageError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        if let Some(id) = session {
            let Some(session) = self.sessions.get(id) else { return Ok(Vec::new()) };
            let newest = session.checkpoints.values().rev().take(limit);
            return newest.map(|(_, body)| read_back(body, "a checkpoint")).collect();
        }
        let bodies = self.sessions.values().flat_map(|session| session.checkpoints.values());
        let mut found: Vec<CheckpointRow<String>> =
            bodies.map(|(_, body)| read_back(body, "a checkpoint")).collect::<Result<_, _>>()?;
        found.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        found.truncate(limit);
        Ok(found)
    }

    pub(super) fn checkpoint(&self, id: &CheckpointId) -> Result<Vec<CheckpointRow<String>>, StorageError> {
        let Some(session) = self.checkpoints.get(id).and_then(|session| self.sessions.get(session)) else {
            return Ok(Vec::new());
        };
        let found = session.checkpoints.values().filter(|(found, _)| found == id);
        found.map(|(_, body)| read_back(body, "a checkpoint")).collect()
    }

    pub(super) fn due(&self, until: Timestamp, limit: u32) -> Vec<DueDraft> {
        let waiting = self.sessions.iter().filter_map(|(id, session)| {
            let pending = session.pending.as_ref().filter(|pending| pending.due_at <= until)?;
            Some((pending.due_at, id.storage_key(), id))
        });
        let mut due: Vec<_> = waiting.collect();
        due.sort();
        let due = due.into_iter().take(usize::try_from(limit).unwrap_or(usize::MAX));
        due.map(|(due_at, _, session)| DueDraft { due_at, session: session.clone() }).collect()
    }

    pub(super) fn expired(
        &self,
        kind: Aging,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<Expired>, StorageError> {
        let mut found = Vec::new();
        if kind == Aging::Delivery {
            let old = self.deliveries.iter().filter(|delivery| delivery.offered_at < before);
            found.extend(old.map(|old| Expired {
                session: old.receiver.clone(),
                checkpoint: Some(old.checkpoint.clone()),
            }));
        }
        for (id, session) in &self.sessions {
            let old = |at: Option<Timestamp>| at.is_some_and(|at| at < before);
            let whole = match kind {
                Aging::Draft => old(session.pending.as_ref().map(|pending| pending.created_at)),
                Aging::State => old(session.head.state_at),
                Aging::Checkpoint | Aging::Delivery => false,
            };
            if whole {
                found.push(Expired { session: id.clone(), checkpoint: None });
            }
            if kind == Aging::Checkpoint {
                let heads: Vec<CheckpointHead> = session.checkpoint_heads()?;
                let gone = heads.into_iter().filter(|head| head.created_at < before);
                found.extend(gone.map(|head| Expired { session: id.clone(), checkpoint: Some(head.id) }));
            }
        }
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(found)
    }

    pub(super) fn tally(&self, table: Table) -> Tally {
        let mut tally = Tally::default();
        self.each_body(table, |_, text| {
            tally.rows = tally.rows.saturating_add(1);
            tally.bytes = tally.bytes.saturating_add(u64::try_from(text.len()).unwrap_or(u64::MAX));
        });
        tally
    }

    pub(super) fn bodies(&self, table: Table, after: Option<&BodyKey>, limit: u32) -> Vec<Body> {
        let mut bodies = Vec::new();
        self.each_body(table, |key, text| {
            if after.is_none_or(|after| key > *after) {
                bodies.push(Body { key, text: text.into() });
            }
        });
        bodies.sort_by(|a, b| a.key.cmp(&b.key));
        bodies.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        bodies
    }

    fn each_body(&self, table: Table, mut each: impl FnMut(BodyKey, &str)) {
        if table == Table::Deliveries {
            for delivery in self.deliveries.iter() {
                let second = delivery.checkpoint.to_string();
                each(BodyKey { first: delivery.receiver.storage_key(), second, third: 0 }, "");
            }
            return;
        }
        for (id, session) in &self.sessions {
            session.each_body(&id.storage_key(), table, &mut each);
        }
    }
}

impl Session {
    fn each_body(&self, id: &str, table: Table, each: &mut impl FnMut(BodyKey, &str)) {
        let key = |second: &str, third: u64| BodyKey { first: id.into(), second: second.into(), third };
        match table {
            Table::Sessions => each(key("", 0), &self.head.body),
            Table::Messages => {
                self.rows.iter().for_each(|(place, row)| each(key(place.id.as_str(), 0), &row.row))
            }
            Table::Parts => {
                for (place, row) in &self.rows {
                    for (index, part) in &row.parts {
                        each(key(place.id.as_str(), u64::from(*index)), part);
                    }
                }
            }
            Table::Boundaries => {
                for (seq, boundary) in &self.boundaries {
                    each(key("", *seq), &boundary.body);
                }
            }
            Table::Checkpoints => {
                for (id, body) in self.checkpoints.values() {
                    each(BodyKey { first: id.as_str().into(), second: String::new(), third: 0 }, body);
                }
            }
            Table::PendingCheckpoints => {
                if let Some(pending) = &self.pending {
                    each(key("", 0), &pending.body);
                }
            }
            Table::Deliveries => {}
        }
    }
}
