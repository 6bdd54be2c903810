//! What the tests of Throughline share: vectors, and the storage conformance suite for any storage on any host.

pub mod conformance;
pub mod vectors;
