// Entry for browsers and bundlers.
import { over } from "./run.js";

export const runStorageConformance = over(() => new URL("./conformance.wasm", import.meta.url));
