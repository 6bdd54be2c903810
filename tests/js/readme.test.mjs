// Examples of the package's page are run as they stand.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { test } from "node:test";
import * as throughline from "throughline";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "target", "readme");
const page = readFileSync(join(root, "bindings", "README.md"), "utf8");

test("the example of the package's page runs, and prints what it says", () => {
  const [, example] = /```js\n([\s\S]*?)```/.exec(page);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "example.mjs");
  writeFileSync(file, example);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const [scrubbed, report, messages, ...recovery] = stdout.split("\n");
  const said = [...example.matchAll(/\/\/ (?=deploy|3f2c|1$)(.*)/gm)].map(([, text]) => text);
  assert.deepEqual([scrubbed, report, messages], said);
  assert.match(recovery.join("\n"), /^## Session Recovery Context\n[\s\S]*Make the build green\./);
});

test("the example of providers runs, and prints what it says", () => {
  const example = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, text]) => text).find((text) => text.includes("ResponseStream"));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "providers.mjs");
  writeFileSync(file, example);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const said = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, text]) => text);
  assert.deepEqual(stdout.trim().split("\n"), said);
});

test("the page names every public function and class, and every code that the package's own files have", () => {
  for (const name of Object.keys(throughline)) assert.ok(page.includes(name), name);
  const sources = ["answer", "arguments", "engine", "host", "ingest", "js_object", "value"].map((name) => `bindings/src/${name}.rs`);
  const text = [...sources, "bindings/js/core.js", "bindings/js/handle.js"].map((name) => readFileSync(join(root, name), "utf8")).join("\n");
  const codes = new Set([...text.matchAll(/"([a-z]+_(?:invalid|failed|initialized))"|"(freed)"/g)].map(([, a, b]) => a ?? b));
  assert.ok(codes.size >= 6, [...codes].join());
  for (const code of codes) assert.ok(page.includes(`\`${code}\``), code);
});
