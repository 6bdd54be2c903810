// `npm run fuzz -- TARGET SECONDS`: runs one fuzz target from its seed corpus, on the stable toolchain. What
// the fuzzer finds interesting goes to fuzz/corpus/TARGET, what breaks the target to fuzz/artifacts/TARGET.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cargoFuzz, setup } from "./setup.mjs";
import { Problem, main, root, run } from "./terminal.mjs";

await main(async () => {
  const targets = readdirSync(join(root, "fuzz", "fuzz_targets")).map((file) => file.replace(/\.rs$/, ""));
  const [target, time = "60"] = process.argv.slice(2);
  if (!targets.includes(target) || !/^[1-9]\d*$/.test(time)) {
    throw new Problem(`use: npm run fuzz -- TARGET SECONDS, where TARGET is one of ${targets.sort().join(", ")}`);
  }
  await setup(["fuzz"]);
  const corpus = join("fuzz", "corpus", target);
  mkdirSync(join(root, corpus), { recursive: true });
  // No sanitizer: those need a nightly toolchain, and the core has no unsafe code.
  const build = [cargoFuzz, "fuzz", "run", "--sanitizer", "none", target];
  const command = [...build, corpus, join("fuzz", "seeds", target), "--", `-max_total_time=${time}`, "-max_len=4096"];
  const { status } = await run(command, { onText: (text) => process.stdout.write(text) });
  return status;
});
