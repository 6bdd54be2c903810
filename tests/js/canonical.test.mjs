// Canonical JSON beside JavaScript's own numbers, strings and order of keys, which RFC 8785 takes over.
// THROUGHLINE_CASES and THROUGHLINE_SEED say how much is drawn, and from where.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { tools } from "../../bindings/dist/tools/load-node.js";

const CASES = Number(process.env.THROUGHLINE_CASES ?? 3000);
const SEED = Number(process.env.THROUGHLINE_SEED ?? 1);
let canonicalJson;

before(async () => {
  ({ canonicalJson } = await tools());
});

/** Numbers from 0 to 1, of 32 bits (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words = new Uint32Array(2);
const double = new Float64Array(words.buffer);

/** Any finite double: of any bits, or near a whole number. */
function finite(random) {
  for (;;) {
    words[0] = random() * 2 ** 32;
    words[1] = random() * 2 ** 32;
    const value = random() < 0.2 ? (random() - 0.5) * 2 ** (random() * 80) : double[0];
    if (Number.isFinite(value)) return value;
  }
}

test("doubles are written as JSON.stringify writes them", (t) => {
  const random = randomFrom(SEED);
  const [many, inOneText] = [CASES * 10, 1000];
  for (let seen = 0; seen < many; seen += inOneText) {
    const values = Array.from({ length: inOneText }, () => finite(random));
    const wanted = JSON.stringify(values);
    const canonical = canonicalJson(wanted);
    if (canonical !== wanted) assert.deepEqual(canonical.slice(1, -1).split(","), wanted.slice(1, -1).split(","));
    const exponents = canonicalJson(`[${values.map((value) => value.toExponential()).join()}]`);
    if (exponents !== wanted) assert.deepEqual(exponents.slice(1, -1).split(","), wanted.slice(1, -1).split(","));
  }
  t.diagnostic(`${many} doubles from seed ${SEED}`);
});

test("big integers stay, and read back as BigInt", (t) => {
  const random = randomFrom(SEED + 1);
  const digits = (count) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
  for (let seen = 0; seen < CASES; seen += 100) {
    // The last digit is no zero, so more than 17 digits are no shortest form of a double.
    const integers = Array.from({ length: 100 }, () => `${random() < 0.5 ? "-" : ""}1${digits(20 + random() * 40)}7`);
    const written = canonicalJson(`[${integers.join()}]`).slice(1, -1).split(",");
    assert.deepEqual(written.map(BigInt), integers.map(BigInt));
    assert.deepEqual(written, integers);
  }
  t.diagnostic(`${CASES} integers from seed ${SEED + 1}`);
});

/** A value with many keys, in an order that says nothing. */
function value(random, depth) {
  const kind = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (kind === 0) return [null, true, false][Math.floor(random() * 3)];
  if (kind <= 2) return finite(random);
  if (kind <= 4) return text(random);
  const length = Math.floor(random() * 8);
  if (kind === 5) return Array.from({ length }, () => value(random, depth - 1));
  return Object.fromEntries(Array.from({ length }, () => [text(random), value(random, depth - 1)]));
}

/** Of all planes, controls and quotes, but no lone surrogate. */
function text(random) {
  const ends = [0x30, 0x80, 0x800, 0x10000, 0x110000];
  const one = () => Math.floor(random() * ends[Math.floor(random() * ends.length)]);
  const code = (at) => (at >= 0xd800 && at < 0xe000 ? at + 0x1000 : at);
  return String.fromCodePoint(...Array.from({ length: random() * 6 }, () => code(one())));
}

/** JSON.stringify with the keys of every object in the order of their UTF-16 units. */
function sorted(value) {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pairs = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${sorted(value[key])}`);
  return `{${pairs.join()}}`;
}

test("values are written as JSON.stringify writes them, their keys sorted", (t) => {
  const random = randomFrom(SEED + 2);
  for (let seen = 0; seen < CASES; seen += 1) {
    const drawn = value(random, 4);
    assert.equal(canonicalJson(JSON.stringify(drawn, null, 2)), sorted(drawn));
  }
  t.diagnostic(`${CASES} values from seed ${SEED + 2}`);
});

test("what is no JSON is an error with a place", () => {
  assert.throws(() => canonicalJson('{"a":\n x}'), { name: "ThroughlineError", code: "json_invalid", message: /line 2, column 2/ });
});
