/**
 * A text with marks in the places that give way to them. `places` holds three numbers for each, in UTF-16 units: its
 * start, its end and the length of its mark; `marks` is all marks, one behind the other.
 */
export function joined(text, [places, marks]) {
  const parts = [];
  let at = 0;
  let mark = 0;
  for (let index = 0; index < places.length; index += 3) {
    const end = mark + places[index + 2];
    parts.push(text.slice(at, places[index]), marks.slice(mark, end));
    at = places[index + 1];
    mark = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
