//! Floods: no input costs more than a constant times its length.
//!
//! Counted is how many bytes the finders look at, so that a flood costs the same on every machine.
use crate::redact::{Redactor, engine::measure};
use alloc::{format, string::String, vec::Vec};

/// Bytes that may be looked at for each byte of a flood.
const MOST: usize = 300;
/// Bytes of a flood: with work that grows by its square it would cost many times `MOST`.
const LENGTH: usize = 20_000;

/// What floods are made of, over and over.
#[rustfmt::skip] // A table.
const BITS: &[&str] = &[
    "key=", "TOKEN_", "\"", "'", "\\", "\\\"", "-----BEGIN ", "://", "a://b:c", "a://b:c@", "eyJ", "eyJ.",
    "eyJa.b", "a", "A", "/", ":", "=", "::=", "{\"a\":", "[", "(", "password=(", "password=",
    "password: \"", "secret: '\\", "api_key=,", "token ", " -p ", "--password ", "curl -u ", "mysql -p",
    "login a password ", "ghp_", "sk-ant-", "xoxb-", "SG.", "Bearer ", "Basic YTo", "Cookie: ",
    "Cookie: a=b; ", "Authorization: x ", "<password>", ">", ",", "\",\"", "&quot;", "[REDACTED:",
    "[REDACTED:jwt]", ".", "Q~", ":AA", "-us1", ".atlasv1.", "é", " ", "\n", "\\n", "tokens:[\"",
    "IDENTIFIED BY '", "password: \"\\\\",
];

#[test]
fn floods_cost_a_constant_times_their_length() {
    let redactor = Redactor::standard();
    let begin = ["-----BEGIN PRIV", "ATE KEY-----"].concat();
    let blocks = [begin.clone(), format!("{begin}\n\n"), format!("{begin}\nAAAA"), format!("{begin}\\n\"")];
    // What comes before a flood may put a finder in another state.
    let starts = ["".into(), "password: \"".into(), format!("{begin}\n")];
    let mut costly = Vec::new();
    for bit in BITS.iter().map(|bit| String::from(*bit)).chain(blocks) {
        for start in &starts {
            let flood = format!("{start}{}", bit.repeat(LENGTH / bit.len()));
            let cost = measure(|| drop(redactor.report(&flood))) / flood.len();
            if cost > MOST {
                costly.push((cost, start, bit.clone()));
            }
        }
    }
    assert!(costly.is_empty(), "{costly:#?}");
}
