use super::*;
use crate::json::parse;
use alloc::string::ToString;
use proptest::prelude::*;
use std::format;

fn resolve(text: &str) -> Result<ResolvedContinuity, ContinuityError> {
    ContinuityOptions::resolve(&parse(text).unwrap())
}

#[test]
fn nothing_given_is_the_default() {
    for text in ["null", "{}", r#"{"promptInterval": null, "enabled": null}"#] {
        assert_eq!(resolve(text).unwrap(), ResolvedContinuity::default(), "{text}");
    }
}

#[test]
fn both_spellings_are_read() {
    let options = ContinuityOptions { enabled: false, retention_days: 90, ..ContinuityOptions::default() };
    for text in [
        r#"{"enabled": false, "retentionDays": 90}"#,
        r#"{"enabled": false, "retention_days": 9e1}"#,
        r#"{"enabled": false, "retention_days": 90.0, "retentionDays": 90}"#,
    ] {
        let found = resolve(text).unwrap();
        assert_eq!((found.options, found.warnings.len()), (options, 0), "{text}");
    }
}

#[test]
fn what_is_out_of_range_is_clamped_and_said() {
    let given = r#"{"prompt_interval": 0, "timeIntervalMs": 1e400, "maxCheckpointsPerSession": -7,
        "retentionDays": 91, "recoveryBudgetChars": 100000000000000000000000}"#;
    let found = resolve(given).unwrap();
    let options = found.options;
    assert_eq!(
        [
            options.prompt_interval,
            options.time_interval_millis,
            options.max_checkpoints_per_session,
            options.retention_days,
            options.recovery_budget_chars,
        ],
        [1, 3_600_000, 1, 90, 10_000]
    );
    let warned: Vec<_> = found.warnings.iter().map(|w| (w.field, w.given.as_str(), w.used)).collect();
    assert_eq!(warned[0], ("promptInterval", "0", 1));
    assert_eq!(warned[1], ("timeIntervalMs", "1e400", 3_600_000));
    assert_eq!(warned.len(), 5);
    assert_eq!(options.clamped(), options);
}

#[test]
fn what_is_wrong_is_named_with_what_is_accepted() {
    for (given, message) in [
        ("[]", "continuity is an array; accepted is an object"),
        (r#"{"enabled": 1}"#, "continuity.enabled is a number; accepted is true or false"),
        (
            r#"{"prompt_interval": "10"}"#,
            "continuity.prompt_interval is a string; accepted is a whole number from 1 to 1000",
        ),
        (
            r#"{"retentionDays": 7.5}"#,
            "continuity.retentionDays is 7.5; accepted is a whole number from 1 to 90",
        ),
        (
            r#"{"interval": 1}"#,
            "continuity.interval is no field; accepted are enabled, promptInterval, timeIntervalMs, \
             maxCheckpointsPerSession, retentionDays, recoveryBudgetChars",
        ),
        (
            r#"{"promptInterval": 5, "prompt_interval": 6}"#,
            "continuity.promptInterval and continuity.prompt_interval differ; accepted is one of them, or one \
             value in both",
        ),
    ] {
        let error = resolve(given).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.code()), (message, "continuity_invalid"));
        assert!(error.path().starts_with("continuity"));
    }
}

proptest! {
    #[test]
    fn every_whole_number_ends_in_its_range(number in any::<i64>()) {
        let found = resolve(&format!(r#"{{"promptInterval": {number}}}"#)).unwrap();
        prop_assert_eq!(i64::from(found.options.prompt_interval), number.clamp(1, 1000));
        prop_assert_eq!(found.warnings.is_empty(), (1..=1000).contains(&number));
    }
}
