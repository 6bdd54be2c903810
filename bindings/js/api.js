// The public names, the same for every entry.
import { core } from "./core.js";

export { ResponseStream, readResponse, renderPrompt, responseRows } from "./answer.js";
export { Conversation, explain } from "./conversation.js";
export { Engine } from "./engine.js";
export { ThroughlineError } from "./error.js";
export { postgresRules } from "./postgres.js";
export { Redactor, redact, rules } from "./redactor.js";
export { sqliteRules, sqliteSchema } from "./sqlite.js";

export function version() {
  return core().version();
}

export function digest(checkpoint) {
  return core().digest(checkpoint);
}

export function recoveryText(checkpoint, options) {
  return core().recoveryText(checkpoint, options);
}

export function assemblePrompt(input, options) {
  return core().assemblePrompt(input, options);
}

export function resolveOptions(layers) {
  return core().resolveOptions(layers);
}

export function foldConversation(input, options) {
  return core().foldConversation(input, options);
}

export function resolveContinuity(config) {
  return core().resolveContinuity(config);
}

export function storageKey(session) {
  return core().storageKey(session);
}
