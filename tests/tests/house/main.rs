//! The rules of the house, checked on its own source: floors, circles, doors, lengths. `caught` shows of
//! each rule that it catches what it is for.
#![cfg(not(target_family = "wasm"))]

mod caught;
mod circles;
mod floors;
mod repository;
mod resolve;
mod rules;
mod source;
mod tokens;

use repository::root;
use source::Sources;
use std::fs;
use std::io::Write;

const LONGEST: usize = 600;
const LONG: usize = 400;

fn core() -> Sources {
    let files = repository::sources(&root().join("core/src"), &["rs"]).expect("the core can be read");
    assert!(files.len() > 20, "only {} files of the core were found", files.len());
    Sources::parse(&files).expect("the core can be parsed")
}

fn manifest(folder: &str) -> String {
    fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("the manifest can be read")
}

fn assert_none(broken: &[String]) {
    assert!(broken.is_empty(), "{} found, under core/src:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn rooms_name_only_floors_below() {
    assert_none(&rules::floors(&core()));
}

#[test]
fn files_of_a_room_form_no_circle() {
    assert_none(&rules::file_circles(&core()));
}

#[test]
fn the_core_does_not_touch_the_outside_world() {
    assert_none(&rules::outside_world(&core()));
}

#[test]
fn stored_text_is_opened_only_in_model() {
    assert_none(&rules::doors(&core()));
}

#[test]
fn no_source_is_hidden_from_these_checks() {
    assert_none(&core().hidden);
}

#[test]
fn packages_depend_downwards() {
    let workspace = manifest(".");
    let uppermost = ["throughline", "throughline-wasm"];
    for (folder, forbidden) in
        [("core", None), ("bindings", Some(&uppermost[..])), ("host-native", Some(&uppermost[..]))]
    {
        if !root().join(folder).join("Cargo.toml").exists() {
            continue;
        }
        let found =
            repository::internal_dependencies(&manifest(folder), &workspace).expect("manifests can be read");
        let wrong: Vec<_> = found
            .iter()
            .filter(|name| forbidden.is_none_or(|forbidden| forbidden.contains(&name.as_str())))
            .collect();
        assert!(wrong.is_empty(), "{folder} depends on {wrong:?}");
    }
}

#[test]
fn no_file_is_too_long() {
    let files = repository::counted().expect("the repository can be read");
    assert!(files.len() > 50, "only {} files were found", files.len());
    // Straight to the terminal: of a test that passes, `eprintln!` would not be shown.
    for (lines, name) in repository::longer_than(LONG, &files) {
        writeln!(std::io::stderr(), "{name} has {lines} lines: more than {LONG}, is it one idea?").unwrap();
    }
    let too_long = repository::longer_than(LONGEST, &files);
    assert!(too_long.is_empty(), "longer than {LONGEST} lines: {too_long:?}");
}
