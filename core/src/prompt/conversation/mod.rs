//! A conversation that is kept assembled.
mod edits;
mod head;
mod holding;
mod order;
mod placing;
mod rendering;
mod state;

pub use head::request_of;
pub use state::{Change, Conversation, Removal};
