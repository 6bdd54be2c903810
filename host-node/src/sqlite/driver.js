// The driver of SQLite: it runs the statements that the core writes.
import { existsSync } from "node:fs";
import { sqliteRules, sqliteSchema, ThroughlineError } from "throughline";
import { absolute, fileSystemOf, mustBeMakeable, prepare, sizeAndMode, sizeLimit, stands } from "./file.js";
import { libraryOf, resultCode } from "./libraries.js";

/** How long another writer is waited for, in milliseconds. */
const WAIT = 10_000;
/** The primary result code of failed reads and writes. */
const IOERR = 10;

export function sqliteDriver(path, { wait, library, lazy = false } = {}) {
  if (typeof path !== "string" || path === "") {
    throw new ThroughlineError("`path` is missing; accepted: the path of a file", "argument_invalid", "path");
  }
  const patience = wait ?? WAIT;
  if (!(Number.isInteger(patience) && patience >= 0 && patience <= 0x7fff_ffff)) {
    const accepted = "accepted: whole milliseconds from 0 to 2147483647";
    throw new ThroughlineError(`\`wait\` is ${patience}; ${accepted}`, "argument_invalid", "wait");
  }
  const open = libraryOf(library);
  const place = absolute(path);
  const connected = () => {
    prepare(place);
    return patiently(patience, () => connect(open, place, patience));
  };
  const there = !lazy || stands(place);
  if (!there) mustBeMakeable(place);
  return new SqliteDriver(place, connected, there ? connected() : undefined);
}

class SqliteDriver {
  #connection;
  #prepared = new Map();
  #path;
  /** Opens the store, or makes it; absent once the driver is closed. */
  #connect;

  constructor(path, connect, connection) {
    this.#path = path;
    this.#connect = connect;
    this.#connection = connection;
  }

  get path() {
    return this.#path;
  }

  transaction(already, statements) {
    const connection = this.#open();
    translated(() => connection.exec("BEGIN IMMEDIATE"));
    let done = false;
    try {
      if (this.#run(already) === 0) return { repeated: true };
      for (const statement of statements) {
        const changed = this.#run(statement);
        if (statement.rows !== null && changed !== statement.rows) {
          throw new ThroughlineError(statement.what, "conflict");
        }
      }
      translated(() => connection.exec("COMMIT"), true);
      done = true;
      return { repeated: false };
    } finally {
      if (!done) rollBack(connection);
    }
  }

  query(statement) {
    // A store that is not there yet holds nothing; another process may have made it meanwhile.
    if (!this.#connection && this.#connect && !existsSync(this.#path)) return [];
    this.#open();
    return translated(() => this.#prepare(statement.sql).all(bound(statement.params)));
  }

  /** What the store says of itself, for `doctor`; undefined while there is none. */
  facts() {
    if (!this.#connection && this.#connect && !existsSync(this.#path)) return undefined;
    const connection = this.#open();
    const rows = (sql) => connection.prepare(sql).all([]);
    return translated(() => ({
      schema: value(connection, "PRAGMA user_version"),
      integrity: rows("PRAGMA quick_check").map(([line]) => line),
      orphans: rows("PRAGMA foreign_key_check").length,
      journal: value(connection, "PRAGMA journal_mode"),
      fileSystem: fileSystemOf(this.#path),
      ...sizeAndMode(this.#path),
    }));
  }

  close() {
    this.#prepared.clear();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#connect = undefined;
    connection?.close();
  }

  [Symbol.dispose]() {
    this.close();
  }

  #open() {
    if (this.#connect) return (this.#connection ??= this.#connect());
    const why = `${this.#path} was closed`;
    throw new ThroughlineError(`the storage is not available: ${why}`, "storage_unavailable", undefined, { why });
  }

  #run({ sql, params }) {
    return translated(() => this.#prepare(sql).run(bound(params)));
  }

  /** The core writes a fixed few texts: all of them stay prepared. */
  #prepare(sql) {
    let statement = this.#prepared.get(sql);
    if (!statement) this.#prepared.set(sql, (statement = this.#connection.prepare(sql)));
    return statement;
  }
}

function connect(open, path, wait) {
  const connection = open(path, wait);
  try {
    connection.exec(sqliteSchema().pragmas);
    if (schemaOf(connection) < sqliteSchema().migrations.length) migrate(connection);
    // After the schema is in the file itself, not in a log beside it.
    const wanted = sqliteRules.journal(fileSystemOf(path));
    if (value(connection, "PRAGMA journal_mode") !== wanted) connection.exec(`PRAGMA journal_mode = ${wanted}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Judges the file once more, now as SQLite sees it. */
function schemaOf(connection) {
  const read = (sql) => value(connection, sql);
  const tables = read("SELECT COUNT(*) FROM sqlite_schema");
  return sqliteRules.found(read("PRAGMA application_id"), read("PRAGMA user_version"), tables);
}

/** Runs the migrations that are missing, in the transaction that found them missing. */
function migrate(connection) {
  const { applicationId, migrations } = sqliteSchema();
  connection.exec("BEGIN IMMEDIATE");
  try {
    for (const migration of migrations.slice(schemaOf(connection))) connection.exec(migration);
    connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length};`);
    connection.exec("COMMIT");
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

function value(connection, sql) {
  return connection.prepare(sql).all([])[0][0];
}

function rollBack(connection) {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // The failure itself has ended the transaction.
  }
}

/** Whole numbers as SQLite's integers; both libraries would bind larger ones as floating point. */
function bound(params) {
  return params.map((param) => (typeof param === "number" ? BigInt(param) : param));
}

/** Work with SQLite, with its errors in the core's words. */
function translated(work, commit = false) {
  try {
    return work();
  } catch (error) {
    throw meaning(error, commit)?.error ?? error;
  }
}

function meaning(error, commit) {
  const code = resultCode(error);
  if (code === undefined) return undefined;
  const limit = (code & 0xff) === IOERR ? sizeLimit() : undefined;
  return sqliteRules.fault({ code, message: error.message, commit, sizeLimit: limit });
}

/**
 * Some locks of opening (recovery, the change of the journal) are refused at once, whatever the timeout of the
 * connection: those are tried again for as long as a writer is waited for.
 */
function patiently(wait, attempt) {
  const end = performance.now() + wait;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const found = meaning(error, false);
      if (!found) throw error;
      if (!found.busy || performance.now() >= end) throw found.error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}
