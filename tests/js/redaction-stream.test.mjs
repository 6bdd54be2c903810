import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor } from "throughline";

const value = ["hunt", "er2!x9"].join("");
const random = ["Zf3D0LXCM3EIMbgJ", "pUNnkRtOfOueHznB"].join("");
const text = `Grüße \u{1f600}\napi_key = "${random}"\nsee ${random}\npassword: ${value}\n<password>\n${value}\n</password>\nend \u{1f600}`;

const join = (chunks) => Buffer.concat(chunks).toString();

/** What a stream makes of chunks of so many bytes. */
function streamed(redactor, bytes, size) {
  const stream = redactor.stream();
  const out = [];
  for (let at = 0; at < bytes.length; at += size) out.push(stream.push(bytes.subarray(at, at + size)));
  out.push(stream.finish());
  return { text: join(out), findings: stream.takeFindings() };
}

test("chunks of any size give what the whole text gives", () => {
  const redactor = new Redactor();
  const whole = redactor.inspect(text);
  assert.equal(whole.findings.length, 4);
  const places = whole.findings.map(({ utf16_offset, utf16_length, out_utf16_offset, out_utf16_length, ...rest }) => rest);
  for (const size of [1, 2, 3, 7, 64, 1000]) {
    assert.deepEqual(streamed(redactor, Buffer.from(text), size), { text: whole.text, findings: places });
  }
  assert.equal(Buffer.from(redactor.redactBytes(Buffer.from(text))).toString(), whole.text);
});

test("a line comes out when it is complete, and a stream outlives its redactor", () => {
  const redactor = new Redactor();
  const stream = redactor.stream();
  redactor.free();
  assert.equal(stream.push(Buffer.from(`password: ${value}`)).length, 0);
  assert.equal(stream.held, Buffer.from(`password: ${value}`).length);
  assert.equal(join([stream.push(Buffer.from("\nnext"))]), "password: [REDACTED:assignment]\n");
  assert.equal(join([stream.finish()]), "next");
  stream.free();
  stream.free();
  assert.throws(() => stream.push(Buffer.from("x")), { code: "freed" });
  assert.throws(() => redactor.stream(), { code: "freed" });
});

test("bytes that are no text stay, and a clean chunk of bytes is the very same object", () => {
  const redactor = new Redactor();
  const odd = Uint8Array.from([0xff, 0xfe, 0x20, 0xc3]);
  assert.equal(redactor.redactBytes(odd), odd);
  const clean = new TextEncoder().encode("Grüße");
  assert.equal(redactor.redactBytes(clean), clean);
  assert.deepEqual(redactor.redactBytes(Buffer.concat([odd, Buffer.from(` password=${value}`)])).subarray(0, 4), odd);
  for (const wrong of ["text", null, 7, {}]) {
    assert.throws(() => redactor.redactBytes(wrong), { code: "argument_invalid", path: "bytes" });
    assert.throws(() => redactor.stream().push(wrong), { code: "argument_invalid", path: "chunk" });
  }
});

test("a state holds no text, survives JSON, and says where to go on", () => {
  const redactor = new Redactor();
  // No value stands twice: what was found before is not looked for again.
  const log = text.replace(`see ${random}\n`, "");
  const bytes = Buffer.from(log);
  const whole = redactor.redact(log);
  for (let cut = 0; cut <= bytes.length; cut += 5) {
    const first = redactor.stream();
    const head = first.push(bytes.subarray(0, cut));
    const state = JSON.parse(JSON.stringify(first.state()));
    assert.equal(JSON.stringify(state).includes(value), false);
    const next = redactor.resume(state, bytes.subarray(0, state.offset));
    assert.equal(next.from, state.offset);
    assert.equal(join([head, next.push(bytes.subarray(state.offset)), next.finish()]), whole);
    if (state.offset > 0) assert.equal(redactor.resume(state, Buffer.from("another log")).from, 0);
  }
  assert.throws(() => redactor.resume({}, bytes), { code: "argument_invalid", path: "state" });
  assert.throws(() => redactor.resume(redactor.stream().state(), "bytes"), { code: "argument_invalid", path: "before" });
});

async function through(transform, chunks) {
  const out = [];
  const read = async () => {
    for await (const chunk of transform.readable) out.push(chunk);
  };
  const write = async () => {
    const writer = transform.writable.getWriter();
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  };
  await Promise.all([read(), write()]);
  return out;
}

test("transform streams scrub bytes and text", async () => {
  const redactor = new Redactor();
  const whole = redactor.redact(text);
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 9) }, (_, n) => bytes.subarray(n * 9, n * 9 + 9));
  assert.equal(join(await through(redactor.byteStream(), pieces)), whole);
  // Cut in the middle of a pair of surrogates as well.
  assert.equal((await through(redactor.textStream(), text.split(""))).join(""), whole);
  assert.deepEqual(await through(redactor.textStream(), ["a\ud83d"]), ["a\ufffd"]);
  await assert.rejects(through(redactor.textStream(), [7]), { code: "argument_invalid", path: "chunk" });
});

test("tags, marks, names, rules and lists of what stays", () => {
  const tagged = new Redactor({ tagKey: "0123456789abcdef" });
  const [one, two] = tagged.redact(`api_key = "${random}"\nsee ${random}`).match(/\[REDACTED:assignment:[a-z2-7]{8}\]/g);
  assert.equal(one, two);
  assert.equal(tagged.redact(`password: ${value}`), "password: [REDACTED:assignment:aaaaaaaa]");
  assert.equal(new Redactor({ tagKey: Buffer.from("0123456789abcdef") }).redact(`api_key = "${random}"`), `api_key = "${one}"`);
  assert.equal(new Redactor({ mark: "<{kind}>" }).redact(`password=${value}`), "password=<assignment>");
  const rules = [{ id: "acme-token", keywords: ["acme_"], alphabet: "alnum", min: 20 }];
  assert.equal(new Redactor({ rules }).redact(`acme_${random}`), "[REDACTED:acme-token]");
  assert.equal(new Redactor({ rules: JSON.stringify(rules) }).report(`acme_${random}`)[0].rule, "acme-token");
  assert.equal(new Redactor({ keys: { strong: ["launch_code"] } }).redact("launchCode=k7-9a"), "launchCode=[REDACTED:assignment]");
  for (const allow of [{ values: [value] }, { keys: ["Password"] }, { rules: ["assignment"] }]) {
    assert.equal(new Redactor({ allow }).redact(`password=${value}`), `password=${value}`);
  }
  assert.equal(new Redactor().redactJson(`{ "password": "${value}", "n": 1.0 }`), '{ "password": "[REDACTED:assignment]", "n": 1.0 }');
  assert.throws(() => new Redactor().redactJson("{"), { code: "json_invalid", path: "json" });
});

test("options that cannot be taken are named by their path", () => {
  const row = { id: "acme-token", keywords: ["acme_"], alphabet: "alnum", min: 20 };
  for (const [options, code, path] of [
    [{ tagKey: "short" }, "option_invalid", "options.tagKey"],
    [{ tagKey: 7 }, "argument_invalid", "options.tagKey"],
    [{ mark: "none" }, "option_invalid", "options.mark"],
    [{ allow: { rules: ["none"] } }, "option_invalid", "options.allow.rules[0]"],
    [{ allow: { rule: [] } }, "argument_invalid", "rule"],
    [{ keys: { strong: [7] } }, "argument_invalid", "options.keys.strong[0]"],
    [{ rules: [row, { ...row, id: "b-c", alphabet: "letters" }] }, "option_invalid", "options.rules[1].alphabet"],
    [{ rules: [{ id: "a-b", regex: "x+" }] }, "regex_unavailable", "options.rules[0].regex"],
    [{ rules: "[" }, "json_invalid", "options.rules"],
    [{ rules: 7 }, "option_invalid", "options.rules"],
    [{ decodeDepth: 5 }, "argument_invalid", "options.decodeDepth"],
    [{ pii: "yes" }, "argument_invalid", "options.pii"],
    [{ exact: ["long-enough", "short"] }, "exact_too_short", "options.exact[1]"],
  ]) {
    assert.throws(() => new Redactor(options), (error) => {
      assert.deepEqual([error.name, error.code, error.path], ["ThroughlineError", code, path], error.message);
      assert.equal(error.message.includes("short\""), false);
      return true;
    });
  }
});
