//! Names of members that scrubbing made alike.
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
};

/// A member's name as it was, and as it is now.
pub(super) struct Name<'a> {
    pub before: &'a str,
    pub now: String,
}

impl Name<'_> {
    fn kept(&self) -> bool {
        self.before == self.now
    }
}

/// Numbers the changed names that are like another one of their object, so that no member is lost. Names that did not
/// change stay, and what had one name before has one afterwards.
pub(super) fn tell_apart(names: &mut [Name<'_>]) {
    if names.iter().all(Name::kept) {
        return;
    }
    let mut taken: BTreeSet<String> =
        names.iter().filter(|name| name.kept()).map(|name| name.now.clone()).collect();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut given: BTreeMap<&str, String> = BTreeMap::new();
    for Name { before, now } in names.iter_mut().filter(|name| !name.kept()) {
        if let Some(name) = given.get(before) {
            now.clone_from(name);
            continue;
        }
        let number = numbers.entry(now.clone()).or_insert(1);
        let mut name = now.clone();
        while !taken.insert(name.clone()) {
            *number = number.saturating_add(1);
            name = format!("{now} {number}");
        }
        given.insert(before, name.clone());
        *now = name;
    }
}
