import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor, redact, rules } from "throughline";

const value = ["hunt", "er2!x9"].join("");
const token = ["ghp", "016tbYWGqJmUwCTrR8MPAv7NvGZ2bD3Azkqs"].join("_");

test("a secret gives way to a mark, and a text without one stays the same string", () => {
  assert.equal(redact(`deploy with password=${value}`), "deploy with password=[REDACTED:assignment]");
  for (const text of ["", "nothing here", "Grüße aus Köln \u{1f600}", "lone \ud83d surrogate", "nul \0 inside"]) {
    assert.equal(redact(text), text);
  }
});

test("redacting is idempotent", () => {
  const once = redact(`password=${value} and ${token}`);
  assert.equal(redact(once), once);
});

test("findings have their places in bytes and in UTF-16 units, in the input and in the output", () => {
  const redactor = new Redactor();
  const before = "Grüße \u{1f600}\n\u{1f600} ";
  const text = `${before}password=${value}; ${before}token: ${token} \u{1f600}`;
  const { text: scrubbed, findings } = redactor.inspect(text);
  assert.equal(findings.length, 2);
  assert.deepEqual(redactor.report(text), findings);
  assert.equal(scrubbed, redactor.redact(text));
  const secrets = [value, token];
  for (const [index, finding] of findings.entries()) {
    const { utf16_offset: at, utf16_length: length, out_utf16_offset: outAt, out_utf16_length: outLength } = finding;
    assert.equal(text.slice(at, at + length), secrets[index]);
    assert.equal(scrubbed.slice(outAt, outAt + outLength), `[REDACTED:${finding.kind}]`);
    const bytes = Buffer.from(text).subarray(finding.offset, finding.offset + finding.length);
    assert.equal(bytes.toString(), secrets[index]);
    const out = Buffer.from(scrubbed).subarray(finding.out_offset, finding.out_offset + finding.out_length);
    assert.equal(out.toString(), `[REDACTED:${finding.kind}]`);
    assert.equal(JSON.stringify(finding).includes(secrets[index]), false);
  }
  assert.deepEqual(findings.map(({ line }) => line), [2, 3]);
  assert.deepEqual(redactor.inspect("nothing"), { text: "nothing", findings: [] });
});

test("a lone surrogate counts as one unit and does not shift what comes after it", () => {
  const text = `\ud83d password=${value}`;
  const [{ utf16_offset: at, utf16_length: length }] = new Redactor().report(text);
  assert.equal(text.slice(at, at + length), value);
});

test("exact values are secrets wherever they stand", () => {
  const redactor = new Redactor({ exact: ["correct-horse-battery"] });
  assert.equal(redactor.redact("say correct-horse-battery"), "say [REDACTED:exact]");
  assert.equal(redact("say correct-horse-battery"), "say correct-horse-battery");
});

test("anything but a string is refused by name", () => {
  const redactor = new Redactor();
  for (const wrong of [undefined, null, 7, {}, ["x"], Symbol("x"), 7n]) {
    for (const call of [redact, (text) => redactor.redact(text), (text) => redactor.inspect(text), (text) => redactor.report(text)]) {
      assert.throws(() => call(wrong), { name: "ThroughlineError", code: "argument_invalid", path: "text" });
    }
  }
  assert.throws(() => new Redactor({ modes: "default" }), { code: "argument_invalid", path: "modes" });
});

test("every rule is described, and fires on each of its examples", () => {
  const table = rules().filter(({ set }) => set === "secrets");
  assert.ok(table.length >= 30);
  const paranoid = new Redactor({ mode: "paranoid" });
  for (const { id, kind, confidence, example_parts: examples, description } of table) {
    assert.match(id, /^[a-z0-9-]+$/);
    assert.ok(kind && confidence && description, id);
    for (const parts of examples) {
      const found = paranoid.report(parts.join("")).map(({ rule }) => rule);
      assert.ok(found.includes(id), `${id}: found ${found.join(", ")}`);
    }
  }
});
