// What a host on Node injects, and an engine with all of it.
import { randomFillSync } from "node:crypto";
import { createReadStream } from "node:fs";
import { parse } from "node:path";
import { Engine } from "throughline";

export function systemClock() {
  return () => Date.now();
}

export function systemEntropy() {
  return () => randomFillSync(new Uint8Array(16));
}

export function createEngine({ clock = systemClock(), entropy = systemEntropy(), ...options } = {}) {
  return new Engine({ clock, entropy, ...options });
}

export async function ingestFile(engine, file, options = {}) {
  const log = createReadStream(file, { highWaterMark: 1 << 20 });
  return engine.ingest(log, { key: parse(log.path).name, ...options });
}
