// The bundled sample goes in, and none of its secrets comes out anywhere.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createReadStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { Engine, assemblePrompt, digest, recoveryText } from "throughline";
import { plantedSecrets, sampleSession } from "../fixtures/sample-session.mjs";
import { objectStorage } from "./object-storage.mjs";
import { recorded, steadyClock } from "./storages.mjs";

const log = sampleSession();
const engineOver = (storage) => new Engine({ storage, clock: steadyClock() });

function survivors(text) {
  return plantedSecrets.filter(({ fragments }) => fragments.some((part) => text.includes(part))).map(({ name }) => name);
}

/** What an independent count says of the same log. */
function expectedCounts() {
  const folder = mkdtempSync(join(tmpdir(), "throughline-ingest-"));
  const file = join(folder, "log.jsonl");
  writeFileSync(file, log);
  const script = fileURLToPath(new URL("../fixtures/expected_counts.py", import.meta.url));
  const counts = JSON.parse(execFileSync("python3", [script, file], { encoding: "utf8" }));
  rmSync(folder, { recursive: true });
  return counts;
}

test("no planted secret reaches the storage, nor any output", async () => {
  const inner = objectStorage();
  const storage = recorded(inner);
  const engine = engineOver(storage);
  const report = await engine.ingest(log);
  const session = { harness: report.format, key: report.session };
  const row = await engine.checkpoint(report.checkpoint);
  const { rows } = await inner.read({ read: "rows", session: { agent: "", ...session } });
  const outputs = {
    report,
    sessions: await engine.sessions(),
    checkpoints: await engine.checkpoints(),
    row,
    recovered: await engine.recover({ session, budget: 10_000 }),
    neutral: await engine.prompt(session),
    anthropic: await engine.prompt(session, { format: "anthropic" }),
    digest: digest(row),
    recovery: recoveryText(row),
    assembled: assemblePrompt({ rows }),
  };
  for (const [name, output] of Object.entries(outputs)) {
    const text = typeof output === "string" ? output : JSON.stringify(output);
    assert.deepEqual(survivors(text), [], name);
    assert.ok(text.length > 100, name);
  }
  assert.ok(storage.received.length > 3);
  assert.deepEqual(survivors(storage.received.join("\n")), [], "what the storage received");
  assert.deepEqual(survivors(inner.everything()), [], "what the storage keeps");
  assert.deepEqual(survivors(log), plantedSecrets.map(({ name }) => name), "the check itself sees them");
});

test("the report counts what an independent reader counts, and what was scrubbed by rule", async () => {
  const report = await engineOver(objectStorage()).ingest(log);
  const { records, user, assistant, tool_calls, tool_results, thinking, repaired, skipped } = expectedCounts();
  assert.deepEqual(
    {
      records: report.records,
      user: report.messages.user,
      assistant: report.messages.assistant,
      tool_calls: report.tool_calls,
      tool_results: report.tool_results,
      thinking: report.thinking,
      repaired: report.repaired,
      skipped: report.skipped_lines,
    },
    { records, user, assistant, tool_calls, tool_results, thinking, repaired, skipped },
  );
  assert.equal(report.findings_by_rule.reduce((sum, { count }) => sum + count, 0), report.findings);
  assert.ok(report.findings >= plantedSecrets.length);
  assert.equal(report.compactions, 1);
});

test("a log that is read again adds nothing, and one that grew adds what is new", async () => {
  const engine = engineOver(objectStorage());
  const lines = log.split("\n");
  const half = `${lines.slice(0, 18).join("\n")}\n`;
  const first = await engine.ingest(half);
  const second = await engine.ingest(log);
  const third = await engine.ingest(log);
  assert.ok(first.added > 0 && second.added > 0);
  assert.deepEqual([second.unchanged, third.added, third.checkpoint], [first.added, 0, null]);
  assert.equal(third.unchanged, first.added + second.added);
  const whole = engineOver(objectStorage());
  await whole.ingest(log);
  const session = { harness: "claude-code", key: first.session };
  assert.equal(await engine.prompt(session), await whole.prompt(session));
});

test("text, bytes of any kind and chunks of any size say the same", async () => {
  const bytes = new TextEncoder().encode(log);
  const chunksOf = function* (size) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const slowly = async function* () {
    for (const chunk of chunksOf(1000)) {
      await null;
      yield chunk;
    }
  };
  const padded = new Uint8Array(bytes.length + 20);
  padded.set(bytes, 10);
  const folder = mkdtempSync(join(tmpdir(), "throughline-ingest-"));
  const file = join(folder, "log.jsonl");
  writeFileSync(file, log);
  const forms = {
    bytes,
    buffer: Buffer.from(bytes),
    arrayBuffer: bytes.buffer.slice(0),
    view: padded.subarray(10, 10 + bytes.length),
    dataView: new DataView(padded.buffer, 10, bytes.length),
    chunks: chunksOf(7),
    slowly: slowly(),
    text: [log.slice(0, 500), log.slice(500)],
    file: createReadStream(file, { highWaterMark: 4096 }),
    textFile: createReadStream(file, { encoding: "utf8", highWaterMark: 4096 }),
  };
  const expected = await engineOver(objectStorage()).ingest(log);
  for (const [name, form] of Object.entries(forms)) {
    const { checkpoint, ...report } = await engineOver(objectStorage()).ingest(form);
    assert.deepEqual({ ...report, checkpoint: null }, { ...expected, checkpoint: null }, name);
    assert.ok(checkpoint, name);
  }
  rmSync(folder, { recursive: true });
});

test("a source that fails, or gives something else, is named and closed", async () => {
  let closed = 0;
  const source = async function* (last) {
    try {
      yield log.slice(0, 5000);
      yield last();
    } finally {
      closed += 1;
    }
  };
  const failing = source(() => {
    throw new Error("unplugged");
  });
  await assert.rejects(engineOver(objectStorage()).ingest(failing), { code: "source_failed", path: "log", message: /unplugged/ });
  await assert.rejects(engineOver(objectStorage()).ingest(source(() => 7)), { code: "argument_invalid", path: "log[1]" });
  assert.equal(closed, 2);
});

test("what is said beside the log counts, and a log without a session stores nothing", async () => {
  const engine = engineOver(objectStorage());
  const { session } = await engine.ingest(log, { harness: "my-harness", agent: "coder", project: "/home/ada/app" });
  const { sessions } = await engine.sessions();
  assert.deepEqual(
    sessions.map(({ harness, agent, project, session: key }) => [harness, agent, project, key]),
    [["my-harness", "coder", "/home/ada/app", session]],
  );
  const none = await engine.ingest('{"type":"summary","summary":"x","leafUuid":"y"}\n');
  assert.deepEqual([none.session, none.checkpoint, none.added], [null, null, 0]);
  await assert.rejects(engine.ingest("PK\u0003\u0004 no log at all\n"), { code: "format_unknown" });
});
