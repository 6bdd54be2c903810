// `npm run bench:corpus`: recall and false hits of the redactor on the labelled corpus `../shared/corpus/open.jsonl.gz`,
// by tier, by class and by family of providers. Every case goes through one process. `--update` writes the figures into
// benches/snapshots/redact-corpus.md; `--check` fails when one is below its bar. No value is printed or written.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Problem, cargoTarget, main, root, run, step } from "../tests/tasks/terminal.mjs";

const CORPUS = join(root, "..", "shared", "corpus", "open.jsonl.gz");
const SNAPSHOT = join(root, "benches", "snapshots", "redact-corpus.md");
const BINARY = "throughline-redact-lines";

/** The tiers that the labels divide secrets into, and what each must reach, in percent. */
const RECALL = { T1: 98, T1u: 86, T2: 96, T2b: 80, T3: 50 };
/** The negatives that must stay, and how many percent of them may be touched. */
const FALSE_HITS = { "creddata-F": 2, bug: 0, agent: 0 };

/** The part of a secret that has to be covered. */
const ENOUGH = 0.9;

async function build() {
  const target = await cargoTarget();
  await step("the redactor", ["cargo", "build", "--locked", "--release", "-p", "throughline-benches", "--bin", BINARY]);
  return join(target, "release", BINARY);
}

/** What the redactor finds in each text: a list of `{ rule, start, end }`. */
async function findings(binary, texts) {
  const child = spawn(binary, { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => (output += piece));
  const ended = new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  child.stdin.end(texts.map((text) => `${JSON.stringify(text)}\n`).join(""));
  const status = await ended;
  const lines = output.trimEnd().split("\n");
  if (status !== 0 || lines.length !== texts.length) throw new Problem(`${BINARY} ended with status ${status}`);
  return lines.map((line) =>
    JSON.parse(line).map(([rule, , , start, length]) => ({ rule, start, end: start + length })),
  );
}

/** Whether a secret is covered at every place where it stands, and whether any of it is. */
function judge(text, secret, found) {
  const bytes = Buffer.from(text);
  const wanted = Buffer.from(secret);
  const covered = new Uint8Array(bytes.length);
  for (const { start, end } of found) covered.fill(1, start, end);
  let [places, whole, touched] = [0, true, false];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    const count = covered.subarray(at, at + wanted.length).reduce((sum, byte) => sum + byte, 0);
    whole &&= count >= ENOUGH * wanted.length;
    touched ||= count > 0;
    places += 1;
  }
  return { found: places > 0 && whole, touched };
}

/** Counts under a key: how many cases, and how many of each kind. */
class Tally {
  rows = new Map();

  add(key, ...hits) {
    const row = this.rows.get(key) ?? [0, ...hits.map(() => 0)];
    row[0] += 1;
    hits.forEach((hit, n) => (row[n + 1] += Number(hit)));
    this.rows.set(key, row);
  }

  percent(key, n = 1) {
    const row = this.rows.get(key);
    return row === undefined ? 0 : (100 * row[n]) / row[0];
  }

  sorted() {
    return [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

const share = (part, all) => ((100 * part) / all).toFixed(1);

/** The first word of a rule's id: `github` of `github-pat`. */
const family = (rule) => rule.split("-")[0];

/** The family that the name of a corpus rule tells, if one does. */
function familyOf(rule, families) {
  const name = rule.toLowerCase().replace(/[^a-z0-9]/g, "");
  return families.find((word) => name.includes(word));
}

function measure(cases, found, rules) {
  // A family is named as the provider is; longer names first, so that `githubapp` is not `git`.
  const counts = new Map();
  for (const [id, , keywords] of rules) if (keywords > 0) counts.set(family(id), (counts.get(family(id)) ?? 0) + 1);
  const families = [...counts.keys()].filter((name) => name.length >= 4 || name === "aws" || name === "npm");
  families.sort((a, b) => b.length - a.length);
  const [tiers, classes, negatives, providers, wrong] = [new Tally(), new Tally(), new Tally(), new Tally(), new Map()];
  cases.forEach((row, n) => {
    if (row.secret === null) {
      negatives.add(row.strength, found[n].length > 0);
      const strict = row.strength in FALSE_HITS;
      for (const name of new Set(strict ? found[n].map(({ rule }) => family(rule)) : []))
        wrong.set(name, (wrong.get(name) ?? 0) + 1);
      return;
    }
    const { found: whole, touched } = judge(row.text, row.secret, found[n]);
    tiers.add(row.tier, whole, touched);
    classes.add(row.cls, whole, touched);
    const name = row.tier in RECALL && familyOf(row.rule, families);
    if (name) providers.add(name, whole);
  });
  return { tiers, classes, negatives, providers, counts, wrong };
}

function table(head, rows) {
  const all = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]) : cell.padStart(widths[n]))).join(" | ")} |`;
  const rule = `|${widths.map((width, n) => (n === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(all[0]), rule, ...all.slice(1).map(line)].join("\n");
}

function report({ tiers, classes, negatives, providers, counts, wrong }, rules) {
  const recall = (tally) =>
    tally.sorted().map(([key, [all, whole, touched]]) => [key, all, share(whole, all), share(touched, all)]);
  const head = ["cases", "found %", "touched %"];
  return [
    `# The redactor on the open corpus`,
    [
      `${rules.length} rules. *Found*: at least 90 % of the label is covered at every place where it stands. *Touched*:`,
      `something of it is; a label that is a whole URL, or that holds the name as well, is touched and not found, since`,
      `structure stays.`,
    ].join("\n"),
    table(["tier", ...head], recall(tiers)),
    table(["class", ...head], recall(classes)),
    table(["negatives", "cases", "hit %"], negatives.sorted().map(([key, [all, hit]]) => [key, all, share(hit, all)])),
    table(
      ["family", "rules", "cases", "found %", "false hits"],
      providers.sorted().map(([key, [all, whole]]) => [key, counts.get(key), all, share(whole, all), wrong.get(key) ?? 0]),
    ),
  ].join("\n\n") + "\n";
}

/** What is below its bar. */
function shortfalls({ tiers, negatives }) {
  const low = Object.entries(RECALL).filter(([tier, bar]) => tiers.percent(tier) < bar);
  const high = Object.entries(FALSE_HITS).filter(([kind, bar]) => negatives.percent(kind) > bar);
  return [
    ...low.map(([tier, bar]) => `${tier}: ${tiers.percent(tier).toFixed(1)} % found, at least ${bar} % are wanted`),
    ...high.map(([kind, bar]) => `${kind}: ${negatives.percent(kind).toFixed(1)} % hit, at most ${bar} % may be`),
  ];
}

await main(async () => {
  const words = process.argv.slice(2);
  if (!existsSync(CORPUS)) {
    const reason = `there is no corpus at ${CORPUS}`;
    if (process.env.CI) throw new Problem(reason);
    console.log(`skipped: ${reason}`);
    return 0;
  }
  const binary = await build();
  const cases = gunzipSync(readFileSync(CORPUS)).toString("utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const rules = JSON.parse((await run([binary, "--rules"])).stdout);
  const figures = measure(cases, await findings(binary, cases.map(({ text }) => text)), rules);
  const text = report(figures, rules);
  if (!words.includes("--check")) console.log(`\n${text}`);
  if (words.includes("--update")) writeFileSync(SNAPSHOT, text);
  const missed = words.includes("--check") ? shortfalls(figures) : [];
  if (missed.length > 0) throw new Problem(missed.join("\n"));
  if (words.includes("--check")) console.log(`the redactor keeps its bars on ${cases.length} cases`);
  return 0;
});
