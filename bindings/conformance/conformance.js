// Entry for tests on Node: the package, the storage conformance suite, and canonical JSON.
import { core } from "./core.js";

export * from "./node.js";

export function runStorageConformance(storage, options) {
  return core().runStorageConformance(storage, options);
}

export function canonicalJson(text) {
  return core().canonicalJson(text);
}
