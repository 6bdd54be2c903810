// The vectors of the native build, asked through the package: the same bytes must come.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  Engine, ResponseStream, assemblePrompt, digest, readResponse, recoveryText, renderPrompt, responseRows, storageKey,
} from "throughline";
import { objectStorage } from "./object-storage.mjs";

const textOf = (group) => readFileSync(new URL(`../vectors/${group}.json`, import.meta.url), "utf8");
const casesOf = (group) => JSON.parse(textOf(group)).cases;
const codesOf = (diagnostics) => diagnostics.map(({ code, row }) => (row === undefined ? code : `${code} ${row}`));

/**
 * The objects that stand in a text after `start`, up to what closes around them, as they are written:
 * `JSON.parse` would round large numbers.
 */
function objectsAfter(text, start) {
  const objects = [];
  let depth = 0;
  let from = start;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    const at = start + index;
    if (depth === 0 && (token === "]" || token === "}")) break;
    if (depth === 0 && token === "{") from = at;
    depth += { "{": 1, "[": 1, "}": -1, "]": -1 }[token] ?? 0;
    if (depth === 0 && token === "}") objects.push(text.slice(from, at + 1).replaceAll("\n", " "));
  }
  return objects;
}

/** For each case, the objects that stand after a key of its input. */
function objectsOf(group, key) {
  const text = textOf(group);
  return [...text.matchAll(new RegExp(`"${key}":\\s*\\[?(?=\\s*[{\\]])`, "g"))].map(({ index, 0: found }) =>
    objectsAfter(text, index + found.length),
  );
}

test("prompts are those of the native build", () => {
  const cases = casesOf("prompt_assembly");
  assert.ok(cases.length >= 10);
  const requests = objectsOf("prompt_assembly", "request").map(([request]) => request);
  assert.equal(requests.length, cases.length);
  for (const [index, { id, input, expect }] of cases.entries()) {
    const { diagnostics, ...prompt } = JSON.parse(assemblePrompt({ ...input, request: requests[index] }));
    const { diagnostics: codes, ...fields } = expect;
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(prompt[name], value, `${id}: ${name}`);
    assert.deepEqual(codesOf(diagnostics), codes, `${id}: diagnostics`);
  }
});

test("requests to Anthropic are those of the native build", () => {
  const cases = casesOf("prompt_anthropic");
  assert.ok(cases.length >= 2);
  for (const { id, input, expect } of cases) {
    assert.deepEqual(JSON.parse(assemblePrompt(input, { format: "anthropic" })), expect.body, id);
  }
});

for (const format of ["anthropic", "openai-responses", "openai-chat", "gemini"]) {
  test(`requests to ${format} are those of the native build, with their tables`, () => {
    const cases = casesOf(`render_${format.replaceAll("-", "_")}`);
    assert.ok(cases.length >= 8, `${cases.length} cases`);
    for (const { id, input: { api, options, ...input }, expect } of cases) {
      const form = { format: api, cacheMarkers: options.cache_markers, cacheKey: options.cache_key, inlineSystem: options.inline_system, dropStaleThinking: options.drop_stale_thinking };
      const { body, renamed, renamed_tools, betas, diagnostics } = JSON.parse(renderPrompt(input, form));
      const seen = {
        body,
        renamed: renamed.map(({ row, call_id, sent }) => [row, call_id, sent]),
        renamed_tools: renamed_tools.map(({ name, sent }) => [name, sent]),
        betas,
        diagnostics: codesOf(diagnostics),
      };
      assert.deepEqual(seen, expect, id);
      assert.deepEqual(JSON.parse(assemblePrompt(input, form)), body, id);
    }
  });
}

/** What a call gives, or the code and place of its error. */
function outcome(call) {
  try {
    const { diagnostics, ...answer } = JSON.parse(call());
    return { ...answer, diagnostics: codesOf(diagnostics) };
  } catch (error) {
    assert.equal(error.name, "ThroughlineError", String(error));
    return { error: error.code, path: error.path ?? "" };
  }
}

test("answers are read as by the native build", () => {
  const cases = casesOf("render_response");
  assert.ok(cases.length >= 25, `${cases.length} cases`);
  for (const { id, input: { api, response, tools = [] }, expect } of cases) {
    const renamedTools = tools.map(([name, sent]) => ({ name, sent }));
    assert.deepEqual(outcome(() => readResponse(api, response, { renamedTools })), expect, id);
  }
});

test("streams come together as in the native build", () => {
  const cases = casesOf("render_stream");
  assert.ok(cases.length >= 30, `${cases.length} cases`);
  for (const { id, input: { api, events }, expect } of cases) {
    const stream = new ResponseStream(api);
    const merge = () => {
      for (const event of events) stream.push(event);
      return stream.merged();
    };
    assert.deepEqual(outcome(merge), expect, id);
    stream.free();
    assert.throws(() => stream.merged(), { code: "freed" });
  }
});

test("rows, boundary and request may be JSON text, and the text of a prompt has sorted keys", () => {
  for (const { input } of casesOf("prompt_assembly")) {
    const { rows, boundary, request } = input;
    const text = assemblePrompt(input);
    const asText = { rows: JSON.stringify(rows), boundary: boundary && JSON.stringify(boundary), request: JSON.stringify(request) };
    assert.equal(assemblePrompt(asText), text);
    assertSorted(JSON.parse(text));
  }
});

function assertSorted(value) {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) assert.deepEqual(Object.keys(value), Object.keys(value).sort());
  for (const below of Object.values(value)) assertSorted(below);
}

/** The row that a case records; null for cases whose point is how prompts are recorded. */
function rowOf(input) {
  const { prompts = [], queries = [], remembers = [], earlier = 0, key = "k", harness = "claude-code", agent = "" } = input;
  const entries = [...prompts, ...queries, ...remembers, input.context ?? "", input.note ?? ""];
  const plain = (text) => text.length <= 200 && text === text.trim() && !/[\r\n]/.test(text);
  const few = prompts.length <= 10 && queries.length <= 20 && remembers.length <= 10;
  if (!few || !entries.every(plain) || new Set(queries).size !== queries.length) return null;
  const optional = { project: input.project, context: input.context, note: input.note, structural: input.structural };
  return {
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)),
    id: "01890a5d-ac96-774b-bcce-b302099a8057",
    session: { harness, agent, key },
    trigger: input.trigger,
    digest: "",
    prompt_count: prompts.length,
    total_prompts: earlier + prompts.length,
    memory_queries: queries,
    recent_remembers: remembers,
    recent_prompts: prompts.map((text, index) => ({ ordinal: earlier + index + 1, text })),
    started_at: input.started_at,
    created_at: input.created_at,
    seq: 1,
  };
}

test("digests are those of the native build", () => {
  const cases = casesOf("checkpoint_digest").map((of) => [of, rowOf(of.input)]).filter(([, row]) => row);
  assert.ok(cases.length >= 10, `${cases.length} cases`);
  for (const [{ id, expect }, row] of cases) {
    assert.equal(digest(row), expect.digest, id);
    assert.equal(digest(JSON.stringify(row)), expect.digest, id);
  }
});

test("recovery texts are those of the native build", () => {
  const cases = casesOf("checkpoint_recovery").map((of) => [of, rowOf(of.input)]).filter(([, row]) => row);
  assert.ok(cases.length >= 8, `${cases.length} cases`);
  for (const [{ id, input, expect }, row] of cases) {
    const { budget, last_activity: lastActivity, ended } = input;
    assert.deepEqual(recoveryText(row, { budget, lastActivity, ended }), expect, id);
  }
});

test("the texts that stand for sessions are those of the native build", () => {
  const cases = casesOf("identity").filter(({ expect }) => expect.storage_key);
  assert.ok(cases.length >= 3);
  for (const { id, input, expect } of cases) assert.equal(storageKey(input), expect.storage_key, id);
});

for (const [name, storage] of [["in memory", () => undefined], ["in JavaScript", objectStorage]]) {
  test(`a log gives the sessions, digest, recovery and prompt of the native build, with a storage ${name}`, async () => {
    const cases = casesOf("engine_log");
    const logs = objectsOf("engine_log", "lines").map((lines) => lines.join("\n"));
    assert.ok(cases.length >= 2 && logs.length === cases.length);
    for (const [index, { id, input, expect }] of cases.entries()) {
      const engine = new Engine({ storage: storage(), clock: () => input.now });
      const reports = [await engine.ingest(logs[index], { key: "stem" }), await engine.ingest(logs[index], { key: "stem" })];
      const { sessions } = await engine.sessions({ limit: 10 });
      const session = { harness: "claude-code", key: reports[0].session };
      const recovered = await engine.recover({ session, budget: input.budget });
      const prompt = await engine.promptObject(session);
      const seen = {
        added: reports.map(({ added }) => added),
        unchanged: reports.map(({ unchanged }) => unchanged),
        findings: reports[0].findings,
        sessions,
        digest: (await engine.checkpoint(recovered.checkpoint)).digest,
        recovery: recovered.text,
        prompt: Object.fromEntries(Object.keys(expect.prompt).map((name) => [name, prompt[name]])),
      };
      assert.deepEqual(seen, expect, id);
    }
  });
}

test("a row that a host kept is scrubbed again", () => {
  const value = ["hunt", "er2!x9"].join("");
  const [{ input }] = casesOf("checkpoint_digest");
  const row = { ...rowOf(input), context: `password: ${value}`, trigger: "pre_compaction" };
  for (const text of [digest(row), recoveryText(row).text]) {
    assert.equal(text.includes(value), false);
    assert.match(text, /\[REDACTED:/);
  }
});

const ANSWER = { candidates: [{ content: { parts: [{ text: "hi" }] } }] };
const PROMPT = { model: null, fingerprint: "f", tail_hash: "t", boundary: null };

test("what does not read is named", () => {
  const [{ input }] = casesOf("prompt_assembly").filter(({ input: { rows } }) => rows.length > 1);
  const { kind: _, ...headless } = input.rows[1].row;
  const cases = [
    [() => assemblePrompt(undefined), "argument_invalid", "rows"],
    [() => assemblePrompt({ rows: {} }), "argument_invalid", "rows"],
    [() => assemblePrompt({ ...input, rows: [input.rows[0], { ...input.rows[1], row: headless }] }), "argument_invalid", "rows[1]"],
    [() => assemblePrompt({ rows: [], boundary: {} }), "argument_invalid", "boundary"],
    [() => assemblePrompt({ rows: [], request: { models: "m" } }), "request_invalid", "request.models"],
    [() => assemblePrompt({ rows: [], request: 7 }), "request_invalid", "request"],
    [() => assemblePrompt({ rows: [] }, { format: "openai" }), "argument_invalid", "format"],
    [() => assemblePrompt({ rows: [] }, { inlineSystem: ["n", ""] }), "identifier_invalid", "inlineSystem[1]"],
    [() => renderPrompt({ rows: [] }, { format: "neutral" }), "argument_invalid", "format"],
    [() => renderPrompt({ rows: [] }, undefined), "argument_invalid", "format"],
    [() => readResponse("gemini", undefined), "argument_invalid", "response"],
    [() => readResponse("gemini", "{"), "json_invalid", "response"],
    [() => readResponse("gemini", {}, { renamedTools: [{}] }), "argument_invalid", "renamedTools"],
    [() => responseRows("gemini", ANSWER, { prompt: {}, at: 0, ids: ["a"] }), "argument_invalid", "prompt"],
    [() => responseRows("gemini", ANSWER, { prompt: PROMPT, at: 0, ids: [] }), "argument_invalid", "ids"],
    [() => responseRows("gemini", ANSWER, { prompt: PROMPT, at: 0, ids: [""] }), "identifier_invalid", "ids[0]"],
    [() => new ResponseStream("xml"), "argument_invalid", "format"],
    [() => digest(undefined), "argument_invalid", "checkpoint"],
    [() => digest({}), "argument_invalid", "checkpoint"],
    [() => digest("{"), "argument_invalid", "checkpoint"],
    [() => recoveryText(rowOf(casesOf("checkpoint_digest")[0].input), { lastActivity: "soon" }), "timestamp_invalid", "lastActivity"],
    [() => recoveryText(rowOf(casesOf("checkpoint_digest")[0].input), { budget: 0.5 }), "argument_invalid", "budget"],
    [() => storageKey({ harness: "h" }), "argument_invalid", "session.key"],
  ];
  for (const [call, code, path] of cases) {
    assert.throws(call, (error) => {
      assert.equal(error.name, "ThroughlineError", `${call}: ${error}`);
      assert.deepEqual([error.code, error.path], [code, path], `${call}: ${error.message}`);
      return true;
    });
  }
});
