use crate::redact::Finding;
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::Serialize;

/// A line of which something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its number, from 1.
    pub line: u64,
    /// Why: a code and where on the line, never what stood there.
    pub reason: String,
}

/// Messages by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MessageCounts {
    /// What a user typed.
    pub user: u64,
    /// API messages; the harness's own are opaque.
    pub assistant: u64,
    /// System notes.
    pub system: u64,
    /// What the harness put in for the model.
    pub developer: u64,
}

/// How often a rule replaced something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FindingCount {
    /// The rule.
    pub rule: &'static str,
    /// What stands in the mark.
    pub kind: &'static str,
    /// How often.
    pub count: u64,
}

/// What a log held, counted while it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// JSON records; two on one line are two.
    pub records: u64,
    /// Records that are neither a message nor a part of one: kept in the log, counted here.
    pub opaque: u64,
    /// Records that were read before under the same id, as a resumed log has them.
    pub repeated: u64,
    /// Blocks of API messages that are neither text, thinking nor a call: kept in the log, counted here.
    pub opaque_blocks: u64,
    /// Messages by role.
    pub messages: MessageCounts,
    /// Distinct tool calls.
    pub tool_calls: u64,
    /// Distinct tool results.
    pub tool_results: u64,
    /// Distinct thinking blocks.
    pub thinking: u64,
    /// Compaction boundaries.
    pub compactions: u64,
    /// Lines of which something could not be read, the first 1,000 of them.
    pub skipped: Vec<Skipped>,
    /// How many such lines there are.
    pub skipped_lines: u64,
    /// Repairs: glued records told apart, characters replaced by U+FFFD.
    pub repaired: u64,
    /// Results that came after their round was closed: stored, never rendered.
    pub late_results: u64,
    /// Signed thinking blocks that held a secret: never stored.
    pub thinking_withheld: u64,
    /// What was replaced in texts, in all.
    pub findings: u64,
    /// The same by rule.
    pub findings_by_rule: Vec<FindingCount>,
    #[serde(skip)]
    by_rule: BTreeMap<(&'static str, &'static str), u64>,
}

/// Enough to find the pattern; a binary file has millions.
const SKIPPED_KEPT: usize = 1000;

impl Summary {
    pub(super) fn skip(&mut self, line: u64, reason: String) {
        self.skipped_lines = self.skipped_lines.saturating_add(1);
        if self.skipped.len() < SKIPPED_KEPT {
            self.skipped.push(Skipped { line, reason });
        }
    }

    pub(super) fn found(&mut self, findings: &[Finding]) {
        for finding in findings {
            self.findings = self.findings.saturating_add(1);
            let count = self.by_rule.entry((finding.rule, finding.kind)).or_default();
            *count = count.saturating_add(1);
        }
    }

    pub(super) fn close(&mut self) {
        let counts = self.by_rule.iter();
        self.findings_by_rule =
            counts.map(|((rule, kind), count)| FindingCount { rule, kind, count: *count }).collect();
    }
}
