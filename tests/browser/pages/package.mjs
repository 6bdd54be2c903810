// Runs the scenario in this window, or in a module worker: the same file is both.
import * as throughline from "/resolve/throughline";
import input from "/input.js";
import { scenario } from "./scenario.mjs";

if (globalThis.document) {
  globalThis.inWindow = () => scenario(throughline, input);
  globalThis.inWorker = () => new Promise((resolve, reject) => {
    const worker = new Worker(import.meta.url, { type: "module" });
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.answers));
    worker.onerror = ({ message }) => reject(new Error(message));
  });
} else {
  scenario(throughline, input).then(
    (answers) => postMessage({ answers }),
    (error) => postMessage({ error: String(error?.stack ?? error) }),
  );
}
