//! Whole real logs: what is read against an independent count, growth in pieces, planted secrets.
#![cfg(not(target_family = "wasm"))]
#![allow(missing_docs, reason = "a test target")]

mod compaction;
mod counts;
mod every_record;
mod growth;
mod logs;
mod secrets;
