// What the page shows of a message: its parts in one flat list, each with a text that may be cut.

const MOST_CHARACTERS = 900;
const MOST_LINES = 14;

/** A message with its texts cut, ready to be shown. */
export function brief(message, index) {
  const { role, name, row, hash } = message;
  const parts = partsOf(message).map((part) => {
    const text = textOf(part);
    const shown = cut(text);
    return { ...part.facts, text: shown, length: text.length, cut: shown.length < text.length };
  });
  return { index, role, name, row, hash, parts };
}

/** The parts of a message; those inside a result stand where the result stands. */
export function partsOf(message) {
  return message.parts.flatMap((part) => {
    const facts = factsOf(part, message);
    if (part.type !== "tool_result" || !part.parts) return [{ part, facts }];
    return part.parts.map((inner) => ({ part: inner, facts: inside(facts, factsOf(inner, message)) }));
  });
}

/** The facts of a part inside a result: its own, and those of the result. */
function inside(result, { kind, notes }) {
  return { ...result, kind: kind === "text" ? result.kind : kind, notes: [...notes, ...result.notes] };
}

export function textOf({ part }) {
  if (part.type === "tool_call") {
    return typeof part.arguments === "string" ? part.arguments : JSON.stringify(part.arguments, null, 2);
  }
  return part.text ?? "";
}

function factsOf(part, { name }) {
  const { issuer, signature, data } = part.provider_data ?? {};
  const sealed = signature ? "signed" : data ? "encrypted" : "";
  const notes = [sealed && `${sealed}${issuer ? ` by ${issuer.model}` : ""}`];
  if (part.type === "image" || part.type === "document") notes.push(part.media_type, part.name, placeOf(part.source));
  if (part.type === "tool_result" && part.is_error) notes.push("error");
  const tool = part.type === "tool_call" ? part.name : part.type === "tool_result" ? name : undefined;
  return { kind: part.type, tool, notes: notes.filter(Boolean), failed: part.is_error === true };
}

function placeOf({ kind, value }) {
  return kind === "base64" ? `${Math.ceil((value.length * 3) / 4 / 1024)} KiB inside` : `by ${kind}`;
}

/** The beginning of a long text: whole lines where that is possible, never half a mark or half a character. */
export function cut(text) {
  // A little too long is shown whole: a button that brings three more words is a nuisance.
  let end = endOfLine(text, MOST_LINES + 3) < 0 ? text.length : endOfLine(text, MOST_LINES);
  if (end > MOST_CHARACTERS * 1.2) end = MOST_CHARACTERS;
  if (end >= text.length) return text;
  const mark = text.lastIndexOf("[REDACTED:", end - 1);
  const close = mark < 0 ? -1 : text.indexOf("]", mark);
  if (close >= end && close - mark < 60) end = mark;
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}

/** Where the line of this number ends; -1 when the text has no more lines. */
function endOfLine(text, number) {
  let end = -1;
  for (let line = 0; line < number; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return -1;
  }
  return end;
}
