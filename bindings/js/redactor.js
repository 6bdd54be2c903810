import { core } from "./core.js";
import { ThroughlineError } from "./error.js";
import { edits, isLong } from "./edits.js";
import { disposable, live } from "./handle.js";
import { joined } from "./joined.js";

/**
 * A redactor in front of the wasm object. A string that is scrubbed as text does not come back over the boundary: what
 * is replaced does, and the new string is put together from the old one.
 */
export class Redactor {
  #raw;

  constructor(options) {
    this.#raw = new (core().Redactor)(options);
  }

  redact(text) {
    return scrubbed(text, replaced(text, this.#live()));
  }

  redactBytes(bytes) {
    return this.#live().redactBytes(bytes) ?? bytes;
  }

  redactJson(json) {
    return this.#live().redactJson(json) ?? json;
  }

  inspect(text) {
    const { marks, findings } = this.#live().inspect(text);
    const places = findings.flatMap(({ utf16_offset: start, utf16_length: length, out_utf16_length: mark }) =>
      [start, start + length, mark]);
    return { text: scrubbed(text, marks && [places, marks]), findings };
  }

  report(text) {
    return this.#live().report(text);
  }

  stream() {
    return new RedactionStream(this.#live().stream());
  }

  resume(state, before) {
    return new RedactionStream(this.#live().resume(state, before));
  }

  byteStream() {
    return transform(this.stream(), (bytes) => bytes);
  }

  textStream() {
    const stream = this.stream();
    const encode = encoder();
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const text = {
      push: (chunk) => stream.push(encode(chunk)),
      finish: () => concat(stream.push(encode.rest()), stream.finish()),
      free: () => stream.free(),
    };
    return transform(text, (bytes) => decoder.decode(bytes, { stream: true }));
  }

  free() {
    this.#raw?.free();
    this.#raw = undefined;
  }

  #live() {
    return live(this.#raw, "redactor");
  }
}

disposable(Redactor);

/** A stream in front of the wasm object; it lives on when its redactor is freed. */
class RedactionStream {
  #raw;

  constructor(raw) {
    this.#raw = raw;
  }

  get from() {
    return this.#live().from_offset;
  }

  get held() {
    return this.#live().held();
  }

  push(chunk) {
    return this.#live().push(chunk);
  }

  finish() {
    return this.#live().finish();
  }

  takeFindings() {
    return this.#live().takeFindings();
  }

  state() {
    return this.#live().state();
  }

  free() {
    this.#raw?.free();
    this.#raw = undefined;
  }

  #live() {
    return live(this.#raw, "stream");
  }
}

disposable(RedactionStream);

function transform(stream, form) {
  const pass = (bytes, controller) => {
    const chunk = form(bytes);
    if (chunk.length > 0) controller.enqueue(chunk);
  };
  return new TransformStream({
    transform: (chunk, controller) => pass(stream.push(chunk), controller),
    flush(controller) {
      pass(stream.finish(), controller);
      stream.free();
    },
    cancel: () => stream.free(),
  });
}

/** Text to bytes, where a pair of surrogates may be cut by the end of a chunk. */
function encoder() {
  const encoder = new TextEncoder();
  let half = "";
  const encode = (chunk) => {
    if (typeof chunk !== "string") {
      const found = chunk === null ? "null" : `a value of type ${typeof chunk}`;
      throw new ThroughlineError(`\`chunk\` is ${found}, but must be a string`, "argument_invalid", "chunk");
    }
    const text = half + chunk;
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    return encoder.encode(half ? text.slice(0, -1) : text);
  };
  encode.rest = () => encoder.encode(half);
  return encode;
}

function concat(one, other) {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export function redact(text) {
  return scrubbed(text, replaced(text, core()));
}

/** What is replaced in a text by a redactor, or by the standard one. */
function replaced(text, raw) {
  return isLong(text) ? edits(text, raw.edits()) : raw.redact(text);
}

/** The text with what replaces its secrets; the very same string when nothing was found. */
function scrubbed(text, edits) {
  return edits ? joined(text, edits) : text;
}

export function rules() {
  return core().rules();
}
