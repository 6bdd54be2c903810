// `npm run bench:real`: every change that the redactor makes in the real logs of `../shared/real`, judged here by other
// means than the redactor's own. The linkage of the logs must come through whole: UUIDs, paths, hashes, ids, signatures.
// `--update` writes rules and counts (no values) into benches/snapshots/real-changes.json; `--check` fails when linkage
// changed or the counts differ from those.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Problem, cargoTarget, main, root, run, step } from "../tests/tasks/terminal.mjs";

const LOGS = join(root, "..", "shared", "real");
const SNAPSHOT = join(root, "benches", "snapshots", "real-changes.json");

/** What ties records together, by its look. */
const LINKAGE = {
  uuid: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  path: /(?:\/[\w.@+-]+){3,}|[A-Z]:(?:\\\\[\w.@+ -]+){2,}/g,
  hash: /\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g,
  id: /\b(?:toolu|srvtoolu|call|msg|req|resp|rs|fc|chatcmpl|gen)[_-][A-Za-z0-9]{16,}\b/g,
  signature: /"(?:signature|thoughtSignature|encrypted_content)"\s*:\s*"[^"\\]{64,}"/g,
};

/** Looks of values that are secrets. */
const SECRET = [
  /^(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|sk-|sk_live_|rk_live_|npm_|pypi-|hf_|AIza|ya29\.|AKIA|ASIA|SG\.|eyJ)/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
];
/** Words before a value that make it one. */
const NAMED = /(?:passw|secret|token|api[_-]?key|access[_-]?key|credential|authorization|bearer|basic|cookie|auth|pwd)[^\n]{0,24}$/i;

function judge(bytes, { offset, length }) {
  const value = bytes.subarray(offset, offset + length).toString("utf8");
  const before = bytes.subarray(Math.max(0, offset - 80), offset).toString("utf8");
  for (const [what, look] of Object.entries(LINKAGE)) {
    const whole = value.match(look)?.some((part) => part.length >= value.length * 0.8);
    if (whole && !/passw|secret|token/i.test(before.slice(-40))) return `wrong: ${what}`;
  }
  if (SECRET.some((look) => look.test(value))) return "right";
  if (/:\/\/[^\s/@]*:$/.test(before) || NAMED.test(before)) return "right";
  return "wrong: nothing says that it is a secret";
}

/** How often each piece of linkage stands in a text. */
function linkage(text) {
  const counts = new Map();
  for (const [what, look] of Object.entries(LINKAGE))
    for (const [piece] of text.matchAll(look)) counts.set(`${what} ${piece}`, (counts.get(`${what} ${piece}`) ?? 0) + 1);
  return counts;
}

/** What of the linkage of one text is missing in another, by kind. */
function lost(before, after) {
  const kept = linkage(after);
  const missing = {};
  for (const [piece, count] of linkage(before)) {
    const less = count - (kept.get(piece) ?? 0);
    const kind = piece.slice(0, piece.indexOf(" "));
    if (less > 0) missing[kind] = (missing[kind] ?? 0) + less;
  }
  return missing;
}

async function changes(binary, file) {
  const text = await run([binary, "redact", file]);
  const report = await run([binary, "redact", file, "--report", "--json"]);
  for (const { status, stderr } of [text, report])
    if (status !== 0) throw new Problem(`redact ${file} ended with status ${status}: ${stderr.trim()}`);
  const bytes = readFileSync(file);
  const { findings } = JSON.parse(report.stdout);
  const judged = findings.map((finding) => ({ ...finding, judged: judge(bytes, finding) }));
  return { judged, missing: lost(bytes.toString("utf8"), text.stdout) };
}

await main(async () => {
  const words = process.argv.slice(2);
  if (!existsSync(LOGS)) {
    const reason = `there are no logs at ${LOGS}`;
    if (process.env.CI) throw new Problem(reason);
    console.log(`skipped: ${reason}`);
    return 0;
  }
  const target = await cargoTarget();
  await step("the command line", ["cargo", "build", "--locked", "-p", "throughline", "--bin", "throughline"]);
  const binary = join(target, "debug", "throughline");
  const [counts, wrong] = [{}, []];
  let all = 0;
  for (const name of readdirSync(LOGS).sort()) {
    if (!/\.jsonl?$/.test(name)) continue;
    const { judged, missing } = await changes(binary, join(LOGS, name));
    all += judged.length;
    for (const { rule, line, column, judged: verdict } of judged) {
      counts[rule] = (counts[rule] ?? 0) + 1;
      console.log(`${name}:${line}:${column}  ${rule}  ${verdict}`);
      if (verdict !== "right") wrong.push(`${name}:${line}:${column}: ${rule}: ${verdict}`);
    }
    for (const [what, count] of Object.entries(missing)) wrong.push(`${name}: ${count} of its kind "${what}" are lost`);
  }
  const figures = `${JSON.stringify({ changes: all, by_rule: Object.fromEntries(Object.entries(counts).sort()) }, null, 2)}\n`;
  console.log(`${all} changes, ${wrong.length} of them wrong`);
  if (words.includes("--update")) writeFileSync(SNAPSHOT, figures);
  if (words.includes("--check") && figures !== readFileSync(SNAPSHOT, "utf8"))
    wrong.push("the changes are not those of benches/snapshots/real-changes.json; look at them, then `--update`");
  if (wrong.length > 0) throw new Problem(wrong.join("\n"));
  return 0;
});
