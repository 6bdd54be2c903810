//! Short ways to JSON objects.
use crate::json::{Json, Object};
use alloc::vec::Vec;

/// An object of these pairs.
pub(super) fn object<const N: usize>(pairs: [(&str, Json); N]) -> Object {
    pairs.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

/// Puts a list under `key`, unless it is empty.
pub(super) fn insert_list(body: &mut Object, key: &str, list: Vec<Json>) {
    if !list.is_empty() {
        body.insert(key, list);
    }
}
