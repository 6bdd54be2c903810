// The storage conformance suite, over storages that are written in JavaScript.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runStorageConformance } from "throughline/conformance";
import { objectStorage } from "./object-storage.mjs";
import { randomFrom, slow } from "./storages.mjs";

const failed = ({ cases }) => cases.filter(({ outcome }) => outcome === "failed");

test("the reference storage in JavaScript conforms", async () => {
  const storage = objectStorage();
  const report = await runStorageConformance(storage, { shares: true, reopens: true, inspects: true });
  assert.deepEqual(failed(report), []);
  assert.equal(report.conforms, true);
  assert.ok(report.cases.length >= 25, `${report.cases.length} cases`);
  assert.deepEqual(report.cases.filter(({ outcome }) => outcome === "skipped"), []);
  const again = await runStorageConformance(storage, { seed: "a used store" });
  assert.deepEqual(failed(again), []);
});

test("an asynchronous one that a function opens conforms as well", async () => {
  const report = await runStorageConformance(async () => slow(objectStorage(), randomFrom(7)));
  assert.deepEqual(failed(report), []);
});

test("the suite sees what is wrong", async () => {
  const broken = {
    "forgets batch ids": (storage) => ({ read: storage.read, commit: (batch) => storage.commit({ ...batch, id: `${Math.random()}` }) }),
    "ignores preconditions": (storage) => ({ read: storage.read, commit: (batch) => storage.commit({ ...batch, preconditions: [] }) }),
    "reverses rows": (storage) => ({
      commit: storage.commit,
      async read(query) {
        const answer = await storage.read(query);
        return answer.rows ? { rows: answer.rows.toReversed() } : answer;
      },
    }),
    "commits in halves": (storage) => ({
      read: storage.read,
      async commit(batch) {
        const halves = batch.ops.map((op, index) => ({ ...batch, id: index ? `${batch.id}${index}` : batch.id, ops: [op] }));
        let answer;
        for (const half of halves) answer = await storage.commit({ ...half, preconditions: answer ? [] : batch.preconditions });
        return answer ?? storage.commit(batch);
      },
    }),
  };
  for (const [what, spoil] of Object.entries(broken)) {
    const report = await runStorageConformance(spoil(objectStorage()));
    assert.equal(report.conforms, false, what);
  }
  const gone = { commit: () => Promise.reject(new Error("gone")), read: () => undefined };
  assert.equal((await runStorageConformance(gone)).conforms, false);
  assert.equal((await runStorageConformance(7)).conforms, false);
});
