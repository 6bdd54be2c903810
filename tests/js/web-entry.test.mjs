// The entry for browsers and bundlers, driven in Node by handing it the bytes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";

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

test("where the runtime has no SIMD, loading fails by name and can be repeated", async () => {
  const script = `
    const { validate } = WebAssembly;
    WebAssembly.validate = () => false;
    const web = await import(${JSON.stringify(entry)});
    const failed = await web.init(new Uint8Array()).catch(({ code }) => code);
    WebAssembly.validate = validate;
    const { readFileSync } = await import("node:fs");
    await web.init(readFileSync(${JSON.stringify(wasm)}));
    console.log(failed, web.version());
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  assert.match(stdout, /^simd_unavailable \d+\.\d+\.\d+/);
});
