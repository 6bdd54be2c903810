use crate::model::StorageError;
use alloc::{format, string::String};

/// Why a connection was not made, or was lost: in the same words on every host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Wire {
    /// Nobody listens there (`ECONNREFUSED`).
    #[error("connection refused")]
    Refused,
    /// The other side closed it (`ECONNRESET`, `EPIPE`).
    #[error("the connection was lost")]
    Closed,
    /// No answer in time (`ETIMEDOUT`).
    #[error("no answer in time")]
    TimedOut,
    /// The name of the host is not known (`ENOTFOUND`, `EAI_AGAIN`).
    #[error("the name of the host is not known")]
    UnknownHost,
    /// There is no such socket (`ENOENT`).
    #[error("no such socket")]
    NoSocket,
    /// The system does not let this process (`EACCES`, `EPERM`).
    #[error("permission denied")]
    Denied,
    /// There is no way to the host (`EHOSTUNREACH`, `ENETUNREACH`).
    #[error("the host cannot be reached")]
    Unreachable,
    /// The server asks for a password, and there is none.
    #[error("the server asks for a password: the address or PGPASSWORD gives it")]
    NoPassword,
    /// Anything else, in the words of system or library.
    #[error("{0}")]
    Other(String),
}

impl Wire {
    /// The reason by the name that POSIX or Node gives it (and `ENOPASSWORD`, which is ours); other names keep
    /// the words.
    ///
    /// ```
    /// use throughline_core::sql::postgres::Wire;
    /// assert_eq!(Wire::named("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5432"), Wire::Refused);
    /// ```
    #[must_use]
    pub fn named(name: &str, words: &str) -> Self {
        match name {
            "ECONNREFUSED" => Self::Refused,
            "ECONNRESET" | "ECONNABORTED" | "EPIPE" | "EOF" => Self::Closed,
            "ETIMEDOUT" => Self::TimedOut,
            "ENOTFOUND" | "EAI_AGAIN" | "EAI_NONAME" | "EAI_NODATA" => Self::UnknownHost,
            "ENOENT" => Self::NoSocket,
            "EACCES" | "EPERM" => Self::Denied,
            "ENOPASSWORD" => Self::NoPassword,
            "EHOSTUNREACH" | "ENETUNREACH" => Self::Unreachable,
            _ => Self::Other(words.into()),
        }
    }
}

/// An error of a driver: what the server said, or why it could not be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The server refused, with an SQLSTATE and its message.
    Server {
        /// Five letters and digits.
        state: String,
        /// The message, without detail and hint, which may quote what is stored.
        text: String,
    },
    /// There is no connection, or none any more.
    Lost(Wire),
}

/// What a driver was doing when it met a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The very first connection: an address that is wrong is said at once.
    Opening,
    /// A connection for some work.
    Connecting,
    /// A read.
    Reading,
    /// A batch, before its commit.
    Writing,
    /// The commit itself.
    Committing,
}

/// How far a piece of work has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What was being done.
    pub moment: Moment,
    /// How many attempts there were before this one.
    pub tries: u32,
    /// How long the work has taken so far, in milliseconds.
    pub waited_millis: u64,
    /// How long it may take, in milliseconds.
    pub wait_millis: u64,
    /// An earlier attempt of this batch was lost during its commit, and none since has found its id free.
    pub unsettled: bool,
    /// Any number, another one on each host: so that two that met do not meet again.
    pub spread: u8,
}

/// What to do about a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Wait, and do the whole work again, on another connection.
    Again {
        /// How long to wait, in milliseconds.
        pause_millis: u64,
        /// What [`Attempt::unsettled`] is from now on.
        unsettled: bool,
    },
    /// Give it up.
    Fail(StorageError),
}

/// What a fault says of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The connection is gone, and whatever was on its way with it.
    Lost,
    /// Other transactions were in the way (40001, 40P01): nothing was done.
    Serialization,
    /// The server is not ready for one more (starting up, too many connections), or what was prepared on this
    /// connection is not there any more: nothing was done.
    NotNow,
    /// A lock was waited for in vain.
    Locked,
    Full,
    Damaged,
    Refused,
}

impl Fault {
    fn kind(&self) -> Kind {
        let Self::Server { state, .. } = self else { return Kind::Lost };
        let class = state.split_at_checked(2).map_or("", |(class, _)| class);
        match (class, state.as_str()) {
            ("08", _) | (_, "57P01" | "57P02" | "57P05" | "25P03") => Kind::Lost,
            // What a row refers to went while it was written: the second time it is missed from the start.
            (_, "40001" | "40P01" | "23503") => Kind::Serialization,
            (_, "57P03" | "53300" | "26000" | "0A000") => Kind::NotNow,
            (_, "55P03") => Kind::Locked,
            (_, "53100") => Kind::Full,
            (_, "42501") => Kind::Refused,
            ("XX", "XX001" | "XX002") | ("42" | "23", _) => Kind::Damaged,
            _ => Kind::Refused,
        }
    }

    /// Whether the work is done again, and the error when it is not. A batch that was lost during its commit
    /// is run again as a whole: its id then says whether it was committed (`spec/hosts.md`, "Storage").
    ///
    /// ```
    /// use throughline_core::sql::postgres::{Attempt, Fault, Moment, Next, Wire};
    /// let attempt = Attempt {
    ///     moment: Moment::Committing, tries: 0, waited_millis: 3, wait_millis: 10_000, unsettled: false, spread: 0,
    /// };
    /// let lost = Fault::Lost(Wire::Closed);
    /// assert!(matches!(lost.next(&attempt), Next::Again { unsettled: true, .. }));
    /// let Next::Fail(error) = lost.next(&Attempt { waited_millis: 10_000, ..attempt }) else { panic!() };
    /// assert_eq!(error.code(), "outcome_unknown");
    /// ```
    #[must_use]
    pub fn next(&self, attempt: &Attempt) -> Next {
        let kind = self.kind();
        let unsettled = attempt.unsettled || (kind == Kind::Lost && attempt.moment == Moment::Committing);
        let may_pass = match kind {
            Kind::Lost => attempt.moment != Moment::Opening,
            Kind::Serialization | Kind::NotNow => true,
            Kind::Locked | Kind::Full | Kind::Damaged | Kind::Refused => false,
        };
        if may_pass && attempt.waited_millis < attempt.wait_millis {
            return Next::Again { pause_millis: pause(attempt), unsettled };
        }
        let why = self.words(attempt.moment);
        Next::Fail(if unsettled {
            StorageError::OutcomeUnknown { why }
        } else {
            match kind {
                Kind::Serialization | Kind::Locked => StorageError::Locked { why },
                Kind::Full => StorageError::Full { why },
                Kind::Damaged => {
                    let what = format!("a damaged database ({why})");
                    StorageError::Corrupt { what, expected: "a sound store" }
                }
                Kind::Lost | Kind::NotNow | Kind::Refused => StorageError::Unavailable { why },
            }
        })
    }

    fn words(&self, moment: Moment) -> String {
        match self {
            Self::Server { state, text } => format!("{text} ({state})"),
            Self::Lost(wire @ Wire::Closed) => format!("{wire}"),
            Self::Lost(wire) if matches!(moment, Moment::Opening | Moment::Connecting) => {
                format!("cannot connect to the server: {wire}")
            }
            Self::Lost(wire) => format!("the connection was lost: {wire}"),
        }
    }
}

/// At first at once, then twice as long each time, to half a second; between half of that and all of it.
fn pause(attempt: &Attempt) -> u64 {
    const FIRST: u64 = 5;
    const LONGEST: u64 = 500;
    if attempt.tries == 0 {
        return 0;
    }
    let whole = FIRST.saturating_mul(1 << attempt.tries.min(10)).min(LONGEST);
    let half = whole / 2;
    half.saturating_add(half.saturating_mul(attempt.spread.into()) / 255)
}

#[cfg(test)]
mod tests {
    use super::{Attempt, Fault, Moment, Next, Wire};
    use alloc::vec::Vec;

    const WRITING: Attempt = Attempt {
        moment: Moment::Writing,
        tries: 0,
        waited_millis: 0,
        wait_millis: 1000,
        unsettled: false,
        spread: 7,
    };

    fn server(state: &str) -> Fault {
        Fault::Server { state: state.into(), text: "words".into() }
    }

    fn code(next: Next) -> &'static str {
        match next {
            Next::Again { unsettled: false, .. } => "again",
            Next::Again { unsettled: true, .. } => "again, unsettled",
            Next::Fail(error) => error.code(),
        }
    }

    #[test]
    fn states_have_a_meaning() {
        for (state, early, late) in [
            ("40001", "again", "storage_locked"),
            ("40P01", "again", "storage_locked"),
            ("23503", "again", "storage_locked"),
            ("23505", "storage_corrupt", "storage_corrupt"),
            ("08006", "again", "storage_unavailable"),
            ("57P01", "again", "storage_unavailable"),
            ("57P03", "again", "storage_unavailable"),
            ("53300", "again", "storage_unavailable"),
            ("25P03", "again", "storage_unavailable"),
            ("55P03", "storage_locked", "storage_locked"),
            ("53100", "storage_full", "storage_full"),
            ("42501", "storage_unavailable", "storage_unavailable"),
            ("28P01", "storage_unavailable", "storage_unavailable"),
            ("3D000", "storage_unavailable", "storage_unavailable"),
            ("42P01", "storage_corrupt", "storage_corrupt"),
            ("XX001", "storage_corrupt", "storage_corrupt"),
            ("XX000", "storage_unavailable", "storage_unavailable"),
            ("é", "storage_unavailable", "storage_unavailable"),
        ] {
            assert_eq!(code(server(state).next(&WRITING)), early, "{state}");
            assert_eq!(
                code(server(state).next(&Attempt { waited_millis: 1000, ..WRITING })),
                late,
                "{state}"
            );
            let unsettled = Attempt { unsettled: true, waited_millis: 1000, ..WRITING };
            assert_eq!(code(server(state).next(&unsettled)), "outcome_unknown", "{state}");
        }
    }

    #[test]
    fn only_a_commit_that_is_lost_leaves_the_outcome_open() {
        let lost = Fault::Lost(Wire::Closed);
        for (moment, early, late) in [
            (Moment::Opening, "storage_unavailable", "storage_unavailable"),
            (Moment::Connecting, "again", "storage_unavailable"),
            (Moment::Reading, "again", "storage_unavailable"),
            (Moment::Writing, "again", "storage_unavailable"),
            (Moment::Committing, "again, unsettled", "outcome_unknown"),
        ] {
            assert_eq!(code(lost.next(&Attempt { moment, ..WRITING })), early);
            assert_eq!(code(lost.next(&Attempt { moment, waited_millis: 1000, ..WRITING })), late);
        }
        let committing = Attempt { moment: Moment::Committing, ..WRITING };
        assert_eq!(code(server("40001").next(&committing)), "again", "a commit that was refused is none");
        let opening = Attempt { moment: Moment::Opening, ..WRITING };
        assert_eq!(code(server("57P03").next(&opening)), "again", "a server that starts is waited for");
    }

    #[test]
    fn pauses_grow_and_end() {
        let pauses: Vec<u64> = (0..12)
            .map(|tries| match server("40001").next(&Attempt { tries, spread: 255, ..WRITING }) {
                Next::Again { pause_millis, .. } => pause_millis,
                Next::Fail(error) => panic!("{error}"),
            })
            .collect();
        assert!(pauses.is_sorted() && pauses[0] == 0 && pauses[11] == 500, "{pauses:?}");
    }
}
