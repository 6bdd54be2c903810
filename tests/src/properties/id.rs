//! Identities: what is accepted, what is hashed, the bits of UUIDs, and the one form of a project's path.
use super::{Outcome, Property, Random, equal, holds, property};
use throughline_core::id::{BatchId, CheckpointId, Project, RowId, SessionId};
use throughline_core::text::chars;
use throughline_core::time::Timestamp;

pub(super) const ALL: &[Property] = &[
    property("id: a project's path is normalised once and for all", idempotent),
    property("id: a project has one form", one_form),
    property("id: a file URL names the path it escapes", file_urls),
    property("id: identifiers have 1 to 200 characters without control characters", identifiers),
    property("id: storage keys keep parts apart", storage_keys),
    property("id: UUIDs hold their time and entropy", uuids),
];

const PIECES: &[&str] = &[
    "/",
    "/",
    "\\",
    "//",
    "\\\\",
    ".",
    "..",
    "/../",
    "\\..\\",
    "C:",
    "z:",
    "file://",
    "FILE://",
    "localhost",
    "%2e",
    "%2F",
    "%5c",
    "%3A",
    "%",
    "%zz",
    "%ff",
    "%C3%A9",
    "a",
    "Work",
    "é",
    " ",
    "\0",
    "?",
];

fn any_path(random: &mut Random) -> String {
    let pieces = 1 + random.size(11);
    (0..pieces)
        .map(|_| if random.chance(5) { random.char().into() } else { random.pick(PIECES).to_owned() })
        .collect()
}

fn normalized(path: &str) -> Result<String, String> {
    Project::new(path)
        .map(|project| project.normalized().to_owned())
        .ok_or_else(|| format!("{path:?} is none"))
}

fn idempotent(random: &mut Random) -> Outcome {
    let path = any_path(random);
    let once = normalized(&path)?;
    holds(!once.is_empty(), || format!("{path:?} becomes nothing"))?;
    equal("again", &(&path, normalized(&once)?), &(&path, once))
}

fn one_form(random: &mut Random) -> Outcome {
    let path = any_path(random);
    let once = normalized(&path)?;
    let names = once.trim_start_matches('/');
    let ends_well = !once.ends_with('/') || matches!(once.as_bytes(), [b'/'] | [_, b':', b'/']);
    let has = |unwanted: &str| names.split('/').skip(1).any(|name| name == unwanted);
    let leaves_root = once.starts_with('/') && has("..");
    let is_one = ends_well && !leaves_root && !names.contains("//") && !has(".");
    holds(is_one, || format!("{path:?} becomes {once:?}"))?;
    if path.starts_with('/') && !path.starts_with("//") {
        equal("with a slash at the end", &normalized(&[&path, "/"].concat())?, &once)?;
    }
    Ok(())
}

fn file_urls(random: &mut Random) -> Outcome {
    let mut path = String::new();
    for _ in 0..1 + random.size(5) {
        path.push('/');
        path.push(random.pick(&['a', 'Z', '0', ' ', 'é', '%', '?', '#']));
        path += &random.of_alphabet("abcXYZ019 %?#", 7);
    }
    let escaped: String = path
        .bytes()
        .map(|byte| match byte {
            b'/' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).into(),
            _ if random.chance(2) => format!("%{byte:02X}"),
            _ => format!("%{byte:02x}"),
        })
        .collect();
    let url = [random.pick(&["file://", "file://localhost", "FILE://"]), &escaped].concat();
    equal("normalised", &(&url, normalized(&url)?), &(&url, normalized(&path)?))
}

fn identifiers(random: &mut Random) -> Outcome {
    let text = match random.below(4) {
        0 => random.text(4),
        1 => ["é".repeat(random.size(4) + 198), random.text(2)].concat(),
        _ => random.text(40).chars().filter(|character| !character.is_control()).collect(),
    };
    let is_fine = (1..=200).contains(&chars(&text)) && !text.chars().any(char::is_control);
    let row = RowId::new(text.clone());
    holds(row.is_ok() == is_fine, || format!("{text:?}: {row:?}"))?;
    let sessions = [
        (is_fine, SessionId::new(text.clone(), "", "k")),
        (is_fine || text.is_empty(), SessionId::new("h", text.clone(), "k")),
        (is_fine, SessionId::new("h", "a", text.clone())),
    ];
    for (is_fine, session) in sessions {
        holds(session.is_ok() == is_fine, || format!("{text:?}: {session:?}"))?;
        if let Err(error) = session {
            equal("code", &error.code(), &"identifier_invalid")?;
            let is_silent =
                text.chars().any(|it| it.is_ascii()) || text.is_empty() || !error.to_string().contains(&text);
            holds(is_silent, || format!("{error} repeats the text"))?;
        }
    }
    Ok(())
}

fn storage_keys(random: &mut Random) -> Outcome {
    let whole = random.of_alphabet("ab", 6);
    let whole = ["a", &whole, "bb"].concat();
    let cut = |random: &mut Random| {
        let second = 2 + random.size(whole.len() - 2);
        let first = 1 + random.size(second - 1);
        (first, second)
    };
    let (one, other) = (cut(random), cut(random));
    let key = |(first, second): (usize, usize)| {
        SessionId::new(&whole[..first], &whole[first..second], &whole[second..])
            .map(|session| (session.storage_key(), session.token()))
            .map_err(|error| format!("{whole} at {first}, {second}: {error}"))
    };
    let (one_key, other_key) = (key(one)?, key(other)?);
    holds((one_key == other_key) == (one == other), || format!("{whole} at {one:?} and {other:?}"))?;
    let (key, token) = one_key;
    let is_base32 = key.len() == 26 && key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
    holds(is_base32 && key[..16] == token, || format!("{key}, {token}"))
}

fn uuids(random: &mut Random) -> Outcome {
    // To the end of the year 9999, well inside the 48 bits.
    let millis = random.between(-1000, 253_402_300_799_999);
    let now = Timestamp::from_unix_millis(millis).map_err(|error| error.to_string())?;
    let entropy: [u8; 10] = std::array::from_fn(|_| random.next() as u8);
    let id = BatchId::generate(now, entropy);
    equal("checkpoint", &CheckpointId::generate(now, entropy).as_str(), &id.as_str())?;
    equal("row", &RowId::generate(now, entropy).as_str(), &id.as_str())?;
    equal("parsed", &BatchId::parse(&id.as_str().to_uppercase()), &Ok(id.clone()))?;
    // RFC 9562, 5.7: 48 bits of milliseconds, version 7, 12 random bits, variant 10, 62 random bits.
    let [a, b, rest @ ..] = entropy.map(u128::from);
    let low = rest.iter().fold(0, |low, byte| low << 8 | byte);
    let bits = u128::try_from(millis.max(0)).unwrap_or_default() << 80
        | 7 << 76
        | ((a << 8 | b) & 0xFFF) << 64
        | 2 << 62
        | low & ((1 << 62) - 1);
    let digits = format!("{bits:032x}");
    let text = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-");
    equal("bits", &id.as_str(), &&*text)
}
