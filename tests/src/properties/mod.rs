//! What holds of the ground floor and of the redactor for every input, the same natively, in wasm under Node and in Chromium.
//!
//! A property draws its inputs from a [`Random`] that is made anew for each case, from the seed, the name of
//! the property and the number of the case. So a case that fails can be drawn again, alone, on any host.

use std::panic::{AssertUnwindSafe, catch_unwind};

mod id;
mod json;
mod json_text;
mod merge;
mod numbers;
mod random;
mod redact;
mod redact_texts;
mod text;
mod time;

pub(crate) use json::{is_limit_of_theirs, same};
pub use random::Random;
pub(crate) use redact::shape;
pub use time::timestamp_text;

/// What a case came to; the text says what did not hold, and of which input.
pub type Outcome = Result<(), String>;

/// Something that holds for every input.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// What holds.
    pub name: &'static str,
    /// How many inputs are drawn for each case that is asked for.
    pub times: u32,
    check: fn(&mut Random) -> Outcome,
}

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many properties were asked.
    pub properties: usize,
    /// How many cases were drawn.
    pub cases: u64,
    /// The first case of each property that failed, one line each: name, seed, number, what did not hold.
    pub failures: Vec<String>,
}

/// Every property.
pub fn all() -> impl Iterator<Item = &'static Property> {
    [text::ALL, time::ALL, json::ALL, numbers::ALL, merge::ALL, id::ALL, redact::ALL].into_iter().flatten()
}

/// Asks every property whose name holds `word` as many `cases`; those that draw more for each case draw so many more.
pub fn run(cases: u32, seed: u64, word: &str) -> Report {
    let mut report = Report::default();
    for property in all().filter(|property| property.name.contains(word)) {
        report.properties += 1;
        ask(property, cases, seed, &mut report);
    }
    report
}

fn ask(property: &Property, cases: u32, seed: u64, report: &mut Report) {
    for case in 0..u64::from(cases) * u64::from(property.times) {
        report.cases += 1;
        // In wasm a panic ends the run; the message then names no case.
        let answer = catch_unwind(AssertUnwindSafe(|| property.ask(seed, case)));
        if let Err(wrong) = answer.unwrap_or_else(|_| Err("it panicked".into())) {
            report.failures.push(format!("{}, seed {seed}, case {case}: {wrong}", property.name));
            return;
        }
    }
}

impl Property {
    /// Draws one case and asks it.
    ///
    /// # Errors
    /// What did not hold.
    pub fn ask(&self, seed: u64, case: u64) -> Outcome {
        (self.check)(&mut Random::of(seed, self.name, case))
    }
}

const fn property(name: &'static str, check: fn(&mut Random) -> Outcome) -> Property {
    Property { name, times: 1, check }
}

/// Holds when both are equal.
fn equal<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, wanted: &T) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}")) }
}

/// Holds when `condition` does.
fn holds(condition: bool, what: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(what()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_drawn_again() {
        let drawn = |case| {
            let mut random = Random::of(7, "name", case);
            (random.next(), random.below(10), random.char())
        };
        assert_eq!(drawn(3), drawn(3));
        assert_ne!(drawn(3), drawn(4));
    }

    #[test]
    fn the_first_failure_is_reported() {
        let mut report = Report::default();
        let wrong = property("never more than 900", |random| {
            let drawn = random.below(1000);
            holds(drawn <= 900, || format!("{drawn} is more"))
        });
        ask(&wrong, 1000, 1, &mut report);
        let [failure] = &report.failures[..] else { panic!("{report:?}") };
        let case = report.cases - 1;
        assert!(failure.starts_with(&format!("never more than 900, seed 1, case {case}: ")), "{failure}");
        assert_eq!(wrong.ask(1, case).unwrap_err(), failure.rsplit(": ").next().unwrap());
        ask(&property("panics", |_| panic!("on purpose")), 5, 1, &mut report);
        assert!(report.failures[1].ends_with("it panicked"));
    }

    #[test]
    fn names_differ() {
        let names: std::collections::BTreeSet<_> = all().map(|property| property.name).collect();
        assert_eq!(names.len(), all().count());
    }
}
