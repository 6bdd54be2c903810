// What a host on Node injects, and engines with all of it.
export { createEngine, createHost, ingestFile } from "./engine.js";
export { postgresDriver } from "./postgres/driver.js";
export { sqliteDriver } from "./sqlite/driver.js";
export { systemClock, systemEntropy } from "./system.js";
