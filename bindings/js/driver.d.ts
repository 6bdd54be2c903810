/** A parameter, or a column of a row: text, a whole number or nothing. */
export type SqlValue = string | number | null;

/** One statement of the core, with a plain `?` for each parameter, in order. */
export interface SqlStatement {
  /** One of a fixed few, so that a driver may keep them prepared. */
  sql: string;
  params: SqlValue[];
  /** How many rows it must change; any other number is a conflict. `null`: any. */
  rows: number | null;
  /** What the conflict is, in words. */
  what: string;
}

/**
 * An SQL database under the core's statements. Its schema is made by `sqliteSchema().migrations`.
 *
 * What a method throws is known by its `code`, as with a `Storage`: `storage_locked`, `storage_full`,
 * `storage_corrupt`, `outcome_unknown`; anything else is `storage_unavailable`.
 */
export interface SqlDriver {
  /**
   * In one transaction, begun as the only writer: runs `already`, and when it changes no row, rolls back and
   * answers `{ repeated: true }`; then runs `statements` in order, and when one changes another number of rows
   * than its `rows`, rolls back and throws an error with the `code` `"conflict"` and its `what` as message;
   * then commits and answers `{ repeated: false }`.
   *
   * `locks` names what the batch works on, sorted: a database with several writers locks these, in this order,
   * after `already`, until the transaction ends.
   */
  transaction(
    already: SqlStatement,
    statements: SqlStatement[],
    locks: string[],
  ): { repeated: boolean } | Promise<{ repeated: boolean }>;
  /** All rows of a statement, each an array of its columns; of one moment. */
  query(statement: SqlStatement): (readonly (SqlValue | bigint)[])[] | Promise<(readonly (SqlValue | bigint)[])[]>;
}

/** The schema of SQLite stores, as data. */
export interface SqliteSchema {
  /** What `PRAGMA application_id` says of a file of ours. */
  applicationId: number;
  /** Scripts in order: after the first n, `PRAGMA user_version` is n. They run in one transaction, which sets both. */
  migrations: string[];
  /** What a connection is told first. */
  pragmas: string;
  /** How many bytes of a file `sqliteRules.judge` asks for. */
  headBytes: number;
}

/** The schema of SQLite stores. */
export function sqliteSchema(): SqliteSchema;

/** What every driver of SQLite decides alike. The errors that these give or throw are `ThroughlineError`s. */
export const sqliteRules: {
  /**
   * Judges a file by its first bytes, before SQLite opens it: the schema that it has, 0 for an empty one.
   * `logged`: whether a write-ahead log that is not empty lies beside it.
   *
   * @throws {ThroughlineError} `storage_foreign`, `schema_newer`: the file is to be left as it is.
   */
  judge(path: string, head: Uint8Array, logged: boolean): number;
  /**
   * Judges an open database by `application_id`, `user_version` and how many rows `sqlite_schema` has.
   *
   * @throws {ThroughlineError} `storage_foreign`, `schema_newer`.
   */
  found(applicationId: number, userVersion: number, tables: number): number;
  /** The journal mode for a kind of file system (`type` of `statfs`; undefined where the system does not tell). */
  journal(fileSystem?: number): "wal" | "delete";
  /** The error for a file that cannot be a store; `cause` is what Node threw. */
  refusal(
    why: "look" | "read" | "make" | "make_folder" | "folder" | "irregular" | "read_only",
    path: string,
    cause?: unknown,
  ): Error;
  /** What an error of SQLite means, by its extended result code; `busy`: waiting may help. */
  fault(thrown: {
    code?: number | undefined;
    message: string;
    /** Whether the commit itself failed. */
    commit?: boolean | undefined;
    /** The greatest file that the process may write, in bytes. */
    sizeLimit?: number | undefined;
  }): { busy: boolean; error: Error };
};

/** An address of a PostgreSQL server, read. */
export interface PostgresAddress {
  /** The address without its password and parameters. */
  shown: string;
  /** A name or number, or the folder of a socket, which begins with `/`. */
  host: string;
  port: number;
  user: string;
  password: string | null;
  database: string;
  /** Whether the connection is encrypted, and certificate and host name are checked. */
  tls: boolean;
  /** A file of certificates that are trusted in place of the system's own. */
  rootCertificates: string | null;
  /** Settings of the server for the connection. */
  options: string | null;
  /** What the server lists the connection as. */
  application: string;
  /** How long a connection may take to be made, in milliseconds. */
  connectMillis: number;
}

/** What every driver of PostgreSQL decides alike. The errors that these give or throw are `ThroughlineError`s. */
export const postgresRules: {
  /** `look` and `mark` ask a new connection what the database is; `size` asks a marked one for its bytes; `lock` takes one of `locks`, `upgradeLock` goes before `upgrade`; `schema` is the newest. */
  texts(): { look: string; mark: string; size: string; lock: string; upgradeLock: string; schema: number };
  /**
   * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?…`; what it leaves out comes from `environment`.
   *
   * @throws {ThroughlineError} `store_invalid`, without a word of the address.
   */
  address(url: string, environment: Readonly<Record<string, string | undefined>>): PostgresAddress;
  /** A statement of the core as PostgreSQL reads it: `$1` for `?`. */
  translate(sql: string): string;
  /** The script that begins the transaction of a batch, which waits for locks for so many milliseconds. */
  begin(wait: number): string;
  /**
   * Whether a database is marked as ours, by the rows of `look`.
   *
   * @throws {ThroughlineError} `storage_foreign`, `storage_unavailable`.
   */
  judge(look: readonly (readonly SqlValue[])[]): boolean;
  /**
   * The schema that a marked database has, by the rows of `mark`.
   *
   * @throws {ThroughlineError} `storage_foreign`, `schema_newer`.
   */
  found(mark: readonly (readonly SqlValue[])[]): number;
  /** The script that brings a database from the schema that it has (0: none) to the newest, and marks it. */
  upgrade(found: number): string;
  /**
   * What to do about an error: wait for `pause` milliseconds and do the whole work again on another connection,
   * or give up with `error`. `state` is the SQLSTATE of an error of the server; without one the connection is
   * lost, and `name` says how the system calls the reason. `spread` is any number from 0 to 255.
   */
  next(
    thrown: { state?: string | undefined; name?: string | undefined; message: string },
    attempt: {
      moment: "opening" | "connecting" | "reading" | "writing" | "committing";
      tries: number;
      /** How long the work has taken, and may take, in milliseconds. */
      waited: number;
      wait: number;
      /** Whether an earlier attempt was lost during its commit, and none since has found the batch's id free. */
      unsettled: boolean;
      spread: number;
    },
  ): { pause: number | undefined; unsettled: boolean; error: Error | undefined };
};
