//! Every row fires on its examples and not on its counter-examples, and has what a row must have.
use super::{Needs, Place, RuleSet, Shape, is_kind, of, rules};
use crate::redact::{Confidence, Mode, Options, Redactor};
use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

fn redactor() -> Redactor {
    Redactor::new(Options { mode: Mode::Paranoid, pii: true, ..Options::default() }).unwrap()
}

#[test]
fn personal_data_stays_unless_it_is_asked_for() {
    for rule in rules().iter().filter(|rule| rule.set == RuleSet::Pii) {
        for parts in rule.example {
            assert!(Redactor::standard().report(&parts.concat()).is_empty(), "{}", rule.id);
        }
    }
    assert!(rules().iter().filter(|rule| rule.set == RuleSet::Pii).count() == 4);
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

/// Names as people write them: words, now and then with a number, joined in every way.
fn names() -> Vec<String> {
    const WORDS: &[&str] = &[
        "rows",
        "are",
        "those",
        "on",
        "the",
        "way",
        "from",
        "dashboard",
        "refresh",
        "interval",
        "seconds",
        "component",
        "of",
        "leaf",
        "config",
        "handler",
        "test",
        "for",
        "user",
        "id",
        "mutex",
        "guard",
        "session",
        "key",
        "value",
    ];
    const NUMBERS: &[&str] = &["v2", "http2", "2024", "sha256", "x86", "utf8", "3", "30d"];
    let capital = |w: &&str| w[..1].to_uppercase() + &w[1..];
    let mut all = Vec::new();
    for (shift, numbered) in (0..WORDS.len()).step_by(3).flat_map(|shift| [(shift, false), (shift, true)]) {
        for count in [3, 5, 8, 14] {
            let words = WORDS.iter().cycle().skip(shift).step_by(3).take(count).enumerate();
            let words: Vec<&str> = words
                .flat_map(|(i, word)| {
                    let number = (numbered && i % 3 == 1).then(|| NUMBERS[(i + shift) % NUMBERS.len()]);
                    [Some(*word), number].into_iter().flatten()
                })
                .collect();
            all.extend(["_", "-", ".", "/", "", "__"].map(|join| words.join(join)));
            all.push(words.join("_").to_uppercase());
            all.push(words.iter().map(capital).collect());
            all.push(words.iter().map(capital).collect::<Vec<_>>().join("-"));
        }
    }
    all
}

/// Whether a digit stands behind the keyword.
fn has_digit(line: &str, keywords: &[&str]) -> bool {
    let behind = keywords.iter().find_map(|keyword| line.strip_prefix(keyword)).unwrap_or(line);
    behind.contains(|character: char| character.is_ascii_digit())
}

#[test]
fn no_row_fires_on_names_made_of_words() {
    let (redactor, names) = (redactor(), names());
    let mut failed = Vec::new();
    for rule in rules() {
        let Shape::Token { needs, .. } = rule.shape else { continue };
        if matches!(needs, Needs::Any | Needs::Url) {
            continue;
        }
        // In one text, a line each: the redactor is asked once a rule. A capital glued to a letter starts no word.
        let apart =
            |k: &str, n: &str| !(k.ends_with(char::is_alphanumeric) && n.starts_with(char::is_uppercase));
        let of =
            |k: &'static str| names.iter().filter(move |n| apart(k, n)).map(move |n| format!("{k}{n}\n"));
        // What ends in a colon is a name of its own, and may hold a word.
        let text: String = rule.keywords.iter().filter(|k| !k.ends_with(':')).flat_map(|k| of(k)).collect();
        // A name with a digit in it may be taken for a token: a leak would be worse.
        let text: String =
            text.split_inclusive('\n').filter(|line| !has_digit(line, rule.keywords)).collect();
        let found = redactor.report(&text).into_iter();
        failed.extend(found.map(|f| (f.rule, String::from(&text[f.offset..f.offset + f.length]))));
    }
    assert!(failed.is_empty(), "{} such as {:#?}", failed.len(), &failed[..failed.len().min(20)]);
}

#[test]
fn alphabets_that_spell_words_need_more_than_a_digit() {
    for rule in rules() {
        if let Shape::Token { alphabet, needs: Needs::Digit, .. } = rule.shape {
            assert!(!alphabet.holds(b'z') && !alphabet.holds(b'Z'), "{}", rule.id);
        }
    }
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
        (Place::AwsSecret, "aws-secret-key"),
        (Place::PasswordHash, "password-hash"),
        (Place::KeyMember, "jwk-private"),
        (Place::Generic, "generic"),
        (Place::Email, "email"),
        (Place::Phone, "phone"),
        (Place::Card, "card"),
        (Place::Iban, "iban"),
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
fn rules_serialise_with_their_parts() {
    let rule = rules().iter().find(|rule| rule.id == of(Place::Assignment).id).unwrap();
    let json = serde_json::to_value(rule).unwrap();
    let keys: BTreeSet<_> = json.as_object().unwrap().keys().map(|k| k.as_str()).collect();
    assert_eq!(keys, ["confidence", "description", "example_parts", "id", "keywords", "kind", "set"].into());
    assert_eq!(json["confidence"], "likely");
    assert_eq!(Confidence::Certain.max(Confidence::Possible), Confidence::Certain);
}
