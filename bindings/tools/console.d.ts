import type { PostgresAddress, SqlDriver } from "../driver.js";

/** What a command prints, and how its process ends. */
export interface ConsoleAnswer {
  /** Standard output. */
  stdout: Uint8Array;
  /** Standard error: whole lines. */
  stderr: string;
  /** 0 done, 1 the thing asked about is not so, 2 bad input or usage, 3 storage failed. */
  exit: number;
}

/** The program that a command runs in. What it throws from `open` and `file` becomes the command's error. */
export interface ConsoleProgram {
  /** A variable of the environment. */
  variable(name: string): string | undefined;
  /** The user's home folder. */
  home(): string | undefined;
  /** Opens the SQLite store at this path, or that at this address of a PostgreSQL server. */
  open(...place: [kind: "sqlite", path: string] | [kind: "postgres", address: PostgresAddress]): SqlDriver | Promise<SqlDriver>;
  /** What this store says of itself, for `doctor`: `SqliteFacts` or `PostgresFacts`; `undefined` while there is none. */
  facts(...place: [kind: "sqlite", path: string] | [kind: "postgres", address: PostgresAddress]): StoreFacts | undefined | Promise<StoreFacts | undefined>;
  /**
   * Opens a file to be read, `-` being standard input; `next` gives its next bytes, and `undefined` at its
   * end. An error is known by the `code` that Node gives it, such as `ENOENT`.
   */
  file(path: string): { next(): Uint8Array | undefined | Promise<Uint8Array | undefined> };
  /** Writes bytes to standard output at once, for answers that have no end. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** As the option of `Engine`. */
  clock(): number | string | Date;
  /** As the option of `Engine`. */
  entropy(): Uint8Array;
}

/** What a store says of itself. */
export type StoreFacts = SqliteFacts | PostgresFacts;

/** What a database of PostgreSQL says of a store. */
export interface PostgresFacts {
  /** The number in its mark. */
  schema: number;
  /** The size of its tables with their indexes, in bytes. */
  bytes: number;
}

/** What a SQLite store says of itself. */
export interface SqliteFacts {
  /** `PRAGMA user_version`. */
  schema: number;
  /** The size of the database and of what SQLite keeps beside it, in bytes. */
  bytes: number;
  /** The rows of `PRAGMA quick_check`. */
  integrity: string[];
  /** How many rows `PRAGMA foreign_key_check` gives. */
  orphans: number;
  /** `PRAGMA journal_mode`. */
  journal: string;
  /** The kind of the file system (`f_type` of `statfs`), where the system tells. */
  fileSystem?: number;
  /** The mode of the file, where the system has modes. */
  mode?: number;
}

/** Runs a command of `throughline`: the words after the program's name. Rejected only with `argument_invalid`. */
export function runConsole(words: readonly string[], program: ConsoleProgram): Promise<ConsoleAnswer>;

/** The answer in place of one whose standard output could not be written, from the error of Node. */
export function unwrittenAnswer(words: readonly string[], cause: unknown): Promise<ConsoleAnswer>;
