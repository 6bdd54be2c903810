// The public functions, the same for every entry.
import { core } from "./core.js";

export { ThroughlineError } from "./error.js";

export function version() {
  return core().version();
}
