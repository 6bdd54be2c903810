// The preview page as it is built, in Chromium: it says what the native command says, and keeps what it
// is given to itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { plantedSecrets, sampleSession } from "../fixtures/sample-session.mjs";
import { brief } from "../../bindings/preview/src/parts.js";
import { cargoTarget, root } from "../tasks/terminal.mjs";
import { launch, open } from "./chromium.mjs";
import { contrastFaults } from "./rendered-contrast.mjs";
import { serve } from "./server.mjs";

const REAL = join(root, "..", "shared", "real");
const folder = mkdtempSync(join(tmpdir(), "throughline-preview-"));
const sample = join(folder, "sample.jsonl");
writeFileSync(sample, sampleSession());
let browser;
let server;
let throughline;

before(async () => {
  execFileSync("cargo", ["build", "--quiet", "--locked", "-p", "throughline"], { cwd: root });
  throughline = join(await cargoTarget(), "debug", "throughline");
  server = await serve({ "/": join(root, "bindings", "preview", "dist") });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

/** Runs a test on a fresh page; afterwards nothing may have been complained about, or asked of another host. */
async function onPage(work, options) {
  const { page, requests, complaints, close } = await open(browser, options);
  try {
    await page.goto(server.origin);
    await work(page);
    assert.deepEqual(complaints, []);
    const local = [`${server.origin}/`, `blob:${server.origin}/`];
    assert.deepEqual(requests.filter((url) => !local.some((start) => url.startsWith(start))), []);
  } finally {
    await close();
  }
}

async function choose(page, file) {
  await page.setInputFiles("#file", file);
  const name = file.split("/").at(-1);
  await page.waitForFunction((name) => document.title.startsWith(`${name} `) || !document.getElementById("error").hidden, name, { timeout: 60_000 });
  return page.evaluate(() => (document.getElementById("error").hidden ? "" : document.getElementById("error").textContent));
}

const hashesOf = (page) => page.locator("[data-hash]").evaluateAll((all) => Object.fromEntries(all.map(({ dataset, textContent }) => [dataset.hash, textContent])));

/** What the native command says of the same file. */
function native(file) {
  const store = ["--store", `sqlite:${join(folder, `${file.split("/").at(-1)}.db`)}`, "--json"];
  const json = (...words) => JSON.parse(execFileSync(throughline, [...words, ...store], { encoding: "utf8", maxBuffer: 1 << 28 }));
  const [report] = json("ingest", file);
  return { report, prompt: json("prompt", report.session) };
}

async function sameAsNative(file) {
  const { report, prompt } = native(file);
  await onPage(async (page) => {
    assert.equal(await choose(page, file), "");
    const { fingerprint, stable_hash, tail_hash, sections } = prompt;
    assert.deepEqual(await hashesOf(page), { fingerprint, stable_hash, tail_hash, ...sections });
    const shown = await page.locator(".tiles b").allTextContents();
    const { messages, tool_calls, tool_results, thinking, compactions } = report;
    const counted = [messages.user, messages.assistant, tool_calls, tool_results, thinking, compactions];
    assert.deepEqual(shown, counted.map((number) => number.toLocaleString("en-GB")));
    const rules = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));
    assert.deepEqual(rules, report.findings_by_rule.map(({ rule, kind, count }) => [rule, kind, String(count)]));
    await throughAllPages(page, prompt);
  });
}

/** Each message is there, in order, with its role and texts, on the right side of the seam. */
async function throughAllPages(page, { messages, stable_len, system }) {
  const seen = [];
  for (;;) {
    seen.push(...(await page.locator(".message").evaluateAll(shownMessages)));
    const next = page.getByRole("button", { name: "Next" });
    if ((await next.count()) === 0 || (await next.isDisabled())) break;
    const position = await page.locator(".pager span").textContent();
    await next.click();
    await page.waitForFunction((old) => document.querySelector(".pager span").textContent !== old, position);
  }
  const textsOf = (message) => brief(message, 0).parts.map(({ text }) => text).filter((text) => text !== "");
  const expected = messages.map((message, index) => [message.role, index >= stable_len, textsOf(message)]);
  const texts = textsOf({ parts: system.map((text) => ({ type: "text", text })) });
  assert.deepEqual(seen, system.length > 0 ? [["prompt", false, texts], ...expected] : expected);
}

/** Runs in the page: role, whether it is in the open tail, and the texts as they are shown. */
function shownMessages(all) {
  const textsOf = (message) => [...message.querySelectorAll(".text, pre")].filter((box) => !box.querySelector(".hint"));
  return all.map((message) => [message.dataset.role, "open" in message.dataset, textsOf(message).map((box) => box.textContent)]);
}

test("the bundled sample: as the native command says", () => sameAsNative(sample));

const known = existsSync(REAL) ? readdirSync(REAL).filter((name) => /^claude-code-.*\.jsonl$/.test(name)) : [];
if (known.length === 0) {
  test("real logs", (context) => {
    if (process.env.CI) assert.fail(`there are no logs in ${REAL}`);
    context.skip(`there are no logs in ${REAL}`);
  });
}
for (const name of known) test(`${name}: as the native command says`, () => sameAsNative(join(REAL, name)));

/** Every text that the page can show of the log. */
async function everything(page) {
  for (const more of await page.locator(".more[aria-expanded=false]").all()) await more.click();
  await page.locator("details").evaluateAll((all) => all.forEach((each) => (each.open = true)));
  await page.waitForFunction(() => document.querySelectorAll("[data-cut]").length === 0);
  return page.evaluate(() => document.documentElement.outerHTML + [...document.querySelectorAll("input, textarea")].map(({ value }) => value).join());
}

const survivors = (text) => plantedSecrets.filter(({ fragments }) => fragments.some((part) => text.includes(part))).map(({ name }) => name);

for (const way of ["sample", "chosen", "dropped", "pasted"]) {
  test(`${way}: the sample is shown with marks, and no secret is in the page`, () =>
    onPage(async (page) => {
      if (way === "sample") await page.getByRole("button", { name: "Open the sample" }).click();
      if (way === "chosen") await choose(page, sample);
      if (way === "dropped" || way === "pasted") {
        await page.evaluate(({ way, log }) => {
          const data = new DataTransfer();
          if (way === "dropped") data.items.add(new File([log], "dropped.jsonl"));
          else data.setData("text", log);
          const event = way === "dropped" ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }) : new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
          document.body.dispatchEvent(event);
        }, { way, log: sampleSession() });
      }
      await page.waitForSelector("#result:not([hidden])");
      const text = await everything(page);
      assert.deepEqual(survivors(text), []);
      assert.ok((await page.locator("mark").count()) > 10);
      assert.match(text, /\[REDACTED:github-token\]/);
      assert.match(await page.locator(".body").textContent(), /Session Recovery Context/);
      assert.equal(survivors(sampleSession()).length, plantedSecrets.length, "the check itself sees them");
    }));
}

test("neither the page nor its worker can reach anything, its own host included", async () => {
  // Refusals are printed by the browser, so this page's console is not judged.
  const { page, close } = await open(browser);
  await page.goto(server.origin);
  await choose(page, sample);
  const attempt = async () => {
    const request = new XMLHttpRequest();
    const asked = new Promise((resolve) => {
      request.onload = () => resolve("reached");
      request.onerror = () => resolve("refused");
    });
    request.open("GET", `${self.origin}/`);
    request.send();
    return [await fetch(`${self.origin}/`).then(() => "reached", () => "refused"), await asked];
  };
  assert.deepEqual(await page.evaluate(attempt), ["refused", "refused"]);
  const [worker] = page.workers();
  assert.deepEqual(await worker.evaluate(attempt), ["refused", "refused"]);
  await close();
});

test("what cannot be read is said with its code, and the next log opens", () =>
  onPage(async (page) => {
    const file = (name, bytes) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const token = ["ghp", "016tbYWGqJmUwCTrR8MPAv7NvGZ2bD3Azkqs"].join("_");
    const other = JSON.stringify({ timestamp: "2026-03-10T09:00:00Z", type: "session_meta", payload: { id: "x", cwd: "/", originator: "codex_cli_rs" } });
    for (const [path, code] of [
      [file("empty.jsonl", ""), "log_empty"],
      [file("binary.jsonl", Buffer.from([...Array(2000).keys()].map((at) => (at * 7919) % 256))), "format_unknown"],
      [file("prose.txt", `no log at all, but a token ${token}\n`), "format_unknown"],
      [file("codex.jsonl", `${other}\n`), "format_unsupported"],
    ]) {
      const said = await choose(page, path);
      assert.ok(said.includes(code), `${path}: ${said}`);
      assert.ok(!said.includes(token));
      assert.equal(await page.locator("#progress").isVisible(), false);
    }
    assert.equal(await page.evaluate(() => document.getElementById("error").getAttribute("role")), "alert");
    await page.setInputFiles("#file", sample);
    await page.waitForSelector("#result:not([hidden])");
    assert.equal(await page.locator("#error").isVisible(), false);
  }));

test("a log without a session says so", () =>
  onPage(async (page) => {
    const file = join(folder, "none.jsonl");
    writeFileSync(file, '{"type":"summary","summary":"x","leafUuid":"y"}\n');
    assert.equal(await choose(page, file), "");
    assert.match(await page.locator("#result").textContent(), /No session yet/);
  }));

test("a long log shows how far it is, and can be cancelled; what was shown stays", () =>
  onPage(async (page) => {
    await choose(page, sample);
    const shown = await hashesOf(page);
    const long = join(folder, "long.jsonl");
    writeFileSync(long, sampleSession().repeat(Math.ceil(100e6 / statSync(sample).size)));
    await page.setInputFiles("#file", long);
    await page.waitForFunction(() => document.getElementById("bar").value > 0 && document.getElementById("bar").value < 1);
    assert.match(await page.locator("#phase").textContent(), /^Reading, \d+ %$/);
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await page.locator("#progress").isVisible(), false);
    assert.deepEqual(await hashesOf(page), shown);
    assert.equal(await page.locator("#status").textContent(), "Cancelled.");
    // The browser tells of workers that end and begin a little later.
    const end = Date.now() + 10_000;
    while (page.workers().length !== 1 && Date.now() < end) await page.waitForTimeout(20);
    assert.equal(page.workers().length, 1, "the worker that was reading is gone");
    assert.equal(await choose(page, sample), "");
    rmSync(long);
  }));

test("the keyboard reaches everything, and shows where it is", () =>
  onPage(async (page) => {
    // Asked for before the first key: the browser takes a while to hand choosers over, and until then opens its own.
    const chooser = page.waitForEvent("filechooser");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "drop");
    await page.keyboard.press("Enter");
    await (await chooser).setFiles(sample);
    await page.waitForSelector("#result:not([hidden])");
    assert.equal(await page.evaluate(() => document.activeElement.id), "log-title", "what was opened is read on");
    const reached = new Set();
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      const { label, outline } = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return { label: document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent, outline: `${outlineStyle} ${outlineWidth}` };
      });
      if (await page.evaluate(() => document.activeElement === document.body)) break;
      assert.equal(outline, "solid 3px", label);
      reached.add(label);
    }
    for (const label of ["Copy fingerprint", "Copy the recovery text", "Sections of the fingerprint"]) assert.ok(reached.has(label), [...reached].join());
    const nameless = await page.locator("button, summary, input:not([hidden])").evaluateAll((all) => all.filter((each) => !(each.getAttribute("aria-label") ?? each.textContent).trim()).length);
    assert.equal(nameless, 0);
  }));

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1400]) {
    test(`${colorScheme}, ${width} px: nothing runs over the edge, and every text stands out`, () =>
      onPage(
        async (page) => {
          const check = async (state) => {
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, state);
            assert.deepEqual(await page.evaluate(contrastFaults), [], state);
          };
          await check("empty");
          await choose(page, sample);
          await page.locator("details").evaluateAll((all) => all.forEach((each) => (each.open = true)));
          await check("loaded");
          writeFileSync(join(folder, "empty.jsonl"), "");
          await choose(page, join(folder, "empty.jsonl"));
          await check("error");
        },
        { colorScheme, viewport: { width, height: 800 } },
      ));
  }
}

test("what is built is the policy that is meant, and holds the module once", () => {
  const dist = join(root, "bindings", "preview", "dist");
  const html = readFileSync(join(dist, "index.html"), "utf8");
  for (const rule of ["default-src 'none'", "connect-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "form-action 'none'"]) assert.ok(html.includes(rule), rule);
  assert.ok(!html.includes("unsafe-inline") && !/<script(?![^>]*src=)/.test(html));
  const files = readdirSync(dist, { recursive: true }).map(String);
  assert.equal(files.filter((name) => name.endsWith(".wasm")).length, 0);
  const scripts = files.filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(dist, name), "utf8"));
  // The head of a gzip file; its first four characters alone also stand within a module now and then.
  assert.equal(scripts.join("").split("H4sIAAAAAAA").length - 1, 1, "the packed module");
});
