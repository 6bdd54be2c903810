// What the core tells a driver of PostgreSQL, so that nothing is decided twice.
import { core } from "./core.js";

export const postgresRules = Object.freeze({
  texts: () => core().postgresTexts(),
  address: (url, environment) => core().postgresAddress(url, environment),
  translate: (sql) => core().postgresTranslate(sql),
  begin: (wait) => core().postgresBegin(wait),
  judge: (look) => core().postgresJudge(look),
  found: (mark) => core().postgresFound(mark),
  upgrade: (found) => core().postgresUpgrade(found),
  next(thrown, attempt) {
    const next = core().postgresNext(thrown, attempt);
    const { pause, unsettled, error } = next;
    next.free();
    return { pause, unsettled, error };
  },
});
