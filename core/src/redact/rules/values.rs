//! Values as data: what is no secret, whatever name it stands under.

/// Values that are no secret, whole and without regard to case: constants, types, what stands for a secret. In order.
#[rustfmt::skip] // A table.
pub(in crate::redact) const NO_VALUES: &[&str] = &[
    "...", "a", "absent", "accepted", "admin", "alphanumeric", "an", "and", "any", "api-key", "api_key", "apikey",
    "array", "async", "auth", "auto", "automatic", "await", "bar", "basic", "baz", "bcrypt", "bearer", "blank",
    "bool", "boolean", "byte", "bytes", "change-me", "change_me", "changed", "changeit", "changeme", "char",
    "configured", "confirmed", "const", "cookie", "cookies", "correct", "created", "credential", "credentials",
    "date", "default", "deleted", "digest", "disabled", "docker-registry", "dummy", "email", "empty", "enabled",
    "encrypted", "env", "environment", "erforderlich", "example", "exists", "expired", "external", "failed",
    "fake", "false", "filtered", "fixme", "foo", "foobar", "forbidden", "function", "generated", "generic",
    "given", "hashed", "header", "headers", "hidden", "html", "i18n", "id_rsa", "ignored", "include", "incorrect",
    "inherit", "input", "int", "integer", "invalid", "is", "json", "key", "keychain", "keyring", "let",
    "localhost", "locked", "login", "long", "mandatory", "manual", "masked", "matches", "maximum", "minimum",
    "mismatch", "missing", "mock", "mounted", "must", "n/a", "na", "nan", "new", "nil", "no", "none", "not",
    "null", "number", "numeric", "object", "off", "omit", "omitted", "on", "opaque", "optional", "or", "pass",
    "passwd", "password", "pending", "placeholder", "plaintext", "present", "prompt", "prompted", "provided",
    "pwd", "raise", "random", "redacted", "rejected", "removed", "required", "return", "root", "rotated",
    "same-origin", "sample", "secret", "self", "session", "sha256", "should", "static", "stdin", "stored", "str",
    "string", "submit", "success", "synced", "tbd", "test", "text", "the", "this", "todo", "token", "true",
    "unauthorized", "unavailable", "unchanged", "undefined", "unknown", "unset", "updated", "user", "username",
    "uuid", "valid", "value", "var", "varchar", "vault", "vergessen", "verified", "void", "wrong", "xml", "yes",
];

/// Words that are passwords and hardly anything else, without regard to case: weak, and secrets all the same.
#[rustfmt::skip] // A table.
pub(in crate::redact) const WEAK_PASSWORDS: &[&str] = &[
    "letmein", "iloveyou", "qwerty", "qwertyuiop", "qwertz", "azerty", "asdfgh", "asdfghjkl", "zxcvbn",
    "zxcvbnm", "opensesame", "ihateyou", "letmeinplease", "trustnoone", "correcthorsebatterystaple",
    "correct-horse-battery-staple",
];

/// Parts of a value that make it stand for a secret, without regard to case.
#[rustfmt::skip] // A table.
pub(in crate::redact) const NO_PARTS: &[&str] = &[
    "example", "changeme", "change_me", "change-me", "placeholder", "removed", "your-", "your_", "yourpass",
    "yoursecret", "yourtoken", "yourkey", "yourapi", "my-secret", "my_secret", "my-token", "my_token",
    "my-password", "my_password", "mypassword", "my_api", "my-api", "insert-", "insert_", "enter-",
    "enter_", "replace-", "replace_", "dummy", "xxxxxx", "******", "......", "-here", "_here", "todo",
    "<your", "not-a-", "not_a_", "fake-", "fake_", "-goes-", "000000000000", "sanitized", "omitted",
    "obfuscated", "notreal", "not-real",
];

/// Cookies that hold no session.
#[rustfmt::skip] // A table.
pub(in crate::redact) const PLAIN_COOKIES: &[&str] = &[
    "theme", "lang", "language", "locale", "timezone", "tz", "path", "domain", "expires", "max-age",
    "samesite", "priority", "_ga", "_gid", "consent", "color-mode",
];

/// How ids of messages, calls and requests start.
#[rustfmt::skip] // A table.
pub(in crate::redact) const ID_PREFIXES: &[&str] = &[
    "toolu_", "srvtoolu_", "call_", "msg_", "req_", "resp_", "rs_", "fc_", "run_", "chatcmpl-", "thread_",
    "asst_", "file-", "file_", "batch_", "item_", "event_", "evt_", "step_", "conv_", "session_", "gen-",
];

/// How hashes start that say so, password hashes among them.
#[rustfmt::skip] // A table.
pub(in crate::redact) const HASH_PREFIXES: &[&str] = &[
    "sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:", "h1:", "W/", "$2a$",
    "$2b$", "$2y$", "$argon2", "$6$", "$5$", "$1$",
];

/// Number types of languages: what a literal ends with, or a field has.
#[rustfmt::skip] // A table.
pub(in crate::redact) const NUMBER_TYPES: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    "UL", "ULL", "L", "n", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t",
    "int64_t", "uint32", "uint64", "int32", "int64",
];

/// How paths and addresses start.
#[rustfmt::skip] // A table.
pub(in crate::redact) const PATH_PREFIXES: &[&str] = &[
    "./", "../", "~/", "/", "file:", "http://", "https://", "arn:", "secretsmanager:", "ssm:", "vault:",
    "op://", "env:", "urn:", "secret://", "data:", "ref+",
];

/// How names of files end that hold keys and settings.
#[rustfmt::skip] // A table.
pub(in crate::redact) const FILE_SUFFIXES: &[&str] = &[
    ".json", ".pem", ".key", ".txt", ".yml", ".yaml", ".env", ".crt", ".cert", ".jks", ".p12", ".pfx",
    ".creds", ".js", ".ts", ".py", ".go", ".toml",
];
