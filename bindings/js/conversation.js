import { core } from "./core.js";
import { disposable, live } from "./handle.js";

/** A conversation in front of the wasm object; rows and messages stay in wasm. */
export class Conversation {
  #raw;

  constructor(input) {
    this.#raw = new (core().Conversation)(input);
  }

  put(row) {
    return this.#live().put(row);
  }

  putAll(rows) {
    return this.#live().putAll(rows);
  }

  hold(row, held) {
    return this.#live().hold(row, held);
  }

  withdraw(row, why) {
    return this.#live().withdraw(row, why);
  }

  applySteering(rows, after) {
    return this.#live().applySteering(rows, after);
  }

  returnSteering(rows, after) {
    return this.#live().returnSteering(rows, after);
  }

  remove(rows, why) {
    return this.#live().remove(rows, why);
  }

  setBoundary(boundary) {
    return this.#live().set({ boundary: boundary ?? null });
  }

  setRequest(request) {
    return this.#live().set({ request: request ?? null });
  }

  setContexts(contexts) {
    return this.#live().set({ contexts: contexts ?? null });
  }

  setTurn(turn) {
    return this.#live().set({ turn: turn ?? null });
  }

  setUploads(uploads) {
    return this.#live().set({ uploads: uploads ?? null });
  }

  release() {
    return this.#live().release();
  }

  prompt(options) {
    return this.#live().prompt(options);
  }

  promptBytes(options) {
    return this.#live().promptBytes(options);
  }

  messages(from) {
    return this.#live().messages(from);
  }

  state() {
    return this.#live().state();
  }

  get rows() {
    return this.#live().rows;
  }

  free() {
    this.#raw?.free();
    this.#raw = undefined;
  }

  #live() {
    return live(this.#raw, "conversation");
  }
}

disposable(Conversation);

export function explain(previous, next, options) {
  return core().explain(previous, next, options);
}
