import Reader from "./worker.js?worker&inline";

/** One log and the worker that holds it; `end()` gives everything back, in the middle of reading as well. */
export class Reading {
  #worker = new Reader();
  #waiting = new Map();
  #calls = 0;
  #onProgress;

  constructor(onProgress) {
    this.#onProgress = onProgress;
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = ({ message }) => {
      const error = { code: "worker_failed", message: message || "the worker that reads the log ended" };
      for (const { reject } of this.#waiting.values()) reject(error);
    };
  }

  /** Reads a log: what was found, or `{ code, message }` as the error. */
  open(log, name) {
    return this.#ask("open", { log, name });
  }

  messages(from, count) {
    return this.#ask("messages", { from, count });
  }

  /** The whole text of a part. */
  text(message, part) {
    return this.#ask("text", { message, part });
  }

  end() {
    this.#worker.terminate();
    this.#waiting.clear();
  }

  #ask(call, argument) {
    const id = (this.#calls += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, call, argument });
    });
  }

  #hear({ id, answer, error, progress }) {
    if (progress) return this.#onProgress?.(progress);
    const { resolve, reject } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    return error ? reject?.(error) : resolve?.(answer);
  }
}
