// `npm run bench:redact:size`: what the redactor with all of its rules adds to a wasm module. Two modules are built as
// the package is, one that scrubs a text and one that hands it back; the difference is held to a snapshot. `--update`
// accepts it, `--parts` prints the largest functions.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { optimiseWasm, setup, wasmTool } from "../tests/tasks/setup.mjs";
import { holdSizes } from "../tests/tasks/sizes.mjs";
import { cargoTarget, main, step } from "../tests/tasks/terminal.mjs";

/** What is required, in bytes. */
const SIZE_BAR = { raw: 150 * 1024, gzip: 60 * 1024 };

/** Builds both modules, and says what the redactor adds in bytes; `names` is the folder of a module with names. */
export async function added() {
  const examples = ["size_with", "size_without"];
  const target = ["--target", "wasm32-unknown-unknown", "--profile", "wasm-release"];
  const command = ["cargo", "build", "--locked", "-p", "throughline-benches", ...target];
  const env = { RUSTFLAGS: "-C target-feature=+simd128" };
  await step("modules with and without the redactor", [...command, ...examples.flatMap((name) => ["--example", name])], { env });
  const built = join(await cargoTarget(), "wasm32-unknown-unknown", "wasm-release", "examples");
  const sizes = [];
  for (const name of examples) {
    const out = join(built, name);
    mkdirSync(out, { recursive: true });
    await step(`glue of ${name}`, [wasmTool("wasm-bindgen"), join(built, `${name}.wasm`), "--target", "nodejs", "--out-dir", out]);
    const glue = join(out, `${name}_bg.wasm`);
    await step(`names of ${name}`, optimiseWasm(glue, join(out, "names.wasm"), ["-g"]));
    await step(`optimised ${name}`, optimiseWasm(glue, join(out, "optimised.wasm")));
    const wasm = readFileSync(join(out, "optimised.wasm"));
    sizes.push({ raw: wasm.length, gzip: gzipSync(wasm, { level: 9 }).length });
  }
  const [whole, without] = sizes;
  const size = { raw: whole.raw - without.raw, gzip: whole.gzip - without.gzip };
  return { size, names: join(built, "size_with", "names.wasm") };
}

/** A size beside its bar, in KB. */
export function sizeLine({ raw, gzip }) {
  const kilobytes = (bytes) => (bytes / 1024).toFixed(0);
  return `wasm added by the redactor with all rules: ${kilobytes(raw)} KB raw (bar ${kilobytes(SIZE_BAR.raw)}), ${kilobytes(gzip)} KB gzip (bar ${kilobytes(SIZE_BAR.gzip)})`;
}

/** The functions of a module with names, the largest first: bytes and name. */
function functions(bytes) {
  let at = 8;
  const number = () => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return bytes.subarray(at - length, at).toString();
  };
  const limits = () => {
    const flags = bytes[at++];
    number();
    if (flags & 1) number();
  };
  const [lengths, names] = [[], new Map()];
  let imported = 0;
  const sections = {
    2: () => {
      for (let count = number(); count > 0; count -= 1) {
        text();
        text();
        const kind = bytes[at++];
        if (kind === 0) {
          number();
          imported += 1;
        } else if (kind === 3) at += 2;
        else {
          if (kind === 1) at += 1;
          limits();
        }
      }
    },
    10: () => {
      for (let count = number(); count > 0; count -= 1) {
        const length = number();
        lengths.push(length);
        at += length;
      }
    },
    0: (end) => {
      if (text() !== "name") return;
      while (at < end) {
        const [kind, length] = [bytes[at++], number()];
        const next = at + length;
        if (kind === 1) {
          for (let count = number(); count > 0; count -= 1) names.set(number(), text());
        }
        at = next;
      }
    },
  };
  while (at < bytes.length) {
    const [kind, length] = [bytes[at++], number()];
    const end = at + length;
    sections[kind]?.(end);
    at = end;
  }
  const named = lengths.map((length, index) => [length, names.get(imported + index) ?? `function ${index}`]);
  return named.sort(([one], [other]) => other - one);
}

if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    await setup(["rust", "wasm", "npm"]);
    const { size, names } = await added();
    console.log(sizeLine(size));
    if (process.argv.includes("--parts")) {
      for (const [bytes, name] of functions(readFileSync(names)).slice(0, 60)) console.log(`${String(bytes).padStart(7)}  ${name}`);
    }
    const update = process.argv.includes("--update");
    holdSizes("redact-wasm-size.json", size, { what: "what the redactor adds", task: "bench:redact:size", update });
    return 0;
  });
}
