// `throughline/inline`: the same package with the wasm module inside the script.
import type { WasmSource } from "./index.js";

export * from "./index.js";

/**
 * Loads the wasm module that this entry carries; nothing is fetched. May be called any number of times:
 * where the module is loaded already, by this entry or another, it does nothing.
 *
 * @param source Where to take the module from instead.
 * @throws {ThroughlineError} `load_failed` when the module cannot be compiled; a later call tries again.
 *   `simd_unavailable` when the runtime is older than SIMD for WebAssembly.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void>;
