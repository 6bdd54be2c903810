// `npm run bench:redact`: the redactor natively, in wasm with and without SIMD, from JavaScript strings, and beside
// peers, in one run; a table with the bar. `--quick` takes smaller texts, `--no-peers` leaves the peers out, `--json`
// prints the figures alone. Times are those on a processor. A peer that cannot be installed or takes too long says so in its row.
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { edits } from "../bindings/js/edits.js";
import { joined } from "../bindings/js/joined.js";
import { optimiseWasm, setup, wasmTool } from "../tests/tasks/setup.mjs";
import { added, sizeLine } from "./redact-size.mjs";
import { Problem, bold, cargoTarget, main, onPath, root, run, step } from "../tests/tasks/terminal.mjs";

const crate = "throughline-benches";
const MB = 1e6;
const PEER_SECONDS = 120;

/** What is required: MB/s, or what the row says. */
const BAR = {
  "log, clean": { native: 400, simd: 350, scalar: 100 },
  "log, a secret every 4 KB": { native: 300, simd: 250, scalar: 100 },
  flood: { native: 100 },
  string: 200,
};

/** The strings that are scrubbed: engines hold those of ASCII in one byte for each character, others in two. */
const STRINGS = {
  "string, clean": { planted: false, ascii: false },
  "string, a secret every 4 KB": { planted: true, ascii: false },
  "string of ASCII, clean": { planted: false, ascii: true },
  "string of ASCII, a secret every 4 KB": { planted: true, ascii: true },
};

async function build() {
  const target = await cargoTarget();
  const native = ["cargo", "build", "--locked", "--release", "-p", crate, "--bin", "throughline-bench-redact"];
  await step("native build", native);
  const modules = {};
  for (const [name, flags] of [["simd", "-C target-feature=+simd128"], ["scalar", ""]]) {
    const wasm = ["--target", "wasm32-unknown-unknown", "--profile", "wasm-release"];
    const env = { RUSTFLAGS: flags };
    await step(`wasm build, ${name}`, ["cargo", "build", "--locked", "-p", crate, "--lib", ...wasm], { env });
    const built = join(target, "wasm32-unknown-unknown", "wasm-release", "throughline_benches.wasm");
    const out = join(target, `bench-redact-${name}`);
    mkdirSync(out, { recursive: true });
    cpSync(built, join(out, "module.wasm"));
    const glue = [wasmTool("wasm-bindgen"), join(out, "module.wasm"), "--target", "nodejs", "--out-dir", out];
    await step(`wasm glue, ${name}`, glue);
    // As the package is shipped; a module without SIMD stays one.
    const wasmModule = join(out, "module_bg.wasm");
    await step(`optimised wasm, ${name}`, optimiseWasm(wasmModule, wasmModule));
    writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');
    modules[name] = join(out, "module.js");
  }
  return { native: join(target, "release", "throughline-bench-redact"), modules, target };
}

/** Milliseconds that this process was on a processor: others on the machine do not count. */
function busy() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The best and the median of five samples, each of as many runs as take about 150 ms. */
function timed(work) {
  const begin = performance.now();
  let check = work();
  const rounds = Math.max(1, Math.floor(150 / Math.max(performance.now() - begin, 0.01)));
  const times = [];
  while (times.length < 5) {
    const since = busy();
    for (let round = 0; round < rounds; round += 1) check = work();
    times.push((busy() - since) / rounds);
  }
  times.sort((a, b) => a - b);
  return { ms: times[2], best: times[0], check };
}

/** A text with a sign for each character that is none of ASCII, as an engine holds what it reads. */
function asciiOf(text) {
  return new TextDecoder().decode(new TextEncoder().encode(text.replace(/[^\0-\x7f]/g, "~")));
}

/** All cases in a wasm module; each module in a process of its own, so that none inherits another's memory. */
function measureWasm(path, sizes) {
  const module = createRequire(import.meta.url)(path);
  const since = performance.now();
  module.lookThrough("password: x1y2z3");
  const ready = performance.now() - since;
  const figures = { ready };
  module.prepareRedact(sizes.log, sizes.flood).forEach((name, index) => {
    figures[name] = { ...timed(() => module.runRedact(index)), bytes: module.redactBytes(index) };
  });
  for (const [name, { planted, ascii }] of Object.entries(STRINGS)) {
    const made = module.redactLog(sizes.log, planted);
    const text = ascii ? asciiOf(made) : made;
    const scrub = () => {
      const replaced = edits(text, new module.Edits());
      return replaced ? joined(text, replaced).length : text.length;
    };
    figures[name] = { ...timed(scrub), bytes: Buffer.byteLength(text) };
  }
  return figures;
}

async function measure({ native, modules }, quick) {
  const { output, status } = await run([native, ...(quick ? ["--quick"] : [])]);
  if (status !== 0) throw new Problem(`the native bench failed:\n${output}`);
  const figures = { native: JSON.parse(output) };
  for (const [name, path] of Object.entries(modules)) {
    const command = [process.execPath, import.meta.filename, "--module", path, ...(quick ? ["--quick"] : [])];
    const { stdout, status, output } = await run(command);
    if (status !== 0) throw new Problem(`the wasm bench failed:\n${output}`);
    figures[name] = JSON.parse(stdout);
    for (const [row, { check }] of Object.entries(figures[name])) {
      const other = figures.native[row]?.check;
      if (check !== undefined && other !== undefined && check !== other) {
        throw new Problem(`${row}: ${name} finds ${check}, native ${other}`);
      }
    }
  }
  return figures;
}

/** The sizes of the bench's own modules, which hold more than the redactor. */
function sizes({ modules }) {
  return Object.fromEntries(
    Object.entries(modules).map(([name, path]) => {
      const wasm = readFileSync(path.replace(/module\.js$/, "module_bg.wasm"));
      return [name, { raw: wasm.length, gzip: gzipSync(wasm, { level: 9 }).length }];
    }),
  );
}

/** Peers: how each is installed into a folder, and how it is run on a file. */
const peers = {
  ripsecrets: {
    program: (folder) => join(folder, "bin", "ripsecrets"),
    install: (folder) => ["cargo", "install", "ripsecrets", "--root", folder],
    command: (program, file) => [program, "--strict-ignore", file],
    needs: "cargo",
  },
  secretlint: {
    program: (folder) => join(folder, "node_modules", ".bin", "secretlint"),
    install: (folder) => [
      ...["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"],
      ...["secretlint", "@secretlint/secretlint-rule-preset-recommend"],
    ],
    command: (program, file) => [program, "--secretlintrc", join(file, "..", "secretlintrc.json"), file],
    needs: "npm",
  },
  "detect-secrets": {
    program: (folder) => join(folder, "bin", "detect-secrets"),
    install: (folder) => ["sh", "-c", `python3 -m venv ${folder} && ${folder}/bin/pip install -q detect-secrets`],
    // It reads files of the folder that it runs in, and no others.
    command: (program, file) => [program, "scan", "--no-verify", "--all-files", basename(file)],
    runsAmongTexts: true,
    needs: "python3",
  },
};

async function measurePeers({ native, target }, quick) {
  const texts = join(target, "peers", "texts");
  mkdirSync(texts, { recursive: true });
  await step("texts for peers", [native, "--write", texts, ...(quick ? ["--quick"] : [])]);
  const rules = '{ "rules": [{ "id": "@secretlint/secretlint-rule-preset-recommend" }] }\n';
  writeFileSync(join(texts, "secretlintrc.json"), rules);
  const figures = {};
  for (const [name, peer] of Object.entries(peers)) {
    figures[name] = await measurePeer(peer, join(target, "peers", name), texts);
  }
  return figures;
}

async function measurePeer({ program, install, command, needs, runsAmongTexts }, folder, texts) {
  if (!onPath(needs)) return { said: `${needs} is missing` };
  if (!existsSync(program(folder))) {
    const { status } = await run(["timeout", "600", ...install(folder)]);
    if (status !== 0) return { said: "could not be installed" };
  }
  const figures = {};
  for (const [row, file] of [["log, clean", "clean.txt"], ["log, a secret every 4 KB", "planted.txt"]]) {
    const path = join(texts, file);
    const timed = 'TIMEFORMAT="busy %U %S"; time timeout "$@"';
    const words = ["bash", "-c", timed, "bash", String(PEER_SECONDS), ...command(program(folder), path)];
    const { status, output } = await run(words, { cwd: runsAmongTexts ? texts : folder });
    const [, user, system] = /busy ([\d.]+) ([\d.]+)/.exec(output) ?? [];
    const ms = (Number(user) + Number(system)) * 1000;
    const bytes = statSync(path).size;
    figures[row] = status === 124 ? { said: `< ${(bytes / MB / PEER_SECONDS).toFixed(1)}` } : { ms, bytes };
  }
  return figures;
}

// Of all runs the best: the one that others on the machine disturbed least.
const rate = (figure) => (figure?.bytes > 0 ? figure.bytes / (figure.best ?? figure.ms) / 1000 : undefined);
const shown = (value, bar) =>
  value === undefined ? "–" : `${value.toFixed(0)}${bar === undefined ? "" : value >= bar ? ` ≥ ${bar}` : ` < ${bar} ✗`}`;

function table(figures, peerFigures) {
  const rows = [["MB/s (best run)", "native", "wasm simd128", "wasm scalar", "scalar / native"]];
  for (const name of Object.keys(figures.native).filter((name) => figures.native[name].bytes > 0)) {
    const bar = BAR[name] ?? (name.startsWith("flood") ? BAR.flood : {});
    const [native, simd, scalar] = ["native", "simd", "scalar"].map((build) => rate(figures[build][name]));
    const ratio = native && scalar ? `${(scalar / native).toFixed(2)} ×` : "–";
    rows.push([name, shown(native, bar.native), shown(simd, bar.simd), shown(scalar, bar.scalar), ratio]);
  }
  for (const name of Object.keys(STRINGS)) {
    rows.push([`JavaScript ${name}`, "–", shown(rate(figures.simd[name]), BAR.string), shown(rate(figures.scalar[name])), "–"]);
  }
  for (const [name, peer] of Object.entries(peerFigures)) {
    for (const row of ["log, clean", "log, a secret every 4 KB"]) {
      const figure = peer[row];
      const value = rate(figure);
      const said = peer.said ?? figure?.said ?? value?.toFixed(1) ?? "–";
      const times = value ? `${(rate(figures.native[row]) / value).toFixed(0)} × slower than native` : "–";
      rows.push([`${name}: ${row}`, said, "–", "–", times]);
    }
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()).join("\n");
}

function others(figures) {
  const memory = (name) => figures.native[`memory, ${name}`]?.memory;
  const kilobytes = (bytes) => (bytes === null || bytes === undefined ? "not told here" : `${(bytes / 1024).toFixed(0)} KB`);
  const ready = figures.native["ready for use"].ms;
  return [
    `ready for use, native: ${ready.toFixed(3)} ms (bar 1)`,
    `ready for use, wasm simd128, its module loaded: ${figures.simd.ready.toFixed(1)} ms (bar 10)`,
    `memory beside the text and the findings: clean ${kilobytes(memory("clean"))}, planted ${kilobytes(memory("planted"))} (bar 256)`,
    sizeLine(figures.added),
    ...Object.entries(figures.sizes).map(([name, { raw, gzip }]) =>
      `the bench's wasm module, ${name}: ${(raw / 1024).toFixed(0)} KB raw, ${(gzip / 1024).toFixed(0)} KB gzip`),
  ].join("\n");
}

const words = process.argv.slice(2);
const quick = words.includes("--quick");
const textSizes = quick ? { log: 16 << 20, flood: 4 << 20 } : { log: 64 << 20, flood: 16 << 20 };

await main(async () => {
  if (words[0] === "--module") {
    console.log(JSON.stringify(measureWasm(words[1], textSizes)));
    return 0;
  }
  await setup(["rust", "wasm", "npm"]);
  const built = await build();
  const figures = { ...(await measure(built, quick)), sizes: sizes(built), added: (await added()).size };
  const peerFigures = words.includes("--no-peers") ? {} : await measurePeers(built, quick);
  if (words.includes("--json")) {
    console.log(JSON.stringify({ ...figures, peers: peerFigures }, null, 2));
    return 0;
  }
  console.log(`\n${bold("── the redactor, its bar and its peers")}`);
  console.log(table(figures, peerFigures));
  console.log(others(figures));
  return 0;
});
