//! One compaction as a machine: events in, steps out. It owns all it decides by, so that what changes around it
//! does not reach it.

use super::{
    Attempt, AttemptPlan, CompactionError, Cut, FoldOptions, Measured, Opening, SummarizerConfig,
    SummaryInput, Window, fold, originating_request, rows::replayed, summary_input,
};
use crate::{
    model::{BindingError, Boundary, CompactionReason, StoredRow, SummarySource, TokenCounter, total_tokens},
    redact::{Clean, Redactor},
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde::Serialize;

/// What a compaction is planned from; it is taken over whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheduled {
    /// The rows that render, from the boundary in force on, those that replay after the cut included.
    pub rows: Vec<StoredRow>,
    /// Where to cut.
    pub cut: Cut,
    /// The boundary in force.
    pub before: Option<Boundary>,
    /// Why.
    pub reason: CompactionReason,
    /// The size that asked for it.
    pub trigger: Measured,
    /// Who is asked.
    pub plan: AttemptPlan,
    /// Windows of summarizers by model, under `""` that of models not named.
    pub windows: BTreeMap<String, Window>,
    /// The size above which earlier folds lose their lists.
    pub keep_below: Option<u64>,
}

/// Something to be told to whoever runs the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// What it is, such as `summarizer_too_small`.
    pub code: &'static str,
    /// What happened, for people.
    pub message: String,
}

impl Diagnostic {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// A summarizer is to be called.
#[derive(Debug, Clone, PartialEq)]
pub struct Summarize {
    /// Whom, with which options.
    pub attempt: Attempt,
    /// Which model, at which temperature.
    pub config: SummarizerConfig,
    /// What it reads.
    pub input: SummaryInput,
}

/// What is to be done now.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Call this summarizer, and hand its answer in.
    Summarize(Summarize),
    /// The summary is there: commit the boundary.
    Ready(Draft),
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The summarizer answered.
    Summarized {
        /// The summary.
        text: Clean,
        /// Whether it was cut off at its limit.
        truncated: bool,
    },
    /// The summarizer failed.
    Failed {
        /// What it said.
        error: String,
    },
}

/// A boundary that is not committed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What stands for the rows that go, and for the summary before it.
    pub summary: Clean,
    /// Its size in tokens.
    pub tokens: u64,
    /// Who wrote it.
    pub source: SummarySource,
    /// The id of the binding or function.
    pub source_id: Clean,
    /// Bindings that failed before.
    pub binding_errors: Vec<BindingError>,
    /// Where the request stands of the turn that is cut.
    pub opening: Opening,
}

/// A compaction under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    scheduled: Scheduled,
    /// Tokens of the rows that go and of the summary before.
    replaced: u64,
    diagnostics: Vec<Diagnostic>,
    waiting: bool,
}

impl Operation {
    /// Begins one.
    ///
    /// # Errors
    /// `nothing_to_compact`.
    pub fn new<C: TokenCounter + ?Sized>(scheduled: Scheduled, counter: &C) -> Result<Self, CompactionError> {
        let going = scheduled.rows.get(..scheduled.cut.replaced).unwrap_or_default();
        let summary = scheduled.before.as_ref().map(|before| before.summary.as_str());
        let texts: Vec<&str> = going.iter().flat_map(replayed).chain(summary).collect();
        if going.is_empty() || texts.iter().all(|text| text.trim().is_empty()) {
            return Err(CompactionError::NothingToCompact);
        }
        let replaced = total_tokens(counter, &texts);
        Ok(Self { scheduled, replaced, diagnostics: Vec::new(), waiting: false })
    }

    /// What it was planned from.
    #[must_use]
    pub fn scheduled(&self) -> &Scheduled {
        &self.scheduled
    }

    /// What is to be told so far.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The first step.
    ///
    /// # Errors
    /// As [`on`](Self::on).
    pub fn start<C: TokenCounter + ?Sized>(
        &mut self,
        counter: &C,
        redactor: &Redactor,
    ) -> Result<Step, CompactionError> {
        self.go_on(counter, redactor)
    }

    /// Takes what came of the summarizer that was called, and says what is to be done next. A failure goes on to
    /// the next attempt, unless it was strict.
    ///
    /// # Errors
    /// `summarizer_failed`, `summary_input_too_large`, `summary_empty`, `summary_truncated`,
    /// `summary_too_large` of the last attempt; `event_unexpected`.
    pub fn on<C: TokenCounter + ?Sized>(
        &mut self,
        event: Event,
        counter: &C,
        redactor: &Redactor,
    ) -> Result<Step, CompactionError> {
        if !core::mem::take(&mut self.waiting) {
            return Err(CompactionError::EventUnexpected);
        }
        let outcome = match event {
            Event::Summarized { text, truncated } => self.judged(text, truncated, counter, redactor),
            Event::Failed { error } => Err(Failure::Told(error)),
        };
        match outcome {
            Ok(draft) => Ok(Step::Ready(draft)),
            Err(failure) => {
                self.failed(failure, redactor)?;
                self.go_on(counter, redactor)
            }
        }
    }

    /// Refuses a draft that was given, as if its summarizer had failed, and goes on to the next attempt.
    ///
    /// # Errors
    /// As [`on`](Self::on); `error` itself when no attempt is left.
    pub fn refuse<C: TokenCounter + ?Sized>(
        &mut self,
        error: CompactionError,
        counter: &C,
        redactor: &Redactor,
    ) -> Result<Step, CompactionError> {
        self.failed(Failure::Of(error), redactor)?;
        self.go_on(counter, redactor)
    }

    fn go_on<C: TokenCounter + ?Sized>(
        &mut self,
        counter: &C,
        redactor: &Redactor,
    ) -> Result<Step, CompactionError> {
        loop {
            let Some(attempt) = self.scheduled.plan.next_attempt().cloned() else {
                return Err(CompactionError::SummarizerMissing);
            };
            if let Some(why) = self.scheduled.plan.failed_already() {
                self.failed(Failure::Told(why.into()), redactor)?;
                continue;
            }
            let config = SummarizerConfig::of(&attempt.options);
            if attempt.is_fold() {
                let folded = self.folded(&config, counter, redactor);
                match self.judged(folded, false, counter, redactor) {
                    Ok(draft) => return Ok(Step::Ready(draft)),
                    Err(failure) => self.failed(failure, redactor)?,
                }
                continue;
            }
            for name in &config.replaced {
                let message = format!("{name} of {} is not usable; its default stands in", attempt.id);
                self.diagnostics.push(Diagnostic::new("option_replaced", message));
            }
            let windows = &self.scheduled.windows;
            let window = windows.get(&config.model).or_else(|| windows.get("")).copied();
            let previous = self.previous().cloned();
            match summary_input(self.going(), previous.as_ref(), &config, window, counter, redactor) {
                Ok(input) => {
                    self.waiting = true;
                    return Ok(Step::Summarize(Summarize { attempt, config, input }));
                }
                Err(error) => {
                    let message = format!("{} has too small a window: {error}", attempt.id);
                    self.diagnostics.push(Diagnostic::new("summarizer_too_small", message));
                    self.failed(Failure::Of(error), redactor)?;
                }
            }
        }
    }

    /// The rows that go.
    fn going(&self) -> &[StoredRow] {
        self.scheduled.rows.get(..self.scheduled.cut.replaced).unwrap_or_default()
    }

    fn previous(&self) -> Option<&Clean> {
        self.scheduled.before.as_ref().map(|before| &before.summary)
    }

    fn folded<C: TokenCounter + ?Sized>(
        &self,
        config: &SummarizerConfig,
        counter: &C,
        redactor: &Redactor,
    ) -> Clean {
        let options = FoldOptions { max_tokens: config.max_tokens, keep_below: self.scheduled.keep_below };
        fold(self.going(), self.previous(), options, counter, redactor)
    }

    /// Whether a summary may stand.
    fn judged<C: TokenCounter + ?Sized>(
        &self,
        text: Clean,
        truncated: bool,
        counter: &C,
        redactor: &Redactor,
    ) -> Result<Draft, Failure> {
        let Some((source, source_id)) = self.scheduled.plan.source(redactor) else {
            return Err(Failure::Of(CompactionError::SummarizerMissing));
        };
        if truncated {
            let config =
                self.scheduled.plan.next_attempt().map(|attempt| SummarizerConfig::of(&attempt.options));
            let max_tokens = config.map_or(0, |config| config.max_tokens);
            return Err(Failure::Of(CompactionError::SummaryTruncated { max_tokens }));
        }
        if text.as_str().trim().is_empty() {
            return Err(Failure::Of(CompactionError::SummaryEmpty));
        }
        let tokens = total_tokens(counter, &[text.as_str()]);
        if tokens > self.replaced {
            let error = CompactionError::SummaryTooLarge { summary: tokens, replaced: self.replaced };
            return Err(Failure::Of(error));
        }
        Ok(Draft {
            summary: text,
            tokens,
            source,
            source_id,
            binding_errors: self.scheduled.plan.binding_errors().to_vec(),
            opening: originating_request(&self.scheduled.rows, self.scheduled.cut),
        })
    }

    /// Goes on to the next attempt; where none is left, the failure itself says what was wrong.
    fn failed(&mut self, failure: Failure, redactor: &Redactor) -> Result<(), CompactionError> {
        let (told, own) = match failure {
            Failure::Told(error) => (error, None),
            Failure::Of(error) => (error.to_string(), Some(error)),
        };
        self.scheduled.plan.record_failure(&told, redactor).map_err(|ended| own.unwrap_or(ended))
    }
}

/// What a summarizer said, or what is wrong with what it gave.
enum Failure {
    Told(String),
    Of(CompactionError),
}
