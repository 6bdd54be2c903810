//! The places and shapes that have code of their own.

/// Where a secret stands, or which shape it has when that is more than a prefix. Each has one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Place {
    Exact,
    PrivateKey,
    Jwt,
    JwtLike,
    Telegram,
    Discord,
    Mailchimp,
    Terraform,
    Entra,
    UrlPassword,
    UrlToken,
    Bearer,
    Basic,
    Header,
    Cookie,
    Assignment,
    NamedToken,
    Argument,
    Login,
    AwsSecret,
    PasswordHash,
    KeyMember,
    Generic,
    Email,
    Phone,
    Card,
    Iban,
    Host,
}
