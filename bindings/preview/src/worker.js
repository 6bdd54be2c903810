// Where a log is read: the page stays responsive, and cancelling is ending the worker. Messages are
// kept here whole; the page gets them cut, a page at a time.
import { Engine, init, redact } from "throughline/inline";
import { brief, partsOf, textOf } from "./parts.js";
import { parseExactly } from "./json.js";

let prompt;

const calls = {
  open,
  messages: ({ from, count }) => prompt.messages.slice(from, from + count).map((message, at) => brief(message, from + at)),
  text: ({ message, part }) => textOf(partsOf(message === "system" ? systemOf(prompt) : prompt.messages[message])[part]),
};

self.onmessage = async ({ data: { id, call, argument } }) => {
  try {
    self.postMessage({ id, answer: await calls[call](argument) });
  } catch (error) {
    self.postMessage({ id, error: await described(error) });
  }
};

async function open({ log, name }) {
  progress("Starting", 0);
  await init();
  const engine = new Engine();
  const report = await engine.ingest(chunks(log), { key: stem(name) });
  const about = { name: redact(name), bytes: log.size, report };
  if (report.session === null) return { ...about, session: null };

  const session = { harness: report.format, key: report.session };
  progress("Writing the recovery text", 1);
  const { sessions } = await engine.sessions();
  const checkpoint = await engine.checkpoint(report.checkpoint);
  const recovery = await engine.recover({ session });
  progress("Assembling the prompt", 1);
  prompt = parseExactly(await engine.prompt(session));
  engine.free();
  const { messages, system, tools, ...facts } = prompt;
  return {
    ...about,
    session: sessions.find(({ session: key }) => key === report.session) ?? null,
    checkpoint,
    recovery,
    prompt: { ...facts, count: messages.length, tools: tools.length, system: brief(systemOf(prompt), "system") },
  };
}

/** The bytes of a log as they come, saying how far it is. */
async function* chunks(log) {
  const reader = log.stream().getReader();
  let read = 0;
  for (;;) {
    progress("Reading", log.size === 0 ? 1 : read / log.size);
    const { done, value } = await reader.read();
    if (done) break;
    yield value;
    read += value.length;
  }
  progress("Putting it in order", 1);
}

let said = "";

function progress(phase, share) {
  const text = `${phase} ${Math.floor(share * 100)}`;
  if (text !== said) self.postMessage({ progress: { phase, share } });
  said = text;
}

/** What the page shows of an error; scrubbed once more, since anything can stand in a message. */
async function described(error) {
  const code = typeof error?.code === "string" ? error.code : "unexpected";
  const message = String(error?.message ?? error);
  const clean = await init().then(() => redact(message), () => message);
  return { code, message: clean };
}

/** The system texts, in the form of a message. */
function systemOf({ system }) {
  return { role: "system", parts: system.map((text) => ({ type: "text", text })), row: "", hash: "" };
}

/** The name of a file without its ending: the key of a session whose log names none. */
function stem(name) {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
