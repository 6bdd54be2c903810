// `npm run kill -- [ROUNDS] [STORE]`: hosts that are killed at any moment, ROUNDS times (1,000 when it is not
// given), on a store of the run or on STORE (`sqlite:PATH`). It prints its seed; THROUGHLINE_KILL_SEED gives the
// same moments again.
import { setup } from "./setup.mjs";
import { Problem, main, run } from "./terminal.mjs";

await main(async () => {
  const [rounds = "1000", store] = process.argv.slice(2);
  if (!/^[1-9]\d{0,6}$/.test(rounds)) {
    throw new Problem(`\`${rounds}\` is no number: use npm run kill -- [ROUNDS] [STORE]`);
  }
  await setup(["rust"]);
  const env = { THROUGHLINE_KILL_ROUNDS: rounds, ...(store ? { THROUGHLINE_KILL_STORE: store } : {}) };
  const command = ["cargo", "test", "--locked", "-p", "throughline-tests", "--test", "kill", "--", "--nocapture"];
  const { status } = await run(command, { env, onText: (text) => process.stdout.write(text) });
  return status;
});
