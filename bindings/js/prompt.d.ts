// The neutral prompt, and what an agent brings to it.
import type { Issuer, MediaSource } from "./stored.js";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A tool that the model may call. */
export interface PromptTool {
  name: string;
  /** What it does; may be absent. */
  description?: string | null | undefined;
  /** The JSON Schema of its arguments. */
  input_schema: { [key: string]: Json };
}

/** Settings of a request; what is absent is left to the provider. */
export interface PromptSettings {
  /** `"auto"`, `"any"`, `"none"`, the name of a tool, or the provider's own object. */
  tool_choice?: Json | undefined;
  /** How much the model is to think, such as `"high"`. */
  effort?: Json | undefined;
  /** The form of the answer, such as `{"type": "json_schema", "schema": {…}}`. */
  response_format?: Json | undefined;
  /** At most this many tokens in the answer. */
  max_output_tokens?: number | null | undefined;
}

/** What an agent brings to a prompt beside the conversation. All of it may be absent. */
export interface PromptRequest {
  /** As its provider names it. */
  model?: string | null | undefined;
  /** System texts in order. */
  system?: readonly string[] | null | undefined;
  /** In any order; they are sent by name. */
  tools?: readonly PromptTool[] | null | undefined;
  settings?: PromptSettings | null | undefined;
}

/** A provider's interface: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini generateContent. */
export type ProviderFormat = "anthropic" | "openai-responses" | "openai-chat" | "gemini";

/** The form of a prompt: neutral JSON, or the body of a request to a provider. */
export type PromptFormat = "neutral" | ProviderFormat;

/** In which form a prompt is wanted. */
export interface PromptForm {
  /** `neutral` when absent. */
  format?: PromptFormat | undefined;
  /** For a provider's format: whether cache markers, or a cache key, are sent; true when absent. */
  cacheMarkers?: boolean | undefined;
  /** For Anthropic: tokens of the answer where the settings name no limit; 8192 when absent. */
  defaultMaxTokens?: number | undefined;
  /** For OpenAI: the cache key; the prompt's fingerprint when absent. */
  cacheKey?: string | undefined;
  /**
   * For Anthropic models that take system messages among the others: rows of notes that were committed together
   * with the output of their step. A row must stay in the list for as long as it is in the prompt.
   */
  inlineSystem?: readonly string[] | undefined;
  /** For Anthropic: drops thinking that does not fit its place, in place of refusing the request; needs a beta. */
  dropStaleThinking?: boolean | undefined;
}

/** What only the issuer of a part can read: sent to that issuer untouched, or not at all. */
export interface IssuedData {
  issuer?: Issuer;
  /** The signature of a thinking block. */
  signature?: string;
  /** Redacted or encrypted content. */
  data?: string;
  /** The provider's id of the item. */
  item_id?: string;
}

/** A part of a message. */
export type NeutralPart = (
  | { type: "text"; text: string }
  | { type: "image" | "document"; media_type: string; source: MediaSource; name?: string }
  | { type: "thinking"; text: string; redacted?: true }
  /** `arguments` is the decoded value, or a string when they are no JSON. */
  | { type: "tool_call"; id: string; name: string; arguments: Json }
  | { type: "tool_result"; id: string; text: string; is_error?: true }
  | { type: "tool_result"; id: string; parts: NeutralPart[]; is_error?: true }
) & { provider_data?: IssuedData };

/** A message of the neutral prompt. */
export interface NeutralMessage {
  /** `system` stands in its place among the messages. */
  role: "user" | "assistant" | "tool" | "developer" | "system";
  /** At least one. */
  parts: NeutralPart[];
  /** For a result: the tool. */
  name?: string;
  /** The row it comes from; for a result the call's. */
  row: string;
  /** The chain hash up to this message: SHA-256 in hex. */
  hash: string;
}

/** A place up to which a provider is asked to cache. */
export interface CacheMarker {
  at: "tools" | "system" | "message";
  /** Of the tool, system text or message, from 0. */
  index: number;
  /** In a message: the part, from 0. */
  part?: number;
  ttl: "5m" | "1h";
}

/** Something that was repaired, left out or not certain. */
export interface Diagnostic {
  /** Such as `late_result`; never changes its meaning. */
  code: string;
  /** The named edit that it may show as in a later request. */
  edit?: string;
  row?: string;
  /** Of the part, tool or message, from 0. */
  index?: number;
  /** What happened, for people. */
  message: string;
}

/** The prompt that every provider's request is made from. Each extends the one before it. */
export interface NeutralPrompt {
  /** SHA-256 over model, tools and system: equal as long as a provider's cache holds. */
  fingerprint: string;
  /** A hash of each. */
  sections: { model: string; system: string; tools: string; settings: string };
  model: string | null;
  /** The request's texts, then the summary of a compaction. */
  system: string[];
  /** By name. */
  tools: { name: string; description: string; input_schema: { [key: string]: Json } }[];
  settings: { [name: string]: Json };
  /** How many messages are promised to stay as they are when the conversation goes on. */
  stable_len: number;
  /** The chain hash up to there. */
  stable_hash: string;
  /** The chain hash of the whole prompt. */
  tail_hash: string;
  /** The compaction boundary in force. */
  boundary: string | null;
  messages: NeutralMessage[];
  markers: CacheMarker[];
  diagnostics: Diagnostic[];
  /** Version of the texts that rendering added. */
  render_text_version: number;
  /** Models that demand thinking are asked without it for the rest of the turn. */
  thinking_off?: true;
}
