// Whole answers and streams, as the providers' packages type them.

const usage = {
  input_tokens: 5, output_tokens: 7, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, cache_creation: null,
  inference_geo: null, output_tokens_details: null, server_tool_use: null, service_tier: "standard", speed: null,
};

/** @satisfies {import("@anthropic-ai/sdk/resources/messages").Message} */
export const anthropicMessage = {
  id: "msg_1", type: "message", role: "assistant", model: "claude-opus-4-5", container: null, diagnostics: null,
  stop_details: null, stop_reason: "tool_use", stop_sequence: null, usage,
  content: [
    { type: "thinking", thinking: "hm", signature: "c2ln" },
    { type: "text", text: "Hello", citations: null },
    { type: "tool_use", id: "toolu_1", name: "run", input: { a: 1 }, caller: { type: "direct" } },
  ],
};

export const anthropicEvents = [
  { type: "message_start", message: { ...anthropicMessage, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "h" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "m" } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "", citations: null } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hel" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "lo" } },
  { type: "content_block_stop", index: 1 },
  { type: "content_block_start", index: 2, content_block: { ...anthropicMessage.content[2], input: {} } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a":' } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "1}" } },
  { type: "content_block_stop", index: 2 },
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null, container: null, stop_details: null }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];

const reasoning = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "one" }], encrypted_content: "ZW5j" };
const spoken = (text, status = "completed") => ({
  type: "message", id: "msg_1", role: "assistant", status, content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});
const asked = (args, status = "completed") => ({ type: "function_call", id: "fc_1", call_id: "call_1", name: "run", arguments: args, status });

export const openaiResponse = {
  id: "resp_1", object: "response", created_at: 1, model: "gpt-5", status: "completed", error: null, incomplete_details: null,
  instructions: null, metadata: {}, parallel_tool_calls: true, temperature: 1, tool_choice: "auto", tools: [], top_p: 1,
  output: [reasoning, spoken("Hello"), asked('{"a":1}')],
  usage: {
    input_tokens: 115, input_tokens_details: { cached_tokens: 100, cache_write_tokens: 10 }, output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 3 }, total_tokens: 122,
  },
};

let number = 0;
const event = (type, more) => ({ type: `response.${type}`, sequence_number: number++, ...more });
const begun = { ...openaiResponse, status: "in_progress", output: [], usage: null };

export const openaiEvents = [
  event("created", { response: begun }),
  event("output_item.added", { output_index: 0, item: { ...reasoning, summary: [], encrypted_content: null } }),
  event("reasoning_summary_part.added", { item_id: "rs_1", output_index: 0, summary_index: 0, part: { type: "summary_text", text: "" } }),
  event("reasoning_summary_text.delta", { item_id: "rs_1", output_index: 0, summary_index: 0, delta: "one" }),
  event("output_item.done", { output_index: 0, item: reasoning }),
  event("output_item.added", { output_index: 1, item: { ...spoken("", "in_progress"), content: [] } }),
  event("content_part.added", { item_id: "msg_1", output_index: 1, content_index: 0, part: spoken("").content[0] }),
  event("output_text.delta", { item_id: "msg_1", output_index: 1, content_index: 0, delta: "Hel", logprobs: [] }),
  event("output_text.delta", { item_id: "msg_1", output_index: 1, content_index: 0, delta: "lo", logprobs: [] }),
  event("output_text.done", { item_id: "msg_1", output_index: 1, content_index: 0, text: "Hello", logprobs: [] }),
  event("output_item.done", { output_index: 1, item: spoken("Hello") }),
  event("output_item.added", { output_index: 2, item: asked("", "in_progress") }),
  event("function_call_arguments.delta", { item_id: "fc_1", output_index: 2, delta: '{"a":' }),
  event("function_call_arguments.delta", { item_id: "fc_1", output_index: 2, delta: "1}" }),
  event("output_item.done", { output_index: 2, item: asked('{"a":1}') }),
  event("completed", { response: openaiResponse }),
];

export const openaiCompletion = {
  id: "chatcmpl-1", object: "chat.completion", created: 1, model: "gpt-5",
  choices: [{
    index: 0, finish_reason: "tool_calls", logprobs: null,
    message: {
      role: "assistant", content: "Hello", refusal: null,
      tool_calls: [{ id: "call_1", type: "function", function: { name: "run", arguments: '{"a":1}' } }],
    },
  }],
  usage: { prompt_tokens: 115, completion_tokens: 7, total_tokens: 122, prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 10 } },
};

const { choices: _, usage: counted, object: __, ...head } = openaiCompletion;
const chunk = (delta, finish = null) => ({
  ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }], usage: null,
});
const piece = (args, more = {}) => ({ index: 0, ...more, function: { ...more.function, arguments: args } });

export const openaiChunks = [
  chunk({ role: "assistant", content: "", refusal: null }), chunk({ content: "Hel" }), chunk({ content: "lo" }),
  chunk({ tool_calls: [piece("", { id: "call_1", type: "function", function: { name: "run" } })] }),
  chunk({ tool_calls: [piece('{"a":')] }), chunk({ tool_calls: [piece("1}")] }), chunk({}, "tool_calls"),
  { ...head, object: "chat.completion.chunk", choices: [], usage: counted },
];

export const geminiResponse = {
  responseId: "r-1", modelVersion: "gemini-3-pro",
  candidates: [{
    index: 0, finishReason: "STOP",
    content: {
      role: "model",
      parts: [
        { text: "hm", thought: true }, { text: "Hello" },
        { functionCall: { id: "c-1", name: "run", args: { a: 1 } }, thoughtSignature: "c2ln" },
      ],
    },
  }],
  usageMetadata: { promptTokenCount: 105, toolUsePromptTokenCount: 10, cachedContentTokenCount: 100, candidatesTokenCount: 4, thoughtsTokenCount: 3 },
};

const geminiChunk = (parts, more = {}) => ({
  responseId: "r-1", modelVersion: "gemini-3-pro", candidates: [{ index: 0, content: { role: "model", parts }, ...more }],
});

export const geminiChunks = [
  geminiChunk([{ text: "h", thought: true }]), geminiChunk([{ text: "m", thought: true }, { text: "Hel" }]), geminiChunk([{ text: "lo" }]),
  { ...geminiChunk([geminiResponse.candidates[0].content.parts[2]], { finishReason: "STOP" }), usageMetadata: geminiResponse.usageMetadata },
];
