// A scrubbed string is put together from the one that was given: it must be the one that scrubbed bytes are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor, redact } from "throughline";

const value = ["hunt", "er2!x9"].join("");
const token = ["ghp", "016tbYWGqJmUwCTrR8MPAv7NvGZ2bD3Azkqs"].join("_");
const exact = "grün-\u{1f600}-geheim-日本";
const own = new Redactor({ exact: [exact], mark: "<{kind}>" });
const tagged = new Redactor({ exact: [exact], tagKey: "0123456789abcdef" });
const standard = new Redactor();

/** Checks that all ways through a text agree, and gives the scrubbed one. */
function scrubbed(redactor, text) {
  const clean = redactor.redact(text);
  const bytes = Buffer.from(text);
  assert.equal(Buffer.from(clean).compare(Buffer.from(redactor.redactBytes(bytes))), 0, JSON.stringify(text));
  assert.equal(redactor.inspect(text).text, clean);
  return clean;
}

test("characters outside of ASCII may stand before, between and inside of secrets", () => {
  const text = `Grüße \u{1f600}: password=${value}; 日本 \u{1f680}\nsay ${exact}\u{1f600}é token: ${token}`;
  const [mark, exactMark, tokenMark] = ["<assignment>", "<exact>", "<github-token>"];
  const around = (one, two, three) => `Grüße \u{1f600}: password=${one}; 日本 \u{1f680}\nsay ${two}\u{1f600}é token: ${three}`;
  assert.equal(scrubbed(own, text), around(mark, exactMark, tokenMark));
  assert.equal(scrubbed(standard, text), around("[REDACTED:assignment]", exact, "[REDACTED:github-token]"));
  assert.equal(redact(text), standard.redact(text));
  assert.match(scrubbed(tagged, text), /\[REDACTED:exact:[a-z2-7]{8}\]\u{1f600}é/u);
});

test("the host's own mark may stand beside anything; one with other characters than ASCII is refused", () => {
  const kept = new Redactor({ mark: "<gone>" });
  assert.equal(scrubbed(kept, `\u{1f600}password=${value}\u{1f600}`), "\u{1f600}password=<gone>");
  assert.equal(scrubbed(kept, `é "password": "${value}", \u{1f600}`), 'é "password": "<gone>", \u{1f600}');
  assert.throws(() => new Redactor({ mark: "<entfällt>" }), { code: "option_invalid", path: "options.mark" });
});

test("a lone surrogate outside of secrets stays as it is", () => {
  const [high, low] = ["\ud83d", "\ude00"];
  const text = `${low}${high} password=${value} ${high}\ntoken: ${token} ${low}${high}`;
  const clean = `${low}${high} password=[REDACTED:assignment] ${high}\ntoken: [REDACTED:github-token] ${low}${high}`;
  assert.equal(scrubbed(standard, text), clean);
  assert.equal(redact(text), clean);
  assert.equal(scrubbed(standard, `password="${value}${high}" ${low}`), `password="[REDACTED:assignment]" ${low}`);
});

test("a key block that is longer than what is read at once has one mark", () => {
  const [begin, end] = ["-----BEGIN RSA PRIVATE", "-----END RSA PRIVATE"].map((start) => `${start} KEY-----`);
  const block = `${begin}\n${"MIIEpAIBAAKCAQEA7Jh\n".repeat(9000)}${end}`;
  assert.equal(scrubbed(own, `é\u{1f600} ${block}\n\u{1f600} password=${value}`), "é\u{1f600} <private-key>\n\u{1f600} password=<assignment>");
});

test("no secret and no character is torn where a long string is handed over in pieces", () => {
  const secret = `\u{1f600} password=${value} 日本\n`;
  for (const filler of ["plain words ", "é\u{1f600}", `${"x".repeat(300)}\n`, "\ud83d "]) {
    // The secret stands at each place around the end of a piece.
    for (const before of [64, 128].flatMap((kilobytes) => Array.from({ length: 40 }, (_, n) => kilobytes * 1024 - 30 + n))) {
      const text = `${filler.repeat(Math.ceil(before / filler.length)).slice(0, before)} ${secret}${filler.repeat(9000)}`;
      const clean = text.replace(value, "[REDACTED:assignment]");
      assert.equal(standard.redact(text) === clean, true, `${JSON.stringify(filler.slice(0, 9))} × ${before}`);
      assert.equal(redact(text) === clean, true);
    }
  }
  const clean = "nothing to hide\n".repeat(20_000);
  assert.equal(standard.redact(clean), clean);
  assert.equal(scrubbed(own, `${clean}${exact} ${clean}`), `${clean}<exact> ${clean}`);
});

test("a scrubbed string is what scrubbed bytes are, whatever stands in it", () => {
  const bits = [
    "password", "token: ", "api_key", "=", ": ", '"', "'", "\\", "\\n", "\n", "\r\n", " ", "  ", ",", ";", "{", "}", "/", "@", "\0",
    "Authorization: Bearer ", "https://user:", "@host/", "-----BEGIN RSA PRIVATE", " KEY-----\n", "-----END RSA PRIVATE",
    "[REDACTED:bearer]", "[REDACTED:", value, token, token, exact, exact, "é", "ß", "日本", "\u{1f600}", "\u{1f1e9}\u{1f1ea}", "\ud83d", "\ude00",
    "\ufeff", "\ufffd", "plain words", "x".repeat(70),
  ];
  let state = 20;
  const below = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  let changed = 0;
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: below(30) }, () => bits[below(bits.length)]).join("");
    for (const redactor of [standard, own, tagged]) changed += scrubbed(redactor, text) === text ? 0 : 1;
    assert.equal(redact(text), standard.redact(text));
    if (round % 100 === 0) {
      const long = text.repeat(Math.ceil(200_000 / (text.length + 1)));
      for (const redactor of [standard, own, tagged]) scrubbed(redactor, long);
    }
  }
  assert.ok(changed > 3000, `something was found ${changed} times`);
});
