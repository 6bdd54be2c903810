// Requests of providers with their tables, and the way back from their answers.
/// <reference lib="esnext.disposable" />
import type { PromptInput } from "./index.js";
import type { Diagnostic, Json, NeutralPrompt, PromptForm, ProviderFormat } from "./prompt.js";
import type { Instant, Issuer, Part, PartBody, Usage } from "./stored.js";

/** A provider's request, as `renderPrompt` gives it in JSON text. */
export interface RenderedPrompt {
  /** What is sent. For Gemini the model stands in the address, not here. */
  body: { [key: string]: Json };
  /** What could not be sent as it is, or not at all. */
  diagnostics: Diagnostic[];
  /** Calls whose ids differ from the stored ones, in order. */
  renamed: { row: string; call_id: string; sent: string }[];
  /** Tools whose names the provider refuses, each once: `readResponse` turns them back. */
  renamed_tools: RenamedTool[];
  /** Beta features that the request needs, for the header `anthropic-beta`. */
  betas: string[];
}

/** A tool whose name is sent otherwise than it is declared. */
export interface RenamedTool {
  name: string;
  sent: string;
}

/** A block of an answer, scrubbed. */
export interface ResponseBlock {
  body: PartBody;
  /** Whether it may be sent to a provider again. */
  replay: boolean;
  /** What its issuer alone can read. */
  provider_data?: NonNullable<Part["provider_data"]>;
}

/** A call to be run. It is not scrubbed: keep it in memory alone, and store the block. */
export interface ResponseCall {
  /** Index of its block, from 0. */
  block: number;
  /** The provider's id; empty when it gave none. */
  id: string;
  /** The tool, by the name that it was declared with. */
  name: string;
  /** A string when they are no JSON. */
  arguments: Json;
}

/**
 * A block of signed thinking that may not be stored, since its text holds a secret or it stands behind one that does.
 * Keep it in memory alone: `Conversation.hold`.
 */
export interface HeldThinking {
  /** Index of its block, from 0; there the block has neither text nor signature. */
  block: number;
  /** Its text as it came, not scrubbed; of OpenAI's reasoning the pieces of its summary. Empty where the block has it. */
  pieces: string[];
  /** What its issuer alone can read. */
  provider_data: NonNullable<Part["provider_data"]>;
}

/** A provider's answer, as `readResponse` gives it in JSON text. */
export interface ProviderResponse {
  /** The provider's id of the answer. */
  id: string | null;
  /** Who wrote it; the model is empty when the answer does not say. */
  issuer: Issuer;
  blocks: ResponseBlock[];
  calls: ResponseCall[];
  /** For memory alone. */
  held: HeldThinking[];
  /** Why it ended, in the provider's word. */
  stop_reason: string | null;
  /** Tokens as the provider counted them, the cached part apart from the rest of the input. */
  usage: Usage | null;
  /** Size of the prompt as it was sent, the cached part included: what a threshold is compared with. */
  context_tokens: number | null;
  diagnostics: Diagnostic[];
}

/** How an answer is read. */
export interface ReadResponseOptions {
  /** `renamed_tools` of the request. */
  renamedTools?: readonly RenamedTool[] | undefined;
}

/** How an answer becomes rows. */
export interface ResponseRowsOptions extends ReadResponseOptions {
  /** The prompt that was answered, neutral; what is named here is kept with the rows. */
  prompt: Pick<NeutralPrompt, "model" | "fingerprint" | "tail_hash" | "boundary">;
  /** The place of the first row; each further one is a nanosecond on. */
  at: Instant | number | Date;
  /** Ids for the rows: one for the answer, one for each call. More do no harm. */
  ids: readonly string[];
}

/** What the events of a stream came to, as `ResponseStream.merged` gives it in JSON text. */
export interface MergedResponse {
  /** The answer in the form that the provider gives without streaming; `null` when nothing came. */
  response: Json;
  /** Whether the answer came to its end. */
  is_complete: boolean;
  /** The error event that broke the stream off; `null` without one. */
  error: Json;
  diagnostics: Diagnostic[];
}

/** A request to a provider: the neutral prompt is `{ format: "neutral" }` of `assemblePrompt`. */
export type RenderForm = Omit<PromptForm, "format"> & { format: ProviderFormat };

/** A provider's request from rows that a host kept, with its tables: the JSON text of a `RenderedPrompt`. */
export function renderPrompt(input: PromptInput, options: RenderForm): string;

/** Reads a provider's answer, an object or its JSON text: the JSON text of a `ProviderResponse`. */
export function readResponse(format: ProviderFormat, response: unknown, options?: ReadResponseOptions): string;

/** Reads a provider's answer as the rows that it becomes: the JSON text of a `StoredRow[]`. */
export function responseRows(format: ProviderFormat, response: unknown, options: ResponseRowsOptions): string;

/** Puts the events of one streamed answer together. */
export class ResponseStream {
  constructor(format: ProviderFormat);
  /** Takes the next event: the JSON of a `data:` line, as text or as an object. */
  push(event: unknown): void;
  /** The answer from all events so far: the JSON text of a `MergedResponse`. */
  merged(): string;
  /** Gives its memory back; the garbage collector does it as well. */
  free(): void;
  [Symbol.dispose](): void;
}
