//! What host code did wrong, kept with the operation in which it did so.
//!
//! The core's traits for clock and entropy cannot fail, and its storage errors have no room for what
//! JavaScript threw. Several operations run on one engine at once, so each has a place of its own for
//! this, which stands in the [`Watch`] only while that operation is being polled.

use crate::fault::Fault;
use std::{
    cell::RefCell,
    future::Future,
    mem,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};
use wasm_bindgen::JsValue;

/// What went wrong so far.
#[derive(Debug, Default)]
pub struct Incidents {
    /// The first failure of clock or entropy; nothing may be written after it.
    pub fatal: Option<Fault>,
    /// Where the storage last failed, such as `storage.commit`, and what it threw.
    pub storage: Option<(String, JsValue)>,
}

/// The incidents of the operation that is being polled; shared by the parts of a host.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    current: Rc<RefCell<Incidents>>,
}

impl Watch {
    /// Notes a failure of clock or entropy. No host code runs meanwhile.
    pub fn fatal(&self, fault: Fault) {
        self.current.borrow_mut().fatal.get_or_insert(fault);
    }

    /// Notes a failure of the storage.
    pub fn storage(&self, path: String, thrown: JsValue) {
        self.current.borrow_mut().storage = Some((path, thrown));
    }

    /// Why nothing may be written any more.
    #[must_use]
    pub fn why_not_to_write(&self) -> Option<String> {
        self.current.borrow().fatal.as_ref().map(|fault| fault.message().to_owned())
    }

    /// Runs an operation with incidents of its own, and gives them with its result.
    pub fn over<F: Future>(&self, operation: F) -> Watched<F> {
        Watched { watch: self.clone(), incidents: Incidents::default(), operation: Box::pin(operation) }
    }
}

/// An operation under watch.
#[derive(Debug)]
pub struct Watched<F> {
    watch: Watch,
    incidents: Incidents,
    operation: Pin<Box<F>>,
}

impl<F: Future> Future for Watched<F> {
    type Output = (F::Output, Incidents);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let outer = this.watch.current.replace(mem::take(&mut this.incidents));
        let polled = this.operation.as_mut().poll(context);
        this.incidents = this.watch.current.replace(outer);
        polled.map(|output| (output, mem::take(&mut this.incidents)))
    }
}
