// The contract of an SQL driver, as the engine holds it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, sqliteRules, sqliteSchema, ThroughlineError } from "throughline";

const session = { harness: "my-harness", key: "s1" };

test("a driver is checked when it is handed over", () => {
  const refused = (options, path) => assert.throws(() => new Engine(options), { code: "host_invalid", path });
  refused({ driver: {} }, "driver.transaction");
  refused({ driver: { transaction() {} } }, "driver.query");
  refused({ driver: 7 }, "driver");
  refused({ driver: { transaction() {}, query() {} }, storage: { commit() {}, read() {} } }, "driver");
});

test("it gets statements, and its rows are read; asynchronous or not", async () => {
  for (const wrap of [(value) => value, async (value) => value]) {
    const seen = [];
    const engine = new Engine({
      driver: {
        query: (statement) => (seen.push(statement), wrap([])),
        transaction: (already, statements) => (seen.push(already, ...statements), wrap({ repeated: false })),
      },
    });
    await engine.submitPrompt(session, "one");
    for (const { sql, params } of seen) {
      assert.equal(sql.split("?").length - 1, params.length, sql);
      assert.ok(params.every((param) => param === null || ["string", "number"].includes(typeof param)));
    }
    assert.match(seen[1].sql, /^INSERT INTO batches/);
    assert.ok(seen.some(({ rows, what }) => rows === 1 && what !== ""));
  }
});

test("what it throws is known by its code, and what it answers is checked", async () => {
  const fails = async (driver, code, path, message) => {
    const engine = new Engine({ driver: { query: () => [], transaction: () => ({}), ...driver } });
    await assert.rejects(engine.submitPrompt(session, "one"), (error) => {
      assert.ok(error instanceof ThroughlineError);
      assert.deepEqual([error.code, error.path], [code, path], error.message);
      assert.match(error.message, message);
      return true;
    });
  };
  const thrown = (code, message = "why") => () => {
    throw Object.assign(new Error(message), { code });
  };
  await fails({ query: () => "rows" }, "storage_corrupt", "driver.query", /a string, expected rows/);
  await fails({ query: () => [7] }, "storage_corrupt", "driver.query", /a number, expected rows/);
  await fails({ query: () => [[1.5]] }, "storage_corrupt", "driver.query", /a number as a column/);
  await fails({ query: () => [[]] }, "storage_corrupt", "driver.query", /0 columns in place of 1/);
  await fails({ query: thrown("ECONNRESET") }, "storage_unavailable", "driver.query", /: why$/);
  await fails({ transaction: thrown("storage_full") }, "storage_full", "driver.transaction", /^the storage is full: why$/);
  await fails({ transaction: () => 7 }, "storage_corrupt", "driver.transaction", /repeated/);
  await fails({ transaction: thrown("conflict") }, "conflict", "driver.transaction", /a precondition does not hold: why$/);
  const newer = () => sqliteRules.found(sqliteSchema().applicationId, 99, 6);
  await fails({ query: newer }, "schema_newer", "driver.query", /^the store has schema 99/);
});

test("an error of the rules says the same again when a driver throws it", async () => {
  const errors = [
    sqliteRules.fault({ code: 5, message: "database is locked" }).error,
    sqliteRules.fault({ code: 26, message: "file is not a database" }).error,
    sqliteRules.fault({ code: 13, message: "database or disk is full" }).error,
    sqliteRules.fault({ code: 778, message: "disk I/O error", sizeLimit: 512 }).error,
    sqliteRules.refusal("make", "/a/b.db", { code: "EACCES", message: "EACCES: permission denied, open 'b.db'" }),
    sqliteRules.refusal("look", "/a/b.db", { code: "EMFILE", message: "EMFILE: too many open files, stat 'b.db'" }),
    sqliteRules.refusal("folder", "/a"),
  ];
  const messages = [];
  for (const error of errors) {
    const engine = new Engine({ driver: { transaction() {}, query: () => Promise.reject(error) } });
    await assert.rejects(engine.sessions(), { code: error.code, message: error.message });
    messages.push(error.message);
  }
  assert.deepEqual(messages, [
    "the storage is locked by another writer: database is locked",
    "the storage gave back a damaged database (file is not a database), expected a sound store",
    "the storage is full: database or disk is full",
    "the storage is full: a write failed, and this process may write files of 512 bytes at most",
    "the storage is not available: cannot make /a/b.db: permission denied",
    "the storage is not available: cannot look at /a/b.db: too many open files",
    "the storage is not available: /a is a folder",
  ]);
});

test("the rules judge files, file systems and faults", () => {
  assert.equal(sqliteRules.judge("x", new Uint8Array(), false), 0);
  assert.throws(() => sqliteRules.judge("x", Buffer.from("text"), false), { code: "storage_foreign" });
  assert.equal(sqliteRules.found(0, 0, 0), 0);
  assert.equal(sqliteRules.journal(), "wal");
  assert.equal(sqliteRules.journal(0x6969), "delete");
  assert.equal(sqliteRules.fault({ code: 5, message: "" }).busy, true);
  assert.equal(sqliteRules.fault({ code: 1034, message: "", commit: true }).error.code, "outcome_unknown");
  assert.throws(() => sqliteRules.refusal("odd", "x"), { code: "argument_invalid", path: "why" });
});
