//! Scrubbing: the same however a text is cut, twice as once, and nothing else than secrets changes
//! (`spec/redaction.md`, contract).
use super::redact_texts::{any_text, long_text, piece};
use super::{Outcome, Property, Random, equal, holds, json_text, property};
use crate::encodings::base64;
use std::sync::OnceLock;
use throughline_core::{
    json::{Json, Object, canonical, parse},
    redact::{Finding, HostRule, Mode, Options, Redactor},
};

pub(super) const ALL: &[Property] = &[
    property("redact: chunks do not matter", chunks),
    property("redact: chunks of any bytes do not matter", any_bytes),
    property("redact: scrubbing twice changes nothing", twice),
    property("redact: vectors find what plain numbers find", by_numbers),
    property("redact: only what is found changes", outside),
    property("redact: JSON stays JSON of the same structure", json),
    property("redact: a JSON text loses what its value loses, and nothing beside", json_as_text),
    property("redact: nothing is left of a planted secret where it is found", planted),
    property("redact: a stream goes on from its state", resumed),
    property("redact: a stream goes on inside of a long line", resumed_in_a_long_line),
    property("redact: an exact value goes whole, over lines and in every encoding", exact_over_lines),
];

/// Redactors with their options set one way and the other.
fn redactors() -> &'static [Redactor] {
    static ALL: OnceLock<Vec<Redactor>> = OnceLock::new();
    ALL.get_or_init(built)
}

/// The same, with plain numbers in place of vectors.
fn twins() -> &'static [Redactor] {
    static ALL: OnceLock<Vec<Redactor>> = OnceLock::new();
    ALL.get_or_init(|| built().into_iter().map(Redactor::by_numbers).collect())
}

fn built() -> Vec<Redactor> {
    let mut paranoid = Options::default();
    paranoid.mode = Mode::Paranoid;
    let mut tagged = Options::default();
    tagged.tag_key = Some(b"0123456789abcdef".to_vec());
    tagged.exact = vec!["correct-horse".into(), "0123456789abcdef".into(), "two of\nthese lines".into()];
    tagged.exact.push("a\n\nlonger one\nof lines\n".into());
    let mut own = Options::default();
    own.mark = Some("<{kind}>".into());
    own.keys.strong = vec!["acme_code".into()];
    own.allow.keys = vec!["secret".into()];
    let rows = r#"[{"id": "acme-token", "keywords": ["acme_"], "alphabet": "alnum", "min": 16}]"#;
    own.rules = parse(rows).ok().and_then(|rows| HostRule::list(&rows).ok()).unwrap_or_default();
    let all = [Options::default(), paranoid, tagged, own];
    all.into_iter().map(|options| Redactor::new(options).expect("good options")).collect()
}

fn one_of_them(random: &mut Random) -> &'static Redactor {
    &redactors()[number_of_one(random)]
}

fn number_of_one(random: &mut Random) -> usize {
    // The usual one as often as the others together.
    if random.chance(2) { 0 } else { random.size(redactors().len()) }
}

/// What a stream makes of bytes that come in chunks of random lengths.
fn streamed(random: &mut Random, redactor: &Redactor, bytes: &[u8]) -> (Vec<u8>, Vec<Finding>) {
    let (mut stream, mut out, mut at) = (redactor.stream(), Vec::new(), 0);
    let most = random.pick(if bytes.len() < 10_000 { &[1, 2, 5, 30, 200] } else { &[500, 2000, 20_000] });
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

fn by_numbers(random: &mut Random) -> Outcome {
    let n = number_of_one(random);
    let text = if random.chance(1000) { long_text(random) } else { any_text(random) };
    let found = [redactors(), twins()].map(|all| all[n].report(&text));
    equal(&format!("findings of {text:?} by redactor {n}"), &found[0], &found[1])
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
    let once = redactor.redact(&text).text;
    equal(&format!("scrubbing {text:?} twice"), &redactor.redact(once.as_str()).text, &once)?;
    let row = redactor.clean(&text);
    equal(&format!("scrubbing {text:?} of a row twice"), &redactor.clean(row.as_str()), &row)?;
    equal(&format!("{text:?} of a row as a text"), &redactor.redact(row.as_str()).text, &row)
}

/// Exact values that go over lines, and what finds them.
fn over_lines() -> &'static [(String, Redactor)] {
    static ALL: OnceLock<Vec<(String, Redactor)>> = OnceLock::new();
    ALL.get_or_init(|| {
        (0..40)
            .map(|n| {
                let mut random = Random::of(1, "values over lines", n);
                let bits = [
                    "\n", "\n", "\r\n", "\"", "\\", "é", "🙂", " ", "q9x2mn7p", "k4rt8wy1", "a", "=", "\t",
                    "-----", "/", "+", "&", "<", ">", "'", "!", "~", "*", "(", ")", "`",
                ];
                let middle: String = (0..random.size(60)).map(|_| random.pick(&bits)).collect();
                let value = ["x7", &middle, "\nzz", &secret(&mut random)].concat();
                let mut options = Options::default();
                options.exact.push(value.clone());
                (value, Redactor::new(options).expect("good options"))
            })
            .collect()
    })
}

fn exact_over_lines(random: &mut Random) -> Outcome {
    let all = over_lines();
    let (value, redactor) = &all[random.size(all.len())];
    let lines = value.replace("\r\n", "\n");
    let json = |text: &str| {
        let text = throughline_core::json::text(&Json::String(text.into()));
        text[1..text.len() - 1].to_owned()
    };
    // As writers of JSON do that escape slashes, and what may not stand in HTML.
    let slashes = |text: &str| json(text).replace('/', "\\/");
    let html = |text: &str| {
        let barred = |text: String, c: char| text.replace(c, &format!("\\u{:04X}", u32::from(c)));
        let text = json(text).replace("\\\"", "\\u0022");
        let letter = |c: char| match c {
            c if c.is_ascii() => c.to_string(),
            c => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect(),
        };
        "&'+<>`".chars().fold(text, barred).chars().map(letter).collect::<String>()
    };
    let upper = random.chance(2);
    let digits = |b: u8| if upper { format!("{b:02X}") } else { format!("{b:02x}") };
    let unreserved = random.pick(&["-_.~", "-_.~!*'()", "-_.*", "-_.", "-_.~/"]);
    let percent = |text: &str| -> String {
        let stays = |b: u8| b.is_ascii_alphanumeric() || unreserved.as_bytes().contains(&b);
        let letter = |b: u8| if stays(b) { char::from(b).into() } else { format!("%{}", digits(b)) };
        text.bytes().map(letter).collect()
    };
    let ends = random.pick(&["\n", "\r\n"]);
    let given = lines.replace('\n', ends);
    let form = match random.below(14) {
        0 | 1 => given,
        2 => json(&given),
        3 => json(&json(&given)),
        4 => slashes(&given),
        5 => json(&slashes(&given)),
        6 => slashes(&slashes(&given)),
        7 => html(&given),
        8 => html(&html(&given)),
        9 => percent(&given),
        10 => percent(&given).replace("%20", "+"),
        11 => given.bytes().map(digits).collect(),
        12 => base64(given.as_bytes()).replace('+', "-").replace('/', "_").trim_end_matches('=').to_owned(),
        _ => base64(given.as_bytes()),
    };
    // Before it, so that it stands around the end of what is judged at once; or any text.
    let before = if random.chance(500) {
        let one = random.pick(&["x y ", "x\n", "abcdefgh"]);
        one.repeat((64 * 1024 - random.size(form.len() + 40_000)) / one.len())
    } else {
        any_text(random).replace("[REDACTED", "")
    };
    let around = random.pick(&["|", "\n", " ", "\"", "'"]);
    let text = [&before, around, &form, around, &any_text(random)].concat();
    let whole = redactor.redact(&text);
    let start = before.len() + around.len();
    let found = |f: &Finding| f.offset <= start && f.offset + f.length >= start + form.len();
    holds(whole.findings.iter().any(found), || {
        let tail: String = text.chars().skip(text.chars().count().saturating_sub(3000)).collect();
        format!("{form:?} stays in a text that ends in {tail:?}")
    })?;
    let (out, findings) = streamed(random, redactor, text.as_bytes());
    equal("a stream", &String::from_utf8_lossy(&out).as_ref(), &whole.text.as_str())?;
    equal("findings of a stream", &findings, &whole.findings)
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
    equal(&format!("scrubbing {} twice", canonical(&value)), &redactor.redact_json(&read).0, &clean)?;
    let text = throughline_core::json::text(&value);
    let clean = redactor.redact_json_text(&text).map_err(|error| error.to_string())?.text;
    let read = parse(clean.as_str()).map_err(|error| format!("{clean:?} is no JSON: {error}"))?;
    equal(&format!("shape of the text {text}"), &shape(&read), &shape(&value))
}

/// A random secret, as random as tokens are: few letters in a row.
fn secret(random: &mut Random) -> String {
    const LETTERS: [&str; 3] = ["abcdefghijkmnopqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"];
    let length = 24 + random.size(16);
    let letter = |n: usize| {
        let letters = LETTERS[(n + random.size(2)) % 3].as_bytes();
        char::from(random.pick(letters))
    };
    (0..length).map(letter).collect()
}

/// A value in which `secrets` stand: under names, in texts, in lists, in JSON in strings, as it is and escaped.
fn value_with(random: &mut Random, secrets: &[String], depth: u32) -> Json {
    let planted = |random: &mut Random| secrets[random.size(secrets.len())].clone();
    match random.below(if depth == 0 { 4 } else { 9 }) {
        0 => Json::String(planted(random)),
        1 => {
            let before = random.pick(&[
                "password: ",
                "Authorization: Bearer ",
                "api_key=",
                "curl -u ann:",
                "é ",
                "\n",
            ]);
            let after = random.pick(&["", " ", "\n", "\"", "\\", ", and more", "🙂"]);
            Json::String([before, &planted(random), after].concat())
        }
        2 => Json::String(any_text(random)),
        3 => parse(&json_text::json_text(random)).unwrap_or(Json::Null),
        4 => Json::Array((0..random.size(4)).map(|_| value_with(random, secrets, depth - 1)).collect()),
        5 | 6 => {
            let inner = value_with(random, secrets, depth - 1);
            Json::String((0..random.size(3)).fold(throughline_core::json::text(&inner), |text, _| {
                throughline_core::json::text(&Json::String(text))
            }))
        }
        _ => {
            let member = |random: &mut Random| {
                #[rustfmt::skip] // A table.
                let name = random.pick(&[
                    "password", "clientSecret", "api_key", "id", "request_id", "token", "authorization", "a", "name",
                    "value", "key", "env", "DB_PASSWORD", "tokens", "signature", "sha256", "Pass\"word",
                ]);
                let name = if random.chance(12) { planted(random) } else { name.to_owned() };
                (name, value_with(random, secrets, depth - 1))
            };
            Json::Object((0..random.size(5)).map(|_| member(random)).collect::<Object>())
        }
    }
}

/// Writes some characters as escapes, and blanks between values, so that a text is none that this library writes.
fn written_otherwise(random: &mut Random, text: &str) -> String {
    let (mut out, mut string, mut escaped, mut digits) = (String::new(), false, false, 0);
    for c in text.chars() {
        let plain = string && !escaped && digits == 0 && !matches!(c, '"' | '\\');
        digits = if escaped && c == 'u' { 4 } else { u32::saturating_sub(digits, 1) };
        if plain && random.chance(40) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out += &format!("\\u{unit:04X}");
            }
        } else {
            out.push(c);
        }
        string ^= c == '"' && !escaped;
        escaped = string && c == '\\' && !escaped;
        if !string && matches!(c, ',' | ':' | '[') && random.chance(4) {
            out += random.pick(&[" ", "\n", "\t"]);
        }
    }
    out
}

/// Whether text behind a key is as it was but for the number of the key.
fn is_numbered(here: &str, kept: &str) -> bool {
    let same = here.bytes().zip(kept.bytes()).take_while(|(one, other)| one == other).count();
    let number = here.get(same..).and_then(|rest| rest.strip_prefix(' '));
    number.is_some_and(|rest| Some(rest.trim_start_matches(|c: char| c.is_ascii_digit())) == kept.get(same..))
}

/// Whether a secret goes from each string in which it stands, with no more than the name above it.
fn goes_alone(redactor: &Redactor, value: &Json, name: Option<&str>, secret: &str) -> bool {
    let goes = |value: &Json| !redactor.redact_json(value).0.as_str().contains(secret);
    let under = |name: &str, value: Json| Json::Object([(name.to_owned(), value)].into_iter().collect());
    match value {
        // How deep a name is seen counts from the text that it stands in.
        Json::String(text) if text.contains('\\') => {
            !redactor.redact_record(text).text.as_str().contains(secret)
        }
        Json::String(text) if text.contains(secret) => {
            goes(&name.map_or_else(|| value.clone(), |name| under(name, value.clone())))
        }
        Json::Array(items) => items.iter().all(|item| goes_alone(redactor, item, name, secret)),
        Json::Object(members) => members.iter().all(|(name, value)| {
            (!name.contains(secret) || goes(&under(name, Json::Null)))
                && goes_alone(redactor, value, Some(name), secret)
        }),
        _ => true,
    }
}

fn json_as_text(random: &mut Random) -> Outcome {
    let redactor = one_of_them(random);
    let secrets: Vec<String> = (0..3).map(|_| secret(random)).collect();
    // In the order in which values are read as well: what strings say of each other depends on it.
    let mut text = canonical(&value_with(random, &secrets, 3));
    let value = parse(&text).map_err(|error| error.to_string())?;
    let canonical = text.clone();
    if random.chance(2) {
        text = written_otherwise(random, &text);
    }
    let (by_value, _) = redactor.redact_json(&value);
    let out = redactor.redact_json_text(&text).map_err(|error| error.to_string())?;
    let clean = out.text.as_str();
    let read = parse(clean).map_err(|error| format!("{text} became {clean}, which is no JSON: {error}"))?;
    equal(&format!("shape of the text {text}"), &shape(&read), &shape(&value))?;
    let left = throughline_core::json::text(&read);
    // What strings say of each other is read as it is written.
    let told = |secret: &str| text == canonical || goes_alone(redactor, &value, None, secret);
    let more = secrets
        .iter()
        .find(|secret| left.contains(&***secret) && !by_value.as_str().contains(&***secret) && told(secret));
    holds(more.is_none(), || format!("{text} became {clean}, by value {}: {more:?}", by_value.as_str()))?;
    let (mut at, mut out_at) = (0, 0);
    for found in &out.findings {
        let kept = &text[at..found.offset];
        let here = clean.get(out_at..found.out_offset).unwrap_or_default();
        holds(here == kept || is_numbered(here, kept), || {
            format!("{text} became {clean}: {here} was {kept}")
        })?;
        (at, out_at) = (found.offset + found.length, found.out_offset + found.out_length);
    }
    let again = redactor.redact_json_text(clean).map_err(|error| error.to_string())?.text;
    equal(&format!("scrubbing {text} twice"), &again.as_str(), &clean)
}

fn planted(random: &mut Random) -> Outcome {
    let redactor = one_of_them(random);
    let secret = secret(random);
    let length = secret.len();
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
    let text = any_text(random);
    goes_on(random, &text)
}

/// A line of more than is judged at once, with a few secrets and key blocks in it, or a long key block; and other lines.
fn long_line(random: &mut Random) -> String {
    let mut text = String::new();
    let goal = 66_000 + random.size(140_000);
    // Without other blanks a part ends between a name and its value.
    let calm = random.chance(2);
    while text.len() < goal {
        match random.below(8) {
            0 => {
                let body = "MIIBOgIBAAJBAKj34GkxFhD9\\n".repeat(1 + random.size(40));
                let end = random.pick(&["", "-----END RSA PRIVATE KEY-----"]);
                text += &["-----BEGIN RSA PRIV", "ATE KEY-----\\n", &body, end].concat();
            }
            1 if random.chance(20) => {
                let line = random.pick(&["\n", "\\n"]);
                text += &["-----BEGIN RSA PRIV", "ATE KEY-----", line].concat();
                text += &["MIIBOgIBAAJBAKj34GkxFhD9", line].concat().repeat(3000);
            }
            2 | 3 => {
                let name =
                    random.pick(&["\"api_key\": \"", "\\\"secret\\\": \\\"", "password = ", "Bearer "]);
                text += &["\"", name, &secret(random), "\";"].concat();
            }
            4 if !calm => {
                let pieces = random.size(30);
                (0..pieces).for_each(|_| text += &piece(random).replace('\n', " "));
            }
            5 if random.chance(30) => text += "\n",
            _ => {
                let bits: &[&str] =
                    if calm { &["x", "é", "ab/cd", "a,"] } else { &["word ", "\"a\": 1, ", "\\n", "key "] };
                text += &random.pick(bits).repeat(1 + random.size(3000));
            }
        }
    }
    text
}

fn resumed_in_a_long_line(random: &mut Random) -> Outcome {
    if !random.chance(100) {
        return Ok(());
    }
    let text = long_line(random);
    goes_on(random, &text)
}

fn goes_on(random: &mut Random, text: &str) -> Outcome {
    let redactor = one_of_them(random);
    let bytes = text.as_bytes();
    let cut = random.size(bytes.len() + 1);
    let (mut stream, mut out) = (redactor.stream(), Vec::new());
    stream.push(&bytes[..cut], &mut out);
    let state = stream.state();
    let offset = usize::try_from(state.offset).unwrap_or_default();
    holds(offset <= cut && out.len() as u64 == state.out_offset, || format!("{text:?} at {cut}: {state:?}"))?;
    let (written, enough) = (out.len(), usize::try_from(state.before()).unwrap_or_default());
    let (mut next, from) = redactor.resume(&state, &bytes[offset - enough..offset]);
    equal("where it goes on", &from, &state.offset)?;
    let found = stream.take_findings();
    next.push(&bytes[offset..], &mut out);
    next.finish(&mut out);
    // Values that were found before are not looked for again: those of 12 to 512 bytes.
    let again = |found: &Finding| {
        let end = (found.offset + found.length).min(offset);
        (12..=512).contains(&found.length)
            && text.get(end..).is_none_or(|rest| rest.contains(&text[found.offset..end]))
    };
    let long = state.inside_key || state.behind > 0;
    if long && found.iter().any(again) {
        return Ok(());
    }
    let out = String::from_utf8_lossy(&out).into_owned();
    let wanted = match long {
        true => redactor.redact(text).text.as_str().to_owned(),
        false => [&out[..written], redactor.redact(&text[offset..]).text.as_str()].concat(),
    };
    let wanted = wanted.as_str();
    if out == wanted {
        return Ok(());
    }
    let same = out.bytes().zip(wanted.bytes()).take_while(|(one, other)| one == other).count();
    let near = |text: &str| -> String {
        String::from_utf8_lossy(&text.as_bytes()[same.saturating_sub(200)..(same + 100).min(text.len())])
            .into_owned()
    };
    let start: String = text.chars().take(2000).collect();
    Err(format!("{start:?} from {offset} on, at {same}: {:?}, wanted {:?}", near(&out), near(wanted)))
}
