//! Circles in a graph of names.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who names whom, with the place where it does so first.
pub(crate) type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// Circles, each from its first name on: for each edge that lies on one, the
/// shortest, and of these, short ones first, those that share no edge with one before.
pub(crate) fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let edges = graph.iter().flat_map(|(from, targets)| targets.keys().map(move |to| (from, to)));
    let all: BTreeSet<_> = edges.filter_map(|(from, to)| way(graph, to, from)).map(from_its_first).collect();
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(Vec::len);
    let mut taken = BTreeSet::new();
    all.retain(|circle| {
        let next = circle.iter().cycle().skip(1);
        let edges: Vec<_> = circle.iter().cloned().zip(next.cloned()).collect();
        let is_new = edges.iter().all(|edge| !taken.contains(edge));
        if is_new {
            taken.extend(edges);
        }
        is_new
    });
    all
}

/// The shortest way along the edges.
fn way(graph: &Graph, from: &str, to: &str) -> Option<Vec<String>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == to {
            let mut steps = vec![at.to_owned()];
            let mut last = at;
            while last != from {
                last = came_from[last];
                steps.push(last.to_owned());
            }
            steps.reverse();
            return Some(steps);
        }
        for next in graph.get(at).into_iter().flat_map(|targets| targets.keys()) {
            if next != from && !came_from.contains_key(next.as_str()) {
                came_from.insert(next, at);
                queue.push_back(next);
            }
        }
    }
    None
}

fn from_its_first(mut circle: Vec<String>) -> Vec<String> {
    let first = circle.iter().enumerate().min_by_key(|(_, name)| *name).map_or(0, |(at, _)| at);
    circle.rotate_left(first);
    circle
}
