// `npm run bench -- --scale [CHECKPOINTS…]`: what one operation costs in SQLite and PostgreSQL when 10,000,
// 100,000 and 1,000,000 checkpoints are stored (or as many as are given), as a table of medians with the growth
// from the first size on. The stores lie in the system's folder for temporary files (TMPDIR).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setup } from "../tests/tasks/setup.mjs";
import { Problem, bold, cargoTarget, run, step } from "../tests/tasks/terminal.mjs";

const SIZES = [10_000, 100_000, 1_000_000];
/** Of each size, a session has as many checkpoints as are kept of it. */
const PER_SESSION = 20;

export async function main(words) {
  const sizes = words.length > 0 ? words.map(size) : SIZES;
  await setup(["rust", "postgresql"]);
  const bin = "throughline-bench-scale";
  await step("native build", ["cargo", "build", "--locked", "--release", "-p", "throughline-benches", "--bin", bin]);
  const program = join(await cargoTarget(), "release", bin);
  const { missing, startServer } = await import("../tests/js/postgres-server.mjs");
  const engines = { SQLite: () => inSqlite(program, sizes), ...(!missing && { PostgreSQL: () => inPostgres(program, sizes, startServer) }) };
  if (missing) console.log(missing);
  for (const [name, measure] of Object.entries(engines)) {
    const figures = await measure();
    console.log(`\n${bold(`── ${name}: medians, and how they grow`)}`);
    console.log(table(sizes, figures));
  }
}

function size(word) {
  const count = Number(word.replaceAll(",", ""));
  if (Number.isSafeInteger(count) && count >= 2000) return count;
  throw new Problem(`\`${word}\` is no number of checkpoints; accepted: 2,000 and more`);
}

async function inSqlite(program, sizes) {
  const folder = mkdtempSync(join(tmpdir(), "throughline-bench-"));
  try {
    const figures = [];
    for (const count of sizes) {
      const file = join(folder, `${count}.db`);
      figures.push(await measured(program, `sqlite:${file}`, count, () => {}));
      // A disk need not hold all of them at once.
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function inPostgres(program, sizes, startServer) {
  const server = await startServer({ durable: true });
  try {
    const figures = [];
    for (const count of sizes) {
      const name = `scale_${count}`;
      // What the server does by itself within minutes.
      figures.push(await measured(program, server.database(name), count, () => server.askIn(name, "VACUUM ANALYZE;")));
      server.askIn("postgres", `DROP DATABASE ${name};`);
    }
    return figures;
  } finally {
    server.stop();
  }
}

async function measured(program, store, count, between) {
  const since = performance.now();
  await answer([program, "fill", store, `${count}`]);
  between();
  console.log(`${count.toLocaleString("en")} checkpoints written in ${((performance.now() - since) / 1000).toFixed(0)} s`);
  return new Map(JSON.parse(await answer([program, "measure", store, `${count}`])));
}

async function answer(command) {
  const { status, stdout, output } = await run(command);
  if (status !== 0) throw new Problem(output);
  return stdout;
}

const time = (ms) => (ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : `${ms.toFixed(1)} ms`);

function table(sizes, figures) {
  const number = (count) => count.toLocaleString("en");
  const rows = [["work", ...sizes.map(number), "growth"], ["sessions", ...sizes.map((count) => number(count / PER_SESSION)), ""]];
  const [first] = figures;
  for (const name of first.keys()) {
    const medians = figures.map((figure) => figure.get(name));
    const growth = medians.slice(1).map((ms) => `${(ms / medians[0]).toFixed(2)} ×`);
    rows.push([name, ...medians.map(time), growth.join("  ")]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()).join("\n");
}
