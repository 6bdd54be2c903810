/** The wasm module as a file; what an import of it gives is up to the bundler or runtime. */
declare const wasm: unknown;
export default wasm;
