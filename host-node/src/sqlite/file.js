// The file itself, before SQLite opens it. What it means is the core's to say.
import { W_OK } from "node:constants";
import {
  accessSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  statfsSync,
  unlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { sqliteRules, sqliteSchema } from "throughline";

/** The absolute path, with its words as they are given: `..` may lead through a link. */
export function absolute(path) {
  if (process.platform === "win32") return resolve(path);
  const whole = isAbsolute(path) ? path : `${process.cwd()}/${path}`;
  const words = whole.split("/").filter((word) => word !== "" && word !== ".");
  return words.length > 0 && whole.endsWith("/") ? `/${words.join("/")}/` : `/${words.join("/")}`;
}

/**
 * Judges what stands at the path without SQLite, which may write to a file that it only reads. Makes the file,
 * and its folder, when there is none.
 */
export function prepare(path) {
  const found = attempt("look", path, () => lookAt(path));
  if (found === undefined) make(path);
  else if (!found.isFile()) throw sqliteRules.refusal(found.isDirectory() ? "folder" : "irregular", path);
  else sqliteRules.judge(path, attempt("read", path, () => head(path)), isLogged(path));
  mustBeWritable(path);
}

/** Not by `throwIfNoEntry`, for which a file on the way to the path is no error in newer versions. */
function lookAt(path) {
  try {
    return statSync(path);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether anything stands at the path, if only a link. */
export function stands(path) {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Refuses a path at which no file could be made; its folder may be missing as well. Nothing stays behind. */
export function mustBeMakeable(path) {
  attempt("make", path, () => {
    let folder = dirname(path);
    while (!existsSync(folder)) folder = dirname(folder);
    const probe = join(folder, `.throughline-${process.pid}`);
    closeSync(openSync(probe, "wx"));
    unlinkSync(probe);
  });
}

function head(path) {
  const bytes = new Uint8Array(sqliteSchema().headBytes);
  const file = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Whether the write-ahead log beside the file holds something. */
function isLogged(path) {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function make(path) {
  const folder = dirname(path);
  attempt("make_folder", folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  attempt("make", path, () => {
    try {
      // The write-ahead log gets the mode of the database.
      closeSync(openSync(path, "wx", 0o600));
    } catch (error) {
      // Another process was faster; what it makes is judged once more when it is open.
      if (error.code !== "EEXIST") throw error;
    }
  });
}

function mustBeWritable(path) {
  try {
    accessSync(path, W_OK);
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(error.code)) throw sqliteRules.refusal("read_only", path);
  }
}

/** The kind of the file system, where the system tells. */
export function fileSystemOf(path) {
  if (process.platform !== "linux") return undefined;
  try {
    return statfsSync(path).type;
  } catch {
    return undefined;
  }
}

/** The bytes of a database and of what SQLite keeps beside it, and its mode where the system has modes. */
export function sizeAndMode(path) {
  const found = ["", "-wal", "-shm", "-journal"].map((end) => statSync(path + end, { throwIfNoEntry: false }));
  const bytes = found.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  return process.platform === "win32" ? { bytes } : { bytes, mode: found[0]?.mode };
}

/** The greatest file that this process may write, in bytes; undefined when there is no limit. */
export function sizeLimit() {
  const limit = process.report.getReport().userLimits?.file_size_blocks?.soft;
  return typeof limit === "number" ? limit : undefined;
}

function attempt(what, path, work) {
  try {
    return work();
  } catch (error) {
    throw sqliteRules.refusal(what, path, error);
  }
}
