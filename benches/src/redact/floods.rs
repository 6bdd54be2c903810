//! Texts that are made to be slow.

/// The names of the floods, and what each repeats.
const FLOODS: [(&str, &str); 15] = [
    ("one letter", "a"),
    ("key=", "key="),
    ("TOKEN_", "TOKEN_"),
    ("base64", "q9Zx2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eQ+sU/iO"),
    ("quotes", "\""),
    ("backslashes", "\\"),
    ("-----BEGIN", "-----BEGIN "),
    ("://", "://"),
    ("deep JSON", "{\"a\":["),
    ("cookie=", "cookie= "),
    ("tokens:[\"", "tokens:[\""),
    ("newlines", "\n"),
    ("Bearer", "Bearer "),
    ("password:", "password: "),
    ("key block begun", "-----BEGIN PRIVATE KEY-----\n"),
];

/// All floods of `bytes` bytes each.
pub fn all(bytes: usize) -> Vec<(&'static str, String)> {
    let flood = |(name, bit): (&'static str, &str)| (name, bit.repeat(bytes / bit.len()));
    FLOODS.into_iter().map(flood).collect()
}
