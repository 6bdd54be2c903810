//! Events that the store refused, as files.
use super::event::{Event, Happening};
use crate::{
    id::sha256_hex,
    json::parse,
    redact::{Clean, Redactor},
    text::head,
    time::Timestamp,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use serde::{Deserialize, Serialize};

/// How many files wait at most.
pub const SPOOL_FILES: usize = 1_000;
/// For how many days a file waits at most.
pub const SPOOL_DAYS: i64 = 7;

/// An event that waits for the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spooled {
    /// When it happened.
    pub at: Timestamp,
    /// Its id, by which it is taken once.
    pub id: String,
    /// The event.
    pub event: Event,
}

impl Spooled {
    /// The file of an event, scrubbed. A prompt keeps its own id.
    ///
    /// ```
    /// use throughline_core::{hook::{CLAUDE_CODE, Spooled}, redact::Redactor};
    /// let json = br#"{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "password=hunter2"}"#;
    /// let event = CLAUDE_CODE.read(json).unwrap();
    /// let spooled = Spooled { at: "2026-03-01T00:00:00Z".parse().unwrap(), id: "e1".into(), event };
    /// let file = spooled.file(&Redactor::standard());
    /// assert!(!file.as_str().contains("hunter2"));
    /// assert_eq!(Spooled::read(file.as_str()).unwrap().at, spooled.at);
    /// ```
    #[must_use]
    pub fn file(&self, redactor: &Redactor) -> Clean {
        let whole = serde_json::to_string(self).unwrap_or_default();
        parse(&whole).map(|json| redactor.redact_json(&json).0.to_clean()).unwrap_or_default()
    }

    /// Reads a file again; `None` for one that is not whole.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// An event under the id that it is committed by: that of a prompt's own, where it has one. A harness may name
    /// its prompts by anything, so that its id is hashed.
    #[must_use]
    pub fn new(event: Event, id: &str, at: Timestamp) -> Self {
        let id = match &event.happening {
            Happening::Prompt { id: Some(own), .. } if event.subagent.is_none() => {
                head(&sha256_hex(own.as_bytes()), 32).into()
            }
            _ => id.to_string(),
        };
        Self { at, id, event }
    }
}

/// Which files have to go so that one more may come: those that are too old, then the oldest. Names begin
/// with a UUIDv7, which holds their time; others are no concern of the spool.
///
/// ```
/// use throughline_core::{hook::surplus, time::Timestamp};
/// let now: Timestamp = "2026-03-20T00:00:00Z".parse().unwrap();
/// let names = ["s/019cbef8-d000-7000-8000-000000000000.json".to_string(), "s/notes.txt".to_string()];
/// assert_eq!(surplus(&names, now), [&names[0]]);
/// ```
#[must_use]
pub fn surplus(names: &[String], now: Timestamp) -> Vec<&String> {
    let oldest = now.saturating_add_millis(SPOOL_DAYS.saturating_mul(-24 * 60 * 60 * 1000));
    let mut known: Vec<(i64, &String)> =
        names.iter().filter_map(|name| Some((millis(name)?, name))).collect();
    known.sort();
    let full = known.len().saturating_sub(SPOOL_FILES.saturating_sub(1));
    let goes = |index: usize, at: i64| index < full || at < oldest.unix_millis();
    (0..).zip(known).filter(|(index, (at, _))| goes(*index, *at)).map(|(_, (_, name))| name).collect()
}

/// Since when an event waits, by the name of its file, also of one that is still on its way (`.json.….tmp`); `None`
/// for another file.
///
/// ```
/// use throughline_core::hook::waits_since;
/// let since = waits_since("019cbef8-d000-7000-8000-000000000000.json.1f.tmp").unwrap();
/// assert_eq!(Some(since), waits_since("019cbef8-d000-7000-8000-000000000000.json"));
/// assert_eq!(waits_since("notes.json"), None);
/// ```
#[must_use]
pub fn waits_since(name: &str) -> Option<Timestamp> {
    let (id, rest) = name.split_once(".json")?;
    let known = rest.is_empty() || (rest.starts_with('.') && rest.ends_with(".tmp"));
    millis(&[id, ".json"].concat()).filter(|_| known).and_then(|at| Timestamp::from_unix_millis(at).ok())
}

/// The time in a file's name.
fn millis(name: &str) -> Option<i64> {
    let name = name.rsplit('/').next()?.strip_suffix(".json")?;
    let id = uuid::Uuid::try_parse(name).ok()?;
    i64::try_from(id.as_u128() >> 80).ok().filter(|_| id.get_version_num() == 7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::BatchId;
    use std::format;

    fn names(count: usize, first: &str) -> Vec<String> {
        let first: Timestamp = first.parse().unwrap();
        let id = |k: usize| BatchId::generate(first.saturating_add_millis(k as i64), [0; 10]);
        (0..count).map(|k| format!("s/{}.json", id(k).as_str())).collect()
    }

    #[test]
    fn the_oldest_go() {
        let now = "2026-03-20T00:00:00Z".parse().unwrap();
        let fresh = names(999, "2026-03-19T00:00:00Z");
        assert!(surplus(&fresh, now).is_empty());
        let full = names(1_002, "2026-03-19T00:00:00Z");
        assert_eq!(surplus(&full, now), [&full[0], &full[1], &full[2]]);
        let old = names(2, "2026-03-12T23:00:00Z");
        assert_eq!(surplus(&old, now), [&old[0], &old[1]]);
    }

    #[test]
    fn a_harness_names_its_prompts_by_anything() {
        let password = ["password=", "hunter2 ", &"x".repeat(100_000)].concat();
        for id in ["2f6c", "漢字", &password] {
            let json = serde_json::json!({
                "session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "p", "prompt_id": id,
            });
            let event = crate::hook::CLAUDE_CODE.read(format!("{json}").as_bytes()).unwrap();
            let spooled = Spooled::new(event, "e1", Timestamp::EPOCH);
            assert_eq!(spooled.id, sha256_hex(id.as_bytes())[..32]);
            // Out of its file it is the same one.
            let read = Spooled::read(spooled.file(&Redactor::standard()).as_str()).unwrap();
            assert_eq!(read.id, spooled.id);
        }
    }

    #[test]
    fn a_torn_file_is_none() {
        assert_eq!(Spooled::read("{\"at\": \"2026-"), None);
    }
}
