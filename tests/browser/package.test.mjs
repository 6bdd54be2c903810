// The package as a browser gets it: from the packed tarball, without a bundler, under a strict policy.
// The server stands for the resolver of a bundler: it leads a name to what the exports map says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import * as throughline from "throughline";
import { build } from "vite";
import { plantedSecrets, sampleSession } from "../fixtures/sample-session.mjs";
import { launch, open } from "./chromium.mjs";
import { scenario } from "./pages/scenario.mjs";
import { serve } from "./server.mjs";

const PAGES = fileURLToPath(new URL("./pages/", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../bindings/", import.meta.url));
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
/** The same, and nothing may be fetched at all. */
const CLOSED = `${POLICY}; connect-src 'none'`;

const input = { log: sampleSession(), assignment: ["password", ["hunt", "er2!x9"].join("")].join("="), loaded: false };
const folder = mkdtempSync(join(tmpdir(), "throughline-package-"));
const installed = join(folder, "node_modules", "throughline");
let browser;
let expected;

before(async () => {
  const npm = (...words) => execFileSync("npm", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  writeFileSync(join(folder, "package.json"), '{"private": true}\n');
  npm("pack", PACKAGE, "--pack-destination", folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  npm("install", "--offline", "--no-audit", "--no-fund", `./${tarball}`);
  expected = await scenario(throughline, { ...input, loaded: true });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** The file that the exports map names where the condition `node` does not hold. */
function entry(subpath) {
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const found = exports[subpath].default;
  return join("/node_modules/throughline", found.default ?? found);
}

async function serveInstalled(policy) {
  return serve(
    { "/node_modules/": join(folder, "node_modules"), "/": PAGES },
    {
      headers: { "content-security-policy": policy },
      answers: { "/input.js": `export default ${JSON.stringify(input)};\n` },
      redirects: { "/resolve/throughline": entry("."), "/resolve/throughline/inline": entry("./inline") },
    },
  );
}

for (const { name, policy, fetched } of [
  { name: "package", policy: POLICY, fetched: 1 },
  { name: "inline", policy: CLOSED, fetched: 0 },
]) {
  for (const place of ["inWindow", "inWorker"]) {
    test(`${name}, ${place}: the same bytes as in Node, under a strict policy`, async () => {
      const server = await serveInstalled(policy);
      const { page, requests, complaints, close } = await open(browser);
      try {
        await page.goto(`${server.origin}/${name}.html`);
        const answers = await page.evaluate((place) => globalThis[place](), place);
        assert.equal(answers.prompt, expected.prompt);
        assert.deepEqual(answers, expected);
        assert.ok(answers.prompt.length > 1000 && answers.redacted.includes("[REDACTED:assignment]"));
        assert.deepEqual(answers.streamed.byteStream, answers.streamed.whole);
        assert.match(answers.streamed.textStream, /^Grüße\n.*\[REDACTED:assignment:[a-z2-7]{8}\]/s);
        const text = JSON.stringify(answers);
        assert.deepEqual(plantedSecrets.filter(({ fragments }) => fragments.some((part) => text.includes(part))), []);
        assert.deepEqual(complaints, []);
        assert.deepEqual(requests.filter((url) => !url.startsWith(server.origin) && !url.startsWith("data:")), []);
        assert.equal(requests.filter((url) => url.endsWith(".wasm")).length, fetched, "the times the module was fetched");
      } finally {
        await close();
        await server.close();
      }
    });
  }
}

test("a bundle by Vite holds the module once, and says the same", async () => {
  const app = join(folder, "app");
  mkdirSync(app);
  cpSync(join(PAGES, "scenario.mjs"), join(app, "scenario.mjs"));
  writeFileSync(join(app, "index.html"), '<!doctype html><title>app</title><link rel="icon" href="data:," /><script type="module" src="./main.mjs"></script>\n');
  writeFileSync(join(app, "main.mjs"), `
    import * as throughline from "throughline";
    import { scenario } from "./scenario.mjs";
    globalThis.inWindow = (input) => scenario(throughline, input);`);
  await build({ root: app, configFile: false, logLevel: "error", build: { modulePreload: false } });
  const files = readdirSync(join(app, "dist"), { recursive: true }).map(String);
  assert.equal(files.filter((name) => name.endsWith(".wasm")).length, 1, files.join());
  const server = await serve({ "/": join(app, "dist") }, { headers: { "content-security-policy": POLICY } });
  const { page, complaints, close } = await open(browser);
  try {
    await page.goto(`${server.origin}/`);
    assert.deepEqual(await page.evaluate((input) => globalThis.inWindow(input), input), expected);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
    await server.close();
  }
});

test("a policy without 'wasm-unsafe-eval' is a named error, and not the end", async () => {
  const server = await serveInstalled("default-src 'self'; img-src data:");
  const { page, close } = await open(browser);
  try {
    for (const name of ["package", "inline"]) {
      await page.goto(`${server.origin}/${name}.html`);
      const message = await page.evaluate(() => globalThis.inWindow().then(() => "", ({ code, message }) => `${code}: ${message}`));
      assert.match(message, /^load_failed: .*(unsafe-eval|Content Security Policy)/, name);
    }
  } finally {
    await close();
    await server.close();
  }
});

test("the tarball holds the package and nothing else", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
  assert.deepEqual(files.filter((name) => !/\.(?:js|d\.ts|wasm|json|md)$/.test(name)), []);
  // The second module is what `throughline/conformance` and `throughline/console` load, and no bundle of the others.
  assert.deepEqual(files.filter((name) => name.endsWith(".wasm")).sort(), ["throughline.wasm", "tools.wasm"]);
  for (const name of ["README.md", "web.js", "inline.js", "inline.d.ts", "node.js"]) assert.ok(files.includes(name), name);
});
