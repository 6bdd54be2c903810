// A folder of logs: what the system tells of it, and what stands in it. Events only wake: what changed is seen by
// looking at the files, so an event that was lost costs time and nothing else.
import { readdirSync, statSync, watch } from "node:fs";

/** Changes within this time are one, in milliseconds. */
const TOGETHER = 500;
const SIGNALS = ["SIGINT", "SIGTERM"];

/** Watches from now on, until the process is told to end; the second time the signal ends it at once. */
export function watchFolder(path) {
  if (!statSync(path).isDirectory()) throw Object.assign(new Error("ENOTDIR: not a directory"), { code: "ENOTDIR" });
  let [watcher, wake, changed, stopped] = [undefined, undefined, false, false];

  const stop = () => {
    stopped = true;
    wake?.();
    unlisten();
  };
  const unlisten = () => SIGNALS.forEach((signal) => process.off(signal, stop));
  for (const signal of SIGNALS) process.on(signal, stop);

  const end = () => {
    watcher?.close();
    watcher = undefined;
  };
  /** Asks the system for its events; without them the folder is looked at every few seconds. */
  const begin = () => {
    try {
      watcher = watch(path, { recursive: true, persistent: false }, () => {
        changed = true;
        wake?.();
      });
      watcher.on("error", end);
    } catch {
      end();
    }
  };
  begin();

  /** Until `is` holds, at most so long. */
  const until = (is, most) =>
    new Promise((resolve) => {
      const timer = setTimeout(done, most);
      function done() {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      }
      wake = () => is() && done();
      wake();
    });

  return {
    async wait(most) {
      const start = performance.now();
      await until(() => changed || stopped, most);
      if (changed && !stopped) await until(() => stopped, TOGETHER);
      changed = false;
      return { millis: Math.round(performance.now() - start), stopped };
    },
    async logs() {
      try {
        const seen = look(path);
        if (!watcher) begin();
        return seen;
      } catch (error) {
        // A folder that is gone is watched anew when it comes back.
        end();
        throw error;
      } finally {
        // A signal comes between two looks.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    stopped: () => stopped,
    close() {
      end();
      unlisten();
    },
  };
}

/** The logs in a folder and the folders in it; what goes while it is looked at is left out. */
function look(folder) {
  const seen = [];
  const folders = [];
  const into = (folder, entries) => {
    for (const entry of entries) {
      const path = folder.endsWith("/") ? `${folder}${entry.name}` : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile() || !path.endsWith(".jsonl")) continue;
      const about = statSync(path, { throwIfNoEntry: false });
      if (about) seen.push({ path, bytes: about.size, changed: Math.floor(about.mtimeMs) });
    }
  };
  into(folder, readdirSync(folder, { withFileTypes: true }));
  while (folders.length > 0) {
    const inner = folders.pop();
    try {
      into(inner, readdirSync(inner, { withFileTypes: true }));
    } catch {
      // Gone, or not ours to read.
    }
  }
  return seen;
}
