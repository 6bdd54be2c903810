import { core } from "./core.js";
import { disposable, live } from "./handle.js";

/** A redactor in front of the wasm object. A text in which nothing is found never comes back over the boundary. */
export class Redactor {
  #raw;

  constructor(options) {
    this.#raw = new (core().Redactor)(options);
  }

  redact(text) {
    return this.#live().redact(text) ?? text;
  }

  inspect(text) {
    const found = this.#live().inspect(text);
    return { text: found.text ?? text, findings: found.findings };
  }

  report(text) {
    return this.#live().report(text);
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

export function redact(text) {
  return core().redact(text) ?? text;
}

export function rules() {
  return core().rules();
}
