//! The floors of the core, as data.

/// The rooms of each floor, from the ground up. A room is a top-level module of the core, and names only
/// rooms of floors below its own.
///
/// Ground-floor rooms may also name one another (an id holds a timestamp), as long as none leads back to
/// itself: they are the words that all rooms share, and a floor for each pair would say nothing more.
pub(crate) const FLOORS: &[&[&str]] = &[
    &["text", "time", "json", "id"],
    &["redact"],
    &["model"],
    &["transcript", "checkpoint", "compaction", "prompt", "turn", "lineage", "handoff", "hook"],
    &["render", "host", "sql"],
    &["engine"],
    &["console"],
];

/// The floor that a room stands on.
pub(crate) fn floor_of(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}
