import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";
import * as node from "throughline-node";
import { Engine, ThroughlineError } from "throughline";
import { sampleSession } from "../fixtures/sample-session.mjs";
import { objectStorage } from "./object-storage.mjs";

const folder = mkdtempSync(join(tmpdir(), "throughline-node-"));
after(() => rmSync(folder, { recursive: true }));
const session = { harness: "my-harness", key: "s1" };

test("the clock gives the time, and the entropy never the same", () => {
  assert.ok(Math.abs(node.systemClock()() - Date.now()) < 1000);
  const bytes = node.systemEntropy();
  const draws = Array.from({ length: 100 }, () => Buffer.from(bytes()).toString("hex"));
  assert.equal(new Set(draws).size, 100);
  assert.ok(draws.every((draw) => draw.length === 32));
});

test("an engine has Node's clock and entropy unless others are brought", async () => {
  const storage = objectStorage();
  const engine = node.createEngine({ storage });
  assert.ok(engine instanceof Engine);
  await engine.submitPrompt(session, "one");
  const { sessions } = await engine.sessions();
  assert.ok(Math.abs(Date.parse(sessions[0].started_at) - Date.now()) < 60_000);
  const replay = node.createEngine({ clock: () => 0 });
  await replay.submitPrompt(session, "one");
  assert.equal((await replay.sessions()).sessions[0].started_at, "1970-01-01T00:00:00Z");
  assert.throws(() => node.createEngine({ storage: {} }), { code: "host_invalid", path: "storage.commit" });
});

test("a log is read from a file, by path or URL, as it is read from memory", async () => {
  const file = join(folder, "3f2c.jsonl");
  writeFileSync(file, sampleSession());
  const { checkpoint: _, ...expected } = await node.createEngine().ingest(sampleSession());
  for (const place of [file, pathToFileURL(file)]) {
    const { checkpoint, ...report } = await node.ingestFile(node.createEngine(), place);
    assert.deepEqual(report, expected);
    assert.ok(checkpoint);
  }
});

test("where the log names no session, the file's name is its key", async () => {
  const file = join(folder, "3f2c8a10.jsonl");
  const record = { type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "hello" } };
  writeFileSync(file, `${JSON.stringify(record)}\n`);
  assert.equal((await node.ingestFile(node.createEngine(), file)).session, "3f2c8a10");
  assert.equal((await node.ingestFile(node.createEngine(), file, { key: "other" })).session, "other");
});

test("a file that cannot be read is named, with what Node says", async () => {
  await assert.rejects(node.ingestFile(node.createEngine(), join(folder, "none.jsonl")), (error) => {
    assert.ok(error instanceof ThroughlineError);
    assert.equal(error.code, "source_failed");
    assert.equal(error.cause.code, "ENOENT");
    return true;
  });
});

test("require() gives the same instance", () => {
  const required = createRequire(import.meta.url)("throughline-node");
  assert.equal(required.createEngine, node.createEngine);
});
