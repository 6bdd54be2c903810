use super::key::{Key, key};
use alloc::{collections::BTreeMap, vec::Vec};
use serde::{Deserialize, Serialize};

/// The tree of a conversation: one node for each API message and for each record that a user typed. Every
/// other record belongs to the nearest such ancestor (`spec/lineage.md`): parent links alone lose live calls,
/// since in a parallel round the first result's parent is the first call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Record id → the node that it belongs to; `None` before the first node.
    records: BTreeMap<Key, Option<usize>>,
    leaf: Option<usize>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Node {
    parent: Option<usize>,
    live: bool,
}

/// Nodes that left and joined the live conversation when a node was added.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) left: Vec<usize>,
    pub(super) joined: Vec<usize>,
}

impl Tree {
    /// Whether a record with this id was read before.
    pub(super) fn knows(&self, record: &str) -> bool {
        self.records.contains_key(&key(record))
    }

    /// Whether the node belongs to the live conversation.
    pub(super) fn live(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(|node| node.live)
    }

    /// The node that a record with this parent belongs to; a missing or unknown parent counts as the leaf.
    pub(super) fn node_of(&self, parent: Option<&str>) -> Option<usize> {
        parent.and_then(|parent| self.records.get(&key(parent)).copied()).unwrap_or(self.leaf)
    }

    /// Where what follows a node stands: at the leaf, for a node of the live conversation.
    pub(super) fn end_of(&self, node: usize) -> usize {
        self.leaf.filter(|_| self.live(node)).unwrap_or(node)
    }

    /// Says that a record belongs to a node.
    pub(super) fn attach(&mut self, record: Option<&str>, node: Option<usize>) {
        if let Some(record) = record {
            self.records.entry(key(record)).or_insert(node);
        }
    }

    /// Adds a node under the node of `parent`, and makes it the leaf. Extending the leaf costs O(log n);
    /// a rewind costs as much as it moves.
    pub(super) fn add(&mut self, parent: Option<&str>) -> (usize, Moved) {
        let ancestor = self.node_of(parent);
        let moved = if ancestor == self.leaf { Moved::default() } else { self.switch_to(ancestor) };
        let node = self.nodes.len();
        self.nodes.push(Node { parent: ancestor, live: true });
        self.leaf = Some(node);
        (node, moved)
    }

    /// The newest nodes, with the records that belong to them: how many nodes were left out, and the rest,
    /// numbered anew. Fewer than asked for where many records belong to them.
    pub(super) fn newest(&self, nodes: usize, records: usize) -> (usize, Self) {
        let mut first = self.nodes.len().saturating_sub(nodes);
        let belonging = |first: usize| self.records.values().filter(|node| **node >= Some(first)).count();
        while first < self.nodes.len().saturating_sub(1) && belonging(first) > records {
            first = first.midpoint(self.nodes.len());
        }
        let moved = |node: Option<usize>| node.and_then(|node| node.checked_sub(first));
        let nodes = self.nodes.iter().skip(first);
        let nodes = nodes.map(|node| Node { parent: moved(node.parent), live: node.live }).collect();
        let records = self.records.iter();
        // What belongs to no node is kept while all nodes are.
        let records = records.filter(|(_, node)| first == 0 || **node >= Some(first));
        let records = records.map(|(record, node)| (*record, moved(*node))).collect();
        (first, Self { nodes, records, leaf: moved(self.leaf) })
    }

    /// Makes the branch that ends at `target` the live one.
    fn switch_to(&mut self, target: Option<usize>) -> Moved {
        let mut moved = Moved::default();
        let mut joining = target;
        while let Some(node) = joining.filter(|node| !self.live(*node)) {
            moved.joined.push(node);
            joining = self.nodes.get(node).and_then(|node| node.parent);
        }
        let mut leaving = self.leaf;
        while leaving != joining {
            let Some(node) = leaving else { break };
            moved.left.push(node);
            leaving = self.nodes.get(node).and_then(|node| node.parent);
        }
        for (nodes, live) in [(&moved.left, false), (&moved.joined, true)] {
            for node in nodes {
                if let Some(node) = self.nodes.get_mut(*node) {
                    node.live = live;
                }
            }
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    /// Adds a node that one record makes.
    fn add(tree: &mut Tree, record: &str, parent: Option<&str>) -> (usize, Moved) {
        let (node, moved) = tree.add(parent);
        tree.attach(Some(record), Some(node));
        (node, moved)
    }

    #[test]
    fn a_rewind_takes_the_rows_between_out_and_back() {
        let mut tree = Tree::default();
        let (a, _) = add(&mut tree, "a", None);
        let (b, _) = add(&mut tree, "b", Some("a"));
        let (c, moved) = add(&mut tree, "c", Some("b"));
        assert_eq!(moved, Moved::default());
        let (d, moved) = add(&mut tree, "d", Some("a"));
        assert_eq!(moved, Moved { left: vec![c, b], joined: vec![] });
        assert!(tree.live(a) && tree.live(d) && !tree.live(b));
        let (_, moved) = add(&mut tree, "e", Some("c"));
        assert_eq!(moved, Moved { left: vec![d], joined: vec![c, b] });
    }

    #[test]
    fn an_unknown_or_missing_parent_is_the_leaf() {
        let mut tree = Tree::default();
        add(&mut tree, "a", None);
        let (_, moved) = add(&mut tree, "b", Some("nowhere"));
        assert_eq!(moved, Moved::default());
        let (_, moved) = add(&mut tree, "c", None);
        assert_eq!(moved, Moved::default());
    }

    #[test]
    fn other_records_belong_to_the_nearest_node() {
        let mut tree = Tree::default();
        let (a, _) = add(&mut tree, "a", None);
        tree.attach(Some("result"), tree.node_of(Some("a")));
        tree.attach(Some("progress"), tree.node_of(Some("result")));
        let (_, moved) = add(&mut tree, "b", Some("progress"));
        assert_eq!(moved, Moved::default());
        assert_eq!(tree.node_of(Some("progress")), Some(a));
    }
}
