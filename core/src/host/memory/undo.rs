//! How one applied operation is taken back.
use super::{
    session::{Head, Session, StoredPending},
    state::State,
};
use crate::{
    id::{CheckpointId, RowId, SessionId},
    model::Delivery,
};
use alloc::{boxed::Box, string::String, vec::Vec};

/// What to do to take an operation back.
#[derive(Debug)]
pub(super) enum Undo {
    Head(SessionId, Option<Head>),
    Row(SessionId, RowId),
    Part(SessionId, RowId, u32),
    Live(SessionId, RowId, bool),
    Boundary(SessionId, u64),
    Checkpoint(SessionId, u64, CheckpointId),
    NoCheckpoint(SessionId, (u64, (CheckpointId, String)), Vec<Delivery>),
    Pending(SessionId, Option<StoredPending>),
    Delivery(SessionId, CheckpointId, Option<Delivery>),
    NoSession(SessionId, Box<Session>, Vec<Delivery>),
}

impl State {
    pub(super) fn take_back(&mut self, undo: Undo) {
        let deliveries = match undo {
            Undo::NoSession(id, session, deliveries) => {
                for (checkpoint, _) in session.checkpoints.values() {
                    self.checkpoints.insert(checkpoint.clone(), id.clone());
                }
                self.sessions.insert(id, *session);
                deliveries
            }
            Undo::NoCheckpoint(id, (seq, entry), deliveries) => {
                self.checkpoints.insert(entry.0.clone(), id.clone());
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.checkpoints.insert(seq, entry);
                }
                deliveries
            }
            Undo::Delivery(receiver, checkpoint, before) => {
                self.deliveries.remove(&receiver, &checkpoint);
                before.into_iter().collect()
            }
            Undo::Checkpoint(id, seq, checkpoint) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.checkpoints.remove(&seq);
                }
                self.checkpoints.remove(&checkpoint);
                Vec::new()
            }
            Undo::Head(id, None) => {
                self.sessions.remove(&id);
                Vec::new()
            }
            other => {
                other.within(self);
                Vec::new()
            }
        };
        deliveries.into_iter().for_each(|delivery| {
            self.deliveries.insert(delivery);
        });
    }
}

impl Undo {
    /// Takes back what stands in one session alone.
    fn within(self, state: &mut State) {
        let (Self::Head(id, _)
        | Self::Row(id, _)
        | Self::Part(id, ..)
        | Self::Live(id, ..)
        | Self::Boundary(id, _)
        | Self::Pending(id, _)
        | Self::Checkpoint(id, ..)
        | Self::NoCheckpoint(id, ..)
        | Self::Delivery(id, ..)
        | Self::NoSession(id, ..)) = &self;
        let Some(session) = state.sessions.get_mut(id) else { return };
        match self {
            Self::Head(_, Some(head)) => session.head = head,
            Self::Row(_, row) => session.remove_row(&row),
            Self::Part(_, row, index) => {
                if let Ok(row) = session.row(&row) {
                    row.parts.remove(&index);
                }
            }
            Self::Live(_, row, live) => {
                if let Ok(row) = session.row(&row) {
                    row.live = live;
                }
            }
            Self::Boundary(_, seq) => {
                session.boundaries.remove(&seq);
            }
            Self::Pending(_, before) => session.pending = before,
            _ => {}
        }
    }
}
