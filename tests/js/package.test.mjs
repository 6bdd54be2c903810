// The package as Node sees it: by name, through its exports map.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as throughline from "throughline";
import * as inline from "throughline/inline";

const require = createRequire(import.meta.url);

test("the version is the one of the package", () => {
  assert.equal(throughline.version(), require("throughline/package.json").version);
});

test("init() is there and may be called any number of times", async () => {
  await throughline.init();
  await Promise.all([throughline.init(), throughline.init()]);
});

test("require() gives the same instance as import", () => {
  const required = require("throughline");
  assert.equal(required.version, throughline.version);
  assert.equal(required.ThroughlineError, throughline.ThroughlineError);
});

test("the entry with the module inside has the same names, and shares the one instance", async () => {
  assert.deepEqual(Object.keys(inline), Object.keys(throughline));
  assert.equal(inline.Engine, throughline.Engine);
  await inline.init();
  assert.equal(inline.version(), throughline.version());
});

test("the entry with the module inside is not loaded before init(), and needs no file then", () => {
  const script = `
    import { init, version } from "throughline/inline";
    const before = (() => { try { return version(); } catch ({ code }) { return code; } })();
    await Promise.all([init(), init()]);
    console.log(before, version());`;
  const stdout = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: import.meta.dirname, encoding: "utf8" });
  assert.equal(stdout.trim(), `not_initialized ${throughline.version()}`);
});

test("the wasm file can be resolved by its subpath", () => {
  const wasm = readFileSync(require.resolve("throughline/throughline.wasm"));
  assert.equal(wasm.subarray(0, 4).toString("latin1"), "\0asm");
});
