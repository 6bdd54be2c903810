// `install`, `uninstall` and `watch` of the native command and the one of Node, beside each other: the same files, to
// the byte, but for the path of the program; and either takes out what the other put in.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { call, hosts, names } from "./hosts.mjs";
import { record } from "./logs.mjs";

const folder = mkdtempSync(join(tmpdir(), "throughline-install-"));
after(() => rmSync(folder, { recursive: true }));

const OTHERS = '{\r\n\t// mine\r\n\t"env": {"A": 1.0},\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}],},\r\n}';
const SETTINGS = { absent: undefined, empty: "", plain: '{\n  "model": "opus"\n}\n', others: OTHERS, line: '{"a": 1}' };
/** How a shell calls each. */
const program = { native: hosts.native[0], node: hosts.node.join(" ") };

/** A home folder with these settings. */
function home(name, text) {
  const path = mkdtempSync(join(folder, `${name}-`));
  mkdirSync(join(path, ".claude"));
  const settings = join(path, ".claude", "settings.json");
  if (text !== undefined) writeFileSync(settings, text, { mode: 0o640 });
  const run = (host, words) => {
    const { exit, stdout, stderr } = call(host, words, { env: { HOME: path, CLAUDE_CONFIG_DIR: "" }, cwd: path });
    return { exit, stdout: stdout.toString(), stderr };
  };
  const read = () => (existsSync(settings) ? readFileSync(settings, "utf8") : undefined);
  return { path, settings, run, read, names: () => readdirSync(join(path, ".claude")) };
}

/** What differs between two of them. */
const neutral = (text, { path }, host) => text?.replaceAll(program[host], "PROGRAM").replaceAll(path, "HOME");

for (const [name, text] of Object.entries(SETTINGS)) {
  test(`the same from both: ${name}`, () => {
    const said = names.map((host) => {
      const at = home(host, text);
      const steps = [];
      const step = (words) => {
        const { exit, stdout, stderr } = at.run(host, [...words, "claude-code"]);
        // The columns of a diff and hashes of files hold the path of the program.
        steps.push([exit, neutral(stdout, at, host), stderr, neutral(at.read(), at, host), at.names()]);
      };
      for (const words of [
        ["install", "--dry-run"], ["install", "--json"], ["install"], ["install", "--json"], ["uninstall", "--dry-run"], ["uninstall", "--json"],
        ["uninstall"], ["install", "--store", "sqlite:a b.db", "--agent", "it's"],
      ]) step(words);
      const last = at.read();
      writeFileSync(at.settings, `${last}\n// since\n`);
      step(["uninstall", "--json"]);
      return steps;
    });
    assert.deepEqual(said[1], said[0]);
    for (const [exit, , stderr] of said[0]) assert.deepEqual([exit, stderr], [0, ""]);
    assert.equal(said[0][5][3], text, "byte for byte");
    assert.equal(said[0][1][3].split("PROGRAM hook").length, 8);
  });
}

for (const [one, other] of [names, names.toReversed()]) {
  test(`${other} takes out what ${one} put in, and replaces it`, () => {
    const at = home(one, OTHERS);
    assert.equal(at.run(one, ["install", "claude-code"]).exit, 0);
    const mode = statSync(at.settings).mode;
    const { added, removed } = JSON.parse(at.run(other, ["install", "claude-code", "--json"]).stdout);
    assert.deepEqual([added.length, removed.length], [7, 7]);
    assert.ok(!at.read().includes(`${program[one]} hook`) && at.read().includes(`${program[other]} hook`));
    assert.equal(statSync(at.settings).mode, mode);
    assert.equal(at.run(one, ["uninstall", "claude-code"]).exit, 0);
    assert.equal(at.read(), OTHERS);
    assert.deepEqual(at.names(), ["settings.json"]);
  });
}

test("what is refused is refused alike, and left alone", () => {
  for (const text of ['{"a": 1,, }', "[]", '{"hooks": {"Stop": 1}}', "{} /*", "\0"]) {
    const said = names.map((host) => {
      const at = home("refused", text);
      const answers = ["install", "uninstall"].map((command) => at.run(host, [command, "claude-code", "--json"]));
      assert.equal(at.read(), text);
      assert.deepEqual(at.names(), ["settings.json"]);
      return answers.map(({ exit, stdout, stderr }) => [exit, neutral(stdout, at, host), neutral(stderr, at, host)]);
    });
    assert.deepEqual(said[1], said[0]);
    assert.match(said[0][0][2], /^throughline: settings_invalid: line 1, column /);
  }
  for (const words of [["install"], ["install", "codex"], ["uninstall", "x", "--dry-run"], ["install", "claude-code", "--settings", "/proc/none/x"],
    ["install", "claude-code", "--settings", "/"], ["install", "claude-code", "--settings="], ["install", "claude-code", "--store", "postgres://a:b@c/d"],
    ["watch"], ["watch", "/none"], ["watch", "/etc/passwd"]]) {
    const [one, two] = names.map((host) => home("words").run(host, words));
    assert.deepEqual(two, one, words.join(" "));
    assert.notEqual(one.exit, 0, words.join(" "));
  }
});

test("a link stays one", () => {
  for (const host of names) {
    const at = home(host);
    const real = join(at.path, "real.json");
    writeFileSync(real, "{}\n", { mode: 0o600 });
    symlinkSync("../real.json", at.settings);
    assert.equal(at.run(host, ["install", "claude-code"]).exit, 0);
    assert.ok(lstatSync(at.settings).isSymbolicLink() && readFileSync(real, "utf8").includes("hook"));
    assert.equal(statSync(real).mode & 0o777, 0o600);
    assert.equal(at.run(host, ["uninstall", "claude-code"]).exit, 0);
    assert.equal(readFileSync(real, "utf8"), "{}\n");
    rmSync(real);
    assert.equal(at.run(host, ["install", "claude-code"]).exit, 0);
    assert.ok(existsSync(real));
    assert.equal(at.run(host, ["uninstall", "claude-code"]).exit, 0);
    assert.ok(!existsSync(real) && lstatSync(at.settings).isSymbolicLink());
  }
});

/** `watch` of a host over a folder, and its events one by one. */
function watching(host, path) {
  const [file, ...rest] = [...hosts[host], "watch", "logs", "--store", "sqlite:watch.db"];
  const child = spawn(file, rest, { cwd: path, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const [lines, waiting] = [[], []];
  let torn = "";
  child.stdout.on("data", (piece) => {
    const parts = (torn + piece).split("\n");
    torn = parts.pop();
    for (const line of parts) {
      const event = JSON.parse(line);
      if (waiting.length > 0) waiting.shift()(event);
      else lines.push(event);
    }
  });
  const next = async (name) => {
    const event = lines.shift() ?? (await new Promise((resolve) => waiting.push(resolve)));
    assert.equal(event.file, `logs/${name}`);
    return event;
  };
  return {
    pid: child.pid,
    next,
    async added(name, count) {
      let added = 0;
      while (added < count) added += (await next(name)).added;
      assert.equal(added, count, name);
    },
    async end(signal) {
      child.kill(signal);
      assert.equal(await ended, 0);
      return lines;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

describe("watch", { timeout: 120_000 }, () => {
  for (const host of names) {
    test(`${host} keeps no file open that it does not read to its end`, { skip: !existsSync("/proc/self/fd") }, async () => {
      const path = mkdtempSync(join(folder, `open-${host}-`));
      const log = join(path, "logs", "a.jsonl");
      mkdirSync(dirname(log));
      writeFileSync(log, record("a", 0));
      const watch = watching(host, path);
      const open = () =>
        readdirSync(`/proc/${watch.pid}/fd`).filter((number) => {
          try {
            return readlinkSync(`/proc/${watch.pid}/fd/${number}`).includes("a.jsonl");
          } catch {
            return false;
          }
        });
      try {
        await watch.added("a.jsonl", 1);
        // Each time another file under the name, whose beginning is not what was read: it is left and begun again.
        for (let number = 1; number <= 4; number += 1) {
          writeFileSync(log, record(`other-${number}`, 0) + record(`other-${number}`, 1));
          await watch.added("a.jsonl", 2);
        }
        assert.deepEqual(open(), []);
      } finally {
        watch.kill();
      }
    });

    test(`${host} reads logs as they grow`, async () => {
      const path = mkdtempSync(join(folder, `watch-${host}-`));
      const append = (name, text) => {
        mkdirSync(dirname(join(path, "logs", name)), { recursive: true });
        appendFileSync(join(path, "logs", name), text);
      };
      append("a.jsonl", record("a", 0) + record("a", 1));
      const watch = watching(host, path);
      try {
        const first = await watch.next("a.jsonl");
        assert.deepEqual([first.session, first.added, typeof first.checkpoint], ["a", 2, "string"]);
        append("a.jsonl", record("a", 2) + record("a", 3).slice(0, 40));
        await watch.added("a.jsonl", 1);
        append("a.jsonl", record("a", 3).slice(40));
        await watch.added("a.jsonl", 1);
        append("new/deep/b.jsonl", record("b", 0));
        await watch.added("new/deep/b.jsonl", 1);
        append("other.jsonl", '{"role": "user"}\n');
        assert.equal((await watch.next("other.jsonl")).error.code, "format_unknown");
        renameSync(join(path, "logs", "a.jsonl"), join(path, "logs", "a.old"));
        writeFileSync(join(path, "logs", "a.jsonl"), record("c", 0) + record("c", 1));
        await watch.added("a.jsonl", 2);
        rmSync(join(path, "logs", "new"), { recursive: true });
        const gone = await watch.next("new/deep/b.jsonl");
        assert.deepEqual([gone.added, typeof gone.checkpoint], [0, "string"]);
        const last = await watch.end("SIGTERM");
        assert.deepEqual(last.map(({ session, checkpoint }) => [session, typeof checkpoint]), [["c", "string"]]);
      } finally {
        watch.kill();
      }
      const stored = (key) => JSON.parse(call("native", ["prompt", key, "--json", "--store", "sqlite:watch.db"], { cwd: path }).stdout).messages.length;
      assert.deepEqual(["a", "b", "c"].map(stored), [4, 1, 2]);
    });
  }
});
