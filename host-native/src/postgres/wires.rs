//! The thread that the connections live on.

use std::{future::Future, thread, time::Duration};
use throughline_core::host::StorageError;
use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
    task::JoinHandle,
};

/// A runtime on a thread of its own, so that a storage works under any executor, or under none. It ends with
/// this.
#[derive(Debug)]
pub(super) struct Wires {
    handle: Handle,
    _until: oneshot::Sender<()>,
}

impl Wires {
    pub(super) fn start() -> Result<Self, StorageError> {
        let unavailable =
            |error: std::io::Error| StorageError::Unavailable { why: format!("no thread: {error}") };
        let runtime = Builder::new_current_thread().enable_io().enable_time().build().map_err(unavailable)?;
        let handle = runtime.handle().clone();
        let (until, ended) = oneshot::channel::<()>();
        let work = move || runtime.block_on(async { drop(ended.await) });
        thread::Builder::new().name("throughline-postgres".into()).spawn(work).map_err(unavailable)?;
        Ok(Self { handle, _until: until })
    }

    /// Runs something there that is not waited for by this.
    pub(super) fn spawn<F>(&self, work: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.handle.spawn(work)
    }

    pub(super) async fn sleep(&self, time: Duration) {
        if !time.is_zero() {
            // Fails only when the runtime ends, and then there is nothing to wait for.
            let _ = self.spawn(async move { tokio::time::sleep(time).await }).await;
        }
    }
}
