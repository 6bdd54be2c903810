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
    streamed: await streamed(throughline, assignment),
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

/** A text through the stream, the state and the transform streams of a redactor. */
async function streamed(throughline, assignment) {
  const redactor = new throughline.Redactor({ tagKey: "0123456789abcdef", mark: undefined });
  const bytes = new TextEncoder().encode(`Grüße\n${assignment}\nend`);
  const stream = redactor.stream();
  const pieces = [...bytes].map((byte) => stream.push(Uint8Array.of(byte)));
  const state = stream.state();
  const rest = redactor.resume(state, bytes.subarray(0, state.offset));
  pieces.push(rest.push(bytes.subarray(state.offset)), rest.finish());
  const through = async (transform, chunks) => {
    const writer = transform.writable.getWriter();
    const writing = (async () => {
      for (const chunk of chunks) await writer.write(chunk);
      await writer.close();
    })();
    const [reader, out] = [transform.readable.getReader(), []];
    for (let next = await reader.read(); !next.done; next = await reader.read()) out.push(next.value);
    await writing;
    return out;
  };
  const text = new TextDecoder().decode(bytes);
  const answers = {
    bytes: pieces.flatMap((piece) => [...piece]),
    findings: stream.takeFindings(),
    state,
    whole: [...redactor.redactBytes(bytes)],
    byteStream: (await through(redactor.byteStream(), [bytes])).flatMap((piece) => [...piece]),
    textStream: (await through(redactor.textStream(), text.split(""))).join(""),
  };
  redactor.free();
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
