use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

/// Where a server is, who asks, and for what; read from `postgres://USER:PASSWORD@HOST:PORT/DATABASE?…`.
///
/// Shown ([`fmt::Display`], [`fmt::Debug`]) without its password.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Address {
    /// The name or number of the host, or the folder of its socket, which begins with `/`.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The user.
    pub user: String,
    /// The password, where there is one.
    pub password: Option<String>,
    /// The database.
    pub database: String,
    /// Whether the connection is encrypted.
    pub tls: Tls,
    /// A file of certificates that are trusted in place of the system's own.
    pub root_certificates: Option<String>,
    /// Settings of the server for this connection, such as `-csearch_path=NAME`.
    pub options: Option<String>,
    /// What the server lists the connection as.
    pub application: String,
    /// How long a connection may take to be made, in seconds.
    pub connect_seconds: u16,
}

/// Whether a connection is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    /// It is not.
    Off,
    /// It is, and certificate and host name are checked.
    Verified,
}

/// An address that is not accepted. What it holds is not repeated: it may be part of a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}; accepted: postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
pub struct AddressError {
    what: String,
}

impl AddressError {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }

    /// `store_invalid`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "store_invalid"
    }
}

const PARAMETERS: &str =
    "host, port, user, password, dbname, sslmode, sslrootcert, options, application_name, connect_timeout";

impl Address {
    /// Reads an address. What it leaves out comes from the environment (`PGUSER`, else `USER`; `PGPASSWORD`)
    /// or is usual: host `localhost`, port 5432, the user's name as database, no TLS (`sslmode=disable`;
    /// `require` and `verify-full` are the same: certificate and host name are checked). Reserved characters
    /// are written as `%40`, and so on.
    ///
    /// ```
    /// use throughline_core::sql::postgres::Address;
    /// let address = Address::parse("postgres://ada:s%40cret@db.example/work", |_| None)?;
    /// assert_eq!((address.port, address.password.as_deref()), (5432, Some("s@cret")));
    /// assert_eq!(address.to_string(), "postgres://ada@db.example:5432/work");
    /// assert!(!format!("{address:?}").contains("cret"));
    /// # Ok::<(), throughline_core::sql::postgres::AddressError>(())
    /// ```
    ///
    /// # Errors
    /// `store_invalid`.
    pub fn parse(url: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, AddressError> {
        let rest = ["postgres://", "postgresql://"].into_iter().find_map(|scheme| url.strip_prefix(scheme));
        let rest = rest.ok_or_else(|| AddressError::new("the address does not begin with postgres://"))?;
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = place.split_once('/').unwrap_or((place, ""));
        if place.contains('#') || query.contains(['#', '@', '?']) || path.contains(['@', '/']) {
            return Err(AddressError::new(
                "a reserved character (@ / ? #) is not written as %40, %2F, %3F or %23",
            ));
        }
        let (credentials, server) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (user, password) = match credentials.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (credentials, None),
        };
        let (host, port) = host_and_port(server)?;
        let mut read = Read {
            host: decoded(host, "host")?,
            port: port.to_string(),
            user: decoded(user, "user")?,
            password: password.map(|text| decoded(text, "password")).transpose()?,
            dbname: decoded(path, "database")?,
            ..Read::default()
        };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            read.parameter(pair)?;
        }
        read.address(|name| variable(name).filter(|value| !value.is_empty()))
    }
}

/// The words of an address, empty where it has none.
#[derive(Default)]
struct Read {
    host: String,
    port: String,
    user: String,
    password: Option<String>,
    dbname: String,
    sslmode: String,
    sslrootcert: String,
    options: String,
    application_name: String,
    connect_timeout: String,
}

impl Read {
    fn parameter(&mut self, pair: &str) -> Result<(), AddressError> {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = match name {
            "host" => &mut self.host,
            "port" => &mut self.port,
            "user" => &mut self.user,
            "password" => self.password.insert(String::new()),
            "dbname" => &mut self.dbname,
            "sslmode" => &mut self.sslmode,
            "sslrootcert" => &mut self.sslrootcert,
            "options" => &mut self.options,
            "application_name" => &mut self.application_name,
            "connect_timeout" => &mut self.connect_timeout,
            _ => return Err(AddressError::new(format!("an unknown parameter; known are {PARAMETERS}"))),
        };
        *place = decoded(value, "parameter")?;
        Ok(())
    }

    fn address(self, variable: impl Fn(&str) -> Option<String>) -> Result<Address, AddressError> {
        let given = |text: String| Some(text).filter(|text| !text.is_empty());
        let user = given(self.user)
            .or_else(|| ["PGUSER", "USER", "USERNAME"].into_iter().find_map(&variable))
            .ok_or_else(|| AddressError::new("no user is named"))?;
        let tls = match self.sslmode.as_str() {
            "" | "disable" => Tls::Off,
            "require" | "verify-full" => Tls::Verified,
            _ => {
                return Err(AddressError::new("an unknown sslmode; known are disable, require, verify-full"));
            }
        };
        Ok(Address {
            host: given(self.host).unwrap_or_else(|| "localhost".into()),
            port: number(&self.port, "port", 5432)?,
            password: self.password.or_else(|| variable("PGPASSWORD")),
            database: given(self.dbname).unwrap_or_else(|| user.clone()),
            user,
            tls,
            root_certificates: given(self.sslrootcert),
            options: given(self.options),
            application: given(self.application_name).unwrap_or_else(|| "throughline".into()),
            connect_seconds: number(&self.connect_timeout, "connect_timeout", 10)?,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port, user, database, .. } = self;
        if host.starts_with('/') {
            write!(out, "postgres://{user}@/{database}?host={host}&port={port}")
        } else if host.contains(':') {
            write!(out, "postgres://{user}@[{host}]:{port}/{database}")
        } else {
            write!(out, "postgres://{user}@{host}:{port}/{database}")
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Address({self})")
    }
}

fn host_and_port(server: &str) -> Result<(&str, &str), AddressError> {
    if let Some(rest) = server.strip_prefix('[') {
        let (host, end) =
            rest.split_once(']').ok_or_else(|| AddressError::new("the host has no closing bracket"))?;
        return match end.strip_prefix(':') {
            Some(port) => Ok((host, port)),
            None if end.is_empty() => Ok((host, "")),
            None => Err(AddressError::new("something else than a port follows the host")),
        };
    }
    Ok(server.split_once(':').unwrap_or((server, "")))
}

fn number(text: &str, what: &str, usual: u16) -> Result<u16, AddressError> {
    if text.is_empty() {
        return Ok(usual);
    }
    let number = text.parse().ok().filter(|number| *number > 0 && !text.starts_with('+'));
    number.ok_or_else(|| AddressError::new(format!("the {what} is no number from 1 to 65535")))
}

/// Reads `%40` and the like.
fn decoded(text: &str, what: &str) -> Result<String, AddressError> {
    let wrong =
        || AddressError::new(format!("the {what} has a % without two hexadecimal digits, or is no UTF-8"));
    let mut pieces = text.split('%');
    let mut bytes: Vec<u8> = pieces.next().unwrap_or_default().into();
    for piece in pieces {
        let (digits, after) = piece.split_at_checked(2).ok_or_else(wrong)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
        bytes.extend_from_slice(after.as_bytes());
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong())?;
    if text.contains(char::is_control) {
        return Err(AddressError::new(format!("the {what} has a control character")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{Address, Tls};
    use alloc::{format, string::ToString};

    fn parse(url: &str) -> Result<Address, super::AddressError> {
        Address::parse(url, |_| None)
    }

    #[test]
    fn what_is_left_out_is_usual_or_of_the_environment() {
        let address = Address::parse("postgresql://", |name| {
            ["PGUSER", "USER", "PGPASSWORD"].contains(&name).then(|| name.to_lowercase())
        });
        let address = address.unwrap();
        assert_eq!(address.to_string(), "postgres://pguser@localhost:5432/pguser");
        assert_eq!(address.password.as_deref(), Some("pgpassword"));
        assert_eq!(
            (address.tls, address.application.as_str(), address.connect_seconds),
            (Tls::Off, "throughline", 10)
        );
        let given = Address::parse("postgres://a:b@/", |_| Some("other".into())).unwrap();
        assert_eq!((given.user.as_str(), given.password.as_deref()), ("a", Some("b")));
        assert!(
            parse("postgres://localhost/x")
                .unwrap_err()
                .to_string()
                .starts_with("no user is named; accepted: ")
        );
    }

    #[test]
    fn everything_can_be_said() {
        let address = parse(
            "postgres://a%20b:p%2F%3F%40@[::1]:6432/d%C3%A9?sslmode=verify-full&sslrootcert=%2Fca.pem\
             &options=-csearch_path%3Dx&application_name=y&connect_timeout=3",
        )
        .unwrap();
        assert_eq!(address.to_string(), "postgres://a b@[::1]:6432/dé");
        assert_eq!(address.password.as_deref(), Some("p/?@"));
        assert_eq!((address.tls, address.root_certificates.as_deref()), (Tls::Verified, Some("/ca.pem")));
        assert_eq!(
            (address.options.as_deref(), address.application.as_str()),
            (Some("-csearch_path=x"), "y")
        );
        assert_eq!(address.connect_seconds, 3);
        let socket = parse("postgres:///d?host=/run/pg&port=1&user=u&password=w&dbname=e").unwrap();
        assert_eq!(socket.to_string(), "postgres://u@/e?host=/run/pg&port=1");
        assert_eq!(parse("postgres://u@%2Frun%2Fpg").unwrap().host, "/run/pg");
        assert_eq!(parse("postgres://u:a:b@c@h").unwrap().password.as_deref(), Some("a:b@c"));
    }

    #[test]
    fn what_is_refused_is_not_repeated() {
        for secret in [
            "hun/ter2",
            "hun?ter2",
            "hun#ter2",
            "12/34",
            "12?34",
            "12#34",
            "hun%ter2",
            "hun%zzter2",
            "hun%00ter2",
            "hun%fater2",
            "12/hun/ter2",
            "12?hun@ter2",
            "12?hun=ter2",
        ] {
            let error = parse(&format!("postgres://ada:{secret}@host/db")).unwrap_err();
            assert_eq!(error.code(), "store_invalid");
            let text = format!("{error} {error:?}");
            assert!(!["ter2", "hun", "12", "34"].iter().any(|part| text.contains(part)), "{text}");
        }
        for url in [
            "postgres:/x",
            "mysql://h",
            "postgres://u@h:0",
            "postgres://u@h:65536",
            "postgres://u@h:+1",
            "postgres://u@h:x",
            "postgres://u@[::1",
            "postgres://u@[::1]x",
            "postgres://u@h/d?sslmode=prefer",
            "postgres://u@h/d?odd=1",
            "postgres://u@h/d?connect_timeout=x",
            "postgres://u@h/a/b",
        ] {
            assert_eq!(parse(url).unwrap_err().code(), "store_invalid", "{url}");
        }
    }
}
