/** The one error class of the package; Rust and JavaScript both make their errors from it. */
export class ThroughlineError extends Error {
  /**
   * @param {string} message what was wrong, where, and what is accepted
   * @param {string} code stable lower_snake_case name of the failure
   * @param {string} [path] where in the input, such as `storage.commit`
   * @param {unknown} [details] data that goes with the code; an Error among them is the cause too
   */
  constructor(message, code, path, details) {
    super(message, details instanceof Error ? { cause: details } : undefined);
    this.code = code;
    this.path = path;
    this.details = details;
  }
}

// On the prototype, as with the built-in errors: the name is no property of each error.
Object.defineProperty(ThroughlineError.prototype, "name", {
  value: "ThroughlineError",
  configurable: true,
  writable: true,
});
