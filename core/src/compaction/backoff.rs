//! What is not tried again at once: a failure with the same input, a compaction that gained nothing
//! (`spec/compaction.md`, "Summarizer budget").

use super::CompactionError;
use alloc::string::String;

/// Another try is made after so many steps, or so many tries that were held back.
const STEPS: u64 = 10;

/// A compaction that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAttempt {
    /// The size of the prompt then, in tokens.
    pub input_tokens: u64,
    /// What it was tried with: options, models and bindings as one text.
    pub setup: String,
    /// The number of the step.
    pub step: u64,
    /// How many tries were held back since. Before a prompt is sent they count as steps: one that cannot be sent
    /// is answered by none.
    pub held_back: u64,
}

impl FailedAttempt {
    /// Whether another try may be made: the input differs by 10 % or more, the setup is another, or ten steps
    /// have passed or ten tries were held back.
    ///
    /// # Errors
    /// `compaction_held_back`.
    pub fn may_try(&self, input_tokens: u64, setup: &str, step: u64) -> Result<(), CompactionError> {
        let moved = self.input_tokens.abs_diff(input_tokens).saturating_mul(10) >= self.input_tokens;
        let passed = step.saturating_sub(self.step).max(self.held_back);
        if moved || self.setup != setup || passed >= STEPS {
            return Ok(());
        }
        Err(CompactionError::HeldBack {
            reason: "the last try failed; the next is made when the input differs by 10 %, the setup changes, or after 10 steps",
        })
    }
}

/// What the compaction before came to: the sizes of the prompt before and after it, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

impl Gain {
    /// Whether the next compaction may be made: one that gained under 5 % is not repeated until the input has
    /// grown by 10 %.
    ///
    /// # Errors
    /// `compaction_held_back`.
    pub fn may_repeat(&self, input_tokens: u64) -> Result<(), CompactionError> {
        let gained = self.before.saturating_sub(self.after);
        let little = gained.saturating_mul(20) < self.before;
        let grown = input_tokens.saturating_mul(10) >= self.before.saturating_mul(11);
        if !little || grown {
            return Ok(());
        }
        Err(CompactionError::HeldBack {
            reason: "the last compaction gained under 5 %; the next is made when the input has grown by 10 %",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{FailedAttempt, Gain};

    #[test]
    fn a_failure_waits_for_a_change_or_ten_steps() {
        let failed = FailedAttempt { input_tokens: 1000, setup: "a".into(), step: 5, held_back: 0 };
        for (tokens, setup, step, may) in [
            (1000, "a", 6, false),
            (1099, "a", 14, false),
            (901, "a", 6, false),
            (1100, "a", 6, true),
            (900, "a", 6, true),
            (1000, "b", 6, true),
            (1000, "a", 15, true),
        ] {
            assert_eq!(failed.may_try(tokens, setup, step).is_ok(), may, "{tokens} {setup} {step}");
        }
    }

    #[test]
    fn ten_tries_that_were_held_back_are_as_ten_steps() {
        let failed = |held_back| FailedAttempt { input_tokens: 1000, setup: "a".into(), step: 5, held_back };
        assert!(failed(9).may_try(1000, "a", 5).is_err());
        assert!(failed(10).may_try(1000, "a", 5).is_ok());
        assert!(failed(5).may_try(1000, "a", 10).is_err(), "a try in a step is no step more");
    }

    #[test]
    fn a_small_gain_waits_for_growth() {
        let gain = |after| Gain { before: 1000, after };
        assert!(gain(950).may_repeat(1000).is_ok());
        assert!(gain(951).may_repeat(1099).is_err());
        assert!(gain(951).may_repeat(1100).is_ok());
        assert!(gain(1200).may_repeat(1000).is_err());
    }
}
