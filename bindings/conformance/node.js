// Entry for Node.
import { readFile } from "node:fs/promises";
import { over } from "./run.js";

export const runStorageConformance = over(() => readFile(new URL("./conformance.wasm", import.meta.url)));
