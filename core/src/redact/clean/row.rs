//! The text type of a row.
use super::{Clean, CleanJson, Opaque};
use alloc::string::String;
use core::fmt::Debug;
use serde::Serialize;

/// The text of a row: [`Clean`] on the way into a storage, `String` on the way out.
///
/// No other type can be the text of a row:
/// ```compile_fail
/// struct Mine;
/// impl throughline_core::redact::Text for Mine { type Opaque = String; type Json = String; }
/// ```
pub trait Text: sealed::Sealed + Plain {
    /// What is passed on unread: [`Opaque`] or `String`.
    type Opaque: Plain;
    /// JSON text: [`CleanJson`] or `String`.
    type Json: Plain;
}

/// What the text types have in common.
pub trait Plain: Serialize + Clone + Debug + PartialEq + Eq + AsRef<str> {}
impl<T: Serialize + Clone + Debug + PartialEq + Eq + AsRef<str>> Plain for T {}

impl Text for Clean {
    type Opaque = Opaque;
    type Json = CleanJson;
}

impl Text for String {
    type Opaque = Self;
    type Json = Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Clean {}
    impl Sealed for alloc::string::String {}
}
