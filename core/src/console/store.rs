use super::failure::Failure;
use crate::sql::postgres::Address;
use alloc::{format, string::String};
use core::fmt;

/// Where everything is kept, as `--store` names it. Shown without a password.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Store {
    /// A SQLite file, by its path.
    Sqlite(String),
    /// A database of a PostgreSQL server.
    Postgres(Address),
}

impl Store {
    /// Reads `sqlite:PATH` or `postgres://…`; `at` says where the text stood, and `variable` gives what an
    /// address leaves out.
    pub(super) fn read(
        text: &str,
        at: &'static str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        let accepted = "accepted: sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/DATABASE";
        let (code, message) = match text.strip_prefix("sqlite:") {
            Some("") => ("store_invalid", format!("no path after `sqlite:`; {accepted}")),
            Some(path) => return Ok(Self::Sqlite(path.into())),
            None if text.starts_with("postgres:") || text.starts_with("postgresql:") => {
                match Address::parse(text, variable) {
                    Ok(address) => return Ok(Self::Postgres(address)),
                    Err(error) => (error.code(), format!("{error}")),
                }
            }
            // The text is not repeated: an address may hold a password.
            None if text.contains("://") => {
                ("store_unsupported", format!("an unknown kind of store; {accepted}"))
            }
            // Nor here: `host=db password=…`, `ada:…@db/work`.
            None if text.contains(['@', '=']) => {
                ("store_invalid", format!("no kind of store is named; {accepted}"))
            }
            None if text.is_empty() => ("store_invalid", format!("no store is named; {accepted}")),
            None => {
                let message =
                    format!("`{text}` does not say what kind of store it is; did you mean sqlite:{text}?");
                ("store_invalid", message)
            }
        };
        Err(Failure::usage(code, message).at(at))
    }
}

impl fmt::Display for Store {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => out.write_str(path),
            Self::Postgres(address) => address.fmt(out),
        }
    }
}
