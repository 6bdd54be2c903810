// Files of `hook`: its own in the home folder, and logs of harnesses.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  rmdirSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeFolder, put, syncFolder } from "./replace.js";

/** How much of a log is read at once. */
const PIECE = 256 * 1024;

export const hookFiles = {
  elapsed: () => performance.now(),
  hasDrives: () => process.platform === "win32",
  names(folder) {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (error.code === "ENOENT") return [];
      throw error;
    }
  },
  keep(path, bytes, lasting) {
    try {
      put(path, bytes, lasting);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      let folder = dirname(path);
      makeFolder(folder, 0o700);
      put(path, bytes, lasting);
      // As many as the command makes: home, kind, session.
      for (let made = 0; lasting && made < 3; made += 1) syncFolder((folder = dirname(folder)));
    }
  },
  discard: (path) => rmSync(path, { force: true }),
  discardFolder: (path) => rmdirSync(path),
  log: opened,
};

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
  // Not every system has them.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK = 0 } = constants;
  const isLink = () => lstatSync(path).isSymbolicLink();
  if (O_NOFOLLOW === undefined && isLink()) throw new Error("is a symbolic link");
  try {
    return { number: openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | O_NONBLOCK), open: true };
  } catch (error) {
    if (error.code === "ELOOP" && isLink()) throw new Error("is a symbolic link");
    throw error;
  }
}
