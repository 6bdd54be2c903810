// What is rendered is of the providers' own types: compiled against the TypeScript packages, and checked by the models of
// the Python packages. Both go over the requests of the vectors and of real logs, and over answers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as answers from "./answers.mjs";
import { geminiParameters, isWhole, requests } from "./requests.mjs";

const root = join(import.meta.dirname, "..", "..");
const work = join(root, "target", "providers");
mkdirSync(work, { recursive: true });

const ANSWERS = [
  ["anthropic", answers.anthropicMessage],
  ["openai-responses", answers.openaiResponse],
  ["openai-chat", answers.openaiCompletion],
];

/** The name of the type that a request must satisfy. */
const typeOf = ({ format, betas }) =>
  ({
    anthropic: betas.length > 0 ? "BetaMessages" : "Messages",
    "openai-responses": "Responses",
    "openai-chat": "Completions",
    gemini: "GenerateContentParameters",
  })[format];

const HEAD = `
import type { MessageCreateParamsNonStreaming as Messages } from "@anthropic-ai/sdk/resources/messages";
import type { MessageCreateParamsNonStreaming as BetaMessages } from "@anthropic-ai/sdk/resources/beta/messages";
import type { ResponseCreateParamsNonStreaming as Responses } from "openai/resources/responses/responses";
import type { ChatCompletionCreateParamsNonStreaming as Completions } from "openai/resources/chat/completions";
import { FunctionCallingConfigMode, ThinkingLevel } from "@google/genai";
import type { GenerateContentParameters } from "@google/genai";
`;

/** Gemini's package types two words as enums, which no text is assignable to. */
function source(request) {
  if (request.format !== "gemini") return request.text;
  return JSON.stringify(geminiParameters(request))
    .replace(/("functionCallingConfig":\{(?:"allowedFunctionNames":\[[^\]]*\],)?"mode":)"(\w+)"/g, "$1FunctionCallingConfigMode.$2")
    .replace(/"thinkingLevel":"(\w+)"/g, '"thinkingLevel":ThinkingLevel.$1');
}

test("requests satisfy the types of the TypeScript packages", async () => {
  const { all } = await requests();
  const whole = all.filter(isWhole);
  const lines = whole.map((request, at) => `// ${request.name}\nexport const r${at} = ${source(request)} satisfies ${typeOf(request)};`);
  writeFileSync(join(work, "requests.ts"), `${HEAD}${lines.join("\n")}\n`);
  // One that must not pass: a check that takes anything would take it too.
  writeFileSync(join(work, "wrong.ts"), `${HEAD}export const wrong = { model: "m", max_tokens: 1, messages: [{ role: "tool", content: [] }] } satisfies Messages;\n`);
  const options = {
    target: "es2022", lib: ["es2022", "dom", "dom.iterable", "esnext.disposable"], types: ["node"], module: "nodenext",
    moduleResolution: "nodenext", strict: true, skipLibCheck: true, noEmit: true,
  };
  const compile = (file) => {
    writeFileSync(join(work, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: [file] }));
    return spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", work], { encoding: "utf8" });
  };
  const { status, stdout } = compile("requests.ts");
  assert.equal(status, 0, stdout.slice(0, 4000));
  const wrong = compile("wrong.ts");
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.stdout, /^wrong\.ts|wrong\.ts\(/m);
  console.log(`${whole.length} requests`);
});

test("requests and answers are of the models of the Python packages", async (context) => {
  const python = join(root, "target", "venv", "bin", "python");
  const found = spawnSync(python, ["-c", "import anthropic, openai"], { encoding: "utf8" });
  if (found.status !== 0) {
    const reason = `the Python packages are not there: ${found.error?.message ?? found.stderr.trim().split("\n").at(-1)}`;
    if (process.env.CI) throw new Error(`${reason}, and CI must not go without`);
    context.skip(reason);
    return;
  }
  const { all } = await requests();
  const sent = all.filter((request) => request.format !== "gemini" && isWhole(request));
  const cases = [
    ...sent.map(({ name, format, text, betas }) => ({ name, format, betas, kind: "request", body: JSON.parse(text) })),
    ...ANSWERS.map(([format, body]) => ({ name: `answer of ${format}`, format, kind: "answer", body })),
  ];
  const check = (given) => {
    const file = join(work, "cases.json");
    writeFileSync(file, JSON.stringify(given));
    return spawnSync(python, [join(import.meta.dirname, "validate.py"), file], { encoding: "utf8" });
  };
  const { status, stdout, stderr } = check(cases);
  assert.equal(status, 0, stderr.slice(0, 4000));
  console.log(stdout.trim());
  const odd = { ...cases[0], body: { ...cases[0].body, surprise: 1 } };
  assert.notEqual(check([odd]).status, 0, "a key that is not known is refused");
});
