// A conversation behind a handle: what the vectors say, what it costs, and what it refuses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Conversation, ThroughlineError, assemblePrompt, explain, readResponse, responseRows } from "throughline";

const casesOf = (group) => JSON.parse(readFileSync(new URL(`../vectors/${group}.json`, import.meta.url), "utf8")).cases;
const codesOf = (diagnostics) => diagnostics.map(({ code, row }) => (row === undefined ? code : `${code} ${row}`));

const perform = {
  put: (conversation, row) => conversation.put(row),
  put_all: (conversation, rows) => conversation.putAll(rows),
  hold: (conversation, row, { held }) => conversation.hold(row, held),
  withdraw: (conversation, row, { why }) => conversation.withdraw(row, why),
  remove: (conversation, rows, { why }) => conversation.remove(rows, why),
  apply: (conversation, rows, { after }) => conversation.applySteering(rows, after),
  give_back: (conversation, rows, { after }) => conversation.returnSteering(rows, after),
  boundary: (conversation, boundary) => conversation.setBoundary(boundary),
  request: (conversation, request) => conversation.setRequest(request),
  contexts: (conversation, contexts) => conversation.setContexts(contexts),
};

const performed = (conversation, edit) => {
  const [name] = Object.keys(edit).filter((key) => !["why", "after", "held"].includes(key));
  return perform[name](conversation, edit[name], edit);
};

test("edits are those of the native build", () => {
  const cases = casesOf("prompt_edits");
  assert.ok(cases.length >= 10);
  for (const { id, input, expect } of cases) {
    const conversation = new Conversation(input.start);
    const changes = input.edits.map((edit) => performed(conversation, edit));
    assert.deepEqual(changes, expect.changes, id);
    const { tail_hash, stable_len, stable_hash, diagnostics } = conversation.state();
    const { changes: _, diagnostics: codes, ...hashes } = expect;
    assert.deepEqual({ tail_hash, stable_len, stable_hash }, hashes, id);
    assert.deepEqual(codesOf(diagnostics), codes, id);
  }
});

/** The thinking in a request's body, of any provider. */
function thinkingIn(body) {
  const items = [...(body.messages ?? []), ...(body.contents ?? []), ...(body.input ?? [])];
  const parts = items.flatMap((item) => [item, ...(item.content ?? []), ...(item.parts ?? [])]);
  return parts.filter(({ type, thought }) => thought === true || ["thinking", "redacted_thinking", "reasoning"].includes(type));
}

test("thinking that may not be stored is sent in its round alone", () => {
  const cases = casesOf("prompt_held");
  assert.ok(cases.length >= 10);
  for (const { id, input, expect } of cases) {
    const conversation = new Conversation(input.start);
    for (const [at, step] of input.steps.entries()) {
      const { kept, edit } = performed(conversation, step);
      const { thinking_off, diagnostics } = conversation.state();
      const thinking = thinkingIn(JSON.parse(conversation.prompt({ format: input.api, cacheMarkers: false })));
      const came = { kept, edit, thinking, thinking_off, diagnostics: codesOf(diagnostics) };
      assert.deepEqual(came, expect.steps[at], `${id}, step ${at}`);
      assert.ok(!`${conversation.prompt()}${conversation.messages()}`.includes("hunter2"), id);
    }
    assert.equal(conversation.state().tail_hash, expect.tail_hash, id);
  }
});

test("an answer goes from its provider into memory and rows, and back", () => {
  const secret = "it is password: hunter2";
  const block = { type: "thinking", thinking: secret, signature: "c2ln" };
  const answer = {
    id: "msg_1", model: "m-1", stop_reason: "tool_use", usage: { input_tokens: 1, output_tokens: 1 },
    content: [block, { type: "tool_use", id: "toolu_1", name: "run", input: {} }],
  };
  const asked = { rows: [row("u", "user", 1, "go")], request: { model: "m-1" } };
  const conversation = new Conversation(asked);
  const prompt = JSON.parse(conversation.prompt());
  const { held } = JSON.parse(readResponse("anthropic", answer));
  assert.deepEqual(held, [{ block: 0, pieces: [secret], provider_data: { signature: "c2ln" } }]);
  const text = responseRows("anthropic", answer, { prompt, at: 2000, ids: ["a", "c"] });
  assert.ok(!text.includes("hunter2") && !text.includes("c2ln"));
  conversation.putAll(text);
  assert.equal(conversation.state().thinking_off, true);
  conversation.hold("a", held);
  assert.equal(conversation.state().thinking_off, false);
  const sent = (body) => JSON.parse(body).messages[1].content[0];
  assert.deepEqual(sent(conversation.prompt({ format: "anthropic" })), block);
  const rows = [...asked.rows, ...JSON.parse(text)];
  const again = assemblePrompt({ ...asked, rows, held: { a: held } }, { format: "anthropic" });
  assert.deepEqual(sent(again), block);
});

test("contexts, turns, steering and uploads render as natively", () => {
  for (const { id, input, expect } of casesOf("prompt_rows")) {
    const given = { ...input, rows: JSON.stringify(input.rows) };
    // A number beyond 2^53 would not survive a parser: it is compared by the hash.
    assert.equal(JSON.parse(assemblePrompt(given)).tail_hash, expect.tail_hash, id);
  }
});

test("explanations are those of the native build", () => {
  for (const { id, input, expect } of casesOf("prompt_explain")) {
    const [cached, uncached] = input.prices;
    const prompts = [assemblePrompt(input.previous), assemblePrompt(input.next)];
    assert.deepEqual(explain(...prompts, { provider: input.provider, prices: { cached, uncached } }), expect, id);
    assert.deepEqual(explain(...prompts.map((text) => JSON.parse(text))).first_difference, expect.first_difference, id);
  }
});

const row = (id, kind, second, text) => ({
  row: { id, kind, created_at: new Date(second * 1000).toISOString(), live: true, rules: 1 },
  parts: [{ row: id, index: 0, body: { type: "text", text } }],
});

test("a prompt comes as text, as bytes, and piece by piece", () => {
  const conversation = new Conversation({ rows: [row("u", "user", 1, "hi")] });
  const { kept } = conversation.put(row("a", "assistant", 2, "yes"));
  const [added] = JSON.parse(conversation.messages(kept));
  assert.deepEqual([kept, added.row, added.parts[0].text], [1, "a", "yes"]);
  assert.equal(new TextDecoder().decode(conversation.promptBytes()), conversation.prompt());
  assert.equal(conversation.prompt(), assemblePrompt({ rows: [row("u", "user", 1, "hi"), row("a", "assistant", 2, "yes")] }));
  assert.equal(JSON.parse(conversation.prompt({ format: "anthropic" })).messages.length, 2);
  assert.deepEqual([conversation.rows, conversation.release()], [2, 0]);
  conversation.free();
  conversation.free();
  assert.throws(() => conversation.prompt(), { code: "freed" });
});

test("what is refused leaves everything as it was", () => {
  const conversation = new Conversation({ rows: [row("u", "user", 1, "hi")] });
  const before = conversation.prompt();
  const refused = [
    [() => new Conversation({ rows: 7 }), "argument_invalid", "rows"],
    [() => new Conversation({ rows: [], turn: {} }), "argument_invalid", "turn"],
    [() => new Conversation({ rows: [], retention: { tools: "2h" } }), "argument_invalid", "retention.tools"],
    [() => conversation.put({}), "argument_invalid", "row"],
    [() => conversation.putAll([row("v", "user", 2, "on"), 7]), "argument_invalid", "rows[1]"],
    [() => conversation.hold("nobody", []), "row_unknown", "nobody"],
    [() => conversation.hold("u", ["password: hunter2"]), "argument_invalid", "held"],
    [() => new Conversation({ rows: [], held: { u: "password: hunter2" } }), "argument_invalid", "held"],
    [() => conversation.withdraw("nobody"), "row_unknown", "nobody"],
    [() => conversation.remove(["u", "nobody"], "rewound"), "row_unknown", "nobody"],
    [() => conversation.remove(["u"], "lost"), "argument_invalid", "why"],
    [() => conversation.applySteering(["u"]), "input_state", "u"],
    [() => conversation.setRequest({ models: "m" }), "request_invalid", "request.models"],
    [() => conversation.prompt({ format: "xml" }), "argument_invalid", "format"],
    [() => explain("{", before), "prompt_invalid", "previous.prompt"],
    [() => explain(before, { messages: [{ role: "nobody" }] }), "prompt_invalid", "next.messages[0].role"],
  ];
  for (const [call, code, path] of refused) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof ThroughlineError, `${error}`);
      assert.deepEqual([error.code, error.path], [code, path], error.message);
      assert.ok(!error.message.includes("hunter2"), "what may be a secret is not repeated");
      return true;
    });
  }
  assert.equal(conversation.prompt(), before);
});

test("a getter that calls the conversation disturbs nothing", () => {
  const conversation = new Conversation({ rows: [row("u", "user", 1, "hi")] });
  const second = row("b", "user", 3, "second");
  const meddling = { row: row("a", "user", 2, "first").row, get parts() { conversation.put(second); return row("a", "user", 2, "first").parts; } };
  conversation.put(meddling);
  assert.deepEqual(JSON.parse(conversation.messages()).map(({ row: of }) => of), ["u", "a", "b"]);
});
