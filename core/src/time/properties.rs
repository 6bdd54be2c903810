use super::*;
use proptest::prelude::*;

fn any_time() -> impl Strategy<Value = Timestamp> {
    (MIN_NANOS..=MAX_NANOS).prop_map(|nanos| Timestamp { nanos })
}

proptest! {
    #[test]
    fn order_keys_sort_like_instants(a in any_time(), b in any_time(), step in -3i128..=3) {
        prop_assert_eq!(a.order_key().cmp(&b.order_key()), a.cmp(&b));
        let near = Timestamp::saturating(a.nanos + step);
        prop_assert_eq!(a.order_key().cmp(&near.order_key()), a.cmp(&near));
    }

    #[test]
    fn what_is_written_is_read_back(at in any_time()) {
        prop_assert_eq!(Timestamp::parse(&at.to_string()), Ok(at));
        prop_assert_eq!(Timestamp::from_order_key(&at.order_key()), Ok(at));
        prop_assert_eq!(at.order_key().len(), ORDER_KEY_LEN);
    }

    #[test]
    fn agrees_with_the_strict_reader(at in any_time(), offset in -1439i32..1440) {
        let Ok(theirs) = jiff::Timestamp::from_nanosecond(at.nanos) else { return Ok(()) };
        let Ok(offset) = jiff::tz::Offset::from_seconds(offset * 60) else { return Ok(()) };
        let text = theirs.display_with_offset(offset).to_string();
        if !text.starts_with(['-', '+']) {
            prop_assert_eq!(Timestamp::parse(&text), Ok(at), "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}|[0-9T:.,Zz+ -]{0,40}") {
        if let Ok(at) = Timestamp::parse(&text) {
            prop_assert!((Timestamp::MIN..=Timestamp::MAX).contains(&at));
        }
    }

    #[test]
    fn millis_come_back(at in any_time(), millis in -1_000_000_000_000i64..1_000_000_000_000) {
        let later = at.saturating_add_millis(millis);
        if later != Timestamp::MIN && later != Timestamp::MAX {
            prop_assert_eq!(later.millis_since(at), millis);
        }
        let whole = Timestamp::from_unix_millis(at.unix_millis()).unwrap();
        prop_assert!(whole <= at && at.millis_since(whole) == 0);
    }
}
