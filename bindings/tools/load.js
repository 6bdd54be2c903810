// The second wasm module, of what only tools need. It has no part in the package's own, but the error class.
import loadGlue, * as glue from "./glue.js";
import { ThroughlineError } from "../error.js";
import { demandVectors } from "../vectors.js";

let loading;

/** The functions of the module, loaded from what `source()` gives; after a failed load the next call tries again. */
export function load(source) {
  loading ??= start(source).catch((cause) => {
    loading = undefined;
    if (cause instanceof ThroughlineError) throw cause;
    throw new ThroughlineError(`the wasm module could not be loaded: ${cause?.message ?? cause}`, "load_failed", undefined, cause);
  });
  return loading;
}

async function start(source) {
  demandVectors();
  await loadGlue({ module_or_path: await source() });
  return glue;
}
