// The modules are made of instructions over vectors, which every maintained runtime has.
import { ThroughlineError } from "./error.js";

/** The smallest module that takes vectors of 128 bits: a function that gives one back. */
const VECTORS = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Fails by name where the runtime is older than the instructions that the module is made of. */
export function demandVectors() {
  if (WebAssembly.validate(VECTORS)) return;
  throw new ThroughlineError(
    "this runtime has no SIMD for WebAssembly; Node.js 16.4, Chrome 91, Firefox 89 and Safari 16.4 were the first with it",
    "simd_unavailable",
  );
}
