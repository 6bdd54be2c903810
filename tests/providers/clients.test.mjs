// The providers' own clients send what is rendered, to a provider that records it: not a byte is changed, and what the
// clients make of answers and streams is what is read here.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { ResponseStream, assemblePrompt, readResponse, responseRows } from "throughline";
import {
  anthropicEvents, anthropicMessage, geminiChunks, geminiResponse, openaiChunks, openaiCompletion, openaiEvents, openaiResponse,
} from "./answers.mjs";
import { fakeProvider } from "./fake-server.mjs";
import { geminiParameters, isWhole, requests } from "./requests.mjs";

let provider;
let clients;

before(async () => {
  provider = await fakeProvider();
  const options = { apiKey: "none", baseURL: provider.url, maxRetries: 0 };
  clients = {
    anthropic: new Anthropic(options),
    openai: new OpenAI(options),
    google: new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: provider.url } }),
  };
});
after(() => provider.close());

/** By format: an answer, how the client asks for it, and the path that it must go to. */
const ways = {
  anthropic: {
    answer: anthropicMessage,
    send: ({ text, betas }) => {
      const messages = betas.length > 0 ? clients.anthropic.beta.messages : clients.anthropic.messages;
      return messages.create({ ...JSON.parse(text), ...(betas.length > 0 ? { betas } : {}) });
    },
    path: () => /^\/v1\/messages/,
  },
  "openai-responses": {
    answer: openaiResponse,
    send: ({ text }) => clients.openai.responses.create(JSON.parse(text)),
    path: () => /^\/responses$/,
  },
  "openai-chat": {
    answer: openaiCompletion,
    send: ({ text }) => clients.openai.chat.completions.create(JSON.parse(text)),
    path: () => /^\/chat\/completions$/,
  },
  gemini: {
    answer: geminiResponse,
    send: (request) => clients.google.models.generateContent(geminiParameters(request)),
    path: (model) => new RegExp(`/models/${model}:generateContent$`),
  },
};

/** Gemini's client sends settings even where there are none. */
function asSent({ format, text }) {
  return { ...(format === "gemini" ? { generationConfig: {} } : {}), ...JSON.parse(text) };
}

test("what the clients send is what is rendered", async () => {
  const { all } = await requests();
  const sent = all.filter(isWhole);
  assert.ok(sent.length >= 40, `${sent.length} requests`);
  for (const request of sent) {
    const { answer, send, path } = ways[request.format];
    provider.answer = answer;
    provider.recorded = [];
    await send(request);
    const [{ path: found, body, headers }] = provider.recorded;
    assert.match(found, path(request.model), request.name);
    assert.deepEqual(body, asSent(request), request.name);
    if (request.betas.length > 0) assert.equal(headers["anthropic-beta"], request.betas.join(","), request.name);
  }
  console.log(`${sent.length} requests`);
});

const EXPECTED = {
  calls: [{ id: "toolu_1", name: "run", arguments: { a: 1 } }],
  usage: { input_tokens: 5, output_tokens: 7, cache_creation_input_tokens: 10, cache_read_input_tokens: 100 },
  context_tokens: 115,
};

/** Asks through the client, and gives what came over the wire as the client has it. */
async function answered(format) {
  const request = { model: "m", text: '{"max_tokens":1,"messages":[],"input":[],"contents":[{"role":"user","parts":[{"text":"hi"}]}]}', betas: [] };
  provider.answer = ways[format].answer;
  return ways[format].send(request);
}

for (const [format, id, usage] of [
  ["anthropic", "toolu_1", EXPECTED.usage],
  ["openai-responses", "call_1", EXPECTED.usage],
  ["openai-chat", "call_1", EXPECTED.usage],
  ["gemini", "c-1", { ...EXPECTED.usage, input_tokens: 15, cache_creation_input_tokens: 0 }],
]) {
  test(`answers as the client of ${format} gives them are read, become rows, and are sent again as they came`, async () => {
    const answer = await answered(format);
    const response = JSON.parse(readResponse(format, answer));
    assert.deepEqual(response.calls.map(({ block, ...call }) => call), [{ ...EXPECTED.calls[0], id }]);
    assert.deepEqual(response.usage, usage);
    assert.equal(response.context_tokens, EXPECTED.context_tokens);
    assert.deepEqual(response.diagnostics, []);

    // The conversation goes on: the same blocks go back to the provider.
    const at = "2026-01-01T00:00:01Z";
    const user = (id, created_at) => ({
      row: { id, kind: "user", created_at, live: true, rules: 1 }, parts: [{ row: id, index: 0, body: { type: "text", text: "hi" } }],
    });
    const request = { model: "m" };
    const rows = [user("u", "2026-01-01T00:00:00Z")];
    const prompt = JSON.parse(assemblePrompt({ rows, request }));
    rows.push(...JSON.parse(responseRows(format, answer, { prompt, at, ids: ["a", "c"] })));
    const call_id = rows[2].parts[0].body.call_id;
    const content = [{ type: "text", text: "gave" }];
    rows[2].parts.push({ row: "c", index: 1, body: { type: "tool_result", call_id, status: "success", content } });
    const body = JSON.parse(assemblePrompt({ rows: [...rows, user("v", "2026-01-01T00:00:09Z")], request }, { format, cacheMarkers: false }));
    const again = {
      anthropic: () => body.messages[1].content.map((block) => ({ ...block })),
      "openai-responses": () => body.input.slice(1, 4),
      "openai-chat": () => body.messages[1],
      gemini: () => body.contents[1],
    }[format]();
    assert.deepEqual(again, {
      anthropic: anthropicMessage.content.map(({ citations, caller, ...block }) => block),
      "openai-responses": openaiResponse.output.map(({ ...item }) => {
        if (item.type === "function_call") delete item.status;
        if (item.type === "message") item.content = item.content.map(({ logprobs, ...part }) => part);
        return item;
      }),
      "openai-chat": (({ refusal, ...message }) => message)(openaiCompletion.choices[0].message),
      // Its thoughts are for people; what they led to carries the signature.
      gemini: (({ role, parts }) => ({ role, parts: parts.filter(({ thought }) => !thought) }))(geminiResponse.candidates[0].content),
    }[format]);
  });
}

function merged(format, events) {
  const stream = new ResponseStream(format);
  for (const event of events) stream.push(JSON.stringify(event));
  const { response, is_complete, error, diagnostics } = JSON.parse(stream.merged());
  stream.free();
  assert.deepEqual([is_complete, error, diagnostics], [true, null, []], format);
  return response;
}

/** Without what the client adds for its own convenience. */
function plain(value, added) {
  return JSON.parse(JSON.stringify(value, (key, found) => (added.includes(key) ? undefined : found)));
}

test("streams come together as the clients put them together", async () => {
  provider.answer = anthropicEvents;
  const message = await clients.anthropic.messages.stream({ model: "m", max_tokens: 1, messages: [] }).finalMessage();
  assert.deepEqual(merged("anthropic", anthropicEvents), plain(message, ["parsed_output", "_request_id"]));
  assert.deepEqual(merged("anthropic", anthropicEvents), anthropicMessage);

  provider.answer = openaiEvents;
  const response = await clients.openai.responses.stream({ model: "m", input: [] }).finalResponse();
  const added = ["parsed", "parsed_arguments", "output_parsed", "output_text", "_request_id"];
  assert.deepEqual(merged("openai-responses", openaiEvents), plain(response, added));

  provider.answer = openaiChunks;
  provider.ends = "data: [DONE]\n\n";
  const completion = await clients.openai.chat.completions.stream({ model: "m", messages: [] }).finalChatCompletion();
  const ours = merged("openai-chat", openaiChunks);
  const choice = { ...ours.choices[0], logprobs: null };
  assert.deepEqual({ ...ours, choices: [choice] }, { ...openaiCompletion });
  const theirs = plain(completion, ["parsed", "parsed_arguments", "_request_id"]);
  assert.deepEqual(ours.choices[0].message, theirs.choices[0].message);
  provider.ends = undefined;

  provider.answer = geminiChunks;
  const chunks = [];
  for await (const chunk of await clients.google.models.generateContentStream({ model: "m", contents: "hi" })) {
    const { sdkHttpResponse, ...own } = chunk;
    chunks.push(own);
  }
  assert.deepEqual(merged("gemini", chunks), plain(geminiResponse, []));
});
