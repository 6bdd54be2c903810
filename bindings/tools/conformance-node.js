// Entry for Node.
import { tools } from "./load-node.js";

export async function runStorageConformance(storage, options) {
  return (await tools()).runStorageConformance(storage, options);
}
