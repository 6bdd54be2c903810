// Builds the npm package into bindings/dist: cargo → wasm-bindgen → wasm-opt for the module of the package and
// for that of the tools (conformance suite and command line), then checks the imports of both and the sizes of
// the first, as a file and inline. `--update` accepts new sizes into benches/snapshots/wasm-size.json.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { optimiseWasm, setup, wasmTool } from "../../tests/tasks/setup.mjs";
import { holdSizes } from "../../tests/tasks/sizes.mjs";
import { Problem, cargoTarget, main, root, step } from "../../tests/tasks/terminal.mjs";

const WORK = join(root, "target", "npm");
const DIST = join(root, "bindings", "dist");

/** The modules: how cargo builds each, where its files go, and how it finds the package's error class. */
const modules = [
  {
    name: "throughline",
    cargo: ["--profile", "wasm-release"],
    folder: "wasm-release",
    sources: join(root, "bindings", "js"),
    dist: DIST,
    errors: "./error.js",
  },
  {
    name: "tools",
    cargo: ["--profile", "wasm-tools", "--features", "conformance,console"],
    folder: "wasm-tools",
    sources: join(root, "bindings", "tools"),
    dist: join(DIST, "tools"),
    errors: "../error.js",
  },
];

await main(async () => {
  await setup(["wasm", "npm"]);
  checkSizes(await build(), process.argv.includes("--update"));
});

/** Builds what is not up to date, and gives the sizes of the package's module. */
async function build() {
  const compiled = [];
  for (const module of modules) compiled.push(await compile(module));
  const stamp = join(WORK, "stamp.json");
  const sources = modules.flatMap((module) => filesIn(module.sources));
  const hash = hashOf([...compiled, ...sources, import.meta.filename, join(root, "package-lock.json")]);
  const last = existsSync(stamp) ? JSON.parse(readFileSync(stamp, "utf8")) : {};
  if (last.inputs === hash && existsSync(DIST) && last.outputs === hashOf(filesIn(DIST))) {
    console.log(`${relative(root, DIST)} is up to date`);
    return last.sizes;
  }
  rmSync(DIST, { recursive: true, force: true });
  for (const [index, module] of modules.entries()) await pack(module, compiled[index]);
  const wasm = readFileSync(join(DIST, "throughline.wasm"));
  const sizes = { ...sizesOf(wasm), inline: packInline(wasm, DIST) };
  writeFileSync(stamp, JSON.stringify({ inputs: hash, outputs: hashOf(filesIn(DIST)), sizes }));
  return sizes;
}

async function compile({ name, cargo, folder }) {
  const target = ["--target", "wasm32-unknown-unknown", ...cargo];
  const command = ["cargo", "build", "--locked", "-p", "throughline-wasm", ...target];
  // The scrubber reads 64 bytes at a time by vectors; `core.js` says so where a runtime has none.
  await step(`compile the wasm module ${name}`, command, { env: { RUSTFLAGS: "-C target-feature=+simd128" } });
  return join(await cargoTarget(), "wasm32-unknown-unknown", folder, "throughline_wasm.wasm");
}

async function pack({ name, sources, dist, errors }, compiled) {
  const glue = join(WORK, name);
  rmSync(glue, { recursive: true, force: true });
  mkdirSync(glue, { recursive: true });
  await step(`generate the glue of ${name}`, [
    ...[wasmTool("wasm-bindgen"), compiled, "--target", "web", "--omit-default-module-path"],
    ...["--no-typescript", "--out-dir", glue, "--out-name", "glue"],
  ]);
  cpSync(sources, dist, { recursive: true });
  writeFileSync(join(dist, "glue.js"), withOneErrorClass(readFileSync(join(glue, "glue.js"), "utf8"), errors));
  const wasm = join(dist, `${name}.wasm`);
  await step(`optimise the wasm module ${name}`, optimiseWasm(join(glue, "glue_bg.wasm"), wasm));
  await checkImports(readFileSync(wasm));
}

/** The module as text, compressed since base64 adds a third; gives the length of the script. */
function packInline(wasm, dist) {
  const packed = gzipSync(wasm, { level: 9 }).toString("base64");
  const script = `export default "${packed}";\n`;
  writeFileSync(join(dist, "inline-wasm.js"), script);
  return script.length;
}

/** The glue imports its own copy of js/error.js; it must share the one of the package. */
function withOneErrorClass(glue, errors) {
  const result = glue.replace(/(['"])\.\/snippets\/[^'"]+\/js\/error\.js\1/g, `"${errors}"`);
  if (result.includes("./snippets/")) {
    throw new Problem("the glue imports a snippet other than js/error.js: see withOneErrorClass in build.mjs");
  }
  return result;
}

/** Everything the module asks of its host goes through the glue: a bare import would be a stray C symbol. */
async function checkImports(wasm) {
  const stray = WebAssembly.Module.imports(await WebAssembly.compile(wasm))
    .filter(({ module }) => module !== "./glue_bg.js")
    .map(({ module, name }) => `${module}.${name}`);
  if (stray.length > 0) throw new Problem(`the wasm module imports what no browser has: ${stray.join(", ")}`);
}

function sizesOf(wasm) {
  return { raw: wasm.length, gzip: gzipSync(wasm, { level: 9 }).length, brotli: brotliCompressSync(wasm).length };
}

function checkSizes(sizes, update) {
  console.log(`throughline.wasm: ${Object.entries(sizes).map(([kind, size]) => `${kind} ${size}`).join(", ")} bytes`);
  holdSizes("wasm-size.json", sizes, { what: "throughline.wasm", task: "build", update });
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}
