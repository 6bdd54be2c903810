// The contract of a storage: two methods. A reference in plain JavaScript stands in the repository,
// `tests/js/object-storage.mjs`.
import type {
  Boundary,
  CheckpointRow,
  Delivery,
  Instant,
  Part,
  Pending,
  Row,
  RowKind,
  SessionRow,
  StoredRow,
  StoredSessionId,
  Trigger,
} from "./stored.js";

/** One typed change. The operations of a batch are applied in order. */
export type Op =
  /** Writes the state of a session, new or not. */
  | { op: "put_session"; session: SessionRow }
  /** Adds a row; one with the same id in the session is a conflict. */
  | { op: "insert_row"; session: StoredSessionId; row: Row }
  /** Adds a part; one with the same index in the row, or no such row, is a conflict. */
  | { op: "insert_part"; session: StoredSessionId; part: Part }
  /** Takes a row out of the live conversation, or back into it; a missing row is a conflict. */
  | { op: "set_live"; session: StoredSessionId; row: string; live: boolean }
  /** Adds a compaction boundary; one with the same id or `seq` in the session is a conflict. */
  | { op: "insert_boundary"; session: StoredSessionId; boundary: Boundary }
  /** Adds a checkpoint; one with the same id, or the same `seq` in the session, is a conflict. */
  | { op: "insert_checkpoint"; checkpoint: CheckpointRow }
  /** Removes a checkpoint of the session with its delivery records; a missing one is a conflict. */
  | { op: "delete_checkpoint"; session: StoredSessionId; checkpoint: string }
  /**
   * Writes the pending draft of its session. Version 1 is a new one, and a conflict where one is; any other takes
   * the place of the version before it under the same id, and is a conflict where that is not.
   */
  | { op: "put_pending"; pending: Pending }
  /** Removes the pending draft; a conflict when it is not the one with this id at this version. */
  | { op: "delete_pending"; session: StoredSessionId; id: string; version: number }
  /**
   * Writes a delivery record, by versions as `put_pending`. The checkpoint must be there; the receiver need not.
   */
  | { op: "put_delivery"; delivery: Delivery }
  /** Removes a delivery record, if it is there. */
  | { op: "delete_delivery"; receiver: StoredSessionId; checkpoint: string }
  /**
   * Removes a session with everything under it, the delivery records of its checkpoints, and what it was
   * delivered itself. A missing one is a conflict.
   */
  | { op: "delete_session"; session: StoredSessionId };

/** What must hold for a batch to be committed; else it is a conflict, and nothing is written. */
export type Precondition =
  /** The session is at this version; 0 means that it does not exist. */
  | { if: "session_version"; session: StoredSessionId; is: number }
  /** The session's `cleared_at` is before this time, or not set; one that does not exist was never cleared. */
  | { if: "not_cleared"; session: StoredSessionId; at: Instant };

/** A change of durable state: committed whole or not at all. */
export interface Batch {
  /** A UUID, version 7: the same over retries of one plan. */
  id: string;
  /** All must hold. */
  preconditions: Precondition[];
  /** Applied in order. Inserts into a session that does not exist are a conflict. */
  ops: Op[];
}

/** The place of a row in its session. */
export interface RowPlace {
  created_at: Instant;
  /** Breaks ties, as UTF-8 bytes. */
  id: string;
}

/** Where a page of sessions goes on: strictly after this one, in the order newest first. */
export interface SessionCursor {
  last_activity: Instant;
  /** What `storageKey` gives for the session; breaks ties. */
  storage_key: string;
}

/** A question to a storage, and below it the answer. Something that does not exist is an empty answer, not an error. */
export type Query =
  /** Whether a batch was committed: `{batch: boolean}`. */
  | { read: "batch"; id: string }
  /** One session: `{session: SessionRow | null}`. */
  | { read: "session"; session: StoredSessionId }
  /**
   * Sessions by (`last_activity`, storage key), newest first, with this key, of this project, strictly
   * after this place: `{sessions: SessionRow[]}`.
   */
  | { read: "sessions"; key?: string; project_hash?: string; after?: SessionCursor; limit: number }
  /** Live rows without sidechains, with their parts, in order, from a place on, inclusive: `{rows: StoredRow[]}`. */
  | { read: "rows"; session: StoredSessionId; from?: RowPlace }
  /** The heads of all rows of a session, in order: `{row_index: RowSummary[]}`. */
  | { read: "row_index"; session: StoredSessionId }
  /** The boundary in force, that with the greatest `seq` whose anchor is live: `{boundary: Boundary | null}`. */
  | { read: "boundary"; session: StoredSessionId }
  /** One checkpoint: `{checkpoints: []}` with one or none. */
  | { read: "checkpoint"; id: string }
  /** Checkpoints of one session by `seq`, or of all by (`created_at`, `id`), newest first: `{checkpoints: CheckpointRow[]}`. */
  | { read: "checkpoints"; session?: StoredSessionId; limit: number }
  /** The heads of all checkpoints of a session, by `seq`, oldest first: `{checkpoint_heads: CheckpointHead[]}`. */
  | { read: "checkpoint_heads"; session: StoredSessionId }
  /** The pending draft of a session: `{pending: Pending | null}`. */
  | { read: "pending"; session: StoredSessionId }
  /** Drafts whose window closes by then, inclusive, by (`due_at`, storage key), the earliest first: `{due: DueDraft[]}`. */
  | { read: "due"; until: Instant; limit: number }
  /** What a session was told of a checkpoint: `{delivery: Delivery | null}`. */
  | { read: "delivery"; receiver: StoredSessionId; checkpoint: string }
  /**
   * What is older than this, in any order: checkpoints and drafts by `created_at`, sessions whose continuity
   * state holds anything by `last_activity`, deliveries by `offered_at`: `{expired: Expired[]}`. A state holds
   * something when it has prompts since the last checkpoint, or any prompt, query or remember.
   */
  | { read: "expired"; kind: "checkpoint" | "draft" | "state" | "delivery"; before: Instant; limit: number }
  /** How much a table holds: `{tally: Tally}`. Optional; for `doctor` alone. */
  | { read: "tally"; table: Table }
  /** Bodies after a place, in the order of keys: `{bodies: Body[]}`. Optional; for `doctor` alone. */
  | { read: "bodies"; table: Table; after?: BodyKey; limit: number };

/** A table, for who looks at all that is stored. */
export type Table =
  | "sessions"
  | "messages"
  | "parts"
  | "boundaries"
  | "checkpoints"
  | "pending_checkpoints"
  | "deliveries";

/** How much a table holds. */
export interface Tally {
  rows: number;
  /** UTF-8 bytes of their bodies. */
  bytes: number;
}

/** The place of a body in its table. */
export interface BodyKey {
  /** The storage key of the session (of a delivery, the receiver's); of a checkpoint, its id. */
  first: string;
  /** The id of a row, or of the checkpoint that was delivered; else empty. */
  second: string;
  /** The index of a part, the `seq` of a boundary; else 0. */
  third: number;
}

/** A body as it is stored; that of a delivery is empty. */
export interface Body {
  key: BodyKey;
  /** JSON text. */
  text: string;
}

/** What is known of a checkpoint without its text. */
export interface CheckpointHead {
  id: string;
  seq: number;
  trigger: Trigger;
  created_at: Instant;
}

/** When the window of a session's pending draft closes. */
export interface DueDraft {
  due_at: Instant;
  session: StoredSessionId;
}

/** Something that is older than it may be. */
export interface Expired {
  /** Whose it is; of a delivery, the receiver. */
  session: StoredSessionId;
  /** The checkpoint, or the one that was delivered. */
  checkpoint?: string;
}

/** What is known of a row without its text. */
export interface RowSummary {
  id: string;
  kind: RowKind;
  created_at: Instant;
  live: boolean;
  /** How many parts it has. */
  parts: number;
}

/** The answer to a query: an object with the one key that the query names. */
export type Answer =
  | { batch: boolean }
  | { session: SessionRow | null }
  | { sessions: SessionRow[] }
  | { rows: StoredRow[] }
  | { row_index: RowSummary[] }
  | { boundary: Boundary | null }
  | { checkpoints: CheckpointRow[] }
  | { checkpoint_heads: CheckpointHead[] }
  | { pending: Pending | null }
  | { due: DueDraft[] }
  | { delivery: Delivery | null }
  | { expired: Expired[] }
  | { tally: Tally }
  | { bodies: Body[] };

/** The answer to a commit. */
export interface Committed {
  /** The batch had been committed before; nothing was changed now. */
  repeated?: boolean;
}

/**
 * The codes that a storage may throw an error with, as its property `code`. Each but `outcome_unknown`
 * says that nothing was written; an error without one of them counts as `storage_unavailable`.
 */
export type StorageErrorCode =
  /** A precondition does not hold, or something stands there already. The engine plans again. */
  | "conflict"
  /** The storage cannot be reached now. */
  | "storage_unavailable"
  /** Another writer held it for too long. */
  | "storage_locked"
  /** No room is left. */
  | "storage_full"
  /** Whether the batch was committed is not known: the engine asks for its id. */
  | "outcome_unknown"
  /** What is stored does not read. */
  | "storage_corrupt"
  /** The place holds something else than a store. */
  | "storage_foreign"
  /** A newer version wrote the store; the error has `found` and `known`, the two schema versions. */
  | "schema_newer";

/**
 * Where everything is kept. Both methods may be asynchronous; they are called with `this`, one at a
 * time for writes of one engine, and several reads may run at once. An answer is a plain object, or its
 * JSON text. An answer of another shape fails the call with `storage_corrupt`.
 *
 * A method that awaits an engine which uses this very storage hangs: the engine's queue waits for it.
 */
export interface Storage {
  /**
   * Writes the batch whole or not at all. A batch whose id was committed within the last 7 days is
   * answered `{repeated: true}` without a change. A precondition that does not hold, or an insert that
   * finds something in its place, is an error with code `conflict`.
   */
  commit(batch: Batch): Committed | string | Promise<Committed | string>;
  /** Answers a query. It sees every batch whose commit was acknowledged before it began. */
  read(query: Query): Answer | string | Promise<Answer | string>;
}
