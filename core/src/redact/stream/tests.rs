//! A stream gives what the whole text gives, however it is cut.
use super::groups::{Lines, MOST, Next, start};
use crate::redact::{Finding, Redactor, StreamState};
use alloc::{format, string::String, vec, vec::Vec};
use proptest::{prelude::*, test_runner::RngSeed};

mod encoded;

fn standard() -> &'static Redactor {
    static STANDARD: std::sync::OnceLock<Redactor> = std::sync::OnceLock::new();
    STANDARD.get_or_init(Redactor::standard)
}

/// What a stream makes of chunks that end at these places.
fn streamed(redactor: &Redactor, bytes: &[u8], cuts: &[usize]) -> (Vec<u8>, Vec<Finding>) {
    let (mut stream, mut out, mut at) = (redactor.stream(), Vec::new(), 0);
    for cut in cuts.iter().copied().chain([bytes.len()]) {
        let cut = cut.clamp(at, bytes.len());
        stream.push(&bytes[at..cut], &mut out);
        at = cut;
    }
    stream.finish(&mut out);
    (out, stream.take_findings())
}

/// Holds a text to what the whole gives: in one chunk, in lines, in single bytes, and cut at these places.
fn same(text: &str, cuts: &[usize]) -> Result<(), String> {
    let redactor = standard();
    let whole = redactor.redact(text);
    let wanted = (whole.text.as_str().as_bytes().to_vec(), whole.findings);
    let lines: Vec<usize> = text.match_indices('\n').map(|(n, _)| n + 1).collect();
    let bytes: Vec<usize> = if text.len() < 4000 { (0..text.len()).collect() } else { vec![] };
    for cuts in [&[][..], &lines, &bytes, cuts] {
        let found = streamed(redactor, text.as_bytes(), cuts);
        if found != wanted {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            return Err(format!(
                "cut at {:?}: {:?}\nwhole {:?}",
                cuts.iter().take(9).collect::<Vec<_>>(),
                text(&found.0),
                text(&wanted.0)
            ));
        }
    }
    Ok(())
}

fn key(lines: usize) -> String {
    let body =
        ["MIIEpAIBAAKCAQEA7bq3Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznBq9x2mn7pk4rt\n"; 1].concat().repeat(lines);
    ["-----BEGIN RSA PRIV", "ATE KEY-----\n", &body].concat()
}

const RANDOM: &str = "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB";

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(21), ..ProptestConfig::default() })]

    #[test]
    fn chunks_do_not_matter(
        text in proptest::collection::vec(crate::redact::tests::bit(), 0..60).prop_map(|bits| bits.concat()),
        cuts in proptest::collection::vec(0..400usize, 0..8),
    ) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let outcome = same(&text, &cuts);
        prop_assert!(outcome.is_ok(), "{}\nfrom {text:?}", outcome.unwrap_err());
    }

    #[test]
    fn bytes_that_are_no_text_stay(bytes in proptest::collection::vec(any::<u8>(), 0..200), cuts in proptest::collection::vec(0..200usize, 0..6)) {
        let redactor = standard();
        let mut cuts = cuts;
        cuts.sort_unstable();
        let (whole, findings) = streamed(redactor, &bytes, &[]);
        prop_assert_eq!(streamed(redactor, &bytes, &cuts), (whole.clone(), findings.clone()));
        if findings.is_empty() {
            prop_assert_eq!(whole, bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, rng_seed: RngSeed::Fixed(22), ..ProptestConfig::default() })]

    #[test]
    fn long_texts_are_cut_alike(
        bits in proptest::collection::vec((crate::redact::tests::bit(), 1..700usize), 10..70),
        cuts in proptest::collection::vec(0..200_000usize, 0..20),
    ) {
        let text: String = bits.iter().map(|(bit, times)| bit.repeat(*times)).collect();
        let mut cuts = cuts;
        cuts.sort_unstable();
        let outcome = same(&text, &cuts);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err().chars().take(2000).collect::<String>());
    }
}

#[test]
fn a_line_comes_out_when_it_is_complete() {
    let redactor = standard();
    let (mut stream, mut out) = (redactor.stream(), Vec::new());
    for line in
        ["one\n", "password: hunter2\n", "  \"a\": [1, 2],\n", "é日本\r\n", "\n", "ghp_ is a prefix\n"]
    {
        out.clear();
        stream.push(line.as_bytes(), &mut out);
        assert!(!out.is_empty() && stream.held() == 0, "{line:?}");
    }
}

#[test]
fn what_is_open_waits_for_its_end() {
    let redactor = standard();
    let key = key(3);
    let cases = [
        ("<password>\n  hunter2-and\n", "</password>\n"),
        ("machine x login app\n", "password hunter2!\n"),
        ("\"password\": [\n  \"hunter2-one\",\n", "  \"hunter2-two\"\n"),
        (key.as_str(), "next line\n"),
    ];
    for (open, rest) in cases {
        let (mut stream, mut out) = (redactor.stream(), Vec::new());
        for line in open.split_inclusive('\n') {
            stream.push(line.as_bytes(), &mut out);
        }
        assert!(out.is_empty(), "{open:?} gives {:?}", String::from_utf8_lossy(&out));
        stream.push(rest.as_bytes(), &mut out);
        assert_eq!(stream.held(), 0, "{open:?}");
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("[REDACTED:"), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn a_key_block_of_any_length_is_one_finding() {
    let redactor = standard();
    for lines in [3, 900, 1100] {
        for end in
            [["-----END RSA PRIV", "ATE KEY-----\nafter\n"].concat(), "after it\n".into(), String::new()]
        {
            let text = ["before\n", &key(lines), &end].concat();
            let whole = redactor.redact(&text);
            assert_eq!(whole.findings.len(), 1, "{lines} {end:?}");
            let clean = whole.text.as_str();
            assert!(
                clean.starts_with("before\n[REDACTED:private-key]"),
                "{}",
                &clean[..clean.len().min(200)]
            );
            assert!(clean.len() < 60, "{lines} {end:?} {}", clean.len());
            let found = &whole.findings[0];
            assert_eq!(&text[found.offset + found.length..], &clean[found.out_offset + found.out_length..]);
            assert!(same(&text, &[10, 70_000, 70_001, 100_000]).is_ok());
        }
    }
}

#[test]
fn memory_is_bounded() {
    let redactor = standard();
    for bit in ["a", "password=", "\n", " ", "\"", "AAAA", "\\n", "<password>\n", "-----BEGIN ", "é", "x\\\n"]
    {
        let (mut stream, mut out, mut most) = (redactor.stream(), Vec::new(), 0);
        let chunk = bit.repeat(9000 / bit.len());
        for _ in 0..20 {
            stream.push(chunk.as_bytes(), &mut out);
            most = most.max(stream.held());
            out.clear();
        }
        assert!(most < 100_000, "{bit:?} {most}");
    }
    let (mut stream, mut out) = (redactor.stream(), Vec::new());
    stream.push(key(5_000).as_bytes(), &mut out);
    assert!(stream.held() < 100_000, "{}", stream.held());
}

#[test]
fn values_are_looked_for_in_later_lines() {
    let redactor = standard();
    let text = format!(
        "{RANDOM} before\napi_key = \"{RANDOM}\"\n{}\nsee {RANDOM}!\n",
        "filler line\n".repeat(12_000)
    );
    let clean = redactor.clean(&text);
    assert!(clean.as_str().starts_with(RANDOM));
    assert!(clean.as_str().ends_with("see [REDACTED:assignment]!\n"));
    assert!(same(&text, &[5, 60, 100_000]).is_ok());
}

#[test]
fn two_hundred_and_fifty_six_values_are_looked_for() {
    let redactor = standard();
    let value = |n: usize| format!("{:04x}Zf3D0LXCM3EIMbgJ{:04x}", n * 7919 % 65536, n);
    for (others, found) in [(255, true), (256, false)] {
        let mut text = format!("api_key: \"{}\"\n", value(0));
        (1..=others).for_each(|n| text += &format!("api_key: \"{}\"\n", value(n)));
        text += &format!("and {}\n", value(0));
        assert_eq!(!redactor.clean(&text).as_str().contains(&value(0)), found, "{others}");
        assert!(same(&text, &[100, 3000]).is_ok());
    }
}

#[test]
fn many_groups_end_where_each_of_them_does() {
    let redactor = standard();
    let bits = [
        "one line\n",
        "<password>\n",
        "x\n",
        "\\\n",
        "login app\n",
        "\"tokens\": [\n",
        "\"a\",\n",
        "\n",
        "path ghp_0123456789abcdef\n",
    ];
    for seed in 0..60usize {
        let text: String =
            (0..2000).map(|n| bits[(seed * 31 + n * n * 7 + n * seed / 3) % bits.len()]).collect();
        let text = text.as_bytes();
        let mut ends = Vec::new();
        let mut at = 0;
        while let Next::Whole(length) = Lines::default().next(&redactor.engine, &text[at..], true) {
            at += length;
            ends.push(at);
            if at == text.len() {
                break;
            }
        }
        if let Some(end) = start(&redactor.engine, text).last {
            assert!(ends.contains(&end) && end <= MOST, "seed {seed}: {end}");
        }
    }
}

#[test]
fn states_hold_no_text_and_go_on_where_they_were() {
    let redactor = standard();
    let mut text = format!("one\npassword: hunter2\n{}", key(1500));
    text += &["-----END RSA PRIV", "ATE KEY-----\nlast password: hunter3\n"].concat();
    let whole = redactor.redact(&text);
    for cut in [0, 1, 4, 10, 22, 100, 5000, 70_000, 90_000, text.len() - 10, text.len()] {
        let (mut stream, mut out) = (redactor.stream(), Vec::new());
        stream.push(&text.as_bytes()[..cut], &mut out);
        let state = stream.state();
        let stored = serde_json::to_string(&state).unwrap();
        assert!(!stored.contains("hunter") && stored.len() < 250, "{stored}");
        let state = serde_json::from_str(&stored).unwrap();
        let from = usize::try_from(stream.state().offset).unwrap();
        let (mut stream, start) = redactor.resume(&state, &text.as_bytes()[..from]);
        assert_eq!(start, state.offset);
        assert_eq!(u64::try_from(out.len()).unwrap(), state.out_offset);
        stream.push(&text.as_bytes()[from..], &mut out);
        stream.finish(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), whole.text.as_str(), "cut at {cut}");
        let last = whole.findings.last().filter(|found| found.offset >= from);
        assert_eq!(stream.take_findings().last(), last);
        if from > 0 {
            let mut other = text.as_bytes()[..from].to_vec();
            other[from - 1] ^= 1;
            assert_eq!(redactor.resume(&state, &other).1, 0);
        }
    }
}

#[test]
fn a_secret_around_bytes_that_are_no_text_is_found() {
    let input = b"\xff\xfe password: h\xfcnter2-and-more\xff\nnext \x80 password: hunter2\n";
    let (out, findings) = streamed(standard(), input, &[]);
    assert!(!out.windows(5).any(|window| window == b"nter2"), "{out:?}");
    assert!(out.starts_with(b"\xff\xfe password: [REDACTED:"));
    assert!(out.windows(7).any(|window| window == b"next \x80 "));
    for finding in &findings {
        let line = input.split(|byte| *byte == b'\n').nth(finding.line - 1).unwrap();
        let value = &input[finding.offset..finding.offset + finding.length];
        assert_eq!(&line[finding.column - 1..][..finding.length], value);
        let mark = &out[finding.out_offset..finding.out_offset + finding.out_length];
        assert!(mark.starts_with(b"[REDACTED:") && mark.ends_with(b"]"));
    }
    assert_eq!(findings.len(), 2);
}

#[test]
fn exact_values_go_over_lines_wherever_a_text_is_cut() {
    let value = ["first line", &"-0123456789abcdef".repeat(2), "\r\nq9x2mn7p\nlast"].concat().repeat(60);
    let mut options = crate::redact::Options::default();
    options.exact.push(value.clone());
    let redactor = Redactor::new(options).unwrap();
    let hexadecimal: String = value.bytes().map(|b| format!("{b:02x}")).collect();
    assert!(hexadecimal.len() > 7000 && hexadecimal.len() <= crate::redact::Options::EXACT_ENCODED_MAX);
    for form in [value.replace("\r\n", "\n"), value.replace('\n', "\r\n").replace("\r\r", "\r"), hexadecimal]
    {
        for before in [0, 300, MOST - 7000, MOST - 20, MOST - 1, MOST, MOST + 20] {
            for filler in ["x", "x ", "a\n"] {
                let mut text = filler.repeat(before / filler.len() + 1);
                text.truncate(before);
                let wanted = format!("{text}[REDACTED:exact]\nnext\n");
                text = format!("{text}{form}\nnext\n");
                assert!(redactor.clean(&text).as_str() == wanted, "{before} {filler:?}");
                for size in [64, 9000] {
                    let cuts: Vec<usize> = (0..text.len()).step_by(size).collect();
                    let (out, findings) = streamed(&redactor, text.as_bytes(), &cuts);
                    assert!(out == wanted.as_bytes() && findings.len() == 1, "{before} {filler:?} in {size}");
                }
            }
        }
    }
}

#[test]
fn inside_of_a_long_line_a_stream_goes_on_as_if_it_had_not_stopped() {
    let redactor = standard();
    // The one blank of each unit stands between a name and its value, so that parts end there.
    let unit = |n: usize| {
        let secret = format!("Zf3D0LXC{n:04}IMbgJpUNnkRtOfOueHznB");
        ["\"api_key\": \"", &secret, "\",", &"x,".repeat(700)].concat()
    };
    let text: String = (0..150).map(unit).collect();
    let wanted = redactor.clean(&text);
    let mut parts = 0;
    for cut in (0..text.len()).step_by(7919) {
        let (mut stream, mut out) = (redactor.stream(), Vec::new());
        stream.push(&text.as_bytes()[..cut], &mut out);
        let state = stream.state();
        let offset = usize::try_from(state.offset).unwrap();
        let before = &text.as_bytes()[offset - usize::try_from(state.before()).unwrap()..offset];
        if state.behind > 0 {
            parts += 1;
            assert!(text[..offset].ends_with("\"api_key\": "));
            assert_eq!(redactor.resume(&state, &before[1..]).1, 0);
        }
        let told: StreamState = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        let (mut stream, from) = redactor.resume(&told, before);
        assert_eq!(from, state.offset);
        stream.push(&text.as_bytes()[offset..], &mut out);
        stream.finish(&mut out);
        assert!(out == wanted.as_str().as_bytes(), "cut at {cut}");
    }
    assert!(parts > 10);
}
