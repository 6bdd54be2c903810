// The SQLite libraries that are there for this process: by name, a function that opens a bare connection.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const open = {
  "better-sqlite3": () => {
    const Database = require("better-sqlite3");
    new Database(":memory:").close();
    return (path) => new Database(path);
  },
  "node:sqlite": () => {
    const { DatabaseSync, StatementSync } = require("node:sqlite");
    if (!StatementSync.prototype.setReturnArrays) throw new Error("too old");
    return (path) => new DatabaseSync(path);
  },
};

export const libraries = {};
for (const [name, load] of Object.entries(open)) {
  try {
    libraries[name] = load();
  } catch {
    // Not in this version of Node, or not compiled for it.
  }
}

/** Opens a bare connection with any of them. */
export function bare(path) {
  return Object.values(libraries)[0](path);
}
