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
   */
  transaction(
    already: SqlStatement,
    statements: SqlStatement[],
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
