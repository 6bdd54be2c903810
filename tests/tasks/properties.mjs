// `npm run properties -- [CASES] [SEED] [WORD]`: the properties of the ground floor and of the redactor with many
// cases, natively, in Node and in Chromium; then canonical JSON beside JavaScript's own numbers. CASES is 100,000 when
// it is not given, and SEED another one each time; both are printed, and the same seed draws the same cases. With a
// WORD only the properties whose name holds it are asked.
import { randomInt } from "node:crypto";
import { setup, wasmTestEnv } from "./setup.mjs";
import { Problem, bold, green, main, red, run, seconds, yellow } from "./terminal.mjs";

const TESTS = ["cargo", "test", "-p", "throughline-tests"];
// Optimised, with every check of a debug build.
const THOROUGH = ["--profile", "thorough"];
const WASM = [...THOROUGH, "--target", "wasm32-unknown-unknown"];

await main(async () => {
  const [cases, seed] = [100_000, randomInt(2 ** 31)].map((usual, index) => number(process.argv[2 + index], usual));
  const { browser } = await setup(["wasm", "npm", "browser"]);
  console.log(bold(`${cases} cases of each property, ten times as many doubles, from seed ${seed}`));
  const asked = { THROUGHLINE_CASES: `${cases}`, THROUGHLINE_SEED: `${seed}` };
  const word = process.argv[4];
  if (word) asked.THROUGHLINE_PROPERTIES = word;
  // With vectors, as the package is built: a property holds what they find to what plain numbers find.
  const wasm = { RUSTFLAGS: "-C target-feature=+simd128" };
  const inNode = { ...wasmTestEnv(null), ...wasm };
  const inBrowser = browser && { ...wasmTestEnv(browser), ...wasm };
  const steps = [
    ["natively", [...TESTS, ...THOROUGH, "--test", "properties", "--", "--nocapture"], {}],
    ["in Node", [...TESTS, ...WASM, "--test", "properties"], inNode],
    ["in Chromium", [...TESTS, ...WASM, "--test", "properties_browser"], inBrowser],
    ["package for tests", ["npm", "run", "--silent", "build"], {}],
    ["beside JavaScript", ["node", "--test", "--test-reporter=spec", "tests/js/canonical.test.mjs"], {}],
  ];
  const results = [];
  for (const [name, command, env] of steps) results.push(await perform(name, command, env && { ...asked, ...env }));
  console.log(`\n${bold(`── ${cases} cases from seed ${seed}`)}`);
  for (const { line } of results) console.log(line);
  return results.every(({ passed }) => passed) ? 0 : 1;
});

async function perform(name, command, env) {
  console.log(`\n${bold(`── ${name}`)}`);
  if (!env) return { passed: true, line: yellow(`skipped  ${name}`) };
  const since = Date.now();
  const { status, output } = await run(command, { env, onText: (text) => process.stdout.write(text) });
  const word = status === 0 ? green("passed") : red("failed");
  // What cargo says of the run alone: the rest is building.
  const ran = [...output.matchAll(/finished in ([\d.]+)s/g)].map(([, time]) => `, ${time} s of it to run`).at(-1) ?? "";
  return { passed: status === 0, line: `${word}  ${name}: ${seconds(since)}${ran}` };
}

function number(argument, usual) {
  if (argument === undefined) return usual;
  if (/^[1-9]\d{0,8}$/.test(argument)) return Number(argument);
  throw new Problem(`\`${argument}\` is no number: use npm run properties -- [CASES] [SEED]`);
}
