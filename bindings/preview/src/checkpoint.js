import { copyButton, el, instant, lines, plural } from "./dom.js";

/** The two texts that a checkpoint is for: the digest for people, the recovery text for the next run. */
export function checkpointCards({ checkpoint, recovery }) {
  const left = Object.entries(recovery.left_out).filter(([, number]) => number > 0);
  return [
    el("section.card", { "aria-labelledby": "recovery-title" },
      el("h2", { id: "recovery-title" }, "What the next run is told"),
      el("p.hint.row", null,
        `${plural(recovery.chars, "character")} of recovery text`,
        left.length > 0 && `; left out: ${left.map(([what, number]) => `${number} ${what}`).join(", ")}`,
        copyButton(recovery.text, "the recovery text"),
      ),
      lines(recovery.text),
    ),
    el("section.card", { "aria-labelledby": "digest-title" },
      el("h2", { id: "digest-title" }, "The checkpoint’s digest"),
      el("p.hint", null, "Checkpoint ", el("code", null, checkpoint.id), " of ", instant(checkpoint.created_at)),
      lines(checkpoint.digest),
    ),
  ];
}
