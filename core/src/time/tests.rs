use super::*;

fn key(text: &str) -> String {
    Timestamp::parse(text).unwrap().order_key()
}

#[test]
fn reads_what_harnesses_write() {
    for (text, expected) in [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000000"),
        ("2026-01-01t00:00:00z", "2026-01-01T00:00:00.000000000"),
        ("2026-01-01 00:00", "2026-01-01T00:00:00.000000000"),
        ("2026-01-01", "2026-01-01T00:00:00.000000000"),
        ("2026-01-01T00:00+01", "2025-12-31T23:00:00.000000000"),
        ("2026-01-01T00:00:00+0530", "2025-12-31T18:30:00.000000000"),
        ("2026-01-01T00:00:00,9999999999-00:00", "2026-01-01T00:00:00.999999999"),
        ("2016-12-31T23:59:60.2Z", "2016-12-31T23:59:59.999999999"),
        ("2026-01-01T10:20:60", "2026-01-01T10:20:59.999999999"),
        ("2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000000000"),
        ("0000-12-31T23:30:00-01:00", "0001-01-01T00:30:00.000000000"),
        ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999"),
    ] {
        assert_eq!(key(text), expected, "{text}");
    }
}

#[test]
fn refuses_everything_else() {
    for text in [
        "",
        "2026",
        "2026-1-1",
        "2026-02-29",
        "2026-13-01",
        "2026-00-01",
        "2026-01-00",
        "2026-01-01T",
        "2026-01-01Z",
        "2026-01-01T00",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00.5Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+01:60",
        "2026-01-01T00:00:00+1",
        "2026-01-01T00:00:00+01:",
        "2026-01-01T00:00:00Z ",
        " 2026-01-01",
        "+2026-01-01",
        "２026-01-01",
        "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "10000-01-01",
    ] {
        let error = Timestamp::parse(text).unwrap_err();
        assert_eq!(error.code(), "timestamp_invalid");
        assert!(error.to_string().contains(text), "{error}");
    }
    let long = Timestamp::parse(&"x".repeat(1000)).unwrap_err().to_string();
    assert!(long.len() < 300);
}

#[test]
fn order_keys_go_back_and_forth() {
    for at in [Timestamp::MIN, Timestamp::EPOCH, Timestamp::MAX, Timestamp::EPOCH.next()] {
        assert_eq!(Timestamp::from_order_key(&at.order_key()), Ok(at));
        assert_eq!(Timestamp::parse(&at.to_string()), Ok(at));
    }
    for text in
        ["2026-01-01T00:00:00.0000000000", "2026-01-01 00:00:00.000000000", "2026-01-01T00:00:00.00000000Z"]
    {
        assert!(Timestamp::from_order_key(text).is_err(), "{text}");
    }
}

#[test]
fn writes_without_trailing_zeros() {
    for (text, expected) in [
        ("2026-01-01T00:00:00.000", "2026-01-01T00:00:00Z"),
        ("2026-01-01T00:00:10.120", "2026-01-01T00:00:10.12Z"),
        ("2026-01-01T00:00:00.000000001", "2026-01-01T00:00:00.000000001Z"),
        ("2000-10-10T10:10:10", "2000-10-10T10:10:10Z"),
    ] {
        assert_eq!(Timestamp::parse(text).unwrap().to_string(), expected);
    }
}

#[test]
fn unix_times() {
    assert_eq!(Timestamp::from_unix_seconds(0), Ok(Timestamp::EPOCH));
    let before = Timestamp::from_unix_millis(-1).unwrap();
    assert_eq!(before.to_string(), "1969-12-31T23:59:59.999Z");
    assert_eq!(before.next().unix_millis(), -1);
    assert_eq!(Timestamp::from_unix_seconds(1_700_000_000).unwrap().to_string(), "2023-11-14T22:13:20Z");
    for error in [Timestamp::from_unix_seconds(i64::MAX), Timestamp::from_unix_millis(i64::MIN)] {
        assert_eq!(error.unwrap_err().code(), "timestamp_invalid");
    }
}

#[test]
fn arithmetic_saturates() {
    assert_eq!(Timestamp::MAX.next(), Timestamp::MAX);
    assert_eq!(Timestamp::EPOCH.saturating_add_millis(i64::MAX), Timestamp::MAX);
    assert_eq!(Timestamp::EPOCH.saturating_add_millis(i64::MIN), Timestamp::MIN);
    let later = Timestamp::EPOCH.saturating_add_millis(1500);
    assert_eq!((later.millis_since(Timestamp::EPOCH), Timestamp::EPOCH.millis_since(later)), (1500, -1500));
    assert_eq!(later.next().millis_since(Timestamp::EPOCH), 1500);
    assert_eq!(Timestamp::MAX.millis_since(Timestamp::MIN), 315_537_897_599_999);
}

#[test]
fn durations_for_people() {
    let texts = [-5, 0, 59, 60, 61, 120, 1439, 1440, 1441, 1560, 1565, 14_400].map(minutes_text);
    let expected = ["0m", "0m", "59m", "1h", "1h 1m", "2h", "23h 59m", "1d", "1d", "1d 2h", "1d 2h", "10d"];
    assert_eq!(texts, expected);
    assert_eq!(minutes_text(i64::MIN), "0m");
}

#[test]
fn serde_goes_by_text() {
    let at = Timestamp::parse("2026-01-01T00:00:00.5+01:00").unwrap();
    assert_eq!(serde_json::to_string(&at).unwrap(), "\"2025-12-31T23:00:00.5Z\"");
    assert_eq!(serde_json::from_str::<Timestamp>("\"2025-12-31T23:00:00.5Z\"").unwrap(), at);
    let error = serde_json::from_str::<Timestamp>("\"soon\"").unwrap_err();
    assert!(error.to_string().contains("`soon`"), "{error}");
}
