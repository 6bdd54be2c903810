//! A folder of logs: what the system tells of it, and what stands in it.
//!
//! Events only wake: what changed is seen by looking at the files, so an event that was lost costs time and nothing
//! else.

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::{
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    time::{Duration, UNIX_EPOCH},
};
use throughline_core::{
    console::{FolderWatch as Watched, SeenLog, Waited},
    host::FileFault,
};

/// Changes within this time are one.
const TOGETHER: Duration = Duration::from_millis(500);

pub(crate) struct FolderWatch {
    folder: PathBuf,
    events: Receiver<()>,
    wake: SyncSender<()>,
    /// `None` while the folder cannot be watched: then it is looked at again and again.
    watcher: Option<RecommendedWatcher>,
    stopped: Arc<AtomicBool>,
    /// What the last look found under names that are no text.
    unnamed: Vec<String>,
}

/// What stands in a folder and the folders in it.
#[derive(Default)]
struct Seen {
    logs: Vec<SeenLog>,
    unnamed: Vec<String>,
}

impl FolderWatch {
    /// Watches from now on, until the process is told to end.
    pub(crate) fn new(folder: &Path) -> Result<Self, FileFault> {
        if !fs::metadata(folder).map_err(|error| crate::fault::of(&error))?.is_dir() {
            return Err(FileFault::NotFolder);
        }
        let (wake, events) = sync_channel(1);
        let stopped = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        listen(&wake, &stopped);
        let mut watch =
            Self { folder: folder.into(), events, wake, watcher: None, stopped, unnamed: Vec::new() };
        watch.begin();
        Ok(watch)
    }

    /// Asks the system for its events; without them the folder is looked at every few seconds.
    fn begin(&mut self) {
        let wake = self.wake.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Looking at the folder is an access too.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                // Full means that somebody is to wake already.
                let _ = wake.try_send(());
            }
        });
        self.watcher = watcher.ok().and_then(|mut watcher| {
            watcher.watch(&self.folder, RecursiveMode::Recursive).ok().map(|()| watcher)
        });
    }
}

/// A signal wakes; the next one of its kind ends the process at once.
#[cfg(unix)]
fn listen(wake: &SyncSender<()>, stopped: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    for signal in [SIGINT, SIGTERM] {
        let _ = signal_hook::flag::register_conditional_default(signal, stopped.clone());
    }
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    let (wake, stopped) = (wake.clone(), stopped.clone());
    std::thread::spawn(move || {
        for _ in signals.forever() {
            stopped.store(true, Ordering::SeqCst);
            let _ = wake.try_send(());
        }
    });
}

impl Watched for FolderWatch {
    async fn wait(&mut self, most: u32) -> Waited {
        let most = Duration::from_millis(most.into());
        let waited = |time: Duration, stopped| Waited {
            millis: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            stopped,
        };
        #[allow(clippy::disallowed_methods, reason = "how long it was, not what time it is")]
        let start = std::time::Instant::now();
        if self.stopped() {
            return waited(Duration::ZERO, true);
        }
        match self.events.recv_timeout(most) {
            Ok(()) if !self.stopped() => {
                // A signal among them is not waited for.
                let _ = self.events.try_recv();
                let end = start.elapsed().saturating_add(TOGETHER);
                while !self.stopped() && start.elapsed() < end {
                    let _ = self.events.recv_timeout(end.saturating_sub(start.elapsed()));
                }
            }
            Ok(()) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        waited(start.elapsed(), self.stopped())
    }

    async fn logs(&mut self) -> Result<Vec<SeenLog>, FileFault> {
        let mut seen = Seen::default();
        if let Err(error) = look(&self.folder, &mut seen) {
            // A folder that is gone is watched anew when it comes back.
            self.watcher = None;
            return Err(crate::fault::of(&error));
        }
        if self.watcher.is_none() {
            self.begin();
        }
        self.unnamed = seen.unnamed;
        Ok(seen.logs)
    }

    fn unnamed(&self) -> Vec<String> {
        self.unnamed.clone()
    }

    fn stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }
}

/// The logs in a folder and the folders in it; what goes while it is looked at is left out.
fn look(folder: &Path, seen: &mut Seen) -> io::Result<()> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut next = Some(fs::read_dir(folder)?);
    if folder.to_str().is_none() {
        seen.unnamed.push(folder.to_string_lossy().into_owned());
        return Ok(());
    }
    while let Some(entries) = next {
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let is_log = kind.is_file() && path.as_os_str().as_encoded_bytes().ends_with(b".jsonl");
            if !is_log && !kind.is_dir() {
                continue;
            }
            let Some(text) = path.to_str() else {
                seen.unnamed.push(path.to_string_lossy().into_owned());
                continue;
            };
            if kind.is_dir() {
                folders.push(path);
            } else if let Ok(about) = entry.metadata() {
                let log = SeenLog { path: text.into(), bytes: about.len(), changed: changed(&about) };
                seen.logs.push(log);
            }
        }
        next = loop {
            match folders.pop() {
                None => break None,
                Some(folder) => match fs::read_dir(folder) {
                    Ok(entries) => break Some(entries),
                    Err(_) => continue,
                },
            }
        };
    }
    Ok(())
}

fn changed(about: &Metadata) -> i64 {
    let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or_default()
}
