// Checkpoints over time: what is counted, queued, told once and removed.
import type { CheckpointTaken, Effect, Recovered, RecoverOptions } from "./index.js";
import type { Instant, SessionId, Structural, Trigger } from "./stored.js";

/**
 * When checkpoints are taken, how many are kept, and how long a recovery text is. Each name may be in
 * snake_case as well. A number outside its range is clamped, with a warning.
 */
export interface ContinuityConfig {
  /** Whether anything is counted, queued and written. True when absent. */
  enabled?: boolean | null | undefined;
  /** Prompts between periodic checkpoints, 1 to 1000. 10 when absent. */
  promptInterval?: number | null | undefined;
  /** Milliseconds between periodic checkpoints, 60,000 to 3,600,000. 900,000 when absent. */
  timeIntervalMs?: number | null | undefined;
  /** Checkpoints that are kept of a session, 1 to 500. 50 when absent. */
  maxCheckpointsPerSession?: number | null | undefined;
  /** Days that anything of this is kept, 1 to 90. 7 when absent. */
  retentionDays?: number | null | undefined;
  /** Length of a recovery text in characters, 200 to 10,000. 2,000 when absent. */
  recoveryBudgetChars?: number | null | undefined;
}

/** The options in force. */
export interface ContinuityOptions {
  enabled: boolean;
  promptInterval: number;
  timeIntervalMs: number;
  maxCheckpointsPerSession: number;
  retentionDays: number;
  recoveryBudgetChars: number;
}

/** A number that lay outside its range. */
export interface ContinuityWarning {
  /** The field, in camelCase. */
  field: keyof ContinuityOptions;
  /** What was given, as it was written. */
  given: string;
  /** What is used in its place: the nearest bound. */
  used: number;
}

/** Options, and what was odd about them. */
export interface ResolvedContinuity {
  options: ContinuityOptions;
  warnings: ContinuityWarning[];
}

/**
 * Reads a configuration of checkpoints, as an object or as JSON text; `null` and `undefined` are the defaults.
 *
 * @throws {ThroughlineError} `continuity_invalid` with a path such as `continuity.promptInterval`: another
 *   type, a fraction, a field that does not exist, both spellings of one with different values.
 */
export function resolveContinuity(config: ContinuityConfig | string | null | undefined): ResolvedContinuity;

/** What a checkpoint says beside the session's state; all texts are scrubbed. */
export interface CheckpointOptions {
  /** Session context, meant for `pre_compaction` and `session_end`. */
  context?: string | undefined;
  /** A note, meant for `agent` and `explicit`. */
  note?: string | undefined;
  /** What the host knows of the structure of the work. */
  structural?: Structural | undefined;
  /** When it was asked for; now when absent. */
  at?: Instant | number | Date | undefined;
}

/** Something that counts, of a session whose messages are kept elsewhere. */
export type Activity = { prompt: string } | { query: string } | { remember: string };

/** What is said of activities beside their texts. */
export interface RecordOptions {
  /** The project's path, where the session names none yet. */
  project?: string | undefined;
  /** When it happened; now when absent. */
  at?: Instant | number | Date | undefined;
}

/** What came of activities. */
export interface Recorded {
  /** False while checkpoints are turned off, and for what was cleared. */
  counted: boolean;
  effects: Effect[];
}

/** What a `tick` or a `flush` did. */
export interface Tick {
  /** The ids of checkpoints that were written. */
  written: string[];
  /** The ids of checkpoints that were queued: enough time had passed. */
  queued: string[];
  /** The first failure; what failed stays, and is tried again after a while. */
  failed: { code: string; message: string } | null;
}

/** What was removed of one session. */
export interface Removed {
  checkpoints: number;
  /** Drafts that waited. */
  drafts: number;
  /** Messages, notes and calls. */
  messages: number;
}

/** What was pruned. */
export interface Pruned {
  checkpoints: number;
  /** Drafts that waited. */
  drafts: number;
  /** Continuity states. */
  states: number;
  /** Delivery records. */
  deliveries: number;
}

/** The methods of `Engine` for checkpoints over time. */
export interface ContinuityMethods {
  /** The options in force, and what was odd about those that were given. */
  readonly continuity: ResolvedContinuity;
  /**
   * Counts activities, in one commit; nothing is stored but what a checkpoint keeps. When that makes a periodic
   * checkpoint due, it is queued by the same commit.
   */
  record(session: SessionId, activities: readonly Activity[], options?: RecordOptions): Promise<Recorded>;
  /**
   * Takes a checkpoint of a session as it stands. `explicit`, `pre_compaction` and `session_end` are written
   * when the promise is fulfilled; `periodic` and `agent` are queued, and only when something is new.
   *
   * Rejected with `session_unknown`.
   */
  takeCheckpoint(session: SessionId, trigger: Trigger, options?: CheckpointOptions): Promise<CheckpointTaken>;
  /**
   * When there is something to do next, in milliseconds since 1970; null when nothing is. To be asked after each
   * call that writes, to set one timer that calls `tick` (`createHost` of throughline-node does so).
   */
  nextDeadline(): Promise<number | null>;
  /** Does what is due: writes drafts whose window has closed, and queues checkpoints of idle sessions. */
  tick(): Promise<Tick>;
  /** Writes everything that waits, for a host that ends. */
  flush(): Promise<Tick>;
  /** Writes what waits of one session; gives the ids of what was written. */
  flushSession(session: SessionId): Promise<string[]>;
  /**
   * Recovers as `recover` does, for a session that is told of each checkpoint once. Nothing is found when it was
   * told already, or is being told. When the text has been written, call `delivered`; else it is offered again
   * after 5 seconds.
   */
  offer(receiver: SessionId, options?: RecoverOptions): Promise<Recovered>;
  /** The session has been told of the checkpoint, and never is again. */
  delivered(receiver: SessionId, checkpoint: string): Promise<void>;
  /**
   * Deletes checkpoints, draft and continuity state of a session. Nothing that happened until now is recovered
   * any more, whoever brings it later; its messages stay.
   *
   * Rejected with `session_unknown`.
   */
  clear(session: SessionId): Promise<Removed>;
  /** Deletes a session with everything that is stored of it. Rejected with `session_unknown`. */
  forget(session: SessionId): Promise<Removed>;
  /** Deletes what is older than the retention. */
  prune(): Promise<Pruned>;
}
