//! Identities: sessions, rows, batches, checkpoints and projects, checked once when they are made.
//!
//! The rules are those of `spec/checkpoints.md` (identity). The scrubber's own rule, that an identifier
//! which holds a secret is refused, is applied above this floor.
use crate::text::{self, chars};
use crate::time::Timestamp;
use alloc::borrow::Cow;
use alloc::{string::String, sync::Arc};
use core::fmt;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use thiserror::Error;
use uuid::Uuid;

pub use project::Project;

mod project;

/// The longest identifier, in characters.
pub const IDENTIFIER_MAX_CHARS: usize = 200;
const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const STORAGE_KEY_LEN: usize = 26;
const TOKEN_LEN: usize = 16;

/// An identifier that is not accepted. Its text is not repeated in the message: it may hold anything.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdError {
    /// The identifier is empty.
    #[error("{field} is empty; accepted are 1 to 200 characters without control characters")]
    Empty {
        /// Which identifier it is.
        field: &'static str,
    },
    /// The identifier is too long.
    #[error("{field} has {chars} characters; accepted are 1 to 200 without control characters")]
    TooLong {
        /// Which identifier it is.
        field: &'static str,
        /// Its length in characters.
        chars: usize,
    },
    /// The identifier holds a control character.
    #[error(
        "{field} holds the control character U+{character:04X} at byte {offset}; \
         accepted are 1 to 200 characters without control characters"
    )]
    ControlCharacter {
        /// Which identifier it is.
        field: &'static str,
        /// The code point of the character.
        character: u32,
        /// Where it stands, in bytes from 0.
        offset: usize,
    },
    /// The identifier is no UUID.
    #[error("{field} is no UUID; accepted is the form 01890a5d-ac96-774b-bcce-b302099a8057")]
    NotUuid {
        /// Which identifier it is.
        field: &'static str,
    },
}

impl IdError {
    /// The stable code of the error: `identifier_invalid`.
    pub fn code(&self) -> &'static str {
        "identifier_invalid"
    }

    /// Which identifier was not accepted.
    pub fn field(&self) -> &'static str {
        match self {
            IdError::Empty { field }
            | IdError::TooLong { field, .. }
            | IdError::ControlCharacter { field, .. }
            | IdError::NotUuid { field } => field,
        }
    }
}

/// Checks one identifier: 1–200 characters, no control characters.
fn check(field: &'static str, text: &str) -> Result<(), IdError> {
    if text.is_empty() {
        return Err(IdError::Empty { field });
    }
    let chars = chars(text);
    if chars > IDENTIFIER_MAX_CHARS {
        return Err(IdError::TooLong { field, chars });
    }
    match text.char_indices().find(|(_, character)| character.is_control()) {
        None => Ok(()),
        Some((offset, character)) => {
            Err(IdError::ControlCharacter { field, character: u32::from(character), offset })
        }
    }
}

/// A session: harness, agent (or empty) and the harness's own key for it. A clone shares it.
///
/// ```
/// use throughline_core::id::SessionId;
/// let id = SessionId::new("claude-code", "", "3f2c")?;
/// assert_eq!(id.to_string(), "claude-code/3f2c");
/// assert_eq!(id.storage_key().len(), 26);
/// # Ok::<(), throughline_core::id::IdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(
    /// Harness, agent and key with a NUL between them, which none of them can hold: as text they sort as the three
    /// do, and maps of many sessions look at one place for each.
    Arc<str>,
);

impl SessionId {
    /// Makes a session identity; `agent` may be empty.
    ///
    /// # Errors
    /// `identifier_invalid`, naming the field: 1–200 characters without control characters are accepted.
    pub fn new(
        harness: impl Into<String>,
        agent: impl Into<String>,
        key: impl Into<String>,
    ) -> Result<SessionId, IdError> {
        let (harness, agent, key) = (harness.into(), agent.into(), key.into());
        check("harness", &harness)?;
        if !agent.is_empty() {
            check("agent", &agent)?;
        }
        check("key", &key)?;
        Ok(SessionId([harness, agent, key].join("\0").into()))
    }

    /// The harness, such as `claude-code`.
    pub fn harness(&self) -> &str {
        self.part(0)
    }

    /// The agent, or the empty string.
    pub fn agent(&self) -> &str {
        self.part(1)
    }

    /// The harness's own key of the session.
    pub fn key(&self) -> &str {
        self.part(2)
    }

    fn part(&self, number: usize) -> &str {
        self.0.split('\0').nth(number).unwrap_or_default()
    }

    /// The key under which everything of the session is stored: the first 26 characters of the lower-case
    /// base32 of the SHA-256 of harness, agent and key, each after its length as big-endian `u64`.
    pub fn storage_key(&self) -> String {
        self.base32(STORAGE_KEY_LEN)
    }

    /// The token of the session in file names: the first 16 characters of [`SessionId::storage_key`]
    /// (`spec/lineage.md`, artifacts).
    pub fn token(&self) -> String {
        self.base32(TOKEN_LEN)
    }

    fn base32(&self, length: usize) -> String {
        let mut hash = Sha256::new();
        for part in [self.harness(), self.agent(), self.key()] {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            hash.update(length.to_be_bytes());
            hash.update(part.as_bytes());
        }
        base32(&hash.finalize(), length)
    }
}

/// The first `length` characters of `bytes` in lower-case base32; only whole groups of five bits are written.
pub(crate) fn base32(bytes: &[u8], length: usize) -> String {
    let bit = |index: usize| {
        let byte = bytes.get(index / 8).copied().unwrap_or_default();
        usize::from((byte >> 7usize.saturating_sub(index % 8)) & 1)
    };
    let group = |group: usize| {
        (0..5).fold(0, |value, k| (value << 1) | bit(group.saturating_mul(5).saturating_add(k)))
    };
    let groups = bytes.len().saturating_mul(8) / 5;
    (0..groups.min(length))
        .filter_map(|index| BASE32.get(group(index)))
        .map(|byte| char::from(*byte))
        .collect()
}

impl fmt::Display for SessionId {
    /// `harness/key`, or `harness/agent/key` when there is an agent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (harness, agent, key) = (self.harness(), self.agent(), self.key());
        if agent.is_empty() { write!(f, "{harness}/{key}") } else { write!(f, "{harness}/{agent}/{key}") }
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionId({self})")
    }
}

impl Serialize for SessionId {
    /// `{"agent", "harness", "key"}`, the keys in the order of canonical JSON.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts = serializer.serialize_struct("SessionId", 3)?;
        parts.serialize_field("agent", self.agent())?;
        parts.serialize_field("harness", self.harness())?;
        parts.serialize_field("key", self.key())?;
        parts.end()
    }
}

impl<'de> Deserialize<'de> for SessionId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SessionId, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "SessionId")]
        struct Parts {
            #[serde(default)]
            agent: String,
            harness: String,
            key: String,
        }
        let parts = Parts::deserialize(deserializer)?;
        SessionId::new(parts.harness, parts.agent, parts.key).map_err(serde::de::Error::custom)
    }
}

/// The id of a row: unique in its session, and nothing relies on its order.
///
/// ```
/// use throughline_core::id::RowId;
/// assert_eq!(RowId::new("msg_1")?.as_str(), "msg_1");
/// assert!(RowId::new("").is_err());
/// # Ok::<(), throughline_core::id::IdError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(Arc<str>);

impl RowId {
    /// Takes an id as the source wrote it.
    ///
    /// # Errors
    /// `identifier_invalid`: 1–200 characters without control characters are accepted.
    pub fn new(id: impl Into<String>) -> Result<RowId, IdError> {
        let id = id.into();
        check("row id", &id)?;
        Ok(RowId(id.into()))
    }

    /// Makes a UUIDv7 from the host's time and ten bytes of its entropy, for a row that has no id yet.
    pub fn generate(now: Timestamp, entropy: [u8; 10]) -> RowId {
        RowId(uuid_v7(now, entropy).as_str().into())
    }

    /// The id as it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RowId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RowId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RowId, D::Error> {
        RowId::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// A UUIDv7 from a time and ten random bytes; times before the Unix epoch count as the epoch.
fn uuid_v7(now: Timestamp, entropy: [u8; 10]) -> UuidText {
    let millis = u64::try_from(now.unix_millis()).unwrap_or_default();
    UuidText::new(uuid::Builder::from_unix_timestamp_millis(millis, &entropy).into_uuid())
}

/// A UUID in its lower-case hyphenated form, in place: maps of many of them look nowhere else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct UuidText([u8; uuid::fmt::Hyphenated::LENGTH]);

impl UuidText {
    fn new(id: Uuid) -> Self {
        let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
        id.hyphenated().encode_lower(&mut text);
        Self(text)
    }

    fn as_str(&self) -> &str {
        // What was written is ASCII.
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for UuidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Reads a UUID in its hyphenated form, in either case.
fn parse_uuid(field: &'static str, text: &str) -> Result<UuidText, IdError> {
    if text.len() != uuid::fmt::Hyphenated::LENGTH {
        return Err(IdError::NotUuid { field });
    }
    let id = Uuid::try_parse(text).map_err(|_| IdError::NotUuid { field })?;
    Ok(UuidText::new(id))
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $field:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(UuidText);

        impl $name {
            /// Makes a UUIDv7 from the host's time and ten bytes of its entropy.
            pub fn generate(now: Timestamp, entropy: [u8; 10]) -> $name {
                $name(uuid_v7(now, entropy))
            }

            /// Reads a UUID of any version in its hyphenated form; upper case becomes lower case.
            ///
            /// # Errors
            /// `identifier_invalid` for anything else.
            pub fn parse(text: &str) -> Result<$name, IdError> {
                parse_uuid($field, text).map($name)
            }

            /// The id in lower-case hyphenated form.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                $name::parse(&Cow::<str>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

uuid_id! {
    /// The id of a batch: new for each plan, the same over its retries.
    BatchId, "batch id"
}

uuid_id! {
    /// The id of a recovery checkpoint.
    CheckpointId, "checkpoint id"
}

/// The SHA-256 of `bytes` as lower-case hexadecimal text.
///
/// ```
/// let empty = throughline_core::id::sha256_hex(b"");
/// assert!(empty.starts_with("e3b0c44298fc1c14"));
/// ```
pub fn sha256_hex(bytes: &[u8]) -> String {
    text::hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests;
