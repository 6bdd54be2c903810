// The SQLite drivers of Node, each over every SQLite library that this process has.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";
import { sqliteSchema, ThroughlineError } from "throughline";
import { runStorageConformance } from "throughline/conformance";
import { createHost, ingestFile, sqliteDriver } from "throughline-node";
import { plantedSecrets, writeSampleSession } from "../fixtures/sample-session.mjs";
import { libraries } from "./sqlite-libraries.mjs";
import { steadyClock } from "./storages.mjs";

const folder = mkdtempSync(join(tmpdir(), "throughline-sqlite-"));
after(() => rmSync(folder, { recursive: true }));
let made = 0;
const place = (name = "store.db") => {
  const own = join(folder, `${made++}`);
  mkdirSync(own);
  return join(own, name);
};
const session = { harness: "my-harness", key: "s1" };
const failed = ({ cases }) => cases.filter(({ outcome }) => outcome !== "passed");

assert.ok(Object.keys(libraries).length > 0, "neither better-sqlite3 nor node:sqlite is there");

for (const [library, bare] of Object.entries(libraries)) {
  const open = (path, options) => sqliteDriver(path, { library, ...options });

  test(`${library}: the driver conforms, on a used store too`, async () => {
    const path = place();
    for (const seed of ["first", "second"]) {
      const report = await runStorageConformance(() => open(path), { seed, reopens: true, shares: true, inspects: true });
      assert.deepEqual(failed(report), []);
      assert.ok(report.cases.length >= 25, `${report.cases.length} cases`);
    }
  });

  test(`${library}: an engine over it keeps everything, and close() waits for what is on its way`, async () => {
    const path = place();
    const engine = createHost({ store: open(path), clock: steadyClock() });
    const prompts = Array.from({ length: 20 }, (_, number) => engine.submitPrompt(session, `prompt ${number}`));
    await engine.close();
    await Promise.all(prompts);
    await assert.rejects(engine.submitPrompt(session, "late"), { code: "freed" });
    assert.deepEqual(readdirSync(join(path, "..")), ["store.db"], "the log was folded into the file");
    const again = createHost({ store: pathToFileURL(path) });
    const { messages } = await again.promptObject(session);
    assert.equal(messages.length, 20);
    await again.close();
    await again.close();
  });

  test(`${library}: the files are private, marked and durable`, () => {
    const path = join(place(), "new", "deeper", "store.db");
    const driver = open(path);
    assert.equal(driver.path, path);
    const mode = (file) => statSync(file).mode & 0o777;
    if (process.platform !== "win32") {
      assert.equal(mode(join(path, "..")), 0o700);
      assert.equal(mode(join(path, "..", "..")), 0o700);
      for (const file of readdirSync(join(path, ".."))) assert.equal(mode(join(path, "..", file)), 0o600, file);
    }
    assert.equal(readFileSync(path).readInt32BE(68), sqliteSchema().applicationId, "in the file, not in a log");
    const other = bare(path);
    assert.equal(Object.values(other.prepare("PRAGMA journal_mode").get())[0], "wal");
    other.close();
    driver.close();
    driver.close();
    assert.throws(() => driver.query({ sql: "SELECT 1", params: [], rows: null, what: "" }), {
      code: "storage_unavailable",
      message: `the storage is not available: ${path} was closed`,
    });
  });

  test(`${library}: what is not a store of ours is left alone, to the byte`, () => {
    const foreign = (name, sql) => {
      const path = place(name);
      const other = bare(path);
      other.exec(sql);
      other.close();
      return path;
    };
    const text = (name, bytes) => {
      const path = place(name);
      writeFileSync(path, bytes);
      return path;
    };
    const newer = place("newer.db");
    open(newer).close();
    const bytes = readFileSync(newer);
    bytes[63] = 99;
    writeFileSync(newer, bytes);
    for (const [path, code, words] of [
      [text("a.db", "not a database"), "storage_foreign", /a\.db is no SQLite database$/],
      [text("b.db", Buffer.alloc(4096)), "storage_foreign", /b\.db is no SQLite database$/],
      [foreign("c.db", "CREATE TABLE sessions (id TEXT)"), "storage_foreign", /another program \(application id 0\)$/],
      [foreign("d.db", "PRAGMA application_id = 7"), "storage_foreign", /another program \(application id 7\)$/],
      [newer, "schema_newer", /^the store has schema 99, this version reads up to \d+/],
    ]) {
      const before = readFileSync(path);
      for (let time = 0; time < 2; time += 1) {
        assert.throws(() => open(path), (error) => {
          assert.ok(error instanceof ThroughlineError);
          assert.equal(error.code, code);
          assert.match(error.message, words);
          return true;
        });
      }
      assert.deepEqual(readFileSync(path), before);
      assert.equal(readdirSync(join(path, "..")).length, 1);
    }
  });

  test(`${library}: places that cannot hold a store`, () => {
    const file = place("file");
    writeFileSync(file, "text");
    for (const [path, words] of [
      [folder, "is a folder"],
      ["/proc/x.db", "cannot make /proc/x.db: no such file or directory"],
      ["/dev/null", "is no regular file"],
      [join(file, "x.db"), "not a directory"],
    ]) {
      assert.throws(() => open(path), (error) => {
        assert.equal(error.code, "storage_unavailable", path);
        assert.ok(error.message.includes(words), error.message);
        return true;
      });
    }
    for (const path of [undefined, "", 7]) assert.throws(() => open(path), { code: "argument_invalid", path: "path" });
    assert.throws(() => open(file, { wait: -1 }), { code: "argument_invalid", path: "wait" });
    assert.throws(() => open(file, { library: "x" }), { code: "argument_invalid", path: "library" });
    if (process.getuid?.() !== 0) {
      const path = place();
      open(path).close();
      chmodSync(path, 0o400);
      assert.throws(() => open(path), { code: "storage_unavailable" });
    }
  });

  test(`${library}: names that mean something to SQLite are names`, () => {
    for (const name of [":memory:", "file:x.db?mode=memory", "a b%20c?.db", "été.db"]) {
      const path = place(name);
      open(path).close();
      assert.ok(statSync(path).size > 4096, name);
    }
  });

  test(`${library}: another writer is waited for, then the store is locked; reads go on`, async () => {
    const path = place();
    const engine = createHost({ store: open(path, { wait: 100 }) });
    await engine.submitPrompt(session, "one");
    const other = bare(path);
    other.exec("BEGIN IMMEDIATE");
    await assert.rejects(engine.submitPrompt(session, "two"), (error) => {
      assert.equal(error.code, "storage_locked");
      assert.equal(error.path, "driver.transaction");
      assert.equal(error.message, "the storage is locked by another writer: database is locked");
      return true;
    });
    assert.equal((await engine.sessions()).sessions[0].messages, 1);
    assert.throws(() => open(join(path, "..", "store.db"), { wait: 0 }).transaction(
      { sql: "SELECT 1", params: [], rows: null, what: "" }, []), { code: "storage_locked" });
    other.exec("ROLLBACK");
    other.close();
    await engine.submitPrompt(session, "two");
    assert.equal((await engine.promptObject(session)).messages.length, 2);
    await engine.close();
  });

  test(`${library}: a damaged store is named as such, and nothing of it is quoted`, async () => {
    const path = place();
    const engine = createHost({ store: open(path) });
    for (let number = 0; number < 20; number += 1) await engine.submitPrompt(session, `${number} ${"text ".repeat(500)}`);
    await engine.close();
    const whole = readFileSync(path);
    const read = async (bytes) => {
      writeFileSync(path, bytes);
      const broken = createHost({ store: open(path) });
      try {
        await broken.promptObject(session);
      } finally {
        await broken.close();
      }
    };
    await read(whole);
    const garbled = Buffer.from(whole);
    garbled.fill(0xa5, 4096);
    for (const bytes of [whole.subarray(0, whole.length / 2), garbled]) {
      await assert.rejects(read(bytes), { code: "storage_corrupt" });
    }
    writeFileSync(path, whole);
    const other = bare(path);
    other.exec(`UPDATE messages SET body = '{"id":"private"}'`);
    other.close();
    await assert.rejects(read(readFileSync(path)), (error) => {
      assert.equal(error.code, "storage_corrupt");
      assert.ok(!error.message.includes("private"), error.message);
      return true;
    });
  });

  test(`${library}: none of the planted secrets is in the files`, async () => {
    const path = place();
    const log = place("sample.jsonl");
    writeSampleSession(log);
    const engine = createHost({ store: open(path) });
    const report = await ingestFile(engine, log);
    assert.ok(report.findings >= plantedSecrets.length);
    const files = () => readdirSync(join(path, "..")).map((name) => readFileSync(join(path, "..", name)));
    for (const bytes of [...files(), ...(await engine.close(), files())]) {
      for (const { name, fragments } of plantedSecrets) {
        for (const fragment of fragments) assert.ok(!bytes.includes(fragment), name);
      }
    }
  });

  test(`${library}: a process that is killed loses nothing that was acknowledged`, async () => {
    const path = place();
    const program = `
      import { createHost, sqliteDriver } from "throughline-node";
      const engine = createHost({ store: sqliteDriver(${JSON.stringify(path)}, { library: ${JSON.stringify(library)} }) });
      for (let number = 0; ; number += 1) {
        await engine.submitPrompt(${JSON.stringify(session)}, "prompt " + number);
        process.stdout.write(number + "\\n");
      }`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname });
    let said = "";
    for await (const piece of child.stdout) {
      said += piece;
      if (said.split("\n").length > 30) break;
    }
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    const acknowledged = said.split("\n").length - 1;
    const engine = createHost({ store: open(path) });
    const texts = (await engine.promptObject(session)).messages.map(({ parts }) => parts[0].text);
    assert.ok(texts.length >= acknowledged, `${texts.length} of ${acknowledged}`);
    assert.deepEqual(texts, texts.map((_, number) => `prompt ${number}`));
    await engine.close();
  });
}

test("a store is asked for by name", () => {
  assert.throws(() => createHost(), { code: "argument_invalid", path: "store" });
  assert.throws(() => createHost({ store: join(folder, "x.db"), continuity: { interval: 1 } }), { code: "continuity_invalid" });
  assert.throws(() => createHost({ store: { transaction() {} } }), { code: "host_invalid", path: "driver.query" });
});
