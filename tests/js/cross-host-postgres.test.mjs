// The native command and the one of Node on one database of PostgreSQL, and beside a SQLite file: the same
// arguments give the same bytes and the same exit status, whichever of them wrote.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { call, names, start } from "./hosts.mjs";
import { log as prompts } from "./logs.mjs";
import { missing, startServer } from "./postgres-server.mjs";
import { plantedSecrets, sampleSession } from "../fixtures/sample-session.mjs";

const NOW = ["--now", "2026-03-10T12:00:00Z"];
const folder = mkdtempSync(join(tmpdir(), "throughline-hosts-"));
after(() => rmSync(folder, { recursive: true }));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const log = (key, length) => prompts(key, length, (number) => `prompt ${number} of ${key}: é 漢字 🎈`);

/** Both hosts on the same arguments: equal to the byte. */
function same(words, options) {
  const [one, other] = names.map((host) => call(host, words, options));
  const shown = `throughline ${words.join(" ")}`;
  assert.equal(other.stderr, one.stderr, shown);
  assert.equal(other.stdout.toString("latin1"), one.stdout.toString("latin1"), shown);
  assert.equal(other.exit, one.exit, shown);
  assert.ok(!/panicked|at .*\.m?js:\d|p@ss|p%40ss|hunter2/.test(one.stderr + one.stdout), `${shown}: ${one.stderr}`);
  return { ...one, stdout: one.stdout.toString() };
}

describe("two hosts on one database", { skip: missing }, () => {
  let server;
  const samples = {};
  before(async () => {
    server = await startServer();
    samples.sample = file("sample.jsonl", sampleSession());
    samples.short = file("short.jsonl", log("short", 5));
  });
  after(() => server.stop());

  /** What is asked of every store, and the answers. */
  const questions = (session, checkpoints) => [
    ["sessions"], ["sessions", "--limit", "1"], ["sessions", "--project", "/home/ada/app"], ["checkpoints"], ["checkpoints", session],
    ...checkpoints.map((id) => ["show", id]), ["show", "01890a5d-ac96-774b-bcce-b302099a8057"],
    ["recover"], ["recover", "--session", session], ["recover", "--session", "nobody"], ["recover", "--project", "/home/dev/parcel", "--budget", "300"],
    ["prompt", session], ["prompt", session, "--format", "anthropic"], ["prompt", "short", "--agent", ""], ["prompt", "none"],
  ];

  for (const writer of names) {
    const reader = names.find((name) => name !== writer);

    test(`what ${writer} wrote, both read alike, and ${reader} goes on with it`, () => {
      const name = `by_${writer}`;
      const store = ["--store", server.database(name)];
      const wrote = call(writer, ["ingest", samples.sample, samples.short, "--json", ...store, ...NOW]);
      assert.equal(wrote.exit, 0, wrote.stderr);
      const reports = JSON.parse(wrote.stdout);
      const sqlite = ["--store", `sqlite:${join(folder, `${name}.db`)}`];
      const beside = JSON.parse(call(writer, ["ingest", samples.sample, samples.short, "--json", ...sqlite, ...NOW]).stdout);
      const ids = (list) => list.map(({ checkpoint }) => checkpoint);
      for (const words of questions(reports[0].session, ids(reports))) {
        // The text of every other one: each is a process or three.
        for (const form of words.length % 2 ? [["--json"]] : [[]]) {
          const answer = same([...words, ...form, ...store, ...NOW]);
          // The same log in a file says the same, but for the ids that each made of its own.
          const other = words.map((word) => (ids(reports).includes(word) ? ids(beside)[ids(reports).indexOf(word)] : word));
          const inFile = call(writer, [...other, ...form, ...sqlite, ...NOW]);
          const plain = (text, own) => own.reduce((text, id, number) => text.replaceAll(id, `<${number}>`), text);
          if (words[0] !== "checkpoints") assert.equal(plain(answer.stdout, ids(reports)), plain(inFile.stdout.toString(), ids(beside)), words.join(" "));
        }
      }
      const again = JSON.parse(call(reader, ["ingest", samples.sample, "--json", ...store, ...NOW]).stdout);
      assert.deepEqual([again[0].added, again[0].checkpoint], [0, null]);
      const grown = JSON.parse(call(reader, ["ingest", file("grown.jsonl", log("short", 8)), "--json", ...store, ...NOW]).stdout);
      assert.deepEqual([grown[0].added, grown[0].unchanged], [3, 5]);
      same(["prompt", "short", ...store, ...NOW]);
      const tables = ["sessions", "messages", "parts", "boundaries", "checkpoints"];
      const all = server.askIn(name, tables.map((table) => `SELECT * FROM ${table};`).join("\n"));
      for (const { name: secret, fragments } of plantedSecrets) {
        for (const fragment of fragments) assert.ok(!all.includes(fragment), secret);
      }
    });
  }

  test("the doctor says schema and size alike, and that there is no store yet", () => {
    const store = ["--store", server.database("doctor")];
    const none = JSON.parse(same(["doctor", "--json", ...store, ...NOW]).stdout);
    assert.deepEqual([none.ok, none.schema, none.bytes], [true, null, 0]);
    assert.equal(call("native", ["ingest", samples.sample, ...store, ...NOW]).exit, 0);
    // So that the server has no reason to do it between the two.
    server.askIn("doctor", "VACUUM ANALYZE;");
    const report = JSON.parse(same(["doctor", "--json", ...store, ...NOW]).stdout);
    assert.deepEqual([report.ok, report.schema], [true, 1]);
    const counted = "SELECT SUM(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;";
    assert.equal(report.bytes, Number(server.askIn("doctor", counted)));
    assert.match(same(["doctor", ...store, ...NOW]).stdout, /postgres:\/\/postgres@[^ ]*\/doctor, schema 1\n/);
  });

  test("what both wrote at once is there once", async () => {
    const store = ["--store", server.database("together")];
    const shared = file("all.jsonl", log("all", 40));
    const runs = ["native", "node", "native", "node"].map(async (host, number) => {
      const own = file(`own-${number}.jsonl`, log(`own-${number}`, 20));
      return [await start(host, ["ingest", shared, "--json", ...store]), await start(host, ["ingest", own, "--json", ...store])];
    });
    const done = (await Promise.all(runs)).flat();
    assert.deepEqual(done.filter(({ exit }) => exit !== 0), []);
    const added = done.map(({ stdout }) => JSON.parse(stdout)[0].added);
    assert.equal(added.reduce((sum, count) => sum + count, 0), 40 + 4 * 20);
    const counts = JSON.parse(same(["sessions", "--json", ...store, ...NOW]).stdout).map(({ session, messages }) => [session, messages]);
    assert.deepEqual(counts.sort(), [["all", 40], ...[0, 1, 2, 3].map((number) => [`own-${number}`, 20])]);
  });

  test("the store is named by the environment too, and the password stands in no command", () => {
    const address = server.database("named").replace(/:[^:@/]*@/, "@");
    const env = { THROUGHLINE_STORE: address, PGPASSWORD: "p@ss/word?" };
    assert.equal(same(["sessions"], { env }).stderr, `no sessions in postgres://postgres@127.0.0.1:${server.port}/named\n`);
    same(["sessions"], { env: { THROUGHLINE_STORE: address } });
    assert.equal(call("node", ["ingest", samples.short, ...NOW], { env }).exit, 0);
    assert.equal(JSON.parse(same(["sessions", "--json", ...NOW], { env }).stdout).length, 1);
  });

  test("databases that cannot be used are refused alike", () => {
    const foreign = server.database("foreign_one");
    server.askIn("foreign_one", "CREATE TABLE sessions (id int);");
    const newer = server.database("newer");
    call("native", ["ingest", samples.short, "--store", newer, ...NOW]);
    server.askIn("newer", "UPDATE throughline SET schema = 99;");
    server.askIn("postgres", "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0;");
    for (const [store, code] of [
      [foreign, "storage_foreign"], [newer, "schema_newer"], [server.address("latin"), "storage_unavailable"],
      [server.address("none"), "storage_unavailable"], ["postgres://ada:hunter2@127.0.0.1:1/x", "storage_unavailable"],
      ["postgres://ada:hunter2@no-such-host.invalid/x", "storage_unavailable"], ["postgres://ada:hunter2@%2Fnone/x", "storage_unavailable"],
      [`postgres://postgres:hunter2@127.0.0.1:${server.port}/x`, "storage_unavailable"],
      [`postgres://postgres@127.0.0.1:${server.port}/x`, "storage_unavailable"],
    ]) {
      for (const words of [["sessions"], ["sessions", "--json"], ["ingest", samples.short]]) {
        const { exit, stderr } = same([...words, "--store", store, ...NOW]);
        assert.deepEqual([exit, stderr.split(": ")[1]], [3, code], stderr);
      }
    }
    for (const store of ["postgres://", "postgres://ada:hun#ter2@h", "postgres:hunter2", "postgres://u@h/d?odd=hunter2"]) {
      const { exit, stderr } = same(["sessions", "--store", store], { env: { USER: "", PGUSER: "" } });
      assert.deepEqual([exit, stderr.split(": ")[1]], [2, "store_invalid"], stderr);
    }
  });
});
