// The two SQLite libraries of Node under one shape: what the driver needs of each, and the codes of their errors.
import { createRequire } from "node:module";
import { ThroughlineError } from "throughline";

const require = createRequire(import.meta.url);

/** The libraries in the order in which they are tried. */
const libraries = { "better-sqlite3": betterSqlite3, "node:sqlite": nodeSqlite };

/** The named library, or the first that is there: a function that opens a connection. */
export function libraryOf(name) {
  if (name !== undefined && !Object.hasOwn(libraries, name)) {
    const accepted = Object.keys(libraries).join(", ");
    throw new ThroughlineError(`there is no library \`${name}\`; accepted: ${accepted}`, "argument_invalid", "library");
  }
  const missing = [];
  for (const candidate of name ? [name] : Object.keys(libraries)) {
    try {
      return libraries[candidate]();
    } catch (error) {
      missing.push(`${candidate}: ${firstLine(error)}`);
    }
  }
  const why = `no SQLite library: install better-sqlite3, or use Node 22.16 or newer (${missing.join("; ")})`;
  throw new ThroughlineError(`the storage is not available: ${why}`, "storage_unavailable", undefined, { why });
}

function betterSqlite3() {
  const Database = require("better-sqlite3");
  // Its binary is loaded with the first database: one that does not fit this Node is found out now.
  new Database(":memory:").close();
  return (path, wait) => {
    const database = new Database(path, { fileMustExist: true, timeout: wait });
    return {
      exec: (sql) => void database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql);
        if (statement.reader) statement.raw();
        return {
          run: (params) => statement.run(params).changes,
          all: (params) => statement.all(params),
        };
      },
      close: () => void database.close(),
    };
  };
}

function nodeSqlite() {
  const { DatabaseSync, StatementSync } = quietly(() => require("node:sqlite"));
  // Rows as arrays: two columns of one name are both there.
  if (!StatementSync.prototype.setReturnArrays) throw new Error("this version cannot give rows as arrays");
  return (path, wait) => {
    const database = new DatabaseSync(path, { timeout: wait });
    return {
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql);
        statement.setReturnArrays(true);
        return {
          run: (params) => Number(statement.run(...params).changes),
          all: (params) => statement.all(...params),
        };
      },
      close: () => database.close(),
    };
  };
}

/** Without the warning that the module is experimental: standard error belongs to the program. */
function quietly(load) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function firstLine(error) {
  return String(error?.message ?? error).split("\n", 1)[0];
}

const PRIMARY = [
  ..."OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL".split(" "),
  ..."CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB".split(" "),
];
const EXTENDED = { IOERR_WRITE: 778, IOERR_FSYNC: 1034, IOERR_DIR_FSYNC: 1290, IOERR_SHMSIZE: 4874 };

/** The extended result code of an error of either library; undefined for any other error. */
export function resultCode(error) {
  if (typeof error?.errcode === "number") return error.errcode;
  const [, name] = /^SQLITE_(\w+)$/.exec(error?.code ?? "") ?? [];
  if (name === undefined) return undefined;
  return EXTENDED[name] ?? Math.max(PRIMARY.indexOf(name.split("_")[0]), 0);
}
