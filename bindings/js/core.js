// The one instance of the wasm module. Every entry loads it through here, and every public function
// reaches it through `core()`, so that a call before `init()` fails by name.
import loadGlue, * as glue from "./glue.js";
import { ThroughlineError } from "./error.js";
import { demandVectors } from "./vectors.js";

let loaded = false;
let loading;

/** The functions of the wasm module. */
export function core() {
  if (!loaded) {
    throw new ThroughlineError(
      "the wasm module is not loaded yet: await init() before the first call",
      "not_initialized",
    );
  }
  return glue;
}

/** Loads the module from bytes at once; a second call does nothing. */
export function loadNow(bytes) {
  if (loaded) return;
  demandVectors();
  glue.initSync({ module: bytes });
  loaded = true;
}

/**
 * Loads the module from what `source()` gives; calls at the same time share one load, and after a
 * failed one the next call tries again.
 */
export function load(source) {
  loading ??= start(source).catch((cause) => {
    loading = undefined;
    if (cause instanceof ThroughlineError) throw cause;
    throw new ThroughlineError(`the wasm module could not be loaded: ${cause?.message ?? cause}`, "load_failed", undefined, cause);
  });
  return loading;
}

async function start(source) {
  if (loaded) return;
  demandVectors();
  await loadGlue({ module_or_path: await source() });
  loaded = true;
}
