//! The engine over a JavaScript host, and why an operation of it stopped.

use crate::{arguments::identifier, fault::Fault, host::JsHost, watch::Incidents};
use throughline_core::{
    engine::{Engine, EngineError},
    redact::RedactError,
};

/// The engine over a host of JavaScript.
pub type JsEngine = Engine<JsHost>;

/// Why an operation stopped.
#[derive(Debug)]
pub enum Stop {
    /// The engine refused or failed.
    Engine(EngineError),
    /// Something on the way in or out of JavaScript.
    Fault(Fault),
}

impl From<EngineError> for Stop {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Stop {
    /// The fault, with its place, and with what the storage threw.
    pub(crate) fn fault(self, incidents: Incidents) -> Fault {
        let error = match self {
            Self::Fault(fault) => return fault,
            Self::Engine(error) => error,
        };
        let fault = Fault::new(error.code(), error.to_string());
        match (&error, incidents.storage) {
            (EngineError::Storage(_), Some((path, thrown))) => fault.at(path).with_details(thrown),
            (EngineError::Identifier(error), _) => identifier(error, "session."),
            (EngineError::Redact(RedactError::SecretInIdentifier { field: "session", .. }), _) => {
                fault.at("session.key")
            }
            (EngineError::Redact(RedactError::SecretInIdentifier { field, .. }), _) => {
                fault.at(format!("session.{field}"))
            }
            (EngineError::Compaction(error), _) => crate::compaction::option_fault(error),
            (EngineError::EmptyMessage, _) => fault.at("text"),
            (EngineError::SessionUnknown { .. } | EngineError::SessionAmbiguous { .. }, _) => {
                fault.at("session")
            }
            (EngineError::CheckpointUnknown { .. }, _) => fault.at("id"),
            _ => fault,
        }
    }
}
