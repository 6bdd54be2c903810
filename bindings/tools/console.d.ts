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
  /**
   * Opens a file to be read, `-` being standard input; `next` gives its next bytes, and `undefined` at its
   * end. An error is known by the `code` that Node gives it, such as `ENOENT`.
   */
  file(path: string): { next(): Uint8Array | undefined | Promise<Uint8Array | undefined> };
  /** As the option of `Engine`. */
  clock(): number | string | Date;
  /** As the option of `Engine`. */
  entropy(): Uint8Array;
}

/** Runs a command of `throughline`: the words after the program's name. Rejected only with `argument_invalid`. */
export function runConsole(words: readonly string[], program: ConsoleProgram): Promise<ConsoleAnswer>;

/** The answer in place of one whose standard output could not be written, from the error of Node. */
export function unwrittenAnswer(words: readonly string[], cause: unknown): Promise<ConsoleAnswer>;
