//! The project a session works in, and the one form of its path.
use super::sha256_hex;
use alloc::string::String;
use alloc::vec::Vec;

/// A project path as it was given and in its one normalised form.
///
/// Normalisation is pure and total and touches no disk (`spec/checkpoints.md`, identity): `\` becomes `/`
/// in drive-letter and UNC paths, the drive letter is lower-cased, `.` and `..` are resolved, repeated and
/// trailing `/` go, `file://` URLs are decoded. A leading `..` that cannot be resolved stays; the root's
/// parent is the root. Case is kept. `//host/share` is the UNC form. A relative path that comes to nothing
/// is `.`, and one whose first name would read as a drive or UNC path keeps a `./` in front.
///
/// ```
/// use throughline_core::id::Project;
/// let project = Project::new("C:\\work\\.\\app\\").unwrap();
/// assert_eq!(project.normalized(), "c:/work/app");
/// assert_eq!(project, Project::new("C:\\work\\.\\app\\").unwrap());
/// assert!(Project::new("").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Project {
    raw: String,
    normalized: String,
}

impl Project {
    /// Takes a path or `file://` URL; the empty string is no project.
    pub fn new(path: &str) -> Option<Project> {
        (!path.is_empty()).then(|| Project { raw: path.into(), normalized: normalize(path) })
    }

    /// The path as it was given.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The normalised path.
    pub fn normalized(&self) -> &str {
        &self.normalized
    }

    /// The SHA-256 of the normalised path in hexadecimal, by which projects are looked up.
    pub fn hash(&self) -> String {
        sha256_hex(self.normalized.as_bytes())
    }
}

fn normalize(path: &str) -> String {
    match split_file_url(path) {
        Some((host, rest)) => normalize_path(&file_url_path(host, rest)),
        None => normalize_path(path),
    }
}

/// The host and the rest of a `file://` URL.
fn split_file_url(text: &str) -> Option<(&str, &str)> {
    let (scheme, after) = text.split_at_checked("file://".len())?;
    if !scheme.eq_ignore_ascii_case("file://") {
        return None;
    }
    after.split_at_checked(after.find('/').unwrap_or(after.len()))
}

fn file_url_path(host: &str, rest: &str) -> String {
    let path = percent_decode(rest);
    if host.is_empty() || host.eq_ignore_ascii_case("localhost") {
        // `file:///C:/work` names a drive, not a directory called `C:`.
        match path.strip_prefix('/') {
            Some(drive) if split_drive(drive).is_some_and(|(_, rest)| rest.is_empty() || is_rooted(rest)) => {
                drive.into()
            }
            _ if path.is_empty() => "/".into(),
            _ => path,
        }
    } else if split_drive(host).is_some_and(|(_, rest)| rest.is_empty()) {
        [host, &path].concat()
    } else {
        ["//", host, &path].concat()
    }
}

/// Decodes percent escapes. One that is not two hexadecimal digits stays, and where the bytes of a run are
/// no UTF-8, the run stays.
fn percent_decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, _)) = rest.split_once('%') {
        decoded.push_str(before);
        let run_start = rest.get(before.len()..).unwrap_or_default();
        let mut bytes = Vec::new();
        let mut after = run_start;
        while let Some((byte, next)) = take_escape(after) {
            bytes.push(byte);
            after = next;
        }
        let run_len = run_start.len().saturating_sub(after.len());
        match core::str::from_utf8(&bytes) {
            Ok(run) if run_len > 0 => decoded.push_str(run),
            _ => decoded.push_str(run_start.get(..run_len).unwrap_or_default()),
        }
        if run_len == 0 {
            decoded.push('%');
            after = after.strip_prefix('%').unwrap_or_default();
        }
        rest = after;
    }
    decoded.push_str(rest);
    decoded
}

fn take_escape(text: &str) -> Option<(u8, &str)> {
    let (digits, rest) = text.strip_prefix('%')?.split_at_checked(2)?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let byte = is_hex.then(|| u8::from_str_radix(digits, 16).ok())??;
    Some((byte, rest))
}

/// The drive letter of a path such as `C:\work`, and what follows the colon.
fn split_drive(path: &str) -> Option<(char, &str)> {
    let letter = path.chars().next().filter(char::is_ascii_alphabetic)?;
    Some((letter, path.get(1..)?.strip_prefix(':')?))
}

fn is_rooted(path: &str) -> bool {
    path.starts_with(['/', '\\'])
}

/// What follows the two slashes of a UNC path.
fn split_unc(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("\\\\").or_else(|| path.strip_prefix("//"))?;
    (!rest.is_empty() && !is_rooted(rest)).then_some(rest)
}

fn normalize_path(path: &str) -> String {
    if let Some((letter, rest)) = split_drive(path) {
        let rest = rest.replace('\\', "/");
        let root: String = [letter.to_ascii_lowercase(), ':'].into_iter().collect();
        return match rest.strip_prefix('/') {
            Some(rest) => join(&[&root, "/"].concat(), &resolve(rest, 0, false)),
            None => join(&root, &resolve(&rest, 0, true)),
        };
    }
    if let Some(rest) = split_unc(path) {
        let rest = rest.replace('\\', "/");
        let (host, rest) = rest.split_once('/').unwrap_or((&rest, ""));
        // The share is part of the root: no `..` leads out of it.
        let names = resolve(rest, 1, false);
        let root = if names.is_empty() { ["//", host].concat() } else { ["//", host, "/"].concat() };
        return join(&root, &names);
    }
    if let Some(rest) = path.strip_prefix('/') {
        return join("/", &resolve(rest, 0, false));
    }
    let relative = join("", &resolve(path, 0, true));
    if relative.is_empty() {
        ".".into()
    } else if split_drive(&relative).is_some() || split_unc(&relative).is_some() {
        ["./", &relative].concat()
    } else {
        relative
    }
}

/// The names of a path with `.` and `..` resolved; the first `fixed` names cannot be left, and only a
/// relative path keeps a `..` that leads out of it.
fn resolve(path: &str, fixed: usize, relative: bool) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.len() > fixed && names.last() != Some(&"..") => {
                names.pop();
            }
            ".." if relative => names.push(name),
            ".." => {}
            _ => names.push(name),
        }
    }
    names
}

fn join(root: &str, names: &[&str]) -> String {
    let mut path = String::from(root);
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            path.push('/');
        }
        path.push_str(name);
    }
    path
}
