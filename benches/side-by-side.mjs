// `npm run bench`: the same work natively, in wasm under Node, and by peers, in one run; a table with
// ratios. `--json` prints the figures alone; a word chooses the cases whose name holds it.
// (`npm run bench -- --criterion NAME` runs the criterion benches, `npm run bench -- --stores` prompts and
// logs into SQLite and PostgreSQL, `npm run bench -- --scale` operations on stores of up to a million checkpoints.)
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as continuity from "./continuity.mjs";
import { setup, wasmTool } from "../tests/tasks/setup.mjs";
import { assemble } from "./plain-assembly.mjs";
import { bold, cargoTarget, main, run, step } from "../tests/tasks/terminal.mjs";

/** Each case runs at least so long, and at least three times. */
const ENOUGH_MS = 800;

const crate = "throughline-benches";

async function build() {
  const target = await cargoTarget();
  await step("native build", ["cargo", "build", "--locked", "--release", "-p", crate, "--bin", "throughline-bench"]);
  const wasm = ["--target", "wasm32-unknown-unknown", "--profile", "wasm-release"];
  await step("wasm build", ["cargo", "build", "--locked", "-p", crate, "--lib", ...wasm]);
  const out = join(target, "bench-wasm");
  const module = join(target, "wasm32-unknown-unknown", "wasm-release", "throughline_benches.wasm");
  await step("wasm glue", [wasmTool("wasm-bindgen"), module, "--target", "nodejs", "--out-dir", out]);
  writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n'); // the glue is CommonJS, the checkout is not
  return { native: join(target, "release", "throughline-bench"), wasm: join(out, "throughline_benches.js") };
}

function median(work) {
  let check = work();
  const times = [];
  const begin = performance.now();
  while (times.length < 3 || performance.now() - begin < ENOUGH_MS) {
    const since = performance.now();
    check = work();
    times.push(performance.now() - since);
  }
  times.sort((a, b) => a - b);
  return { ms: times[Math.floor(times.length / 2)], check };
}

/** What a JavaScript harness would do: a line at a time through JSON.parse. */
function parseLines(log) {
  let records = 0;
  for (const line of log.split("\n")) if (line !== "" && JSON.parse(line) !== null) records += 1;
  return records;
}

/** The cases that are written in plain JavaScript as well. */
function peers(row) {
  const [thousand, tenThousand] = [1000, 10_000].map((count) => continuity.drafts(row, count));
  return {
    "checkpoint: digest": () => Buffer.byteLength(continuity.digest(row)),
    "checkpoint: recovery text of 2,000": () => continuity.recovery(row, "1970-01-01T00:00:00Z", 2000).length,
    "checkpoint: 10,000 enqueued and merged": () => continuity.enqueueAndMerge(thousand),
    "checkpoint: 10,000 due and flushed": () => continuity.flush(tenThousand),
  };
}

/** The time of an assembly in plain JavaScript, which must come to the same hash. */
function plain(module, count) {
  const [text, hash] = module.rows(count);
  const rows = JSON.parse(text);
  const found = assemble(rows).hash;
  if (found !== hash) throw new Error(`${count} rows: plain JavaScript comes to ${found}, wasm to ${hash}`);
  return median(() => assemble(rows).messages.length).ms;
}

async function measure({ native, wasm }, wanted) {
  const { output } = await run([native, wanted]);
  const figures = JSON.parse(output);
  const module = createRequire(import.meta.url)(wasm);
  module.prepare().forEach((name, index) => {
    if (!name.includes(wanted)) return;
    const { ms: whole, check } = median(() => module.run(index));
    const ms = whole / module.times(index);
    if (check !== figures[name].check) throw new Error(`${name}: wasm gives ${check}, native ${figures[name].check}`);
    figures[name].wasm = ms;
  });
  for (const [count, shown] of [[1000, "  1,000"], [10_000, " 10,000"], [100_000, "100,000"]]) {
    const name = `prompt: ${shown} rows: assembly`;
    if (figures[name]) figures[name].js = plain(module, count);
  }
  if (Object.keys(figures).some((name) => name.startsWith("log: "))) {
    const log = module.log(8 * 1024 * 1024);
    figures["log: JSON.parse a line (Node)"] = { js: median(() => parseLines(log)).ms, bytes: Buffer.byteLength(log) };
  }
  const row = JSON.parse(module.checkpoint());
  for (const [name, work] of Object.entries(peers(row)).filter(([name]) => figures[name])) {
    const { ms, check } = median(work);
    const { check: own } = figures[name];
    // Where a context is cut differs by a few characters; everything else is to be the same.
    const same = name.startsWith("checkpoint: recovery") ? check <= 2000 && Math.abs(check - own) <= 40 : check === own;
    if (!same) throw new Error(`${name}: plain JavaScript gives ${check}, the core ${own}`);
    figures[name].js = ms;
  }
  return figures;
}

const speed = (ms, bytes) =>
  ms === undefined || ms === null ? "–" : bytes > 0 ? `${(bytes / ms / 1000).toFixed(0)} MB/s` : ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(1)} ms`;

function table(figures) {
  const peer = figures["log: JSON.parse a line (Node)"];
  const beside = (name, { ms, wasm, js }) =>
    name.startsWith("log: ") ? ratio(peer.js, ms ?? js) : js && wasm ? `${(js / wasm).toFixed(2)} × plain JS` : js && ms ? `${(js / ms).toFixed(2)} × plain JS` : "";
  const rows = [["work", "native", "wasm", "Node", "wasm / native", "beside"]];
  for (const name of Object.keys(figures).sort()) {
    const figure = figures[name];
    const { ms, wasm, js, bytes, memory } = figure;
    rows.push([
      name,
      memory === undefined ? speed(ms, bytes) : `${(memory / 1e6).toFixed(0)} MB`,
      speed(wasm, bytes),
      speed(js, bytes),
      ms && wasm ? `${(wasm / ms).toFixed(2)} × the time` : "–",
      beside(name, figure),
    ]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()).join("\n");
}

/** How fast beside the peer: 2.00 × is twice as fast. */
const ratio = (peer, own) => `${(peer / own).toFixed(2)} × the speed`;

await main(async () => {
  const words = process.argv.slice(2);
  await setup(["rust", "wasm"]);
  if (words[0] === "--criterion") {
    const names = words.slice(1);
    const command = ["cargo", "bench", "--locked", "-p", crate, "--bench", "core"];
    const { status } = await run(names.length > 0 ? [...command, "--", ...names] : command, {
      onText: (text) => process.stdout.write(text),
    });
    return status;
  }
  if (words[0] === "--stores") return (await import("./stores.mjs")).main();
  if (words[0] === "--scale") return (await import("./scale.mjs")).main(words.slice(1));
  const wanted = words.find((word) => !word.startsWith("--")) ?? "";
  const figures = await measure(await build(), wanted);
  if (words.includes("--json")) {
    console.log(JSON.stringify(figures, null, 2));
    return 0;
  }
  console.log(`\n${bold("── native beside wasm beside peers")}`);
  console.log(table(figures));
  return 0;
});
