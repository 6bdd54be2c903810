import { core } from "./core.js";
import { disposable, live } from "./handle.js";

/** A streamed answer in front of the wasm object. */
export class ResponseStream {
  #raw;

  constructor(format) {
    this.#raw = new (core().ResponseStream)(format);
  }

  push(event) {
    this.#live().push(event);
  }

  merged() {
    return this.#live().merged();
  }

  free() {
    this.#raw?.free();
    this.#raw = undefined;
  }

  #live() {
    return live(this.#raw, "stream");
  }
}

disposable(ResponseStream);

export function renderPrompt(input, options) {
  return core().renderPrompt(input, options);
}

export function readResponse(format, response, options) {
  return core().readResponse(format, response, options);
}

export function responseRows(format, response, options) {
  return core().responseRows(format, response, options);
}
