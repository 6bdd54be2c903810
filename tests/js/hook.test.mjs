// The contract of `hook`, on both executables: what each event does, what is answered, and that whatever goes
// wrong, the agent goes on and nothing is lost.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { hosts, names } from "./hosts.mjs";
import { Harness } from "./hooking.mjs";
import { bare } from "./sqlite-libraries.mjs";

const secret = ["ghp_", "Zq8vN2xKd7Lw4Tj9Bc1Rf6Hs3My5Pg0Ua", "XEk"].join("");
const made = [];
after(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
const harness = (host, options) => {
  const made_ = new Harness(host, options);
  made.push(made_.folder);
  return made_;
};

/** Nothing went wrong and nothing was said. */
const silent = { exit: 0, stdout: "", stderr: "" };
const quiet = ({ exit, stdout, stderr }) => ({ exit, stdout, stderr });
/** Something went wrong: the agent goes on, and one line says what. */
function fault(said, code) {
  assert.equal(said.exit, 0);
  assert.equal(said.stdout, "");
  assert.match(said.stderr, new RegExp(`^throughline: ${code}: [^\n]+\n$`));
}

/** What the harness documents: a context for the event that asked, and nothing else. */
function isAnswer(said, event) {
  assert.deepEqual({ exit: said.exit, stderr: said.stderr }, { exit: 0, stderr: "" });
  const answer = JSON.parse(said.stdout);
  assert.deepEqual(Object.keys(answer), ["hookSpecificOutput"]);
  assert.deepEqual(Object.keys(answer.hookSpecificOutput).sort(), ["additionalContext", "hookEventName"]);
  assert.equal(answer.hookSpecificOutput.hookEventName, event);
  const text = answer.hookSpecificOutput.additionalContext;
  assert.ok(text.length > 0 && text.length <= 9_500);
  return text;
}

/** A session with two prompts that has ended. */
function earlier(host) {
  const one = harness(host, { session: "11111111-earlier" });
  one.hook("SessionStart", { source: "startup" });
  one.hook("UserPromptSubmit", { prompt: "build the parser", prompt_id: "p1" });
  one.hook("UserPromptSubmit", { prompt: "and its tests", prompt_id: "p2" });
  one.hook("SessionEnd", { reason: "prompt_input_exit" });
  one.seconds = 60;
  return one;
}

/** Each event as the harness sends it; every one is taken without a word. */
const events = [
  ["SessionStart", { source: "startup", model: "claude-test-1" }],
  ["SessionStart", { source: "resume" }],
  ["SessionStart", { source: "clear" }],
  ["SessionStart", { source: "compact" }],
  ["SessionStart", { source: "fork" }],
  ["SessionStart", { source: "teleport" }],
  ["SessionStart", {}],
  ["UserPromptSubmit", { prompt: "fix the flaky test", prompt_id: "2f6c" }],
  ["UserPromptSubmit", { prompt: "without an id" }],
  ["UserPromptSubmit", { prompt: "" }],
  ["PreCompact", { trigger: "manual", custom_instructions: "keep the plan" }],
  ["PreCompact", { trigger: "auto", custom_instructions: "" }],
  ["PostCompact", { trigger: "auto", compact_summary: "We fixed a test." }],
  ["PostCompact", {}],
  ["Stop", { stop_hook_active: false, last_assistant_message: "Done." }],
  ["SubagentStop", { stop_hook_active: false, agent_id: "a7", agent_type: "Explore", agent_transcript_path: "/nowhere/agent-a7.jsonl" }],
  ["SessionEnd", { reason: "clear" }],
  ["SessionEnd", { reason: "resume" }],
  ["SessionEnd", { reason: "logout" }],
  ["SessionEnd", { reason: "prompt_input_exit" }],
  ["SessionEnd", { reason: "bypass_permissions_disabled" }],
  ["SessionEnd", { reason: "other" }],
  ["SessionEnd", { reason: "power_cut" }],
  ["PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } }],
  ["Notification", { message: "waiting" }],
  ["SomethingNew", { deep: [[[{ a: null }]]], number: 1e300 }],
];

for (const host of names) {
  describe(`hook, ${host}`, () => {
    for (const [name, rest] of events) {
      test(`${name} ${JSON.stringify(rest).slice(0, 60)}`, () => {
        const one = harness(host);
        assert.deepEqual(quiet(one.hook(name, { ...rest, field_of_tomorrow: { x: [1] } })), silent);
        const ignored = ["PreToolUse", "Notification", "SomethingNew"].includes(name);
        assert.equal(existsSync(one.store), !ignored);
      });
    }

    test("a start tells of the project's work, once", () => {
      const before = earlier(host);
      const one = before.beside("22222222-later");
      one.seconds = 60;
      const text = isAnswer(one.hook("SessionStart", { source: "startup" }), "SessionStart");
      assert.match(text, /^## Session Recovery Context\n/);
      assert.match(text, /- build the parser\n- and its tests/);
      one.seconds = 90;
      assert.deepEqual(quiet(one.hook("SessionStart", { source: "startup" })), silent);
      assert.deepEqual(quiet(one.hook("UserPromptSubmit", { prompt: "go on" })), silent);
      const elsewhere = before.beside("33333333-elsewhere");
      elsewhere.project = "/work/other";
      assert.deepEqual(quiet(elsewhere.hook("SessionStart", { source: "startup" })), silent);
    });

    test("resume, fork and clear are told nothing", () => {
      for (const source of ["resume", "fork", "clear", "teleport"]) {
        const one = earlier(host).beside("22222222-later");
        assert.deepEqual(quiet(one.hook("SessionStart", { source })), silent, source);
      }
    });

    test("behind a compaction a session is told of itself, and of nobody else", () => {
      const other = earlier(host);
      const one = other.beside("22222222-compacted");
      one.seconds = 60;
      one.hook("UserPromptSubmit", { prompt: "my own prompt" });
      one.write([one.typed("my own prompt"), one.said("I looked into it."), ...one.edited("/work/app/src/a.rs"), ...one.edited("/work/app/src/b.rs"), one.said("The parser is done.")]);
      assert.deepEqual(quiet(one.hook("PreCompact", { trigger: "auto" })), silent);
      const checkpoint = one.newest();
      assert.equal(checkpoint.trigger, "pre_compaction");
      assert.equal(checkpoint.context, "The parser is done.\n\nEdited: /work/app/src/a.rs, /work/app/src/b.rs");
      assert.deepEqual(quiet(one.hook("PostCompact", { compact_summary: "A summary." })), silent);
      const text = isAnswer(one.hook("SessionStart", { source: "compact" }), "SessionStart");
      assert.match(text, /my own prompt/);
      assert.doesNotMatch(text, /build the parser/);
      const bare_ = other.beside("44444444-new");
      assert.deepEqual(quiet(bare_.hook("SessionStart", { source: "compact" })), silent);
    });

    test("prompts are counted by hooks, each once, and no more by the log", () => {
      const one = harness(host);
      one.write([one.typed("from before the hooks"), one.said("yes")]);
      one.hook("SessionStart", { source: "resume" });
      for (const [prompt, prompt_id] of [["first", "a"], ["first", "a"], ["second", "b"], ["second", "c"], ["third"]]) {
        one.hook("UserPromptSubmit", { prompt, prompt_id });
        one.write([one.typed(prompt), one.said("ok")]);
        one.hook("Stop", { stop_hook_active: false });
      }
      one.hook("SessionEnd", { reason: "other" });
      const { total_prompts, recent_prompts } = one.newest();
      assert.equal(total_prompts, 4);
      assert.deepEqual(recent_prompts.map(({ text }) => text), ["first", "second", "second", "third"]);
      assert.equal(one.row().messages, 12);
      assert.equal(one.ask("ingest", one.log)[0].added, 0);
    });

    test("every tenth prompt a checkpoint", () => {
      const one = harness(host);
      for (let number = 1; number <= 21; number += 1) {
        one.seconds += 20;
        one.hook("UserPromptSubmit", { prompt: `prompt ${number}` });
      }
      assert.deepEqual(one.checkpoints(), ["periodic", "periodic"]);
      assert.equal(one.newest().total_prompts, 20);
    });

    test("a sub-agent's events read its log and do nothing else", () => {
      const one = harness(host);
      one.hook("UserPromptSubmit", { prompt: "mine" });
      const path = join(one.folder, "logs", one.session, "subagents", "agent-a7.jsonl");
      const agent = one.beside(one.session);
      agent.count = 100;
      one.write([agent.typed("look around"), agent.said("found it")], { path });
      const of = { agent_id: "a7", agent_type: "Explore", agent_transcript_path: path };
      assert.deepEqual(quiet(one.hook("SubagentStop", { ...of, stop_hook_active: false })), silent);
      for (const [name, rest] of [["UserPromptSubmit", { prompt: "not mine" }], ["PreCompact", { trigger: "auto" }], ["SessionEnd", { reason: "clear" }], ["SessionEnd", { reason: "other" }]]) {
        assert.deepEqual(quiet(one.hook(name, { ...of, ...rest })), silent);
      }
      assert.deepEqual(one.checkpoints(), []);
      assert.deepEqual([one.row().status, one.row().messages], ["idle", 0]);
      one.hook("SessionEnd", { reason: "other" });
      assert.equal(one.newest().total_prompts, 1);
      assert.equal(one.ask("prompt", one.session).messages.length, 0);
    });

    test("ends", () => {
      for (const reason of ["resume", "logout", "prompt_input_exit", "bypass_permissions_disabled", "other", "power_cut"]) {
        const one = harness(host);
        one.hook("UserPromptSubmit", { prompt: "a prompt" });
        one.hook("SessionEnd", { reason });
        one.hook("SessionEnd", { reason });
        assert.deepEqual([one.checkpoints(), one.row().status], [["session_end"], "ended"], reason);
        one.seconds = 5;
        one.hook("SessionStart", { source: "resume" });
        assert.equal(one.row().status, "idle");
      }
      const one = harness(host);
      one.hook("UserPromptSubmit", { prompt: "a prompt" });
      one.hook("PreCompact", { trigger: "manual" });
      one.seconds = 1;
      one.hook("SessionEnd", { reason: "clear" });
      assert.deepEqual([one.checkpoints(), one.row().status], [[], "ended"]);
    });

    test("input that is no event", () => {
      const one = harness(host);
      fault(one.hook("{"), "json_invalid");
      fault(one.hook(""), "json_invalid");
      fault(one.hook(Buffer.from([0xff, 0x00, 0x7b])), "json_invalid");
      fault(one.hook(`${"[".repeat(5000)}`), "json_too_deep");
      fault(one.hook("[]"), "event_invalid");
      fault(one.hook({ hook_event_name: "Stop" }), "event_invalid");
      fault(one.hook({ session_id: "s" }), "event_invalid");
      fault(one.hook({ session_id: "a\nb", hook_event_name: "Stop" }), "identifier_invalid");
      fault(one.hook({ session_id: secret, hook_event_name: "Stop" }), "secret_in_identifier");
      assert.equal(existsSync(one.store), false);
      assert.deepEqual(one.spool(), []);
    });

    test("a log that is missing, late or torn", () => {
      const one = harness(host);
      assert.deepEqual(quiet(one.hook("Stop", {})), silent);
      const record = JSON.stringify(one.typed("half of it"));
      mkdirSync(join(one.folder, "logs"));
      writeFileSync(one.log, record.slice(0, 60));
      assert.deepEqual(quiet(one.hook("Stop", {})), silent);
      assert.equal(one.row().messages, 0);
      writeFileSync(one.log, `${record}\n`);
      one.write([one.said("an answer")], { end: "" });
      assert.deepEqual(quiet(one.hook("Stop", {})), silent);
      assert.equal(one.row().messages, 1);
      one.write([], { end: "\n" });
      one.hook("Stop", {});
      assert.equal(one.row().messages, 2);
      rmSync(one.log);
      assert.deepEqual(quiet(one.hook("Stop", {})), silent);
      writeFileSync(one.log, `${record}\n`);
      assert.deepEqual(quiet(one.hook("Stop", {})), silent);
      assert.equal(one.row().messages, 2);
    });

    test("a path that may not be read", () => {
      const one = harness(host);
      one.write([one.typed("hello")]);
      const link = join(one.folder, "link.jsonl");
      symlinkSync(one.log, link);
      const pipe = join(one.folder, "pipe.jsonl");
      assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
      for (const [transcript_path, words] of [
        ["logs/x.jsonl", "is no absolute path"],
        [link, "is a symbolic link"],
        [pipe, "is no regular file"],
        [one.folder, "is no regular file"],
      ]) {
        const said = one.hook("UserPromptSubmit", { prompt: "counted all the same", transcript_path });
        fault(said, "input_unreadable");
        assert.ok(said.stderr.includes(words), said.stderr);
      }
      one.hook("SessionEnd", { reason: "other", transcript_path: null });
      assert.equal(one.newest().total_prompts, 4);
      assert.equal(one.row().messages, 0);
    });

    test("a log of another user", { skip: process.getuid?.() !== 0 && "only root may give a file away" }, () => {
      const one = harness(host);
      one.write([one.typed("hello")]);
      chownSync(one.log, 65534, 65534);
      const said = one.hook("UserPromptSubmit", { prompt: "counted" });
      fault(said, "input_unreadable");
      assert.match(said.stderr, /belongs to another user/);
      assert.equal(one.row().messages, 0);
    });

    test("rows belong to the event's session, whatever they say", () => {
      const one = harness(host);
      one.write([one.typed("hello", { sessionId: "99999999-other" })]);
      one.hook("Stop", {});
      assert.deepEqual(one.ask("sessions").map(({ session, messages }) => [session, messages]), [[one.session, 1]]);
    });

    test("a locked store: kept, and taken with the next event, in order and once", () => {
      const one = harness(host);
      one.hook("UserPromptSubmit", { prompt: "first" });
      const lock = bare(one.store);
      lock.exec("BEGIN IMMEDIATE");
      const since = Date.now();
      one.seconds = 1;
      fault(one.hook("UserPromptSubmit", { prompt: `second with ${secret}`, prompt_id: "p2" }), "storage_locked");
      const took = Date.now() - since;
      one.seconds = 2;
      fault(one.hook("UserPromptSubmit", { prompt: "third" }), "storage_locked");
      lock.exec("ROLLBACK");
      lock.close();
      assert.ok(took < 1_500, `${took} ms`);
      const kept = one.spool();
      assert.equal(kept.length, 2);
      for (const path of kept) {
        assert.equal(statSync(path).mode & 0o777, 0o600);
        assert.equal(readFileSync(path, "utf8").includes(secret), false);
      }
      one.seconds = 3;
      assert.deepEqual(quiet(one.hook("UserPromptSubmit", { prompt: "fourth" })), silent);
      assert.deepEqual(one.spool(), []);
      one.hook("SessionEnd", { reason: "other" });
      const texts = one.newest().recent_prompts.map(({ text }) => text);
      assert.deepEqual(texts, ["first", "second with [REDACTED:github-token]", "third", "fourth"]);
    });

    test("a start that the store refused is made up for", () => {
      const before = earlier(host);
      const one = before.beside("22222222-later");
      const lock = bare(one.store);
      lock.exec("BEGIN IMMEDIATE");
      one.seconds = 60;
      fault(one.hook("SessionStart", { source: "startup" }), "storage_locked");
      lock.exec("ROLLBACK");
      lock.close();
      one.seconds = 70;
      const text = isAnswer(one.hook("UserPromptSubmit", { prompt: "go on" }), "UserPromptSubmit");
      assert.match(text, /build the parser/);
      one.seconds = 80;
      assert.deepEqual(quiet(one.hook("UserPromptSubmit", { prompt: "go on" })), silent);
    });

    test("what waits is older than a clear", () => {
      const one = harness(host);
      one.hook("UserPromptSubmit", { prompt: "first" });
      const lock = bare(one.store);
      lock.exec("BEGIN IMMEDIATE");
      one.seconds = 1;
      one.hook("UserPromptSubmit", { prompt: "second" });
      lock.exec("ROLLBACK");
      lock.close();
      one.seconds = 2;
      one.ask("clear", one.session);
      one.seconds = 3;
      one.hook("UserPromptSubmit", { prompt: "third" });
      one.hook("SessionEnd", { reason: "other" });
      assert.deepEqual(one.newest().recent_prompts.map(({ text }) => text), ["third"]);
    });

    test("a full disk", () => {
      const one = harness(host);
      one.hook("UserPromptSubmit", { prompt: "first" });
      one.seconds = 1;
      fault(one.hook("UserPromptSubmit", { prompt: "second" }, { limit: 4 }), "storage_full");
      assert.equal(one.spool().length, 1);
      one.seconds = 2;
      assert.deepEqual(quiet(one.hook("SessionEnd", { reason: "other" })), silent);
      assert.deepEqual(one.newest().recent_prompts.map(({ text }) => text), ["first", "second"]);
      fault(one.hook("UserPromptSubmit", { prompt: "third" }, { limit: 0 }), "storage_(full|unavailable)");
      assert.deepEqual(one.spool(), [], "nothing torn stays behind");
    });

    test("a broken store", () => {
      const one = harness(host);
      one.hook("UserPromptSubmit", { prompt: "first" });
      const saved = join(one.folder, "saved");
      renameSync(one.home, saved);
      mkdirSync(one.home);
      writeFileSync(one.store, "not a database at all");
      one.seconds = 1;
      fault(one.hook("UserPromptSubmit", { prompt: "second" }), "storage_foreign");
      assert.equal(readFileSync(one.store, "utf8"), "not a database at all");
      renameSync(join(one.home, "spool"), join(saved, "spool"));
      rmSync(one.home, { recursive: true });
      renameSync(saved, one.home);
      one.seconds = 2;
      assert.deepEqual(quiet(one.hook("SessionEnd", { reason: "other" })), silent);
      assert.equal(one.newest().total_prompts, 2);
    });

    test("a home that cannot be written", { skip: process.getuid?.() === 0 && "root may write everywhere" }, () => {
      const one = harness(host);
      mkdirSync(one.home, { mode: 0o500 });
      fault(one.hook("UserPromptSubmit", { prompt: "first" }), "storage_unavailable");
      chmodSync(one.home, 0o700);
    });

    test("kill -9 at any moment", { timeout: 120_000 }, async () => {
      const one = harness(host);
      one.hook("UserPromptSubmit", { prompt: "prompt 0" });
      let acknowledged = 1;
      for (let number = 1; number <= 12; number += 1) {
        one.seconds += 1;
        one.write([one.typed(`prompt ${number}`), one.said("ok")]);
        const [file, ...words] = [...hosts[host], "hook", "--now", one.now()];
        const child = spawn(file, words, { env: { ...process.env, THROUGHLINE_HOME: one.home }, stdio: ["pipe", "ignore", "ignore"] });
        child.stdin.on("error", () => {});
        child.stdin.end(JSON.stringify(one.event("UserPromptSubmit", { prompt: `prompt ${number}`, prompt_id: `${number}` })));
        const timer = setTimeout(() => child.kill("SIGKILL"), number * (host === "native" ? 3 : 25));
        const exit = await new Promise((resolve) => child.on("close", resolve));
        clearTimeout(timer);
        // What the harness was not told of, it may tell again.
        if (exit !== 0) assert.deepEqual(quiet(one.hook("UserPromptSubmit", { prompt: `prompt ${number}`, prompt_id: `${number}` })), silent);
        acknowledged += 1;
      }
      one.hook("SessionEnd", { reason: "other" });
      assert.equal(one.newest().total_prompts, acknowledged);
      assert.equal(one.row().messages, 24);
      assert.equal(one.ask("doctor").ok, true);
    });

    test("wrong words never stop the agent", () => {
      const one = harness(host);
      const env = { THROUGHLINE_STORE: "x.db" };
      fault(one.hook("UserPromptSubmit", { prompt: "first" }, { env }), "store_invalid");
    });

    test("forgetting a session takes what hooks kept of it", () => {
      const one = harness(host);
      one.write([one.typed("hello")]);
      one.hook("Stop", {});
      const cursors = () => readdirSync(join(one.home, "cursors"), { recursive: true }).filter((name) => name.endsWith(".json"));
      assert.equal(cursors().length, 1);
      assert.equal(statSync(join(one.home, "cursors")).mode & 0o777, 0o700);
      assert.equal(one.ask("forget", one.session).files, 1);
      assert.deepEqual(cursors(), []);
    });

    test("no secret in anything that is kept", () => {
      const one = harness(host);
      one.write([one.typed(`token ${secret}`), one.said(`I saw ${secret}`), ...one.edited(`/work/${secret}/a.rs`)]);
      one.hook("UserPromptSubmit", { prompt: `use ${secret}` });
      one.hook("PreCompact", { trigger: "manual", custom_instructions: secret });
      one.hook("SessionEnd", { reason: "other" });
      const files = readdirSync(one.home, { recursive: true }).map((name) => join(one.home, name));
      const with_ = files.filter((path) => statSync(path).isFile() && readFileSync(path).includes(secret));
      assert.deepEqual(with_, []);
    });
  });
}
