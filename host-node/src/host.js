// An engine with one timer, which does what is due.
import { Engine } from "throughline";

/** Drafts of hosts that were killed are looked for this often, in milliseconds, and at the start. */
const OTHERS = 30_000;
const SIGNALS = ["SIGINT", "SIGTERM"];

/** After each of these something may be due at another time. */
const WRITES = ["submitPrompt", "record", "takeCheckpoint", "ingest", "recover", "offer", "tick", "flushSession", "clear", "forget"];

/**
 * Sets one timer to the engine's next deadline, or to the next look at what killed hosts left behind; it keeps
 * no process alive. What fails stays in the store, and is tried again at the deadline that the engine gives for
 * it.
 */
export class Host extends Engine {
  #clock;
  #timer;
  #looked = performance.now();
  #closed = false;
  #onSignal;

  constructor({ signals = false, ...options }) {
    super(options);
    this.#clock = options.clock;
    if (signals) this.#watchSignals();
    this.#wait(0);
  }

  /** Writes what waits, and closes the store. */
  async close() {
    this.#closed = true;
    this.#unwatch();
    clearTimeout(this.#timer);
    try {
      await super.flush();
    } catch {
      // It waits in the store, for the next host.
    }
    await super.close();
  }

  free() {
    this.#closed = true;
    this.#unwatch();
    clearTimeout(this.#timer);
    super.free();
  }

  async arm() {
    if (this.#closed) return;
    const at = await super.nextDeadline();
    if (this.#closed) return;
    const others = this.#looked + OTHERS - performance.now();
    const own = at === null ? others : at - Number(new Date(this.#clock()));
    this.#wait(Math.max(Math.min(own, others), 0));
  }

  #wait(millis) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#looked = performance.now();
      this.tick().catch(() => {});
    }, millis);
    this.#timer.unref?.();
  }

  #watchSignals() {
    this.#onSignal = async (signal) => {
      await this.close();
      process.kill(process.pid, signal);
    };
    for (const signal of SIGNALS) process.once(signal, this.#onSignal);
  }

  #unwatch() {
    if (this.#onSignal) for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    this.#onSignal = undefined;
  }
}

for (const name of WRITES) {
  const method = Engine.prototype[name];
  const armed = async function (...words) {
    try {
      return await method.apply(this, words);
    } finally {
      await this.arm().catch(() => {});
    }
  };
  Object.defineProperty(Host.prototype, name, { value: armed, configurable: true, writable: true });
}
