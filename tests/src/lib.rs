//! What the tests of Throughline share: the storage conformance suite, for any storage on any host.

pub mod conformance;
