// A proxy before a server that cuts connections: before what a client sends has arrived, or after that and before
// the answer.
import { connect, createServer } from "node:net";

export function cuttingProxy(port) {
  const state = { cutting: false, cuts: 0, connections: 0 };
  const server = createServer((client) => {
    const number = state.connections++;
    const arrives = number % 2 === 0;
    let left = 6 + ((Math.imul(number, 2_654_435_769) >>> 16) % 25);
    const behind = connect(port, "127.0.0.1");
    for (const [one, other] of [[client, behind], [behind, client]]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
    behind.on("data", (piece) => void client.write(piece));
    client.on("data", (piece) => {
      if (state.cutting) left -= 1;
      if (left > 0) return void behind.write(piece);
      if (left < 0) return undefined;
      state.cuts += 1;
      // The client is gone first, so that no answer reaches it.
      client.removeAllListeners("close");
      client.destroy();
      if (arrives) behind.end(piece);
      else behind.destroy();
      return undefined;
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ state, port: server.address().port, close: () => server.close() }));
  });
}
