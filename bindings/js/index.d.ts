/// <reference lib="esnext.disposable" />
import type { HeldThinking } from "./answer.js";
import type { CompactOptions, CompactOutcome, JsonObject } from "./compaction.js";
import type { ContinuityConfig, ContinuityMethods } from "./continuity.js";
import type { RunningTurn, SessionContexts, Upload } from "./conversation.js";
import type { NeutralPrompt, PromptForm, PromptRequest } from "./prompt.js";
import type { RedactionOptions } from "./redaction.js";
import type { SqlDriver } from "./driver.js";
import type { SessionCursor, Storage } from "./storage.js";
import type { Boundary, CheckpointRow, Instant, SessionId, Status, StoredRow, StoredSessionId, Trigger } from "./stored.js";

export type * from "./compaction.js";
export { foldConversation, resolveOptions } from "./compaction.js";
export type * from "./continuity.js";
export { resolveContinuity } from "./continuity.js";
export type { PostgresAddress, SqlDriver, SqlStatement, SqlValue, SqliteSchema } from "./driver.js";
export { postgresRules, sqliteRules, sqliteSchema } from "./driver.js";
export * from "./conversation.js";
export { ResponseStream, readResponse, renderPrompt, responseRows } from "./answer.js";
export type * from "./answer.js";
export type * from "./prompt.js";
export type * from "./redaction.js";
export { Redactor } from "./redaction.js";
export type * from "./storage.js";
export type * from "./stored.js";

/**
 * Where `init` takes the wasm module from: a URL as text or object, a response, bytes, or a compiled
 * `WebAssembly.Module` (`object`, so that the types need no DOM library).
 */
export type WasmSource =
  | string
  | { readonly href: string }
  | { arrayBuffer(): Promise<ArrayBuffer> }
  | ArrayBuffer
  | Uint8Array
  | object;

/**
 * Loads the wasm module. Exists on every platform and may be called any number of times: where the
 * module is loaded already, as always on Node, it does nothing.
 *
 * @param source Where to take the module from; without it, `throughline.wasm` next to the entry.
 * @throws {ThroughlineError} `load_failed` when the module cannot be fetched or compiled; a later
 *   call tries again. `simd_unavailable` when the runtime is older than SIMD for WebAssembly.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void>;

/**
 * Every failure of the package.
 *
 * Before `init()` has finished, all functions but `init` throw it with code `not_initialized`.
 */
export class ThroughlineError extends Error {
  /**
   * @param message What was wrong, where, and what is accepted.
   * @param code Stable lower_snake_case name of the failure.
   * @param path Where in the input, such as `storage.commit`.
   * @param details Data that goes with the code; an `Error` becomes the `cause` too.
   */
  constructor(message: string, code: string, path?: string, details?: unknown);
  readonly name: "ThroughlineError";
  /** Stable lower_snake_case name of the failure; never changes its meaning. */
  readonly code: string;
  /** Where in the input, such as `storage.commit` or `rows[3].role`; undefined when it has no place. */
  readonly path: string | undefined;
  /** Data that goes with the code, such as the error that a storage threw. */
  readonly details: unknown;
}

/** The version of the package and of the core inside it, such as `0.1.0`. */
export function version(): string;

/** A rule of the scrubber. */
export interface Rule {
  /** Stable, in kebab case. */
  id: string;
  /** What the mark names. */
  kind: string;
  confidence: "possible" | "likely" | "certain";
  /** The set it belongs to; `pii` (personal data) is off unless it is asked for. */
  set: "secrets" | "pii";
  /** The literals that a text must hold for the rule to fire; empty when there is none. */
  keywords: string[];
  /** What it finds, in a line. */
  description: string;
  /** Texts in which it fires, each in parts, so that no file holds a whole token. */
  example_parts: string[][];
}

/** Scrubs a text with the standard redactor; the very same string when nothing is found. */
export function redact(text: string): string;

/** All rules of the scrubber. */
export function rules(): Rule[];

/** How an engine is set up. */
export interface EngineOptions {
  /** Where everything is kept; in memory when there is neither a storage nor a driver. */
  storage?: Storage | undefined;
  /** An SQL database in place of a storage: the statements are the core's. */
  driver?: SqlDriver | undefined;
  /**
   * Gives the time: milliseconds since 1970, text as in RFC 3339, or a `Date`. `Date.now` when absent. An
   * operation for which it gives none fails with `clock_invalid`, and writes nothing.
   */
  clock?: (() => number | string | Date) | undefined;
  /**
   * Gives 16 bytes that no other call on any host gives. `crypto.getRandomValues` when absent. An operation
   * for which it does not fails with `entropy_invalid`, and writes nothing.
   */
  entropy?: (() => Uint8Array) | undefined;
  /** How text is scrubbed before anything is stored. */
  redaction?: RedactionOptions | undefined;
  /** When checkpoints are taken, how many are kept, and how long a recovery text is; may be JSON text. */
  continuity?: ContinuityConfig | string | null | undefined;
  /**
   * Where checkpoints wait for others of their session, for a moment: in the store, so that a host that is
   * killed loses nothing (`journaled`, when absent), or in memory alone.
   */
  queue?: "journaled" | "buffered" | undefined;
  /** How old the work of another session of the project may be to be taken up, in milliseconds; 4 hours when absent. */
  recoveryWindowMs?: number | undefined;
}

/** What an operation did, once it is stored. */
export type Effect =
  | { effect: "row_stored"; session: StoredSessionId; row: string }
  | { effect: "checkpoint_written"; session: StoredSessionId; checkpoint: string }
  | { effect: "compacted"; session: StoredSessionId; boundary: string }
  /** It waits for its window to close; `checkpoint` is the id that it will have. */
  | { effect: "checkpoint_queued"; session: StoredSessionId; checkpoint: string; due_at: Instant };

/** Whether a checkpoint was written. */
export interface CheckpointTaken {
  /** The checkpoint; of one that is queued, the id that it will have; null when there is none. */
  id: string | null;
  /** The session's key. */
  session: string;
  trigger: Trigger;
  written: boolean;
  /** Why none was written, or not yet. */
  reason: "nothing_new" | "queued" | "disabled" | "cleared" | null;
}

/** A log: all of its text or bytes, or its chunks one after the other, such as a stream of Node. */
export type Log =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Iterable<string | ArrayBuffer | ArrayBufferView>
  | AsyncIterable<string | ArrayBuffer | ArrayBufferView>;

/** What is said of a log beside its bytes. */
export interface IngestOptions {
  /** The session's key where no record names one: the stem of the file's name. */
  key?: string | undefined;
  /** The session's harness; the log's format when absent. */
  harness?: string | undefined;
  /** The session's agent; none when absent. */
  agent?: string | undefined;
  /** The project's path; the log's first working directory when absent. */
  project?: string | undefined;
}

/** What a log held, and what came of it. */
export interface IngestReport {
  /** Its format, which is its harness as well. */
  format: string;
  /** The session's key; null for a log that has no session yet, of which nothing was stored. */
  session: string | null;
  /** JSON records; two on one line are two. */
  records: number;
  /** Records that are neither a message nor a part of one. */
  opaque: number;
  /** Messages: typed by a user, of the model's API, for people, for the model. */
  messages: { user: number; assistant: number; system: number; developer: number };
  tool_calls: number;
  tool_results: number;
  /** Thinking blocks. */
  thinking: number;
  compactions: number;
  /** Lines of which something could not be read, the first 1,000; `reason` never says what stood there. */
  skipped: { line: number; reason: string }[];
  /** How many such lines there are. */
  skipped_lines: number;
  /** Glued records told apart, characters replaced by U+FFFD. */
  repaired: number;
  /** Results that came after their round was closed: stored, never rendered. */
  late_results: number;
  /** Signed thinking blocks that held a secret: never stored. */
  thinking_withheld: number;
  /** How many secrets were replaced. */
  findings: number;
  /** The same by rule. */
  findings_by_rule: { rule: string; kind: string; count: number }[];
  /** Parts that were added. */
  added: number;
  /** Parts that were there already. */
  unchanged: number;
  /** The checkpoint that was written, when something was added. */
  checkpoint: string | null;
}

/** A session as it is listed. */
export interface SessionSummary {
  /** Its key. */
  session: string;
  harness: string;
  /** `""` where the harness has one agent. */
  agent: string;
  /** The project's path, scrubbed. */
  project: string | null;
  started_at: Instant;
  last_activity: Instant;
  /** What users typed and what models answered. */
  messages: number;
  checkpoints: number;
  status: Status;
}

/** A page of sessions, newest first. */
export interface SessionPage {
  sessions: SessionSummary[];
  /** Where the next page begins; null on the last one. */
  next: SessionCursor | null;
}

/** A checkpoint as it is listed. */
export interface CheckpointSummary {
  id: string;
  /** Its session's key. */
  session: string;
  trigger: Trigger;
  seq: number;
  created_at: Instant;
  /** Prompts since the checkpoint before it. */
  prompt_count: number;
  /** Length of its digest in characters. */
  digest_chars: number;
}

/** How many entries of a digest a recovery text has no room for. */
export interface LeftOut {
  prompts: number;
  queries: number;
  remembers: number;
}

/** A recovery text. */
export interface RecoveryText {
  /** Markdown; empty when the budget has no room for any. */
  text: string;
  /** Its length in characters, at most the budget. */
  chars: number;
  left_out: LeftOut;
}

/** What the next run must know. */
export interface RecoveryFound extends RecoveryText {
  found: true;
  /** The key of the session whose work it tells. */
  session: string;
  harness: string;
  /** `""` where the harness has one agent. */
  agent: string;
  /** The checkpoint that it was written from. */
  checkpoint: string;
}

/** There is nothing to recover: the text is empty. */
export interface NothingFound extends RecoveryText {
  found: false;
  session: null;
  harness: null;
  agent: null;
  checkpoint: null;
}

/** What the next run must know, if there is something to recover. */
export type Recovered = RecoveryFound | NothingFound;

/** What is to be recovered: a session, or the newest work of a project, or of the whole store. */
export interface RecoverOptions {
  session?: SessionId | undefined;
  /** The project's path. */
  project?: string | undefined;
  /** Only sessions of this harness. */
  harness?: string | undefined;
  /** Only sessions of this agent. When a project is asked for: the session's agent when absent, else none. */
  agent?: string | undefined;
  /** Length of the text in characters, up to 1,000,000; the engine's own budget when absent. */
  budget?: number | undefined;
}

/**
 * Keeps sessions over a storage.
 *
 * Any number of calls may run at once; writes are planned and committed one after the other, and several
 * engines on several hosts may share a storage. Arguments are read when a method is called. Every method
 * gives a promise, and whatever is wrong rejects it with a `ThroughlineError`: `argument_invalid`,
 * `identifier_invalid` or `secret_in_identifier` for an argument (with its `path`), a code of the storage
 * (with `path` `storage.commit`, `storage.read`, `driver.transaction` or `driver.query`, and what it threw as
 * `details`), `contended` when others
 * write the session all the time, `freed` after `free()`, and what the method says.
 */
export interface Engine extends ContinuityMethods {}
export class Engine {
  /** @throws {ThroughlineError} `host_invalid` with a path such as `storage.commit` or `driver.query`; `argument_invalid`. */
  constructor(options?: EngineOptions);
  /**
   * Stores what a user sent, scrubbed, and counts it. It is stored when the promise is fulfilled.
   *
   * Rejected with `empty_message` for a blank text.
   */
  submitPrompt(session: SessionId, text: string, options?: { project?: string | undefined }): Promise<Effect[]>;
  /**
   * Reads the log of a harness; reading it again after it grew adds what is new. A log up to 32 MiB is one
   * commit. Bytes that are given must not be changed until the promise is settled.
   *
   * Rejected with `log_empty`, `format_unknown`, `format_unsupported`, or `source_failed` when the source of
   * the chunks fails.
   */
  ingest(log: Log, options?: IngestOptions): Promise<IngestReport>;
  /** Sessions, newest first, at most `limit` (1 to 1000; 100 when absent), from a page's `next` on. */
  sessions(options?: { limit?: number | undefined; cursor?: SessionCursor | null | undefined }): Promise<SessionPage>;
  /**
   * The session that a bare key names.
   *
   * Rejected with `session_unknown`, or `session_ambiguous` when several harnesses or agents have the key.
   */
  findSession(
    key: string,
    options?: { harness?: string | undefined; agent?: string | undefined },
  ): Promise<StoredSessionId>;
  /** Checkpoints of one session, or of all, newest first, at most `limit` (1 to 1000; 100 when absent). */
  checkpoints(session?: SessionId | null, options?: { limit?: number | undefined }): Promise<CheckpointSummary[]>;
  /** One checkpoint. Rejected with `checkpoint_unknown`. */
  checkpoint(id: string): Promise<CheckpointRow>;
  /**
   * The prompt that goes on with a session, as JSON text with sorted keys: neutral, or the body of a
   * provider's request. Send the text as it is: numbers beyond 2^53 do not survive `JSON.parse`. `request`
   * may be JSON text as well.
   *
   * Rejected with `session_unknown`, or `request_invalid` with a path such as `request.tools[2].name`.
   */
  prompt(session: SessionId, options?: PromptForm & { request?: PromptRequest | string | undefined }): Promise<string>;
  /** The neutral prompt as an object, to look at. */
  promptObject(session: SessionId, options?: { request?: PromptRequest | string | undefined }): Promise<NeutralPrompt>;
  /**
   * Looks whether the conversation is to be compacted, and makes the compaction: a summary takes the place of what
   * stands before the newest turn. Boundary, audit entry and a stored request are one batch.
   *
   * Rejected with `option_invalid`, `session_unknown`, `counter_invalid`; a request of now also with
   * `nothing_to_compact`, `compaction_disabled`, `summarizer_missing` or `host_required`; a prompt that does not fit
   * and cannot be shortened with `prompt_exceeds_window`; `compaction_superseded` when another host was first.
   */
  compact(session: SessionId, options?: CompactOptions): Promise<CompactOutcome>;
  /** Stores that a compaction is wanted: the next `step` makes it. Rejected with `session_unknown`. */
  requestCompaction(session: SessionId): Promise<void>;
  /**
   * Stores the host's configuration `config.checkpoint`, the strongest layer of options, scrubbed; null takes it
   * away. Rejected with `option_invalid`, `session_unknown`.
   */
  setCompactionConfig(session: SessionId, config: JsonObject | string | null): Promise<void>;
  /**
   * What the next run must know, within a budget. Where something is new since a session's last checkpoint,
   * it is written as a periodic checkpoint first.
   */
  recover(options?: RecoverOptions): Promise<Recovered>;
  /**
   * Waits for the calls in flight, frees the engine, and calls `close()` of its storage or driver where it has
   * one. Calls after that are rejected with `freed`.
   */
  close(): Promise<void>;
  /** Frees its memory. Calls in flight complete; calls after that are rejected with `freed`. */
  free(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The digest of a checkpoint, from its other fields, in markdown. The row may come from anywhere, as an
 * object or as JSON text; it is scrubbed again, which leaves scrubbed text as it is.
 */
export function digest(checkpoint: CheckpointRow | string): string;

/** How a recovery text is written. */
export interface RecoveryTextOptions {
  /** The last activity of the checkpoint's session; the checkpoint's own time when absent. */
  lastActivity?: Instant | number | Date | undefined;
  /** Whether that session ended; false when absent. */
  ended?: boolean | undefined;
  /** Length of the text in characters, up to 1,000,000; 2,000 when absent. */
  budget?: number | undefined;
}

/** The recovery text of a checkpoint that a host kept; the row is taken as by `digest`. */
export function recoveryText(checkpoint: CheckpointRow | string, options?: RecoveryTextOptions): RecoveryText;

/** What a prompt is assembled from. Rows, boundary and request may be JSON text as well. */
export interface PromptInput {
  /** The live rows of the main conversation in order; from the anchor on when there is a boundary. */
  rows: readonly StoredRow[] | string;
  /** The compaction boundary in force. */
  boundary?: Boundary | string | null | undefined;
  /** What the agent brings. */
  request?: PromptRequest | string | null | undefined;
  /** What the session knows beside its rows. */
  contexts?: SessionContexts | null | undefined;
  /** The turn that is running. */
  turn?: RunningTurn | null | undefined;
  /** Steering that is about to be applied: its rows, and the last row without input metadata before the step's notes. */
  applying?: { rows: readonly string[]; after?: string | null | undefined } | null | undefined;
  /** What is known of uploads now, by their ids. */
  uploads?: { [id: string]: Upload } | null | undefined;
  /** Thinking that is in memory alone, by its assistant row: sent while the tool round of the row is the current one. */
  held?: { [row: string]: readonly HeldThinking[] } | string | null | undefined;
  /** Whether tools stand in the order given; by name otherwise. */
  toolsAsGiven?: boolean | undefined;
  /** How long what is marked stays in a provider's cache; five minutes when absent. */
  retention?: { tools?: "5m" | "1h" | undefined; system?: "5m" | "1h" | undefined; messages?: "5m" | "1h" | undefined } | undefined;
}

/** The prompt of rows that a host kept, as JSON text, like `Engine.prompt`. The rows are scrubbed again. */
export function assemblePrompt(input: PromptInput, options?: PromptForm): string;

/**
 * The text that stands for a session where a storage orders sessions: 26 characters, the same everywhere.
 * It breaks ties in the query `sessions`, and stands in its cursor.
 */
export function storageKey(session: SessionId): string;
