// Entry for browsers and bundlers. `new URL(…, import.meta.url)` is the form that bundlers see and
// turn into one asset.
import { load } from "./core.js";

export function init(source) {
  return load(() => source ?? new URL("./throughline.wasm", import.meta.url));
}

export * from "./api.js";
