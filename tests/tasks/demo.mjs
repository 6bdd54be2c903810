// `npm run demo [-- FILE]`: what Throughline does with the log of a coding agent, the bundled sample
// or one's own. Needs Rust and Node alone; everything it writes is under target/demo.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { plantedSecrets, writeSampleSession } from "../fixtures/sample-session.mjs";
import { setup } from "./setup.mjs";
import { Problem, bold, cargoTarget, dim, green, main, red, root, run, seconds, step } from "./terminal.mjs";

const FOLDER = join(root, "target", "demo");
const STORE = join(FOLDER, "store.db");

await main(async () => {
  // npm keeps the folder that it was called from here, and runs the script in the checkout.
  const own = process.argv[2] && resolve(process.env.INIT_CWD ?? ".", process.argv[2]);
  if (own && !existsSync(own)) throw new Problem(`there is no file ${own}`);
  await setup(["rust"]);
  await step("build the throughline command", ["cargo", "build", "--locked", "-p", "throughline"]);
  const throughline = await command(join(await cargoTarget(), "debug", "throughline"));

  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const log = own ?? join(FOLDER, "sample-session.jsonl");
  if (!own) writeSampleSession(log);

  const since = Date.now();
  const [ingested] = await throughline("ingest", log);
  showLog(ingested, log);
  if (ingested.session === null) {
    console.log("The log holds no session yet, so nothing was stored.");
    return 0;
  }
  showScrubbed(ingested.findings_by_rule);
  await showCheckpoint(throughline, ingested);
  await showRecovery(throughline, ingested.session);
  await showPrompt(throughline, ingested.session);
  const leaks = own ? [] : searchStore();
  if (!own) showLeaks(leaks);
  console.log(dim(`\n${seconds(since)} for all of it; the store is ${relative(root, STORE)}`));
  return leaks.length === 0 ? 0 : 1;
});

/** Calls of the command on the demo's store, with their JSON. Status 1 is an answer, too. */
function command(file) {
  return async (...words) => {
    const { status, stdout, stderr } = await run([file, ...words, "--store", `sqlite:${STORE}`, "--json"]);
    if (status > 1 || stdout.trim() === "") {
      throw new Problem(`throughline ${words.join(" ")} ended with status ${status}: ${stderr.trim()}`);
    }
    return JSON.parse(stdout);
  };
}

function section(title) {
  console.log(`\n${bold(`── ${title}`)}`);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows) {
    console.log(`  ${row.map((cell, column) => String(cell).padEnd(widths[column])).join("  ")}`.trimEnd());
  }
}

function quote(text) {
  for (const line of text.split("\n")) console.log(`  ${dim("│")} ${line}`.trimEnd());
}

function showLog(ingested, log) {
  section(`the log: ${relative(process.env.INIT_CWD ?? root, log)}`);
  table([
    ["session", ingested.session ?? "none yet"],
    ["records", `${ingested.records} (${ingested.format})`],
    ["messages", `${ingested.messages.user} by the user, ${ingested.messages.assistant} by the model`],
    ["tools", `${ingested.tool_calls} calls, ${ingested.tool_results} results`],
    ["thinking", `${ingested.thinking} blocks`],
    ["compactions", ingested.compactions],
    ...ingested.skipped.map(({ line, reason }) => ["skipped", `line ${line}: ${reason}`]),
  ]);
}

function showScrubbed(findings) {
  section("what was scrubbed before anything was stored");
  if (findings.length === 0) {
    console.log("  no secret was found");
    return;
  }
  table([["rule", "kind", "count"], ...findings.map(({ rule, kind, count }) => [rule, kind, count])]);
}

async function showCheckpoint(throughline, { session, checkpoint }) {
  const checkpoints = await throughline("checkpoints", session);
  const newest = checkpoint ?? checkpoints[0]?.id;
  section(`the checkpoint: ${newest ?? "none"}`);
  if (newest) quote((await throughline("show", newest)).digest);
}

async function showRecovery(throughline, session) {
  section("what the next run is told");
  const recovery = await throughline("recover", "--session", session);
  quote(recovery.found ? recovery.text : "nothing to recover");
}

async function showPrompt(throughline, session) {
  section("the next prompt");
  const prompt = await throughline("prompt", session);
  table([
    ["fingerprint", prompt.fingerprint],
    ["stable_len", `${prompt.stable_len} messages stay as they are when the session goes on`],
    ["messages", prompt.messages.length],
    ["boundary", prompt.boundary ?? "none: the whole conversation replays"],
  ]);
}

/** The names of planted secrets that the files of the store hold, in any table, index or journal. */
function searchStore() {
  const files = readdirSync(FOLDER).filter((name) => name.startsWith("store.db"));
  const stored = files.map((name) => readFileSync(join(FOLDER, name)));
  const survives = (fragment) => stored.some((bytes) => bytes.includes(fragment));
  return plantedSecrets.filter(({ fragments }) => fragments.some(survives)).map(({ name }) => name);
}

function showLeaks(leaks) {
  section("is any of the planted secrets in the store?");
  if (leaks.length > 0) console.log(`  ${red(`yes: ${leaks.join(", ")}`)}`);
  else console.log(`  ${green(`no: none of ${plantedSecrets.length}`)}, looked for in the bytes of its files`);
}
