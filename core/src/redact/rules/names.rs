//! Key names as data: which names hold a secret, and which words take that back.
//!
//! A name is split into words at case changes, digits and separators; see `engine/names`.

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::redact) enum Strength {
    /// The value has to look like a random token.
    Weak,
    /// The value is a secret unless it reads like a word or a reference.
    Medium,
    /// Every value that is no placeholder, reference, call, type or constant is a secret.
    Strong,
}

use Strength::{Medium, Strong, Weak};

/// Ends of joined names (`api_key`, `apiKey` and `apikey` are all `apikey`), wherever in a word they start.
#[rustfmt::skip] // A table.
pub(in crate::redact) const ENDS: &[(&str, Strength)] = &[
    ("password", Strong), ("passwort", Strong), ("passwd", Strong), ("passphrase", Strong),
    ("passcode", Strong), ("secret", Strong), ("secretkey", Strong), ("secretaccesskey", Strong),
    ("secretkeybase", Strong), ("apikey", Strong), ("apisecret", Strong), ("apitoken", Strong),
    ("appkey", Strong), ("applicationkey", Strong), ("accesskey", Strong), ("accesstoken", Strong),
    ("authtoken", Strong), ("authkey", Strong), ("authsecret", Strong), ("oauthtoken", Strong),
    ("secrettoken", Strong), ("bearertoken", Strong), ("refreshtoken", Strong), ("clonetoken", Strong),
    ("privatetoken", Strong), ("personaltoken", Strong), ("personalaccesstoken", Strong),
    ("bottoken", Strong), ("securitytoken", Strong), ("sessiontoken", Strong), ("deploytoken", Strong),
    ("privatekey", Strong), ("privkey", Strong), ("clientsecret", Strong), ("sharedkey", Strong),
    ("sharedaccesskey", Strong), ("sharedaccesssignature", Strong), ("signingkey", Strong),
    ("signingsecret", Strong), ("encryptionkey", Strong), ("encryptkey", Strong), ("decryptionkey", Strong),
    ("masterkey", Strong), ("accountkey", Strong), ("consumerkey", Strong), ("servicekey", Strong),
    ("hmackey", Strong), ("jwtkey", Strong), ("sshkey", Strong), ("ssecustomerkey", Strong),
    ("recoverykey", Strong), ("licensekey", Strong), ("mnemonic", Medium), ("seedphrase", Strong),
    ("recoveryphrase", Strong), ("contrasena", Strong), ("motdepasse", Strong), ("kennwort", Strong),
    ("wachtwoord", Strong), ("salasana", Strong), ("token", Medium), ("tokens", Weak), ("secrets", Weak),
    ("passwords", Weak), ("credential", Medium), ("credentials", Medium), ("cookie", Weak), ("key", Weak),
    ("keys", Weak),
];

/// Whole words, too short to be looked for inside of others.
#[rustfmt::skip] // A table.
pub(in crate::redact) const WORDS: &[(&str, Strength)] = &[
    ("pwd", Strong), ("pw", Strong), ("psw", Strong), ("pswd", Strong), ("pword", Strong),
    ("senha", Strong), ("clave", Medium), ("pass", Medium), ("userpass", Strong), ("dbpass", Strong),
    ("rootpass", Strong), ("keypass", Strong), ("storepass", Strong), ("auth", Medium),
    ("authorization", Medium), ("bearer", Medium), ("jwt", Medium), ("pat", Weak), ("psk", Medium),
    ("pin", Weak), ("otp", Weak), ("totp", Weak), ("nkey", Weak), ("xkey", Weak), ("sid", Weak),
    ("sessionid", Weak), ("session", Weak), ("signature", Weak), ("sig", Weak), ("code", Weak),
    ("salt", Weak), ("seed", Weak), ("nonce", Weak), ("csrf", Weak), ("license", Weak), ("cred", Medium),
    ("creds", Medium),
];

/// Last words of a name that say nothing about it: `API_KEY_PROD`, `password_confirmation`, `tokenValue`.
#[rustfmt::skip] // A table.
pub(in crate::redact) const NEUTRAL: &[&str] = &[
    "value", "val", "prod", "production", "dev", "development", "test", "tests", "testing", "stage",
    "staging", "live", "sandbox", "local", "new", "old", "repeat", "confirm", "confirmation", "confirmed",
    "current", "default", "str", "string", "text", "plain", "plaintext", "raw", "env", "var", "input",
    "main", "primary", "secondary", "base", "data", "again", "internal", "b64", "base64", "hex",
];

/// Last words of a name that make it no secret: `token_count`, `password_file`, `secret_name`.
#[rustfmt::skip] // A table.
pub(in crate::redact) const DENIED_LAST: &[&str] = &[
    "id", "ids", "name", "names", "count", "counts", "max", "min", "path", "paths", "dir", "file", "files",
    "filename", "folder", "url", "urls", "uri", "uris", "host", "hostname", "type", "types", "len",
    "length", "size", "sizes", "policy", "policies", "output", "cached", "expiry", "expires", "expiration",
    "expired", "ttl", "age", "date", "time", "at", "timeout", "limit", "limits", "budget", "usage", "used",
    "index", "idx", "num", "number", "format", "field", "fields", "label", "title", "hint", "prompt",
    "placeholder", "message", "msg", "error", "errors", "description", "help", "regex", "pattern", "prefix",
    "suffix", "header", "param", "params", "column", "version", "status", "state", "enabled", "disabled",
    "required", "valid", "invalid", "exists", "set", "provider", "manager", "service", "server", "client",
    "class", "store", "ref", "arn", "alias", "domain", "region", "scope", "scopes", "mode", "method",
    "methods", "algorithm", "alg", "strength", "reset", "rotation", "length", "hash", "digest", "checksum",
    "sum", "fingerprint", "thumbprint", "public", "pub", "event", "events", "group", "groups", "owner",
    "user", "username", "email", "level", "kind", "source", "endpoint", "port", "rate", "price", "cost",
    "total", "ratio", "bytes", "chars", "cmd", "command", "script", "handler", "callback", "function",
    "func", "fn", "validator", "generator", "map", "list", "array", "template", "schema", "model", "config",
    "settings", "options", "role", "roles", "action", "actions",
];

/// Words before the end of a name that make it no secret: `public_key`, `max_tokens`, `next_token`.
#[rustfmt::skip] // A table.
pub(in crate::redact) const DENIED_BEFORE: &[&str] = &[
    "public", "pub", "max", "min", "num", "count", "total", "next", "prev", "previous", "page", "primary",
    "foreign", "sort", "partition", "cache", "object", "row", "column", "index", "group", "hash", "map",
    "lookup", "json", "registry", "idempotency", "translation", "message", "i18n", "event", "routing",
    "dedupe", "dedup", "continuation", "cursor", "input", "output", "prompt", "completion", "cached",
    "reasoning", "thinking", "budget", "avg", "used", "unique", "hot", "arrow", "enter", "shift", "ctrl",
    "control", "alt", "escape", "parse", "parser", "lexer", "status", "error", "exit", "response", "return",
    "http", "country", "zip", "postal", "area", "language", "lang", "currency", "color", "source", "no",
    "not", "is", "has", "enable", "disable", "allow", "use", "show", "hide", "reset", "forgot", "change",
    "invalid", "missing", "wrong", "bad", "expired", "stop", "start", "end", "eos", "bos", "pad", "unk",
    "sep", "mask", "special", "brace", "keyboard",
];
