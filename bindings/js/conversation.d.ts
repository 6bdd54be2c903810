// A conversation that is kept assembled, and explanations of two prompts.
import type { HeldThinking } from "./answer.js";
import type { PromptInput } from "./index.js";
import type { Diagnostic, NeutralPrompt, PromptForm, PromptRequest } from "./prompt.js";
import type { Boundary, StoredRow } from "./stored.js";

/** The only ways in which a prompt may part from the promised part of an earlier one. */
export type NamedEdit =
  | "result withdrawn"
  | "upload renamed or gone"
  | "attachment expired"
  | "developer or system message injected during a request"
  | "steering returned to pending by Stop"
  | "memory or contexts changed"
  | "restored request gone at the next turn"
  | "discarded output's notes gone"
  | "compaction boundary moved"
  | "tools, model or settings changed"
  | "stale thinking dropped"
  | "history rewound"
  | "pending call settled by recovery"
  | "row inserted by an import before the end"
  | "row scrubbed again by a newer rule set"
  | "compatibility";

/** What a session knows beside its rows; each is a system text of its own, behind the agent's. */
export interface SessionContexts {
  /** Session contexts; they stand by name. */
  named?: { [name: string]: string } | undefined;
  /** Memory, behind them. */
  memory?: string | null | undefined;
}

/** The turn that is running: restored where a boundary cut off the row that opened it. */
export interface RunningTurn {
  /** The user row that opened it. */
  opening: StoredRow;
  /** Its turn context note, a system row. */
  note?: StoredRow | null | undefined;
}

/** What is known of an uploaded file. */
export interface Upload {
  name?: string | null | undefined;
  media_type?: string | null | undefined;
  /** In bytes. */
  size?: number | null | undefined;
}

/** What an edit of a conversation came to. */
export interface PromptChange {
  /** How many messages, from the first, are as they were. */
  kept: number;
  /** The named edit, when something before the `stable_len` of before has changed. */
  edit: NamedEdit | null;
}

/** How a conversation stands, without its messages. */
export interface ConversationState {
  /** SHA-256 over model, tools and system. */
  fingerprint: string;
  /** A key for providers with automatic caching: equal as long as the fingerprint is. */
  cache_key: string;
  /** How many messages there are. */
  messages: number;
  /** How many of them are promised to stay. */
  stable_len: number;
  /** The chain hash up to there. */
  stable_hash: string;
  /** The chain hash of the whole. */
  tail_hash: string;
  /** Whether models that demand thinking are asked without it for the rest of the turn. */
  thinking_off: boolean;
  diagnostics: Diagnostic[];
}

/**
 * A conversation that is kept assembled in wasm: rows go in one by one, and the prompt is there at once. A row at
 * the end costs what it and the open tail cost, however long the conversation is; an edit in the middle renders
 * from there on. What it gives always equals `assemblePrompt` of the same rows. Give it back with `free()` or
 * `using`, or leave it to the garbage collector.
 */
export class Conversation {
  /** @throws {ThroughlineError} `argument_invalid` with a path such as `rows[3]`, `json_invalid`, `request_invalid`. */
  constructor(input: PromptInput);
  /** Takes in a row: a new one, or one that is stored otherwise than before. A row may be JSON text. */
  put(row: StoredRow | string): PromptChange;
  /** Takes in rows that are stored in one batch, as one change. */
  putAll(rows: readonly StoredRow[] | string): PromptChange;
  /**
   * Keeps `held` of an answer by its assistant row, which was put in before: thinking that may not be stored is sent as
   * it came until its tool round ends, and is then forgotten. It stands in no neutral JSON, but in a provider's request.
   * @throws {ThroughlineError} `row_unknown`, `argument_invalid` (which repeats nothing of what was given).
   */
  hold(row: string, held: readonly HeldThinking[] | string): PromptChange;
  /** Withdraws the result of a call. @throws {ThroughlineError} `row_unknown`. */
  withdraw(row: string, why?: string | null): PromptChange;
  /** Applies pending steering behind its anchor: all rows or none. @throws {ThroughlineError} `row_unknown`, `input_state`. */
  applySteering(rows: readonly string[], after?: string | null): PromptChange;
  /** Returns steering to pending, where its anchor matches: all rows or none. @throws {ThroughlineError} `row_unknown`, `input_state`. */
  returnSteering(rows: readonly string[], after?: string | null): PromptChange;
  /** Takes rows away: another branch is live, or the output of a step was discarded. @throws {ThroughlineError} `row_unknown`. */
  remove(rows: readonly string[], why: "rewound" | "discarded"): PromptChange;
  /** Sets the compaction boundary in force, or takes it back. */
  setBoundary(boundary: Boundary | string | null): PromptChange;
  /** Sets what the agent brings. */
  setRequest(request: PromptRequest | string | null): PromptChange;
  setContexts(contexts: SessionContexts | null): PromptChange;
  setTurn(turn: RunningTurn | null): PromptChange;
  /** Sets what is known of uploads, by their ids. */
  setUploads(uploads: { [id: string]: Upload } | null): PromptChange;
  /** Lets go of rows that cannot render any more; how many they were. */
  release(): number;
  /** The prompt as JSON text, as `assemblePrompt` gives it. */
  prompt(options?: PromptForm): string;
  /** The same as UTF-8, to be sent as it is. */
  promptBytes(options?: PromptForm): Uint8Array;
  /** The neutral messages from an index on (0 when absent), as the text of a JSON array of `NeutralMessage`. */
  messages(from?: number): string;
  /** Hashes and numbers, without the messages. */
  state(): ConversationState;
  /** How many rows are held, those that do not render included. */
  readonly rows: number;
  /** Frees its memory; calls after that throw `freed`, and another `free()` does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

/** How two prompts are compared. */
export interface ExplainOptions {
  /** In whose order the prompts are read; `anthropic` when absent. */
  provider?: "anthropic" | "openai-responses" | "openai-chat" | "gemini" | undefined;
  /** Prices of a million input tokens. */
  prices?: { cached: number; uncached: number } | null | undefined;
}

/** Where two prompts part. */
export interface Explanation {
  /** Whether they are the same to the byte. */
  equal: boolean;
  /** The first difference in the provider's order; `null` when they are equal, or one only goes on. */
  first_difference: {
    section: "model" | "tools" | "system" | "settings" | "messages";
    /** The tool, system text or message, from 0. */
    index: number;
    /** The first byte of its canonical JSON that differs. */
    byte: number;
  } | null;
  /** Why they differ: a named edit, the open tail, or nothing that is known. */
  cause: NamedEdit | "open tail" | "unexplained" | null;
  /** The longer one, when it only goes on from the other. */
  longer: "next" | "previous" | null;
  /** Tokens before the difference, read from the cache; an estimate of four bytes each. */
  kept_tokens: number;
  /** Tokens from the difference on, read anew. */
  recomputed_tokens: number;
  /** At the given prices. */
  cost: number | null;
}

/**
 * Says where two neutral prompts part, which named edit did it and what it costs. Both may be JSON text, in which
 * numbers stay as they are written.
 * @throws {ThroughlineError} `prompt_invalid` with a path such as `next.messages[2].role`, `argument_invalid`.
 */
export function explain(previous: NeutralPrompt | string, next: NeutralPrompt | string, options?: ExplainOptions): Explanation;
