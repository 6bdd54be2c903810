import { ThroughlineError } from "./error.js";

/** The wasm object behind a handle; a handle that was freed has none any more. */
export function live(raw, name) {
  if (raw !== undefined) return raw;
  throw new ThroughlineError(`the ${name} was freed: make a new one`, "freed");
}

/** Lets `using` free a handle, where the runtime knows it. */
export function disposable(handle) {
  if (Symbol.dispose === undefined) return;
  Object.defineProperty(handle.prototype, Symbol.dispose, {
    value: handle.prototype.free,
    configurable: true,
    writable: true,
  });
}
