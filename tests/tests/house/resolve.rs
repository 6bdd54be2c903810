//! Where a path leads: through `use`, renames, globs and re-exports to the module that defines the name.

use crate::source::{ModulePath, Sources};
use std::collections::BTreeSet;

/// The end of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// A module of the core itself.
    Module(ModulePath),
    /// A name within a module of the core.
    Item(ModulePath),
    /// Another crate, or a local name: the path as far as it could be followed.
    Outside(Vec<String>),
}

/// What a path names.
#[derive(Default)]
pub(crate) struct Found {
    /// A name may stand for several things: a module, a function, a type.
    pub(crate) ends: BTreeSet<End>,
    /// The first modules of all paths on the way, whether or not there are such.
    pub(crate) rooms: BTreeSet<String>,
}

/// No honest chain of re-exports is longer; a circle of `use` would have no end.
const LONGEST_CHAIN: usize = 16;

impl Sources {
    /// Follows a path named in `module`.
    pub(crate) fn resolve(&self, module: &[String], segments: &[String]) -> Found {
        let mut found = Found::default();
        self.relative(module, segments, LONGEST_CHAIN, &mut found);
        found
    }

    fn is_module(&self, within: &[String], name: &str) -> bool {
        self.modules.contains_key(&child(within, name))
    }

    /// A path as written in `module`.
    fn relative(&self, module: &[String], segments: &[String], left: usize, found: &mut Found) {
        let Some((first, rest)) = segments.split_first() else { return };
        let Some(left) = left.checked_sub(1) else { return };
        match first.as_str() {
            "crate" => self.absolute(&[], rest, left, found),
            "self" | "super" => self.absolute(module, segments, left, found),
            "::" => _ = found.ends.insert(End::Outside(rest.to_vec())),
            "Self" => {}
            _ => {
                if !self.named_in(module, first, rest, left, found) {
                    found.ends.insert(End::Outside(segments.to_vec()));
                }
            }
        }
    }

    /// A path from a module down.
    fn absolute(&self, module: &[String], segments: &[String], left: usize, found: &mut Found) {
        found.rooms.extend(module.first().cloned());
        let Some((first, rest)) = segments.split_first() else {
            found.ends.insert(End::Module(module.to_vec()));
            return;
        };
        let Some(left) = left.checked_sub(1) else { return };
        match first.as_str() {
            "self" => self.absolute(module, rest, left, found),
            "super" => {
                let parent = module.split_last().map_or(module, |(_, parent)| parent);
                self.absolute(parent, rest, left, found);
            }
            _ => {
                if !self.named_in(module, first, rest, left, found) {
                    if module.is_empty() {
                        found.rooms.insert(first.clone());
                    }
                    found.ends.insert(End::Item(module.to_vec()));
                }
            }
        }
    }

    /// A name within a module, then the rest of the path; whether the module has that name.
    fn named_in(&self, at: &[String], name: &str, rest: &[String], left: usize, found: &mut Found) -> bool {
        let is_module = self.is_module(at, name);
        if is_module {
            self.absolute(&child(at, name), rest, left, found);
            if !rest.is_empty() {
                return true;
            }
        }
        let Some(module) = self.modules.get(at) else { return is_module };
        let mut known = is_module;
        if module.items.contains(name) {
            found.ends.insert(End::Item(at.to_vec()));
            found.rooms.extend(at.first().cloned());
            known = true;
        }
        for target in module.bindings.get(name).into_iter().flatten() {
            known = true;
            let whole = [target.as_slice(), rest].concat();
            if target.first().is_some_and(|first| first == name) && !is_module {
                // `use serde::…` binds no other `serde` than the crate.
                found.ends.insert(End::Outside(whole));
            } else {
                self.relative(at, &whole, left, found);
            }
        }
        known || self.through_globs(at, name, rest, left, found)
    }

    fn through_globs(
        &self,
        at: &[String],
        name: &str,
        rest: &[String],
        left: usize,
        found: &mut Found,
    ) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        let globs = self.modules.get(at).map_or(&[][..], |module| &module.globs);
        globs.iter().filter(|glob| glob.first().is_none_or(|first| first != name)).any(|glob| {
            let mut target = Found::default();
            self.relative(at, glob, left, &mut target);
            target.ends.iter().any(|end| match end {
                End::Module(module) => self.named_in(module, name, rest, left, found),
                _ => false,
            })
        })
    }
}

fn child(within: &[String], name: &str) -> ModulePath {
    let mut path = within.to_vec();
    path.push(name.to_owned());
    path
}
