// Entry for Node: the module is loaded while this file is, without await, so that require() works.
import { readFileSync } from "node:fs";
import { loadNow } from "./core.js";

loadNow(readFileSync(new URL("./throughline.wasm", import.meta.url)));

// There is nothing left to wait for; the same code runs on every platform.
export async function init() {}

export * from "./api.js";
