// What the preview page makes of messages before it shows them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExactly } from "../../bindings/preview/src/json.js";
import { brief, cut, partsOf, textOf } from "../../bindings/preview/src/parts.js";

const issuer = { provider: "anthropic", model: "m" };
const message = {
  role: "assistant",
  row: "r1",
  hash: "00",
  parts: [
    { type: "thinking", text: "", provider_data: { issuer, signature: "s" } },
    { type: "text", text: "x".repeat(5000) },
    { type: "tool_call", id: "1", name: "Bash", arguments: { command: "ls" } },
    { type: "tool_call", id: "2", name: "Say", arguments: "{torn" },
    { type: "tool_result", id: "1", parts: [{ type: "text", text: "a" }, { type: "image", media_type: "image/png", source: { kind: "base64", value: "A".repeat(4096) } }], is_error: true },
  ],
};

test("parts are flat, say what they are, and can be asked for whole by their place", () => {
  const { parts } = brief(message, 3);
  assert.deepEqual(parts.map(({ kind, tool, notes, length, cut }) => [kind, tool, notes.join("|"), length, cut]), [
    ["thinking", undefined, "signed by m", 0, false],
    ["text", undefined, "", 5000, true],
    ["tool_call", "Bash", "", 21, false],
    ["tool_call", "Say", "", 5, false],
    ["tool_result", undefined, "error", 1, false],
    ["image", undefined, "image/png|3 KiB inside|error", 0, false],
  ]);
  assert.equal(partsOf(message).map(textOf)[1].length, 5000);
  assert.ok(partsOf(message).every((part, at) => textOf(part).startsWith(parts[at].text)));
});

test("a cut splits neither a mark nor a character, keeps whole lines, and spares a text that is a little too long", () => {
  assert.equal(cut("short"), "short");
  assert.equal(cut("x".repeat(1000)).length, 1000);
  assert.equal(cut("x".repeat(1200)).length, 900);
  assert.equal(cut(`${"line\n".repeat(40)}`), Array(14).fill("line").join("\n"));
  assert.equal(cut("line\n".repeat(16)), "line\n".repeat(16));
  for (let before = 870; before <= 900; before += 1) {
    const marked = cut(`${"x".repeat(before)}[REDACTED:github-token]${"y".repeat(1000)}`);
    assert.match(marked, /^x+(\[REDACTED:github-token\]y*)?$/, String(before));
    const pairs = cut(`${"x".repeat(before)}${"\u{1f600}".repeat(600)}`);
    assert.ok(pairs.isWellFormed?.() ?? true, String(before));
  }
  assert.equal(cut(`${"x".repeat(890)}[REDACTED: is only a word ${"y".repeat(2000)}`).length, 900);
});

test("numbers that would be rounded keep their digits where the runtime can tell", () => {
  const text = '{"id":1234567890123456789,"n":1.50,"s":"1234567890123456789"}';
  const kept = JSON.stringify(parseExactly(text));
  assert.ok([text, '{"id":1234567890123456800,"n":1.5,"s":"1234567890123456789"}'].includes(kept), kept);
  if (JSON.rawJSON) assert.equal(kept, text);
  assert.deepEqual(parseExactly('{"a":[1]}'), { a: [1] });
});
