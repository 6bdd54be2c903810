use super::lab::Failure;
use serde::Serialize;
use std::fmt;

/// What a storage can do; cases belong to one each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Capability {
    /// A batch is written whole and reads back as it was written.
    Commit,
    /// A batch is written only when its preconditions hold.
    Preconditions,
    /// What stands there already is never replaced, and a conflict leaves nothing behind.
    Conflicts,
    /// A repeated batch changes nothing.
    BatchIds,
    /// Rows come in the order of their places, from any place on.
    Order,
    /// Rows outside the live main conversation are left out.
    Filter,
    /// Boundaries, checkpoints and sessions are listed, limited and paged.
    Lists,
    /// Text comes back to the byte.
    Fidelity,
    /// Pending drafts are written over the version before, removed at the version read, and found by their
    /// deadline.
    Drafts,
    /// What was cleared is refused.
    Clearing,
    /// Delivery records are written over the version before.
    Deliveries,
    /// Checkpoints and sessions go with what belongs to them.
    Removal,
    /// What is too old is found.
    Retention,
    /// All that is stored can be counted and read. Optional.
    Inspection,
    /// The store outlives its handles. Optional.
    Reopening,
    /// Several handles see one store. Optional.
    Sharing,
}

impl Capability {
    /// Whether every storage must have it.
    #[must_use]
    pub fn required(self) -> bool {
        !matches!(self, Self::Inspection | Self::Reopening | Self::Sharing)
    }
}

/// How a case went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// As it should.
    Passed,
    /// Otherwise.
    Failed {
        /// What was found.
        why: String,
    },
    /// The storage does not claim the capability.
    Skipped,
}

impl From<Result<(), Failure>> for Outcome {
    fn from(result: Result<(), Failure>) -> Self {
        result.map_or_else(|failure| Self::Failed { why: failure.0 }, |()| Self::Passed)
    }
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    /// What it tests.
    pub capability: Capability,
    /// What holds when it passes.
    pub name: &'static str,
    /// Whether every storage must pass it.
    pub required: bool,
    /// How it went.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// All cases, in the order in which they ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The cases.
    pub cases: Vec<CaseResult>,
}

impl Report {
    /// Whether no case failed. Optional capabilities that the storage claims must hold too.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The cases that failed, each with what was found.
    pub fn failures(&self) -> impl Iterator<Item = (&CaseResult, &str)> {
        self.cases.iter().filter_map(|case| match &case.outcome {
            Outcome::Failed { why } => Some((case, why.as_str())),
            Outcome::Passed | Outcome::Skipped => None,
        })
    }

    pub(super) fn add(&mut self, capability: Capability, name: &'static str, outcome: Outcome) {
        self.cases.push(CaseResult { capability, name, required: capability.required(), outcome });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count =
            |wanted: fn(&Outcome) -> bool| self.cases.iter().filter(|case| wanted(&case.outcome)).count();
        let passed = count(|outcome| matches!(outcome, Outcome::Passed));
        let skipped = count(|outcome| matches!(outcome, Outcome::Skipped));
        writeln!(f, "{passed} of {} cases passed, {skipped} skipped", self.cases.len())?;
        for (case, why) in self.failures() {
            writeln!(f, "{:?}: {}: {why}", case.capability, case.name)?;
        }
        Ok(())
    }
}
