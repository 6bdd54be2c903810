// What the engine does over a storage of JavaScript.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, ThroughlineError } from "throughline";
import { objectStorage } from "./object-storage.mjs";
import { recorded, steadyClock } from "./storages.mjs";

const session = { harness: "my-harness", key: "s1" };
const secret = ["hunt", "er2!x9"].join("");

const engineOver = (storage = objectStorage()) => new Engine({ storage, clock: steadyClock() });
const texts = ({ messages }) => messages.map(({ parts: [{ text }] }) => text);

test("a prompt is stored scrubbed, and comes back in the next prompt and the recovery text", async () => {
  const storage = recorded(objectStorage());
  const engine = engineOver(storage);
  const effects = await engine.submitPrompt(session, `fix the login, password: ${secret}`, { project: "/home/ada/app" });
  assert.deepEqual(effects.map(({ effect }) => effect), ["row_stored"]);
  assert.deepEqual(effects[0].session, { agent: "", harness: "my-harness", key: "s1" });

  const prompt = await engine.promptObject(session, { request: { model: "m-1", system: ["Be brief."] } });
  assert.deepEqual(texts(prompt), ["fix the login, password: [REDACTED:assignment]"]);
  assert.equal(prompt.messages[0].row, effects[0].row);
  assert.deepEqual(prompt.system, ["Be brief."]);

  const recovered = await engine.recover({ session });
  assert.equal(recovered.found, true);
  assert.equal(recovered.session, "s1");
  assert.match(recovered.text, /fix the login/);
  assert.equal(recovered.chars, [...recovered.text].length);
  assert.deepEqual(recovered.left_out, { prompts: 0, queries: 0, remembers: 0 });
  assert.equal(storage.received.some((text) => text.includes(secret)), false);
});

test("everything that is listed carries the names of the command line", async () => {
  const engine = engineOver();
  await engine.submitPrompt(session, "one", { project: "/home/ada/app" });
  await engine.submitPrompt({ ...session, key: "s2", agent: "reviewer" }, "two");
  const taken = await engine.takeCheckpoint(session, "explicit", { note: "half way" });
  assert.deepEqual(taken, { id: taken.id, reason: null, session: "s1", trigger: "explicit", written: true });
  const again = await engine.takeCheckpoint(session, "periodic");
  assert.deepEqual(again, { id: null, reason: "nothing_new", session: "s1", trigger: "periodic", written: false });

  const first = await engine.sessions({ limit: 1 });
  // A checkpoint that was asked for is activity of its session.
  assert.deepEqual(first.sessions.map(({ session: key, project }) => [key, project]), [["s1", "/home/ada/app"]]);
  const second = await engine.sessions({ limit: 1, cursor: first.next });
  assert.deepEqual(second.sessions.map(({ session: key, agent }) => [key, agent]), [["s2", "reviewer"]]);
  assert.equal(second.next, null);

  const [listed] = await engine.checkpoints(session);
  assert.deepEqual([listed.id, listed.session, listed.trigger, listed.seq], [taken.id, "s1", "explicit", 1]);
  assert.deepEqual(await engine.checkpoints(), [listed]);
  const row = await engine.checkpoint(taken.id);
  assert.equal(row.note, "half way");
  assert.equal([...row.digest].length, listed.digest_chars);
  assert.deepEqual(await engine.findSession("s2"), { agent: "reviewer", harness: "my-harness", key: "s2" });
});

test("without a storage an engine keeps everything in memory, and there may be nothing to recover", async () => {
  const engine = new Engine();
  const nothing = { found: false, session: null, harness: null, agent: null, checkpoint: null, chars: 0, text: "" };
  assert.deepEqual(await engine.recover(), { ...nothing, left_out: { prompts: 0, queries: 0, remembers: 0 } });
  await engine.submitPrompt(session, "one");
  const { sessions } = await engine.sessions();
  assert.ok(Math.abs(Date.parse(sessions[0].started_at) - Date.now()) < 60_000, "the clock is the system's");
  assert.equal((await engine.recover()).found, true);
});

test("two engines over one storage see each other's writes", async () => {
  const storage = objectStorage();
  const [a, b] = [engineOver(storage), engineOver(storage)];
  for (const [engine, text] of [[a, "one"], [b, "two"], [a, "three"]]) await engine.submitPrompt(session, text);
  assert.deepEqual(texts(await b.promptObject(session)), ["one", "two", "three"]);
});

test("a prompt for a provider is the text of a request body, with sorted keys", async () => {
  const engine = engineOver();
  await engine.submitPrompt(session, "hi");
  const tools = [{ name: "run", input_schema: { type: "object" } }];
  const request = { model: "m-1", tools, settings: { max_output_tokens: 100 } };
  const text = await engine.prompt(session, { format: "anthropic", request, cacheMarkers: false });
  assert.equal(
    text,
    '{"max_tokens":100,"messages":[{"content":[{"text":"hi","type":"text"}],"role":"user"}],"model":"m-1",' +
      '"tools":[{"input_schema":{"type":"object"},"name":"run"}]}',
  );
  const long = "12345678901234567890";
  const schema = `{"tools":[{"name":"run","input_schema":{"const":${long}}}]}`;
  assert.match(await engine.prompt(session, { request: schema }), new RegExp(`"const":${long}`));
});

test("clock and entropy may be of any kind that is told, and the entropy makes the ids", async () => {
  const at = "2026-03-10T09:00:00.25Z";
  for (const clock of [() => at, () => Date.parse(at), () => new Date(at)]) {
    const engine = new Engine({ clock, entropy: () => new Uint8Array(16).fill(7) });
    const [{ row }] = await engine.submitPrompt(session, "one");
    const same = new Engine({ clock, entropy: () => Buffer.alloc(16, 7) });
    assert.equal((await same.submitPrompt(session, "one"))[0].row, row);
    assert.equal((await engine.sessions()).sessions[0].started_at, at);
  }
});

test("every wrong argument is named, and rejects rather than throws", async () => {
  const engine = engineOver();
  await engine.submitPrompt(session, "one");
  const cases = [
    [() => engine.submitPrompt(undefined, "x"), "argument_invalid", "session"],
    [() => engine.submitPrompt({ harness: "h" }, "x"), "argument_invalid", "session.key"],
    [() => engine.submitPrompt({ harness: "h", key: 7 }, "x"), "argument_invalid", "session.key"],
    [() => engine.submitPrompt({ harness: "h", key: "k", agnet: "a" }, "x"), "argument_invalid", "agnet"],
    [() => engine.submitPrompt({ harness: "", key: "k" }, "x"), "identifier_invalid", "session.harness"],
    [() => engine.submitPrompt({ harness: "h", key: "a\nb" }, "x"), "identifier_invalid", "session.key"],
    [() => engine.submitPrompt(session), "argument_invalid", "text"],
    [() => engine.submitPrompt(session, " \n"), "empty_message", "text"],
    [() => engine.submitPrompt(session, "x", { projects: "/" }), "argument_invalid", "projects"],
    [() => engine.submitPrompt(session, "x", { project: 7 }), "argument_invalid", "project"],
    [() => engine.submitPrompt(session, "x", { get project() { throw new Error("no"); } }), "argument_invalid", "project"],
    [() => engine.takeCheckpoint(session, "sometimes"), "argument_invalid", "trigger"],
    [() => engine.takeCheckpoint({ ...session, key: "none" }, "explicit"), "session_unknown", "session"],
    [() => engine.sessions({ limit: 0 }), "argument_invalid", "limit"],
    [() => engine.sessions({ limit: 1.5 }), "argument_invalid", "limit"],
    [() => engine.sessions({ cursor: "next" }), "argument_invalid", "cursor"],
    [() => engine.checkpoint("7"), "identifier_invalid", "id"],
    [() => engine.checkpoint("01890a5d-ac96-774b-bcce-b302099a8057"), "checkpoint_unknown", "id"],
    [() => engine.recover({ budget: -1 }), "argument_invalid", "budget"],
    [() => engine.prompt(session, { format: "xml" }), "argument_invalid", "format"],
    [() => engine.prompt(session, { request: "{" }), "json_invalid", "request"],
    [() => engine.prompt(session, { request: { tools: [{ name: "", input_schema: {} }] } }), "request_invalid", "request.tools[0].name"],
    [() => engine.findSession("none"), "session_unknown", "session"],
    [() => engine.ingest(7), "argument_invalid", "log"],
    [() => engine.ingest(""), "log_empty", undefined],
    [() => engine.ingest([7]), "argument_invalid", "log[0]"],
  ];
  for (const [call, code, path] of cases) {
    await assert.rejects(call(), (error) => {
      assert.ok(error instanceof ThroughlineError, `${call}: ${error}`);
      assert.deepEqual([error.code, error.path], [code, path], `${call}: ${error.message}`);
      return true;
    });
  }
  assert.equal((await engine.promptObject(session)).messages.length, 1, "nothing else was stored");
});

test("a secret in an identifier is refused, since identifiers are stored as they are", async () => {
  const key = ["ghp", "012345678901234567890123456789012345"].join("_");
  await assert.rejects(engineOver().submitPrompt({ ...session, key }, "x"), {
    code: "secret_in_identifier",
    path: "session.key",
  });
});
