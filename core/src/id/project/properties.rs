use super::*;
use proptest::prelude::*;

fn any_path() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(
            &[
                "/", "/", "\\", "//", "\\\\", ".", "..", "/../", "\\..\\", "C:", "z:", "file://", "FILE://", "localhost",
                "%2e", "%2F", "%5c", "%3A", "%", "%zz", "%ff", "%C3%A9", "a", "Work", "é", " ", "\0", "?",
            ][..],
        )
        .prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn normalisation_is_idempotent_and_total(path in any_path()) {
        let once = normalize(&path);
        prop_assert!(!once.is_empty());
        prop_assert_eq!(normalize(&once), once);
    }

    #[test]
    fn one_project_has_one_form(path in any_path()) {
        let once = normalize(&path);
        prop_assert!(!once.ends_with('/') || matches!(once.as_bytes(), [b'/'] | [_, b':', b'/']), "{}", once);
        let names = once.trim_start_matches('/');
        prop_assert!(!names.contains("//"), "{}", once);
        prop_assert!(!names.split('/').skip(1).any(|name| name == "."), "{}", once);
        if once.starts_with('/') {
            prop_assert!(!names.split('/').skip(1).any(|name| name == ".."), "{}", once);
        }
        if path.starts_with('/') && !path.starts_with("//") {
            prop_assert_eq!(normalize(&[&path, "/"].concat()), once);
        }
    }

    #[test]
    fn escaping_a_path_is_undone(path in "(/[a-zA-Z0-9 é%?#]{1,8}){1,5}") {
        let escaped: String = path.bytes().map(|byte| match byte {
            b'/' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).into(),
            _ => alloc::format!("%{byte:02X}"),
        }).collect();
        prop_assert_eq!(normalize(&["file://", &escaped].concat()), normalize(&path));
    }
}
