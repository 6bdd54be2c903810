//! Floods: no input costs more than a constant times its length.
//!
//! Time is measured, not counted, so the bound is wide: eight times the input may cost forty times the time, where
//! quadratic work would cost sixty-four times. The small input is large enough for a clock.
use crate::redact::Redactor;
use alloc::{format, string::String, vec::Vec};
use std::time::{Duration, Instant};

#[allow(clippy::disallowed_methods, reason = "what is measured is time")]
fn cost(redactor: &Redactor, text: &str) -> Duration {
    let run = || {
        let start = Instant::now();
        let _ = redactor.report(text);
        start.elapsed()
    };
    (0..6).map(|_| run()).min().unwrap_or_default()
}

#[test]
fn floods_cost_a_constant_times_their_length() {
    let redactor = Redactor::standard();
    let begin = ["-----BEGIN PRIV", "ATE KEY-----"].concat();
    let bits: Vec<String> = [
        "key=",
        "TOKEN_",
        "\"",
        "'",
        "\\",
        "\\\"",
        "-----BEGIN ",
        "://",
        "a://b:c",
        "a://b:c@",
        "eyJ",
        "eyJ.",
        "eyJa.b",
        "a",
        "A",
        "/",
        ":",
        "=",
        "::=",
        "{\"a\":",
        "[",
        "(",
        "password=(",
        "password=",
        "password: \"",
        "secret: '\\",
        "api_key=,",
        "token ",
        " -p ",
        "--password ",
        "curl -u ",
        "mysql -p",
        "login a password ",
        "ghp_",
        "sk-ant-",
        "xoxb-",
        "SG.",
        "Bearer ",
        "Basic YTo",
        "Cookie: ",
        "Cookie: a=b; ",
        "Authorization: x ",
        "<password>",
        ">",
        ",",
        "\",\"",
        "&quot;",
        "[REDACTED:",
        "[REDACTED:jwt]",
        ".",
        "Q~",
        ":AA",
        "-us1",
        ".atlasv1.",
        "é",
        " ",
        "\n",
        "\\n",
        "tokens:[\"",
        "IDENTIFIED BY '",
        "password: \"\\\\",
    ]
    .iter()
    .map(|b| (*b).into())
    .chain([begin.clone(), format!("{begin}\n\n"), format!("{begin}\nAAAA"), format!("{begin}\\n\"")])
    .collect();
    let mut slow = Vec::new();
    for bit in &bits {
        let small = bit.repeat(3_000 / bit.len() + 1);
        let large = small.repeat(8);
        let (a, b) = (cost(&redactor, &small).max(Duration::from_micros(200)), cost(&redactor, &large));
        if b > a * 40 {
            slow.push((bit, a, b));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
