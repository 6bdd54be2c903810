//! A PostgreSQL server of one test's own: in a folder that goes with it, reached by a socket in that folder, or
//! at a port of this machine with a password.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::{
    env, fs,
    io::Write as _,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

pub(crate) struct Server {
    programs: PathBuf,
    folder: TempDir,
    as_root: bool,
    port: u16,
}

/// The password of the user `postgres` at the port; with characters that an address writes otherwise.
const PASSWORD: &str = "p@ss/word?";
const WRITTEN: &str = "p%40ss%2Fword%3F";

/// Starts a server, or says why there is none: none where PostgreSQL is not installed, except in CI.
pub(crate) fn start() -> Option<Server> {
    let Some(programs) = programs() else {
        assert!(env::var_os("CI").is_none(), "PostgreSQL is missing, and CI must not go without");
        // Straight to the terminal: of a test that passes, `eprintln!` would not be shown.
        let why = b"skipped: no PostgreSQL under /usr/lib/postgresql (Debian: apt-get install postgresql)\n";
        std::io::stderr().write_all(why).unwrap();
        return None;
    };
    let folder = tempfile::Builder::new().prefix("throughline-pg-").tempdir().unwrap();
    let as_root = output(Command::new("id").arg("-u"), "").trim() == "0";
    if as_root {
        // The server refuses to run as root.
        output(Command::new("chown").arg("postgres").arg(folder.path()), "");
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = Server { programs, folder, as_root, port };
    let (data, word) = (server.data(), server.folder.path().join("password"));
    fs::write(&word, PASSWORD).unwrap();
    let word = format!("--pwfile={}", word.display());
    let auth = ["--auth-local=trust", "--auth-host=scram-sha-256", &word];
    server.run(
        "initdb",
        &[&["-D", &data, "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"][..], &auth]
            .concat(),
    );
    server.begin();
    Some(server)
}

/// The folder of the newest installed version's programs.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    let installed = folders.filter(|folder| folder.join("initdb").exists() && folder.join("psql").exists());
    installed.max_by_key(|folder| version_of(folder))
}

fn version_of(folder: &Path) -> Option<u32> {
    folder.parent()?.file_name()?.to_str()?.parse().ok()
}

impl Server {
    /// Starts the server, and waits until it answers.
    pub(crate) fn begin(&self) {
        let folder = self.folder.path();
        let options =
            format!("-k {} -p {} -c listen_addresses=127.0.0.1 -c fsync=off", folder.display(), self.port);
        let log = folder.join("log").display().to_string();
        self.run("pg_ctl", &["-D", &self.data(), "-w", "-l", &log, "-o", &options, "start"]);
    }

    /// Stops it, with all that its clients are about.
    pub(crate) fn end(&self, mode: &str) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", mode, "-w", "stop"]);
    }

    /// Makes a database, and gives its address.
    pub(crate) fn database(&self, name: &str) -> String {
        self.ask(&format!("CREATE DATABASE {name};"));
        self.address(name)
    }

    /// The address of a database.
    pub(crate) fn address(&self, database: &str) -> String {
        format!("postgres://postgres:{WRITTEN}@127.0.0.1:{}/{database}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = if self.as_root { Command::new("runuser") } else { Command::new(&program) };
        if self.as_root {
            command.args(["-u", "postgres", "--"]).arg(program);
        }
        command.current_dir(self.folder.path());
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        // A server keeps the output of the program that starts it open, so nothing waits for its end.
        let log = fs::File::create(self.folder.path().join(format!("{program}.out"))).unwrap();
        let (out, err) = (log.try_clone().unwrap(), log);
        let status = self.command(program).args(arguments).stdout(out).stderr(err).status().unwrap();
        let said = || fs::read_to_string(self.folder.path().join(format!("{program}.out"))).unwrap();
        assert!(status.success(), "{program} ended with {status}: {}", said());
    }

    /// Runs a script and gives what it answers, one line for each row.
    pub(crate) fn ask(&self, script: &str) -> String {
        self.ask_in("postgres", script)
    }

    /// Runs a script in a database.
    pub(crate) fn ask_in(&self, database: &str, script: &str) -> String {
        let mut psql = self.command("psql");
        let (folder, port) = (self.folder.path().display().to_string(), self.port.to_string());
        psql.args(["-h", &folder, "-p", &port, "-U", "postgres", "-d", database]);
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"])
            .env("PGCLIENTENCODING", "UTF8");
        output(&mut psql, script)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.data();
        let mut stop = self.command("pg_ctl");
        stop.args(["-D", &data, "-m", "immediate", "-w", "stop"]).stdout(Stdio::null()).stderr(Stdio::null());
        // Also when the test has failed, so there is nobody to tell.
        let _ = stop.status();
    }
}

/// The standard output of a command that is given `input` and must succeed.
fn output(command: &mut Command, input: &str) -> String {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let answer = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input.as_bytes()).unwrap());
        child.wait_with_output().unwrap()
    });
    let said = String::from_utf8_lossy(&answer.stderr);
    assert!(answer.status.success(), "{command:?} ended with {}: {said}", answer.status);
    String::from_utf8(answer.stdout).unwrap()
}
