// A provider that records what it is sent, and answers with what it is told to.
import { createServer } from "node:http";

/** Starts one; `answer` is the object to answer with, or a list of events to stream. */
export async function fakeProvider() {
  const provider = { answer: {}, recorded: [], url: "", close: () => {} };
  const server = createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString("utf8");
      provider.recorded.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
      if (!Array.isArray(provider.answer)) {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(provider.answer));
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of provider.answer) {
        const name = typeof event.type === "string" ? `event: ${event.type}\n` : "";
        response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
      }
      response.end(provider.ends ?? "");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  provider.url = `http://127.0.0.1:${server.address().port}`;
  provider.close = () => server.close();
  return provider;
}
