// A long string is handed over in pieces, so that no copy of the whole stands in wasm memory.

/** The bytes of a piece at most. */
const PIECE = 64 * 1024;
/** Shorter strings, in UTF-16 units, are handed over at once. */
const SHORT = 2 * 1024;

const encoder = new TextEncoder();
let bytes;

/** Whether a text is worth to be handed over in pieces; what is no text is refused where it arrives. */
export function isLong(text) {
  return typeof text === "string" && text.length > SHORT;
}

/**
 * What is replaced in a text, as `joined` takes it; `undefined` when nothing is. `feed` takes its pieces, and is freed;
 * nothing of the text stays in the bytes by which they go over.
 */
export function edits(text, feed) {
  bytes ??= new Uint8Array(PIECE);
  try {
    for (let at = 0; at < text.length;) {
      const { read, written } = encoder.encodeInto(piece(text, at), bytes);
      feed.push(bytes.subarray(0, written));
      at += read;
    }
    return feed.finish();
  } finally {
    bytes.fill(0);
    feed.free();
  }
}

/** A piece of the text from `at` on; its end does not stand between the two units of a character. */
function piece(text, at) {
  const end = at + PIECE;
  const last = text.charCodeAt(end - 1);
  return text.slice(at, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}
