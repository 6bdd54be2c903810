//! Names of tools that a provider takes.
use super::RenamedTool;
use crate::{id::base32, prompt::Diagnostic};
use alloc::{format, string::String, vec::Vec};
use sha2::{Digest, Sha256};

/// Characters of the hash behind a name that had to be changed.
const TAIL: usize = 8;

/// Which names a provider takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// The longest, in bytes.
    pub(super) longest: usize,
    /// Characters beside letters, digits, `_` and `-`.
    pub(super) more: &'static [u8],
    /// Whether the first is a letter or `_`.
    pub(super) is_identifier: bool,
}

impl Rule {
    fn takes(&self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || self.more.contains(&byte)
    }

    fn begins(&self, byte: u8) -> bool {
        !self.is_identifier || byte.is_ascii_alphabetic() || byte == b'_'
    }

    fn is_accepted(&self, name: &str) -> bool {
        name.bytes().next().is_some_and(|first| self.begins(first))
            && name.len() <= self.longest
            && name.bytes().all(|byte| self.takes(byte))
    }

    /// The name that a tool is sent with, which follows from its own alone: refused characters as `_`, then a
    /// hash of the whole, so that two names stay two.
    fn sent(&self, name: &str) -> String {
        let put = |character: char| match u8::try_from(character) {
            Ok(byte) if character.is_ascii() && self.takes(byte) => character,
            _ => '_',
        };
        let room = self.longest.saturating_sub(TAIL.saturating_add(2));
        let mut sent: String = name.chars().map(put).take(room).collect();
        if !sent.bytes().next().is_some_and(|first| self.begins(first)) {
            sent.insert(0, '_');
        }
        format!("{sent}_{}", base32(&Sha256::digest(name.as_bytes()), TAIL))
    }
}

/// Gives each tool the name it is sent with, in its declaration, its calls and the choice alike.
pub(super) struct Names {
    rule: Rule,
    pub(super) renamed: Vec<RenamedTool>,
}

impl Names {
    pub(super) fn new(rule: Rule) -> Self {
        Self { rule, renamed: Vec::new() }
    }

    /// The name, and what is to be reported of it.
    pub(super) fn sent(&mut self, name: &str) -> (String, Option<Diagnostic>) {
        if self.rule.is_accepted(name) {
            return (name.into(), None);
        }
        let sent = self.rule.sent(name);
        if !self.renamed.iter().any(|known| known.name == name) {
            self.renamed.push(RenamedTool { name: name.into(), sent: sent.clone() });
        }
        let note = "the provider refuses this tool's name; it goes under another, made from it";
        (sent, Some(Diagnostic::new("tool_name_refused", note)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, Rule, String, Vec};

    #[test]
    fn names_that_are_refused_stay_apart_and_accepted_ones_stay() {
        let rule = Rule { longest: 24, more: b".", is_identifier: true };
        let mut names = Names::new(rule);
        let long = "a".repeat(30);
        let given = ["read", "a.b", "", "9", "a b", "a_b", "a/b", long.as_str(), "日本", "-x"];
        let sent: Vec<String> = given.iter().map(|name| names.sent(name).0).collect();
        let kept: Vec<bool> = given.iter().zip(&sent).map(|(given, sent)| given == sent).collect();
        assert_eq!(kept, [true, true, false, false, false, true, false, false, false, false]);
        for name in &sent {
            assert!(rule.is_accepted(name), "{name}");
        }
        let distinct: std::collections::BTreeSet<&String> = sent.iter().collect();
        assert_eq!(distinct.len(), given.len());
        assert_eq!(sent[4].split_at(4).0, "a_b_");
        names.sent("a b");
        assert_eq!(names.renamed.len(), 7, "each once");
    }
}
