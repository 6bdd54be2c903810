import assert from "node:assert/strict";
import { test } from "node:test";
import { ThroughlineError } from "throughline";

test("an error carries its code, path, details and cause, and prints as a ThroughlineError", () => {
  const cause = new Error("disk full");
  const error = new ThroughlineError("the storage failed", "storage_unavailable", "storage.commit", cause);
  assert.equal(error.code, "storage_unavailable");
  assert.equal(error.path, "storage.commit");
  assert.equal(error.details, cause);
  assert.equal(error.cause, cause);
  assert.equal(String(error), "ThroughlineError: the storage failed");
  assert.match(error.stack, /^ThroughlineError: the storage failed/);
  assert.deepEqual(Object.keys(error), ["code", "path", "details"]);
});

test("plain details are no cause", () => {
  const error = new ThroughlineError("no", "conflict", undefined, { version: 3 });
  assert.deepEqual(error.details, { version: 3 });
  assert.equal("cause" in error, false);
});
