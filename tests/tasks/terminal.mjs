// What the tasks share: running commands, and saying what goes on. On a terminal a step is one line
// that shows its time and newest output; elsewhere a line when it starts and one when it ends.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout. */
export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/[/\\]$/, "");

const live = Boolean(process.stdout.isTTY) && !process.env.CI;
const style = (code) => (text) => (live && !process.env.NO_COLOR ? `\x1b[${code}m${text}\x1b[0m` : text);
export const bold = style("1");
export const dim = style("2");
export const red = style("31");
export const green = style("32");
export const yellow = style("33");

/** Something the user can put right; shown without a stack. */
export class Problem extends Error {}

/** Runs a task: problems become lines on standard error and exit status 1. */
export async function main(task) {
  try {
    process.exitCode = (await task()) ?? 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    for (const line of error.message.split("\n")) console.error(`${red("error:")} ${line}`);
    process.exitCode = 1;
  }
}

/** The path of an executable on PATH, or null. */
export function onPath(name) {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a command in the checkout and gives `{ status, output, stdout, stderr }`, where `output` is
 * both streams as they came. `onText` sees each piece of it at once.
 */
export function run([command, ...args], { env = {}, cwd = root, onText } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const text = { output: "", stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (piece) => {
        text[name] += piece;
        text.output += piece;
        onText?.(piece);
      });
    }
    child.on("error", ({ message }) => resolve({ ...text, status: 127, output: `${command}: ${message}` }));
    child.on("close", (status) => resolve({ ...text, status: status ?? 1 }));
  });
}

/** Runs a command that must succeed, as one step with a title; gives its output. */
export async function step(title, command, options = {}) {
  const progress = start(title);
  const { status, output } = await run(command, { ...options, onText: progress.text });
  progress.end(status === 0);
  if (status === 0) return output;
  const tail = output.trimEnd().split("\n").slice(-40).join("\n");
  console.error(tail);
  throw new Problem(`${title} failed: \`${command.join(" ")}\` ended with status ${status}`);
}

/** Where cargo builds: `target/`, unless the user has told it otherwise. */
export async function cargoTarget() {
  const { status, stdout, output } = await run(["cargo", "metadata", "--format-version", "1", "--no-deps"]);
  if (status !== 0) throw new Problem(`cargo metadata failed:\n${output.trimEnd()}`);
  return JSON.parse(stdout).target_directory;
}

export function seconds(since) {
  const spent = (Date.now() - since) / 1000;
  return spent < 10 ? `${spent.toFixed(1)} s` : `${Math.round(spent)} s`;
}

function start(title) {
  const since = Date.now();
  if (!live) {
    console.log(`${title} …`);
    return { text() {}, end: (ok) => console.log(`${title}: ${ok ? "done" : "failed"} in ${seconds(since)}`) };
  }
  let newest = "";
  const draw = () => {
    const line = `${title} … ${seconds(since)}  ${newest}`;
    process.stdout.write(`\r\x1b[2K${line.slice(0, (process.stdout.columns || 80) - 1)}`);
  };
  const timer = setInterval(draw, 200);
  draw();
  return {
    text(text) {
      newest = text.replace(/\x1b\[[0-9;]*m/g, "").trim().split("\n").at(-1) || newest;
    },
    end(ok) {
      clearInterval(timer);
      process.stdout.write(`\r\x1b[2K${ok ? green("✓") : red("✗")} ${title} ${dim(seconds(since))}\n`);
    },
  };
}
