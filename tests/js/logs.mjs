// Logs of Claude Code that tests write: prompts one after the other.

/** A line of a log: the prompt of this number in a session. */
export const record = (key, number, text = `prompt ${number} of ${key}`) =>
  `${JSON.stringify({
    type: "user",
    uuid: `${key}-${number}`,
    parentUuid: number ? `${key}-${number - 1}` : null,
    sessionId: key,
    cwd: "/home/ada/app",
    timestamp: new Date(Date.UTC(2026, 2, 1, 9, 0, number)).toISOString(),
    message: { role: "user", content: text },
  })}\n`;

/** So many of them; `text` says what each is. */
export const log = (key, length, text) =>
  Array.from({ length }, (_, number) => record(key, number, text?.(number))).join("");
