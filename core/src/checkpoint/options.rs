//! How often checkpoints are taken and how many are kept: the configuration `continuity`.
use crate::json::{Json, Number, Object, text};
use alloc::{string::String, vec::Vec};
use core::fmt;
use serde::{Deserialize, Serialize};

/// The configuration `continuity` (`spec/checkpoints.md`, "Configuration"), all of it within its ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinuityOptions {
    /// Whether anything is counted, queued and written. Default: yes.
    pub enabled: bool,
    /// Prompts between periodic checkpoints, 1 to 1000. Default: 10.
    pub prompt_interval: u32,
    /// Milliseconds between periodic checkpoints, 60,000 to 3,600,000. Default: 900,000.
    #[serde(rename = "timeIntervalMs")]
    pub time_interval_millis: u32,
    /// Checkpoints that are kept of a session, 1 to 500. Default: 50.
    pub max_checkpoints_per_session: u32,
    /// Days that anything of this is kept, 1 to 90. Default: 7.
    pub retention_days: u32,
    /// Length of a recovery text in characters, 200 to 10,000. Default: 2,000.
    pub recovery_budget_chars: u32,
}

impl Default for ContinuityOptions {
    fn default() -> Self {
        Self {
            enabled: true,
            prompt_interval: 10,
            time_interval_millis: 900_000,
            max_checkpoints_per_session: 50,
            retention_days: 7,
            recovery_budget_chars: 2000,
        }
    }
}

/// A number that lay outside its range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContinuityWarning {
    /// The field, in camelCase.
    pub field: &'static str,
    /// What was given: the literal.
    pub given: String,
    /// What is used in its place: the nearest bound.
    pub used: u32,
}

impl fmt::Display for ContinuityWarning {
    /// What is said to people.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, given, used } = self;
        write!(out, "continuity.{field}: {given} is outside its range; {used} is used")
    }
}

/// Options, and what was odd about them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ResolvedContinuity {
    /// The options.
    pub options: ContinuityOptions,
    /// Numbers outside their ranges, in the order of the table of fields.
    pub warnings: Vec<ContinuityWarning>,
}

/// Why a configuration is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContinuityError {
    /// It is no object.
    #[error("continuity is {found}; accepted is an object")]
    NotObject {
        /// What was found.
        found: &'static str,
    },
    /// A value of another type.
    #[error("continuity.{field} is {found}; accepted is {accepted}")]
    WrongType {
        /// The field, as it was spelt.
        field: String,
        /// What was found.
        found: &'static str,
        /// What is accepted.
        accepted: String,
    },
    /// A number with a fraction.
    #[error("continuity.{field} is {given}; accepted is {accepted}")]
    Fraction {
        /// The field, as it was spelt.
        field: String,
        /// The literal.
        given: String,
        /// What is accepted.
        accepted: String,
    },
    /// A field that does not exist.
    #[error("continuity.{field} is no field; accepted are {accepted}")]
    UnknownField {
        /// The field.
        field: String,
        /// The fields that exist.
        accepted: String,
    },
    /// Both spellings of a field, with different values.
    #[error(
        "continuity.{field} and continuity.{other} differ; accepted is one of them, or one value in both"
    )]
    Contradiction {
        /// The field in camelCase.
        field: &'static str,
        /// The field in snake_case.
        other: &'static str,
    },
}

impl ContinuityError {
    /// `continuity_invalid`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "continuity_invalid"
    }

    /// The place, such as `continuity.promptInterval`.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::NotObject { .. } => "continuity".into(),
            Self::WrongType { field, .. }
            | Self::Fraction { field, .. }
            | Self::UnknownField { field, .. } => ["continuity.", field].concat(),
            Self::Contradiction { field, .. } => ["continuity.", field].concat(),
        }
    }
}

/// A field that is a number: both spellings, and its range.
struct Field {
    camel: &'static str,
    snake: &'static str,
    min: u32,
    max: u32,
}

const fn field(camel: &'static str, snake: &'static str, min: u32, max: u32) -> Field {
    Field { camel, snake, min, max }
}

const PROMPT_INTERVAL: Field = field("promptInterval", "prompt_interval", 1, 1000);
const TIME_INTERVAL: Field = field("timeIntervalMs", "time_interval_ms", 60_000, 3_600_000);
const MAX_CHECKPOINTS: Field = field("maxCheckpointsPerSession", "max_checkpoints_per_session", 1, 500);
const RETENTION: Field = field("retentionDays", "retention_days", 1, 90);
const BUDGET: Field = field("recoveryBudgetChars", "recovery_budget_chars", 200, 10_000);
const NUMBERS: [&Field; 5] = [&PROMPT_INTERVAL, &TIME_INTERVAL, &MAX_CHECKPOINTS, &RETENTION, &BUDGET];
const ENABLED: &str = "enabled";

impl ContinuityOptions {
    /// Reads the object `continuity` of a configuration. `null` or an absent field is the default; names may
    /// be in camelCase or snake_case; a number outside its range is clamped, with a warning.
    ///
    /// ```
    /// use throughline_core::{checkpoint::ContinuityOptions, json};
    /// let given = json::parse(r#"{"promptInterval": 0, "retention_days": 30}"#)?;
    /// let resolved = ContinuityOptions::resolve(&given)?;
    /// assert_eq!((resolved.options.prompt_interval, resolved.options.retention_days), (1, 30));
    /// assert_eq!(resolved.warnings[0].field, "promptInterval");
    /// let error = ContinuityOptions::resolve(&json::parse(r#"{"promptInterval": "10"}"#)?).unwrap_err();
    /// let message = "continuity.promptInterval is a string; accepted is a whole number from 1 to 1000";
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `continuity_invalid`: a value of another type (a string among them), a fraction, a field that does not
    /// exist, both spellings of one with different values.
    pub fn resolve(given: &Json) -> Result<ResolvedContinuity, ContinuityError> {
        let mut resolved = ResolvedContinuity::default();
        if given.is_null() {
            return Ok(resolved);
        }
        let object = given.as_object().ok_or_else(|| ContinuityError::NotObject { found: kind(given) })?;
        known(object)?;
        if let Some(value) = object.get(ENABLED).filter(|value| !value.is_null()) {
            resolved.options.enabled = value.as_bool().ok_or_else(|| ContinuityError::WrongType {
                field: ENABLED.into(),
                found: kind(value),
                accepted: "true or false".into(),
            })?;
        }
        for field in NUMBERS {
            let Some((number, warning)) = field.read(object)? else { continue };
            *resolved.options.number(field) = number;
            resolved.warnings.extend(warning);
        }
        Ok(resolved)
    }

    /// The same options with every number within its range.
    #[must_use]
    pub fn clamped(mut self) -> Self {
        for field in NUMBERS {
            let number = self.number(field);
            *number = (*number).clamp(field.min, field.max);
        }
        self
    }

    fn number(&mut self, field: &Field) -> &mut u32 {
        match field.camel {
            "promptInterval" => &mut self.prompt_interval,
            "timeIntervalMs" => &mut self.time_interval_millis,
            "maxCheckpointsPerSession" => &mut self.max_checkpoints_per_session,
            "retentionDays" => &mut self.retention_days,
            _ => &mut self.recovery_budget_chars,
        }
    }
}

fn known(object: &Object) -> Result<(), ContinuityError> {
    let is_known =
        |key: &str| key == ENABLED || NUMBERS.iter().any(|field| [field.camel, field.snake].contains(&key));
    let Some((key, _)) = object.iter().find(|(key, _)| !is_known(key)) else { return Ok(()) };
    let names: Vec<&str> = [ENABLED].into_iter().chain(NUMBERS.iter().map(|field| field.camel)).collect();
    Err(ContinuityError::UnknownField {
        field: crate::text::clip(key, 100).into_owned(),
        accepted: names.join(", "),
    })
}

impl Field {
    fn accepted(&self) -> String {
        alloc::format!("a whole number from {} to {}", self.min, self.max)
    }

    fn read(&self, object: &Object) -> Result<Option<(u32, Option<ContinuityWarning>)>, ContinuityError> {
        let at = |name| object.get(name).filter(|value| !value.is_null());
        let value = match (at(self.camel), at(self.snake)) {
            (Some(camel), Some(snake)) => {
                let (first, second) = (self.number(self.camel, camel)?, self.number(self.snake, snake)?);
                if first != second {
                    return Err(ContinuityError::Contradiction { field: self.camel, other: self.snake });
                }
                Some((first, camel))
            }
            (Some(camel), None) => Some((self.number(self.camel, camel)?, camel)),
            (None, Some(snake)) => Some((self.number(self.snake, snake)?, snake)),
            (None, None) => None,
        };
        let Some((number, literal)) = value else { return Ok(None) };
        let used = u32::try_from(number.clamp(self.min.into(), self.max.into())).unwrap_or(self.max);
        let warning = (i64::from(used) != number).then(|| ContinuityWarning {
            field: self.camel,
            given: text(literal),
            used,
        });
        Ok(Some((used, warning)))
    }

    /// A whole number, whatever its range; one that is beyond every number is the greatest or the least.
    fn number(&self, name: &str, value: &Json) -> Result<i64, ContinuityError> {
        let Json::Number(number) = value else {
            return Err(ContinuityError::WrongType {
                field: name.into(),
                found: kind(value),
                accepted: self.accepted(),
            });
        };
        whole(number).ok_or_else(|| ContinuityError::Fraction {
            field: name.into(),
            given: number.literal().into(),
            accepted: self.accepted(),
        })
    }
}

fn whole(number: &Number) -> Option<i64> {
    if let Some(whole) = number.as_i64() {
        return Some(whole);
    }
    // Exact numbers end before that; what is left below it is a fraction.
    let is_beyond = number.as_f64().is_none_or(|value| !(-1e15..=1e15).contains(&value));
    let beyond = if number.literal().starts_with('-') { i64::MIN } else { i64::MAX };
    is_beyond.then_some(beyond)
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Bool(_) => "true or false",
        other => other.kind(),
    }
}

#[cfg(test)]
mod tests;
