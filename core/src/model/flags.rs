//! Flags that are written only when they differ from the usual, in the signatures that serde asks for.
#![allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]

pub(super) fn yes() -> bool {
    true
}

pub(super) fn is_true(value: &bool) -> bool {
    *value
}

pub(super) fn is_false(value: &bool) -> bool {
    !*value
}
