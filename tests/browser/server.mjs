// A static server on localhost, as small as it gets: folders by the beginning of the path, and the
// same headers on every answer.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * @param {Record<string, string>} folders the folder that answers, by the beginning of the path, such
 *   as `{ "/": "…/dist" }`; the longest beginning counts
 * @param {{ headers?: Record<string, string>, answers?: Record<string, string>, redirects?: Record<string, string> }} [more]
 *   headers of every answer, scripts by path, and other paths by path
 * @returns {Promise<{ origin: string, close(): Promise<void> }>}
 */
export async function serve(folders, { headers = {}, answers = {}, redirects = {} } = {}) {
  const beginnings = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer(async ({ url }, response) => {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    if (path in redirects) return response.writeHead(302, { ...headers, location: redirects[path] }).end();
    const beginning = beginnings.find((start) => path.startsWith(start));
    const file = join(folders[beginning] ?? "", normalize(path.slice(beginning?.length)), path.endsWith("/") ? "index.html" : "");
    const body = answers[path] ?? (await readFile(file).catch(() => null));
    if (body === null) return response.writeHead(404, headers).end(`there is no ${path}`);
    const type = TYPES[path in answers ? ".js" : extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { ...headers, "content-type": type, "cache-control": "no-store" }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
