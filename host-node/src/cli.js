// The command line of Node: files, the environment and the store are here, everything else is the core's.
import { closeSync, openSync, read, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { homedir } from "node:os";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { runConsole, unwrittenAnswer } from "throughline/console";
import { watchFolder } from "./folder.js";
import { hookFiles } from "./hook.js";
import { postgresDriver } from "./postgres/driver.js";
import { removeFile, replaceFile } from "./replace.js";
import { sqliteDriver } from "./sqlite/driver.js";
import { systemClock, systemEntropy } from "./system.js";

/** How much of a file is read at once. */
const PIECE = 256 * 1024;

/** Runs the command of this process, and sets its exit status. */
export async function main() {
  // A write beyond `ulimit -f` then fails like one on a full disk, in place of ending the process.
  if (process.platform !== "win32") process.on("SIGXFSZ", () => {});
  // What fails is told to the write that failed.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const words = process.argv.slice(2);
  const { drivers, folders, program } = surroundings();
  let answer;
  try {
    answer = await runConsole(words, program);
  } catch (error) {
    // A harness takes any other status for a refusal of what its user does.
    if (!words.includes("hook")) throw error;
    // What failed may tell of the input.
    answer = { stdout: new Uint8Array(), stderr: unexpected, exit: 0 };
  } finally {
    for (const folder of folders) folder.close();
    for (const driver of drivers) await driver.close();
  }
  try {
    await write(process.stdout, answer.stdout);
  } catch (error) {
    answer = await unwrittenAnswer(words, error);
  }
  process.exitCode = answer.exit;
  // There is no better place to say that this place is closed.
  await write(process.stderr, answer.stderr).catch(() => {});
}

const unexpected = "throughline: unexpected: a fault in this program; the event was not taken\n";

function surroundings() {
  const drivers = [];
  const folders = [];
  const open = async (kind, place, wait) => {
    const driver = (kind === "sqlite" ? sqliteDriver : postgresDriver)(place, { lazy: true, wait });
    drivers.push(driver);
    await driver.open?.();
    return driver;
  };
  return {
    drivers,
    folders,
    program: {
      clock: systemClock(),
      entropy: systemEntropy(),
      variable: (name) => process.env[name],
      home: () => homedir(),
      folder: () => process.cwd(),
      open,
      facts: async (kind, place) => (await open(kind, place)).facts(),
      file(path) {
        return path === "-" ? { next: nextOfStdin } : pieces(path);
      },
      write: (bytes) => write(process.stdout, bytes),
      program: () => [process.execPath, fileURLToPath(new URL("../bin/throughline-node.js", import.meta.url))],
      replace: replaceFile,
      remove: removeFile,
      async tail(path, offset) {
        // A signal comes between two files.
        await new Promise((resolve) => setImmediate(resolve));
        return pieces(path, offset);
      },
      watch(path) {
        const folder = watchFolder(path);
        folders.push(folder);
        return folder;
      },
      ...hookFiles,
    },
  };
}

/** Not by `process.stdin`, which takes a folder for an empty file. */
async function nextOfStdin() {
  const piece = new Uint8Array(PIECE);
  for (;;) {
    try {
      const { bytesRead } = await promisify(read)(0, piece, 0, PIECE, null);
      return bytesRead > 0 ? piece.subarray(0, bytesRead) : undefined;
    } catch (error) {
      if (error.code === "EOF") return undefined;
      // The other end made the pipe one that does not wait.
      if (error.code !== "EAGAIN") throw error;
      await setTimeout(10);
    }
  }
}

function pieces(path, from = 0) {
  let file = openSync(path, "r");
  let at = from;
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    close,
    next() {
      if (file === undefined) return undefined;
      const piece = new Uint8Array(PIECE);
      // By position only where it is asked for: a pipe has none.
      const length = readSync(file, piece, 0, PIECE, from > 0 ? at : null);
      at += length;
      if (length > 0) return piece.subarray(0, length);
      return close();
    },
  };
}

/** Rejected when the bytes cannot be written. */
function write(stream, bytes) {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
