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

/// Ends of joined names (`api_key`, `apiKey` and `apikey` are all `apikey`), wherever in a word they start; those with
/// the same last letter stand together.
#[rustfmt::skip] // A table.
pub(in crate::redact) const ENDS: &[(&str, Strength)] = &[
    ("contrasena", Strong), ("salasana", Strong),
    ("mnemonic", Strong),
    ("password", Strong), ("passwd", Strong), ("wachtwoord", Strong),
    ("passphrase", Strong), ("passcode", Strong), ("secretkeybase", Strong),
    ("sharedaccesssignature", Strong), ("seedphrase", Strong), ("recoveryphrase", Strong),
    ("motdepasse", Strong), ("cookie", Weak),
    ("credential", Medium),
    ("apitoken", Strong), ("accesstoken", Strong), ("authtoken", Strong), ("oauthtoken", Strong),
    ("secrettoken", Strong), ("bearertoken", Strong), ("refreshtoken", Strong), ("clonetoken", Strong),
    ("privatetoken", Strong), ("personaltoken", Strong), ("personalaccesstoken", Strong),
    ("bottoken", Strong), ("securitytoken", Strong), ("sessiontoken", Strong), ("deploytoken", Strong),
    ("gitlabsession", Strong),
    ("token", Medium),
    ("tokens", Weak), ("secrets", Weak), ("passwords", Medium), ("adminpass", Strong), ("mysqlpass", Strong),
    ("postgrespass", Strong), ("pgpass", Strong), ("sqlpass", Strong), ("ftppass", Strong),
    ("smtppass", Strong), ("mailpass", Strong), ("emailpass", Strong), ("sshpass", Strong),
    ("redispass", Strong), ("mongopass", Strong), ("rabbitmqpass", Strong), ("proxypass", Strong),
    ("httppass", Strong), ("ldappass", Strong), ("wifipass", Strong), ("vpnpass", Strong),
    ("authpass", Strong), ("loginpass", Strong), ("masterpass", Strong), ("databasepass", Strong),
    ("dbpass", Strong), ("userpass", Strong), ("rootpass", Strong), ("keypass", Strong),
    ("storepass", Strong), ("smbpass", Strong), ("servicepass", Strong), ("clientpass", Strong),
    ("serverpass", Strong), ("basicpass", Strong), ("accountpass", Strong), ("credentials", Medium),
    ("keys", Weak),
    ("passwort", Strong), ("secret", Strong), ("apisecret", Strong), ("authsecret", Strong),
    ("clientsecret", Strong), ("signingsecret", Strong), ("kennwort", Strong),
    ("secretkey", Strong), ("secretaccesskey", Strong), ("apikey", Strong), ("appkey", Strong),
    ("applicationkey", Strong), ("accesskey", Strong), ("authkey", Strong), ("privatekey", Strong),
    ("privkey", Strong), ("sharedkey", Strong), ("sharedaccesskey", Strong), ("signingkey", Strong),
    ("encryptionkey", Strong), ("encryptkey", Strong), ("decryptionkey", Strong), ("masterkey", Strong),
    ("accountkey", Strong), ("consumerkey", Strong), ("servicekey", Strong), ("hmackey", Strong),
    ("jwtkey", Strong), ("sshkey", Strong), ("ssecustomerkey", Strong), ("recoverykey", Strong),
    ("licensekey", Strong), ("key", Weak),
];

/// Whole words, too short to be looked for inside of others. In order, as are the lists below.
#[rustfmt::skip] // A table.
pub(in crate::redact) const WORDS: &[(&str, Strength)] = &[
    ("auth", Medium), ("authorization", Medium), ("bearer", Medium), ("bindpw", Strong), ("clave",
    Medium), ("code", Weak), ("cred", Medium), ("creds", Medium), ("csrf", Weak), ("dbpass", Strong),
    ("jwt", Medium), ("keypass", Strong), ("masterauth", Strong), ("nkey", Weak),
    ("nonce", Weak), ("otp", Weak), ("pass", Medium), ("pat", Weak), ("pin", Weak), ("psk", Medium),
    ("psw", Strong), ("pswd", Strong), ("pw", Strong), ("pwd", Strong), ("pword", Strong), ("requirepass",
    Strong), ("rootpass", Strong), ("rootpw", Strong), ("salt", Weak), ("seed", Weak), ("senha", Strong),
    ("session", Weak), ("sessionid", Weak), ("sid", Weak), ("sig", Weak), ("signature", Weak),
    ("storepass", Strong), ("totp", Weak), ("userpass", Strong), ("xkey", Weak),
];

/// Last words of a name that say nothing about it: `API_KEY_PROD`, `password_confirmation`, `tokenValue`.
#[rustfmt::skip] // A table.
pub(in crate::redact) const NEUTRAL: &[&str] = &[
    "again", "b64", "base", "base64", "confirm", "confirmation", "confirmed", "current", "data", "default",
    "dev", "development", "env", "hex", "input", "internal", "live", "local", "main", "new", "old", "plain",
    "plaintext", "primary", "prod", "production", "raw", "repeat", "sandbox", "secondary", "stage", "staging",
    "str", "string", "test", "testing", "tests", "text", "val", "value", "var",
];

/// Last words of a name that make it no secret: `token_count`, `password_file`, `secret_name`.
#[rustfmt::skip] // A table.
pub(in crate::redact) const DENIED_LAST: &[&str] = &[
    "action", "actions", "age", "alg", "algorithm", "alias", "arn", "array", "at", "budget", "bytes",
    "cached", "callback", "chars", "checksum", "class", "client", "cmd", "column", "command", "config",
    "cost", "count", "counts", "date", "description", "digest", "dir", "disabled", "domain", "email",
    "enabled", "endpoint", "error", "errors", "event", "events", "exists", "expiration", "expired", "expires",
    "expiry", "field", "fields", "file", "filename", "files", "fingerprint", "fn", "folder", "format", "func",
    "function", "generator", "group", "groups", "handler", "hash", "header", "help", "hint", "host",
    "hostname", "id", "ids", "idx", "index", "invalid", "kind", "label", "len", "length", "level", "limit",
    "limits", "list", "manager", "map", "max", "message", "method", "methods", "min", "mode", "model", "msg",
    "name", "names", "num", "number", "options", "output", "owner", "param", "params", "path", "paths",
    "pattern", "placeholder", "policies", "policy", "port", "prefix", "price", "prompt", "provider", "pub",
    "public", "rate", "ratio", "ref", "regex", "region", "required", "reset", "role", "roles", "rotation",
    "schema", "scope", "scopes", "script", "server", "service", "set", "settings", "size", "sizes", "source",
    "state", "status", "store", "strength", "suffix", "sum", "template", "thumbprint", "time", "timeout",
    "title", "total", "ttl", "type", "types", "uri", "uris", "url", "urls", "usage", "used", "user",
    "username", "valid", "validator", "version",
];

/// Words before the end of a name that make it no secret: `public_key`, `max_tokens`, `next_token`.
#[rustfmt::skip] // A table.
pub(in crate::redact) const DENIED_BEFORE: &[&str] = &[
    "allow", "alt", "area", "arrow", "avg", "bad", "bos", "brace", "budget", "cache", "cached", "change",
    "color", "column", "completion", "continuation", "control", "count", "country", "ctrl", "currency",
    "cursor", "dedup", "dedupe", "disable", "enable", "end", "enter", "eos", "error", "escape", "event",
    "exit", "expired", "foreign", "forgot", "group", "has", "hash", "hide", "hot", "i18n",
    "idempotency", "index", "input", "invalid", "is", "json", "keyboard", "lang", "language", "lexer",
    "lookup", "map", "mask", "max", "message", "min", "missing", "next", "no", "not", "num", "object",
    "output", "pad", "page", "parse", "parser", "partition", "postal", "prev", "previous", "primary",
    "prompt", "pub", "public", "reasoning", "reset", "response", "return", "routing", "row",
    "sep", "shift", "show", "sort", "source", "special", "start", "status", "stop", "thinking", "total",
    "translation", "unique", "unk", "use", "used", "wrong", "zip",
];

/// Those of them that a strong name does not overrule: `public_api_key`, `forgot_password`. A `cursor_api_key`, a
/// `primary_access_key` or a `previous_password` is as much a secret as any.
#[rustfmt::skip] // A table.
pub(in crate::redact) const DENIED_STRONG: &[&str] = &[
    "allow", "avg", "bad", "change", "count", "disable", "enable", "enter", "error", "escape", "exit",
    "expired", "forgot", "has", "hash", "hide", "i18n", "input", "invalid", "is", "lang", "language", "lexer",
    "mask", "max", "message", "min", "missing", "no", "not", "num", "parse", "parser", "pub", "public",
    "reset", "return", "show", "status", "total", "translation", "unk", "use", "used", "wrong",
];
