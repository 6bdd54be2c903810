// The colours of the preview page: every pair that meets is worked out by the formula of WCAG 2, for
// the light theme and the dark one. Text needs 4.5 : 1, controls and what carries meaning 3 : 1.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const SOURCES = new URL("../../bindings/preview/src/", import.meta.url);
const css = (name) => readFileSync(new URL(name, SOURCES), "utf8");

const grounds = ["ground", "surface"];
const roles = ["role-user", "role-assistant", "role-tool", "role-note"];
const TEXT = [
  ...pairs(["text", "muted", "accent"], [...grounds, "sunk"]),
  ...pairs(roles, ["surface"]),
  ["on-mark", "mark"],
  ["text", "danger-ground"],
  ["danger", "danger-ground"],
];
const SHAPES = [...pairs(["control", "accent"], grounds), ...pairs(roles, ["surface"]), ["danger", "sunk"], ["accent", "sunk"], ["control", "sunk"]];
/** Lines between things that are told apart without them. */
const DECORATION = ["line"];

function pairs(front, back) {
  return front.flatMap((one) => back.map((other) => [one, other]));
}

function themes() {
  const [light, dark] = css("theme.css").split("@media (prefers-color-scheme: dark)").map((text) =>
    Object.fromEntries([...text.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour])),
  );
  return { light, dark };
}

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("the formula gives the ratios that the standard names", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

test("both themes set the same colours, and each is judged", () => {
  const { light, dark } = themes();
  assert.deepEqual(Object.keys(dark), Object.keys(light));
  const judged = new Set([...TEXT.flat(), ...SHAPES.flat(), ...DECORATION]);
  assert.deepEqual([...Object.keys(light)].sort(), [...judged].sort());
});

for (const [name, theme] of Object.entries(themes())) {
  test(`${name}: text and controls stand out`, () => {
    for (const [wanted, list] of [[4.5, TEXT], [3, SHAPES]]) {
      for (const [front, back] of list) {
        const ratio = contrast(theme[front], theme[back]);
        assert.ok(ratio >= wanted, `${front} ${theme[front]} on ${back} ${theme[back]}: ${ratio.toFixed(2)}, but ${wanted} is needed`);
      }
    }
  });
}

test("no colour stands outside the theme, and nothing is half transparent", () => {
  for (const name of readdirSync(SOURCES).filter((name) => name !== "theme.css")) {
    const found = css(name).match(/#[0-9a-f]{3,8}\b(?=[;,)\s])|\brgba?\(|\bhsla?\(|\bopacity:|\bmask-image:/g);
    assert.equal(found, null, name);
  }
  const used = new Set([...readdirSync(SOURCES).filter((name) => name.endsWith(".css")).map(css).join("").matchAll(/var\(--([a-z-]+)\)/g)].map(([, variable]) => variable));
  const set = new Set([...Object.keys(themes().light), "role"]);
  assert.deepEqual([...used].filter((variable) => !set.has(variable)), []);
  assert.deepEqual([...set].filter((variable) => !used.has(variable)), []);
});
