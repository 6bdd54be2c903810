use alloc::sync::Arc;
use async_lock::{Mutex, MutexGuardArc};

/// First come, first served: who asks while others wait is never let in before them, as a plain lock would
/// do between its release and the moment when the next one wakes up.
///
/// Each waits for the one before it. Who gives up waiting lets the next one pass, so this is about order
/// alone, and what is to be held by one at a time has a lock of its own.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Held by the last in the queue until its turn is over.
    last: Mutex<Arc<Mutex<()>>>,
}

impl Queue {
    /// Waits for the turn; it is over when the guard is dropped.
    pub(super) async fn turn(&self) -> MutexGuardArc<()> {
        let mine = Arc::new(Mutex::new(()));
        let turn = mine.lock_arc().await;
        let before = core::mem::replace(&mut *self.last.lock().await, mine);
        drop(before.lock().await);
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;
    use alloc::boxed::Box;
    use core::{
        future::Future,
        pin::Pin,
        task::{Context, Poll, Waker},
    };

    fn poll<T>(future: &mut Pin<Box<impl Future<Output = T> + ?Sized>>) -> Option<T> {
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    #[test]
    fn nobody_overtakes_who_waits() {
        let queue = Queue::default();
        let held = poll(&mut Box::pin(queue.turn())).unwrap();
        let mut waits = Box::pin(queue.turn());
        assert!(poll(&mut waits).is_none());
        drop(held);
        // The turn is free, and the one that waits has not looked again yet.
        let mut comes = Box::pin(queue.turn());
        assert!(poll(&mut comes).is_none());
        let turn = poll(&mut waits).unwrap();
        assert!(poll(&mut comes).is_none());
        drop(turn);
        assert!(poll(&mut comes).is_some());
    }

    #[test]
    fn who_gives_up_lets_the_next_one_pass() {
        let queue = Queue::default();
        let held = poll(&mut Box::pin(queue.turn())).unwrap();
        let mut gives_up = Box::pin(queue.turn());
        let mut next = Box::pin(queue.turn());
        assert!(poll(&mut gives_up).is_none());
        assert!(poll(&mut next).is_none());
        drop((gives_up, held));
        assert!(poll(&mut next).is_some());
    }
}
