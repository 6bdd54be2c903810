use super::{ClaudeCodeReader, Item};
use crate::redact::Redactor;
use proptest::{collection::vec as list, prelude::*};
use std::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

/// One record of a random log. Parents point back by that many records.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Typed {
        back: usize,
    },
    /// A line of an API message: a new one, or one more of the newest.
    Answer {
        back: usize,
        more: bool,
        call: bool,
    },
    Result {
        call: usize,
    },
    Note {
        back: usize,
    },
    Sidechain,
    Progress {
        back: usize,
    },
    Compaction,
    Broken,
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let back = prop_oneof![5 => Just(1_usize), 1 => 2..8_usize];
    prop_oneof![
        3 => back.clone().prop_map(|back| Step::Typed { back }),
        5 => (back.clone(), any::<bool>(), any::<bool>())
            .prop_map(|(back, more, call)| Step::Answer { back, more, call }),
        4 => any::<usize>().prop_map(|call| Step::Result { call }),
        1 => back.clone().prop_map(|back| Step::Note { back }),
        1 => Just(Step::Sidechain),
        2 => back.prop_map(|back| Step::Progress { back }),
        1 => Just(Step::Compaction),
        1 => Just(Step::Broken),
    ]
}

/// The lines of a log, and which rows are live by walking the tree from its leaf.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) lines: Vec<String>,
    /// The node that each record belongs to.
    records: Vec<Option<usize>>,
    parents: Vec<Option<usize>>,
    leaf: Option<usize>,
    /// The node of each typed row and API message.
    nodes: BTreeMap<String, usize>,
    messages: usize,
    calls: Vec<String>,
}

impl Log {
    fn parent(&self, back: usize) -> (String, Option<usize>) {
        match self.records.len().checked_sub(back) {
            Some(at) => (format!("\"r{at}\""), self.records[at]),
            None => ("null".into(), self.leaf),
        }
    }

    fn line(&mut self, fields: &str, parent: &str, node: Option<usize>) {
        let (number, second) = (self.lines.len(), self.lines.len() % 50);
        let at = format!("2026-01-01T00:00:{second:02}Z");
        let head =
            format!(r#""uuid":"r{}","sessionId":"s","timestamp":"{at}","n":{number}"#, self.records.len());
        self.lines.push(format!("{{{head},\"parentUuid\":{parent},{fields}}}"));
        self.records.push(node);
    }

    fn grow(&mut self, under: Option<usize>) -> usize {
        self.parents.push(under);
        self.leaf = Some(self.parents.len() - 1);
        self.parents.len() - 1
    }

    pub(crate) fn take(&mut self, step: &Step) {
        let message = |content: &str| format!(r#""message":{{"content":{content}}}"#);
        match step {
            Step::Typed { back } => {
                let (parent, under) = self.parent(*back);
                let node = self.grow(under);
                self.nodes.insert(format!("r{}", self.records.len()), node);
                self.line(&format!(r#""type":"user",{}"#, message("\"typed\"")), &parent, Some(node));
            }
            Step::Answer { back, more, call } => {
                let (parent, under) = self.parent(*back);
                if !more || self.messages == 0 {
                    self.messages += 1;
                    let node = self.grow(under);
                    self.nodes.insert(format!("m{}", self.messages), node);
                }
                let id = format!("m{}", self.messages);
                let block = if *call {
                    self.calls.push(format!("c{}", self.records.len()));
                    format!(r#"{{"type":"tool_use","id":"c{}","name":"t","input":{{}}}}"#, self.records.len())
                } else {
                    r#"{"type":"text","text":"so"}"#.to_string()
                };
                // A line behind a newer node of the live conversation is followed from the leaf on.
                let node = self.nodes[&id];
                let node = self.leaf.filter(|_| self.is_live(node)).unwrap_or(node);
                let fields = format!(
                    r#""type":"assistant","message":{{"id":"{id}","model":"m","content":[{block}]}}"#
                );
                self.line(&fields, &parent, Some(node));
            }
            Step::Result { call } => {
                let Some(call) =
                    (!self.calls.is_empty()).then(|| self.calls[call % self.calls.len()].clone())
                else {
                    return;
                };
                let (parent, node) = self.parent(1);
                let block = format!(r#"[{{"type":"tool_result","tool_use_id":"{call}","content":"ok"}}]"#);
                self.line(&format!(r#""type":"user",{}"#, message(&block)), &parent, node);
            }
            Step::Note { back } => {
                let (parent, node) = self.parent(*back);
                self.line(&format!(r#""type":"user","isMeta":true,{}"#, message("\"note\"")), &parent, node);
            }
            Step::Sidechain => {
                let (parent, node) = self.parent(1);
                let fields = format!(r#""type":"user","isSidechain":true,{}"#, message("\"sub\""));
                self.line(&fields, &parent, node);
            }
            Step::Progress { back } => {
                let (parent, node) = self.parent(*back);
                self.line(r#""type":"progress""#, &parent, node);
            }
            Step::Compaction => {
                let (parent, node) = self.parent(1);
                self.line(r#""type":"system","subtype":"compact_boundary""#, &parent, node);
                let (parent, node) = self.parent(1);
                self.line(
                    &format!(r#""type":"user","isCompactSummary":true,{}"#, message("\"before\"")),
                    &parent,
                    node,
                );
            }
            Step::Broken => self.lines.push(r#"{"type":"user","message":{"content":"torn"#.into()),
        }
    }

    fn is_live(&self, node: usize) -> bool {
        let mut at = self.leaf;
        while let Some(here) = at {
            if here == node {
                return true;
            }
            at = self.parents[here];
        }
        false
    }
}

pub(crate) fn read(lines: &[String], chunk: usize) -> Vec<Item> {
    let (redactor, mut items) = (Redactor::standard(), vec![]);
    let mut reader = ClaudeCodeReader::new("stem");
    let text = lines.join("\n");
    text.as_bytes().chunks(chunk.max(1)).for_each(|bytes| reader.push(&redactor, bytes, &mut items));
    let _ = reader.finish(&redactor, &mut items);
    items
}

/// The items of readers of which each goes on where the one before it was saved.
fn relay(lines: &[String], cuts: &[bool]) -> Vec<Item> {
    let (redactor, mut items) = (Redactor::standard(), vec![]);
    let mut reader = ClaudeCodeReader::new("stem");
    for (line, cut) in lines.iter().zip(cuts.iter().cycle()) {
        reader.push(&redactor, format!("{line}\n").as_bytes(), &mut items);
        if *cut {
            reader.take_items(&mut items);
            let saved = serde_json::to_string(&reader.save(&redactor, false)).unwrap();
            assert!(!reader.lost());
            reader = ClaudeCodeReader::resume(serde_json::from_str(&saved).unwrap(), "stem", &redactor);
        }
    }
    reader.take_items(&mut items);
    items
}

/// Whether each row is live, once all is read.
fn live(items: &[Item]) -> BTreeMap<String, bool> {
    let mut live = BTreeMap::new();
    for item in items {
        match item {
            Item::Row(row) => drop(live.insert(row.id.to_string(), row.live)),
            Item::Live { row, live: is } => drop(live.insert(row.to_string(), *is)),
            _ => {}
        }
    }
    live
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn chunks_do_not_matter_and_a_longer_log_begins_with_the_items_of_a_shorter_one(
        steps in list(step(), 1..40),
        chunk in 1..300_usize,
        short in any::<prop::sample::Index>(),
    ) {
        let mut log = Log::default();
        steps.iter().for_each(|step| log.take(step));
        let whole = read(&log.lines, usize::MAX);
        prop_assert_eq!(&read(&log.lines, chunk), &whole);
        let part = read(&log.lines[..short.index(log.lines.len() + 1)], 64);
        prop_assert!(whole.starts_with(&part));
    }

    #[test]
    fn a_reader_that_is_saved_goes_on_as_it_was(
        steps in list(step(), 1..60),
        cuts in list(any::<bool>(), 1..8),
    ) {
        let mut log = Log::default();
        steps.iter().for_each(|step| log.take(step));
        prop_assert_eq!(relay(&log.lines, &cuts), relay(&log.lines, &[false]));
    }

    #[test]
    fn live_rows_are_those_on_the_way_from_the_leaf(steps in list(step(), 1..40)) {
        let mut log = Log::default();
        steps.iter().for_each(|step| log.take(step));
        let live = live(&read(&log.lines, usize::MAX));
        for (row, node) in &log.nodes {
            prop_assert_eq!(live.get(row), Some(&log.is_live(*node)), "{}", row);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in list(any::<u8>(), 0..400), json in "[{}\\[\\]\",:a-z0-9\\\\ \n]{0,200}") {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        read(&[text, json], 17);
    }
}
