// Everything that is stored, with its stored names. Instants are RFC 3339 in UTC; ids are text.

/** An instant in UTC as RFC 3339, such as `2026-01-31T09:30:00.5Z`; the fraction has 0 to 9 digits. */
export type Instant = string;

/** Which session: the harness, the agent where it has several, and the harness's own key for it. */
export interface SessionId {
  /** Such as `claude-code`; 1–200 characters without control characters. */
  harness: string;
  /** Empty or absent where the harness has one agent. */
  agent?: string | null | undefined;
  /** Unique for harness and agent; 1–200 characters without control characters. */
  key: string;
}

/** A session as it is stored: all parts are there. */
export interface StoredSessionId {
  /** `""` where the harness has one agent. */
  agent: string;
  harness: string;
  key: string;
}

/** Where a session stands. */
export type Status = "idle" | "running" | "stopping" | "finishing" | "handing_over" | "failed" | "ended";

/** Why a checkpoint was taken, weakest first: `session_end` outranks the others. */
export type Trigger = "periodic" | "agent" | "explicit" | "pre_compaction" | "session_end";

/** How much a session holds. */
export interface Counts {
  /** Messages that a user typed. */
  user: number;
  /** API messages of models. */
  assistant: number;
  /** Notes for the model. */
  developer: number;
  /** Notes for people. */
  system: number;
  tool_calls: number;
  tool_results: number;
  /** Thinking blocks. */
  thinking: number;
  /** Checkpoints that are kept. */
  checkpoints: number;
}

/** A prompt as checkpoints keep it. */
export interface PromptEntry {
  /** Its number in the session, from 1. */
  ordinal: number;
  /** Scrubbed, on one line, at most 200 characters. */
  text: string;
}

/** What happened since the last checkpoint. */
export interface Continuity {
  /** Prompts since the last checkpoint. */
  prompts_since: number;
  /** Prompts in all. */
  total_prompts: number;
  /** Time of the last checkpoint. */
  last_checkpoint_at?: Instant;
  /** The newest 10 prompts, oldest first. */
  recent_prompts: PromptEntry[];
  /** The newest 20 memory queries since the last checkpoint, distinct. */
  memory_queries: string[];
  /** The newest 10 remembers since the last checkpoint, distinct. */
  remembers: string[];
}

/** The state of one session. */
export interface SessionRow {
  id: StoredSessionId;
  /** The lock: 1 after the first commit, one more with each batch that touches the session. */
  version: number;
  status: Status;
  /** The project's path, scrubbed. */
  project?: string;
  /** The normalised path, scrubbed. */
  project_normalized?: string;
  /** SHA-256 of the normalised path before scrubbing, in hex: look-ups by project use it. */
  project_hash?: string;
  /** Time of its first event. */
  started_at: Instant;
  /** Time of its last event. */
  last_activity: Instant;
  /** Place of its newest row. */
  last_created_at?: Instant;
  counts: Counts;
  /** `seq` of its newest checkpoint; never falls. */
  checkpoint_seq: number;
  /** `seq` of its newest compaction boundary; never falls. */
  boundary_seq: number;
  /** Nothing whose time is at or before this is counted, queued or recovered any more. */
  cleared_at?: Instant;
  /** Whether a draft of it waits in the store; absent is false. */
  pending?: boolean;
  /** What hooks keep of it; absent while none told of it. Where it is there, hooks count the session's prompts. */
  hooks?: HookState;
  continuity: Continuity;
  /** Compactions to come; absent when none was asked for or configured. */
  compaction?: {
    /** Whether one was asked for and not made yet; absent is false. */
    requested?: boolean;
    /** The host's configuration, canonical JSON. */
    config?: string;
  };
}

/** What the hooks of a harness keep of a session. */
export interface HookState {
  /** The newest events that were committed, by id: one that comes again changes nothing. */
  events?: string[];
  /** Whose work the session is still to be told of since its start. */
  owed?: "project" | "session";
}

/**
 * What a row is: typed by a user, an API message of a model, a note for the model, a note for people, a tool call
 * (public, private, or answered by another agent), an artifact.
 */
export type RowKind =
  | "user"
  | "assistant"
  | "developer"
  | "system"
  | "function"
  | "private_function"
  | "delegation"
  | "artifact";

/** What a row says of itself beside its text. */
export interface RowMetadata {
  /** For a system row: whether it reaches the model, in its place; absent is false. */
  preserve_position?: boolean;
  /** What the row was written for, such as `turn_context` or `lifecycle_note`. */
  system_action?: string;
  /** For a lifecycle note: the phase, such as `before_step`. */
  lifecycle_phase?: string;
  /** For a recall note: the memories that it tells of. */
  memory_ids?: string[];
  /** For a user row that came during a turn: whether it waits, or stands behind its anchor. */
  input?: { state: "pending" } | { state: "applied"; after_message_id?: string };
  /** For a call: whether its result was withdrawn, or why; absent is false. */
  stale?: boolean | string;
  /** For an assistant row: whether the answer was cut off by Stop; absent is false. */
  stopped?: boolean;
}

/** Who wrote an assistant message. */
export interface Issuer {
  /** Such as `anthropic`. */
  provider: string;
  /** As the provider names it. */
  model: string;
}

/** The head of a row. Rows order by (`created_at`, `id` as UTF-8 bytes); ids are unique within a session only. */
export interface Row {
  id: string;
  kind: RowKind;
  /** Its place, later than that of every row before it. */
  created_at: Instant;
  /** The time that stood in an imported log. */
  source_at?: Instant;
  /** Whether it was read from a harness's log; absent is false. */
  imported?: boolean;
  /** Whether it belongs to the live conversation (not rewound, superseded or retracted). */
  live: boolean;
  /** Whether it belongs to a sub-agent's conversation; absent is false. */
  sidechain?: boolean;
  /** For a call: the assistant row that asked for it, and the call's place among that message's blocks. */
  round?: { row: string; index: number };
  /** For an assistant row: who wrote it. */
  issuer?: Issuer;
  /** For an assistant row: the compaction boundary in force when it was written; `""` is none yet. */
  generation_checkpoint_id?: string;
  /** For an assistant row: the fingerprint of the request that it answered. */
  prefix_fingerprint?: string;
  /** For an assistant row: the chain hash of the last message of the request that it answered. */
  prefix_hash?: string;
  /** What it says of itself beside its text. */
  metadata?: RowMetadata;
  /** Version of the rule set that its text was scrubbed under. */
  rules: number;
}

/** Where the bytes of an image or document are. */
export interface MediaSource {
  kind: "base64" | "url" | "file";
  /** The base64 text, the URL, or the provider's file id. */
  value: string;
}

/** Text. */
export interface TextBody {
  type: "text";
  /** Scrubbed. */
  text: string;
}

/** An image or a document. */
export interface MediaBody {
  type: "image" | "document";
  media_type: string;
  source: MediaSource;
  name?: string;
}

/** Thinking; signed text is stored to the byte or not at all. */
export interface ThinkingBody {
  type: "thinking";
  /** Empty is normal beside a signature. */
  text: string;
  /** Whether the provider gave encrypted content instead of text; absent is false. */
  redacted?: boolean;
}

/** The request of a call. */
export interface ToolCallBody {
  type: "tool_call";
  /** The provider's id of the call. */
  call_id: string;
  name: string;
  /** JSON text in canonical form, or text that is not JSON. */
  arguments: { json: string } | { text: string };
}

/** The result of a call; a call without one is pending. */
export interface ToolResultBody {
  type: "tool_result";
  /** The provider's id of the call. */
  call_id: string;
  /** With `unknown`, the call and its result are left out of prompts. */
  status: "success" | "error" | "cancelled" | "unknown";
  /** Texts, images, documents and JSON values, in order. */
  content: PartBody[];
}

/** A file that was uploaded, known by its id; the model is told of it by a note. */
export interface FileBody {
  type: "file";
  /** The id of the upload. */
  id: string;
  name?: string;
  media_type?: string;
  /** In bytes. */
  size?: number;
}

/** A result that is a JSON value: a text renders as itself, `null` as `nil`, the rest as canonical JSON. */
export interface ValueBody {
  type: "value";
  /** Canonical JSON text. */
  json: string;
}

/** The content of a part. */
export type PartBody = TextBody | MediaBody | FileBody | ValueBody | ThinkingBody | ToolCallBody | ToolResultBody;

/** Tokens of one API message, as the provider counted them. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  /** Input tokens written to the cache. */
  cache_creation_input_tokens: number;
  /** Input tokens read from the cache. */
  cache_read_input_tokens: number;
}

/** One part of a row: inserted, never rewritten. */
export interface Part {
  /** The id of its row. */
  row: string;
  /** Its place in the row, from 0. In a call's row 0 is the call and 1 its result. */
  index: number;
  body: PartBody;
  /** Whether it may be sent to a provider again; absent is true. */
  replay?: boolean;
  /** What the issuer alone can read. */
  provider_data?: {
    /** The signature of a thinking block. */
    signature?: string;
    /** Redacted or encrypted content. */
    data?: string;
    /** The provider's id of the item. */
    item_id?: string;
  };
  /** What the record of a log said beside the part itself. */
  source?: {
    /** The record's own id. */
    id?: string;
    /** The record's own time. */
    at?: Instant;
    usage?: Usage;
    stop_reason?: string;
  };
}

/** A row with its parts, by index. */
export interface StoredRow {
  row: Row;
  parts: Part[];
}

/** Where a compaction cut the conversation, and the summary that stands for what came before. */
export interface Boundary {
  /** The boundary's own id. */
  checkpoint_id: string;
  /** Strictly increasing in a session from 1. */
  seq: number;
  /** The id of the row at the cut. */
  anchor: string;
  /** The anchor's place. */
  anchor_at: Instant;
  /** Where rows are read from, when input that may still replay came before the anchor; else the anchor's place. */
  rows_from?: { created_at: Instant; id: string };
  /** Whether the anchor itself replays. */
  mode: "inclusive" | "exclusive";
  /** What came before, in short. */
  summary: string;
  created_at: Instant;
  /** What is known of a compaction of our own; imported boundaries have none. */
  metadata?: BoundaryMetadata;
}

/** What is known of a compaction. */
export interface BoundaryMetadata {
  checkpoint_reason: "token_threshold_exceeded" | "compaction_requested";
  /** The size of the prompt that asked for it, in tokens. */
  trigger_tokens: number;
  /** Whether that is an estimate; absent is false. */
  trigger_tokens_estimated?: boolean;
  /** The size of the prompt before and after it, counted alike. */
  tokens_before: number;
  tokens_after: number;
  /** The size of the summary, in tokens. */
  checkpoint_tokens: number;
  checkpoint_source: "binding" | "function";
  /** The id of the binding or function. */
  checkpoint_source_id: string;
  /** Bindings that failed before another gave the summary; absent in a healthy compaction. */
  checkpoint_binding_errors?: { binding_id: string; trait_id?: string; error: string; strict: boolean }[];
  /** The user's request that is shown again, when its turn was cut: at most 6,000 bytes. */
  originating_request?: { row: string; text: string };
}

/** What a host knows of the structure of the work. */
export interface Structural {
  focal_entities?: string[];
  active_aspects?: string[];
  active_constraints?: string[];
  /** How many memories a traversal reached. */
  traversal_memories?: number;
}

/** A stored snapshot of where a conversation stands, for recovery. */
export interface CheckpointRow {
  /** A UUID, version 7. */
  id: string;
  session: StoredSessionId;
  /** The project's path, scrubbed. */
  project?: string;
  /** The normalised path, scrubbed. */
  project_normalized?: string;
  trigger: Trigger;
  /** The readable digest, in markdown. */
  digest: string;
  /** Prompts since the checkpoint before it. */
  prompt_count: number;
  /** Prompts of the session in all. */
  total_prompts: number;
  /** Memory queries since the checkpoint before it, distinct, the newest 20. */
  memory_queries: string[];
  /** What was remembered since the checkpoint before it, distinct, the newest 10. */
  recent_remembers: string[];
  /** The newest 10 prompts, oldest first. */
  recent_prompts: PromptEntry[];
  /** Session context, for `pre_compaction` and `session_end`. */
  context?: string;
  /** A note, for `agent` and `explicit`. */
  note?: string;
  structural?: Structural;
  /** The session's start. */
  started_at: Instant;
  /** Time of the last event in it. */
  created_at: Instant;
  /** Strictly increasing in a session from 1; decides order. */
  seq: number;
}

/** A session context or a note, with the rank of the draft that it came with: 1 (periodic) to 5 (session_end). */
export interface Ranked {
  rank: number;
  text: string;
}

/** A checkpoint before it is written: without id, `seq` and digest. */
export interface Draft extends Omit<CheckpointRow, "id" | "seq" | "digest" | "context" | "note"> {
  context?: Ranked;
  note?: Ranked;
}

/** A draft that waits in the store for its window to close; at most one of a session. */
export interface Pending {
  /** The id that its checkpoint will have. */
  id: string;
  /** 1 at first, one more at each draft that is merged into it. */
  version: number;
  /** When the window opened. */
  opened_at: Instant;
  /** When the window closes. */
  due_at: Instant;
  draft: Draft;
}

/** Whether a session was told of a checkpoint. */
export interface Delivery {
  /** The session that is told. */
  receiver: StoredSessionId;
  /** What it is told of. */
  checkpoint: string;
  /** 1 at the first offer, one more at each change. */
  version: number;
  /** The last offer. */
  offered_at: Instant;
  /** When the answer had been written. */
  delivered_at?: Instant;
}
