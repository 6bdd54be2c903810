// The assembled prompt, message by message, a page at a time.
import { count, el, marked, plural } from "./dom.js";

const PAGE = 50;
const ROLES = { user: "user", assistant: "assistant", tool: "tool result", developer: "note for the model", system: "note" };
const KINDS = { thinking: "thinking", tool_call: "calls", tool_result: "result of", image: "image", document: "document" };

export function promptCard(reading, prompt) {
  const list = el("ol.messages", null);
  const pager = el("nav.pager", { "aria-label": "Pages of the prompt" });
  const title = el("h2", { id: "prompt-title", tabindex: "-1" }, "The next prompt");
  const show = async (from, focus) => {
    const messages = await reading.messages(from, PAGE);
    const items = from === 0 && prompt.system.parts.length > 0 ? [message(reading, prompt.system, prompt)] : [];
    for (const each of messages) {
      if (each.index === prompt.stable_len) items.push(el("li.seam", null, "The open tail begins: from here on the prompt may still change."));
      items.push(message(reading, each, prompt));
    }
    list.replaceChildren(...items);
    pager.replaceChildren(...pages(from, prompt.count, (to) => show(to, true)));
    if (focus) title.focus();
  };
  const ready = show(0, false);
  const card = el("section.card.prompt", { "aria-labelledby": "prompt-title" },
    title,
    el("p.hint", null, `${plural(prompt.count, "message")}; ${prompt.markers.length > 0 ? `${plural(prompt.markers.length, "cache marker")}` : "no cache marker"}. Long texts are cut; open them one by one.`),
    diagnostics(prompt.diagnostics),
    list,
    pager,
  );
  return { card, ready };
}

function message(reading, { index, role, name, hash, parts }, { stable_len: stable, markers }) {
  const system = index === "system";
  const open = !system && index >= stable;
  const cached = markers.some(({ at, index: place }) => (system ? at === "system" : at === "message" && place === index));
  return el("li.message", { "data-role": system ? "prompt" : role, "data-open": open ? "" : null },
    el("h3", null,
      el("span.role", null, system ? "system prompt" : (ROLES[role] ?? role)),
      !system && el("span.number", null, `${index + 1}`),
      name && el("code", null, name),
      cached && el("span.tag", null, "cache marker"),
      open && el("span.tag.open", null, "open tail"),
      hash && el("code.chain", { title: `chain hash ${hash}` }, hash.slice(0, 10)),
    ),
    ...parts.map((part, at) => partBox(reading, index, at, part)),
  );
}

function partBox(reading, index, at, { kind, tool, notes, failed, text, length, cut }) {
  const body = el(kind === "text" ? "div.text" : "pre", null, marked(text));
  if (text === "") body.replaceChildren(el("span.hint", null, kind === "thinking" ? "no text is kept of it" : "empty"));
  const box = el("div.part", { "data-kind": kind, "data-failed": failed ? "" : null },
    kind !== "text" && kind !== "tool_result" && el("p.label", null, el("span", null, KINDS[kind], kind === "tool_call" && " ", kind === "tool_call" && el("code", null, tool)), ...notes.map((note) => el("span.note", null, note))),
    kind === "tool_result" && notes.length > 0 && el("p.label", null, ...notes.map((note) => el("span.note", null, note))),
    (text !== "" || !["image", "document"].includes(kind)) && body,
  );
  if (cut) box.append(expander(body, text, length, () => reading.text(index, at)));
  return box;
}

/** Opens a cut text, and closes it again. */
function expander(body, short, length, whole) {
  const more = `Show all ${count(length)} characters`;
  const button = el("button.more", { type: "button", "aria-expanded": "false" }, more);
  body.dataset.cut = "";
  button.addEventListener("click", async () => {
    const opens = button.getAttribute("aria-expanded") === "false";
    body.replaceChildren(marked(opens ? await whole() : short));
    body.toggleAttribute("data-cut", !opens);
    button.setAttribute("aria-expanded", String(opens));
    button.textContent = opens ? "Show less" : more;
  });
  return button;
}

function diagnostics(found) {
  if (found.length === 0) return null;
  const byCode = Map.groupBy ? Map.groupBy(found, ({ code }) => code) : groups(found);
  return el("details.diagnostics", null,
    el("summary", null, `${plural(found.length, "diagnostic")}: what was repaired, left out or is not certain`),
    el("ul.notes", null, ...[...byCode].map(([code, all]) =>
      el("li", null, el("code", null, code), ` ${plural(all.length, "time")}: ${all[0].message}`),
    )),
  );
}

function groups(found) {
  const byCode = new Map();
  for (const each of found) byCode.set(each.code, [...(byCode.get(each.code) ?? []), each]);
  return byCode;
}

function pages(from, all, go) {
  if (all <= PAGE) return [];
  const last = Math.floor((all - 1) / PAGE) * PAGE;
  const button = (text, to, off) => el("button", { type: "button", disabled: off ? "" : null, onclick: () => go(to) }, text);
  return [
    button("First", 0, from === 0),
    button("Previous", Math.max(0, from - PAGE), from === 0),
    el("span", null, `${count(from + 1)}–${count(Math.min(all, from + PAGE))} of ${count(all)}`),
    button("Next", from + PAGE, from === last),
    button("Last", last, from === last),
  ];
}
