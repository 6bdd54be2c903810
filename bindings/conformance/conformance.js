// Entry for tests of storages on Node: the package, and the conformance suite.
import { core } from "./core.js";

export * from "./node.js";

export function runStorageConformance(storage, options) {
  return core().runStorageConformance(storage, options);
}
