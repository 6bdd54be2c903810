//! Scrubbing: the same however a text is cut, twice as once, and nothing else than secrets changes
//! (`spec/redaction.md`, contract).
use super::{Outcome, Property, Random, equal, holds, json_text, property};
use std::sync::OnceLock;
use throughline_core::{
    json::{Json, Object, canonical, parse},
    redact::{Finding, HostRule, Mode, Options, Redactor},
};

pub(super) const ALL: &[Property] = &[
    property("redact: chunks do not matter", chunks),
    property("redact: chunks of any bytes do not matter", any_bytes),
    property("redact: scrubbing twice changes nothing", twice),
    property("redact: only what is found changes", outside),
    property("redact: JSON stays JSON of the same structure", json),
    property("redact: nothing is left of a planted secret where it is found", planted),
    property("redact: a stream goes on from its state", resumed),
];

/// What finders look at, between which anything may stand.
#[rustfmt::skip] // A table.
const BITS: &[&str] = &[
    "password", "token", "api_key", "secret: ", "key=", "=", ": ", ":", "\"", "'", "`", "\\", "\\\"", "\\n", "\n",
    "\n", "\r\n", " ", "  ", "://", "@", "/", "?", "&", "#", "{", "}", "[", "]", "(", ")", ",", ";", "<password>",
    "</password>", "<password>\n", "Bearer ", "Basic ", "Authorization: ", "Cookie: ", "sid=", "--password ", "-p",
    "curl -u ", "mysql ", "login ", "login app\n", "\"tokens\": [\n", "\"a\",\n", "\\\n", "IDENTIFIED BY ",
    "-----BEGIN ", "PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\n", "-----END ", "MIIBOgIBAAJBAKj34GkxFhD9\n",
    "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "ghp_", "sk-ant-", "AKIA", "xoxb-", "acme_", "acmeCode=", "é", "日本", "🙂",
    "\u{1b}[32m", "\u{1b}[0m", "%3D", "&quot;", "hunter2", "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB", "[REDACTED:",
    "[REDACTED:bearer]", "[REDACTED:assignment]", "[REDACTED:acme-token]", "[REDACTED:jwt:k7f3q2wd]",
    "[REDACTED:nothing]", "<assignment>", "0123456789abcdef", "q9x2mn7pk4rt8wy1cv5bz3df6gh0jl2e", "null", "${TOKEN}",
    "$", "%", "user:pa55w0rd@", "http", "-us12", ":AA", "Q~", ".atlasv1.",
];

/// Redactors with their options set one way and the other.
fn redactors() -> &'static [Redactor] {
    static ALL: OnceLock<Vec<Redactor>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut paranoid = Options::default();
        paranoid.mode = Mode::Paranoid;
        let mut tagged = Options::default();
        tagged.tag_key = Some(b"0123456789abcdef".to_vec());
        tagged.exact = vec!["correct-horse".into(), "0123456789abcdef".into()];
        let mut own = Options::default();
        own.mark = Some("<{kind}>".into());
        own.keys.strong = vec!["acme_code".into()];
        own.allow.keys = vec!["secret".into()];
        let rows = r#"[{"id": "acme-token", "keywords": ["acme_"], "alphabet": "alnum", "min": 16}]"#;
        own.rules = parse(rows).ok().and_then(|rows| HostRule::list(&rows).ok()).unwrap_or_default();
        let all = [Options::default(), paranoid, tagged, own];
        all.into_iter().map(|options| Redactor::new(options).expect("good options")).collect()
    })
}

fn one_of_them(random: &mut Random) -> &'static Redactor {
    let all = redactors();
    // The usual one as often as the others together.
    if random.chance(2) { &all[0] } else { &all[random.size(all.len())] }
}

fn any_text(random: &mut Random) -> String {
    let pieces = random.size(30);
    (0..pieces)
        .map(|_| match random.below(9) {
            0 => random.of_alphabet("abcxyzABCXYZ0123456789_-", 20),
            1 => random.text(3),
            _ => random.pick(BITS).to_owned(),
        })
        .collect()
}

/// A text of lines and bits that is longer than what is read at once.
fn long_text(random: &mut Random) -> String {
    let mut text = String::new();
    while text.len() < 150_000 {
        let bit = if random.chance(3) { any_text(random) } else { random.pick(BITS).to_owned() };
        text += &bit.repeat(1 + random.size(500));
    }
    text
}

/// What a stream makes of bytes that come in chunks of random lengths.
fn streamed(random: &mut Random, redactor: &Redactor, bytes: &[u8]) -> (Vec<u8>, Vec<Finding>) {
    let (mut stream, mut out, mut at) = (redactor.stream(), Vec::new(), 0);
    let most = random.pick(&[1, 2, 5, 30, 200]);
    while at < bytes.len() {
        let end = (at + 1 + random.size(most)).min(bytes.len());
        stream.push(&bytes[at..end], &mut out);
        at = end;
    }
    stream.finish(&mut out);
    (out, stream.take_findings())
}

fn chunks(random: &mut Random) -> Outcome {
    let redactor = one_of_them(random);
    let text = if random.chance(1000) { long_text(random) } else { any_text(random) };
    let whole = redactor.redact(&text);
    let (out, findings) = streamed(random, redactor, text.as_bytes());
    let out = String::from_utf8_lossy(&out).into_owned();
    equal(&format!("a stream of {text:?}"), &out.as_str(), &whole.text.as_str())?;
    equal(&format!("findings of {text:?}"), &findings, &whole.findings)
}

fn any_bytes(random: &mut Random) -> Outcome {
    let redactor = one_of_them(random);
    let mut bytes = any_text(random).into_bytes();
    for _ in 0..random.size(4) {
        let at = random.size(bytes.len() + 1);
        bytes.splice(at..at, random.bytes(3));
    }
    let one = streamed(random, redactor, &bytes);
    equal(&format!("another stream of {bytes:?}"), &streamed(random, redactor, &bytes), &one)?;
    holds(!one.1.is_empty() || one.0 == bytes, || format!("nothing is found in {bytes:?}, but it changes"))
}

fn twice(random: &mut Random) -> Outcome {
    let (redactor, text) = (one_of_them(random), any_text(random));
    let once = redactor.clean(&text);
    equal(&format!("scrubbing {text:?} twice"), &redactor.clean(once.as_str()), &once)
}

fn outside(random: &mut Random) -> Outcome {
    let (redactor, text) = (one_of_them(random), any_text(random));
    let out = redactor.redact(&text);
    let (mut at, mut out_at) = (0, 0);
    for found in &out.findings {
        let kept = &text[at..found.offset];
        equal(&format!("text of {text:?}"), &&out.text.as_str()[out_at..found.out_offset], &kept)?;
        let before = &text[..found.offset];
        let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
        let place = (before.matches('\n').count() + 1, column);
        equal(&format!("line and column in {text:?}"), &(found.line, found.column), &place)?;
        (at, out_at) = (found.offset + found.length, found.out_offset + found.out_length);
    }
    equal(&format!("end of {text:?}"), &&out.text.as_str()[out_at..], &&text[at..])?;
    equal("a report", &redactor.report(&text), &out.findings)
}

/// What is there beside strings and names, in any order of members.
pub(crate) fn shape(value: &Json) -> String {
    match value {
        Json::String(_) => "s".into(),
        Json::Array(items) => format!("[{}]", items.iter().map(shape).collect::<Vec<_>>().join(",")),
        Json::Object(object) => {
            let mut members: Vec<String> = object.iter().map(|(_, value)| shape(value)).collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        other => canonical(other),
    }
}

/// A value whose strings and names are what finders look at.
fn any_value(random: &mut Random, depth: u32) -> Json {
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 => parse(&json_text::json_text(random)).unwrap_or(Json::Null),
        1 | 2 => Json::String(any_text(random)),
        3 => Json::Array((0..random.size(4)).map(|_| any_value(random, depth - 1)).collect()),
        _ => {
            let member = |random: &mut Random| {
                let name = match random.below(4) {
                    0 => any_text(random),
                    _ => random.pick(&["password", "id", "authorization", "secret", "key", "a"]).to_owned(),
                };
                (name, any_value(random, depth - 1))
            };
            Json::Object((0..random.size(4)).map(|_| member(random)).collect::<Object>())
        }
    }
}

fn json(random: &mut Random) -> Outcome {
    let redactor = one_of_them(random);
    let value = any_value(random, 3);
    let (clean, _) = redactor.redact_json(&value);
    let read = parse(clean.as_str()).map_err(|error| format!("{clean:?} is no JSON: {error}"))?;
    equal(&format!("shape of {}", canonical(&value)), &shape(&read), &shape(&value))?;
    equal("scrubbing a value twice", &redactor.redact_json(&read).0, &clean)?;
    let text = throughline_core::json::text(&value);
    let clean = redactor.redact_json_text(&text).map_err(|error| error.to_string())?.text;
    let read = parse(clean.as_str()).map_err(|error| format!("{clean:?} is no JSON: {error}"))?;
    equal(&format!("shape of the text {text}"), &shape(&read), &shape(&value))
}

fn planted(random: &mut Random) -> Outcome {
    // As random as tokens are: few letters in a row.
    const LETTERS: [&str; 3] = ["abcdefghijkmnopqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"];
    let redactor = one_of_them(random);
    let length = 24 + random.size(16);
    let letter = |n: usize| {
        let letters = LETTERS[(n + random.size(2)) % 3].as_bytes();
        char::from(random.pick(letters))
    };
    let secret: String = (0..length).map(letter).collect();
    let noise = |random: &mut Random| any_text(random).replace(['\n', '\r', '\\', '"', '\'', '`'], " ");
    let name = random.pick(&["api_key", "client_secret", "DB_PASSWORD", "authToken"]);
    let (before, after) = (any_text(random), any_text(random));
    let (left, right) = (noise(random), noise(random));
    let line = format!("{left} {secret} {name} = \"{secret}\" {right} {secret}");
    let text = format!("{before}\n{line}\n{after}");
    let start = before.len() + 1;
    let at = start + left.len() + 1 + secret.len() + name.len() + 5;
    let out = redactor.redact(&text);
    let confirmed =
        out.findings.iter().any(|found| found.offset <= at && found.offset + found.length >= at + length);
    if !confirmed {
        return Ok(());
    }
    // What of the output the line became.
    let kept = |place: usize| {
        let before = out.findings.iter().filter(|found| found.offset + found.length <= place);
        let shift = before.map(|found| found.out_length as i64 - found.length as i64).sum::<i64>();
        usize::try_from(place as i64 + shift).unwrap_or_default()
    };
    let end = start + line.len();
    let crosses = |place: usize| out.findings.iter().any(|f| f.offset < place && place < f.offset + f.length);
    if crosses(start) || crosses(end) {
        return Ok(());
    }
    let clean = &out.text.as_str()[kept(start)..kept(end)];
    let left =
        secret.as_bytes().windows(6).find(|piece| clean.as_bytes().windows(6).any(|found| found == *piece));
    holds(left.is_none(), || format!("{text:?} leaves a piece of {secret}: {clean:?}"))
}

fn resumed(random: &mut Random) -> Outcome {
    let (redactor, text) = (one_of_them(random), any_text(random));
    let bytes = text.as_bytes();
    let cut = random.size(bytes.len() + 1);
    let (mut stream, mut out) = (redactor.stream(), Vec::new());
    stream.push(&bytes[..cut], &mut out);
    let state = stream.state();
    let offset = usize::try_from(state.offset).unwrap_or_default();
    holds(offset <= cut && out.len() as u64 == state.out_offset, || format!("{text:?} at {cut}: {state:?}"))?;
    let (mut next, from) = redactor.resume(&state, &bytes[..offset]);
    equal("where it goes on", &from, &state.offset)?;
    let found = stream.take_findings();
    next.push(&bytes[offset..], &mut out);
    next.finish(&mut out);
    // Values that were found before are not looked for again.
    let alone = found.is_empty() || offset == 0;
    if !alone {
        return Ok(());
    }
    let out = String::from_utf8_lossy(&out).into_owned();
    equal(&format!("{text:?} from {offset} on"), &out.as_str(), &redactor.clean(&text).as_str())
}
