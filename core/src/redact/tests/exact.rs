//! Exact values in the encodings that other writers make of them.
use crate::redact::{Options, Redactor};
use alloc::{format, vec};

#[test]
fn exact_values_go_as_other_writers_encode_them() {
    for (value, text, wanted) in [
        // Slashes are escaped in JSON, once and in JSON in JSON.
        ("abc/def+ghi", r#"{"k":"abc\/def+ghi"}"#, r#"{"k":"[REDACTED:exact]"}"#),
        ("abc/def+ghi", r#"{"k":"{\"k\":\"abc\\\/def+ghi\"}"}"#, r#"{"k":"{\"k\":\"[REDACTED:exact]\"}"}"#),
        ("abc/def+ghi", r#"{"k":"{\"k\":\"abc\\/def+ghi\"}"}"#, r#"{"k":"{\"k\":\"[REDACTED:exact]\"}"}"#),
        // What may not stand in HTML is escaped in JSON, with digits in either case.
        ("abc/def+ghi", r#"{"k":"abc/def\u002Bghi"}"#, r#"{"k":"[REDACTED:exact]"}"#),
        ("ab<cd>ef&gh'é\"i", r#"."#, "."),
        ("ab<cd>ef&gh'é\"i", r#"ab\u003Ccd\u003Eef\u0026gh\u0027\u00E9\u0022i."#, "[REDACTED:exact]."),
        ("ab<cd>ef&gh'é\"i", r#"ab\u003ccd\u003eef\u0026gh'é\"i."#, "[REDACTED:exact]."),
        ("ab<cd>ef=gh'i", r#"ab\u003ccd\u003eef\u003dgh\u0027i."#, "[REDACTED:exact]."),
        // What stays in a part of an address, and in a form.
        ("s3cr3t!pa/ss", "?p=s3cr3t!pa%2Fss", "?p=[REDACTED:exact]"),
        ("s3cr3t!p(a)/ss", "?p=s3cr3t%21p%28a%29/ss", "?p=[REDACTED:exact]"),
        ("ab~cd9ef", "p=ab%7Ecd9ef", "p=[REDACTED:exact]"),
        ("ab~c*9 ef", "p=ab%7ec*9+ef", "p=[REDACTED:exact]"),
        ("ab~c*9 ef", "p=ab%7Ec%2A9+ef", "p=[REDACTED:exact]"),
        ("ab~c(9)!", "p=ab%7Ec(9)!", "p=[REDACTED:exact]"),
    ] {
        let options = Options { exact: vec![value.into()], ..Options::default() };
        let redactor = Redactor::new(options).unwrap();
        assert_eq!(redactor.clean(text).as_str(), wanted, "{value} in {text}");
    }
}

#[test]
fn lines_that_an_exact_value_joins_are_one_line_of_a_key_block() {
    let value = "two of\nthese lines";
    let redactor = Redactor::new(Options { exact: vec![value.into()], ..Options::default() }).unwrap();
    let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----\n"].concat();
    let once = redactor.clean(&format!("{begin}}}{value}of lines8X16_1aZ238BC-[-A74857"));
    assert_eq!(redactor.clean(once.as_str()), once);
    assert!(once.as_str().contains("[REDACTED:private-key]"), "{once:?}");
}
