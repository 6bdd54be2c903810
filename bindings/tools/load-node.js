import { readFile } from "node:fs/promises";
import { load } from "./load.js";

/** The functions of the module, on Node. */
export function tools() {
  return load(() => readFile(new URL("./tools.wasm", import.meta.url)));
}
