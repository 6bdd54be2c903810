//! The continuity core for AI-agent harnesses: it keeps the line of work unbroken when a conversation is
//! compacted, stopped, crashed or reopened.
//!
//! Everything here is pure: no file, clock, randomness, thread or environment (`no_std` and the lints see to
//! it). A host brings those in through the traits of [`host`], and the same code gives the same bytes natively
//! and as WebAssembly.
//!
//! # A tour
//!
//! - [`redact`] finds secrets and puts marks in their place. It alone makes [`Clean`](redact::Clean) text, and
//!   nothing else can be stored.
//! - [`model`] is what is stored, and the one way to change it: a [`Batch`](model::Batch), committed whole or
//!   not at all.
//! - [`transcript`] reads the logs of harnesses; [`checkpoint`] writes digests and recovery texts; [`prompt`]
//!   assembles requests that extend the last one byte for byte, and [`render`] turns them into a provider's.
//! - [`engine`] does the work over an injected [`Storage`](host::Storage): log in, checkpoint, recovery and
//!   prompt out. [`sql`] has the statements for a storage on SQLite.
//! - [`text`], [`time`], [`json`] and [`id`] are the ground: cuts, instants, JSON that keeps its literals, and
//!   identities.
//!
//! # With the engine
//!
//! [`Engine`](engine::Engine) is the ready-made loop; its documentation has an example that runs.
//!
//! # With a loop of one's own
//!
//! A host that wants to decide when and how to commit uses the state machine itself. A plan has changed
//! nothing: the host commits its batch, then confirms it, and only then acts on its effects. A plan that is
//! dropped never was; one that was made on another state is refused.
//!
//! ```
//! use throughline_core::{engine::{Ids, Policy, Session}, id::SessionId, model::{Batch, Effect}, redact::Redactor};
//!
//! # struct Store(Vec<Batch>);
//! # impl Store { fn commit(&mut self, batch: &Batch) -> Result<(), &'static str> { self.0.push(batch.clone()); Ok(()) } }
//! # let (mut store, now, entropy) = (Store(Vec::new()), "2026-01-01T00:00:00Z".parse()?, [7; 16]);
//! let redactor = Redactor::standard();
//! let mut session = Session::new(SessionId::new("my-harness", "", "s1")?, now);
//!
//! // Decide: the text is scrubbed before anything else happens to it.
//! let text = redactor.clean("deploy with password=hunter2");
//! let plan = session.plan_prompt(text, &Policy::default(), &mut Ids::new(now, entropy));
//! // Commit: the same batch again after a lost connection, a new plan after a conflict.
//! store.commit(&plan.batch)?;
//! // Confirm, then act.
//! for effect in session.confirm(plan)? {
//!     assert!(matches!(effect, Effect::RowStored { .. }));
//! }
//! assert_eq!(session.row().continuity.total_prompts, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::panic,
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation
    )
)]
extern crate alloc;
#[cfg(test)]
extern crate std;

// Floor 0
pub mod id;
pub mod json;
pub mod text;
pub mod time;

// Floor 1
pub mod redact;

// Floor 2
pub mod model;

// Floor 3
pub mod checkpoint;
pub mod hook;
pub mod prompt;
pub mod transcript;

// Floor 4
pub mod host;
pub mod render;
pub mod sql;

// Floor 5
pub mod engine;

// Floor 6
pub mod console;
