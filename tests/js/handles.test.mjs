// Concurrency, re-entrancy and freeing.
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { test } from "node:test";
import { Engine, Redactor, ThroughlineError } from "throughline";
import { objectStorage } from "./object-storage.mjs";
import { randomFrom, slow, steadyClock } from "./storages.mjs";

const session = { harness: "my-harness", key: "s1" };
const texts = async (engine, of = session) =>
  (await engine.promptObject(of)).messages.map(({ parts: [{ text }] }) => text);
const numbered = (count) => Array.from({ length: count }, (_, index) => `prompt ${index}`);

for (const seed of [1, 2, 3]) {
  test(`40 calls at once are all stored, in the order of the calls (seed ${seed})`, async () => {
    const storage = slow(objectStorage(), randomFrom(seed));
    const engine = new Engine({ storage, clock: steadyClock() });
    const sessions = [0, 1, 2].map((number) => ({ ...session, key: `s${number}` }));
    await Promise.all(numbered(40).map((text, index) => engine.submitPrompt(sessions[index % 3], text)));
    for (const [number, of] of sessions.entries()) {
      assert.deepEqual(await texts(engine, of), numbered(40).filter((_, index) => index % 3 === number));
    }
    assert.equal(storage.seen.mostWrites, 1, "writes of one engine come one after the other");
  });
}

test("calls of every kind at once do not disturb each other", async () => {
  const storage = slow(objectStorage(), randomFrom(4));
  const engine = new Engine({ storage, clock: steadyClock() });
  await engine.submitPrompt(session, "first");
  const calls = numbered(20).flatMap((text) => [
    engine.submitPrompt(session, text),
    engine.takeCheckpoint(session, "explicit"),
    engine.recover({ session }),
    engine.prompt(session),
    engine.sessions(),
    engine.checkpoints(session),
  ]);
  await Promise.all(calls);
  assert.deepEqual(await texts(engine), ["first", ...numbered(20)]);
});

test("a call that comes while the engine is busy never overtakes one that waits", async () => {
  for (let ticks = 0; ticks < 30; ticks += 1) {
    let open;
    const gate = new Promise((resolve) => (open = resolve));
    const inner = objectStorage();
    let held = true;
    const storage = {
      read: (query) => inner.read(query),
      commit: (batch) => (held ? gate.then(() => inner.commit(batch)) : inner.commit(batch)),
    };
    const engine = new Engine({ storage, clock: steadyClock() });
    const calls = [engine.submitPrompt(session, "holds"), engine.submitPrompt(session, "waits")];
    await wait(1);
    held = false;
    open();
    for (let tick = 0; tick < ticks; tick += 1) await null;
    calls.push(engine.submitPrompt(session, "comes"));
    await Promise.all(calls);
    assert.deepEqual(await texts(engine), ["holds", "waits", "comes"], `after ${ticks} microtasks`);
  }
});

test("a storage and a clock that call the engine, without waiting for it, get their turn", async () => {
  const inner = objectStorage();
  const side = [];
  const once = (call) => {
    let done = false;
    return () => {
      if (done) return;
      done = true;
      side.push(call());
    };
  };
  const fromCommit = once(() => engine.submitPrompt(session, "from the storage"));
  const fromClock = once(() => engine.submitPrompt(session, "from the clock"));
  const tick = steadyClock();
  const engine = new Engine({
    storage: {
      commit(batch) {
        fromCommit();
        return inner.commit(batch);
      },
      read: (query) => inner.read(query),
    },
    clock() {
      fromClock();
      return tick();
    },
  });
  await engine.submitPrompt(session, "outer");
  await Promise.all(side);
  assert.deepEqual((await texts(engine)).toSorted(), ["from the clock", "from the storage", "outer"]);
});

test("an engine may be freed while calls are in flight: they complete, and later ones are refused by name", async () => {
  const storage = slow(objectStorage(), randomFrom(5));
  const engine = new Engine({ storage, clock: steadyClock() });
  const calls = numbered(5).map((text) => engine.submitPrompt(session, text));
  await wait(2);
  engine.free();
  engine.free();
  await Promise.all(calls);
  assert.deepEqual(await texts(new Engine({ storage })), numbered(5));

  const methods = Object.getOwnPropertyNames(Engine.prototype).filter((name) => !["constructor", "free", "close", "continuity"].includes(name));
  assert.ok(methods.length >= 9);
  for (const method of methods) {
    await assert.rejects(engine[method](session), (error) => {
      assert.ok(error instanceof ThroughlineError);
      assert.equal(error.code, "freed", method);
      return true;
    });
  }
  assert.throws(() => engine.continuity, { code: "freed" });
  await engine.close();
});

test("a redactor that was freed says so", () => {
  const redactor = new Redactor();
  redactor.free();
  redactor.free();
  for (const method of ["redact", "inspect", "report"]) {
    assert.throws(() => redactor[method]("x"), { name: "ThroughlineError", code: "freed" });
  }
});

test("handles know Symbol.dispose", { skip: Symbol.dispose === undefined }, async () => {
  const engine = new Engine();
  engine[Symbol.dispose]();
  await assert.rejects(engine.sessions(), { code: "freed" });
  const redactor = new Redactor();
  redactor[Symbol.dispose]();
  assert.throws(() => redactor.redact("x"), { code: "freed" });
});
