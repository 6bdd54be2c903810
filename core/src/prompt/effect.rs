//! What a diagnostic says was done.
use super::Diagnostic;

/// What was done to something that a diagnostic is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Effect {
    /// It is not sent.
    LeftOut,
    /// It is sent otherwise than it is stored, so that the prompt is valid.
    Repaired,
    /// Something stands in its place, or at another place.
    Replaced,
    /// It is sent, and nothing vouches for it.
    Uncertain,
}

impl Effect {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::LeftOut, Self::Repaired, Self::Replaced, Self::Uncertain];

    /// The name, such as `left_out`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LeftOut => "left_out",
            Self::Repaired => "repaired",
            Self::Replaced => "replaced",
            Self::Uncertain => "uncertain",
        }
    }
}

impl Diagnostic {
    /// What was done.
    #[must_use]
    pub fn effect(&self) -> Effect {
        match self.code {
            "rows_unordered"
            | "result_pending"
            | "result_missing"
            | "call_without_message"
            | "thinking_held" => Effect::Repaired,
            code if code.starts_with("duplicate_") => Effect::Repaired,
            "result_withdrawn" | "attachment_expired" | "request_restored" | "steering_applied" => {
                Effect::Replaced
            }
            "thinking_unverified" | "thinking_kept_for_round" => Effect::Uncertain,
            _ => Effect::LeftOut,
        }
    }
}
