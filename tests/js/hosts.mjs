// The two command lines, native and Node, run beside each other.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cargoTarget, root } from "../tasks/terminal.mjs";

const native = join(await cargoTarget(), "debug", "throughline");
if (!existsSync(native)) throw new Error("run `cargo build -p throughline` first");

/** How each host is called. */
export const hosts = {
  native: [native],
  node: [process.execPath, join(root, "host-node", "bin", "throughline-node.js")],
};
export const names = Object.keys(hosts);

/** A host's environment: nothing of the user's own store. */
function environment(env) {
  const { THROUGHLINE_HOME, THROUGHLINE_STORE, ...own } = process.env;
  return { ...own, ...env };
}

/** Runs a command of a host to its end: `{ exit, stdout, stderr }`, `stdout` as bytes. */
export function call(host, words, { env = {}, input = "", cwd, limit } = {}) {
  const command = [...hosts[host], ...words];
  const limited = limit === undefined ? [] : ["sh", "-c", 'ulimit -f "$1" && shift && exec "$@"', "sh", `${limit}`];
  const [file, ...rest] = [...limited, ...command];
  const { status, stdout, stderr, error } = spawnSync(file, rest, {
    env: environment(env),
    input,
    cwd,
    maxBuffer: 1 << 28,
  });
  // A command that ends early does not read its input: that pipe breaks, and the answer is there.
  if (error && error.code !== "EPIPE") throw error;
  return { exit: status, stdout, stderr: stderr.toString() };
}

/** The same, beside whatever else goes on. */
export function start(host, words, { env = {}, cwd } = {}) {
  const [file, ...rest] = [...hosts[host], ...words];
  return new Promise((resolve, reject) => {
    const child = spawn(file, rest, { env: environment(env), cwd, stdio: ["ignore", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].on("data", (piece) => (text[name] += piece));
    child.on("error", reject);
    child.on("close", (exit) => resolve({ exit, ...text }));
  });
}
