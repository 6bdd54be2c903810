//! A storage in memory.
mod deliveries;
mod lists;
mod session;
mod state;
mod text;
mod undo;

use super::{Committed, Storage, StorageError};
use crate::{
    id::SessionId,
    model::{Answer, Batch, Op, Precondition, Query},
};
use alloc::{boxed::Box, format, vec::Vec};
use async_lock::Mutex;
use session::{Head, Session};
use state::State;
use text::{conflict, read_back};
use undo::Undo;

/// A storage in memory: for tests, previews and harnesses that keep their own state.
///
/// It stores what a database would store (text, not Rust values), so that what reads back here reads back
/// from any storage.
#[derive(Debug, Default)]
pub struct MemoryStorage {
    state: Mutex<State>,
}

impl State {
    fn check(&self, precondition: &Precondition) -> Result<(), StorageError> {
        match precondition {
            Precondition::SessionVersion { session, is } => {
                let now = self.sessions.get(session).map_or(0, |session| session.head.version);
                if now == *is {
                    return Ok(());
                }
                Err(conflict(format!("session {session} is at version {now}, not {is}")))
            }
            Precondition::NotCleared { session, at } => {
                let cleared = self.sessions.get(session).and_then(|session| session.head.cleared_at);
                if cleared.is_none_or(|cleared| cleared < *at) {
                    return Ok(());
                }
                Err(conflict(format!("session {session} was cleared at or after {at}")))
            }
        }
    }

    fn session_mut(&mut self, id: &SessionId) -> Result<&mut Session, StorageError> {
        self.sessions.get_mut(id).ok_or_else(|| conflict(format!("there is no session {id}")))
    }

    /// Applies one operation and says how it is taken back.
    fn apply(&mut self, op: &Op) -> Result<Undo, StorageError> {
        match op {
            Op::PutSession { session } => {
                let head = Head::of(session)?;
                let is_new = !self.sessions.contains_key(&session.id);
                let place = self.sessions.entry(session.id.clone()).or_default();
                let before = core::mem::replace(&mut place.head, head);
                Ok(Undo::Head(session.id.clone(), (!is_new).then_some(before)))
            }
            Op::InsertRow { session, row } => {
                self.session_mut(session)?.insert_row(row)?;
                Ok(Undo::Row(session.clone(), row.id.clone()))
            }
            Op::InsertPart { session, part } => {
                self.session_mut(session)?.insert_part(part)?;
                Ok(Undo::Part(session.clone(), part.row.clone(), part.index))
            }
            Op::SetLive { session, row, live } => {
                let stored = self.session_mut(session)?.row(row)?;
                let before = core::mem::replace(&mut stored.live, *live);
                Ok(Undo::Live(session.clone(), row.clone(), before))
            }
            Op::InsertBoundary { session, boundary } => {
                self.session_mut(session)?.insert_boundary(boundary)?;
                Ok(Undo::Boundary(session.clone(), boundary.seq))
            }
            Op::InsertCheckpoint { checkpoint } => {
                if self.checkpoints.contains_key(&checkpoint.id) {
                    return Err(conflict(format!("checkpoint {} is there already", checkpoint.id)));
                }
                self.session_mut(&checkpoint.session)?.insert_checkpoint(checkpoint)?;
                self.checkpoints.insert(checkpoint.id.clone(), checkpoint.session.clone());
                Ok(Undo::Checkpoint(checkpoint.session.clone(), checkpoint.seq, checkpoint.id.clone()))
            }
            Op::DeleteCheckpoint { session, checkpoint } => {
                let removed = self.session_mut(session)?.remove_checkpoint(checkpoint);
                let removed = removed
                    .ok_or_else(|| conflict(format!("there is no checkpoint {checkpoint} of {session}")))?;
                self.checkpoints.remove(checkpoint);
                Ok(Undo::NoCheckpoint(session.clone(), removed, self.deliveries.remove_of(checkpoint)))
            }
            Op::PutPending { pending } => {
                let session = &pending.draft.session;
                let before = self.session_mut(session)?.put_pending(pending)?;
                Ok(Undo::Pending(session.clone(), before))
            }
            Op::DeletePending { session, id, version } => {
                let before = self.session_mut(session)?.take_pending(id, *version)?;
                Ok(Undo::Pending(session.clone(), Some(before)))
            }
            Op::PutDelivery { delivery } => {
                if !self.checkpoints.contains_key(&delivery.checkpoint) {
                    return Err(conflict(format!("there is no checkpoint {}", delivery.checkpoint)));
                }
                let before = self.deliveries.put(delivery)?;
                Ok(Undo::Delivery(delivery.receiver.clone(), delivery.checkpoint.clone(), before))
            }
            Op::DeleteDelivery { receiver, checkpoint } => {
                let before = self.deliveries.remove(receiver, checkpoint);
                Ok(Undo::Delivery(receiver.clone(), checkpoint.clone(), before))
            }
            Op::DeleteSession { session } => self.delete_session(session),
        }
    }

    fn delete_session(&mut self, id: &SessionId) -> Result<Undo, StorageError> {
        let Some(session) = self.sessions.remove(id) else {
            return Err(conflict(format!("there is no session {id}")));
        };
        let mut deliveries = self.deliveries.remove_to(id);
        for (checkpoint, _) in session.checkpoints.values() {
            self.checkpoints.remove(checkpoint);
            deliveries.extend(self.deliveries.remove_of(checkpoint));
        }
        Ok(Undo::NoSession(id.clone(), Box::new(session), deliveries))
    }

    /// Whole or not at all: what was applied before a conflict is taken back.
    fn commit(&mut self, batch: &Batch) -> Result<Committed, StorageError> {
        if self.batches.contains(&batch.id) {
            return Ok(Committed { repeated: true });
        }
        for precondition in &batch.preconditions {
            self.check(precondition)?;
        }
        let mut done = Vec::with_capacity(batch.ops.len());
        for op in &batch.ops {
            match self.apply(op) {
                Ok(undo) => done.push(undo),
                Err(error) => {
                    done.into_iter().rev().for_each(|undo| self.take_back(undo));
                    return Err(error);
                }
            }
        }
        self.batches.insert(batch.id.clone());
        Ok(Committed { repeated: false })
    }
    fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        let session = |id: &SessionId| self.sessions.get(id);
        Ok(match query {
            Query::Batch { id } => Answer::Batch(self.batches.contains(id)),
            Query::Session { session: id } => {
                let body = session(id).map(|found| &found.head.body);
                Answer::Session(body.map(|body| read_back(body, "a session")).transpose()?)
            }
            Query::Sessions { .. } => Answer::Sessions(self.sessions(query)?),
            Query::Rows { session: id, from } => {
                Answer::Rows(session(id).map_or(Ok(Vec::new()), |found| found.rows_from(from.as_ref()))?)
            }
            Query::RowIndex { session: id } => {
                Answer::RowIndex(session(id).map_or(Ok(Vec::new()), Session::row_index)?)
            }
            Query::Boundary { session: id } => {
                Answer::Boundary(session(id).map_or(Ok(None), Session::boundary)?)
            }
            Query::Checkpoint { id } => Answer::Checkpoints(self.checkpoint(id)?),
            Query::Checkpoints { session, limit } => {
                Answer::Checkpoints(self.checkpoints(session.as_ref(), *limit)?)
            }
            Query::CheckpointHeads { session: id } => {
                Answer::CheckpointHeads(session(id).map_or(Ok(Vec::new()), Session::checkpoint_heads)?)
            }
            Query::Pending { session: id } => {
                let body = session(id).and_then(|found| found.pending.as_ref()).map(|pending| &pending.body);
                Answer::Pending(body.map(|body| read_back(body, "a pending draft")).transpose()?)
            }
            Query::Due { until, limit } => Answer::Due(self.due(*until, *limit)),
            Query::Delivery { receiver, checkpoint } => {
                Answer::Delivery(self.deliveries.get(receiver, checkpoint).cloned())
            }
            Query::Expired { kind, before, limit } => Answer::Expired(self.expired(*kind, *before, *limit)?),
            Query::Tally { table } => Answer::Tally(self.tally(*table)),
            Query::Bodies { table, after, limit } => {
                Answer::Bodies(self.bodies(*table, after.as_ref(), *limit))
            }
        })
    }
}

impl Storage for MemoryStorage {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        self.state.lock().await.commit(batch)
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        self.state.lock().await.read(query)
    }
}
