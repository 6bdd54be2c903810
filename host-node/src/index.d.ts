/// <reference lib="esnext.disposable" />
import type { Engine, EngineOptions, IngestOptions, IngestReport, PostgresAddress, SqlDriver, SqlStatement, SqlValue, Storage } from "throughline";

/** A clock that gives the system's time, in milliseconds since 1970. */
export function systemClock(): () => number;

/** Entropy from the system's generator: 16 bytes a call. */
export function systemEntropy(): () => Uint8Array;

/** How a SQLite file is opened. */
export interface SqliteOptions {
  /** How long another writer is waited for, in milliseconds; then `storage_locked`. 10,000 when absent. */
  wait?: number | undefined;
  /**
   * The SQLite library. When absent: better-sqlite3 where it is installed, else `node:sqlite` (Node 22.16 and
   * newer).
   */
  library?: "better-sqlite3" | "node:sqlite" | undefined;
  /**
   * A store that is not there is made by the first commit, and reads as empty until then; it is still refused
   * at once where none could be made. False when absent: it is made now.
   */
  lazy?: boolean | undefined;
}

/**
 * A store in one SQLite file, shared by any number of processes of one machine, the native `throughline` among
 * them. What a commit acknowledged is on the disk. Calls do their work at once, on the calling thread: a writer
 * that waits for another blocks it.
 */
export interface SqliteDriver extends SqlDriver {
  /** The absolute path of the file. */
  readonly path: string;
  transaction(already: SqlStatement, statements: SqlStatement[]): { repeated: boolean };
  query(statement: SqlStatement): SqlValue[][];
  /** Closes the file; calls after that throw `storage_unavailable`, and another `close()` does nothing. */
  close(): void;
  [Symbol.dispose](): void;
}

/**
 * Opens or makes a store. A new file has mode 0600, a new folder 0700; what is not a store of ours is left as
 * it is, to the byte.
 *
 * @throws {ThroughlineError} `storage_foreign`, `schema_newer`, `storage_corrupt`, `storage_locked`,
 *   `storage_full`, and `storage_unavailable`, also when there is no SQLite library; `argument_invalid`.
 */
export function sqliteDriver(path: string, options?: SqliteOptions): SqliteDriver;

/** How a store in PostgreSQL is opened. */
export interface PostgresOptions {
  /** How long a lock, or a server that went away, is waited for, in milliseconds. 10,000 when absent. */
  wait?: number | undefined;
  /** How many connections there are at most; 4 when absent. Of no meaning for a pool that is handed over. */
  connections?: number | undefined;
  /** The tables are made by the first commit, and the store reads as empty until then; `open()` makes none. */
  lazy?: boolean | undefined;
}

/** What is used of a pool of `pg`. */
export interface PostgresPool {
  connect(): Promise<unknown>;
  end(): Promise<void>;
}

/**
 * A store in a database of PostgreSQL 15 or newer, shared by any number of processes on any number of machines,
 * the native `throughline` among them. What a commit acknowledged is on the server's disk. A batch whose
 * connection was lost is run again for as long as `wait` says, and its id tells whether it had been committed.
 */
export interface PostgresDriver extends SqlDriver {
  /** Where it is, without password. */
  readonly address: string;
  /** Connects, judges the database and makes the tables, so that what is wrong is said now and not by the first call. */
  open(): Promise<void>;
  transaction(already: SqlStatement, statements: SqlStatement[], locks: string[]): Promise<{ repeated: boolean }>;
  query(statement: SqlStatement): Promise<(SqlValue | bigint)[][]>;
  /** Waits for calls in flight and closes the connections (not those of a pool that was handed over); calls after that are `storage_unavailable`. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A store at an address, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or behind a pool of `pg`. Nothing is
 * connected yet: calls, `open()` among them, reject with `storage_foreign`, `schema_newer`, `storage_locked`,
 * `storage_unavailable`, `outcome_unknown`.
 *
 * @throws {ThroughlineError} `store_invalid`, which repeats nothing of the address; `argument_invalid`;
 *   `storage_unavailable` when `pg` is not installed.
 */
export function postgresDriver(place: string | { readonly href: string } | PostgresAddress | PostgresPool, options?: PostgresOptions): PostgresDriver;

/**
 * An engine with Node's clock and entropy, unless the options bring others; in memory when there is neither a
 * storage nor a driver.
 *
 * @throws {ThroughlineError} As the constructor of `Engine`.
 */
export function createEngine(options?: EngineOptions): Engine;

/** How a host is set up: the options of an engine, with a store in the place of storage and driver. */
export interface HostOptions extends Omit<EngineOptions, "storage" | "driver"> {
  /**
   * The path of a SQLite file (a `file:` URL and `sqlite:PATH` are taken too), the `postgres://` address of a
   * database, a driver or a storage.
   */
  store: string | { readonly href: string } | SqlDriver | Storage;
  /** How long another writer is waited for, in milliseconds. */
  wait?: number | undefined;
  /**
   * Whether SIGINT and SIGTERM close the host before they end the process, so that what waits is written. False
   * when absent: what waits is in the store anyway, and written by the next host.
   */
  signals?: boolean | undefined;
}

/**
 * An engine over a store, with one timer that does what is due (`tick`); it keeps no process alive. Its `close()`
 * waits for the calls in flight, writes what waits (`flush`), and closes the store.
 *
 * @throws {ThroughlineError} As `sqliteDriver`, `postgresDriver` and the constructor of `Engine`.
 */
export function createHost(options: HostOptions): Engine;

/**
 * Reads the log of a harness from a file (a path or a `file:` URL), piece by piece: a long log never stands in
 * memory as a whole.
 * `key` is the file's name without its extension, unless the options say otherwise.
 *
 * Rejected as `Engine.ingest`; with `source_failed` when the file cannot be read, and the error of Node as
 * its `cause`.
 */
export function ingestFile(engine: Engine, file: string | { readonly href: string }, options?: IngestOptions): Promise<IngestReport>;
