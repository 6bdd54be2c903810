// The entry for browsers and bundlers, driven in Node by handing it the bytes.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const wasm = require.resolve("throughline/throughline.wasm");
const entry = new URL("./web.js", `file://${wasm}`).href;

test("a call before init() fails by name, a failed init() can be repeated, and init() is idempotent", async () => {
  const web = await import(entry);
  assert.throws(() => web.version(), (error) => {
    assert.ok(error instanceof web.ThroughlineError && error instanceof Error);
    assert.equal(error.name, "ThroughlineError");
    assert.equal(error.code, "not_initialized");
    return true;
  });

  await assert.rejects(web.init(new Uint8Array([0, 1, 2, 3])), (error) => {
    assert.equal(error.code, "load_failed");
    assert.ok(error.cause instanceof Error);
    return true;
  });
  assert.throws(() => web.version(), { code: "not_initialized" });

  const bytes = readFileSync(wasm);
  await Promise.all([web.init(bytes), web.init(bytes)]);
  await web.init();
  assert.match(web.version(), /^\d+\.\d+\.\d+/);
});
