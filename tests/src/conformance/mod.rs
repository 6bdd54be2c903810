//! The storage conformance suite: what every storage does, as cases that run on any of them.
//!
//! A storage is tested through the trait alone, without threads or an executor of its own, natively and in
//! wasm. Every case uses sessions of its own, so that one store serves the whole suite; a store that was
//! used before serves it again under another `seed`.
//!
//! ```
//! use throughline_core::host::{MemoryStorage, StorageError};
//! use throughline_tests::conformance::{Factory, run};
//! struct Memory;
//! impl Factory for Memory {
//!     type Storage = MemoryStorage;
//!     async fn open(&self) -> Result<MemoryStorage, StorageError> {
//!         Ok(MemoryStorage::default())
//!     }
//! }
//! # #[cfg(not(target_family = "wasm"))] {
//! let report = pollster::block_on(run(&Memory, "first"));
//! assert!(report.conforms(), "{report}");
//! # }
//! ```

mod batch_ids;
mod commit;
mod conflict;
mod deliveries;
mod drafts;
mod fidelity;
mod filter;
mod handles;
mod inspection;
mod lab;
mod lists;
mod order;
mod removal;
mod report;
mod retention;

pub use report::{Capability, CaseResult, Outcome, Report};

use lab::Lab;
use std::future::Future;
use throughline_core::host::{Storage, StorageError};

/// What gives the suite its storage.
pub trait Factory {
    /// The storage.
    type Storage: Storage;

    /// Gives a handle on the store. When [`Factory::reopens`] or [`Factory::shares`], every handle is on the
    /// same store.
    fn open(&self) -> impl Future<Output = Result<Self::Storage, StorageError>>;

    /// Whether what was committed is there when the store is opened again after its last handle was dropped.
    fn reopens(&self) -> bool {
        false
    }

    /// Whether two handles may be open at once.
    fn shares(&self) -> bool {
        false
    }

    /// Whether the store answers the questions of `doctor`: how much a table holds, and all of its bodies.
    fn inspects(&self) -> bool {
        false
    }
}

/// Runs every case. `seed` is any text that this store was not tested with before.
pub async fn run<F: Factory>(factory: &F, seed: &str) -> Report {
    let mut report = Report::default();
    let mut lab = match Lab::new(factory, seed).await {
        Ok(lab) => lab,
        Err(why) => {
            report.add(Capability::Commit, "the store opens", Outcome::Failed { why: why.to_string() });
            return report;
        }
    };
    commit::run(&mut lab, &mut report).await;
    conflict::run(&mut lab, &mut report).await;
    batch_ids::run(&mut lab, &mut report).await;
    order::run(&mut lab, &mut report).await;
    filter::run(&mut lab, &mut report).await;
    lists::run(&mut lab, &mut report).await;
    fidelity::run(&mut lab, &mut report).await;
    drafts::run(&mut lab, &mut report).await;
    deliveries::run(&mut lab, &mut report).await;
    removal::run(&mut lab, &mut report).await;
    retention::run(&mut lab, &mut report).await;
    inspection::run(&mut lab, &mut report).await;
    handles::run(&mut lab, &mut report).await;
    report
}

/// Runs the named cases of one capability in order, each with a laboratory of its own name.
macro_rules! cases {
    ($capability:ident, $lab:expr, $report:expr; $($name:literal => $case:path,)*) => {
        $(
            $lab.begin($name);
            let outcome = $case($lab).await.into();
            $report.add($crate::conformance::Capability::$capability, $name, outcome);
        )*
    };
}
use cases;

/// Ends the case when a condition does not hold.
macro_rules! ensure {
    ($condition:expr, $($why:tt)*) => {
        if !$condition {
            return Err($crate::conformance::lab::Failure(format!($($why)*)));
        }
    };
}
use ensure;
