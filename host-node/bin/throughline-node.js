#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// A hook is over before code that is compiled a second time, for speed, would be of use, and the process would wait
// for that before it ends. Said before the module is loaded.
if (process.argv.includes("hook")) setFlagsFromString("--liftoff-only");

const { main } = await import("../src/cli.js");
await main();
