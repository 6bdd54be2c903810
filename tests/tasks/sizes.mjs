// Sizes that are held to a committed snapshot.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Problem, root } from "./terminal.mjs";

const TOLERANCE = 0.02;

/**
 * Fails when one of some sizes in bytes is further from that in benches/snapshots/FILE than the tolerance; with
 * `update` they are accepted. `what` says whose sizes they are and `task` which npm task accepts them, for messages.
 */
export function holdSizes(file, sizes, { what, task, update }) {
  const snapshot = join(root, "benches", "snapshots", file);
  if (update) {
    writeFileSync(snapshot, `${JSON.stringify(sizes, null, 2)}\n`);
    return;
  }
  const accepted = JSON.parse(readFileSync(snapshot, "utf8"));
  for (const [kind, size] of Object.entries(sizes)) {
    const change = size / accepted[kind] - 1;
    if (Math.abs(change) <= TOLERANCE) continue;
    const percent = `${change > 0 ? "+" : ""}${(change * 100).toFixed(1)} %`;
    throw new Problem(
      `${what}: ${size} bytes (${kind}), ${percent} against ${accepted[kind]} in ${relative(root, snapshot)}; ` +
        `if that is meant, run: npm run ${task} -- --update`,
    );
  }
}
