//! What is stored of one session.
use super::text::{StorageError, conflict, read_back, write};
use crate::{
    id::{CheckpointId, RowId},
    model::{
        Boundary, CheckpointHead, CheckpointRow, Part, Pending, Row, RowPlace, RowSummary, SessionRow,
        StoredRow,
    },
    time::Timestamp,
};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) head: Head,
    pub(super) rows: BTreeMap<RowPlace, StoredText>,
    places: BTreeMap<RowId, RowPlace>,
    pub(super) boundaries: BTreeMap<u64, StoredBoundary>,
    pub(super) checkpoints: BTreeMap<u64, (CheckpointId, String)>,
    pub(super) pending: Option<StoredPending>,
}

/// What one operation writes, and a query looks at without reading it.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) version: u64,
    pub(super) cleared_at: Option<Timestamp>,
    /// The last activity, while the continuity state holds anything.
    pub(super) state_at: Option<Timestamp>,
    pub(super) body: String,
}

impl Head {
    pub(super) fn of(session: &SessionRow) -> Result<Self, StorageError> {
        let state_at = (!session.continuity.is_empty()).then_some(session.last_activity);
        let (version, cleared_at) = (session.version, session.cleared_at);
        Ok(Self { version, cleared_at, state_at, body: write(session)? })
    }
}

#[derive(Debug)]
pub(super) struct StoredPending {
    pub(super) id: CheckpointId,
    pub(super) version: u64,
    pub(super) due_at: Timestamp,
    pub(super) created_at: Timestamp,
    pub(super) body: String,
}

#[derive(Debug)]
pub(super) struct StoredBoundary {
    pub(super) id: RowId,
    anchor: RowId,
    pub(super) body: String,
}

#[derive(Debug, Default)]
pub(super) struct StoredText {
    pub(super) row: String,
    pub(super) live: bool,
    pub(super) parts: BTreeMap<u32, String>,
}

impl Session {
    pub(super) fn insert_row(&mut self, row: &Row) -> Result<(), StorageError> {
        if self.places.contains_key(&row.id) {
            return Err(conflict(format!("row {} is there already", row.id.as_str())));
        }
        let place = RowPlace { created_at: row.created_at, id: row.id.clone() };
        let text = StoredText { row: write(row)?, live: row.live, parts: BTreeMap::new() };
        self.places.insert(row.id.clone(), place.clone());
        self.rows.insert(place, text);
        Ok(())
    }

    pub(super) fn row(&mut self, id: &RowId) -> Result<&mut StoredText, StorageError> {
        self.places
            .get(id)
            .and_then(|place| self.rows.get_mut(place))
            .ok_or_else(|| conflict(format!("there is no row {}", id.as_str())))
    }

    pub(super) fn insert_part(&mut self, part: &Part) -> Result<(), StorageError> {
        let text = write(part)?;
        let parts = &mut self.row(&part.row)?.parts;
        if parts.contains_key(&part.index) {
            let what = format!("part {} of row {} is there already", part.index, part.row.as_str());
            return Err(conflict(what));
        }
        parts.insert(part.index, text);
        Ok(())
    }

    pub(super) fn insert_boundary(&mut self, boundary: &Boundary) -> Result<(), StorageError> {
        let taken = self.boundaries.contains_key(&boundary.seq)
            || self.boundaries.values().any(|stored| stored.id == boundary.id);
        if taken {
            return Err(conflict(format!("boundary {} is there already", boundary.id.as_str())));
        }
        let (id, anchor) = (boundary.id.clone(), boundary.anchor.clone());
        self.boundaries.insert(boundary.seq, StoredBoundary { id, anchor, body: write(boundary)? });
        Ok(())
    }

    pub(super) fn insert_checkpoint(&mut self, checkpoint: &CheckpointRow) -> Result<(), StorageError> {
        if self.checkpoints.contains_key(&checkpoint.seq) {
            return Err(conflict(format!("checkpoint {} of the session is there already", checkpoint.seq)));
        }
        let entry = (checkpoint.id.clone(), write(checkpoint)?);
        self.checkpoints.insert(checkpoint.seq, entry);
        Ok(())
    }

    pub(super) fn rows_from(&self, from: Option<&RowPlace>) -> Result<Vec<StoredRow<String>>, StorageError> {
        let rows = self.rows.iter().filter(|(place, _)| from.is_none_or(|from| *place >= from));
        let mut found = Vec::new();
        for (_, text) in rows.filter(|(_, text)| text.live) {
            let mut row: Row<String> = read_back(&text.row, "a row")?;
            row.live = true;
            if row.sidechain {
                continue;
            }
            let parts: Result<_, _> = text.parts.values().map(|part| read_back(part, "a part")).collect();
            found.push(StoredRow { row, parts: parts? });
        }
        Ok(found)
    }

    pub(super) fn boundary(&self) -> Result<Option<Boundary<String>>, StorageError> {
        let left = |anchor: &RowId| {
            self.places.get(anchor).and_then(|place| self.rows.get(place)).is_some_and(|row| !row.live)
        };
        let newest = self.boundaries.values().rev().find(|boundary| !left(&boundary.anchor));
        newest.map(|boundary| read_back(&boundary.body, "a boundary")).transpose()
    }

    pub(super) fn row_index(&self) -> Result<Vec<RowSummary>, StorageError> {
        let summary = |(place, text): (&RowPlace, &StoredText)| {
            let row: Row<String> = read_back(&text.row, "a row")?;
            Ok(RowSummary {
                id: place.id.clone(),
                kind: row.kind,
                created_at: place.created_at,
                live: text.live,
                parts: u32::try_from(text.parts.len()).unwrap_or(u32::MAX),
            })
        };
        self.rows.iter().map(summary).collect()
    }

    /// Takes a row back that was just inserted.
    pub(super) fn remove_row(&mut self, id: &RowId) {
        if let Some(place) = self.places.remove(id) {
            self.rows.remove(&place);
        }
    }

    /// Removes a checkpoint, and gives it with its number.
    pub(super) fn remove_checkpoint(&mut self, id: &CheckpointId) -> Option<(u64, (CheckpointId, String))> {
        let seq = *self.checkpoints.iter().find(|(_, (found, _))| found == id)?.0;
        self.checkpoints.remove_entry(&seq)
    }

    pub(super) fn checkpoint_heads(&self) -> Result<Vec<CheckpointHead>, StorageError> {
        self.checkpoints.values().map(|(_, body)| read_back(body, "a checkpoint")).collect()
    }

    /// Writes the pending draft over the version before it, which it gives back.
    pub(super) fn put_pending(&mut self, pending: &Pending) -> Result<Option<StoredPending>, StorageError> {
        let before = self.pending.as_ref().map_or(0, |before| before.version);
        let same = self.pending.as_ref().is_none_or(|before| before.id == pending.id);
        if before.saturating_add(1) != pending.version || !same {
            return Err(conflict(format!("the pending draft is at version {before}, not the one before")));
        }
        let stored = StoredPending {
            id: pending.id.clone(),
            version: pending.version,
            due_at: pending.due_at,
            created_at: pending.draft.created_at,
            body: write(pending)?,
        };
        Ok(self.pending.replace(stored))
    }

    pub(super) fn take_pending(
        &mut self,
        id: &CheckpointId,
        version: u64,
    ) -> Result<StoredPending, StorageError> {
        let is_it = |found: &mut StoredPending| found.id == *id && found.version == version;
        self.pending.take_if(is_it).ok_or_else(|| conflict(format!("draft {id} is not at version {version}")))
    }
}
