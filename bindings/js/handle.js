import { ThroughlineError } from "./error.js";

/** The wasm object behind a handle; a handle that was freed has none any more. */
export function live(raw, name) {
  if (raw !== undefined) return raw;
  throw new ThroughlineError(`the ${name} was freed: make a new one`, "freed");
}

/** Lets `using` free a handle, where the runtime knows it. */
export function disposable(handle) {
  // By name, so that a class made of this one is freed and closed in its own way.
  define(handle, Symbol.dispose, function () {
    return this.free();
  });
  if (handle.prototype.close) {
    define(handle, Symbol.asyncDispose, function () {
      return this.close();
    });
  }
}

function define(handle, symbol, value) {
  if (symbol === undefined) return;
  Object.defineProperty(handle.prototype, symbol, { value, configurable: true, writable: true });
}
