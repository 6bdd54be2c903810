//! Compaction over storages: what is due, what is committed, what a fault leaves behind.
#![cfg(not(target_family = "wasm"))]
#![allow(missing_docs, reason = "a test target")]

mod faults;
mod flow;
mod lab;
#[path = "../postgres/mod.rs"]
mod postgres;
