//! Embeds every vector file, so that the suite runs where there is no disk.
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("vectors");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).expect("the folder of vectors is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut source = String::from("[\n");
    for file in &files {
        let name = file.file_name().expect("a file has a name").to_string_lossy();
        writeln!(source, "    ({name:?}, include_str!({:?})),", file.display().to_string())
            .expect("a string can be written to");
    }
    source.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("vectors.rs");
    fs::write(out, source).expect("the build folder can be written to");
}
