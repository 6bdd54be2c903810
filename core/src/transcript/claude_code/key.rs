use alloc::string::String;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A record's id as it is looked up: the ids of a log are never stored as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

/// The key of a record.
pub(super) fn key(id: &str) -> Key {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(id.as_bytes());
    Key(hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)))
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map(Self).map_err(D::Error::custom)
    }
}
