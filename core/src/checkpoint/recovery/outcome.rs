use crate::redact::Clean;
use serde::Serialize;

/// What a recovery text says, and what it had no room for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// The text, in markdown; empty when the budget has no room for any.
    pub text: Clean,
    /// Its length in characters, at most the budget.
    pub chars: usize,
    /// Entries of the digest that are not in it.
    pub left_out: LeftOut,
}

/// How many entries of a digest a recovery text has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LeftOut {
    /// Prompts.
    pub prompts: usize,
    /// Memory queries.
    pub queries: usize,
    /// Remembers.
    pub remembers: usize,
}
