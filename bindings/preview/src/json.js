/**
 * `JSON.parse` for showing: numbers that JavaScript would round keep their digits, where the browser
 * lets us see them, and stand in `JSON.stringify` as they were.
 */
export function parseExactly(text) {
  if (!JSON.rawJSON || !/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source && String(value) !== source ? JSON.rawJSON(source) : value;
  });
}
