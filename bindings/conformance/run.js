// The conformance suite is a module of its own, so that the package itself does not grow by it.
import loadGlue, * as glue from "./glue.js";
import { ThroughlineError } from "../error.js";

let loading;

/** The public function, over a module that comes from what `source()` gives. */
export function over(source) {
  return async function runStorageConformance(storage, options) {
    loading ??= start(source).catch((cause) => {
      loading = undefined;
      throw new ThroughlineError(`the wasm module could not be loaded: ${cause?.message ?? cause}`, "load_failed", undefined, cause);
    });
    await loading;
    return glue.runStorageConformance(storage, options);
  };
}

async function start(source) {
  await loadGlue({ module_or_path: await source() });
}
