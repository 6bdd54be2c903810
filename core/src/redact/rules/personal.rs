//! Personal data: a set that is switched on by itself, and off unless it is.
use super::place::Place;
use super::row::{Rule, personal};
use crate::redact::Confidence::*;

#[rustfmt::skip] // A table.
pub(super) const ROWS: &[Rule] = &[
    personal(Place::Email, "email", "email", Likely, "An e-mail address",
        &["@"],
        &[&["write to ann.lee", "@mail.example.net"], &["mailto:ann.lee", "@mail.example.net"],
            &["Email:ann.lee", "@mail.example.net"]],
        &[&["git", "@git.internal:org/repo"], &["pkg", "@1.2.3"], &["ssh://to:ann", "@mail.example.net"],
            &["ftp://acme-mail:ann", "@ftp.example.net/pub"]]),
    personal(Place::Phone, "phone", "phone", Likely,
        "A phone number: with its country, or behind a word that says so",
        &[], &[&["call ", "+49 30 1234567"], &["phone: ", "(030) 123-4567"]], &[&["id 301234567"]]),
    personal(Place::Card, "card", "card", Likely,
        "A payment card number with its check digit, in groups or behind a word that says so",
        &[], &[&["4111 1111 ", "1111 1111"], &["card: 411111", "1111111111"], &["12 4111 1111 ", "1111 1111"],
            &["4111 1111 ", "1111 1111 7"], &["20 21 22 23 24 25 26 27 28 4111 1111 ", "1111 1111"]],
        &[&["4111 1111 ", "1111 1112"], &["id 411111", "1111111111"]]),
    personal(Place::Iban, "iban", "iban", Likely, "An IBAN with its check digits",
        &[], &[&["DE89 3704 ", "0044 0532 0130 00"], &["DE893704", "00440532013000"]],
        &[&["DE88 3704 ", "0044 0532 0130 00"]]),
];
