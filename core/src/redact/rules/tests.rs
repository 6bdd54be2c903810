//! Every row fires on its examples and not on its counter-examples, and has what a row must have.
use super::{Place, Shape, is_kind, of, rules};
use crate::redact::{Confidence, Mode, Options, Redactor};
use alloc::{collections::BTreeSet, vec::Vec};

fn redactor() -> Redactor {
    let options = Options { mode: Mode::Paranoid, ..Options::default() };
    Redactor::new(options).unwrap()
}

#[test]
fn every_row_fires_on_its_examples() {
    let redactor = redactor();
    let mut failed = Vec::new();
    for rule in rules() {
        assert!(!rule.example.is_empty() || rule.id == "exact", "{} has no example", rule.id);
        for parts in rule.example {
            let text = parts.concat();
            if !redactor.report(&text).iter().any(|f| f.rule == rule.id) {
                failed.push((rule.id, text));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn no_row_fires_on_its_counter_examples() {
    let redactor = redactor();
    let mut failed = Vec::new();
    for rule in rules() {
        assert!(!rule.counter.is_empty(), "{} has no counter-example", rule.id);
        for parts in rule.counter {
            let text = parts.concat();
            if redactor.report(&text).iter().any(|f| f.rule == rule.id) {
                failed.push((rule.id, text));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn rows_are_well_formed() {
    let mut ids = BTreeSet::new();
    for rule in rules() {
        assert!(ids.insert(rule.id), "{} twice", rule.id);
        for name in [rule.id, rule.kind] {
            assert!(
                name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{name}"
            );
            assert!(name.len() <= 40, "{name}");
        }
        assert!(!rule.description.is_empty());
        if let Shape::Token { min, max, .. } = rule.shape {
            assert!(0 < min && min <= max, "{}", rule.id);
            assert!(!rule.keywords.is_empty(), "{}", rule.id);
        }
    }
}

#[test]
fn every_place_has_its_row() {
    for (place, id) in [
        (Place::Exact, "exact"),
        (Place::PrivateKey, "private-key"),
        (Place::Jwt, "jwt"),
        (Place::JwtLike, "jwt-like"),
        (Place::Telegram, "telegram-token"),
        (Place::Discord, "discord-token"),
        (Place::Mailchimp, "mailchimp-key"),
        (Place::Terraform, "terraform-token"),
        (Place::Entra, "entra-secret"),
        (Place::UrlPassword, "url-password"),
        (Place::UrlToken, "url-token"),
        (Place::Bearer, "bearer"),
        (Place::Basic, "basic-auth"),
        (Place::Header, "authorization"),
        (Place::Cookie, "cookie"),
        (Place::Assignment, "assignment"),
        (Place::NamedToken, "named-token"),
        (Place::Argument, "argument"),
        (Place::Login, "login"),
        (Place::Generic, "generic"),
    ] {
        assert_eq!(of(place).id, id);
    }
}

#[test]
fn kinds_of_marks() {
    assert!(is_kind(b"bearer") && is_kind(b"github-token"));
    assert!(!is_kind(b"") && !is_kind(b"anything"));
}

#[test]
fn rows_serialise_with_their_parts() {
    let rule = of(Place::Assignment);
    let json = serde_json::to_value(rule).unwrap();
    let keys: BTreeSet<_> = json.as_object().unwrap().keys().map(|k| k.as_str()).collect();
    assert_eq!(keys, ["confidence", "description", "example_parts", "id", "keywords", "kind"].into());
    assert_eq!(json["confidence"], "likely");
    assert_eq!(Confidence::Certain.max(Confidence::Possible), Confidence::Certain);
}
