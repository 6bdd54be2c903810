//! Which of many comes first.
use crate::time::Timestamp;
use alloc::collections::{BTreeMap, BTreeSet};

/// A deadline for each of any number of keys; every operation is O(log n).
///
/// ```
/// use throughline_core::{checkpoint::Deadlines, time::Timestamp};
/// let at = |millis| Timestamp::EPOCH.saturating_add_millis(millis);
/// let mut deadlines = Deadlines::default();
/// deadlines.set("b", at(20));
/// deadlines.set("a", at(10));
/// deadlines.set("b", at(5));
/// assert_eq!(deadlines.first(), Some((at(5), &"b")));
/// deadlines.remove(&"b");
/// assert_eq!(deadlines.first(), Some((at(10), &"a")));
/// ```
#[derive(Debug, Clone)]
pub struct Deadlines<K> {
    of: BTreeMap<K, Timestamp>,
    order: BTreeSet<(Timestamp, K)>,
}

impl<K> Default for Deadlines<K> {
    fn default() -> Self {
        Self { of: BTreeMap::new(), order: BTreeSet::new() }
    }
}

impl<K: Ord + Clone> Deadlines<K> {
    /// Gives the key this deadline, in place of any other.
    pub fn set(&mut self, key: K, at: Timestamp) {
        self.remove(&key);
        self.of.insert(key.clone(), at);
        self.order.insert((at, key));
    }

    /// The key has no deadline any more.
    pub fn remove(&mut self, key: &K) {
        if let Some((key, at)) = self.of.remove_entry(key) {
            self.order.remove(&(at, key));
        }
    }

    /// The key's deadline.
    pub fn get(&self, key: &K) -> Option<Timestamp> {
        self.of.get(key).copied()
    }

    /// The earliest deadline; among equal ones that of the least key.
    pub fn first(&self) -> Option<(Timestamp, &K)> {
        self.order.first().map(|(at, key)| (*at, key))
    }

    /// The latest deadline.
    pub fn last(&self) -> Option<(Timestamp, &K)> {
        self.order.last().map(|(at, key)| (*at, key))
    }

    /// Keys with their deadlines, the earliest first.
    pub fn iter(&self) -> impl Iterator<Item = (Timestamp, &K)> {
        self.order.iter().map(|(at, key)| (*at, key))
    }

    /// How many keys have one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}
