use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// How many events are remembered.
const EVENTS: usize = 32;

/// Whose work a session is told of when it starts (`spec/hosts.md`, "Hooks").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Told {
    /// The newest work of its project.
    Project,
    /// Its own.
    Session,
}

/// What hooks keep of a session. Where it is there, they count its prompts, and rows that are read from its
/// log do not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HookState {
    /// The newest events that were committed, by id: one that comes again changes nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// What the session is still to be told since its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owed: Option<Told>,
}

impl HookState {
    /// Whether the event was committed.
    #[must_use]
    pub fn knows(&self, event: &str) -> bool {
        self.events.iter().any(|known| known == event)
    }

    /// Remembers an event, and lets the oldest go.
    pub(crate) fn remember(&mut self, event: String) {
        self.events.push(event);
        let surplus = self.events.len().saturating_sub(EVENTS);
        self.events.drain(..surplus);
    }
}
