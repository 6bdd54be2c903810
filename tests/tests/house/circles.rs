//! Circles in a graph of names.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who names whom, with the place where it does so first.
pub(crate) type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// Of each edge that lies on a circle, the shortest such circle, once each, from its first name on.
pub(crate) fn circles(graph: &Graph) -> BTreeSet<Vec<String>> {
    let edges = graph.iter().flat_map(|(from, targets)| targets.keys().map(move |to| (from, to)));
    edges.filter_map(|(from, to)| way(graph, to, from)).map(from_its_first).collect()
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
