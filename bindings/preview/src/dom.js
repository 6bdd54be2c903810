// Making elements. Text only ever becomes text: no markup of a log is interpreted.

/**
 * @param {string} tag with classes after dots, such as `p.hint`
 * @param {Record<string, unknown> | null} [attributes] properties beginning with `on` are listeners
 * @param {...(Node | string | number | null | undefined | false)} children
 */
export function el(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (typeof child === "number" ? count(child) : child)));
  return element;
}

/** A number for people. */
export function count(number) {
  return number.toLocaleString("en-GB");
}

/** `1 message`, `2 messages`. */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function size(bytes) {
  if (bytes < 1000) return plural(bytes, "byte");
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** An instant for people, in UTC as it is stored. */
export function instant(text) {
  return el("time", { datetime: text }, text.replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC"));
}

/** A text in which the marks of scrubbed secrets are highlighted. */
export function marked(text) {
  const fragment = document.createDocumentFragment();
  let at = 0;
  for (const { 0: mark, index } of text.matchAll(/\[REDACTED:[a-z0-9_-]+\]/g)) {
    fragment.append(text.slice(at, index), el("mark", null, mark));
    at = index + mark.length;
  }
  fragment.append(text.slice(at));
  return fragment;
}

/** Markdown as it stands, every character of it, with its headings set off. */
export function lines(text) {
  const box = el("div.lines", null);
  for (const line of text.split("\n")) {
    const kind = /^#{1,6} /.test(line) ? ".heading" : line.startsWith("- ") ? ".item" : line.trim() === "" ? ".blank" : "";
    box.append(el(`p${kind}`, null, marked(line)));
  }
  return box;
}

/** A button that copies a text and says so. */
export function copyButton(text, what) {
  const button = el("button.copy", { type: "button", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(text).then(() => "Copied", () => "Not allowed");
    button.textContent = done;
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}
