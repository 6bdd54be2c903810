// What the package is asked for in every place; the same file runs in Node, in a page and in a worker.
// Clock and entropy are fixed, so that every place must say the same to the byte.

/**
 * @param {typeof import("throughline")} throughline one of the entries, not loaded yet
 * @param {{ log: string, assignment: string, loaded: boolean }} input the bundled sample; a text with a
 *   secret; whether the entry is loaded when it is imported, as in Node
 */
export async function scenario(throughline, { log, assignment, loaded }) {
  const before = codeOf(() => throughline.version());
  if (before !== (loaded ? null : "not_initialized")) throw new Error(`before init(): ${before}`);
  await Promise.all([throughline.init(), throughline.init()]);
  await throughline.init();

  let seconds = 0;
  let draws = 0;
  const engine = new throughline.Engine({
    clock: () => Date.UTC(2026, 2, 10, 12) + 1000 * (seconds += 1),
    entropy: () => new Uint8Array(16).fill((draws += 1)),
  });
  const report = await engine.ingest(log);
  const session = { harness: report.format, key: report.session };
  const answers = {
    version: throughline.version(),
    redacted: throughline.redact(assignment),
    report,
    prompt: await engine.prompt(session),
    anthropic: await engine.prompt(session, { format: "anthropic" }),
    recovered: await engine.recover({ session }),
    checkpoint: await engine.checkpoint(report.checkpoint),
    refused: await engine.ingest("").catch(({ name, code }) => [name, code]),
  };
  engine.free();
  return answers;
}

function codeOf(call) {
  try {
    call();
    return null;
  } catch ({ code }) {
    return code;
  }
}
