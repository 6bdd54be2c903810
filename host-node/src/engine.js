import { createReadStream } from "node:fs";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine, ThroughlineError } from "throughline";
import { Host } from "./host.js";
import { postgresDriver } from "./postgres/driver.js";
import { sqliteDriver } from "./sqlite/driver.js";
import { systemClock, systemEntropy } from "./system.js";

export function createEngine({ clock = systemClock(), entropy = systemEntropy(), ...options } = {}) {
  return new Engine({ clock, entropy, ...options });
}

export function createHost({ store, wait, ...options } = {}) {
  const place = placeOf(store, { wait });
  const { clock = systemClock(), entropy = systemEntropy(), ...others } = options;
  try {
    return new Host({ clock, entropy, ...place, ...others });
  } catch (error) {
    if (place.driver !== store) place.driver?.close();
    throw error;
  }
}

export async function ingestFile(engine, file, options = {}) {
  const log = createReadStream(file, { highWaterMark: 1 << 20 });
  return engine.ingest(log, { key: parse(log.path).name, ...options });
}

/** A store as an option of `Engine`. */
function placeOf(store, options) {
  if (/^postgres(ql)?:\/\//.test(store?.href ?? store)) return { driver: postgresDriver(store, options) };
  if (typeof store === "string") return { driver: sqliteDriver(store.replace(/^sqlite:/, ""), options) };
  if (store !== null && typeof store === "object") {
    if ("href" in store) return { driver: sqliteDriver(fileURLToPath(store.href), options) };
    return "transaction" in store ? { driver: store } : { storage: store };
  }
  const accepted = "accepted: the path of a SQLite file, sqlite:PATH, postgres://…, a driver or a storage";
  throw new ThroughlineError(`\`store\` is missing; ${accepted}`, "argument_invalid", "store");
}
