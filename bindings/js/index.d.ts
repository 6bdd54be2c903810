/**
 * Where `init` takes the wasm module from: a URL as text or object, a response, bytes, or a compiled
 * `WebAssembly.Module` (`object`, so that the types need no DOM library).
 */
export type WasmSource =
  | string
  | { readonly href: string }
  | { arrayBuffer(): Promise<ArrayBuffer> }
  | ArrayBuffer
  | Uint8Array
  | object;

/**
 * Loads the wasm module. Exists on every platform and may be called any number of times: where the
 * module is loaded already, as always on Node, it does nothing.
 *
 * @param source Where to take the module from; without it, `throughline.wasm` next to the entry.
 * @throws {ThroughlineError} `load_failed` when the module cannot be fetched or compiled; a later
 *   call tries again.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void>;

/**
 * Every failure of the package.
 *
 * Before `init()` has finished, all functions but `init` throw it with code `not_initialized`.
 */
export class ThroughlineError extends Error {
  /**
   * @param message What was wrong, where, and what is accepted.
   * @param code Stable lower_snake_case name of the failure.
   * @param path Where in the input, such as `storage.commit`.
   * @param details Data that goes with the code; an `Error` becomes the `cause` too.
   */
  constructor(message: string, code: string, path?: string, details?: unknown);
  readonly name: "ThroughlineError";
  /** Stable lower_snake_case name of the failure; never changes its meaning. */
  readonly code: string;
  /** Where in the input, such as `storage.commit` or `rows[3].role`; undefined when it has no place. */
  readonly path: string | undefined;
  /** Data that goes with the code, such as the error that a storage threw. */
  readonly details: unknown;
}

/** The version of the package and of the core inside it, such as `0.1.0`. */
export function version(): string;
