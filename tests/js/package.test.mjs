// The package as Node sees it: by name, through its exports map.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as throughline from "throughline";

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

test("the wasm file can be resolved by its subpath", () => {
  const wasm = readFileSync(require.resolve("throughline/throughline.wasm"));
  assert.equal(wasm.subarray(0, 4).toString("latin1"), "\0asm");
});
