//! A log of a coding agent, as JSON lines: prompts, answers, thinking with its signature, calls, and what tools print
//! (code, searches, builds, diffs, listings, settings as JSON in JSON). Clean, or with a secret every so many bytes.
use super::random::Random;
use serde_json::{Value, json};
use std::fmt::Write;

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const ALNUM: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &[u8] = b"0123456789abcdef";

#[rustfmt::skip] // A table.
const WORDS: &[&str] = &[
    "the", "parser", "drops", "last", "field", "when", "line", "ends", "with", "a", "comma", "and", "reader",
    "keeps", "state", "for", "each", "session", "so", "that", "token", "count", "stays", "below", "limit", "of",
    "request", "which", "is", "checked", "before", "we", "write", "file", "to", "disk", "if", "cache", "key",
    "changed", "then", "index", "must", "be", "built", "again", "in", "order", "tests", "pass", "after", "this",
    "change", "section", "describes", "how", "author", "sets", "path", "options", "value", "return", "error",
    "handler", "second", "run", "took", "longer", "because", "module", "was", "not", "loaded", "default",
];
#[rustfmt::skip] // A table.
const STEMS: &[&str] = &[
    "user", "session", "parser", "config", "buffer", "index", "record", "value", "handler", "request", "state",
    "token", "cache", "entry", "stream", "offset", "field", "result", "error", "path", "key", "worker", "queue",
    "event", "message", "chunk", "reader", "writer", "schema", "table", "column", "node", "edge", "graph",
];
#[rustfmt::skip] // A table.
const FOLDERS: &[&str] = &[
    "src", "lib", "core", "tests", "packages", "api", "internal", "components", "utils", "server", "client",
    "parser", "store", "hooks", "types", "cmd", "docs", "scripts",
];
const ENDINGS: &[&str] = &["rs", "ts", "tsx", "py", "go", "md", "json", "yaml", "toml", "sh", "css"];

/// What tools print, a kind a row: lines with blanks to fill in.
#[rustfmt::skip] // A table.
const OUTPUTS: &[&[&str]] = &[
    &[
        "    let {i} = self.{i}({i}, &{i})?; // {w} {w} {w}", "    if {i}.len() > {n} {", "        return Err(Error::new(\"{w} {w}\"));",
        "    }", "", "pub fn {i}(&self, {i}: &str) -> Result<Vec<{C}>, {C}> {", "    for ({i}, {i}) in {i}.iter().enumerate() {",
        "        {i}.push({C} { {i}: {n}, {i}: {i}.clone() });", "/// {w} {w} {w} {w} {w} {w}.", "use crate::{i}::{{C}, {C}};",
        "        assert_eq!({i}({n}, \"{w}-{n}\"), Some({n}));", "const {U}: usize = {n};",
    ],
    &[
        "import { {c}, {c} } from \"../{i}/{i}\";", "export async function {c}({c}: string, {c}?: number): Promise<{C}> {",
        "  const {c} = await {c}.get(`/{i}/${{c}}`);", "  if (!{c}) throw new Error('{w} {w} {w}');", "  return {c}.map(({c}) => ({ ...{c}, {c}: {n} }));",
        "}", "", "  // {w} {w} {w} {w}", "  {c}: z.string().min({n}),", "    expect({c}).toEqual({ {c}: '{w}', {c}: {n} });",
        "      <{C} key={{c}.id} onClick={() => {c}({n})} className=\"{w}-{w} {w}\" />", "  const token = await {c}.next();",
    ],
    &[
        "def {i}(self, {i}: str, {i}: int = {n}) -> dict[str, {C}]:", "    \"\"\"{w} {w} {w} {w}.\"\"\"", "    {i} = {i}.get(\"{i}\", {n})",
        "    for {i} in self.{i}:", "        if {i} is None or {i}[\"{i}\"] != {n}:", "            raise ValueError(f\"{w} {w}: {{i}}\")",
        "        yield {i}, {i}", "", "@pytest.fixture(name=\"{i}\")", "import {i}", "    return {\"{i}\": {i}, \"{i}\": self.{i}}",
    ],
    &["{p}:{n}:    {i} = {i}.{i}({n})", "{p}:{n}:// {w} {w} {w}", "{p}-{n}-", "--", "{p}:{n}:  \"{i}\": \"{w}\","],
    &[
        "   Compiling {w}-{w} v{n}.{n}.{n} (/home/dev/{p})", "test {i}::{i}::{i} ... ok", "  ✓ {w} {w} {w} {w} ({n} ms)",
        "warning: unused variable: `{i}`", "  --> {p}:{n}:{n}", "   |", "{n} | let {i} = {n};", "   = note: `#[warn(unused)]` on by default",
        "npm warn deprecated {w}@{n}.{n}.{n}: {w} {w} {w}", "{t} INFO {i}::{i}: {w} {w} {i}={n} {i}={w}",
        "[{t}] \"GET /{i}/{n}?page={n} HTTP/1.1\" 200 {n}", "Finished in {n}.{n}s",
    ],
    &[
        "diff --git a/{p} b/{p}", "index {h7}..{h7} 100644", "--- a/{p}", "+++ b/{p}", "@@ -{n},{n} +{n},{n} @@ fn {i}()",
        "-    let {i} = {i}({n});", "+    let {i} = {i}({n}, {i});", "     {i}.{i}();", "commit {h40}", "Author: Ann Example <ann@example.org>",
        "Date:   Mon Jan 5 10:{n}:11 2026 +0100", "    {w} {w} {w} {w}",
    ],
    &[
        "drwxr-xr-x  {n} dev dev   {n} Jan  5 10:11 {w}", "-rw-r--r--  1 dev dev  {n} Jan  5 10:11 {i}.rs", "{p}", "./{p}", "total {n}",
        "https://example.org/{w}/{w}/{n}?ref={w}#{w}", "{h40}  {p}", "{n}\t{p}",
    ],
    &[
        "{", "  \"name\": \"@{w}/{w}\",", "  \"version\": \"{n}.{n}.{n}\",", "  \"{i}\": { \"{c}\": \"^{n}.{n}.{n}\", \"{c}\": [\"{w}\", {n}] },",
        "  \"scripts\": { \"build\": \"tsc -p {w}.json && node {p}\" },", "      \"integrity\": \"sha512-{b86}==\",", "      \"resolved\": \"https://registry.example.org/{w}/-/{w}-{n}.{n}.{n}.tgz\",",
        "  \"{c}Id\": \"{u}\",", "}", "{w}:", "  {i}: {n}", "  - {w}-{w}", "  image: {w}/{w}:{n}.{n}",
    ],
];

/// A log of at least `bytes`. With `every`, a line with a secret stands in tool output about every so many bytes.
pub fn make(bytes: usize, every: Option<usize>) -> String {
    let mut log =
        Maker { random: Random::new(7), every, planted: 0, out: String::with_capacity(bytes + 65_536) };
    while log.out.len() < bytes {
        log.round();
    }
    log.out
}

struct Maker {
    random: Random,
    every: Option<usize>,
    planted: usize,
    out: String,
}

impl Maker {
    fn round(&mut self) {
        let prompt = self.prose(3);
        self.record("user", json!({"role": "user", "content": prompt}), None);
        let (thought, mut signature) = (self.prose(5), String::new());
        self.random.letters(BASE64, 700, &mut signature);
        self.answer(json!({"type": "thinking", "thinking": thought, "signature": signature}));
        let words = self.prose(4);
        self.answer(json!({"type": "text", "text": words}));
        for _ in 0..3 {
            let id = self.fill("toolu_01{a22}");
            let (path, word) = (self.fill("/home/dev/{p}"), self.fill("{w}"));
            let input = match self.random.below(3) {
                0 => json!({"file_path": path, "offset": self.random.below(900), "limit": 200}),
                1 => {
                    json!({"command": format!("cd {path} && cargo test -p {word} 2>&1 | tail -30"), "description": "Run the tests"})
                }
                _ => json!({"pattern": word, "path": path, "output_mode": "content", "-n": true}),
            };
            self.answer(json!({"type": "tool_use", "id": id, "name": "Bash", "input": input}));
            let lines = 10 + self.random.below(120);
            let text = self.output(lines);
            let kept = json!({"stdout": text, "stderr": "", "interrupted": false, "isImage": false});
            let content =
                json!([{"tool_use_id": id, "type": "tool_result", "content": text, "is_error": false}]);
            self.record("user", json!({"role": "user", "content": content}), Some(kept));
        }
    }

    fn answer(&mut self, block: Value) {
        let message = json!({
            "model": "claude-opus-4-5-20251101", "id": self.fill("msg_01{a22}"), "type": "message", "role": "assistant",
            "content": [block], "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": 10, "cache_creation_input_tokens": self.random.below(9000), "cache_read_input_tokens": 40660,
                "cache_creation": {"ephemeral_5m_input_tokens": 812, "ephemeral_1h_input_tokens": 0}, "output_tokens": 4, "service_tier": "standard"},
        });
        self.record("assistant", message, None);
    }

    fn record(&mut self, kind: &str, message: Value, result: Option<Value>) {
        let mut record = json!({
            "parentUuid": self.fill("{u}"), "isSidechain": false, "userType": "external", "cwd": "/home/dev/parcel",
            "sessionId": "6f1c2a9e-0000-4000-8000-000000000001", "version": "2.1.14", "gitBranch": "main",
            "type": kind, "message": message, "uuid": self.fill("{u}"), "timestamp": self.fill("{t}"),
        });
        if let Some(result) = result {
            record["toolUseResult"] = result;
        } else if kind == "assistant" {
            record["requestId"] = self.fill("req_01{a22}").into();
        }
        let _ = writeln!(self.out, "{record}");
    }

    fn prose(&mut self, sentences: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(sentences * 2) {
            let words = 6 + self.random.below(14);
            for place in 0..words {
                let word = self.random.pick(WORDS);
                text.push_str(if place == 0 { "" } else { " " });
                match self.random.below(24) {
                    0 => text.push_str(&self.fill("`{i}`")),
                    1 => text.push_str(&self.fill("{p}")),
                    2 => text.push_str(&self.fill("**{w}**:")),
                    _ => text.push_str(word),
                }
            }
            text.push_str(self.random.pick(&[". ", ".\n", ".\n\n- ", ": "]));
        }
        text
    }

    fn output(&mut self, lines: usize) -> String {
        let (kind, numbered) = (self.random.pick(OUTPUTS), self.random.below(3) == 0);
        let mut text = String::new();
        for line in 1..=lines {
            if numbered {
                let _ = write!(text, "{line:>6}→");
            }
            let template = self.random.pick(kind);
            text.push_str(&self.fill(template));
            text.push('\n');
            // The text goes into the log twice.
            if self.every.is_some_and(|_| self.out.len() + 2 * text.len() >= self.planted) {
                self.planted = self.out.len() + 2 * text.len() + 2 * self.every.unwrap_or(0);
                let secret = self.secret();
                text.push_str(&secret);
            }
        }
        text
    }

    /// A line with a secret of one of the usual kinds.
    fn secret(&mut self) -> String {
        let mut value = String::new();
        self.random.letters(ALNUM, 36, &mut value);
        let short = &value[..14];
        match self.random.below(6) {
            0 => format!("export GITHUB_TOKEN={}{value}\n", ["gh", "p_"].concat()),
            1 => format!("curl -H \"Authorization: Bearer {value}\" https://api.example.org/v1\n"),
            2 => format!("DATABASE_URL=postgres://app:{short}@db.internal:5432/main\n"),
            3 => format!("  \"client_secret\": \"{value}\",\n"),
            4 => format!("db_password: {short}7x\n"),
            _ => format!("ANTHROPIC_API_KEY={}{value}{value}AA\n", ["sk-a", "nt-api03-"].concat()),
        }
    }

    /// A template with its blanks filled in: `{w}` a word, `{i}` `{c}` `{C}` `{U}` identifiers, `{n}` a number, `{p}` a
    /// path, `{u}` a UUID, `{t}` a time, and with a length `{h}` hexadecimal digits, `{b}` base64, `{a}` letters and
    /// digits.
    fn fill(&mut self, template: &str) -> String {
        let mut text = String::with_capacity(template.len() * 2);
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            text.push_str(&rest[..open]);
            rest = &rest[open..];
            let end = rest.find('}').filter(|end| self.blank(&rest[1..*end], &mut text));
            match end {
                Some(end) => rest = &rest[end + 1..],
                None => {
                    text.push('{');
                    rest = &rest[1..];
                }
            }
        }
        text.push_str(rest);
        text
    }

    fn blank(&mut self, name: &str, text: &mut String) -> bool {
        let length = name.get(1..).and_then(|n| n.parse().ok()).unwrap_or(0);
        match name {
            "w" => text.push_str(self.random.pick(WORDS)),
            "n" => {
                let most = self.random.pick(&[10, 100, 1000, 10_000]);
                let _ = write!(text, "{}", self.random.below(most));
            }
            "i" | "c" | "C" | "U" => {
                let (a, mut b) = (self.random.pick(STEMS), self.random.pick(STEMS));
                if (a, b) == ("session", "token") {
                    b = "count"; // The one name of these under which every word would be a secret.
                }
                match name {
                    "i" if self.random.below(2) == 0 => text.push_str(a),
                    "i" => _ = write!(text, "{a}_{b}"),
                    "c" => _ = write!(text, "{a}{}{}", b[..1].to_uppercase(), &b[1..]),
                    "C" => _ = write!(text, "{}{}", a[..1].to_uppercase(), &a[1..]),
                    _ => _ = write!(text, "{}_{}", a.to_uppercase(), b.to_uppercase()),
                }
            }
            "p" => {
                for _ in 0..=self.random.below(3) {
                    _ = write!(text, "{}/", self.random.pick(FOLDERS));
                }
                _ = write!(text, "{}.{}", self.random.pick(STEMS), self.random.pick(ENDINGS));
            }
            "u" => {
                for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "-" });
                    self.random.letters(HEX, length, text);
                }
            }
            "t" => {
                let (minute, second) = (self.random.below(60), self.random.below(60));
                _ = write!(text, "2026-01-05T10:{minute:02}:{second:02}.{:03}Z", self.random.below(1000));
            }
            _ if length == 0 => return false,
            _ => match name.as_bytes()[0] {
                b'h' => self.random.letters(HEX, length, text),
                b'b' => self.random.letters(BASE64, length, text),
                b'a' => self.random.letters(ALNUM, length, text),
                _ => return false,
            },
        }
        true
    }
}
