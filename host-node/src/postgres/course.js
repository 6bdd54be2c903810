// How far a piece of work has come, and whether it is done again.
import { postgresRules, ThroughlineError } from "throughline";

export class Course {
  moment = "connecting";
  /** An earlier attempt was lost during its commit, and none since has found the batch's id free. */
  unsettled = false;
  #wait;
  #tries = 0;
  #since = performance.now();
  #spread = Math.floor(Math.random() * 256);

  constructor(wait) {
    this.#wait = wait;
  }

  /** How many milliseconds to wait before the next attempt; throws when there is none. */
  next(error) {
    // An error of ours is no fault of the server's.
    if (error instanceof ThroughlineError) throw this.unsettled ? unknown(error) : error;
    const { pause, unsettled, error: final } = postgresRules.next(faultOf(error), {
      moment: this.moment,
      tries: this.#tries,
      waited: Math.floor(performance.now() - this.#since),
      wait: this.#wait,
      unsettled: this.unsettled,
      spread: this.#spread,
    });
    if (final) throw final;
    this.unsettled = unsettled;
    this.#tries += 1;
    return pause;
  }
}

function unknown({ message }) {
  const text = `the outcome of the commit is not known: ${message}`;
  return new ThroughlineError(text, "outcome_unknown", undefined, { why: message });
}

/** What `pg` throws, as the core reads it: errors of the server have a severity, and the system's have a code. */
function faultOf(error) {
  const message = String(error?.message || error?.code || error);
  if (typeof error?.severity === "string") return { state: String(error.code), message };
  return { name: nameOf(error, message), message };
}

function nameOf(error, message) {
  if (typeof error?.code === "string") return error.code;
  if (/password must be a string/.test(message)) return "ENOPASSWORD";
  if (/time-?out/i.test(message)) return "ETIMEDOUT";
  if (/terminated|not queryable|was closed|socket/i.test(message)) return "ECONNRESET";
  return undefined;
}
