//! Answers of providers, scrubbed, and the rows that they become.
mod anthropic;
mod gemini;
mod json;
mod openai_chat;
mod openai_responses;
mod read;
mod reading;
mod rows;
mod value;

pub use read::read;
pub use rows::Answered;
pub use value::{Block, Call, Response};

use super::{Api, RenamedTool, RenderError};
