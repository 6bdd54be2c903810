// Compaction: layers of options, who summarises, what comes of it.
import type { PromptInput } from "./index.js";
import type { Json } from "./prompt.js";
import type { StoredRow } from "./stored.js";

/** An object of options. */
export interface JsonObject {
  [key: string]: Json;
}

/** Session-wide defaults, the weakest layer of options. */
export interface CompactionDefaults {
  /** Tokens of a prompt above which the conversation is compacted; 50,000 when absent, none when null. */
  token_checkpoint_threshold?: number | string | null | undefined;
  /** The function that writes summaries; `throughline:fold` needs no model. */
  checkpoint_function_id?: string | null | undefined;
}

/** What an agent says of compaction: behaviours of its traits in their order, then its own values. */
export interface CompactionAgent {
  agent_options?: { checkpoint?: JsonObject | null | undefined } | null | undefined;
  /** `checkpoint: false` removes the handler of a trait. */
  traits?: readonly { id: string; checkpoint?: JsonObject | false | null | undefined }[] | null | undefined;
}

/** The layers of options, weakest first. Each may be JSON text as well. */
export interface OptionLayers {
  session?: CompactionDefaults | string | null | undefined;
  agent?: CompactionAgent | string | null | undefined;
  /** The host's configuration. */
  config?: { checkpoint?: JsonObject | null | undefined } | string | null | undefined;
}

/** What the layers come to. */
export interface ResolvedOptions {
  options: JsonObject;
  /** For the path of each leaf: `session_default`, `trait:ID`, `agent` or `persisted`. */
  origins: { [path: string]: string };
  /** What was given and counts for nothing. */
  warnings: string[];
}

/**
 * Merges layers of options: objects merge, everything else replaces, null sets nothing.
 *
 * @throws {ThroughlineError} `option_invalid`, with the path of a threshold that is no number or of a layer that
 *   is no object; `argument_invalid`, `json_invalid`.
 */
export function resolveOptions(layers?: OptionLayers): ResolvedOptions;

/** Rows to fold, and the summary that stands before them. */
export interface FoldInput {
  rows: readonly StoredRow[] | string;
  previous?: string | null | undefined;
}

/** How much a fold may take, in estimated tokens. */
export interface FoldOptions {
  /** Of one fold beside what users wrote; 3,000 when absent. */
  maxTokens?: number | undefined;
  /** Of the whole, above which earlier folds lose their lists, the oldest first; without it they stay. */
  keepBelow?: number | undefined;
}

/**
 * A summary without a model: what users wrote stands word for word, the work becomes short lists, an earlier fold
 * stays as it is. The rows are scrubbed again.
 *
 * @throws {ThroughlineError} `argument_invalid` with a path such as `rows[3]`.
 */
export function foldConversation(input: FoldInput, options?: FoldOptions): string;

/** The tokens that a model takes. */
export interface ModelWindow {
  /** Input and output together. */
  tokens: number;
  /** At most so many of them in one answer. */
  maxOutput: number;
}

/** What a trait offers to write summaries. */
export interface SummaryBinding {
  id: string;
  traitId?: string | null | undefined;
  /** `checkpoint` when absent; one of another contract counts as failed. */
  contract?: string | null | undefined;
  /** Lower ones come first; 100 when absent. */
  priority?: number | null | undefined;
  /** Its own options; the effective ones stand over them. `strict: true`: when it fails, nothing else is tried. */
  options?: JsonObject | null | undefined;
}

/** A summarizer that is to be called. */
export interface SummarizeCall {
  source: "binding" | "function";
  /** Of the binding or function. */
  id: string;
  traitId: string | null;
  /** Whether a failure ends the whole. */
  strict: boolean;
  /** The effective options. */
  options: JsonObject;
  /** Such as `class:fast`. */
  model: string;
  temperature: number;
  /** At most so many tokens of summary. */
  maxTokens: number;
  /** All that the summarizer reads, its instruction included. */
  input: string;
  inputTokens: number;
}

/** A summary; `truncated` says that the model was stopped at its limit, which makes it a failure. */
export type SummaryAnswer = string | { text: string; truncated?: boolean | undefined };

/** How a conversation is compacted, and what its prompts are made from beside what is stored. */
export interface CompactOptions extends Omit<PromptInput, "rows" | "boundary"> {
  /**
   * `requested` (when absent): now, whatever the threshold. `step`: after a response, if its prompt was larger than
   * the threshold or a compaction is asked for in the store. `outgoing`: before a prompt is sent, if it does not fit
   * `window`.
   */
  cause?: "requested" | "step" | "outgoing" | undefined;
  /**
   * For a step: what the provider reported, the cached part included. Absent: no usage at all, and nothing is due by
   * size. Without `contextTokens` an estimate decides, with a diagnostic.
   */
  reported?: { contextTokens?: number | null | undefined } | undefined;
  /** The layers that the caller knows; the host's configuration is read from the store alone. */
  layers?: Pick<OptionLayers, "session" | "agent"> | undefined;
  bindings?: readonly SummaryBinding[] | undefined;
  /** Calls a model; what it throws is its failure. Without it the fold writes summaries. */
  summarize?: ((call: SummarizeCall) => SummaryAnswer | Promise<SummaryAnswer>) | undefined;
  /** Whether the fold stands in when `summarize` failed. */
  fallback?: boolean | undefined;
  /** The window of the agent's model. */
  window?: ModelWindow | undefined;
  /** The windows of summarizers by model, under `""` that of all others. */
  summarizerWindows?: { [model: string]: ModelWindow } | undefined;
  /** Counts tokens as the agent's model does; a built-in estimate when absent. */
  countTokens?: ((texts: string[]) => number[]) | undefined;
  /** Whether only to say what it would come to. */
  dryRun?: boolean | undefined;
}

/** Something to be told, such as `context_tokens_missing`. */
export interface CompactionDiagnostic {
  code: string;
  message: string;
}

/** What a compaction came to (`compacted`), or would come to (`planned`, with `dryRun`). */
export interface CompactionReport {
  outcome: "compacted" | "planned";
  applied: boolean;
  /** Size of the prompt before, in tokens. */
  before_tokens: number;
  after_tokens: number;
  /** Whether the sizes are estimates. */
  estimated: boolean;
  /** The row at the cut. */
  anchor: string;
  /** `inclusive`: the anchor replays. */
  mode: "inclusive" | "exclusive";
  /** The boundary in force now; null when nothing was written. */
  checkpoint_id: string | null;
  summary_chars: number;
  summary_tokens: number;
  source: "binding" | "function";
  source_id: string;
  /** How many rows the summary takes the place of, and how many replay as they are. */
  replaced_rows: number;
  kept_rows: number;
  /** Of the replaced rows, those of users with text, and how many of these stand in the summary word for word. */
  replaced_user_texts: number;
  kept_user_texts: number;
  /** The row of the request that is shown again, when its turn was cut. */
  restored_request?: string;
  diagnostics: CompactionDiagnostic[];
}

/** How a call of `compact` ended. */
export type CompactOutcome =
  | CompactionReport
  /** None is due. `tokens` is the size that was looked at. */
  | { outcome: "not_due"; tokens: number | null; estimated: boolean; diagnostics: CompactionDiagnostic[] }
  /** It failed, and the prompt fits as it is: send it whole. */
  | { outcome: "send_whole"; error: { code: string; message: string }; diagnostics: CompactionDiagnostic[] };
