// Hosts that are not as they must be, and storages, clocks and entropy that fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, ThroughlineError } from "throughline";
import { objectStorage } from "./object-storage.mjs";
import { steadyClock } from "./storages.mjs";

const session = { harness: "my-harness", key: "s1" };
const sound = objectStorage();
const count = async (storage) => {
  const { rows } = await storage.read({ read: "rows", session: { agent: "", ...session } });
  return rows.length;
};

test("a host that is not as it must be is refused when it is handed over", () => {
  const cases = [
    [{ storage: 7 }, "host_invalid", "storage"],
    [{ storage: {} }, "host_invalid", "storage.commit"],
    [{ storage: { commit() {} } }, "host_invalid", "storage.read"],
    [{ storage: { commit() {}, read: true } }, "host_invalid", "storage.read"],
    [{ clock: Date.now() }, "host_invalid", "clock"],
    [{ entropy: new Uint8Array(16) }, "host_invalid", "entropy"],
    [{ continuity: { recoveryBudgetChars: "100" } }, "continuity_invalid", "continuity.recoveryBudgetChars"],
    [{ Continuity: {} }, "argument_invalid", "Continuity"],
    [{ queue: "none" }, "argument_invalid", "queue"],
    [{ redaction: { mode: "none" } }, "argument_invalid", "redaction.mode"],
    [{ redaction: { exact: "secret" } }, "argument_invalid", "redaction.exact"],
    [{ redaction: { exact: ["long enough", 7] } }, "argument_invalid", "redaction.exact[1]"],
    [{ redaction: { exact: ["long enough", "short"] } }, "exact_too_short", "redaction.exact[1]"],
    [null, "argument_invalid", "options"],
    ["sqlite", "argument_invalid", "options"],
  ];
  for (const [options, code, path] of cases) {
    assert.throws(() => new Engine(options), (error) => {
      assert.ok(error instanceof ThroughlineError, String(error));
      assert.deepEqual([error.code, error.path], [code, path], error.message);
      return true;
    });
  }
});

const moved = Object.assign(new Error("the disk is full"), { code: "storage_full" });
const newer = Object.assign(new Error("newer"), { code: "schema_newer", found: 9, known: 1 });
const failures = [
  ["throws at once", () => { throw new Error("gone"); }, "storage_unavailable", /gone/],
  ["rejects", async () => { throw new Error("gone"); }, "storage_unavailable", /gone/],
  ["throws a string", () => { throw "gone"; }, "storage_unavailable", /gone/],
  ["throws undefined", () => { throw undefined; }, "storage_unavailable", /undefined/],
  ["throws null", async () => { throw null; }, "storage_unavailable", /object/],
  ["throws what cannot be looked at", () => { throw new Proxy({}, { get() { throw 1; } }); }, "storage_unavailable", /./],
  ["throws a known code", () => { throw moved; }, "storage_full", /the disk is full/],
  ["throws an unknown code", () => { throw Object.assign(new Error("e"), { code: "EIO" }); }, "storage_unavailable", /e/],
  ["throws schema_newer", () => { throw newer; }, "schema_newer", /schema 9/],
  ["answers undefined", () => undefined, "storage_corrupt", /undefined/],
  ["answers null", async () => null, "storage_corrupt", /null/],
  ["answers a number", () => 7, "storage_corrupt", /./],
  ["answers text that is no JSON", () => "{", "storage_corrupt", /string/],
  ["answers an array", () => [], "storage_corrupt", /array/],
  ["answers a cycle", () => { const cycle = {}; cycle.cycle = cycle; return cycle; }, "storage_corrupt", /JSON/],
  ["answers a BigInt", () => 7n, "storage_corrupt", /./],
  ["answers a function", () => () => {}, "storage_corrupt", /function/],
  ["answers what cannot be written", () => ({ toJSON() { throw new Error("no"); } }), "storage_corrupt", /no/],
  ["answers a lone surrogate", () => ({ session: "\ud83d", repeated: "\ud83d" }), "storage_corrupt", /./],
  ["answers deep nesting", () => JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`), "storage_corrupt", /./],
];

for (const method of ["commit", "read"]) {
  test(`whatever ${method} throws or answers is an error of the call, and the engine goes on`, async () => {
    for (const [what, failing, code, message] of failures) {
      let fails = true;
      const inner = objectStorage();
      const call = (name) => (argument) => (fails && name === method ? failing() : inner[name](argument));
      const engine = new Engine({ storage: { commit: call("commit"), read: call("read") } });
      await assert.rejects(engine.submitPrompt(session, "one"), (error) => {
        assert.ok(error instanceof ThroughlineError, `${what}: ${error}`);
        assert.equal(error.code, code, `${what}: ${error.message}`);
        assert.equal(error.path, `storage.${method}`, what);
        assert.match(error.message, message, what);
        return true;
      });
      fails = false;
      await engine.submitPrompt(session, "two");
      assert.equal(await count(inner), 1, `${what}: what failed is not stored, what came after it is`);
    }
  });
}

test("what a storage threw goes with the error, as its cause", async () => {
  const engine = new Engine({ storage: { ...sound, commit: () => { throw moved; } } });
  await assert.rejects(engine.submitPrompt(session, "one"), (error) => {
    assert.equal(error.details, moved);
    assert.equal(error.cause, moved);
    return true;
  });
});

test("another variant than the one asked for is damage", async () => {
  const engine = new Engine({ storage: { ...sound, read: () => ({ rows: [] }) } });
  await assert.rejects(engine.submitPrompt(session, "one"), { code: "storage_corrupt" });
});

test("an answer may be JSON text", async () => {
  const inner = objectStorage();
  const storage = {
    commit: async (batch) => JSON.stringify(await inner.commit(batch)),
    read: async (query) => JSON.stringify(await inner.read(query)),
  };
  const engine = new Engine({ storage });
  await engine.submitPrompt(session, "one");
  assert.equal((await engine.sessions()).sessions.length, 1);
});

test("a conflict is planned again while others write, and does not show", async () => {
  const inner = objectStorage();
  const other = new Engine({ storage: inner });
  const movedOn = (times) => ({
    read: (query) => inner.read(query),
    async commit(batch) {
      if ((times -= 1) >= 0) await other.submitPrompt(session, "meanwhile");
      return inner.commit(batch);
    },
  });
  await new Engine({ storage: movedOn(3) }).submitPrompt(session, "one");
  assert.equal(await count(inner), 4);
  await assert.rejects(new Engine({ storage: movedOn(Infinity) }).submitPrompt(session, "two"), { code: "contended" });
});

test("a conflict that nobody else has caused is said, and not tried for ever", async () => {
  let tries = 0;
  const commit = () => {
    tries += 1;
    throw Object.assign(new Error("always"), { code: "conflict" });
  };
  const engine = new Engine({ storage: { ...objectStorage(), commit } });
  await assert.rejects(engine.submitPrompt(session, "two"), { code: "conflict", path: "storage.commit" });
  assert.equal(tries, 2);
});

test("when the outcome of a commit is not known, its id is asked for, and nothing is stored twice", async () => {
  for (const lost of ["before", "after"]) {
    const inner = objectStorage();
    let breaks = true;
    const storage = {
      read: (query) => inner.read(query),
      async commit(batch) {
        if (breaks && lost === "after") await inner.commit(batch);
        if (breaks) {
          breaks = false;
          throw Object.assign(new Error("connection lost"), { code: "outcome_unknown" });
        }
        return inner.commit(batch);
      },
    };
    await new Engine({ storage }).submitPrompt(session, "one");
    assert.equal(await count(inner), 1, `lost ${lost} the commit`);
  }
});

test("a clock or entropy that fails is an error of that one call, and nothing is written", async () => {
  const broken = [
    [{ clock: () => { throw new Error("stopped"); } }, "clock_invalid", "clock", /stopped/],
    [{ clock: () => undefined }, "clock_invalid", "clock", /undefined/],
    [{ clock: () => Number.NaN }, "clock_invalid", "clock", /NaN/],
    [{ clock: () => "soon" }, "clock_invalid", "clock", /soon/],
    [{ clock: () => 1e18 }, "clock_invalid", "clock", /range/],
    [{ entropy: () => { throw "empty"; } }, "entropy_invalid", "entropy", /empty/],
    [{ entropy: () => undefined }, "entropy_invalid", "entropy", /undefined/],
    [{ entropy: () => new Uint8Array(8) }, "entropy_invalid", "entropy", /8 bytes/],
    [{ entropy: () => "0123456789abcdef" }, "entropy_invalid", "entropy", /string/],
  ];
  for (const [host, code, path, message] of broken) {
    for (const storage of [objectStorage(), undefined]) {
      let fails = true;
      const good = { clock: steadyClock(), entropy: () => crypto.getRandomValues(new Uint8Array(16)) };
      const [name] = Object.keys(host);
      const engine = new Engine({ storage, ...good, [name]: () => (fails ? host[name]() : good[name]()) });
      await assert.rejects(engine.submitPrompt(session, "one"), (error) => {
        assert.ok(error instanceof ThroughlineError);
        assert.deepEqual([error.code, error.path], [code, path], error.message);
        assert.match(error.message, message);
        return true;
      });
      assert.deepEqual((await engine.sessions()).sessions, []);
      fails = false;
      await engine.submitPrompt(session, "two");
      assert.equal((await engine.promptObject(session)).messages.length, 1);
    }
  }
});

test("a failing clock of one call leaves the calls beside it alone", async () => {
  const inner = objectStorage();
  const tick = steadyClock();
  let looks = 0;
  const engine = new Engine({
    storage: inner,
    clock() {
      looks += 1;
      if (looks % 2 === 0) throw new Error("every second look fails");
      return tick();
    },
  });
  const results = await Promise.allSettled(["a", "b", "c", "d"].map((text) => engine.submitPrompt(session, text)));
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled", "rejected"]);
  assert.equal(await count(inner), 2);
});
