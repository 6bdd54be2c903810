use super::{flags::is_false, seal::Seal};
use crate::{
    id::RowId,
    redact::{Clean, Text},
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a user's message stands that came while a turn ran (`spec/session.md`, "Input and steering").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredInput", into = "StoredInput")]
pub enum InputState {
    /// It waits to be applied, and renders nowhere.
    Pending,
    /// It was applied, and renders behind its anchor.
    Applied {
        /// The anchor; `None` when there was no row before it.
        after: Option<RowId>,
    },
}

/// The stored form: `{"state": "pending"}`, or `{"state": "applied", "after_message_id"?: "…"}`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredInput {
    state: StoredState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after_message_id: Option<RowId>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredState {
    Pending,
    Applied,
}

impl TryFrom<StoredInput> for InputState {
    type Error = &'static str;

    fn try_from(stored: StoredInput) -> Result<Self, Self::Error> {
        match (stored.state, stored.after_message_id) {
            (StoredState::Pending, None) => Ok(Self::Pending),
            (StoredState::Pending, Some(_)) => Err("a pending input has no after_message_id"),
            (StoredState::Applied, after) => Ok(Self::Applied { after }),
        }
    }
}

impl From<InputState> for StoredInput {
    fn from(input: InputState) -> Self {
        match input {
            InputState::Pending => Self { state: StoredState::Pending, after_message_id: None },
            InputState::Applied { after } => Self { state: StoredState::Applied, after_message_id: after },
        }
    }
}

/// That the result of a call was withdrawn: `true`, or a text that says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stale<T: Text = Clean> {
    /// Withdrawn.
    Withdrawn,
    /// Withdrawn, for this reason.
    Because(T),
}

impl<T: Text> Serialize for Stale<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Withdrawn => serializer.serialize_bool(true),
            Self::Because(why) => why.serialize(serializer),
        }
    }
}

/// `false` means that the result is fresh, as does nothing at all.
fn stale<'de, D, T>(deserializer: D) -> Result<Option<Stale<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Text + Deserialize<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored<T> {
        Flag(bool),
        Why(T),
    }
    Ok(match Option::<Stored<T>>::deserialize(deserializer)? {
        None | Some(Stored::Flag(false)) => None,
        Some(Stored::Flag(true)) => Some(Stale::Withdrawn),
        Some(Stored::Why(why)) => Some(Stale::Because(why)),
    })
}

/// What a row says of itself beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Metadata<T: Text = Clean> {
    /// For a system row: whether it reaches the model, in its place.
    #[serde(default, skip_serializing_if = "is_false")]
    pub preserve_position: bool,
    /// What the row was written for, such as `turn_context` or `lifecycle_note`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_action: Option<String>,
    /// For a lifecycle note: the phase, such as `before_step`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifecycle_phase: Option<String>,
    /// For a recall note: the memories that it tells of.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub memory_ids: Vec<String>,
    /// For a user row: where it stands as steering. A row without it is an ordinary message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<InputState>,
    /// For a call: whether its result was withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "stale")]
    pub stale: Option<Stale<T>>,
    /// For an assistant row: whether the answer was cut off by Stop.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stopped: bool,
}

impl<T: Text> Default for Metadata<T> {
    fn default() -> Self {
        Self {
            preserve_position: false,
            system_action: None,
            lifecycle_phase: None,
            memory_ids: Vec::new(),
            input: None,
            stale: None,
            stopped: false,
        }
    }
}

impl Metadata<String> {
    pub(super) fn seal(self, seal: &impl Seal) -> Metadata<Clean> {
        Metadata {
            preserve_position: self.preserve_position,
            system_action: self.system_action,
            lifecycle_phase: self.lifecycle_phase,
            memory_ids: self.memory_ids,
            input: self.input,
            stale: self.stale.map(|stale| match stale {
                Stale::Withdrawn => Stale::Withdrawn,
                Stale::Because(why) => Stale::Because(seal.text(why)),
            }),
            stopped: self.stopped,
        }
    }
}
