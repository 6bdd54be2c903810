import { ThroughlineError } from "./error.js";

/** The wasm object behind a handle; a handle that was freed has none any more. */
export function live(raw, name) {
  if (raw !== undefined) return raw;
  throw new ThroughlineError(`the ${name} was freed: make a new one`, "freed");
}

/** Lets `using` free a handle, where the runtime knows it. */
export function disposable(handle) {
  const { free, close } = handle.prototype;
  define(handle, Symbol.dispose, free);
  if (close) define(handle, Symbol.asyncDispose, close);
}

function define(handle, symbol, value) {
  if (symbol === undefined) return;
  Object.defineProperty(handle.prototype, symbol, { value, configurable: true, writable: true });
}
