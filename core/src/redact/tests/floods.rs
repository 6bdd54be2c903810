//! Floods: no input costs more than a constant times its length.
//!
//! Counted is how many bytes the finders look at, so that a flood costs the same on every machine.
use crate::redact::{Options, Redactor, engine::measure};
use alloc::{format, string::String, vec::Vec};

/// Bytes that may be looked at for each byte of a flood.
const MOST: usize = 100;
/// Bytes of a flood: with work that grows by its square it would cost many times `MOST`.
const LENGTH: usize = 20_000;

/// What floods are made of, over and over.
#[rustfmt::skip] // A table.
const BITS: &[&str] = &[
    "key=", "TOKEN_", "\"", "'", "\\", "\\\"", "-----BEGIN ", "-----BEGIN X-----\n", "a\n-----BEGIN X-----\n", "://", "a://b:c", "a://b:c@", "eyJ", "eyJ.",
    "eyJa.b", "a", "A", "/", ":", "=", "::=", "{\"a\":", "[", "(", "password=(", "password=",
    "password: \"", "secret: '\\", "api_key=,", "token ", " -p ", "--password ", "curl -u ", "mysql -p",
    "login a password ", "ghp_", "sk-ant-", "xoxb-", "SG.", "Bearer ", "Basic YTo", "Cookie: ",
    "Cookie: a=b; ", "Authorization: x ", "<password>", ">", ",", "\",\"", "&quot;", "[REDACTED:",
    "[REDACTED:jwt]", ".", "Q~", ":AA", "-us1", ".atlasv1.", "é", " ", "\n", "\\n", "tokens:[\"",
    "IDENTIFIED BY '", "password: \"\\\\", "token=", "password:", "token: '", "cookie=", "cookie= ", "Basic:",
    "value=\"", "name=\"password\" value=\"", "|| '", "password || '", "#define password ", "-SecureString 'a", ":$1$",
    "\"kty\":", "ENV PASSWORD a ", ";User=a;Password=", "{user: pass: ", "requirepass a1b2",
    "%3D", "&amp;", "&quot;password",
    "%", "\\u003d", "cGFzc3dvcmQ9YWJj", "70617373776f72643d", "password%3D", "\"signature\":\"", "redacted_thinking",
    "typeredacted_thinking",
    "\u{1b}", "\u{1b}[", "\u{1b}[m", "\u{1b}]", "\u{1b}\u{1b}[m[m", "\u{1b}[31mpassword=", "\\e[m", "\\u001b[m", "\\u001b]",
    "\\u001b[1mtoken: ", "password: \u{1b}[31m", "x7q\u{1b}[K",
    "key=\"\\\"", "password=abc1 ", "password=abc1\n", "token='a','", "--password 'a ", "/key=", "key=(a",
    "password: !unsafe ", "password: !", "**Password:**", "__token:__ ", "mysql -p'a", "curl -su '", "curl -p\"", "sshpass\",\"-p\",\"",
    "login a\\npassword ", "\"password:\\t", "password\\t=", "password: 'a''b", "token: A<T", "IDENTIFIED BY \"", "password=a|",
];

#[test]
fn floods_cost_a_constant_times_their_length() {
    let redactor = Redactor::standard();
    let begin = ["-----BEGIN PRIV", "ATE KEY-----"].concat();
    let armored = ["-----BEGIN PGP PRIV", "ATE KEY BLOCK-----"].concat();
    let four = ["---- BEGIN SSH2 ENCRYPTED PRIV", "ATE KEY ----"].concat();
    let blocks = [
        "---- BEGIN SSH2 ENCRYPTED-\n".into(),
        "---- BEGIN SSH2 ENCRYPTED-".into(),
        "---- BEGIN SSH2 ENCRYPTED-\\n".into(),
        "---- BEGIN SSH2 ENCRYPTED-\"".into(),
        "---- BEGIN SSH2 ENCRYPTED-\n\"+/".into(),
        "---- BEGIN SSH2 ENCRYPTED-AAAA ".into(),
        "---- BEGIN SSH2 ---- END SSH2".into(),
        "-----BEGIN PGP ".into(),
        format!("{four}\n"),
        format!("{four}\nAAAA\n"),
        format!("{four} AAAA"),
        format!("{four}\\n"),
        format!("{four}\n\""),
        armored.clone(),
        format!("{armored}\n"),
        format!("{armored}\\n\\n"),
        format!("{armored}\nVersion: 1\n"),
        format!("{begin}\\n"),
        format!("{begin}\\n\\nAAAA"),
        format!("{begin}\nA: a\n"),
        format!("{begin} AAAA"),
        format!("{begin} {}", "A".repeat(16)),
        format!("{begin}\" +\n\""),
        "----".into(),
        "---- ".into(),
        begin.clone(),
        format!("{begin}\n\n"),
        format!("{begin}\nAAAA"),
        format!("{begin}\\n\""),
        format!("{begin}\\n\", \""),
        format!("\"{begin}\", \"AAAAAAAAAAAAAAAAAAAA\", "),
        ["AKIA", "VGCNLTVF5LAU22CF "].concat(),
    ];
    // What comes before a flood may put a finder in another state.
    let starts = ["".into(), "password: \"".into(), format!("{begin}\n"), format!("{four}\n")];
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

#[test]
fn floods_of_numbers_cost_a_constant_with_personal_data() {
    let redactor = Redactor::new(Options { pii: true, ..Options::default() }).unwrap();
    for bit in ["3 ", "4111 ", "4-", "12 4111 1111 1111 ", "(3) ", "@", "a@b.", "mailto:", "+49 30 "] {
        let cost = |length: usize| {
            let flood = bit.repeat(length / bit.len());
            measure(|| drop(redactor.report(&flood))) / (flood.len() / 1000)
        };
        let (small, large) = (cost(140_000), cost(420_000));
        assert!(large <= small + small / 20, "{bit:?}: {small} and {large} for a thousand bytes");
    }
}

#[test]
fn lines_that_are_looked_at_in_vain_cost_a_constant() {
    let redactor = Redactor::standard();
    let bits =
        [("\n", "a\\\n"), ("a\n", "-----BEGIN X-----\n"), ("a\n\n", "login\n"), ("\n", "<password>\n")];
    for (first, second) in bits {
        let part = |bit: &str| bit.repeat(58_000 / bit.len());
        let flood = [part(first), part(second)].concat().repeat(3);
        let cost = measure(|| drop(redactor.report(&flood))) / flood.len();
        assert!(cost <= MOST, "{first:?} {second:?}: {cost}");
    }
}

#[test]
fn longer_floods_cost_as_much_for_each_byte() {
    let redactor = Redactor::standard();
    let token = ["Zf3D0LXCM3EIMbgJ", "pUNnkRtOfOueHznB "].concat();
    let secrets = [format!("token={token}"), token];
    let bits =
        ["key=", "token=", "password:", "password=(", "token: '", "cookie=", "xoxb-", "password=abc1 "];
    for bit in bits.iter().map(|bit| String::from(*bit)).chain(secrets) {
        let cost = |length: usize| {
            let flood = bit.repeat(length / bit.len());
            measure(|| drop(redactor.report(&flood))) / (flood.len() / 1000)
        };
        // Both longer than what is read at once.
        let (small, large) = (cost(140_000), cost(420_000));
        assert!(large <= small + small / 20, "{bit:?}: {small} and {large} for a thousand bytes");
    }
}
