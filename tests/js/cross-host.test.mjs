// The native command and the one of Node, word for word: the same arguments on the same files and the same
// store give the same bytes and the same exit status, whichever of them wrote the store.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { call, hosts, names, start } from "./hosts.mjs";
import { log, record } from "./logs.mjs";
import { bare } from "./sqlite-libraries.mjs";
import { plantedSecrets, sampleSession } from "../fixtures/sample-session.mjs";

const NOW = ["--now", "2026-03-10T12:00:00Z"];
const folder = mkdtempSync(join(tmpdir(), "throughline-hosts-"));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);
const file = (name, bytes) => {
  writeFileSync(at(name), bytes);
  return at(name);
};
const store = (path) => ["--store", `sqlite:${path}`];

/** Files of every kind that a command may be given. */
function files() {
  mkdirSync(at("folder"));
  file("sample.jsonl", sampleSession());
  file("short.jsonl", log("short", 3));
  file("ünï cödé.jsonl", record("ünï", 0, "é 漢字 🎈"));
  file("keyless.jsonl", `${JSON.stringify({ type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "hello" } })}\n`);
  file("torn.jsonl", log("torn", 4).slice(0, -25));
  file("crlf.jsonl", log("crlf", 3).replaceAll("\n", "\r\n"));
  file("empty.jsonl", "");
  file("blank.jsonl", "\n\n");
  file("binary.jsonl", Buffer.from(Array.from({ length: 4096 }, (_, number) => (number * 7919) % 256)));
  file("foreign.jsonl", `${JSON.stringify({ role: "user", content: "hello" })}\n`.repeat(3));
  file("text.jsonl", "just text\nand more\n");
  file("secrets.log", `\xff\xfe password: h\xfcnter2-and-more\nAuthorization: Bearer ${"s3cr3t-t0k3n-value"}\r\n`, "latin1");
  file("latin1.log", Buffer.from("caf\xe9 password: hunter2 \xff\n", "latin1"));
  file("exact", "correct-horse\n\nbattery-staple\n");
  file("short-exact", "correct-horse\n\nabc\n");
  file("request.json", JSON.stringify({ model: "m-1", system: ["Be brief."], tools: [{ name: "t", input_schema: {} }] }));
  file("wrong.json", JSON.stringify({ tools: [{ name: 7 }] }));
  file("torn.json", '{"tools": ');
  file("defaults.json", JSON.stringify({ token_checkpoint_threshold: "60000", checkpoint_function_id: "s:f" }));
  file("agent.json", JSON.stringify({
    agent_options: { checkpoint: { max_tokens: 7, memory: { "a b": [] } } },
    traits: [{ id: "t", checkpoint: { strict: true, model: "m" } }, { id: "u", checkpoint: false }],
  }));
  file("config.json", JSON.stringify({ checkpoint: { token_threshold: "many" } }));
  file("latin1.json", Buffer.from('{"model": "caf\xe9"}', "latin1"));
}

/** Both hosts on the same arguments: equal to the byte. Gives what they said. */
function same(words, options) {
  const [one, other] = names.map((host) => call(host, words, options));
  const shown = `throughline ${words.join(" ")}`;
  assert.equal(other.stderr, one.stderr, shown);
  assert.equal(other.stdout.toString("latin1"), one.stdout.toString("latin1"), shown);
  assert.equal(other.exit, one.exit, shown);
  assert.ok(!/panicked|at .*\.m?js:\d/.test(one.stderr), `${shown}: ${one.stderr}`);
  return { ...one, stdout: one.stdout.toString() };
}

/** Text and JSON alike. */
const both = (words, options) => [same(words, options), same([...words, "--json"], options)];

before(files);

test("usage, help and version", () => {
  const commands = ["redact", "rules", "hook", "ingest", "sessions", "checkpoints", "show", "recover", "prompt"];
  for (const command of commands) {
    assert.match(same([command, "--help"]).stdout, new RegExp(`Usage: throughline ${command} `));
    same([command, "--no-such-flag", "--json"]);
    same([command, "a", "b", "c", ...store(at("unused.db"))]);
  }
  for (const words of [["--store"], ["--store", "x.db"], ["--store", "sqlite:"], ["--store", "postgres://ada:hunter2@host/db"],
    ["--store", "mysql://host/db"], ["--now", "yesterday"], ["-x"]]) {
    both(["sessions", ...words]);
  }
  for (const words of [[], ["--help"], ["-V"], ["--version"], ["help"], ["sesions"], ["xyz"], ["--"], ["--", "--json"]]) both(words);
  for (const words of [
    ["sessions", "--limit"], ["sessions", "--limit", "0"], ["sessions", "--limit", "99999999999"],
    ["sessions", "--limit", "ten"], ["sessions", "--limit=2", "--limit=3"], ["sessions", "--json=1"],
    ["sessions", "--limitt", "3"], ["sessions", "--cursor", "x"], ["sessions", "--project", "-x"],
    ["recover", "--budget", "10"], ["recover", "--budget", "-1"], ["recover", "--budget=é"],
    ["prompt", "s", "--format", "xml"], ["prompt", "s", "--format"], ["show", "x"], ["show"], ["prompt"], ["ingest"],
    ["redact", "--mode", "odd"], ["redact", "--mode", "report_only"], ["rules", "no-such-rule"], ["rules", "private-k"],
    ["\u001b[31m"], ["rules", "a\nb"], ["x".repeat(300)],
  ]) {
    both([...words, ...store(at("unused2.db"))]);
  }
  assert.ok(!readdirSync(folder).some((name) => name === "unused2.db"), "nothing of it makes a store");
});

test("where the store is", () => {
  for (const [name, env] of Object.entries({
    home: { THROUGHLINE_HOME: at("home") },
    slash: { THROUGHLINE_HOME: `${at("home")}/` },
    variable: { THROUGHLINE_STORE: `sqlite:${at("named.db")}` },
    empty: { THROUGHLINE_STORE: "", THROUGHLINE_HOME: at("home") },
    wrong: { THROUGHLINE_STORE: "x.db" },
    user: { HOME: at("user") },
    relative: { THROUGHLINE_HOME: "some/where" },
    dots: { THROUGHLINE_STORE: "sqlite:./folder/../dots.db" },
  })) {
    const [text] = both(["sessions", ...NOW], { env, cwd: folder });
    assert.ok(text.exit === (name === "wrong" ? 2 : 0), `${name}: ${text.stderr}`);
  }
});

test("redact and rules", () => {
  both(["rules"]);
  const rules = JSON.parse(same(["rules", "--json"]).stdout);
  for (const { id } of rules.filter((_, number) => number % 25 === 0)) both(["rules", id]);
  for (const name of ["sample.jsonl", "secrets.log", "latin1.log", "binary.jsonl", "empty.jsonl", "none", "folder", "exact/x"]) {
    both(["redact", at(name)]);
    for (const mode of ["paranoid", "report_only"]) same(["redact", at(name), "--mode", mode, "--report"]);
  }
  for (const exact of ["exact", "short-exact", "latin1.log", "none", "folder"]) {
    both(["redact", at("secrets.log"), "--exact", at(exact)]);
  }
  for (const input of ["", "say battery-staple\npassword: hunter2\n", Buffer.from([0xff, 0, 10])]) {
    both(["redact"], { input });
    both(["redact", "-", "--report", "--exact", at("exact")], { input });
    both(["redact", "--exact", "-", "-"], { input });
  }
  same(["redact", "no\tsuch\nfile"]);
  same(["redact", "x".repeat(5000)]);
});

test("layers of options", () => {
  const layer = (flag, name) => [`--${flag}`, at(name)];
  for (const words of [[], layer("session", "defaults.json"), [...layer("session", "defaults.json"), ...layer("agent", "agent.json")],
    layer("config", "config.json"), layer("config", "torn.json"), layer("agent", "latin1.json"), layer("session", "none"), layer("agent", "folder")]) {
    both(["options", "resolve", ...words]);
  }
  both(["options", "list"]);
  both(["options"]);
});

for (const writer of names) {
  const reader = names.find((name) => name !== writer);

  describe(`a store that ${writer} wrote`, () => {
    const path = () => at(`by-${writer}.db`);
    const on = () => [...store(path()), ...NOW];
    let session;
    let checkpoints;

    before(() => {
      const logs = ["sample.jsonl", "short.jsonl", "ünï cödé.jsonl", "keyless.jsonl", "torn.jsonl", "crlf.jsonl"].map(at);
      const { exit, stdout, stderr } = call(writer, ["ingest", ...logs, "--json", ...on()]);
      assert.equal(exit, 0, stderr);
      const reports = JSON.parse(stdout);
      session = reports[0].session;
      checkpoints = reports.map(({ checkpoint }) => checkpoint);
      assert.equal(call(writer, ["ingest", at("short.jsonl"), "--agent", "reviewer", ...on()]).exit, 0);
    });

    test("lists, shows, recovers and prompts", () => {
      both(["sessions", ...on()]);
      for (const words of [["--limit", "2"], ["--agent", "reviewer"], ["--project", "/home/ada/./app/"], ["--harness", "none"]]) {
        both(["sessions", ...words, ...on()]);
      }
      const [, first] = both(["sessions", "--limit", "1", ...on()]);
      both(["sessions", "--cursor", JSON.parse(first.stdout)[0].cursor, ...on()]);
      both(["sessions", ...store(path()), "--now", "2026-03-01T09:00:10Z"]);
      both(["checkpoints", ...on()]);
      both(["checkpoints", session, "--limit", "1", ...on()]);
      for (const id of checkpoints) both(["show", id, ...on()]);
      for (const words of [[], ["--session", session], ["--session", "nobody"], ["--session", "short"], ["--budget", "200"],
        ["--project", "/home/dev/parcel"], ["--project", "/home/ada/app", "--agent", "reviewer"], ["--project", "/elsewhere"]]) {
        both(["recover", ...words, ...on()]);
      }
      for (const words of [[session], ["ünï"], ["torn"], ["nobody"], ["short"], ["short", "--agent", "reviewer"]]) {
        both(["prompt", ...words, ...on()]);
        same(["prompt", ...words, "--format", "anthropic", ...on()]);
      }
      for (const request of ["request.json", "wrong.json", "torn.json", "latin1.json", "none", "folder"]) {
        both(["prompt", session, "--request", at(request), ...on()]);
      }
      for (const words of [[session], ["torn"], ["nobody"], ["short"]]) {
        both(["compact", ...words, "--dry-run", ...on()]);
      }
      for (const words of [["checkpoints", "nobody"], ["show", "01890a5d-ac96-774b-bcce-b302099a8057"], ["show", "short"]]) {
        both([...words, ...on()]);
      }
    });

    test(`${reader} adds nothing that is there, and reads on where a log has grown`, () => {
      const copy = at(`grown-by-${reader}.db`);
      cpSync(path(), copy);
      const again = JSON.parse(call(reader, ["ingest", at("sample.jsonl"), "--json", ...store(copy), ...NOW]).stdout);
      assert.deepEqual([again[0].added, again[0].checkpoint], [0, null]);
      file("grown.jsonl", log("short", 5));
      const grown = JSON.parse(call(reader, ["ingest", at("grown.jsonl"), "--json", ...store(copy), ...NOW]).stdout);
      assert.deepEqual([grown[0].added, grown[0].unchanged], [2, 3]);
      both(["prompt", "short", "--agent", "", ...store(copy), ...NOW]);
    });

    test("none of the planted secrets is in its files", () => {
      for (const name of readdirSync(folder).filter((name) => name.startsWith(`by-${writer}.db`))) {
        const bytes = readFileSync(at(name));
        for (const { name: secret, fragments } of plantedSecrets) {
          for (const fragment of fragments) assert.ok(!bytes.includes(fragment), `${secret} in ${name}`);
        }
      }
    });
  });
}

/** A text with the ids that its own run made as numbers, in the order in which they are given. */
function normalised(text, ids) {
  return ids.reduce((text, id, number) => text.replaceAll(id, `<id ${number}>`), text);
}

test("what ingest says of logs, good and bad", () => {
  const said = names.map((host) => {
    const path = at(`ingest-${host}.db`);
    const on = [...store(path), ...NOW];
    const answers = [];
    let ids = [];
    const run = (words, options) => {
      const { exit, stdout, stderr } = call(host, ["ingest", ...words, ...on], options);
      const listed = JSON.parse(call(host, ["checkpoints", "--limit", "1000", "--json", ...on]).stdout).map(({ id }) => id);
      ids = [...ids, ...listed.filter((id) => !ids.includes(id)).sort()];
      answers.push({ words, exit, stdout: normalised(stdout.toString(), ids), stderr });
    };
    for (const json of [[], ["--json"]]) {
      for (const name of [
        "none", "empty.jsonl", "blank.jsonl", "binary.jsonl", "folder", "foreign.jsonl", "text.jsonl", "exact/x", "torn.jsonl",
        "crlf.jsonl", "keyless.jsonl", "sample.jsonl", "ünï cödé.jsonl",
      ]) {
        run([at(name), ...json]);
      }
      run([at("none"), at("short.jsonl"), at("empty.jsonl"), at("folder"), at("short.jsonl"), ...json]);
      run(["-", ...json], { input: log("piped", 2) });
      run(["-", "-", ...json], { input: "" });
      run([at("short.jsonl"), "--harness", "h", "--agent", "a", "--project", "/p", ...json]);
      run([at("short.jsonl"), "--harness", "", ...json]);
      run([at("short.jsonl"), "--agent", "x".repeat(600), ...json]);
    }
    assert.ok(ids.length >= 7, `${ids.length} checkpoints`);
    return answers;
  });
  for (const [index, answer] of said[0].entries()) assert.deepEqual(said[1][index], answer);
});

test("a store that cannot be used is refused alike, and left alone", () => {
  const newer = at("newer.db");
  call("native", ["ingest", at("short.jsonl"), ...store(newer), ...NOW]);
  const bytes = readFileSync(newer);
  bytes[63] = 99;
  writeFileSync(newer, bytes);
  const other = bare(at("foreign.db"));
  other.exec("CREATE TABLE sessions (id TEXT); INSERT INTO sessions VALUES ('mine');");
  other.close();
  const marked = bare(at("marked.db"));
  marked.exec("PRAGMA application_id = 7");
  marked.close();
  const damaged = at("damaged.db");
  call("native", ["ingest", at("sample.jsonl"), ...store(damaged), ...NOW]);
  const whole = readFileSync(damaged);
  writeFileSync(damaged, whole.fill(0xa5, 4096));
  file("text.db", "not a database at all\n");
  file("half.db", bytes.subarray(0, 50));
  const places = ["newer.db", "foreign.db", "marked.db", "damaged.db", "text.db", "half.db", "folder", "text.db/x.db"].map(at);
  const before = places.slice(0, 6).map((path) => readFileSync(path));
  const show = ["show", "01890a5d-ac96-774b-bcce-b302099a8057"];
  for (const path of [...places, "/proc/x.db", "/proc/none/x.db", "/dev/null", "/"]) {
    for (const words of [["ingest", at("short.jsonl")], ["sessions"], ["recover"], show]) {
      const text = same([...words, ...store(path), ...NOW]);
      assert.equal(text.exit, 3, `${path}: ${text.stderr}`);
    }
    same(["sessions", "--json", ...store(path), ...NOW]);
  }
  // Nothing stands there, so reading finds nothing, and writing fails.
  for (const path of [`${at("y")}/`, at("z".repeat(300))]) {
    assert.equal(same(["sessions", ...store(path), ...NOW]).exit, 0);
    assert.equal(same(["ingest", at("short.jsonl"), ...store(path), ...NOW]).exit, 3);
  }
  assert.deepEqual(places.slice(0, 6).map((path) => readFileSync(path)), before);
});

test("a store that another writer holds too long", async () => {
  const path = at("held.db");
  call("native", ["ingest", at("short.jsonl"), ...store(path), ...NOW]);
  const holder = bare(path);
  holder.exec("BEGIN IMMEDIATE");
  same(["sessions", ...store(path), ...NOW]);
  const words = ["ingest", at("torn.jsonl"), ...store(path), ...NOW, "--json"];
  const [one, other] = await Promise.all(names.map((host) => start(host, words)));
  holder.exec("ROLLBACK");
  holder.close();
  assert.match(one.stderr, /^throughline: storage_locked: /);
  assert.deepEqual(other, one);
});

const linux = { skip: process.platform !== "linux" && "needs Linux" };

test("a disk that is full", linux, () => {
  file("long.jsonl", log("long", 2000));
  for (const limit of [8, 400]) {
    const said = names.map((host) => {
      const path = at("limited.db");
      const { exit, stderr, stdout } = call(host, ["ingest", at("long.jsonl"), ...store(path), ...NOW], { limit });
      for (const name of readdirSync(folder).filter((name) => name.startsWith("limited.db"))) rmSync(at(name));
      return { exit, stderr, stdout: stdout.toString() };
    });
    assert.deepEqual(said[1], said[0]);
    assert.equal(said[0].exit, 3);
    assert.match(said[0].stderr, /^throughline: storage_full: /);
  }
});

test("an output that is full or closed, and an input that is a folder", linux, () => {
  file("big.log", "a line of text\n".repeat(200_000));
  const shell = (host, script, words) => {
    const { status, stderr } = spawnSync("bash", ["-c", script, "bash", ...hosts[host], ...words], { encoding: "utf8" });
    return { status, stderr };
  };
  for (const [script, status, code] of [
    ['"$@" > /dev/full', 3, "output_failed"],
    ['set -o pipefail; "$@" | head -c 10 > /dev/null', 0, ""],
    ['"$@" - < /', 2, "input_unreadable"],
  ]) {
    const words = script.includes("<") ? ["redact"] : ["redact", at("big.log")];
    const [one, other] = names.map((host) => shell(host, script, words));
    assert.deepEqual(other, one, script);
    assert.equal(one.status, status, script);
    assert.ok(one.stderr.includes(code) && (code !== "" || one.stderr === ""), one.stderr);
  }
});

test("three processes of both kinds lose nothing", async () => {
  const path = at("shared.db");
  const own = (number) => file(`own-${number}.jsonl`, log(`own-${number}`, 20));
  const all = file("all.jsonl", log("all", 40));
  const submit = `
    import { createHost } from "throughline-node";
    const engine = createHost({ store: process.argv[1] });
    for (let number = 0; number < 30; number += 1) {
      await engine.submitPrompt({ harness: "test", key: "prompts" }, process.argv[2] + number);
    }
    await engine.close();`;
  const submitter = (name) =>
    new Promise((resolve) => {
      const args = ["--input-type=module", "-e", submit, path, name];
      const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });
      child.on("close", (exit) => resolve({ exit, stderr: "" }));
    });
  // All of them find no store, and make it at once.
  const runs = ["native", "node", "native"].map(async (host, number) => {
    const done = [];
    for (const log of [own(number), all, own((number + 1) % 3)]) {
      done.push(await start(host, ["ingest", log, "--json", ...store(path)]));
    }
    return done;
  });
  const done = (await Promise.all([...runs, submitter("a"), submitter("b")])).flat();
  assert.deepEqual(done.filter(({ exit }) => exit !== 0), []);
  const added = done.filter(({ stdout }) => stdout).map(({ stdout }) => JSON.parse(stdout)[0].added);
  assert.equal(added.reduce((sum, count) => sum + count, 0), 3 * 20 + 40);
  const { stdout } = same(["sessions", "--json", ...store(path), ...NOW]);
  const counts = Object.fromEntries(JSON.parse(stdout).map(({ session, messages }) => [session, messages]));
  assert.deepEqual(counts, { "own-0": 20, "own-1": 20, "own-2": 20, all: 40, prompts: 60 });
  const texts = JSON.parse(same(["prompt", "prompts", "--json", ...store(path), ...NOW]).stdout).messages.map(({ parts }) => parts[0].text);
  assert.equal(new Set(texts).size, 60);
  for (const name of ["a", "b"]) {
    assert.deepEqual(texts.filter((text) => text.startsWith(name)), Array.from({ length: 30 }, (_, number) => `${name}${number}`));
  }
});
