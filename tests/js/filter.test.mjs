// `redact` as a filter, natively and in Node: it keeps up with input that has no end.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { call, hosts, names } from "./hosts.mjs";

const value = ["hunt", "er2!x9"].join("");
const random = ["Zf3D0LXCM3EIMbgJ", "pUNnkRtOfOueHznB"].join("");
const folder = mkdtempSync(join(tmpdir(), "throughline-filter-"));
after(() => rmSync(folder, { recursive: true }));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

function filter(host, words = []) {
  const [program, ...rest] = [...hosts[host], "redact", ...words];
  const child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  let wake = () => {};
  child.stdout.on("data", (piece) => {
    text += piece;
    wake();
  });
  const says = async (wanted) => {
    while (!text.endsWith(wanted)) await new Promise((resolve) => (wake = resolve));
  };
  const closed = new Promise((resolve) => child.on("close", resolve));
  return { child, says, closed, text: () => text };
}

for (const host of names) {
  test(`${host}: a line comes out before the next one goes in`, { timeout: 60_000 }, async () => {
    const { child, says, closed } = filter(host);
    child.stdin.write("one\n");
    await says("one\n");
    child.stdin.write(`password: ${value.slice(0, 4)}`);
    child.stdin.write(`${value.slice(4)}\ntorn`);
    await says("one\npassword: [REDACTED:assignment]\n");
    child.stdin.write(" line\n<password>\n");
    await says("torn line\n");
    child.stdin.write(`${value}\n</password>\n`);
    await says("<password>\n[REDACTED:assignment]\n</password>\n");
    child.stdin.end("the end");
    await says("the end");
    assert.equal(await closed, 0);
  });
}

// Node reserves more address space than any limit that would say something.
test("native: input without an end needs no memory without one", { timeout: 120_000, skip: process.platform !== "linux" }, async () => {
  const feed = "yes 'a line with nothing to hide in it' | head -c 8000000 | (ulimit -v 60000; exec \"$@\") | wc -c";
  const child = spawn("bash", ["-c", feed, "bash", ...hosts.native, "redact"], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (piece) => (text += piece));
  await new Promise((resolve) => child.on("close", resolve));
  assert.equal(Number(text), 8_000_000);
});

test("what a redactor is set up with, the same in both", () => {
  const input = `api_key: "${random}" ${random}\npassword: ${value}\nlaunch_code=k7-9a acme_${random}\n`;
  const key = file("key", "0123456789abcdef\n");
  const rules = file("rules.json", '[{"id": "acme-token", "keywords": ["acme_"], "alphabet": "alnum", "min": 20}]');
  const bad = file("bad.json", '[{"id": "acme-token", "keywords": ["acme_"], "alphabet": "all", "min": 20}]');
  const keys = file("keys.json", '{"strong": ["launch_code"]}');
  const allow = file("allow.json", '{"keys": ["password"]}');
  for (const [words, wanted] of [
    [["--tag-key", key], /"\[REDACTED:assignment:([a-z2-7]{8})\]" \[REDACTED:assignment:\1\]\n/],
    [["--mark", "<{kind}>"], /password: <assignment>\n/],
    [["--rules", rules], /\[REDACTED:acme-token\]\n$/],
    [["--keys", keys, "--allow", allow], new RegExp(`password: ${value}\nlaunch_code=\\[REDACTED:assignment\\] `)],
    [["--exact-env", "SOME_SECRET"], /launch_code=\[REDACTED:exact\]/],
    [["--paranoid", "--pii", "--decode-depth=4", "--json"], /"truncated":false/],
    [["--rules", bad], /^$/],
    [["--exact-env", "NO_SUCH_SECRET"], /^$/],
    [["--tag-key", rules, "--rules", key], /^$/],
  ]) {
    const [one, other] = names.map((host) => call(host, ["redact", ...words], { input, env: { SOME_SECRET: "k7-9a acme" } }));
    assert.match(one.stdout.toString(), wanted);
    assert.equal(other.stdout.toString(), one.stdout.toString());
    assert.deepEqual([other.stderr, other.exit], [one.stderr, one.exit]);
    assert.equal(one.exit, wanted.source === "^$" ? 2 : 0, one.stderr);
  }
});
