// Files that are written whole or not at all.
import { closeSync, fchmodSync, fchownSync, fsyncSync, mkdirSync, openSync, readlinkSync, renameSync, rmSync, statSync, unlinkSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** As many links as the system follows. */
const LINKS = 40;

/** Writes beside the file and renames; a new file takes the mode of `like`. */
export function replaceFile(path, bytes, like) {
  const file = target(path);
  makeFolder(dirname(file));
  const model = about(file) ?? about(like);
  put(file, bytes, true, (descriptor) => {
    if (!model) return;
    try {
      fchownSync(descriptor, model.uid, model.gid);
    } catch {
      // Only root can give a file to another.
    }
    fchmodSync(descriptor, model.mode & 0o7777);
  });
}

/**
 * Writes a new file beside this one, for its owner alone, and renames it. `lasting`: bytes and name are on the disk
 * when this returns.
 */
export function put(file, bytes, lasting, adjust = () => {}) {
  const { descriptor, beside } = temporary(file);
  try {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      adjust(descriptor);
      if (lasting) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  if (lasting) syncFolder(dirname(file));
}

/** The names in a folder are on the disk after that, where folders can be opened. */
export function syncFolder(folder) {
  let descriptor;
  try {
    descriptor = openSync(folder, "r");
    fsyncSync(descriptor);
  } catch {
    // Not everywhere.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Removes the file, or what a link names. */
export function removeFile(path) {
  try {
    unlinkSync(target(path));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

/** Folder by folder: Node's `recursive` never ends where the system says that what is there is not. */
export function makeFolder(path, mode = 0o777) {
  if (about(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

function about(path) {
  return statSync(path, { throwIfNoEntry: false });
}

/** What the links say, also when nothing is there. */
function target(path) {
  let file = path;
  for (let links = 0; links < LINKS; links += 1) {
    try {
      file = resolve(dirname(file), readlinkSync(file));
    } catch {
      return file;
    }
  }
  statSync(file);
  return file;
}

/** A new file beside this one, for its owner alone. */
function temporary(path) {
  for (let number = process.pid; ; number += 1) {
    const beside = `${path}.${number.toString(16)}.tmp`;
    try {
      return { descriptor: openSync(beside, "wx", 0o600), beside };
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}
