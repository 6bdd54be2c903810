// What the system gives: time and randomness.
import { randomFillSync } from "node:crypto";

export function systemClock() {
  return () => Date.now();
}

export function systemEntropy() {
  return () => randomFillSync(new Uint8Array(16));
}
