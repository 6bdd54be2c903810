// Entry with the module inside, for places that have no file to fetch: one bundled script, a worker
// made from a blob, a page whose policy allows no connection.
import { load } from "./core.js";
import packed from "./inline-wasm.js";

export function init(source) {
  return load(() => source ?? unpacked());
}

/** A response, so that the browser compiles while it decompresses. */
function unpacked() {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  const wasm = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(wasm, { headers: { "content-type": "application/wasm" } });
}

export * from "./api.js";
