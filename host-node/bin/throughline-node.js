#!/usr/bin/env node
import { main } from "../src/cli.js";

await main();
