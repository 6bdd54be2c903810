//! What stays: see `spec/redaction.md`, what stays.
use super::clean;
use crate::json::{Json, parse};
use crate::redact::Redactor;

#[test]
fn text_without_secrets_stays() {
    for text in [
        "89d2c023-ea53-40a5-b20a-d84905c622d7",
        "\"id\": \"89d2c023-ea53-40a5-b20a-d84905c622d7\", \"session_id\": \"89d2c023-ea53-40a5-b20a-d84905c622d7\"",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "The commit is f3d17de96b66ad5f56a3f29cf8bcb57b7aed83fe on feat/v1-search.",
        "key f3d17de96b66ad5f56a3f29cf8bcb57b7aed83fe",
        "integrity: sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==",
        "github.com/Azure/go-autorest/autorest/azure/auth v0.5.11 h1:P6bYXFoao05z5uhOQzbC3Qd8JqF3jUoocoTeIxkp2cA=",
        "etag: W/\"0815-abcdef0123456789\"",
        "checksum = \"b5f2f1a7c1f4d0e9b2d4b5a1d1d0f7b6c2a7e9b5f2f1a7c1f4d0e9b2d4b5a1d1\"",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8x3Kq9Zf2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tYu user@host",
        "-----BEGIN CERTIFICATE-----\nMIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu\n-----END CERTIFICATE-----",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "/home/user/projects/secret-keeper/src/token/password.rs:12:5",
        "C:\\Users\\dev\\AppData\\Local\\Temp\\password.txt",
        "https://example.org/path?page=2&sort=key#token",
        "git@github.com:org/repo",
        "http://host:8080/path",
        "https://packages.example.org/@scope/pkg/-/pkg-1.0.0.tgz",
        "test_password_reset_token_expires_after_one_hour",
        "maxActiveAsyncRunsPerSession getUserAccessToken passwordResetTokenGenerator",
        "2024-05-06T07:08:09.123Z v1.2.3-rc.4 10.0.0.1 4111 1111 1111 1111 DE89370400440532013000",
        "password: <your-password>",
        "token: ${TOKEN}",
        "token = \"{{ secrets.TOKEN }}\"",
        "api_key = \"xxxxxxxxxxxxxxxx\"",
        "password = changeme",
        "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
        "the token expiration bug",
        "bearer of bad news",
        "Provide the basic links for the model and the basic usage.",
        "my secretary scheduled the meeting",
        "token = get_token()",
        "password: str",
        "def login(user: str, password: str = None) -> Token:",
        "let token = self.token.clone();",
        "const secret = process.env.CLIENT_SECRET;",
        "if (passwordData != IntPtr.Zero)",
        "config.oauth_token = tumblr_oauth_token",
        "{\"max_tokens\": 4096, \"input_tokens\": 12, \"token_type\": \"bearer\", \"key\": \"value\"}",
        "{\"h\":{\"X-Api-Key\":12345,\"next\":\"kept\"},\"tail\":\"kept\"}",
        "\"tool_use_id\":\"toolu_01A09q90qw90lq917835lq9\",\"id\":\"msg_01XFDUDYJgAACzvnptvVoYEL\",\"request_id\":\"req_011CSHoEeqs5C35K2UUqR7Fy\"",
        "call_q9x2mN7pK4rT8wY1cV5bZ3dF",
        "\"signature\":\"EqQBCkYICxgCKkDfZ2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tYuQ9x2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tYu==\"",
        "const BRANCH_ALERT_KEY = 'brain-sync-wrong-branch';",
        "# //npm.pkg.github.com/:_authToken=${GITHUB_NPM_TOKEN}",
        "import { createSecretKey } from 'node:crypto';",
        "Set the password field to the user's password, then press enter.",
        "--token-file path --password-stdin --key name",
        "docker run -p 8080:80 -e NAME=value image",
        "mkdir -p src/redact",
        "git commit -m \"add token refresh\"",
        "Token: '#f8f8f2'",
        "pub cbPrivateKey: u32,",
        "pub const ERROR_INTERNET_INCORRECT_PASSWORD: u32 = 12014u32;",
        "RateLimit-Key: user; q=100",
        "eyJ is how base64 of a JSON object starts",
        "Cookie: theme=dark; lang=en",
        "fn live_rows_are_those_on_the_way_from_the_leaf() {}",
        "path/live_dashboard_refresh_interval_seconds.rs",
        "glpat-aaaa_bbbb_cccc_dddd_eeee",
        "ASIAPACIFICNORTHEAST",
        "Authorization: Bearer sk-ant-api03-${KEY}",
        "curl -H \"Authorization: Bearer abcd1234{suffix}\"",
    ] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn marks_stay() {
    for text in [
        "password: [REDACTED:assignment]",
        "Authorization: Bearer [REDACTED:bearer:k7f3q2wd]",
        "https://a:[REDACTED:url-password]@b/c",
        "\"token\": \"[REDACTED:jwt]\"",
        "-p [REDACTED:argument]",
    ] {
        assert_eq!(clean(text), text);
    }
    // No mark: the kind is of no table.
    assert_ne!(
        clean("password: \"[REDACTED:nothing]hunter2x9\""),
        "password: \"[REDACTED:nothing]hunter2x9\""
    );
}

#[test]
fn an_id_stays_in_another_line_than_that_in_which_it_is_a_secret() {
    let (id, other) = ("6f9619ff-8b86-d011-b42d-00cf4fc964ff", "0e984725-c51c-4bf4-9960-e1c80e27aba0");
    let mark = "[REDACTED:assignment]";
    let text = |id: &str, other: &str| {
        ["client_secret=", id, "\nx\nclient_secret=", other, " trace 6f9619ff-8b86-d011-b42d-00cf4fc964ff"]
            .concat()
    };
    // Lines of one string of JSON are read as one text.
    let scrubbed = |text: alloc::string::String| {
        let (clean, _) = Redactor::standard().redact_json(&Json::Array(alloc::vec![Json::String(text)]));
        parse(clean.as_str()).unwrap()
    };
    let wanted = |text: alloc::string::String| Json::Array(alloc::vec![Json::String(text)]);
    assert_eq!(scrubbed(text(id, other)), wanted(text(mark, mark)));
    // In its own line it goes, also when another line's was looked for in between.
    let more = |id: &str, other: &str| {
        ["trace ", id, " client_secret=", id, " trace ", id, "\nclient_secret=", other, " trace ", other]
            .concat()
    };
    assert_eq!(scrubbed(more(id, other)), wanted(more(mark, mark)));
}
