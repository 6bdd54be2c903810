/// <reference lib="esnext.disposable" />

declare global {
  // The platform's own; declared here so that the types need no DOM library, and merged with it where there is one.
  interface ReadableStream<R = any> {}
  interface WritableStream<W = any> {}
}

/** Which findings are replaced: certain and likely ones, possible ones too, or (for hosts that only look) as `default`. */
export type RedactionMode = "default" | "paranoid" | "report_only";

/** How sure a rule is that what it finds is a secret. */
export type Confidence = "possible" | "likely" | "certain";

/** How a redactor is set up; fixed once it is built. */
export interface RedactionOptions {
  /** `default` when absent. */
  mode?: RedactionMode | undefined;
  /**
   * Values that are secrets wherever they stand, such as those of the host's own environment: 6 to 4,000 bytes, no
   * placeholders; one of more than 8,000 bytes once it is escaped or encoded is refused. They may go over lines, which
   * end in LF or CRLF in either; line ends around them are left out.
   */
  exact?: readonly string[] | undefined;
  /**
   * The host key of the tags, 16 bytes and more. With it a mark is `[REDACTED:<kind>:k7f3q2wd]`, and equal secrets
   * have equal tags; those that could be guessed all have the tag `aaaaaaaa`.
   */
  tagKey?: string | ArrayBuffer | ArrayBufferView | undefined;
  /**
   * The host's own mark in place of `[REDACTED:<kind>]`, `{kind}` in it standing for the kind: 3 to 64 visible ASCII
   * characters, neither first nor last of them a letter or digit, without quotes, backslash, `=` and `$`.
   */
  mark?: string | undefined;
  /** What stays although a rule finds it. */
  allow?: AllowList | undefined;
  /** Names under which secrets stand, beside the known ones. */
  keys?: KeyNames | undefined;
  /** Rules of the host, at most 256; or the JSON text of such an array. */
  rules?: readonly HostRule[] | string | undefined;
  /** Whether the rules for personal data (e-mail, phone, cards) are on; false when absent. */
  pii?: boolean | undefined;
  /** How many encodings around a secret are seen through: 0 to 4, 2 when absent. */
  decodeDepth?: number | undefined;
}

/** What stays although a rule finds it: up to 1,000 entries each. */
export interface AllowList {
  /** Whole values. */
  values?: readonly string[] | undefined;
  /**
   * Names whose values stay: `fixture_password`, or the last names of a path in JSON, `users.*.password`, where `*`
   * stands for any one name. Case does not matter.
   */
  keys?: readonly string[] | undefined;
  /** Ids of rules that are off. */
  rules?: readonly string[] | undefined;
}

/** Names of a host, in any case and joined in any way: `acme_code` is `acmeCode` and `ACME-CODE` as well. */
export interface KeyNames {
  /** Every value under these is a secret, but for placeholders, references and the like. */
  strong?: readonly string[] | undefined;
  /** Values under these are secrets when they look random. */
  weak?: readonly string[] | undefined;
}

/** The bytes that a token consists of; `hex` and `-` are `dashed`, letters, digits, `_` and `-` are `word`. */
export type Alphabet =
  | "alnum" | "upper" | "hex" | "dashed" | "word" | "dotted" | "padded" | "colon" | "base64" | "cookie" | "path" | "query";

/** A rule of the host: one of the keywords, then a run of an alphabet. The keyword is part of the secret. */
export interface HostRule {
  /** In kebab case, 2 to 40 bytes; no other rule has it. */
  id: string;
  /** What the mark names, in kebab case, 2 to 40 bytes; the id when absent. */
  kind?: string | undefined;
  /** `certain` when absent. */
  confidence?: Confidence | undefined;
  /** What it finds, in a line. */
  description?: string | undefined;
  /** 1 to 32 keywords of 2 to 64 visible ASCII characters. */
  keywords: readonly string[];
  alphabet: Alphabet;
  /** The fewest bytes behind the keyword: 1 to 512. */
  min: number;
  /** The most; 512 when absent. */
  max?: number | undefined;
  /** What the run must hold; nothing (`any`) when absent. */
  needs?: "any" | "digit" | "mixed" | "random" | undefined;
}

/** A secret in a stream; never its value. Lines count from 1; places are in bytes of UTF-8, from the start of the whole. */
export interface StreamFinding {
  /** Id of the rule that fired, as in `rules()`. */
  rule: string;
  /** What the mark names: `[REDACTED:<kind>]`. */
  kind: string;
  /** How sure the rule is. */
  confidence: Confidence;
  /** Line of its beginning in the input. */
  line: number;
  /** Column of its beginning in the input, in bytes from 1. */
  column: number;
  /** Its place in the input, in bytes. */
  offset: number;
  /** Its length in the input, in bytes. */
  length: number;
  /** The place of its mark in the output, in bytes. */
  out_offset: number;
  /** The length of its mark in the output, in bytes. */
  out_length: number;
}

/** One secret that was found in a text. */
export interface Finding extends StreamFinding {
  /** `offset` in UTF-16 units, as JavaScript counts: `text.slice(utf16_offset, utf16_offset + utf16_length)`. */
  utf16_offset: number;
  /** `length` in UTF-16 units. */
  utf16_length: number;
  /** `out_offset` in UTF-16 units. */
  out_utf16_offset: number;
  /** `out_length` in UTF-16 units. */
  out_utf16_length: number;
}

/** Where a stream is; it holds no text, and may be stored as JSON. */
export interface StreamState {
  /** Version of the rules. */
  rules: number;
  /** Bytes of the input that are scrubbed and written; the next one is the first to be fed. */
  offset: number;
  /** Bytes of the output up to there. */
  out_offset: number;
  /** The line of that offset, from 1. */
  line: number;
  /** Where that line starts. */
  line_start: number;
  /** Whether it is inside of a key block whose mark is written. */
  inside_key: boolean;
  /** Bytes before the offset that are read again: up to 8 KB in a line of more than 64 KB, and none anywhere else. */
  behind?: number;
  /** SHA-256 of the 256 bytes before the offset, in hexadecimal. */
  before_sha256: string;
}

/**
 * Scrubs bytes as they come. What comes out is what a redactor makes of the whole, whatever the chunks are: a line as
 * soon as it is complete and nothing in it can go on in the next one. At most about 100 KB are held back.
 */
export interface RedactionStream {
  /** The offset of its input from which on it is to be fed: 0, unless it goes on from a state. */
  readonly from: number;
  /** Bytes that are held back. */
  readonly held: number;
  /** Takes bytes, and gives what is clean for good. Bytes that are no UTF-8 stay. */
  push(chunk: ArrayBuffer | ArrayBufferView): Uint8Array;
  /** Gives what was held back: nothing more comes. */
  finish(): Uint8Array;
  /** What was found since this was asked last. */
  takeFindings(): StreamFinding[];
  /** What is needed to go on later, see `Redactor.resume`. */
  state(): StreamState;
  /** Frees its memory; calls after that throw `freed`. */
  free(): void;
  [Symbol.dispose](): void;
}

/** A `TransformStream` of the platform. */
export interface ScrubbingStream<T> {
  readonly readable: ReadableStream<T>;
  readonly writable: WritableStream<T>;
}

/** A redactor with options of its own. Give it back with `free()` or `using`, or leave it to the garbage collector. */
export class Redactor {
  /**
   * @throws {ThroughlineError} `argument_invalid`, `option_invalid`, `regex_unavailable`, `exact_too_short`,
   *   `exact_too_long`, `exact_placeholder`, with a path such as `options.rules[2].alphabet`.
   */
  constructor(options?: RedactionOptions);
  /** The text with a mark in the place of each secret; the very same string when there is none. */
  redact(text: string): string;
  /** The same of bytes; the very same object when nothing is found. Bytes that are no UTF-8 stay. */
  redactBytes<B extends ArrayBuffer | ArrayBufferView>(bytes: B): B | Uint8Array;
  /**
   * The same of a JSON text, which stays JSON of the same structure: only what stands in strings and keys changes,
   * and all else stays as it is written. Strings are read with their escapes undone, and the text as it stands besides.
   *
   * @throws {ThroughlineError} `json_invalid`, `json_too_deep`, `json_trailing`.
   */
  redactJson(json: string): string;
  /** The scrubbed text, and what was replaced, in the order of the text. */
  inspect(text: string): { text: string; findings: Finding[] };
  /** What would be replaced. */
  report(text: string): Finding[];
  /** Starts to scrub bytes that come in chunks; the stream lives on when the redactor is freed. */
  stream(): RedactionStream;
  /**
   * Goes on where a stream was. `before` are the bytes before the state's offset, at least the last 256 of them and
   * those of `behind`, or all when there are fewer. The last 256 of them are checked: where these are others, or the
   * rules are another version, the stream starts at 0: see `from`.
   */
  resume(state: StreamState, before: ArrayBuffer | ArrayBufferView): RedactionStream;
  /** A `TransformStream` that scrubs bytes: `response.body.pipeThrough(redactor.byteStream())`. */
  byteStream(): ScrubbingStream<Uint8Array>;
  /** A `TransformStream` that scrubs text. A lone surrogate comes out as U+FFFD. */
  textStream(): ScrubbingStream<string>;
  /** Frees its memory; calls after that throw `freed`, and another `free()` does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}
