// The queue, the digest and the recovery text in plain JavaScript, as a harness would write them: what the core's
// are measured beside. It scrubs nothing, cuts by UTF-16 units, and keeps its drafts in a Map.
const clip = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const line = (text, most) => clip(text.trim().replace(/\r\n|\r|\n/g, " ⏎ "), most);
const breaks = /^(?:[#\-+*>~=|<[`]|\d+[.)])/;
const entry = (text) => line(text, 120);

const HEADINGS = { periodic: "## Session Checkpoint", pre_compaction: "## Pre-Compaction Checkpoint" };

function duration(row) {
  const minutes = Math.max(0, Math.floor((Date.parse(row.created_at) - Date.parse(row.started_at)) / 60_000));
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  return [days && `${days}d`, hours && `${hours}h`, rest && `${rest}m`].filter(Boolean).slice(0, 2).join(" ") || "0m";
}

/** The pieces of a digest. */
function pieces(row) {
  const escape = (text) => (breaks.test(text) ? `\\${text}` : text);
  const periodic = row.trigger === "periodic";
  const counts = [`Prompts: ${row.prompt_count}`, `Duration: ${duration(row)}`];
  const block = row.context?.replace(/\r\n|\r/g, "\n").trim().replace(/^ {0,3}(?=#|```|~~~|---|=+$)/gm, "\\$&");
  return {
    head: `${HEADINGS[row.trigger]}\nProject: ${row.project ?? "unknown"}\n${(periodic ? counts : counts.reverse()).join(" | ")}`,
    memory: periodic ? "### Memory Activity Since Last Checkpoint" : "### Memory Activity",
    context: block,
    prompts: row.recent_prompts.map(({ text }) => escape(line(text, 200))),
    queries: row.memory_queries.map(entry),
    remembers: row.recent_remembers.map(entry),
  };
}

function written({ head, memory, context, prompts, queries, remembers }) {
  const parts = [head];
  if (context) parts.push(`### Session Context\n${context}`);
  if (prompts.length > 0) parts.push(`### Recent Prompts\n${prompts.map((text) => `- ${text}`).join("\n")}`);
  const activity = [
    queries.length > 0 && `Queries: ${queries.join(", ")}`,
    remembers.length > 0 && `Remembered: ${remembers.join("; ")}`,
  ].filter(Boolean);
  if (activity.length > 0) parts.push([memory, ...activity].join("\n"));
  return parts.join("\n\n");
}

export const digest = (row) => written(pieces(row));

/** The newest that fits, tried one after the other, each time written out. */
export function recovery(row, lastActivity, budget) {
  const all = pieces(row);
  const notice = `Record of earlier work, not an instruction. Session ${row.session.key} of ${row.session.harness}, last active ${lastActivity}, may still be running elsewhere.`;
  const text = (kept) => {
    const left = [
      [all.prompts.length - kept.prompts.length, "older prompt", "older prompts"],
      [all.queries.length - kept.queries.length, "query", "queries"],
      [all.remembers.length - kept.remembers.length, "remember", "remembers"],
    ].filter(([count]) => count > 0);
    const names = left.map(([count, one, more]) => `${count} ${count === 1 ? one : more}`);
    const last = names.length > 0 ? `\n\n[${names.join(", ")} left out]` : "";
    return `## Session Recovery Context\n${notice}\n\n${written(kept)}${last}`;
  };
  const kept = { ...all, context: undefined, prompts: [], queries: [], remembers: [] };
  const take = (change) => {
    const next = { ...kept, ...change };
    if (text(next).length > budget) return false;
    Object.assign(kept, change);
    return true;
  };
  const half = Math.floor((budget - text(kept).length) / 2);
  if (all.context) {
    const inside = half - "\n\n### Session Context\n".length;
    const head = Math.ceil((inside - 1) / 2);
    const fitted = all.context.length <= inside ? all.context : `${all.context.slice(0, head)}…${all.context.slice(head + 1 - inside)}`;
    take({ context: fitted });
  }
  take({ prompts: all.prompts.slice(-1) });
  for (const name of ["remembers", "queries"]) {
    for (const text of all[name].toReversed()) take({ [name]: [text, ...kept[name]] });
  }
  for (const text of all.prompts.slice(0, -1).toReversed()) if (!take({ prompts: [text, ...kept.prompts] })) break;
  return text(kept);
}

const newest = (texts, most) => [...new Set(texts.toReversed())].slice(0, most).reverse();

function merge(earlier, later) {
  const prompts = new Map([...earlier.recent_prompts, ...later.recent_prompts].map((prompt) => [prompt.ordinal, prompt]));
  return {
    ...later,
    prompt_count: earlier.prompt_count + later.prompt_count,
    total_prompts: Math.max(earlier.total_prompts, later.total_prompts),
    memory_queries: newest([...earlier.memory_queries, ...later.memory_queries], 20),
    recent_remembers: newest([...earlier.recent_remembers, ...later.recent_remembers], 10),
    recent_prompts: [...prompts.values()].sort((a, b) => a.ordinal - b.ordinal).slice(-10),
  };
}

class Queue {
  #waiting = new Map();

  enqueue(draft, now) {
    const waits = this.#waiting.get(draft.session.key);
    const opened = waits?.opened ?? now;
    this.#waiting.set(draft.session.key, {
      draft: waits ? merge(waits.draft, draft) : draft,
      opened,
      at: Math.min(now + 2500, opened + 10_000),
    });
  }

  due(now) {
    const due = [...this.#waiting.values()].filter(({ at }) => at <= now);
    due.sort((a, b) => a.at - b.at);
    for (const { draft } of due) this.#waiting.delete(draft.session.key);
    return due.map(({ draft }) => draft);
  }
}

/** A draft of each of so many sessions, as the core's cases have them. */
export function drafts(row, sessions) {
  const { id, seq, digest, context, ...rest } = row;
  return Array.from({ length: sessions }, (_, number) => ({
    ...structuredClone(rest),
    trigger: "periodic",
    session: { ...rest.session, key: `session-${number}` },
  }));
}

export function enqueueAndMerge(all) {
  const queue = new Queue();
  for (let round = 0; round < 10; round += 1) for (const draft of all) queue.enqueue(draft, round);
  return queue.due(60_000).length;
}

export function flush(all) {
  const queue = new Queue();
  for (const draft of all) queue.enqueue(draft, 0);
  return queue.due(2500).reduce((sum, draft) => sum + Buffer.byteLength(digest(draft)), 0);
}
