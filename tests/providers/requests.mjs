// The requests that are held against the providers' own packages: those of the vectors, and the prompts of real logs.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Engine, assemblePrompt } from "throughline";

export const FORMATS = ["anthropic", "openai-responses", "openai-chat", "gemini"];
const root = join(import.meta.dirname, "..", "..");
const LOGS = join(root, "..", "shared", "real");
const MODELS = { anthropic: "claude-opus-5", "openai-responses": "gpt-5", "openai-chat": "gpt-5", gemini: "gemini-3-pro" };

/** Options of a vector as JavaScript names them. */
function formOf(format, { cache_markers, cache_key, inline_system, drop_stale_thinking }) {
  const form = { format, cacheMarkers: cache_markers, cacheKey: cache_key, inlineSystem: inline_system };
  return { ...form, dropStaleThinking: drop_stale_thinking };
}

function ofVectors() {
  return FORMATS.flatMap((format) => {
    const file = new URL(`../vectors/render_${format.replaceAll("-", "_")}.json`, import.meta.url);
    const { cases } = JSON.parse(readFileSync(file, "utf8"));
    return cases.map(({ id, input: { options, api, ...input }, expect }) => {
      const text = assemblePrompt(input, formOf(format, options));
      return { name: id, format, text, expect, model: input.request.model, betas: expect.betas };
    });
  });
}

/** Claude Code logs beside the checkout; null when there are none. */
function logs() {
  if (!existsSync(LOGS)) return null;
  return readdirSync(LOGS).filter((file) => /^claude-code-.*\.jsonl$/.test(file)).sort();
}

async function ofLogs(files) {
  const tools = [
    { name: "Read", description: "Reads a file", input_schema: { type: "object", properties: { file_path: { type: "string" } } } },
    { name: "Bash", input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] } },
  ];
  const requests = [];
  for (const file of files) {
    const engine = new Engine();
    const { session: key } = await engine.ingest(readFileSync(join(LOGS, file)));
    if (key === null) continue;
    for (const format of FORMATS) {
      const request = { model: MODELS[format], system: ["You are a careful engineer."], tools, settings: { effort: "high", tool_choice: "auto" } };
      const text = await engine.prompt({ harness: "claude-code", key }, { format, request });
      requests.push({ name: `${file} ${format}`, format, text, model: request.model, betas: [] });
    }
    engine.free();
  }
  return requests;
}

/** Every request, and why those of real logs are missing; in CI they must not be. */
export async function requests() {
  const files = logs();
  if (files === null && process.env.CI) throw new Error(`${LOGS} is missing, and CI must not go without`);
  const skipped = files === null ? `${LOGS} is missing: prompts of real logs are left out` : null;
  if (skipped) console.log(skipped);
  return { all: [...ofVectors(), ...(await ofLogs(files ?? []))], skipped };
}

/** A request without a model, or one that ends with the model's message, is valid as far as it goes. */
export const isWhole = ({ model }) => model !== undefined;

/** Gemini's client takes model and body apart, its settings in one object, and sends them as they are documented. */
export function geminiParameters({ model, text }) {
  const { contents, generationConfig, ...rest } = JSON.parse(text);
  return { model, contents, config: { ...rest, ...generationConfig } };
}
