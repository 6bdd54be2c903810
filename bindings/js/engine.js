import { core } from "./core.js";
import { ThroughlineError } from "./error.js";
import { disposable, live } from "./handle.js";

/**
 * The engine in front of the wasm object. Arguments are checked by the module, at the time of the
 * call; every method gives a promise, and whatever is wrong rejects it.
 */
export class Engine {
  #raw;
  /** What `close` closes. */
  #place;
  #calls = new Set();

  constructor(options = {}) {
    if (options === null || typeof options !== "object") {
      throw new ThroughlineError("`options` must be an object", "argument_invalid", "options");
    }
    const { storage, driver, clock = () => Date.now(), entropy = randomBytes, redaction, ...others } = options;
    this.#raw = new (core().Engine)(storage, driver, clock, entropy, redaction, others);
    this.#place = driver ?? storage;
  }

  async submitPrompt(session, text, options) {
    return this.#run((raw) => raw.submitPrompt(session, text, options));
  }

  /** The options of checkpoints, and what was odd about them. */
  get continuity() {
    return live(this.#raw, "engine").continuity();
  }

  async record(session, activities, options) {
    return this.#run((raw) => raw.record(session, activities, options));
  }

  async takeCheckpoint(session, trigger, options) {
    return this.#run((raw) => raw.takeCheckpoint(session, trigger, options));
  }

  async ingest(log, options) {
    return this.#run((raw) => raw.ingest(log, options));
  }

  async sessions(options) {
    return this.#run((raw) => raw.sessions(options));
  }

  async findSession(key, options) {
    return this.#run((raw) => raw.findSession(key, options));
  }

  async checkpoints(session, options) {
    return this.#run((raw) => raw.checkpoints(session, options));
  }

  async checkpoint(id) {
    return this.#run((raw) => raw.checkpoint(id));
  }

  async prompt(session, options) {
    return this.#run((raw) => raw.prompt(session, options));
  }

  async promptObject(session, options = {}) {
    return JSON.parse(await this.#run((raw) => raw.prompt(session, { request: options?.request })));
  }

  async compact(session, options) {
    return this.#run((raw) => raw.compact(session, options));
  }

  async requestCompaction(session) {
    return this.#run((raw) => raw.requestCompaction(session));
  }

  async setCompactionConfig(session, config) {
    return this.#run((raw) => raw.setCompactionConfig(session, config));
  }

  async recover(options) {
    return this.#run((raw) => raw.recover(options));
  }

  async offer(receiver, options) {
    return this.#run((raw) => raw.offer(receiver, options));
  }

  async delivered(receiver, checkpoint) {
    return this.#run((raw) => raw.delivered(receiver, checkpoint));
  }

  async nextDeadline() {
    return this.#run((raw) => raw.nextDeadline());
  }

  async tick() {
    return this.#run((raw) => raw.tick());
  }

  async flush() {
    return this.#run((raw) => raw.flush());
  }

  async flushSession(session) {
    return this.#run((raw) => raw.flushSession(session));
  }

  async clear(session) {
    return this.#run((raw) => raw.clear(session));
  }

  async forget(session) {
    return this.#run((raw) => raw.forget(session));
  }

  async prune() {
    return this.#run((raw) => raw.prune());
  }

  /** Calls in flight have a hold of their own on what they need, and complete. */
  free() {
    this.#raw?.free();
    this.#raw = undefined;
  }

  async close() {
    const raw = this.#raw;
    this.#raw = undefined;
    await Promise.allSettled(this.#calls);
    raw?.free();
    const place = this.#place;
    this.#place = undefined;
    await place?.close?.();
  }

  /** Makes a call, and knows of it until it has ended. */
  async #run(call) {
    const running = call(live(this.#raw, "engine"));
    this.#calls.add(running);
    try {
      return await running;
    } finally {
      this.#calls.delete(running);
    }
  }
}

disposable(Engine);

function randomBytes() {
  return globalThis.crypto.getRandomValues(new Uint8Array(16));
}
