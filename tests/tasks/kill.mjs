// `npm run kill -- [ROUNDS] [STORE] [--restart]`: hosts that are killed at any moment, ROUNDS times (1,000 when it
// is not given), on a SQLite store of the run, on STORE (`sqlite:PATH`), or on `postgres`: a PostgreSQL server of
// the run, which `--restart` kills in each round as well. It prints its seed; THROUGHLINE_KILL_SEED gives the same
// moments again.
import { setup } from "./setup.mjs";
import { Problem, main, run } from "./terminal.mjs";

const USAGE = "use npm run kill -- [ROUNDS] [sqlite:PATH | postgres [--restart]]";

await main(async () => {
  const words = process.argv.slice(2);
  const restart = words.includes("--restart");
  const [rounds = "1000", store, ...more] = words.filter((word) => word !== "--restart");
  if (!/^[1-9]\d{0,6}$/.test(rounds)) throw new Problem(`\`${rounds}\` is no number: ${USAGE}`);
  const postgres = store === "postgres";
  const known = store === undefined || postgres || store.startsWith("sqlite:");
  if (!known || more.length > 0 || (restart && !postgres)) throw new Problem(USAGE);
  await setup(postgres ? ["rust", "postgresql"] : ["rust"]);
  const env = {
    THROUGHLINE_KILL_ROUNDS: rounds,
    ...(store && !postgres && { THROUGHLINE_KILL_STORE: store }),
    ...(restart && { THROUGHLINE_KILL_RESTART: "1" }),
  };
  const name = postgres ? "killed_hosts_on_one_database_lose_and_double_nothing" : "killed_hosts_lose_and_double_nothing";
  const command = ["cargo", "test", "--locked", "-p", "throughline-tests", "--test", "kill", "--", "--exact", name, "--nocapture"];
  const { status } = await run(command, { env, onText: (text) => process.stdout.write(text) });
  return status;
});
