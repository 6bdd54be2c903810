// `npm test`: sets up what is needed, then runs every check in order and sums up. Words after `--`
// choose the checks whose name holds one of them: `npm test -- browser vectors`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { newerNode, npmTool, setup, wasmTestEnv } from "./setup.mjs";
import { Problem, bold, green, main, red, root, run, seconds, yellow } from "./terminal.mjs";

const WASM = ["--target", "wasm32-unknown-unknown"];
const STRICT = ["--", "-D", "warnings"];

/**
 * Every check: what it needs from setup, and the command. `wasm` runs the compiled tests by the
 * wasm-bindgen runner, in "node" or in the "browser". `skip` gives the reason for which a check cannot run.
 */
const checks = [
  { name: "rust: format", needs: ["rust"], command: ["cargo", "fmt", "--all", "--check"] },
  {
    name: "rust: lints",
    needs: ["rust"],
    command: ["cargo", "clippy", "--locked", "--workspace", "--all-targets", ...STRICT],
  },
  {
    name: "rust: lints of the bindings",
    needs: ["wasm"],
    command: ["cargo", "clippy", "-p", "throughline-wasm", "--all-targets", "--all-features", ...WASM, ...STRICT],
  },
  { name: "rust: tests", needs: ["rust", "python", "postgresql"], command: ["cargo", "test", "--workspace", "--no-fail-fast"] },
  { name: "redactor: corpus", needs: ["rust"], command: ["node", "benches/corpus.mjs", "--check"] },
  { name: "redactor: real logs", needs: ["rust"], command: ["node", "benches/real-changes.mjs", "--check"] },
  {
    name: "rust: documentation",
    needs: ["rust"],
    command: ["cargo", "doc", "--workspace", "--exclude", "throughline-wasm", "--no-deps"],
    env: { RUSTDOCFLAGS: "-D warnings" },
  },
  {
    name: "rust: documentation of the bindings",
    needs: ["wasm"],
    command: ["cargo", "doc", "-p", "throughline-wasm", "--no-deps", ...WASM],
    env: { RUSTDOCFLAGS: "-D warnings" },
  },
  {
    name: "wasm: core compiles",
    needs: ["wasm"],
    command: ["cargo", "check", "-p", "throughline-core", ...WASM],
  },
  {
    name: "wasm: vectors in Node",
    needs: ["wasm"],
    wasm: "node",
    command: ["cargo", "test", "-p", "throughline-tests", ...WASM, "--test", "vectors"],
  },
  {
    name: "wasm: vectors in Chromium",
    needs: ["wasm", "browser"],
    wasm: "browser",
    command: ["cargo", "test", "-p", "throughline-tests", ...WASM, "--test", "vectors_browser"],
  },
  {
    name: "wasm: properties in Node",
    needs: ["wasm"],
    wasm: "node",
    command: ["cargo", "test", "-p", "throughline-tests", ...WASM, "--test", "properties"],
  },
  {
    name: "wasm: properties in Chromium",
    needs: ["wasm", "browser"],
    wasm: "browser",
    command: ["cargo", "test", "-p", "throughline-tests", ...WASM, "--test", "properties_browser"],
  },
  {
    name: "wasm: bindings in Node",
    needs: ["wasm"],
    wasm: "node",
    command: ["cargo", "test", "-p", "throughline-wasm", ...WASM, "--tests"],
  },
  {
    name: "wasm: bindings in Chromium",
    needs: ["wasm", "browser"],
    wasm: "browser",
    command: ["cargo", "test", "-p", "throughline-wasm", ...WASM, "--tests"],
  },
  { name: "npm: build and size", needs: ["wasm", "npm"], command: ["npm", "run", "--silent", "build"] },
  {
    name: "npm: the native command beside it",
    needs: ["rust"],
    command: ["cargo", "build", "--locked", "-p", "throughline"],
  },
  {
    name: "npm: tests",
    needs: ["npm", "rust", "python", "postgresql"],
    command: () => ["node", "--test", "--test-reporter=spec", ...filesEndingIn("tests/js", ".test.mjs")],
  },
  {
    name: "npm: the providers' own packages",
    needs: ["npm", "python", "providers"],
    command: () => ["node", "--test", "--test-reporter=spec", ...filesEndingIn("tests/providers", ".test.mjs")],
  },
  {
    name: "npm: package in Chromium",
    needs: ["npm", "browser"],
    command: ["node", "--test", "--test-reporter=spec", "tests/browser/package.test.mjs"],
  },
  {
    name: "preview: build",
    needs: ["wasm", "npm"],
    command: ["npm", "run", "--silent", "preview", "--", "--build"],
  },
  {
    name: "preview: page in Chromium",
    needs: ["rust", "npm", "browser"],
    command: ["node", "--test", "--test-reporter=spec", "tests/browser/preview.test.mjs"],
  },
  {
    name: "npm: tests of the host on Node 24",
    needs: ["npm", "rust", "node24", "postgresql"],
    skip: () => (newerNode() ? null : "the tests know no npm package with a Node 24 for this system"),
    command: () => [
      ...[newerNode(), "--test", "--test-reporter=spec"],
      ...["sqlite-driver", "postgres-driver", "cross-host", "cross-host-postgres", "host-node", "driver", "hook"].map((name) => `tests/js/${name}.test.mjs`),
    ],
  },
  { name: "npm: types", needs: ["npm"], command: [npmTool("tsc"), "-p", "tests/js/tsconfig.json"] },
  { name: "npm: package", needs: ["npm"], command: [npmTool("publint"), "--strict", "bindings"] },
  { name: "npm: package for Node", needs: ["npm"], command: [npmTool("publint"), "--strict", "host-node"] },
  {
    name: "npm: resolution of types",
    needs: ["npm"],
    command: [
      ...[npmTool("attw"), "--pack", "bindings", "--profile", "esm-only"],
      ...["--exclude-entrypoints", "throughline.wasm"],
    ],
  },
  {
    name: "npm: resolution of types for Node",
    needs: ["npm"],
    command: [npmTool("attw"), "--pack", "host-node", "--profile", "esm-only"],
  },
];

await main(async () => {
  const chosen = choose(process.argv.slice(2));
  const { browser } = await setup(chosen.flatMap(({ needs }) => needs));
  const results = [];
  for (const check of chosen) results.push(await perform(check, browser));
  return sumUp(results);
});

function choose(words) {
  const chosen = checks.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length > 0) return chosen;
  throw new Problem(`no check is named like ${words.join(", ")}; there are:\n${checks.map(({ name }) => name).join("\n")}`);
}

async function perform({ name, needs, skip, wasm, command, env }, browser) {
  console.log(`\n${bold(`── ${name}`)}`);
  const why = needs.includes("browser") && !browser ? "THROUGHLINE_SKIP_BROWSER=1" : skip?.();
  if (why) {
    console.log(yellow(`skipped: ${why}`));
    return { name, result: "skipped", time: "", tests: "" };
  }
  const since = Date.now();
  const { status, output } = await run(typeof command === "function" ? command() : command, {
    env: { ...env, ...(wasm && wasmTestEnv(wasm === "browser" ? browser : null)) },
    onText: (text) => process.stdout.write(text),
  });
  const result = status === 0 ? "passed" : "failed";
  return { name, result, time: seconds(since), tests: countTests(output) };
}

/** How many tests cargo or node say that they ran, for the table. */
function countTests(output) {
  const plain = output.replace(/\x1b\[[0-9;]*m/g, "");
  const counts = [...plain.matchAll(/^test result: .*?(\d+) passed|^(?:#|ℹ) pass (\d+)/gm)];
  return counts.length > 0 ? `${counts.reduce((sum, [, cargo, node]) => sum + Number(cargo ?? node), 0)} tests` : "";
}

function sumUp(results) {
  const color = { passed: green, failed: red, skipped: yellow };
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log(`\n${bold("── results")}`);
  for (const { name, result, time, tests } of results) {
    console.log(`${color[result](result.padEnd(7))}  ${name.padEnd(width)}  ${time.padStart(6)}  ${tests}`.trimEnd());
  }
  const count = (wanted) => results.filter(({ result }) => result === wanted).length;
  console.log(`\n${count("passed")} passed, ${count("failed")} failed`);
  return count("failed") === 0 ? 0 : 1;
}

function filesEndingIn(folder, ending) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name}`);
}
