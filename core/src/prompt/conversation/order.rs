//! Which rows take part, and in which order.
use super::state::Conversation;
use crate::{
    id::RowId,
    model::{Boundary, InputState, Row, RowPlace, StoredRow},
    prompt::layout::{Opener, holds_call, is_after, is_in_force, opens, place},
    time::Timestamp,
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

type Place<'a> = (Timestamp, &'a RowId);

/// Rows render by this key: the row's own place; for steering the place that it stands behind (none: before
/// all others), then its own.
pub(super) type Key<'a> = (Option<Place<'a>>, Option<Place<'a>>);

/// Rows in the order in which they render, and those that take no part.
pub(super) struct Order {
    pub(super) rows: Vec<StoredRow>,
    pub(super) dormant: BTreeMap<RowId, StoredRow>,
    pub(super) steered: BTreeMap<RowId, Option<RowPlace>>,
    pub(super) anchors: BTreeSet<RowId>,
}

/// The row that an applied steering row stands behind, and whether the row is applied steering at all.
fn anchor(row: &Row) -> Option<Option<&RowId>> {
    match row.input() {
        Some(InputState::Applied { after }) => Some(after.as_ref()),
        _ => None,
    }
}

/// Puts rows in order; they come by place, each id once.
pub(super) fn order(all: Vec<StoredRow>, boundary: Option<&Boundary>) -> Order {
    let usable: BTreeMap<RowId, Timestamp> = match all.iter().any(|stored| stored.row.input().is_some()) {
        true => all.iter().filter(|stored| is_usable(&stored.row, boundary)).map(known).collect(),
        false => BTreeMap::new(),
    };
    let (mut ordinary, mut steering, mut dormant) =
        (Vec::with_capacity(all.len()), Vec::new(), BTreeMap::new());
    for stored in all {
        match anchor(&stored.row) {
            Some(_) if stored.row.live && !stored.row.sidechain => steering.push(stored),
            None if is_in_force(&stored.row, boundary) => ordinary.push(stored),
            _ => drop(dormant.insert(stored.row.id.clone(), stored)),
        }
    }
    let (mut steered, mut anchors) = (BTreeMap::new(), BTreeSet::new());
    let ends = if steering.is_empty() { Vec::new() } else { ends_of_rounds(&ordinary) };
    let mut placed = Vec::with_capacity(steering.len());
    for stored in steering {
        let after = anchor(&stored.row).flatten();
        anchors.extend(after.cloned());
        let found = after.and_then(|id| usable.get(id).map(|at| (*at, id)));
        let behind = found.map(|anchor| behind(&ordinary, &ends, anchor));
        // Without a usable anchor it goes to the head, when it came behind the boundary at all.
        if behind.is_some() || is_after(&stored.row, boundary) {
            steered.insert(stored.row.id.clone(), behind);
            placed.push(stored);
        } else {
            dormant.insert(stored.row.id.clone(), stored);
        }
    }
    let mut rows = ordinary;
    if !placed.is_empty() {
        rows.extend(placed);
        rows.sort_by(|a, b| key(&steered, &a.row).cmp(&key(&steered, &b.row)));
    }
    Order { rows, dormant, steered, anchors }
}

fn known(stored: &StoredRow) -> (RowId, Timestamp) {
    (stored.row.id.clone(), stored.row.created_at)
}

/// Whether steering can stand behind a row, which need not render itself.
pub(super) fn is_usable(row: &Row, boundary: Option<&Boundary>) -> bool {
    row.live && !row.sidechain && row.input().is_none() && is_after(row, boundary)
}

pub(super) fn key<'a>(steered: &'a BTreeMap<RowId, Option<RowPlace>>, row: &'a Row) -> Key<'a> {
    match steered.get(&row.id) {
        None => (Some(place(row)), None),
        Some(behind) => (behind.as_ref().map(|behind| (behind.created_at, &behind.id)), Some(place(row))),
    }
}

/// For each row the last call of the round that it stands in, as an index; the row itself where none follows.
fn ends_of_rounds(ordinary: &[StoredRow]) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::with_capacity(ordinary.len());
    let mut first = 0;
    for (at, stored) in ordinary.iter().enumerate() {
        if at == 0 || opens(ordinary.get(first), stored) {
            first = at;
        }
        ends.push(at);
        let is_round =
            ordinary.get(first).is_some_and(|first| matches!(Opener::of(first), Opener::Message(_)));
        if is_round && holds_call(stored) {
            for end in ends.iter_mut().skip(first) {
                *end = at;
            }
        }
    }
    ends
}

/// The place that steering stands behind: that of its anchor, or of the last call of the round it stands in.
fn behind(ordinary: &[StoredRow], ends: &[usize], anchor: Place<'_>) -> RowPlace {
    let upto = ordinary.partition_point(|stored| place(&stored.row) <= anchor);
    let end = upto.checked_sub(1).and_then(|at| ends.get(at)).filter(|end| **end >= upto);
    let (created_at, id) = end.and_then(|end| ordinary.get(*end)).map_or(anchor, |stored| place(&stored.row));
    RowPlace { created_at, id: id.clone() }
}

impl Conversation {
    /// Where a row with this key stands, or would stand.
    pub(super) fn find(&self, wanted: &Key<'_>) -> Result<usize, usize> {
        self.rows.binary_search_by(|stored| key(&self.steered, &stored.row).cmp(wanted))
    }

    /// Where a row stands among those that take part.
    pub(super) fn position(&self, id: &RowId) -> Option<usize> {
        let at = *self.places.get(id)?;
        let wanted: Key<'_> = match self.steered.get(id) {
            None => (Some((at, id)), None),
            Some(behind) => (behind.as_ref().map(|behind| (behind.created_at, &behind.id)), Some((at, id))),
        };
        self.find(&wanted).ok()
    }

    /// The row, whether it takes part or not.
    pub(super) fn stored(&self, id: &RowId) -> Option<&StoredRow> {
        self.dormant.get(id).or_else(|| self.rows.get(self.position(id)?))
    }

    /// The place that steering with this anchor would stand behind; `None` for the head.
    pub(super) fn place_behind(&self, after: Option<&RowId>) -> Option<RowPlace> {
        let anchor = self.stored(after?).filter(|stored| is_usable(&stored.row, self.boundary.as_ref()))?;
        let own = place(&anchor.row);
        let upto = self.rows.partition_point(|stored| key(&self.steered, &stored.row) <= (Some(own), None));
        let within = upto.checked_sub(1)?;
        let mark = self.marks.partition_point(|mark| mark.row <= within).checked_sub(1)?;
        let (first, next) = (self.marks.get(mark)?.row, self.marks.get(mark.saturating_add(1)));
        let segment = self.rows.get(first..next.map_or(self.rows.len(), |next| next.row))?;
        let is_round = segment.first().is_some_and(|first| matches!(Opener::of(first), Opener::Message(_)));
        let last = segment.iter().rposition(holds_call).filter(|_| is_round);
        let end = last.map(|last| last.saturating_add(first)).filter(|end| *end >= upto);
        let (created_at, id) =
            end.and_then(|end| self.rows.get(end)).map_or(own, |stored| place(&stored.row));
        Some(RowPlace { created_at, id: id.clone() })
    }
}
