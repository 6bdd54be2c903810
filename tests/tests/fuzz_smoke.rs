//! The fuzz targets, without a fuzzer: each over its seed corpus, and over random bytes and changed seeds.
#![cfg(not(target_family = "wasm"))]

use std::{fs, path::Path};
use throughline_tests::{
    fuzz::{TARGETS, Target},
    properties::Random,
};

const RANDOM_INPUTS: u64 = 10_000;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Random bytes, or a seed with pieces changed, doubled, left out and put in from another.
fn drawn(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    if random.chance(4) {
        return random.bytes(80);
    }
    let mut bytes = seeds[random.size(seeds.len())].clone();
    for _ in 0..=random.size(4) {
        let start = random.size(bytes.len() + 1);
        let end = (start + random.size(8)).min(bytes.len());
        let piece = match random.below(4) {
            0 => Vec::new(),
            1 => vec![random.next() as u8],
            2 => bytes[start..end].repeat(2),
            _ => {
                let other = &seeds[random.size(seeds.len())];
                other[random.size(other.len() + 1)..].iter().take(12).copied().collect()
            }
        };
        bytes.splice(start..end, piece);
    }
    bytes
}

fn smoke((name, target): Target) {
    let seeds = seeds(name);
    assert!(seeds.len() >= 5, "{name} has {} seeds", seeds.len());
    for (index, seed) in seeds.iter().enumerate() {
        target(seed).unwrap_or_else(|wrong| panic!("{name}, seed file {index}: {wrong}"));
    }
    for case in 0..RANDOM_INPUTS {
        let input = drawn(&mut Random::of(1, name, case), &seeds);
        let shown = String::from_utf8_lossy(&input);
        target(&input).unwrap_or_else(|wrong| panic!("{name}, case {case}, {shown:?}: {wrong}"));
    }
}

#[test]
fn every_target_holds() {
    for target in TARGETS {
        smoke(target);
    }
}

#[test]
fn every_target_is_known_to_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "fuzz/Cargo.toml has no target {name}");
        let source = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(source.contains(&format!("fuzz::{name}(")), "{name}.rs does not ask {name}");
    }
}
