import { checkpointCards } from "./checkpoint.js";
import { el, plural } from "./dom.js";
import { listen } from "./intake.js";
import { overview, prefix, scrubbed } from "./overview.js";
import { promptCard } from "./prompt.js";
import { Reading } from "./reading.js";

const HINTS = {
  log_empty: "There is nothing in it. A log holds one JSON object a line.",
  format_unknown: "Claude Code writes its logs to ~/.claude/projects, one .jsonl file for each session.",
  format_unsupported: "Logs of other agents are not read yet.",
  source_failed: "The file could not be read to its end. Was it moved or is it a folder?",
  worker_failed: "It may be too large for the memory of this browser.",
};

const at = (id) => document.getElementById(id);
/** The log that is shown, and the one that is being read. */
let shown;
let coming;

listen(open, (code, message) => fail({ code, message }));
at("cancel").addEventListener("click", () => {
  coming?.end();
  coming = undefined;
  settle("Cancelled.");
});

async function open(log, name) {
  coming?.end();
  const reading = (coming = new Reading(showProgress));
  at("error").hidden = true;
  showProgress({ phase: "Reading", share: 0 });
  at("progress").hidden = false;
  try {
    const found = await reading.open(log, name);
    const page = await compose(reading, found);
    if (coming !== reading) return;
    shown?.end();
    shown = reading;
    at("result").replaceChildren(...page);
    at("result").hidden = false;
    document.body.dataset.loaded = "";
    document.title = `${found.name} – Throughline preview`;
    settle(`${found.name} is read: ${plural(found.prompt?.count ?? 0, "message")}.`);
    at("log-title").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  } catch (error) {
    if (coming !== reading) return;
    reading.end();
    fail(error);
  }
}

/** All cards of a log. */
async function compose(reading, found) {
  if (found.session === null) {
    const none = el("section.card", null, el("h2", null, "No session yet"), el("p", null, "The log holds no message of a session, so nothing was kept and there is no prompt."));
    return [el("div.side", null, overview(found), scrubbed(found.report)), el("div.body", null, none)];
  }
  const { card, ready } = promptCard(reading, found.prompt);
  await ready;
  const page = [
    el("div.side", null, overview(found), scrubbed(found.report), prefix(found.prompt)),
    el("div.body", null, ...checkpointCards(found), card),
  ];
  // A style attribute would be against the page's policy; the property is not.
  for (const meter of page[0].querySelectorAll("[data-share]")) meter.style.width = `${meter.dataset.share * 100}%`;
  return page;
}

function showProgress({ phase, share }) {
  at("phase").textContent = share > 0 && share < 1 ? `${phase}, ${Math.floor(share * 100)} %` : phase;
  if (share === 1) at("bar").removeAttribute("value");
  else at("bar").value = share;
}

function settle(status) {
  at("progress").hidden = true;
  at("status").textContent = status;
}

function fail(error) {
  const { code = "unexpected", message = String(error) } = error ?? {};
  coming = undefined;
  settle("");
  at("error").replaceChildren(
    el("strong", null, "This could not be opened"),
    el("p", null, message, ". ", el("code", null, code)),
    ...(HINTS[code] ? [el("p.hint", null, HINTS[code])] : []),
  );
  at("error").hidden = false;
  at("error").scrollIntoView({ block: "nearest" });
}
