//! Texts to scrub: bits that finders look at, between which anything may stand, as they are and encoded.
use super::Random;
use crate::encodings::base64;

/// What finders look at, between which anything may stand.
#[rustfmt::skip] // A table.
const BITS: &[&str] = &[
    "password", "token", "api_key", "secret: ", "key=", "=", ": ", ":", "\"", "'", "`", "\\", "\\\"", "\\n", "\n",
    "\n", "\r\n", " ", "  ", "://", "@", "/", "?", "&", "#", "{", "}", "[", "]", "(", ")", ",", ";", "<password>",
    "</password>", "<password>\n", "Bearer ", "Basic ", "Authorization: ", "Cookie: ", "sid=", "--password ", "-p",
    "curl -u ", "mysql ", "login ", "login app\n", "\"tokens\": [\n", "\"a\",\n", "\\\n", "IDENTIFIED BY ",
    "-----BEGIN ", "PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\n", "-----END ", "MIIBOgIBAAJBAKj34GkxFhD9\n",
    "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "ghp_", "sk-ant-", "AKIA", "xoxb-", "acme_", "acmeCode=", "é", "日本", "🙂",
    "\u{1b}[32m", "\u{1b}[0m", "%3D", "&quot;", "hunter2", "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB", "[REDACTED:", "two of\n", "two of", "these lines", "\nthese lines", "\nthese", "a\n", "a\n\nlonger one\n", "of lines",
    "two of\\nthese lines", "two%20of%0Athese+lines", "two+of%0D%0Athese+lines", "dHdvIG9mCnRoZXNlIGxpbmVz",
    "[REDACTED:bearer]", "[REDACTED:assignment]", "[REDACTED:acme-token]", "[REDACTED:jwt:k7f3q2wd]",
    "[REDACTED:nothing]", "<assignment>", "0123456789abcdef", "q9x2mn7pk4rt8wy1cv5bz3df6gh0jl2e", "null", "${TOKEN}",
    "$", "%", "name: ", "- name: DB_PASSWORD\n", "value: ", "\"value\": \"", "\"db_password\": {\n", "user:pa55w0rd@", "http", "-us12", ":AA", "Q~", ".atlasv1.",
];

/// The same in parts, so that no file holds a whole secret.
const PARTS: &[&[&str]] = &[
    &["AKIA", "VGCNLTVF5LAU22CF"],
    &["ASIA", "WQ4ZK2MHT7N3RXLD"],
    &["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tY"],
    &["cGFzc3dvcmQ9", "aHVudGVyMjIm"],
    &["cGFzc3dvcmQ9", "aHVyMjIywora"],
    &["70617373776f72643d", "68756e74657232"],
    &[
        "sk-ant-api03-",
        "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tYq9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tYq9X2mN7pK4rT8wY1cV5bZAA",
    ],
    &[
        "eyJhbGciOiJIUzI1NiJ9.",
        "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkFkYSJ9.",
        "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznBq9x2mn7pk4r",
    ],
    &["{user: 'ann', ", "x: '"],
    &["', pass: ", "'sunshine'}"],
    &["Server=db;", "X="],
    &[";Pwd=", "config.secret;"],
    &["correct", "-horse"],
    &["6fa459ea-ee8a-4ca4", "-894e-db77e160355e"],
    &["curl ", "-s -H a -X GET "],
    &[" -u ", ":x"],
    &["mysqldump ", "--opt ", "-h db "],
    &["-pTr0ub4", "dor_3x"],
    &["/etc/some", "/where/else.d "],
];

/// Any text of pieces.
pub(super) fn any_text(random: &mut Random) -> String {
    let pieces = random.size(30);
    (0..pieces).map(|_| if random.chance(40) { encoded(random) } else { piece(random) }).collect()
}

/// One of what any text is made of.
pub(super) fn piece(random: &mut Random) -> String {
    match random.below(10) {
        0 => random.of_alphabet("abcxyzABCXYZ0123456789_-", 20),
        1 => random.text(3),
        2 => random.pick(PARTS).concat(),
        _ => random.pick(BITS).to_owned(),
    }
}

/// A text that is encoded, in lines or not.
fn encoded(random: &mut Random) -> String {
    let bits = 1 + random.size(12);
    let text: String = (0..bits).map(|_| piece(random)).collect();
    let letters = match random.below(3) {
        0 => text.bytes().map(|b| format!("{b:02x}")).collect(),
        _ => base64(text.as_bytes()),
    };
    let (lead, end) =
        (random.pick(&["", "", "  ", "+", "web-1 | "]), random.pick(&["\n", "\n", "\r\n", "\\n"]));
    let width = random.pick(&[40, 44, 64, usize::MAX]);
    let lines: Vec<_> = letters.as_bytes().chunks(width).map(String::from_utf8_lossy).collect();
    format!("{lead}{}{end}", lines.join(&format!("{end}{lead}")))
}

/// A text of lines and bits that is longer than what is read at once.
pub(super) fn long_text(random: &mut Random) -> String {
    let mut text = String::new();
    while text.len() < 150_000 {
        let bit = if random.chance(3) { any_text(random) } else { random.pick(BITS).to_owned() };
        text += &bit.repeat(1 + random.size(500));
    }
    text
}
