//! What the rules catch, and what they let pass, on small sources.

use crate::circles::{Graph, circles};
use crate::repository::{internal_dependencies, longer_than};
use crate::rules::{doors, file_circles, floors, outside_world};
use crate::source::Sources;

type Rule = fn(&Sources) -> Vec<String>;

fn broken(rule: Rule, files: &[(&str, &str)]) -> Vec<String> {
    rule(&Sources::parse(files).expect("the example can be parsed"))
}

#[track_caller]
fn catches(rule: Rule, files: &[(&str, &str)], wanted: &[&str]) {
    let found = broken(rule, files);
    assert_eq!(found, wanted, "in {files:?}");
}

#[track_caller]
fn passes(rule: Rule, files: &[(&str, &str)]) {
    catches(rule, files, &[]);
}

const ENGINE: (&str, &str) = ("engine.rs", "pub struct Engine; pub fn run() {}");

/// A way up from `model` to `engine`, in any spelling, is found at its line.
#[track_caller]
fn catches_way_up(model: &str, line: usize) {
    let wanted = format!("model/row.rs:{line}: model (floor 2) names engine (floor 5)");
    catches(floors, &[ENGINE, ("redact.rs", "pub struct Clean;"), ("model/row.rs", model)], &[&wanted]);
}

#[test]
fn use_with_a_way_up() {
    catches_way_up("use crate::engine::Engine;", 1);
    catches_way_up("\nuse crate::engine;", 2);
    catches_way_up("use crate::{redact::Clean, engine::Engine};", 1);
    catches_way_up("use crate::{\n    redact::{Clean, self},\n    engine::{self as e, Engine},\n};", 3);
    catches_way_up("use {crate::{{engine::{Engine}}}};", 1);
    catches_way_up("use crate::engine::*;", 1);
    catches_way_up("pub use crate::engine::Engine as Motor;", 1);
    catches_way_up("fn inner() {\n    use crate::r#engine::run as go;\n}", 2);
    catches_way_up("mod inner {\n    use super::super::super::engine::Engine;\n}", 2);
}

#[test]
fn climbing_out_of_the_room() {
    catches_way_up("use super::super::engine::Engine;", 1);
    catches_way_up("use self::super::super::engine::Engine;", 1);
    catches_way_up("fn f() { super::super::engine::run() }", 1);
    passes(floors, &[("model/row.rs", "use super::part::Part;"), ("model/part.rs", "pub struct Part;")]);
}

#[test]
fn paths_without_a_use() {
    catches_way_up("fn f() -> crate::engine::Engine { loop {} }", 1);
    catches_way_up("fn f() { crate::engine::run() }", 1);
    catches_way_up("fn f() { let crate::engine::Engine = x; }", 1);
    catches_way_up("impl Iterator for Row { type Item = Vec<crate::engine::Engine>; }", 1);
    catches_way_up("fn f() { <Vec<u8> as crate::engine::Go>::go() }", 1);
    catches_way_up("#[derive(Clone, crate::engine::Derive)]\nstruct Row;", 1);
    catches_way_up("struct Row { #[serde(with = \"crate::engine::hex\")] id: u8 }", 1);
    catches_way_up("#[doc(cfg(crate::engine::on))]\nstruct Row;", 1);
}

#[test]
fn paths_within_macros() {
    catches_way_up("fn f() { assert!(true,\n    \"{}\", crate::engine::run()) }", 2);
    catches_way_up("macro_rules! go { () => { $crate::engine::run() } }", 1);
    catches_way_up("go! { use crate::{redact::Clean, engine::{Engine}}; }", 1);
    catches_way_up("go! { use crate::engine::*; }", 1);
    catches_way_up("go! { { [ (super::super::engine::Engine) ] } }", 1);
    catches_way_up("use crate as c;\nfn f() { go!(c::engine::run()) }", 2);
}

#[test]
fn names_for_the_crate_and_names_passed_on() {
    catches_way_up("use crate as house;\nfn f() { house::engine::run() }", 2);
    catches_way_up("extern crate self as house;\nuse house::engine::Engine;", 2);
    catches_way_up("use super::super as up;\nfn f() { up::engine::run() }", 2);
    let root =
        ("lib.rs", "pub mod engine; pub mod model; pub use engine::Engine as Motor; pub use engine::*;");
    let wanted = ["model.rs:1: model (floor 2) names engine (floor 5)"];
    catches(floors, &[root, ENGINE, ("model.rs", "use crate::Motor;")], &wanted);
    catches(floors, &[root, ENGINE, ("model.rs", "fn f() { crate::run() }")], &wanted);
    let glob = ["model.rs:1: a glob of the crate root names every room"];
    catches(floors, &[root, ("model.rs", "use super::*;")], &glob);
    catches(floors, &[root, ("model.rs", "go! { use crate::*; }")], &glob);
}

#[test]
fn neighbours_and_the_ground_floor() {
    let turn = ("turn.rs", "pub struct Turn;");
    let wanted = ["prompt.rs:1: prompt (floor 3) names turn (floor 3)"];
    catches(floors, &[turn, ("prompt.rs", "use crate::turn::Turn;")], &wanted);
    let time = ("time.rs", "pub struct Timestamp;");
    passes(floors, &[time, ("id.rs", "use crate::time::Timestamp;")]);
    let circle = [
        ("id.rs", "use crate::time::Timestamp;"),
        ("time.rs", "use crate::text::cut; pub struct Timestamp;"),
        ("text.rs", "\nuse crate::id::RowId;"),
    ];
    let wanted = ["rooms in a circle: id.rs:1 names time, time.rs:1 names text, text.rs:2 names id"];
    catches(floors, &circle, &wanted);
}

#[test]
fn a_room_needs_a_floor() {
    let wanted = ["attic/mod.rs: the room attic has no floor; give it one in the table of floors"];
    catches(floors, &[("attic/mod.rs", ""), ("attic/box.rs", "")], &wanted);
    let wanted = ["model.rs:1: crate::attic is no room of the house"];
    catches(floors, &[("model.rs", "use crate::attic::Box;")], &wanted);
}

#[test]
fn ways_down_tests_and_documentation_pass() {
    passes(
        floors,
        &[
            ENGINE,
            (
                "model/mod.rs",
                "//! See [`Engine`](crate::engine::Engine).\n#[cfg(test)] mod properties; mod tests;",
            ),
            ("model/properties.rs", "use crate::engine::Engine;"),
            ("model/tests.rs", "use crate::engine::Engine;"),
            ("model/row.rs", "#[cfg(test)] mod inner { use crate::engine::Engine; }"),
            ("model/part.rs", "#[cfg(all(test, unix))] use crate::engine::Engine;"),
            ("host.rs", "use crate::{model::Row, redact::Clean}; fn f() { crate::json::parse() }"),
        ],
    );
    catches_way_up("#[cfg(not(test))]\nuse crate::engine::Engine;", 2);
    catches_way_up("#[cfg(any(test, unix))]\nuse crate::engine::Engine;", 2);
}

#[test]
fn files_in_a_circle() {
    let both = "files in a circle: model/a.rs:1 names model/b.rs, model/b.rs:1 names model/a.rs";
    let b = ("model/b.rs", "use super::a::A; pub struct B;");
    catches(file_circles, &[("model/a.rs", "use super::b::B; pub struct A;"), b], &[both]);
    catches(file_circles, &[("model/a.rs", "use crate::model::b as other; pub struct A;"), b], &[both]);
    catches(file_circles, &[("model/a.rs", "pub struct A(go!(super::b::B));"), b], &[both]);
    let parent = ("model/mod.rs", "mod a; mod b; pub use a::A; pub use b::*;");
    // Both names come by way of the parent, and still lead to the sibling.
    let by_parent = ("model/b.rs", "use super::A; pub struct B;");
    catches(file_circles, &[parent, ("model/a.rs", "use super::B; pub struct A;"), by_parent], &[both]);
    let three = "files in a circle: model/a.rs:1 names model/b.rs, model/b.rs:1 names model/c.rs, \
                 model/c.rs:1 names model/a.rs";
    catches(
        file_circles,
        &[
            ("model/a.rs", "use super::b::B; pub struct A;"),
            ("model/b.rs", "use super::c::C; pub struct B;"),
            ("model/c.rs", "use super::a::A; pub struct C;"),
        ],
        &[three],
    );
}

#[test]
fn parents_and_children_in_a_circle() {
    let child = ("model/row.rs", "use super::Part; pub struct Row;");
    let wanted = ["files in a circle: model/mod.rs:1 names model/row.rs, model/row.rs:1 names model/mod.rs"];
    catches(file_circles, &[("model/mod.rs", "mod row; use row::Row; pub struct Part;"), child], &wanted);
    catches(file_circles, &[("model/mod.rs", "mod row; pub struct Part(row::Row);"), child], &wanted);
    catches(
        file_circles,
        &[("model/mod.rs", "mod row; pub use row::Row; pub struct Part(Row);"), child],
        &wanted,
    );
    catches(
        file_circles,
        &[("model/mod.rs", "mod row; pub struct Part(Row); pub use row::*;"), child],
        &wanted,
    );
    let called = "mod row; pub use row::row; pub struct Part; fn f() { row() }";
    let function = ("model/row.rs", "use super::Part; pub fn row() {}");
    catches(file_circles, &[("model/mod.rs", called), function], &wanted);
    let glob = ("model/row.rs", "use super::*; pub struct Row;");
    catches(file_circles, &[("model/mod.rs", "mod row; use row::Row;"), glob], &wanted);
}

#[test]
fn parents_and_children_that_pass() {
    let child = ("model/row.rs", "use super::Part; pub struct Row; pub fn row() {}");
    passes(file_circles, &[("model/mod.rs", "mod row; pub use row::Row; pub struct Part;"), child]);
    passes(
        file_circles,
        &[
            ("model/mod.rs", "mod part; mod row; pub use part::Part; use row::Row; struct All(Row);"),
            ("model/part.rs", "pub struct Part;"),
            child,
        ],
    );
    // Variables that are called like a module or a function, and a name of the file's own.
    let variable =
        "mod row; pub use row::row; pub struct Part; fn f(row: u8) { go(row, x.row); go!(row, a.row()) }";
    passes(file_circles, &[("model/mod.rs", variable), child]);
    passes(
        file_circles,
        &[("model/mod.rs", "mod row; pub struct Part; fn f(row: u8) { go(row, x.row) }"), child],
    );
    passes(file_circles, &[("model/row.rs", "pub struct Row; mod sealed { use super::Row; }")]);
}

#[test]
fn the_outside_world() {
    let at_one = |what: &str| format!("text.rs:1: names {what}");
    for (text, what) in [
        ("use std::fs;", "std::fs"),
        ("use std::{vec::Vec, net::{TcpStream}};", "std::net::TcpStream"),
        ("use std::env as e;", "std::env"),
        ("fn f() { ::std::thread::spawn(g) }", "std::thread::spawn"),
        ("fn f() { go!(std::process::exit(1)) }", "std::process::exit"),
        ("use std::time::Duration;", "std::time::Duration"),
        ("extern crate std;", "std"),
        ("use std::*;", "std"),
        ("use web_time::{Instant as I};", "Instant"),
        ("fn f() { go!(web::SystemTime::now()) }", "SystemTime"),
    ] {
        catches(outside_world, &[("text.rs", text)], &[&at_one(what)]);
    }
    let wanted = ["text.rs:1: names std", "text.rs:2: names std::fs::read"];
    catches(outside_world, &[("text.rs", "extern crate std as s;\nfn f() { s::fs::read() }")], &wanted);
    passes(outside_world, &[("text.rs", "use core::time::Duration; #[cfg(test)] extern crate std;")]);
}

#[test]
fn the_doors_of_clean_text() {
    let wanted = |file: &str| format!("{file}:1: names from_store, which only redact and model::seal may");
    for call in [
        "Clean::from_store(x)",
        "x.map(Opaque::from_store)",
        "go!(Clean::from_store(x))",
        "<T>::from_store(x)",
    ] {
        let text = format!("fn open() {{ {call} }}");
        for file in ["engine.rs", "host/memory.rs", "model/row.rs"] {
            catches(doors, &[(file, &text)], &[&wanted(file)]);
        }
        passes(doors, &[("redact/clean/json.rs", &text), ("model/seal.rs", &text)]);
    }
    let wanted = |place: &str| format!("{place}: names Trusted, which only the open functions of model may");
    let model =
        "use super::seal::Trusted;\nfn open() { x.seal(&Trusted) }\nfn restore() { x.seal(&Trusted) }";
    catches(doors, &[("model/row.rs", model)], &[&wanted("model/row.rs:3")]);
    catches(doors, &[("engine.rs", "use crate::model::seal::Trusted as T;")], &[&wanted("engine.rs:1")]);
}

#[test]
fn hidden_source() {
    let text = "#[path = \"x.rs\"] mod a;\n#[macro_use] mod b;\ninclude!(\"c.rs\");";
    let wanted = ["#[path]", "#[macro_use]", "include!"].into_iter().enumerate();
    let wanted: Vec<_> = wanted
        .map(|(at, what)| format!("text.rs:{}: {what} hides source from these checks", at + 1))
        .collect();
    assert_eq!(Sources::parse(&[("text.rs", text)]).expect("it can be parsed").hidden, wanted);
    let error = Sources::parse(&[("text.rs", "\nfn f( {")]).err().expect("it cannot be parsed");
    assert!(error.starts_with("text.rs:2: "), "{error}");
}

#[test]
fn dependencies_of_a_package() {
    let workspace = "[workspace.dependencies]\nserde = '1'\nengine = { path = 'x', package = 'throughline' }";
    let manifest = "
        [dependencies]
        serde.workspace = true
        [dev-dependencies]
        engine.workspace = true
        [target.'cfg(unix)'.build-dependencies]
        throughline-wasm = { path = '../bindings' }";
    let found = internal_dependencies(manifest, workspace).expect("manifests can be read");
    assert_eq!(found, ["throughline-wasm", "throughline"]);
}

#[test]
fn long_files() {
    let files = [("a.rs".to_owned(), "\n".repeat(600)), ("b.rs".to_owned(), "\n".repeat(601))];
    assert_eq!(longer_than(600, &files), [(601, "b.rs")]);
    assert_eq!(longer_than(400, &files), [(601, "b.rs"), (600, "a.rs")]);
}

#[test]
fn circles_of_a_graph() {
    let edges = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "b"), ("d", "e"), ("d", "a")];
    let mut graph = Graph::new();
    for (from, to) in edges {
        graph.entry(from.to_owned()).or_default().insert(to.to_owned(), String::new());
    }
    let found: Vec<String> = circles(&graph).iter().map(|circle| circle.concat()).collect();
    // `abcd` shares its edges with the two.
    assert_eq!(found, ["ab", "bcd"]);
}
