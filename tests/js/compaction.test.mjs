// Compaction from JavaScript: options, the fold, the loop with a summarizer, over every storage of the tests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Engine, ThroughlineError, foldConversation, resolveOptions } from "throughline";
import { objectStorage } from "./object-storage.mjs";
import { steadyClock } from "./storages.mjs";

const casesOf = (group) => JSON.parse(readFileSync(new URL(`../vectors/${group}.json`, import.meta.url), "utf8")).cases;
const words = "line of code ".repeat(300);
const session = { harness: "claude-code", key: "s1" };

/** A log of turns with a long answer each. */
function log(turns) {
  const lines = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const of = (type, uuid, parentUuid, message) =>
      lines.push(JSON.stringify({ type, uuid, parentUuid, sessionId: "s1", cwd: "/w", timestamp: "2026-03-01T09:00:00Z", message }));
    of("user", `u${turn}`, turn ? `a${turn - 1}` : null, { content: `request ${turn}` });
    of("assistant", `a${turn}`, `u${turn}`, {
      id: `m${turn}`, model: "m", role: "assistant", stop_reason: "end_turn", content: [{ type: "text", text: words }],
    });
  }
  return `${lines.join("\n")}\n`;
}

async function engineWith(turns, storage = objectStorage()) {
  const engine = new Engine({ storage, clock: steadyClock() });
  await engine.ingest(log(turns));
  return engine;
}

test("options resolve as natively", () => {
  const cases = casesOf("compaction_options");
  assert.ok(cases.length >= 15);
  for (const { id, input, expect } of cases) {
    const { session: defaults, traits, agent, persisted } = input;
    const layers = { session: defaults, agent: { agent_options: { checkpoint: agent }, traits }, config: { checkpoint: persisted } };
    if (expect.error) {
      assert.throws(() => resolveOptions(layers), { name: "ThroughlineError", code: expect.error, path: expect.path }, id);
      continue;
    }
    assert.deepEqual(resolveOptions(layers), expect, id);
    const text = { session: JSON.stringify(defaults), agent: JSON.stringify(layers.agent), config: JSON.stringify(layers.config) };
    assert.deepEqual(resolveOptions(text), expect, `${id}, as text`);
  }
  assert.deepEqual(resolveOptions().options, { token_threshold: 50000 });
  assert.throws(() => resolveOptions({ agent: { traits: [{}] } }), { code: "option_invalid", path: "traits[0].id" });
  assert.throws(() => resolveOptions({ sessions: {} }), { code: "argument_invalid" });
});

test("without a summarizer the fold writes the summary, first for show and then for good", async () => {
  const engine = await engineWith(5);
  const before = await engine.prompt(session);
  const planned = await engine.compact(session, { dryRun: true });
  assert.deepEqual([planned.outcome, planned.applied, planned.checkpoint_id], ["planned", false, null]);
  assert.equal(await engine.prompt(session), before, "nothing was written");

  const done = await engine.compact(session);
  assert.deepEqual([done.outcome, done.source_id, done.anchor], ["compacted", "throughline:fold", "u4"]);
  assert.ok(done.after_tokens < done.before_tokens / 2);
  assert.deepEqual([done.kept_user_texts, done.replaced_user_texts], [4, 4]);
  const prompt = await engine.promptObject(session);
  assert.equal(prompt.boundary, done.checkpoint_id);
  for (let turn = 0; turn < 4; turn += 1) assert.ok(prompt.system[0].includes(`User: request ${turn}\n`));
  await assert.rejects(engine.compact(session), { code: "nothing_to_compact" });
});

test("a summarizer is called with its input, and its answer is scrubbed", async () => {
  const secret = ["ghp_", "R4nd0mFakeValueForTestsOnly012345678"].join("");
  const storage = objectStorage();
  const engine = await engineWith(5, storage);
  const calls = [];
  const answers = [new Error("no model"), { text: "half", truncated: true }, `A summary with ${secret}.`];
  const done = await engine.compact(session, {
    layers: { session: { checkpoint_function_id: "host:checkpoint" }, agent: { agent_options: { checkpoint: { max_tokens: 700 } } } },
    bindings: [{ id: "late", priority: 5, traitId: "memory" }, { id: "early", priority: 1, options: { a: 1 } }],
    summarizerWindows: { "": { tokens: 100_000, maxOutput: 500 } },
    async summarize(call) {
      calls.push(call);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  assert.deepEqual(calls.map(({ id, source, traitId }) => [id, source, traitId]), [
    ["early", "binding", null], ["late", "binding", "memory"], ["host:checkpoint", "function", null],
  ]);
  assert.deepEqual(calls[0].options, { a: 1, function_id: "host:checkpoint", max_tokens: 700, token_threshold: 50000 });
  assert.deepEqual([calls[0].model, calls[0].temperature, calls[0].maxTokens], ["class:fast", 0.2, 500]);
  assert.match(calls[0].input, /^## Conversation\n\n\[USER\] request 0\n\[ASSISTANT\] line of code /);
  assert.match(calls[0].input, /at most 450 tokens/);
  assert.deepEqual([done.outcome, done.source, done.source_id], ["compacted", "function", "host:checkpoint"]);
  const stored = storage.everything();
  assert.equal(stored.includes(secret), false);
  assert.match(stored, /"binding_id":"late","trait_id":"memory","error":"the summary was cut off/);
});

test("steps are due above the threshold, and failures leave everything as it was", async () => {
  const engine = await engineWith(5);
  const step = (contextTokens, more) => engine.compact(session, { cause: "step", reported: { contextTokens }, ...more });
  const layers = { agent: { agent_options: { checkpoint: { token_threshold: 1000, function_id: "host:f" } } } };
  const summarize = () => { throw new Error("no"); };
  assert.deepEqual(await step(1000, { layers, summarize }), { outcome: "not_due", tokens: 1000, estimated: false, diagnostics: [] });
  const whole = await step(1001, { layers, summarize });
  assert.deepEqual([whole.outcome, whole.error.code], ["send_whole", "summarizer_failed"]);
  const held = await step(1001, { layers, summarize });
  assert.deepEqual([held.outcome, held.diagnostics[0].code], ["not_due", "compaction_held_back"]);
  const folded = await step(undefined, { layers, summarize, fallback: true });
  assert.deepEqual([folded.outcome, folded.source_id, folded.diagnostics[0].code], ["compacted", "throughline:fold", "context_tokens_missing"]);
});

test("a prompt that does not fit is compacted or refused", async () => {
  const engine = await engineWith(5);
  const window = (tokens) => ({ cause: "outgoing", window: { tokens, maxOutput: 100 } });
  assert.equal((await engine.compact(session, window(100_000))).outcome, "not_due");
  const done = await engine.compact(session, window(3000));
  assert.deepEqual([done.outcome, done.mode, done.anchor], ["compacted", "exclusive", "m4"]);
  await assert.rejects(engine.compact(session, window(200)), { code: "prompt_exceeds_window" });
});

test("requests and the host's configuration are stored", async () => {
  const engine = await engineWith(5);
  await engine.setCompactionConfig(session, { enabled: false });
  await engine.requestCompaction(session);
  assert.equal((await engine.compact(session, { cause: "step" })).outcome, "not_due");
  await engine.setCompactionConfig(session, null);
  assert.equal((await engine.compact(session, { cause: "step" })).outcome, "compacted");
  assert.equal((await engine.compact(session, { cause: "step" })).outcome, "not_due");
  await assert.rejects(engine.setCompactionConfig(session, "[]"), { code: "option_invalid", path: "config.checkpoint" });
  await assert.rejects(engine.requestCompaction({ harness: "h", key: "nobody" }), { code: "session_unknown", path: "session" });
});

test("a counter of the host decides, and one that does not count stops everything", async () => {
  const engine = await engineWith(5);
  const done = await engine.compact(session, { dryRun: true, countTokens: (texts) => texts.map((text) => text.length) });
  assert.equal(done.estimated, false);
  assert.ok(done.before_tokens > 5 * words.length);
  for (const countTokens of [() => [], () => 7, (texts) => texts.map(() => 0.5), () => { throw new Error("no"); }]) {
    await assert.rejects(engine.compact(session, { countTokens }), { code: "counter_invalid", path: "countTokens" });
  }
  assert.equal((await engine.promptObject(session)).boundary, null);
});

test("what does not read is named", async () => {
  const engine = await engineWith(1);
  for (const [options, code, path] of [
    [{ causes: "step" }, "argument_invalid", "causes"],
    [{ cause: "now" }, "argument_invalid", "cause"],
    [{ reported: { contextTokens: -1 } }, "argument_invalid", "reported.contextTokens"],
    [{ layers: { config: {} } }, "argument_invalid", "config"],
    [{ layers: { agent: { agent_options: { checkpoint: { token_threshold: "x" } } } } }, "option_invalid", "agent_options.checkpoint.token_threshold"],
    [{ bindings: [{ id: "a" }, {}] }, "argument_invalid", "bindings[1].id"],
    [{ summarize: 7 }, "argument_invalid", "summarize"],
    [{ window: { tokens: 1 } }, "argument_invalid", "window.maxOutput"],
    [{ summarizerWindows: { m: 7 } }, "argument_invalid", "summarizerWindows.m"],
    [{ request: { models: 1 } }, "request_invalid", "request.models"],
  ]) {
    await assert.rejects(engine.compact(session, options), (error) => {
      assert.ok(error instanceof ThroughlineError, String(error));
      assert.deepEqual([error.code, error.path], [code, path], error.message);
      return true;
    });
  }
});

test("rows that a host kept are folded, scrubbed again", () => {
  const secret = ["hunt", "er2!x9"].join("");
  const row = (id, kind, text) => ({
    row: { id, kind, created_at: "2026-03-01T09:00:00Z", live: true, rules: 1 },
    parts: [{ row: id, index: 0, body: { type: "text", text } }],
  });
  const rows = [row("u", "user", `password: ${secret}`), row("a", "assistant", "ok")];
  const first = foldConversation({ rows });
  assert.match(first, /\nUser: password: \[REDACTED:[a-z-]+\]\nAnswer: ok\n$/);
  const second = foldConversation({ rows: JSON.stringify([row("u2", "user", "go on")]), previous: first });
  assert.equal(second, `${first}\nUser: go on\n`);
  assert.match(foldConversation({ rows: [], previous: first }, { keepBelow: 1 }), /left out here/);
  assert.throws(() => foldConversation({ rows: [{}] }), { code: "argument_invalid", path: "rows[0]" });
  assert.throws(() => foldConversation({ rows: [] }, { maxTokens: -1 }), { code: "argument_invalid", path: "maxTokens" });
});

test("what stands beside the rows is measured as it is sent", async () => {
  const engine = await engineWith(3);
  const plan = (options) => engine.compact(session, { dryRun: true, ...options });
  const [bare, full] = [await plan({}), await plan({ contexts: { named: { team: words }, memory: words } })];
  assert.ok(full.before_tokens >= bare.before_tokens + 1000, `${bare.before_tokens}, ${full.before_tokens}`);
  assert.equal(full.before_tokens - bare.before_tokens, full.after_tokens - bare.after_tokens);
  await assert.rejects(plan({ turn: {} }), { code: "argument_invalid", path: "turn" });
  await assert.rejects(plan({ rows: [] }), { code: "argument_invalid" });
});
