// The same prompt from the same rows in plain JavaScript, as a harness might write it: rounds with their calls
// and results, canonical JSON, a chain of SHA-256. It knows the rows of the bench alone; `npm run bench` checks
// that it comes to the same hash, and compares the time.
import { createHash } from "node:crypto";

/** Canonical JSON of what the rows of the bench hold: keys in order, numbers that JavaScript can tell. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

const prefixed = (text) => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
};

function fingerprint() {
  const hash = createHash("sha256").update("throughline.prefix.v1");
  for (const section of ["null", "[]", "[]"]) hash.update(prefixed(section));
  return hash.digest();
}

/** The messages of rows, and the hash of the last one. */
export function assemble(rows) {
  const messages = [];
  for (let at = 0; at < rows.length; ) {
    const { row, parts } = rows[at];
    at += 1;
    if (row.kind === "user") {
      messages.push({ role: "user", parts: [{ type: "text", text: parts[0].body.text }] });
      continue;
    }
    const asked = [{ type: "text", text: parts[0].body.text }];
    const results = [];
    for (; rows[at]?.row.round?.row === row.id; at += 1) {
      const [call, result] = rows[at].parts.map(({ body }) => body);
      asked.push({ type: "tool_call", id: call.call_id, name: call.name, arguments: JSON.parse(call.arguments.json) });
      const text = result.content[0].text;
      results.push({ role: "tool", name: call.name, parts: [{ type: "tool_result", id: call.call_id, text }] });
    }
    messages.push({ role: "assistant", parts: asked }, ...results);
  }
  let last = fingerprint();
  for (const message of messages) last = createHash("sha256").update(last).update(prefixed(canonical(message))).digest();
  return { messages, hash: last.toString("hex") };
}
