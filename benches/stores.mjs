// `npm run bench -- --stores`: prompts a second and a log into SQLite and PostgreSQL, natively and from Node, in
// one run on this machine's disk; a table with ratios.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setup } from "../tests/tasks/setup.mjs";
import { Problem, bold, cargoTarget, root, run, step } from "../tests/tasks/terminal.mjs";

/** As the native bench has them. */
const ENOUGH_MS = 3000;
const LOG = 4 * 1024 * 1024;

export async function main() {
  await setup(["rust", "wasm", "npm", "postgresql"]);
  await step("npm package", ["npm", "run", "--silent", "build"]);
  await step("native build", ["cargo", "build", "--locked", "--release", "-p", "throughline-benches", "--bin", "throughline-bench-stores"]);
  const { missing, startServer } = await import("../tests/js/postgres-server.mjs");
  if (missing) throw new Problem(missing);
  const folder = mkdtempSync(join(tmpdir(), "throughline-bench-"));
  const server = await startServer({ durable: true });
  try {
    const places = (host) => ({ SQLite: `sqlite:${join(folder, `${host}.db`)}`, PostgreSQL: server.database(host) });
    const native = await measureNative(Object.values(places("native")));
    const node = [];
    for (const store of Object.values(places("node"))) node.push(await measureNode(store));
    console.log(`\n${bold("── SQLite beside PostgreSQL, on this machine")}`);
    console.log(table({ native, "throughline-node": node }));
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measureNative(stores) {
  const { status, stdout, output } = await run([join(await cargoTarget(), "release", "throughline-bench-stores"), ...stores]);
  if (status !== 0) throw new Problem(output);
  return JSON.parse(stdout);
}

async function measureNode(store) {
  const { createHost } = createRequire(join(root, "host-node", "package.json"))("throughline-node");
  const engine = createHost({ store });
  const session = { harness: "bench", key: "s" };
  let prompts = 0;
  const begun = performance.now();
  while (performance.now() - begun < ENOUGH_MS) {
    await engine.submitPrompt(session, `prompt ${prompts}: how the parser treats a trailing comma`);
    prompts += 1;
  }
  const seconds = (performance.now() - begun) / 1000;
  const log = logOf(LOG);
  const since = performance.now();
  await engine.ingest(log, { key: "log" });
  const ingest = (log.length / (performance.now() - since)) * 1000;
  await engine.close();
  return { prompts: prompts / seconds, ingest };
}

/** A log of rounds with a prompt, an answer, a call and its result; the native bench has one alike. */
function logOf(bytes) {
  let log = "";
  let parent = null;
  for (let round = 0; log.length < bytes; round += 1) {
    const add = (type, name, message) => {
      const uuid = `${round}-${name}`;
      const timestamp = new Date(Date.UTC(2026, 0, 1) + round * 10_000).toISOString();
      log += `${JSON.stringify({ type, uuid, parentUuid: parent, sessionId: "log", cwd: "/home/dev/parcel", timestamp, message })}\n`;
      parent = uuid;
    };
    const output = `line of ${round} // checked above\n`.repeat(100);
    add("user", "p", { role: "user", content: `Please look at round ${round}.` });
    add("assistant", "a", { id: `m${round}`, model: "m", content: [{ type: "text", text: "Let me read the parser." }] });
    add("assistant", "c", { id: `m${round}`, model: "m", content: [{ type: "tool_use", id: `t${round}`, name: "Read", input: { path: "a" } }] });
    add("user", "r", { role: "user", content: [{ type: "tool_result", tool_use_id: `t${round}`, content: output }] });
  }
  return log;
}

function table(hosts) {
  const rows = [["host", "prompts a second: SQLite", "PostgreSQL", "ratio", "log: SQLite", "PostgreSQL", "ratio"]];
  for (const [host, [sqlite, postgres]] of Object.entries(hosts)) {
    const speed = (bytes) => `${(bytes / 1e6).toFixed(2)} MB/s`;
    const ratio = (key) => `${(postgres[key] / sqlite[key]).toFixed(2)} ×`;
    rows.push([
      ...[host, sqlite.prompts.toFixed(0), postgres.prompts.toFixed(0), ratio("prompts")],
      ...[speed(sqlite.ingest), speed(postgres.ingest), ratio("ingest")],
    ]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()).join("\n");
}
