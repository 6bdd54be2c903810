// The PostgreSQL driver of Node.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { postgresRules, storageKey, ThroughlineError } from "throughline";
import { runStorageConformance } from "throughline/conformance";
import { createHost, postgresDriver } from "throughline-node";
import { cuttingProxy } from "./cutting-proxy.mjs";
import { missing, startServer } from "./postgres-server.mjs";
import { steadyClock } from "./storages.mjs";

const pg = createRequire(import.meta.url)("pg");
const session = { harness: "my-harness", key: "s1" };
const failed = ({ cases }) => cases.filter(({ outcome }) => outcome !== "passed");
const textsOf = async (engine, of = session) => (await engine.promptObject(of)).messages.map(({ parts }) => parts[0].text);

test("addresses are read alike on all hosts, and what is wrong with one is said without it", () => {
  const { shown, password, port, connectMillis } = postgresRules.address("postgresql://h/d?connect_timeout=3", { PGUSER: "ada", PGPASSWORD: "pw" });
  assert.deepEqual([shown, password, port, connectMillis], ["postgres://ada@h:5432/d", "pw", 5432, 3000]);
  for (const url of ["postgres://ada:hun?ter2@h", "postgres://ada:hunter2@h/d?x=hunter2", "mysql://hunter2@h", 7]) {
    assert.throws(() => postgresDriver(url), (error) => {
      assert.ok(error instanceof ThroughlineError);
      assert.deepEqual([error.code, error.path], ["store_invalid", "store"]);
      assert.ok(!/hun|ter2/.test(`${error.stack}`.split("\n    at")[0]), error.message);
      return true;
    });
  }
  for (const options of [{ wait: -1 }, { wait: 1.5 }, { connections: 0 }]) {
    assert.throws(() => postgresDriver("postgres://u@h", options), { code: "argument_invalid", path: Object.keys(options)[0] });
  }
});

test("what an error means", () => {
  const attempt = { moment: "writing", tries: 0, waited: 0, wait: 1000, unsettled: false, spread: 0 };
  const next = (thrown, more) => postgresRules.next({ message: "words", ...thrown }, { ...attempt, ...more });
  assert.deepEqual(next({ state: "40001" }), { pause: 0, unsettled: false, error: undefined });
  assert.equal(next({ state: "40001" }, { waited: 1000 }).error.code, "storage_locked");
  assert.deepEqual(next({ name: "ECONNRESET" }, { moment: "committing" }), { pause: 0, unsettled: true, error: undefined });
  assert.equal(next({ name: "ECONNRESET" }, { unsettled: true, waited: 1000 }).error.code, "outcome_unknown");
  assert.match(next({ name: "ECONNREFUSED" }, { moment: "opening" }).error.message, /cannot connect to the server: connection refused$/);
  assert.throws(() => next({}, { moment: "odd" }), { code: "argument_invalid", path: "moment" });
});

describe("with a server", { skip: missing }, () => {
  let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  const open = async (url, options) => {
    const driver = postgresDriver(url, options);
    try {
      await driver.open();
    } catch (error) {
      await driver.close();
      throw error;
    }
    return driver;
  };

  test("the driver conforms, on a used store and behind a pool of the host too", async () => {
    const url = server.database("conformance");
    const opened = [];
    for (const seed of ["first", "second"]) {
      const report = await runStorageConformance(() => opened[opened.push(postgresDriver(url)) - 1], { seed, reopens: true, shares: true, inspects: true });
      assert.deepEqual(failed(report), []);
      assert.ok(report.cases.length >= 25, `${report.cases.length} cases`);
    }
    const pool = new pg.Pool({ connectionString: url });
    const report = await runStorageConformance(() => postgresDriver(pool), { seed: "third", reopens: true, shares: true, inspects: true });
    assert.deepEqual(failed(report), []);
    await postgresDriver(pool).close();
    assert.equal((await pool.query("SELECT 1")).rowCount, 1, "the host's pool is the host's to close");
    await pool.end();
    for (const driver of opened) await driver.close();
  });

  test("an engine over it keeps everything, and close() waits for what is on its way", async () => {
    const url = server.database("kept");
    const engine = createHost({ store: url, clock: steadyClock() });
    const prompts = Array.from({ length: 20 }, (_, number) => engine.submitPrompt(session, `prompt ${number}`));
    await engine.close();
    await Promise.all(prompts);
    await assert.rejects(engine.submitPrompt(session, "late"), { code: "freed" });
    const again = createHost({ store: new URL(url) });
    assert.deepEqual(await textsOf(again), Array.from({ length: 20 }, (_, number) => `prompt ${number}`));
    await again.close();
    const driver = await open(url);
    assert.equal(driver.address, `postgres://postgres@127.0.0.1:${server.port}/kept`);
    await driver.close();
    await driver.close();
    await assert.rejects(driver.open(), { code: "storage_unavailable", message: /kept was closed$/ });
  });

  test("what is not ours is left alone, and places that hold no store are named", async () => {
    const foreign = server.database("foreign_one");
    server.askIn("foreign_one", "CREATE TABLE sessions (id int);");
    const newer = server.database("newer");
    await (await open(newer)).close();
    server.askIn("newer", "UPDATE throughline SET schema = 99;");
    for (const lazy of [false, true]) {
      await assert.rejects(open(foreign, { lazy }), { code: "storage_foreign", message: /the schema public of the database holds 1 table of another program/ });
      await assert.rejects(open(newer, { lazy }), { code: "schema_newer", message: /^the store has schema 99/ });
    }
    const engine = createHost({ store: newer });
    await assert.rejects(engine.submitPrompt(session, "one"), { code: "schema_newer" });
    await engine.close();
    for (const [url, words] of [
      ["postgres://ada:hunter2@127.0.0.1:1/x", /cannot connect to the server: connection refused$/],
      ["postgres://ada:hunter2@no-such-host.invalid/x", /the name of the host is not known$/],
      ["postgres://ada:hunter2@%2Fnone/x", /cannot connect to the server: no such socket$/],
      [`postgres://postgres:hunter2@127.0.0.1:${server.port}/x`, /password authentication failed for user "postgres" \(28P01\)$/],
      [`postgres://postgres@127.0.0.1:${server.port}/x`, /the server asks for a password: the address or PGPASSWORD gives it$/],
      [server.address("none"), /database "none" does not exist \(3D000\)$/],
    ]) {
      await assert.rejects(open(url), (error) => {
        assert.equal(error.code, "storage_unavailable");
        assert.match(error.message, words);
        assert.ok(!error.message.includes("hunter2"));
        return true;
      });
    }
  });

  test("a lazy store is made by the first commit", async () => {
    const url = server.database("lazy");
    const driver = await open(url, { lazy: true });
    const engine = createHost({ store: driver });
    assert.deepEqual((await engine.sessions()).sessions, []);
    const tables = () => server.askIn("lazy", "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;").trim();
    assert.equal(tables(), "0");
    await engine.submitPrompt(session, "one");
    assert.notEqual(tables(), "0");
    await engine.close();
  });

  test("another writer is waited for, then the store is locked; reads go on", async () => {
    const url = server.database("held");
    const engine = createHost({ store: url, wait: 300 });
    await engine.submitPrompt(session, "one");
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query({ text: postgresRules.translate(postgresRules.texts().lock), values: [storageKey(session)] });
    await assert.rejects(engine.submitPrompt(session, "two"), { code: "storage_locked", path: "driver.transaction" });
    assert.equal((await engine.sessions()).sessions[0].messages, 1);
    await engine.submitPrompt({ ...session, key: "s2" }, "another session is free");
    await holder.query("ROLLBACK");
    await holder.end();
    await engine.submitPrompt(session, "two");
    assert.deepEqual(await textsOf(engine), ["one", "two"]);
    await engine.close();
  });

  test("four processes at once: no error, nothing lost, order kept", async () => {
    const url = server.database("hosts");
    const program = `
      import { createHost } from "throughline-node";
      const [url, name] = process.argv.slice(1);
      const engine = createHost({ store: url });
      for (let number = 0; number < 50; number += 1) {
        for (const key of ["all", name]) await engine.submitPrompt({ harness: "test", key }, name + " " + number);
      }
      await engine.close();`;
    const begun = performance.now();
    const exits = await Promise.all(["a", "b", "c", "d"].map((name) => new Promise((resolve) => {
      const args = ["--input-type=module", "-e", program, url, name];
      const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });
      child.on("close", resolve);
    })));
    const seconds = (performance.now() - begun) / 1000;
    assert.deepEqual(exits, [0, 0, 0, 0]);
    const engine = createHost({ store: url });
    const all = await textsOf(engine, { harness: "test", key: "all" });
    assert.equal(all.length, 200);
    for (const name of ["a", "b", "c", "d"]) {
      const sent = Array.from({ length: 50 }, (_, number) => `${name} ${number}`);
      assert.deepEqual(all.filter((text) => text.startsWith(name)), sent);
      assert.deepEqual(await textsOf(engine, { harness: "test", key: name }), sent);
    }
    await engine.close();
    console.log(`4 processes of Node: 400 prompts in ${seconds.toFixed(1)} s, with their start`);
  });

  /** Lets writers write while trouble goes on; then what is stored must be what was acknowledged. */
  async function through(name, url, trouble) {
    const state = { stop: false, done: 0, errors: [] };
    const writers = ["a", "b", "c"].map(async (name) => {
      const engine = createHost({ store: url });
      const sent = [];
      for (let number = 0; !state.stop; number += 1) {
        try {
          await engine.submitPrompt(session, `${name} ${number}`);
          sent.push(`${name} ${number}`);
          state.done += 1;
        } catch (error) {
          // Three that never rest on one session: the error says that nothing was written, and to try again.
          if (error.code === "contended") number -= 1;
          else state.errors.push(`${error.code}: ${error.message}`);
        }
      }
      await engine.close();
      return sent;
    });
    const cuts = await trouble(state);
    state.stop = true;
    const sent = await Promise.all(writers);
    const engine = createHost({ store: server.address(name) });
    const stored = await textsOf(engine);
    await engine.close();
    assert.deepEqual(state.errors, []);
    for (const own of sent) assert.deepEqual(stored.filter((text) => text[0] === own[0]?.[0]), own);
    assert.equal(stored.length, sent.flat().length, "each is there once");
    assert.ok(cuts > 5 && stored.length > 20, `${cuts} cuts, ${stored.length} prompts`);
    console.log(`${name}: ${cuts} cuts, ${stored.length} prompts, 0 errors, 0 lost, 0 twice`);
  }
  const until = async (seconds, isSo) => {
    const begun = performance.now();
    while (!isSo() && performance.now() - begun < seconds * 1000) await sleep(20);
  };

  test("connections that are cut in the middle of commits", async () => {
    server.database("cut");
    const proxy = await cuttingProxy(server.port);
    await through("cut", server.address("cut", proxy.port), async (state) => {
      proxy.state.cutting = true;
      await until(60, () => proxy.state.cuts >= 60 && state.done >= 60);
      proxy.state.cutting = false;
      return proxy.state.cuts;
    });
    proxy.close();
  });

  test("backends that are terminated, and a server that is started again", async () => {
    const url = server.database("ended");
    await through("ended", url, async (state) => {
      let cuts = 0;
      const one = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ended' ORDER BY (state = 'active') DESC, random() LIMIT 1;";
      for (let round = 0; round < 20; round += 1) {
        cuts += server.askIn("postgres", one).trim() === "t";
        await sleep(30);
      }
      for (const mode of ["fast", "immediate"]) {
        const enough = state.done + 10;
        await until(15, () => state.done >= enough);
        server.end(mode);
        server.begin();
        cuts += 1;
      }
      return cuts;
    });
  });

  test("a connection is encrypted, and to a server that is known", async (t) => {
    const certificate = server.encrypt();
    if (certificate === null) return t.skip("no openssl");
    const url = server.database("encrypted");
    const known = `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`;
    const driver = await open(`${url}?${known}`);
    const ssl = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = 'encrypted';";
    assert.equal(server.askIn("postgres", ssl).trim(), "t");
    await driver.close();
    await assert.rejects(open(`${url}?sslmode=require`), { code: "storage_unavailable", message: /self-signed certificate/ });
    await assert.rejects(open(`${url.replace("127.0.0.1", "localhost")}?${known}`), { code: "storage_unavailable", message: /altnames/ });
  });

  test("a program ends by itself when nothing is left to do", () => {
    const program = `
      import { createHost } from "throughline-node";
      const engine = createHost({ store: process.argv[1] });
      await engine.submitPrompt({ harness: "test", key: "k" }, "one");`;
    const args = ["--input-type=module", "-e", program, server.database("idle")];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, timeout: 20_000, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });
});
