//! Errors of tokio-postgres as the core reads them.

use std::{
    error::Error as _,
    io::{self, ErrorKind},
};
use throughline_core::{
    host::StorageError,
    sql::postgres::{Fault, Wire},
};
use tokio_postgres::Error;

/// Why some work was not done.
#[derive(Debug)]
pub(super) enum Failure {
    /// The core says whether it is done again.
    Fault(Fault),
    /// It was refused by us.
    Refused(StorageError),
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::Refused(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Fault(fault(&error))
    }
}

pub(super) fn fault(error: &Error) -> Fault {
    if let Some(said) = error.as_db_error() {
        return Fault::Server { state: said.code().code().into(), text: said.message().into() };
    }
    if error.is_closed() {
        return Fault::Lost(Wire::Closed);
    }
    let mut source = error.source();
    while let Some(inner) = source {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            return Fault::Lost(wire(inner));
        }
        source = inner.source();
    }
    match error.source() {
        Some(why) if why.to_string() == "password missing" => Fault::Lost(Wire::NoPassword),
        Some(why) => Fault::Lost(Wire::Other(format!("{error}: {why}"))),
        None => Fault::Lost(Wire::Other(error.to_string())),
    }
}

fn wire(error: &io::Error) -> Wire {
    match error.kind() {
        ErrorKind::ConnectionRefused => Wire::Refused,
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof
        | ErrorKind::NotConnected => Wire::Closed,
        ErrorKind::TimedOut => Wire::TimedOut,
        ErrorKind::NotFound => Wire::NoSocket,
        ErrorKind::PermissionDenied => Wire::Denied,
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Wire::Unreachable,
        _ => {
            let text = error.to_string();
            if text.starts_with("failed to lookup address") {
                return Wire::UnknownHost;
            }
            // Without the system's number.
            Wire::Other(text.split_once(" (os error").map_or(text.clone(), |(words, _)| words.into()))
        }
    }
}
