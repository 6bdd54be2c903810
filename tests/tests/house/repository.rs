//! Rules for what is not the core's source: manifests and the length of files.

use std::path::{Path, PathBuf};
use std::{fs, io};
use toml::Table;

/// Folders of things that are made, fetched or data.
const SKIPPED: [&str; 7] =
    ["target", "node_modules", "dist", "out", "vectors", "fixtures", "proptest-regressions"];
const COUNTED: [&str; 7] = ["rs", "mjs", "js", "ts", "css", "html", "tsx"];

/// The checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package is in a folder of the workspace")
        .into()
}

/// The names of a manifest's dependencies, of any kind and for any target, that are packages of the
/// workspace. `workspace` is the manifest at the top.
pub(crate) fn internal_dependencies(manifest: &str, workspace: &str) -> Result<Vec<String>, toml::de::Error> {
    let manifest: Table = manifest.parse()?;
    let workspace: Table = workspace.parse()?;
    let shared =
        workspace.get("workspace").and_then(|table| table.get("dependencies")).and_then(|it| it.as_table());
    let targets = manifest.get("target").and_then(|it| it.as_table());
    let tables = targets.into_iter().flat_map(|targets| targets.values().filter_map(|it| it.as_table()));
    let mut found = Vec::new();
    for table in tables.chain([&manifest]) {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, dependency) in table.get(kind).and_then(|it| it.as_table()).into_iter().flatten() {
                let inherits = dependency.get("workspace").is_some();
                let dependency = if inherits { shared.and_then(|it| it.get(name)) } else { Some(dependency) };
                let Some(dependency) = dependency.filter(|it| it.get("path").is_some()) else { continue };
                let package = dependency.get("package").and_then(|it| it.as_str());
                found.push(package.unwrap_or(name).to_owned());
            }
        }
    }
    Ok(found)
}

/// Files of source under `folder`, from there, with their text. Sorted.
pub(crate) fn sources(folder: &Path, extensions: &[&str]) -> io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            // Links are not followed: they may lead out of the checkout.
            if entry.file_type()?.is_dir() {
                if !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|ending| extensions.iter().any(|wanted| ending == *wanted))
            {
                let from_folder = path.strip_prefix(folder).expect("found under the folder");
                let name = from_folder.components().map(|part| part.as_os_str().to_string_lossy());
                found.push((name.collect::<Vec<_>>().join("/"), fs::read_to_string(&path)?));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The lengths in lines of the files that are counted and longer than `limit`, the longest first.
pub(crate) fn longer_than(limit: usize, files: &[(String, String)]) -> Vec<(usize, &str)> {
    let lengths = files.iter().map(|(name, text)| (text.lines().count(), name.as_str()));
    let mut found: Vec<_> = lengths.filter(|(lines, _)| *lines > limit).collect();
    found.sort_by(|one, other| other.cmp(one));
    found
}

/// Every file of the repository whose length counts.
pub(crate) fn counted() -> io::Result<Vec<(String, String)>> {
    sources(&root(), &COUNTED)
}
