// The fixtures themselves: what other tests build on must be what it says it is.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";
import { plantedSecrets, sampleSession } from "../fixtures/sample-session.mjs";

const FIXTURES = fileURLToPath(new URL("../fixtures/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "throughline-fixtures-"));
after(() => rmSync(folder, { recursive: true }));

function expectedCounts(log) {
  const file = join(folder, "log.jsonl");
  writeFileSync(file, log);
  return JSON.parse(execFileSync("python3", [join(FIXTURES, "expected_counts.py"), file], { encoding: "utf8" }));
}

test("the sample session is the same every time, and holds what its story tells", () => {
  const log = sampleSession();
  assert.equal(log, sampleSession());
  assert.deepEqual(expectedCounts(log), {
    records: 40,
    user: 3,
    assistant: 8,
    tool_calls: 8,
    tool_results: 8,
    thinking: 4,
    skipped: 1,
    repaired: 0,
  });
});

test("every record of the sample has its own uuid, and follows one that is there", () => {
  const records = sampleSession().split("\n").slice(0, -1).map((line) => JSON.parse(line)).filter(({ uuid }) => uuid);
  const seen = new Set();
  for (const { uuid, parentUuid, logicalParentUuid } of records) {
    const parent = parentUuid ?? logicalParentUuid;
    assert.ok(parent ? seen.has(parent) : seen.size === 0, `parent of ${uuid}`);
    assert.ok(!seen.has(uuid), uuid);
    seen.add(uuid);
  }
});

test("every planted secret is in the sample, and none stands whole in a file of the repository", () => {
  const log = sampleSession();
  const sources = readdirSync(FIXTURES, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(FIXTURES, name), "utf8"));
  assert.ok(plantedSecrets.length >= 10);
  for (const { name, fragments } of plantedSecrets) {
    for (const fragment of fragments) {
      assert.ok(fragment.length >= 14, `${name} is long enough not to occur by chance`);
      assert.ok(log.includes(fragment), `${name} is planted`);
      assert.ok(!sources.some((text) => text.includes(fragment)), `${name} is stored in parts`);
    }
  }
});

test("the independent counts see through glued, torn, repeated and damaged records", () => {
  const record = (uuid, content, extra = {}) =>
    JSON.stringify({ type: "user", uuid, message: { role: "user", content }, ...extra });
  const answer = (uuid, id, block, model = "m") =>
    JSON.stringify({ type: "assistant", uuid, message: { id, model, content: [block] } });
  const call = { type: "tool_use", id: "t1", name: "Read", input: { a: {} } };
  const lines = [
    record("1", "glued") + JSON.stringify({ type: "summary", summary: "x" }),
    record("1", "glued"),
    record("2", "a lone surrogate and a null: @").replace("@", "\\ud83d \\u0000"),
    record("3", "a pair: @").replace("@", "\\ud83d\\ude00"),
    `{"type":"user","uuid":"4","message":{"content":"cut off he${record("5", "found again")}`,
    "",
    answer("6", "m1", { type: "thinking", thinking: "…", signature: "s" }),
    answer("7", "m1", call),
    answer("8", "m2", { type: "text", text: "No response requested." }, "<synthetic>"),
    record("9", [{ type: "tool_result", tool_use_id: "t1", content: "…" }]),
    record("10", "<local-command-stdout>…</local-command-stdout>"),
    record("11", "the harness", { isMeta: true }),
    record("12", [{ type: "text", text: "[Request interrupted by user]" }]),
    answer("13", "m3", call).slice(0, -20),
  ];
  assert.deepEqual(expectedCounts(lines.join("\n")), {
    records: 13,
    user: 4,
    assistant: 1,
    tool_calls: 1,
    tool_results: 1,
    thinking: 1,
    skipped: 2,
    repaired: 3,
  });
});
