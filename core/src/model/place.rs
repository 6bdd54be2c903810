use super::Row;
use crate::{id::RowId, time::Timestamp};
use serde::{Deserialize, Serialize};

/// The place of a row in its session: rows order by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RowPlace {
    /// First.
    pub created_at: Timestamp,
    /// Breaks ties, as UTF-8 bytes.
    pub id: RowId,
}

impl RowPlace {
    /// The place of this row.
    pub(crate) fn of(row: &Row) -> Self {
        Self { created_at: row.created_at, id: row.id.clone() }
    }
}
