// Builds the npm package: cargo → wasm-bindgen → wasm-opt → bindings/dist, then checks the module's
// imports and its size. `--update` accepts a new size into benches/snapshots/wasm-size.json.
// `--conformance` builds the package for tests instead, into target/npm-conformance: the same, and
// `runStorageConformance` and `canonicalJson` with it; not optimised, not measured, never shipped.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { npmTool, setup, wasmTool } from "../../tests/tasks/setup.mjs";
import { Problem, cargoTarget, main, root, step } from "../../tests/tasks/terminal.mjs";

const SOURCES = join(root, "bindings", "js");
const SNAPSHOT = join(root, "benches", "snapshots", "wasm-size.json");
const TOLERANCE = 0.02;

/** What is built: features and profile of cargo, where it goes, what else goes there. */
const shipped = {
  cargo: ["--profile", "wasm-release"],
  folder: "wasm-release",
  optimised: true,
  sources: [SOURCES],
  work: join(root, "target", "npm"),
  dist: join(root, "bindings", "dist"),
};
const conformance = {
  cargo: ["--features", "conformance"],
  folder: "debug",
  optimised: false,
  sources: [SOURCES, join(root, "bindings", "conformance")],
  work: join(root, "target", "npm-conformance"),
  dist: join(root, "target", "npm-conformance", "dist"),
};

await main(async () => {
  await setup(["wasm", "npm"]);
  const wanted = process.argv.includes("--conformance") ? conformance : shipped;
  const sizes = await build(wanted);
  if (wanted === shipped) checkSizes(sizes, process.argv.includes("--update"));
});

/** Builds what is not up to date, and gives the sizes of the module. */
async function build({ cargo, folder, optimised, sources, work, dist }) {
  const target = ["--target", "wasm32-unknown-unknown", ...cargo];
  await step("compile the wasm module", ["cargo", "build", "--locked", "-p", "throughline-wasm", ...target]);
  const compiled = join(await cargoTarget(), "wasm32-unknown-unknown", folder, "throughline_wasm.wasm");
  const stamp = join(work, "stamp.json");
  const inputs = [compiled, ...sources.flatMap(filesIn), import.meta.filename, join(root, "package-lock.json")];
  const hash = hashOf(inputs);
  const last = existsSync(stamp) ? JSON.parse(readFileSync(stamp, "utf8")) : {};
  if (last.inputs === hash && existsSync(dist) && last.outputs === hashOf(filesIn(dist))) {
    console.log(`${relative(root, dist)} is up to date`);
    return last.sizes;
  }
  await pack(compiled, { optimised, sources, work, dist });
  const wasm = readFileSync(join(dist, "throughline.wasm"));
  await checkImports(wasm);
  const inline = packInline(wasm, dist);
  const sizes = optimised ? { ...sizesOf(wasm), inline } : {};
  writeFileSync(stamp, JSON.stringify({ inputs: hash, outputs: hashOf(filesIn(dist)), sizes }));
  return sizes;
}

async function pack(compiled, { optimised, sources, work, dist }) {
  const glue = join(work, "glue");
  rmSync(glue, { recursive: true, force: true });
  mkdirSync(glue, { recursive: true });
  await step("generate the glue", [
    ...[wasmTool("wasm-bindgen"), compiled, "--target", "web", "--omit-default-module-path"],
    ...["--no-typescript", "--out-dir", glue, "--out-name", "glue"],
  ]);
  rmSync(dist, { recursive: true, force: true });
  for (const folder of sources) cpSync(folder, dist, { recursive: true });
  writeFileSync(join(dist, "glue.js"), withOneErrorClass(readFileSync(join(glue, "glue.js"), "utf8")));
  const wasm = join(dist, "throughline.wasm");
  if (!optimised) {
    cpSync(join(glue, "glue_bg.wasm"), wasm);
    return;
  }
  const command = [npmTool("wasm-opt"), join(glue, "glue_bg.wasm"), "-O3", "--strip-producers", "-o", wasm];
  await step("optimise the wasm module", command);
}

/** The module as text, compressed since base64 adds a third; gives the length of the script. */
function packInline(wasm, dist) {
  const packed = gzipSync(wasm, { level: 9 }).toString("base64");
  const script = `export default "${packed}";\n`;
  writeFileSync(join(dist, "inline-wasm.js"), script);
  return script.length;
}

/** The glue imports its own copy of js/error.js; it must share the one of the package. */
function withOneErrorClass(glue) {
  const result = glue.replace(/(['"])\.\/snippets\/[^'"]+\/js\/error\.js\1/g, '"./error.js"');
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
  if (update) {
    mkdirSync(join(SNAPSHOT, ".."), { recursive: true });
    writeFileSync(SNAPSHOT, `${JSON.stringify(sizes, null, 2)}\n`);
    return;
  }
  const accepted = JSON.parse(readFileSync(SNAPSHOT, "utf8"));
  for (const [kind, size] of Object.entries(sizes)) {
    const change = size / accepted[kind] - 1;
    if (Math.abs(change) <= TOLERANCE) continue;
    const percent = `${change > 0 ? "+" : ""}${(change * 100).toFixed(1)} %`;
    throw new Problem(
      `throughline.wasm is ${size} bytes (${kind}), ${percent} against ${accepted[kind]} in ` +
        `${relative(root, SNAPSHOT)}; if that is meant, run: npm run build -- --update`,
    );
  }
}

function filesIn(folder) {
  return readdirSync(folder).sort().map((name) => join(folder, name));
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}
