// Files of `hook`: its own in the home folder, and logs of harnesses.
import { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } from "node:constants";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** How much of a log is read at once. */
const PIECE = 256 * 1024;

export const hookFiles = {
  elapsed: () => performance.now(),
  names(folder) {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (error.code === "ENOENT") return [];
      throw error;
    }
  },
  keep(path, bytes, lasting) {
    const beside = `${path.replace(/\.[^./]*$/, "")}.${process.pid}.new`;
    try {
      fill(beside, bytes, lasting);
      renameSync(beside, path);
    } catch (error) {
      // What was written of it is of no use.
      rmSync(beside, { force: true });
      throw error;
    }
  },
  discard: (path) => rmSync(path, { force: true }),
  log: opened,
};

/** A new file for this user alone; its folders are made where they are missing. */
function fill(path, bytes, lasting) {
  const make = () => openSync(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600);
  let file;
  try {
    file = make();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = make();
  }
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    if (lasting) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A log from an offset on, no further than it was long when it was opened: `{length, next()}`. */
function opened(path, from) {
  const file = openLog(path);
  let at = from;
  let length;
  const close = () => {
    if (file.open) closeSync(file.number);
    file.open = false;
  };
  try {
    const found = fstatSync(file.number);
    if (!found.isFile()) throw new Error("is no regular file");
    if (process.geteuid && found.uid !== process.geteuid()) throw new Error("belongs to another user");
    length = found.size;
  } catch (error) {
    close();
    throw error;
  }
  return {
    length,
    close,
    next() {
      if (!file.open) return undefined;
      const wanted = Math.min(PIECE, length - at);
      if (wanted <= 0) return close();
      const piece = new Uint8Array(wanted);
      const count = readSync(file.number, piece, 0, wanted, at);
      if (count === 0) return close();
      at += count;
      return piece.subarray(0, count);
    },
  };
}

/** Without waiting for whoever writes to a pipe. */
function openLog(path) {
  try {
    return { number: openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0)), open: true };
  } catch (error) {
    if (error.code === "ELOOP" && lstatSync(path).isSymbolicLink()) throw new Error("is a symbolic link");
    throw error;
  }
}
