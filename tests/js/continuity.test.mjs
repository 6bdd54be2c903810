// Checkpoints that wait, are told once, and go: the engine's methods, and the timer of the host on Node.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Engine, resolveContinuity } from "throughline";
import { createHost } from "throughline-node";
import { objectStorage } from "./object-storage.mjs";

const folder = mkdtempSync(join(tmpdir(), "throughline-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const session = { harness: "my-harness", key: "s1" };
const secret = ["hunt", "er2!x9"].join("");

/** A clock that is set by hand, in milliseconds. */
function dial() {
  const start = Date.parse("2026-06-01T10:00:00Z");
  let now = start;
  return { clock: () => now, at: (millis) => (now = start + millis), start };
}

test("a configuration is read, clamped with a warning, or refused by name", () => {
  const { options, warnings } = resolveContinuity({ prompt_interval: 0, retentionDays: 30 });
  assert.equal(options.retentionDays, 30);
  assert.deepEqual(warnings, [{ field: "promptInterval", given: "0", used: 1 }]);
  assert.deepEqual(resolveContinuity(null), resolveContinuity("{}"));
  assert.throws(() => resolveContinuity({ promptInterval: "10" }), {
    code: "continuity_invalid",
    path: "continuity.promptInterval",
  });
  const engine = new Engine({ continuity: { timeIntervalMs: 1 } });
  assert.equal(engine.continuity.options.timeIntervalMs, 60_000);
  assert.equal(engine.continuity.warnings.length, 1);
});

for (const queue of ["journaled", "buffered"]) {
  test(`a draft waits for its window, ${queue}`, async () => {
    const { clock, at, start } = dial();
    const engine = new Engine({ storage: objectStorage(), clock, queue, continuity: { promptInterval: 2 } });
    assert.equal(await engine.nextDeadline(), null);
    await engine.submitPrompt(session, "one");
    assert.equal(await engine.nextDeadline(), start + 900_000);
    await engine.submitPrompt(session, `two, password: ${secret}`);
    assert.equal(await engine.nextDeadline(), start + 2_500);
    assert.deepEqual(await engine.tick(), { written: [], queued: [], failed: null });
    at(2_500);
    const { written } = await engine.tick();
    assert.equal(written.length, 1);
    const row = await engine.checkpoint(written[0]);
    assert.deepEqual([row.trigger, row.prompt_count], ["periodic", 2]);
    assert.equal(JSON.stringify(row).includes(secret), false);
    assert.equal(await engine.nextDeadline(), null);
  });
}

test("activities count without rows, and what is cleared stays away", async () => {
  const { clock, at, start } = dial();
  const engine = new Engine({ storage: objectStorage(), clock });
  const recorded = await engine.record(session, [{ prompt: "go on" }, { query: "where" }, { remember: "there" }], {
    project: "/work/app",
  });
  assert.deepEqual(recorded, { counted: true, effects: [] });
  const taken = await engine.takeCheckpoint(session, "agent", {
    note: "half way",
    structural: { focal_entities: ["parser"], traversal_memories: 3 },
  });
  assert.deepEqual([taken.written, taken.reason], [false, "queued"]);
  assert.deepEqual(await engine.flushSession(session), [taken.id]);
  assert.match((await engine.checkpoint(taken.id)).digest, /### Note\nhalf way\n\n### Structural Context\nFocal entities: parser/);
  at(1_000);
  assert.deepEqual(await engine.clear(session), { checkpoints: 1, drafts: 0, messages: 0 });
  const late = await engine.record(session, [{ prompt: "out of the spool" }], { at: start + 900 });
  assert.equal(late.counted, false);
  assert.equal((await engine.recover({ session })).found, false);
  const end = await engine.takeCheckpoint(session, "session_end", { at: new Date(start) });
  assert.deepEqual([end.written, end.reason], [false, "cleared"]);
  await engine.forget(session);
  await assert.rejects(engine.clear(session), { code: "session_unknown", path: "session" });
  assert.deepEqual(await engine.prune(), { checkpoints: 0, drafts: 0, states: 0, deliveries: 0 });
});

test("a session is told once", async () => {
  const { clock, at } = dial();
  const engine = new Engine({ storage: objectStorage(), clock });
  await engine.submitPrompt(session, "one", { project: "/work/app" });
  const receiver = { harness: "my-harness", key: "s2" };
  const offer = () => engine.offer(receiver, { project: "/work/app" });
  const first = await offer();
  assert.equal(first.found, true);
  assert.equal((await offer()).found, false);
  at(5_000);
  assert.equal((await offer()).checkpoint, first.checkpoint);
  await engine.delivered(receiver, first.checkpoint);
  at(50_000);
  assert.equal((await offer()).found, false);
});

test("checkpoints that are turned off say so", async () => {
  const engine = new Engine({ continuity: { enabled: false } });
  await engine.submitPrompt(session, "one");
  const taken = await engine.takeCheckpoint(session, "explicit");
  assert.deepEqual(taken, { id: null, session: "s1", trigger: "explicit", written: false, reason: "disabled" });
});

test("a wrong activity is named", async () => {
  const engine = new Engine();
  for (const [activities, path] of [
    ["go on", "activities"],
    [[{ prompt: "a" }, {}], "activities[1]"],
    [[{ prompt: "a", query: "b" }], "activities[0]"],
    [[{ prompt: 7 }], "activities[0].prompt"],
  ]) {
    await assert.rejects(engine.record(session, activities), { code: "argument_invalid", path });
  }
});

test("the host's timer writes what waits, and its close what still does", async () => {
  const host = createHost({ store: join(folder, "timer.db") });
  await host.submitPrompt(session, "one");
  assert.equal((await host.takeCheckpoint(session, "agent")).reason, "queued");
  for (let look = 0; look < 100 && (await host.checkpoints(session)).length === 0; look += 1) await sleep(100);
  assert.equal((await host.checkpoints(session)).length, 1);
  await host.submitPrompt(session, "two");
  const queued = await host.takeCheckpoint(session, "agent");
  await host.close();
  const next = createHost({ store: join(folder, "timer.db") });
  assert.equal((await next.checkpoint(queued.id)).prompt_count, 1);
  await next.close();
});

/** A program that queues a draft and then waits for ever, or for nothing. */
const program = (options, then) => `
  import { createHost } from "throughline-node";
  const host = createHost({ store: process.argv[2], ...${options} });
  await host.submitPrompt({ harness: "my-harness", key: "s1" }, "one");
  await host.takeCheckpoint({ harness: "my-harness", key: "s1" }, "agent");
  console.log("ready");
  ${then}`;

function start(name, options, then) {
  const file = join(import.meta.dirname, `.${name}.mjs`);
  writeFileSync(file, program(options, then));
  after(() => rmSync(file, { force: true }));
  const store = join(folder, `${name}.db`);
  const child = spawn(process.execPath, [file, store], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code)));
  return { child, store, ready: new Promise((resolve) => child.stdout.once("data", resolve)), ended };
}

test("the timer keeps no process alive", async () => {
  const { ended } = start("timer-ends", "{}", "");
  const since = performance.now();
  assert.equal(await ended, 0);
  assert.ok(performance.now() - since < 20_000);
});

test("a signal ends the host after it wrote what waits, where that is asked for", { skip: process.platform === "win32" }, async () => {
  const { child, store, ready, ended } = start("timer-signal", "{ signals: true }", "setInterval(() => {}, 1000);");
  await ready;
  child.kill("SIGTERM");
  assert.equal(await ended, "SIGTERM");
  const next = createHost({ store });
  assert.equal((await next.checkpoints()).length, 1);
  await next.close();
});
