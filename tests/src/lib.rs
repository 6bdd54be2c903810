//! The conformance suite: checks that every build and every host must pass alike.

pub mod vectors;
