// `npm run bench:redact:counts`: how many instructions the redactor takes for each byte of each text, counted by
// callgrind, which no other program disturbs; compared with benches/snapshots/redact-instructions.json. `--update`
// accepts what is counted. Needs valgrind (Debian: apt-get install valgrind), on x86-64.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setup } from "../tests/tasks/setup.mjs";
import { Problem, bold, cargoTarget, green, main, onPath, red, root, run, step } from "../tests/tasks/terminal.mjs";

const SNAPSHOT = join(root, "benches", "snapshots", "redact-instructions.json");
/** How far a count may be from the snapshot. Compilers of the same version differ by less. */
const TOLERANCE = 0.03;
const BYTES = 500_000;

const TEXTS = [
  ...["clean", "planted", "one letter", "key=", "TOKEN_", "base64", "quotes", "backslashes", "-----BEGIN", "://"],
  ...["deep JSON", "cookie=", 'tokens:["', "newlines", "Bearer", "password:", "key block begun"],
];

/** Instructions for each byte while the redactor works on a text. */
async function count(program, text, folder) {
  const command = ["valgrind", "--tool=callgrind", `--callgrind-out-file=${join(folder, "callgrind.out")}`];
  command.push("--collect-atstart=no", "--toggle-collect=*redact*cases*measured*");
  const { status, output } = await run([...command, program, "--once", text, String(BYTES)]);
  const counted = /Collected : (\d+)/.exec(output);
  if (status !== 0 || !counted) throw new Problem(`callgrind failed on ${text}:\n${output}`);
  return Math.round((Number(counted[1]) / BYTES) * 100) / 100;
}

await main(async () => {
  if (!onPath("valgrind")) throw new Problem("valgrind is missing (Debian: apt-get install valgrind)");
  await setup(["rust"]);
  const build = ["cargo", "build", "--locked", "--release", "-p", "throughline-benches"];
  await step("native build", [...build, "--bin", "throughline-bench-redact"]);
  const target = await cargoTarget();
  const program = join(target, "release", "throughline-bench-redact");
  const before = existsSync(SNAPSHOT) ? JSON.parse(readFileSync(SNAPSHOT, "utf8")) : {};
  const counts = {};
  let worse = 0;
  console.log(bold("instructions for each byte"));
  for (const text of TEXTS) {
    counts[text] = await count(program, text, target);
    const change = counts[text] / before[text] - 1;
    const changed = Math.abs(change) <= TOLERANCE ? "" : `, was ${before[text] ?? "not counted"}`;
    if (changed) worse += 1;
    console.log(`${text.padEnd(18)} ${counts[text].toFixed(2).padStart(8)}${changed && (change > 0 ? red : green)(changed)}`);
  }
  if (process.argv.includes("--update")) {
    writeFileSync(SNAPSHOT, `${JSON.stringify(counts, null, 2)}\n`);
    return 0;
  }
  if (worse > 0) console.log(`${worse} counts are others than in ${SNAPSHOT}; --update accepts them`);
  return worse > 0 ? 1 : 0;
});
