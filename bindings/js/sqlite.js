// What the core tells a driver of SQLite, so that nothing is decided twice.
import { core } from "./core.js";

export function sqliteSchema() {
  return core().sqliteSchema();
}

export const sqliteRules = Object.freeze({
  judge: (path, head, logged) => core().sqliteJudge(path, head, logged),
  found: (applicationId, userVersion, tables) => core().sqliteFound(applicationId, userVersion, tables),
  journal: (fileSystem) => core().sqliteJournal(fileSystem),
  refusal: (why, path, cause) => core().sqliteRefusal(why, path, cause?.code, cause?.message),
  fault(thrown) {
    const fault = core().sqliteFault(thrown);
    const { busy, error } = fault;
    fault.free();
    return { busy, error };
  },
});
