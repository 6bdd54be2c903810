// Entry for browsers and bundlers.
import { load } from "./load.js";

export async function runStorageConformance(storage, options) {
  const tools = await load(() => new URL("./tools.wasm", import.meta.url));
  return tools.runStorageConformance(storage, options);
}
