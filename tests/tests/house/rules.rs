//! The rules of the house, as functions from the source to what breaks them.

use crate::circles::{Graph, circles};
use crate::floors::floor_of;
use crate::resolve::End;
use crate::source::{Kind, Mention, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// What the core may not touch: a host brings it in. (`std` as a whole is for tests.)
const OUTSIDE_WORLD: [&str; 6] = ["fs", "net", "env", "thread", "process", "time"];
const CLOCKS: [&str; 2] = ["SystemTime", "Instant"];

/// A room names rooms of floors below its own alone; every room has a floor.
pub(crate) fn floors(sources: &Sources) -> Vec<String> {
    let mut broken = without_a_floor(sources);
    let mut rooms = Graph::new();
    let mut seen = BTreeSet::new();
    for mention in &sources.mentions {
        // The crate root is the roof: it names every room.
        let Some(room) = mention.module.first() else { continue };
        let found = sources.resolve(&mention.module, &mention.segments);
        if mention.glob && found.ends.contains(&End::Module(Vec::new())) {
            broken.push(format!("{}: a glob of the crate root names every room", place(mention)));
        }
        for named in found.rooms.iter().filter(|named| *named != room) {
            if !seen.insert((mention.file.clone(), named.clone())) {
                continue;
            }
            let (Some(own), Some(other)) = (floor_of(room), floor_of(named)) else {
                if floor_of(named).is_none() && !sources.modules.contains_key(&vec![named.clone()]) {
                    broken.push(format!("{}: crate::{named} is no room of the house", place(mention)));
                }
                continue;
            };
            let ground = own == 0 && other == 0;
            if ground {
                rooms.entry(room.clone()).or_default().entry(named.clone()).or_insert(place(mention));
            } else if other >= own {
                broken
                    .push(format!("{}: {room} (floor {own}) names {named} (floor {other})", place(mention)));
            }
        }
    }
    broken
        .extend(circles(&rooms).iter().map(|circle| format!("rooms in a circle: {}", told(circle, &rooms))));
    broken
}

fn without_a_floor(sources: &Sources) -> Vec<String> {
    let rooms: BTreeMap<_, _> = sources
        .modules
        .iter()
        .rev()
        .filter_map(|(path, module)| Some((path.first()?, &module.file)))
        .filter(|(room, file)| floor_of(room).is_none() && !file.is_empty())
        .collect();
    let line =
        |(room, file)| format!("{file}: the room {room} has no floor; give it one in the table of floors");
    rooms.into_iter().map(line).collect()
}

/// No two files of a room import each other, nor several in a circle.
///
/// An import is a name that the file needs, followed to the file that defines it: `use super::Error` of a
/// name that the parent only passes on leads to the sibling. A `pub use` by itself is none, since it only
/// passes a name on, and a `mod` line is none. What is reached through a method or a field alone, or by a
/// passed-on function that is not called on the spot, is not seen.
pub(crate) fn file_circles(sources: &Sources) -> Vec<String> {
    let mut files = Graph::new();
    for mention in sources.mentions.iter().filter(|mention| mention.kind != Kind::Reexport) {
        for module in
            sources.resolve(&mention.module, &mention.segments).ends.iter().filter_map(|end| match end {
                End::Item(module) => Some(module),
                // In a body only `a::b::item` counts; a lone word that is called like a module is a variable.
                End::Module(module) => (mention.kind == Kind::Import).then_some(module),
                End::Outside(_) => None,
            })
        {
            let same_room = !module.is_empty() && module.first() == mention.module.first();
            let Some(target) = sources.modules.get(module).filter(|_| same_room) else { continue };
            if target.file != mention.file {
                let targets = files.entry(mention.file.clone()).or_default();
                targets.entry(target.file.clone()).or_insert_with(|| place(mention));
            }
        }
    }
    circles(&files).iter().map(|circle| format!("files in a circle: {}", told(circle, &files))).collect()
}

/// The core has no files, network, environment, threads, processes or clock.
pub(crate) fn outside_world(sources: &Sources) -> Vec<String> {
    let mut broken = BTreeSet::new();
    for mention in &sources.mentions {
        if let Some(clock) = mention.segments.iter().find(|name| CLOCKS.contains(&name.as_str())) {
            broken.insert(format!("{}: names {clock}", place(mention)));
        }
        for end in sources.resolve(&mention.module, &mention.segments).ends {
            let End::Outside(path) = end else { continue };
            let whole = path == ["std"] && mention.kind != Kind::Body;
            let part = path.first().is_some_and(|first| first == "std")
                && path.get(1).is_some_and(|second| OUTSIDE_WORLD.contains(&second.as_str()));
            if whole || part {
                broken.insert(format!("{}: names {}", place(mention), path.join("::")));
            }
        }
    }
    broken.into_iter().collect()
}

/// Clean text is made from stored text by one door: `from_store` is called within `redact`, and by
/// `model::seal`, whose `Trusted` only the `open` functions of `model` name.
pub(crate) fn doors(sources: &Sources) -> Vec<String> {
    let in_room = |mention: &Mention, room: &str| mention.module.first().is_some_and(|own| own == room);
    let in_seal = |mention: &Mention| mention.module == ["model", "seal"];
    let in_open = |mention: &Mention| {
        let opens = mention.function.as_ref().is_some_and(|name| name == "open" || name.starts_with("open_"));
        in_room(mention, "model") && (opens || mention.kind == Kind::Import)
    };
    let mut broken = Vec::new();
    for mention in &sources.mentions {
        let names = |name: &str| mention.segments.iter().any(|segment| segment == name);
        if names("from_store") && !in_room(mention, "redact") && !in_seal(mention) {
            broken
                .push(format!("{}: names from_store, which only redact and model::seal may", place(mention)));
        }
        if names("Trusted") && !in_seal(mention) && !in_open(mention) {
            broken.push(format!(
                "{}: names Trusted, which only the open functions of model may",
                place(mention)
            ));
        }
    }
    broken
}

fn place(mention: &Mention) -> String {
    format!("{}:{}", mention.file, mention.line)
}

/// A circle with the places where each names the next.
fn told(circle: &[String], graph: &Graph) -> String {
    let next = circle.iter().cycle().skip(1);
    let steps: Vec<String> =
        circle.iter().zip(next).map(|(from, to)| format!("{} names {to}", graph[from][to])).collect();
    steps.join(", ")
}
