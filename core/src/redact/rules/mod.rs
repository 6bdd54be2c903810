//! The rule tables: what is a secret, as data.
mod agents;
mod alphabet;
mod clouds;
mod forges;
mod host;
mod models;
pub(super) mod names;
mod personal;
mod place;
mod places;
mod platforms;
mod row;
mod services;
pub(super) mod values;

pub(super) use host::{ALPHABETS, NEEDS, alphabet, host, needs};
pub(super) use place::Place;
pub(super) use row::{Needs, Row, Shape};
pub use row::{Rule, RuleSet};

use super::Confidence;

/// Version of the rule set; higher with every change that can alter an output.
pub const RULES_VERSION: u32 = 1;

/// All rules, in the order of the tables.
#[must_use]
pub fn rules() -> &'static [Rule] {
    static RULES: &[Rule; COUNT] = &rules_joined();
    RULES
}

/// All rules, as the finders need them.
pub(super) fn rows() -> &'static [Row] {
    ROWS
}

const TABLES: [&[Rule]; 8] = [
    places::ROWS,
    models::ROWS,
    agents::ROWS,
    forges::ROWS,
    platforms::ROWS,
    clouds::ROWS,
    services::ROWS,
    personal::ROWS,
];
const COUNT: usize = {
    let (mut count, mut tables) = (0usize, TABLES.as_slice());
    while let [table, rest @ ..] = tables {
        count = count.saturating_add(table.len());
        tables = rest;
    }
    count
};
static ROWS: &[Row; COUNT] = &rows_joined();

/// The tables one after the other; made when the crate is built.
const fn rules_joined() -> [Rule; COUNT] {
    let mut all = [NONE; COUNT];
    let (mut slots, mut tables) = (all.as_mut_slice(), TABLES.as_slice());
    while let [table, rest @ ..] = tables {
        slots = fill(slots, table);
        tables = rest;
    }
    all
}

/// Copies rules to the start of a slice and gives back its rest.
const fn fill<'a>(mut slots: &'a mut [Rule], mut rules: &[Rule]) -> &'a mut [Rule] {
    while let [rule, after @ ..] = rules {
        let [slot, more @ ..] = slots else { return &mut [] };
        *slot = *rule;
        slots = more;
        rules = after;
    }
    slots
}

/// The same, as the finders need them.
const fn rows_joined() -> [Row; COUNT] {
    let (mut all, rules) = ([NONE.row(); COUNT], rules_joined());
    let (mut slots, mut rest) = (all.as_mut_slice(), rules.as_slice());
    while let ([slot, more @ ..], [rule, after @ ..]) = (slots, rest) {
        *slot = rule.row();
        (slots, rest) = (more, after);
    }
    all
}

/// No rule; stands where the type wants one.
const NONE: Rule = row::place(Place::Exact, "", "", Confidence::Possible, "", &[], &[], &[]);
static NO_ROW: Row = NONE.row();

/// The row of a place.
pub(super) fn of(place: Place) -> &'static Row {
    // The tests of the tables show that every place has its row.
    ROWS.iter().find(|r| r.shape == Shape::Place(place)).unwrap_or(&NO_ROW)
}

/// Whether a mark may name this kind.
pub(super) fn is_kind(kind: &[u8]) -> bool {
    !kind.is_empty() && ROWS.iter().any(|r| r.kind.as_bytes() == kind)
}

#[cfg(test)]
mod tests;
