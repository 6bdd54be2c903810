import { core } from "./core.js";
import { ThroughlineError } from "./error.js";
import { disposable, live } from "./handle.js";

/**
 * The engine in front of the wasm object. Arguments are checked by the module, at the time of the
 * call; every method gives a promise, and whatever is wrong rejects it.
 */
export class Engine {
  #raw;

  constructor(options = {}) {
    if (options === null || typeof options !== "object") {
      throw new ThroughlineError("`options` must be an object", "argument_invalid", "options");
    }
    const { storage, clock = () => Date.now(), entropy = randomBytes, redaction, ...others } = options;
    this.#raw = new (core().Engine)(storage, clock, entropy, redaction, others);
  }

  async submitPrompt(session, text, options) {
    return this.#live().submitPrompt(session, text, options);
  }

  async takeCheckpoint(session, trigger, options) {
    return this.#live().takeCheckpoint(session, trigger, options);
  }

  async ingest(log, options) {
    return this.#live().ingest(log, options);
  }

  async sessions(options) {
    return this.#live().sessions(options);
  }

  async findSession(key, options) {
    return this.#live().findSession(key, options);
  }

  async checkpoints(session, options) {
    return this.#live().checkpoints(session, options);
  }

  async checkpoint(id) {
    return this.#live().checkpoint(id);
  }

  async prompt(session, options) {
    return this.#live().prompt(session, options);
  }

  async promptObject(session, options = {}) {
    return JSON.parse(await this.#live().prompt(session, { request: options?.request }));
  }

  async recover(options) {
    return this.#live().recover(options);
  }

  /** Calls in flight have a hold of their own on what they need, and complete. */
  free() {
    this.#raw?.free();
    this.#raw = undefined;
  }

  #live() {
    return live(this.#raw, "engine");
  }
}

disposable(Engine);

function randomBytes() {
  return globalThis.crypto.getRandomValues(new Uint8Array(16));
}
