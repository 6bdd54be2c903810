//! Who summarises, in which order (`spec/compaction.md`, "Who summarises").

use super::{CompactionError, Effective};
use crate::{
    json::{self, Json, Object},
    model::{BindingError, SummarySource},
    redact::{Clean, Redactor},
};
use alloc::{string::String, vec::Vec};

/// The contract that a binding must have.
const CONTRACT: &str = "checkpoint";
/// The priority of a binding that names none.
const PRIORITY: i64 = 100;
/// The function that needs no model and no host: [`fold`](super::fold).
pub const FOLD_FUNCTION: &str = "throughline:fold";

/// What a trait offers to write summaries.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// Its id.
    pub id: String,
    /// The trait that it belongs to; a trait with `checkpoint: false` has none.
    pub trait_id: Option<String>,
    /// What it is for.
    pub contract: String,
    /// Lower ones come first; ties in the order of declaration.
    pub priority: i64,
    /// Its own options, an object; the effective ones stand over them.
    pub options: Json,
}

impl Binding {
    /// A binding of the contract `checkpoint` with priority 100.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            trait_id: None,
            contract: CONTRACT.into(),
            priority: PRIORITY,
            options: Json::Null,
        }
    }
}

/// One try: whom to ask, with which options.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Binding or function.
    pub source: SummarySource,
    /// Its id.
    pub id: String,
    /// The trait of a binding.
    pub trait_id: Option<String>,
    /// Whether a failure ends the whole.
    pub strict: bool,
    /// The options it is given, an object.
    pub options: Json,
    /// Whether it has another contract, and counts as failed.
    wrong_contract: bool,
}

impl Attempt {
    /// Whether the core makes it by itself.
    #[must_use]
    pub fn is_fold(&self) -> bool {
        self.source == SummarySource::Function && self.id == FOLD_FUNCTION
    }
}

/// The plan: bindings by priority, then the function, then the fold where it is wanted as a fallback.
///
/// ```
/// use throughline_core::{compaction::{AttemptPlan, Binding, Layers, resolve}, redact::Redactor};
/// let options = resolve(&Layers::default())?;
/// let bindings = [Binding { priority: 50, ..Binding::new("late") }, Binding { priority: 10, ..Binding::new("early") }];
/// let mut plan = AttemptPlan::new(&bindings, &options, true, false)?;
/// assert_eq!(plan.next_attempt().unwrap().id, "early");
/// plan.record_failure("no room", &Redactor::standard())?;
/// assert_eq!(plan.next_attempt().unwrap().id, "late");
/// assert_eq!(plan.binding_errors().len(), 1);
/// # Ok::<(), throughline_core::compaction::CompactionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptPlan {
    attempts: Vec<Attempt>,
    next: usize,
    errors: Vec<BindingError>,
}

impl AttemptPlan {
    /// Lays out the attempts. `has_host` says whether something can be called; `fallback`, whether the fold
    /// stands in when all others failed.
    ///
    /// # Errors
    /// `compaction_disabled`, `summarizer_missing`, `host_required`: before any call.
    pub fn new(
        bindings: &[Binding],
        options: &Effective,
        has_host: bool,
        fallback: bool,
    ) -> Result<Self, CompactionError> {
        if !options.is_enabled() {
            return Err(CompactionError::Disabled);
        }
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut handlers: Vec<&Binding> =
            bindings.iter().filter(|binding| is_kept(binding, options)).collect();
        handlers.sort_by_key(|binding| binding.priority);
        attempts.extend(handlers.into_iter().map(|binding| of_binding(binding, options)));
        attempts.extend(options.function_id().map(|id| of_function(id, options)));
        if attempts.is_empty() && !fallback {
            return Err(CompactionError::SummarizerMissing);
        }
        if let Some(called) = attempts.iter().find(|attempt| !attempt.is_fold()).filter(|_| !has_host) {
            return Err(CompactionError::HostRequired { id: called.id.clone() });
        }
        if fallback && !attempts.iter().any(Attempt::is_fold) {
            attempts.push(of_function(FOLD_FUNCTION, options));
        }
        Ok(Self { attempts, next: 0, errors: Vec::new() })
    }

    /// The fold alone, whatever the options name.
    ///
    /// # Errors
    /// `compaction_disabled`.
    pub fn fold(options: &Effective) -> Result<Self, CompactionError> {
        if !options.is_enabled() {
            return Err(CompactionError::Disabled);
        }
        Ok(Self { attempts: alloc::vec![of_function(FOLD_FUNCTION, options)], next: 0, errors: Vec::new() })
    }

    /// Whom to ask now; `None` when all have failed.
    #[must_use]
    pub fn next_attempt(&self) -> Option<&Attempt> {
        self.attempts.get(self.next)
    }

    /// Whether the attempt of now failed before it began: a binding of another contract.
    #[must_use]
    pub fn failed_already(&self) -> Option<&'static str> {
        let attempt = self.next_attempt()?;
        attempt.wrong_contract.then_some("the binding has another contract than `checkpoint`")
    }

    /// Records that the attempt of now failed, and goes on to the next.
    ///
    /// # Errors
    /// `summarizer_failed` when it was strict, or none is left: nothing is written then.
    pub fn record_failure(&mut self, error: &str, redactor: &Redactor) -> Result<(), CompactionError> {
        let Some(attempt) = self.attempts.get(self.next) else {
            return Err(CompactionError::EventUnexpected);
        };
        let error = redactor.clean(error);
        self.next = self.next.saturating_add(1);
        if attempt.source == SummarySource::Binding {
            let clean = |text: &String| redactor.clean(text);
            self.errors.push(BindingError {
                binding_id: clean(&attempt.id),
                trait_id: attempt.trait_id.as_ref().map(clean),
                error: error.clone(),
                strict: attempt.strict,
            });
        }
        if attempt.strict || self.next >= self.attempts.len() {
            let (id, strict) = (attempt.id.clone(), attempt.strict);
            self.next = self.attempts.len();
            return Err(CompactionError::SummarizerFailed { id, error: error.into_string(), strict });
        }
        Ok(())
    }

    /// The bindings that failed so far.
    #[must_use]
    pub fn binding_errors(&self) -> &[BindingError] {
        &self.errors
    }

    /// Everything that a try depends on beside its input, as one text: a change of it allows another try.
    #[must_use]
    pub fn setup(&self) -> String {
        let attempts = self.attempts.iter().map(|attempt| {
            let fields = [
                Json::from(attempt.source.as_str()),
                Json::from(attempt.id.as_str()),
                attempt.options.clone(),
            ];
            Json::Array(fields.into())
        });
        json::canonical(&Json::Array(attempts.collect()))
    }

    /// The source of the summary that the attempt of now gave.
    pub(super) fn source(&self, redactor: &Redactor) -> Option<(SummarySource, Clean)> {
        let attempt = self.next_attempt()?;
        Some((attempt.source, redactor.clean(&attempt.id)))
    }
}

/// Whether the options left a binding in place.
pub(crate) fn is_kept(binding: &Binding, options: &Effective) -> bool {
    binding.trait_id.as_ref().is_none_or(|id| !options.removed_traits().contains(id))
}

fn of_binding(binding: &Binding, options: &Effective) -> Attempt {
    let options = json::merge([&binding.options, &options.to_json()]);
    Attempt {
        source: SummarySource::Binding,
        id: binding.id.clone(),
        trait_id: binding.trait_id.clone(),
        strict: options.get("strict").and_then(Json::as_bool).unwrap_or(false),
        options: if options.is_null() { Object::new().into() } else { options },
        wrong_contract: binding.contract != CONTRACT,
    }
}

fn of_function(id: &str, options: &Effective) -> Attempt {
    Attempt {
        source: SummarySource::Function,
        id: id.into(),
        trait_id: None,
        strict: false,
        options: options.to_json(),
        wrong_contract: false,
    }
}
