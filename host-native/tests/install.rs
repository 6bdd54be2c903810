//! `install` and `uninstall` on real files: what is written, what is left alone, and what is there after all.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends at the first surprise"
)]

use serde_json::Value;
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

const SETTINGS: &str = "{\r\n\t// mine\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}],\r\n\t},\r\n}";

/// A home folder of its own.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn settings(&self) -> PathBuf {
        self.path(".claude/settings.json")
    }

    fn with(text: &str, mode: u32) -> Self {
        let home = Self::new();
        fs::create_dir(home.path(".claude")).unwrap();
        fs::write(home.settings(), text).unwrap();
        fs::set_permissions(home.settings(), fs::Permissions::from_mode(mode)).unwrap();
        home
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command.args(words).env("HOME", self.0.path()).current_dir(self.0.path());
        for name in ["THROUGHLINE_HOME", "THROUGHLINE_STORE", "CLAUDE_CONFIG_DIR"] {
            command.env_remove(name);
        }
        command.output().unwrap()
    }

    fn out(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{words:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.out(&[words, &["--json"]].concat())).unwrap()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn it_goes_in_once_and_comes_out_byte_for_byte() {
    let home = Home::with(SETTINGS, 0o640);
    let done = home.json(&["install", "claude-code"]);
    let file = home.settings().display().to_string();
    assert_eq!((&done["file"], &done["changed"]), (&file.as_str().into(), &true.into()));
    assert_eq!(done["added"].as_array().unwrap().len(), 7);
    assert_eq!(done["removed"], Value::Array(vec![]));
    let backup = done["backup"].as_str().unwrap();
    assert_eq!(fs::read_to_string(backup).unwrap(), SETTINGS);
    let command = done["command"].as_str().unwrap();
    assert_eq!(command, format!("{} hook", env!("CARGO_BIN_EXE_throughline")));
    let there = fs::read(home.settings()).unwrap();
    assert_eq!(there.windows(command.len()).filter(|text| *text == command.as_bytes()).count(), 7);
    assert_eq!((mode(&home.settings()), mode(Path::new(backup))), (0o640, 0o640));
    let again = home.json(&["install", "claude-code"]);
    assert_eq!((&again["changed"], &again["added"]), (&false.into(), &Value::Array(vec![])));
    assert_eq!(fs::read(home.settings()).unwrap(), there);
    let said = home.out(&["install", "claude-code"]);
    assert!(said.starts_with("already installed in ") && said.contains("To remove it:"), "{said}");
    let gone = home.json(&["uninstall", "claude-code"]);
    assert_eq!((&gone["changed"], &gone["restored"]), (&true.into(), &true.into()));
    assert_eq!(fs::read_to_string(home.settings()).unwrap(), SETTINGS);
    assert_eq!(mode(&home.settings()), 0o640);
    assert_eq!(home.names(".claude"), ["settings.json"]);
    assert!(home.out(&["uninstall", "claude-code"]).starts_with("nothing of Throughline is in "));
    assert!(!home.path(".throughline").exists(), "no store is made by that");
}

#[test]
fn a_file_that_was_edited_since_keeps_its_edits() {
    let home = Home::with(SETTINGS, 0o600);
    home.out(&["install", "claude-code"]);
    let edited = fs::read_to_string(home.settings()).unwrap().replace("opus", "haiku");
    fs::write(home.settings(), edited).unwrap();
    let gone = home.json(&["uninstall", "claude-code"]);
    assert_eq!((&gone["restored"], &gone["backup"]), (&false.into(), &Value::Null));
    assert_eq!(fs::read_to_string(home.settings()).unwrap(), SETTINGS.replace("opus", "haiku"));
    assert_eq!(home.names(".claude"), ["settings.json"]);
}

#[test]
fn a_file_that_was_not_there_is_made_and_goes_again() {
    let home = Home::new();
    let done = home.json(&["install", "claude-code"]);
    assert_eq!((&done["changed"], &done["backup"]), (&true.into(), &Value::Null));
    assert_eq!(home.names(".claude"), ["settings.json", "settings.json.throughline-backup.sha256"]);
    let said = home.out(&["uninstall", "claude-code"]);
    assert!(said.contains("the file was made by install, and is gone"), "{said}");
    assert_eq!(home.names(".claude"), [""; 0]);
}

#[test]
fn a_dry_run_shows_what_patch_does_and_changes_nothing() {
    let home = Home::with(&SETTINGS.replace("\r\n", "\n"), 0o600);
    let diff = home.out(&["install", "claude-code", "--dry-run"]);
    assert_eq!(home.names(".claude"), ["settings.json"]);
    assert_eq!(fs::read_to_string(home.settings()).unwrap(), SETTINGS.replace("\r\n", "\n"));
    assert_eq!(home.json(&["install", "claude-code", "--dry-run"])["diff"].as_str(), Some(diff.as_str()));
    fs::write(home.path("change.diff"), &diff).unwrap();
    let copy = home.path("copy.json");
    fs::copy(home.settings(), &copy).unwrap();
    home.out(&["install", "claude-code"]);
    match Command::new("patch").args([&copy, &home.path("change.diff")]).output() {
        Ok(patched) => {
            assert!(patched.status.success(), "{patched:?}");
            assert_eq!(fs::read(&copy).unwrap(), fs::read(home.settings()).unwrap());
        }
        Err(error) => eprintln!("skipped: patch cannot be run: {error}"),
    }
    let diff = home.out(&["uninstall", "claude-code", "--dry-run"]);
    assert!(diff.starts_with("--- ") && diff.contains("\n-"), "{diff}");
}

#[test]
fn a_dry_run_shows_no_secret_that_a_line_far_away_names() {
    let secret = ["q9x2Mn7pK4", "rT8wY1zL"].concat();
    let far = (0..20).map(|n| format!("  \"n{n}\": {n},\n")).collect::<String>();
    let text =
        format!("{{\n  \"env\": {{\"DB_PASSWORD\": \"{secret}\"}},\n{far}  \"note\": \"{secret}\"\n}}\n");
    let home = Home::with(&text, 0o600);
    let diff = home.out(&["install", "claude-code", "--dry-run"]);
    assert!(diff.contains("\"note\": \"[REDACTED:assignment]\"") && !diff.contains(&secret), "{diff}");
    home.out(&["install", "claude-code"]);
    assert!(fs::read_to_string(home.settings()).unwrap().contains(&format!("\"note\": \"{secret}\"")));
}

#[test]
fn a_link_stays_a_link() {
    let home = Home::new();
    fs::create_dir(home.path("dotfiles")).unwrap();
    fs::create_dir(home.path(".claude")).unwrap();
    let real = home.path("dotfiles/claude.json");
    fs::write(&real, "{}\n").unwrap();
    symlink("../dotfiles/claude.json", home.settings()).unwrap();
    home.out(&["install", "claude-code"]);
    assert!(fs::symlink_metadata(home.settings()).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("throughline hook"));
    assert_eq!(home.names("dotfiles"), ["claude.json"], "what is kept lies beside the link");
    home.out(&["uninstall", "claude-code"]);
    assert!(fs::symlink_metadata(home.settings()).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
    // One that names nothing: the file is made there, and goes again.
    fs::remove_file(&real).unwrap();
    home.out(&["install", "claude-code"]);
    assert!(real.exists());
    home.out(&["uninstall", "claude-code"]);
    assert!(!real.exists() && fs::symlink_metadata(home.settings()).unwrap().is_symlink());
}

#[test]
fn what_is_no_settings_file_is_left_alone() {
    for text in ["{\"a\": 1,, }", "[]", "{\"hooks\": []}", "caf\u{0}"] {
        let home = Home::with(text, 0o600);
        let output = home.run(&["install", "claude-code"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with("throughline: settings_invalid: line 1, column "), "{stderr}");
        assert_eq!(fs::read_to_string(home.settings()).unwrap(), text);
        assert_eq!(home.names(".claude"), ["settings.json"]);
    }
    let home = Home::new();
    fs::create_dir_all(home.settings()).unwrap();
    let stderr = home.run(&["install", "claude-code"]).stderr;
    assert!(String::from_utf8_lossy(&stderr).starts_with("throughline: input_unreadable: "));
}

#[test]
fn an_entry_of_another_installation_is_replaced() {
    let home = Home::with("{}", 0o600);
    let first = home.json(&["install", "claude-code", "--store", "sqlite:a.db"]);
    let expected = format!("--store sqlite:{}/a.db", fs::canonicalize(home.0.path()).unwrap().display());
    assert!(first["command"].as_str().unwrap().ends_with(&expected), "{first}");
    let second = home.json(&["install", "claude-code"]);
    assert_eq!(second["removed"].as_array().unwrap().len(), 7);
    let text = fs::read_to_string(home.settings()).unwrap();
    assert_eq!((text.matches("throughline hook").count(), text.contains("a.db")), (7, false));
    home.out(&["uninstall", "claude-code"]);
    assert_eq!(fs::read_to_string(home.settings()).unwrap(), "{}");
}

#[test]
fn the_configuration_of_checkpoints_goes_into_the_command() {
    let home = Home::new();
    fs::write(home.path("often.json"), r#"{"promptInterval": 3}"#).unwrap();
    let done = home.json(&["install", "claude-code", "--continuity", "often.json"]);
    let command = done["command"].as_str().unwrap();
    assert!(command.ends_with(&format!(" --continuity {}", home.path("often.json").display())), "{command}");
    fs::write(home.path("wrong.json"), r#"{"promptInterval": "3"}"#).unwrap();
    let refused = home.run(&["install", "claude-code", "--continuity", "wrong.json"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_program_by_another_name_says_so() {
    let home = Home::with("{}", 0o600);
    let other = home.path("tl-nightly");
    fs::copy(env!("CARGO_BIN_EXE_throughline"), &other).unwrap();
    let run = |program: &Path| {
        let mut command = Command::new(program);
        command.args(["install", "claude-code"]).env("HOME", home.0.path()).current_dir(home.0.path());
        command.env_remove("CLAUDE_CONFIG_DIR").output().unwrap()
    };
    let refused = run(&other);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3));
    assert!(
        stderr.starts_with("throughline: program_unknown: ") && stderr.contains("tl-nightly"),
        "{stderr}"
    );
    assert_eq!(home.names(".claude"), ["settings.json"]);
    fs::hard_link(&other, home.path("throughline")).unwrap();
    assert!(run(&home.path("throughline")).status.success());
}

#[test]
fn the_only_backup_of_settings_that_are_gone_stays() {
    let home = Home::with(SETTINGS, 0o600);
    let backup = home.json(&["install", "claude-code"])["backup"].clone();
    fs::remove_file(home.settings()).unwrap();
    let kept = || assert_eq!(fs::read_to_string(backup.as_str().unwrap()).unwrap(), SETTINGS);
    let nothing = home.json(&["uninstall", "claude-code"]);
    assert_eq!((&nothing["changed"], &nothing["backup"]), (&false.into(), &backup));
    assert!(
        home.out(&["uninstall", "claude-code"])
            .contains(&format!("backup     {} stays", backup.as_str().unwrap()))
    );
    kept();
    let output = home.run(&["install", "claude-code"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.contains(backup.as_str().unwrap()), "{stderr}");
    kept();
    let gone = home.json(&["uninstall", "claude-code"]);
    assert_eq!((&gone["restored"], &gone["backup"]), (&true.into(), &backup));
    assert!(!home.settings().exists());
    kept();
}

#[test]
fn an_installation_that_is_cut_short_can_be_taken_back() {
    let home = Home::with(SETTINGS, 0o600);
    home.out(&["install", "claude-code"]);
    // Beside a file with the longest of names none can be written.
    let long = "x".repeat(255);
    fs::rename(home.settings(), home.path(".claude").join(&long)).unwrap();
    symlink(&long, home.settings()).unwrap();
    let cut = home.run(&["install", "claude-code", "--store", "sqlite:a.db"]);
    let stderr = String::from_utf8_lossy(&cut.stderr);
    assert!(stderr.starts_with("throughline: output_failed: "), "{stderr}");
    fs::remove_file(home.settings()).unwrap();
    fs::rename(home.path(".claude").join(&long), home.settings()).unwrap();
    assert_eq!(home.json(&["uninstall", "claude-code"])["restored"], true);
    assert_eq!(fs::read_to_string(home.settings()).unwrap(), SETTINGS);
    assert_eq!(home.names(".claude"), ["settings.json"]);
}
