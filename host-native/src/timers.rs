//! One timer over an engine.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};
use throughline_core::{
    engine::Engine,
    host::{Clock, Host},
};

/// Deadlines are asked for at least this often, so that nobody has to say when he wrote something.
const LOOK: Duration = Duration::from_millis(500);
/// Drafts of hosts that were killed are looked for this often, and at the start.
const OTHERS_MILLIS: i64 = 30_000;

/// A thread that does what is due over an engine ([`Engine::tick`]): drafts whose window has closed, and
/// checkpoints of idle sessions. At the start and every 30 seconds it looks for what hosts left behind that were
/// killed. What fails stays in the store, and is tried again later.
///
/// When it is dropped, it writes what waits ([`Engine::flush`]), so that a host which ends in order leaves
/// nothing behind; one that is killed leaves it in the store, for the next.
///
/// ```
/// use std::sync::Arc;
/// use throughline::{SystemClock, SystemEntropy, Timers};
/// use throughline_core::{engine::{Engine, Options}, host::{MemoryStorage, Parts}, redact::Redactor};
/// let host = Parts { storage: MemoryStorage::default(), clock: SystemClock, entropy: SystemEntropy::new()? };
/// let engine = Arc::new(Engine::new(host, Redactor::standard(), Options::default()));
/// let timers = Timers::start(Arc::clone(&engine));
/// // … submit prompts …
/// drop(timers);
/// # Ok::<(), throughline::EntropyError>(())
/// ```
#[derive(Debug)]
pub struct Timers {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

/// Tells the thread to look again, or to end.
#[derive(Debug, Default)]
struct Signal {
    ends: Mutex<bool>,
    changed: Condvar,
}

impl Timers {
    /// Starts the thread.
    #[must_use]
    pub fn start<H: Host + 'static>(engine: Arc<Engine<H>>) -> Self {
        Self::with(engine, |_| ())
    }

    /// The same for a program that is to end in order on SIGINT and SIGTERM: what waits is written first, then
    /// the signal does what it does without this.
    ///
    /// # Errors
    /// When the system takes no handler.
    #[cfg(unix)]
    pub fn start_with_signals<H: Host + 'static>(engine: Arc<Engine<H>>) -> std::io::Result<Self> {
        let watch = Watch::new()?;
        Ok(Self::with(engine, move |engine| watch.look(engine)))
    }

    fn with<H: Host + 'static>(
        engine: Arc<Engine<H>>,
        mut each: impl FnMut(&Engine<H>) + Send + 'static,
    ) -> Self {
        let signal = Arc::new(Signal::default());
        let shared = Arc::clone(&signal);
        let thread = thread::spawn(move || {
            let mut looked = None;
            while !shared.wait(looked.map_or(Duration::ZERO, |_| rest(&engine))) {
                each(&engine);
                let now = engine.host().clock().now();
                // Also when the clock went back.
                let is_fresh = |at| (0..OTHERS_MILLIS).contains(&now.millis_since(at));
                if rest(&engine).is_zero() || !looked.is_some_and(is_fresh) {
                    let _ = pollster::block_on(engine.tick());
                    looked = Some(now);
                }
            }
            let _ = pollster::block_on(engine.flush());
            // A signal that came while that went on.
            each(&engine);
        });
        Self { signal, thread: Some(thread) }
    }
}

/// The signals that end a program.
#[cfg(unix)]
const SIGNALS: [i32; 2] = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

/// What the watches of a process share: while one of them looks at its flags, a signal does nothing else.
#[cfg(unix)]
struct Shared {
    watches: usize,
    is_over: Arc<AtomicBool>,
}

#[cfg(unix)]
static SHARED: Mutex<Option<Shared>> = Mutex::new(None);

/// Signals that were raised; over when it is dropped.
#[cfg(unix)]
struct Watch {
    raised: Vec<(i32, Arc<AtomicBool>, signal_hook::SigId)>,
    is_over: Arc<AtomicBool>,
}

#[cfg(unix)]
impl Watch {
    fn new() -> std::io::Result<Self> {
        let mut watch = Self { raised: Vec::new(), is_over: Self::begin()? };
        for number in SIGNALS {
            let flag = Arc::new(AtomicBool::new(false));
            let id = signal_hook::flag::register(number, Arc::clone(&flag))?;
            watch.raised.push((number, flag, id));
        }
        Ok(watch)
    }

    /// One more watch. What the signals do while there is none is registered once in a process, since it is never to
    /// be taken back: a signal without any handler of its library would do nothing.
    fn begin() -> std::io::Result<Arc<AtomicBool>> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.is_none() {
            let is_over = Arc::new(AtomicBool::new(true));
            for number in SIGNALS {
                // Asked first: once nobody looks at a flag any more, the signal does what it does without this.
                signal_hook::flag::register_conditional_default(number, Arc::clone(&is_over))?;
            }
            *shared = Some(Shared { watches: 0, is_over });
        }
        let Some(shared) = shared.as_mut() else { return Ok(Arc::default()) };
        shared.watches = shared.watches.saturating_add(1);
        shared.is_over.store(false, Ordering::Relaxed);
        Ok(Arc::clone(&shared.is_over))
    }

    /// Ends the program as a raised signal would, once what waits is written. A second one ends it at once.
    fn look<H: Host>(&self, engine: &Engine<H>) {
        for (number, ..) in self.raised.iter().filter(|(_, flag, _)| flag.load(Ordering::Relaxed)) {
            self.is_over.store(true, Ordering::Relaxed);
            let _ = pollster::block_on(engine.flush());
            // The default of both is the end of the process.
            let _ = signal_hook::low_level::emulate_default_handler(*number);
        }
    }
}

#[cfg(unix)]
impl Drop for Watch {
    fn drop(&mut self) {
        for (_, _, id) in &self.raised {
            signal_hook::low_level::unregister(*id);
        }
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = shared.as_mut() {
            shared.watches = shared.watches.saturating_sub(1);
            if shared.watches == 0 {
                shared.is_over.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for Timers {
    fn drop(&mut self) {
        self.signal.end();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was told of by the thread.
            let _ = thread.join();
        }
    }
}

impl Signal {
    fn end(&self) {
        *self.ends.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits so long, or until it is to end; whether it is.
    fn wait(&self, rest: Duration) -> bool {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        if *ends {
            return true;
        }
        *self.changed.wait_timeout(ends, rest).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// How long there is nothing to do, as far as that is known now.
fn rest<H: Host>(engine: &Engine<H>) -> Duration {
    let Some(at) = pollster::block_on(engine.next_deadline()) else { return LOOK };
    let millis = at.millis_since(engine.host().clock().now());
    u64::try_from(millis).map_or(Duration::ZERO, Duration::from_millis).min(LOOK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SystemClock, SystemEntropy};
    use throughline_core::{
        engine::Options,
        host::{DynStorage, FixedClock, MemoryStorage, Parts, Storage},
        id::SessionId,
        model::Trigger,
        redact::Redactor,
    };

    fn over<S: Storage, C: Clock>(storage: S, clock: C) -> Engine<Parts<S, C, SystemEntropy>> {
        let host = Parts { storage, clock, entropy: SystemEntropy::new().unwrap() };
        Engine::new(host, Redactor::standard(), Options::default())
    }

    fn leave_a_draft<H: Host>(engine: &Engine<H>) {
        let id = SessionId::new("test", "", "s").unwrap();
        pollster::block_on(engine.submit_prompt(&id, None, "one")).unwrap();
        assert!(!pollster::block_on(engine.take_checkpoint(&id, Trigger::Agent)).unwrap().written);
    }

    /// An engine with a draft that waits.
    fn engine() -> Arc<Engine<Parts<MemoryStorage, SystemClock, SystemEntropy>>> {
        let engine = Arc::new(over(MemoryStorage::default(), SystemClock));
        leave_a_draft(&engine);
        engine
    }

    fn written<H: Host>(engine: &Engine<H>) -> usize {
        pollster::block_on(engine.checkpoints(None, 10)).unwrap().len()
    }

    #[test]
    fn what_waits_is_written_when_its_window_closes() {
        let engine = engine();
        let _timers = Timers::start(Arc::clone(&engine));
        let looks = (0..100).take_while(|_| {
            thread::sleep(Duration::from_millis(100));
            written(&engine) == 0
        });
        let looks = looks.count();
        assert!((20..100).contains(&looks), "after {looks} tenths of a second");
    }

    #[test]
    fn what_a_killed_host_left_is_written() {
        let storage: Arc<dyn DynStorage> = Arc::new(MemoryStorage::default());
        let a_minute_ago = FixedClock(SystemClock.now().saturating_add_millis(-60_000));
        leave_a_draft(&over(Arc::clone(&storage), a_minute_ago));
        let engine = Arc::new(over(storage, SystemClock));
        let _timers = Timers::start(Arc::clone(&engine));
        let looks = (0..100).take_while(|_| {
            thread::sleep(Duration::from_millis(100));
            written(&engine) == 0
        });
        assert!(looks.count() < 100);
    }

    #[test]
    fn what_waits_is_written_at_the_end() {
        let engine = engine();
        drop(Timers::start(Arc::clone(&engine)));
        assert_eq!(written(&engine), 1);
    }

    /// Runs this test once more as a program of its own, which is told to end.
    #[cfg(unix)]
    #[test]
    fn a_second_start_writes_what_waits_as_well() {
        use crate::SqliteStorage;
        use std::{env, process::Command};
        const STORE: &str = "THROUGHLINE_TEST_STORE";
        let open = |path: &std::path::Path| SqliteStorage::open(path).unwrap();
        if let Some(path) = env::var_os(STORE) {
            let engine = Arc::new(over(open(path.as_ref()), SystemClock));
            drop(Timers::start_with_signals(Arc::clone(&engine)).unwrap());
            let _timers = Timers::start_with_signals(Arc::clone(&engine)).unwrap();
            leave_a_draft(&engine);
            signal_hook::low_level::raise(signal_hook::consts::SIGTERM).unwrap();
            thread::sleep(Duration::from_secs(30));
            panic!("it goes on");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(["--exact", "timers::tests::a_second_start_writes_what_waits_as_well"]).env(STORE, &path);
        let status = again.status().unwrap();
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(signal_hook::consts::SIGTERM)
        );
        assert_eq!(written(&over(open(&path), SystemClock)), 1);
    }
}
