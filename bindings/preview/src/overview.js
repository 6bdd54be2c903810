// The left column: the log, what it holds, what was scrubbed.
import { copyButton, el, instant, plural, size } from "./dom.js";

export function overview({ name, bytes, report, session }) {
  return el("section.card", { "aria-labelledby": "log-title" },
    el("h2", { id: "log-title", tabindex: "-1" }, "The log"),
    el("p.file", null, name, el("span.hint", null, ` ${size(bytes)}`)),
    facts([
      ["Session", el("code", null, report.session ?? "none yet")],
      ["Project", session?.project && el("code", null, session.project)],
      ["Format", `${report.format}, ${plural(report.records, "record")}`],
      ["Began", session && instant(session.started_at)],
      ["Last event", session && instant(session.last_activity)],
    ]),
    counts(report),
    skipped(report),
  );
}

function facts(pairs) {
  const rows = pairs.filter(([, value]) => value !== null && value !== undefined && value !== false);
  return el("dl.facts", null, ...rows.flatMap(([term, value]) => [el("dt", null, term), el("dd", null, value)]));
}

function counts({ messages, tool_calls, tool_results, thinking, compactions }) {
  const tiles = [
    [messages.user, "from the user"],
    [messages.assistant, "from the model"],
    [tool_calls, "tool calls"],
    [tool_results, "tool results"],
    [thinking, "thinking blocks"],
    [compactions, compactions === 1 ? "compaction" : "compactions"],
  ];
  return el("ul.tiles", null, ...tiles.map(([number, what]) => el("li", null, el("b", null, number), ` ${what}`)));
}

function skipped({ skipped, skipped_lines, repaired, late_results, thinking_withheld }) {
  const notes = [
    repaired > 0 && `${plural(repaired, "repair")} of glued records or damaged characters`,
    late_results > 0 && `${plural(late_results, "result")} came after the round was closed`,
    thinking_withheld > 0 && `${plural(thinking_withheld, "signed thinking block")} held a secret and is not kept`,
  ].filter(Boolean);
  if (notes.length === 0 && skipped_lines === 0) return null;
  return el("div", null,
    notes.length > 0 && el("ul.notes", null, ...notes.map((note) => el("li", null, note))),
    skipped_lines > 0 && el("details", null,
      el("summary", null, `${plural(skipped_lines, "line")} could not be read whole`),
      el("ul.notes", null, ...skipped.slice(0, 100).map(({ line, reason }) => el("li", null, `line ${line}: ${reason}`))),
    ),
  );
}

export function scrubbed({ findings, findings_by_rule }) {
  return el("section.card", { "aria-labelledby": "scrubbed-title" },
    el("h2", { id: "scrubbed-title" }, "What was scrubbed"),
    findings === 0
      ? el("p", null, "No secret was found.")
      : el("div", null,
          el("p", null, `${plural(findings, "secret")} gave way to a mark before anything was kept.`),
          el("table", null,
            el("thead", null, el("tr", null, el("th", { scope: "col" }, "Rule"), el("th", { scope: "col" }, "Mark"), el("th.number", { scope: "col" }, "Times"))),
            el("tbody", null, ...findings_by_rule.map(({ rule, kind, count: times }) =>
              el("tr", null, el("td", null, rule), el("td", null, el("mark", null, kind)), el("td.number", null, times)),
            )),
          ),
        ),
  );
}

export function prefix({ fingerprint, sections, stable_len, stable_hash, tail_hash, boundary, count, model }) {
  const hash = (title, value, hint) => el("div.hash", null,
    el("dt", null, title, hint && el("span.hint", null, hint)),
    el("dd", null, el("code", { "data-hash": title }, value), copyButton(value, title)),
  );
  return el("section.card", { "aria-labelledby": "prefix-title" },
    el("h2", { id: "prefix-title" }, "What stays the same"),
    el("p", null, el("b", null, stableText(stable_len, count)), stable_len < count ? " The rest is the open tail: it may still change." : ""),
    el("div.meter", { "aria-hidden": "true" }, el("i", { "data-share": count === 0 ? 0 : stable_len / count })),
    el("dl.hashes", null,
      hash("fingerprint", fingerprint, " model, tools and system"),
      hash("stable_hash", stable_hash, ` the first ${plural(stable_len, "message")}`),
      hash("tail_hash", tail_hash, " the whole prompt"),
    ),
    el("details", null,
      el("summary", null, "Sections of the fingerprint"),
      el("dl.hashes", null, ...Object.entries(sections).map(([name, value]) => hash(name, value))),
    ),
    facts([
      ["Model", model ?? "chosen when it is sent"],
      ["Boundary", boundary === null ? "none: the whole conversation replays" : el("code", null, boundary)],
    ]),
  );
}

function stableText(stable, all) {
  if (all === 0) return "There is no message yet.";
  return stable === all ? `All ${plural(all, "message")} stay as they are.` : `${stable} of ${plural(all, "message")} stay as they are.`;
}
