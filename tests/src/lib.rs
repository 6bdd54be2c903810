//! What the tests of Throughline share: vectors, properties of the ground floor, and the storage conformance
//! suite for any storage on any host, random histories of sessions.

pub mod conformance;
pub mod encodings;
pub mod fuzz;
pub mod histories;
pub mod properties;
pub mod vectors;
