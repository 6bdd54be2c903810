// `npm run bench:hooks`: how long a hook takes, event by event, with logs of 1, 10 and 100 MB, beside a plain Node
// script that reads the whole log; median and worst of 50, and the most memory. Logs are made up here.
// `--quick` takes 10 runs and leaves 100 MB out; `--runs N`; `--hosts native,node`; `--sizes 1,100`; `--built` takes what was built before;
// `--json` prints the figures alone.
import { spawnSync } from "node:child_process";
import { appendFileSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem, bold, cargoTarget, main, root, step } from "../tests/tasks/terminal.mjs";

const MB = 1_000_000;
/** What is required with 100 MB, in milliseconds: the median of each event, and the worst end. */
const BAR = { median: 50, end: 1_500 };
const quick = process.argv.includes("--quick");
const given = process.argv.indexOf("--runs");
const RUNS = given > 0 ? Number(process.argv[given + 1]) : quick ? 10 : 50;
const only = process.argv.indexOf("--hosts");
const HOSTS = only > 0 ? process.argv[only + 1].split(",") : ["native", "node"];
const sizes = process.argv.indexOf("--sizes");
const SIZES = sizes > 0 ? process.argv[sizes + 1].split(",").map(Number) : quick ? [1, 10] : [1, 10, 100];
const SESSION = "5b1f0c52-0000-4000-8000-000000000000";
const words = readFileSync(join(root, "README.md"), "utf8").split(/\s+/).filter((word) => /^[a-z]+$/i.test(word));

let count = 0;
let last = null;
const prose = (length) => {
  let text = "";
  while (text.length < length) text += `${words[(count * 31 + text.length * 7) % words.length]} `;
  return text;
};
const record = (type, message, rest) => {
  const uuid = `00000000-0000-4000-8000-${String((count += 1)).padStart(12, "0")}`;
  const timestamp = new Date(Date.UTC(2026, 2, 1) + count * 900).toISOString();
  const line = JSON.stringify({ parentUuid: last, isSidechain: false, userType: "external", cwd: "/work/app", sessionId: SESSION, version: "2.1.0", gitBranch: "main", type, message, uuid, timestamp, ...rest });
  last = uuid;
  return `${line}\n`;
};
/** A prompt, a call with its result, an answer: about 6 KB. */
function turn() {
  const id = `toolu_${String(count).padStart(20, "0")}`;
  const answer = (content) => record("assistant", { id: `msg_${count}`, type: "message", role: "assistant", model: "claude-test-1", content, stop_reason: null, usage: { input_tokens: 10, output_tokens: 200 } });
  return [
    record("user", { role: "user", content: prose(300) }),
    answer([{ type: "tool_use", id, name: "Edit", input: { file_path: "/work/app/src/main.rs", old_string: prose(400), new_string: prose(400) } }]),
    record("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: prose(2_000) }] }, { toolUseResult: { stdout: prose(500) } }),
    answer([{ type: "text", text: prose(800) }]),
  ].join("");
}

function makeLog(path, bytes) {
  [count, last] = [0, null];
  const file = openSync(path, "w");
  let piece = "";
  for (let written = 0; written + piece.length < bytes; ) {
    piece += turn();
    if (piece.length > 4 * MB) {
      written += writeSync(file, piece);
      piece = "";
    }
  }
  writeSync(file, piece);
  closeSync(file);
}

/** What a hook without a memory of its own does. */
const PLAIN = `
import { readFileSync } from "node:fs";
const event = JSON.parse(readFileSync(0, "utf8"));
let prompts = 0, text = "";
for (const line of readFileSync(event.transcript_path, "utf8").split("\\n")) {
  if (!line) continue;
  const record = JSON.parse(line);
  if (record.type === "user" && typeof record.message?.content === "string") prompts += 1;
  for (const block of record.message?.content ?? []) if (block.type === "text") text = block.text;
}
if (prompts < 0) console.log(text);
`;

/** Milliseconds and kilobytes of one run. */
function timed(command, input, env) {
  const measured = ["/usr/bin/time", "-f", "%M", ...command];
  const [file, ...rest] = existsSync(measured[0]) ? measured : command;
  const since = performance.now();
  const { status, stdout, stderr } = spawnSync(file, rest, { input, env: { ...process.env, ...env } });
  const millis = performance.now() - since;
  const lines = stderr.toString().trim().split("\n");
  const kilobytes = Number(lines.pop()) || 0;
  if (status !== 0 || lines.length > 0) throw new Problem(`${command.join(" ")}: ${status}, ${lines.join(" ")}`);
  return { millis, kilobytes, said: stdout.toString() };
}

const EVENTS = [
  ["UserPromptSubmit", () => ({ prompt: prose(200) })],
  ["Stop", () => ({ stop_hook_active: false })],
  ["PreCompact", () => ({ trigger: "auto", custom_instructions: "" })],
  ["PostCompact", () => ({ trigger: "auto", compact_summary: prose(2_000) })],
  ["SessionStart resume", () => ({ source: "resume" })],
  ["SessionStart compact", () => ({ source: "compact" })],
  ["SessionStart startup", () => ({ source: "startup" })],
  ["SubagentStop", () => ({ agent_id: "a7", agent_transcript_path: "/nowhere/agent-a7.jsonl" })],
  ["SessionEnd", () => ({ reason: "prompt_input_exit" })],
];

const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const figures = (runs) => ({
  median: middle(runs.map(({ millis }) => millis)),
  worst: Math.max(...runs.map(({ millis }) => millis)),
  megabytes: Math.max(...runs.map(({ kilobytes }) => kilobytes)) / 1024,
});

function measure(folder, name, command, size, plain) {
  const home = mkdtempSync(join(folder, "home-"));
  const log = join(folder, `${SESSION}.jsonl`);
  makeLog(log, size * MB);
  const env = { THROUGHLINE_HOME: home };
  const event = (kind, rest) => JSON.stringify({ session_id: SESSION, transcript_path: log, cwd: "/work/app", hook_event_name: kind.split(" ")[0], ...rest });
  const rows = [];
  if (!plain) {
    // The first hooks find a long log, and read it piece by piece.
    const first = [];
    const read = () => {
      const cursors = join(home, "cursors");
      const files = existsSync(cursors) ? readdirSync(cursors, { recursive: true }).filter((path) => path.endsWith(".json")) : [];
      return files.length > 0 && JSON.parse(readFileSync(join(cursors, files[0]), "utf8")).offset === statSync(log).size;
    };
    while (!read() && first.length < 2_000) first.push(timed(command, event("Stop", {}), env));
    rows.push({ size, name, event: `Stop, catching up (${first.length} hooks)`, ...figures(first) });
  }
  for (const [kind, rest] of EVENTS) {
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) {
      appendFileSync(log, turn());
      runs.push(timed(command, event(kind, rest()), env));
    }
    rows.push({ size, name, event: kind, ...figures(runs) });
    if (plain) break;
  }
  return rows;
}

await main(async () => {
  if (!process.argv.includes("--built")) await step("native build", ["cargo", "build", "--locked", "--release", "-p", "throughline"]);
  const folder = mkdtempSync(join(tmpdir(), "throughline-bench-hooks-"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "plain.mjs"), PLAIN);
  const node = process.execPath;
  const commands = {
    native: [join(await cargoTarget(), "release", "throughline"), "hook"],
    node: [node, join(root, "host-node", "bin", "throughline-node.js"), "hook"],
    "plain script": [node, join(folder, "plain.mjs")],
    "node alone": [node, "-e", "0"],
  };
  for (const name of ["native", "node"]) if (!HOSTS.includes(name)) delete commands[name];
  const rows = [];
  try {
    for (const size of SIZES) {
      for (const [name, command] of Object.entries(commands)) {
        rows.push(...measure(folder, name, command, size, name === "plain script" || name === "node alone"));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(rows, null, 1));
    return 0;
  }
  console.log(bold(`\n| log | host | event | median | worst of ${RUNS} | memory |`));
  console.log("|---|---|---|---|---|---|");
  for (const { size, name, event, median, worst, megabytes } of rows) {
    console.log(`| ${size} MB | ${name} | ${event} | ${median.toFixed(1)} ms | ${worst.toFixed(1)} ms | ${megabytes.toFixed(0)} MB |`);
  }
  const judged = rows.filter(({ name, size, event }) => name === "native" && size === 100 && !event.includes("catching"));
  const slow = judged.filter(({ event, median, worst }) => median > BAR.median || (event === "SessionEnd" && worst > BAR.end));
  if (judged.length > 0) console.log(`\nThe bar (100 MB, native): ${BAR.median} ms at the median, ${BAR.end} ms for any end: ${slow.length === 0 ? "met" : `missed by ${slow.map(({ event }) => event).join(", ")}`}`);
  return slow.length === 0 ? 0 : 1;
});
