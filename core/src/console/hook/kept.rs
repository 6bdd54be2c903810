//! What hooks keep in files of the home folder, and when it goes.

use super::{
    super::{
        place::Place,
        surroundings::{Surroundings, whole},
    },
    visit::{CURSORS, SPOOL},
};
use crate::{
    checkpoint::kept_since,
    engine::LogCursor,
    hook::{SPOOL_DAYS, waits_since},
    id::SessionId,
    time::Timestamp,
};
use alloc::{format, string::String, vec::Vec};

/// A folder for each kind, and in it one for each session: events that wait, and how far logs were read.
const FOLDERS: [&str; 2] = [SPOOL, CURSORS];

/// How long a file may be on its way, in milliseconds. What is older was left behind by a process that ended.
const ON_ITS_WAY_MILLIS: i64 = 60 * 60 * 1000;

/// Removes what hooks keep of a session in files: how many there were. One that cannot be removed stays.
pub(in crate::console) async fn forget<S: Surroundings>(
    place: &Place,
    surroundings: &S,
    id: &SessionId,
) -> u64 {
    let mut gone: u64 = 0;
    for kind in FOLDERS {
        let Some(home) = home(place) else { continue };
        let folder = format!("{home}/{kind}/{}", id.token());
        for name in names(surroundings, &folder).await {
            gone = gone.saturating_add(discard(surroundings, &format!("{folder}/{name}")).await);
        }
        let _ = surroundings.discard_folder(&folder).await;
    }
    gone
}

/// Removes events that waited for too long, places in logs that were read last before the retention, what was
/// left behind half written, and folders of sessions without any of it: how many files there were.
pub(in crate::console) async fn prune<S: Surroundings>(place: &Place, surroundings: &S, days: u32) -> u64 {
    let mut gone: u64 = 0;
    let Some(home) = home(place) else { return gone };
    let (now, _) = surroundings.moment(place.now());
    for kind in FOLDERS {
        for session in names(surroundings, &format!("{home}/{kind}")).await {
            let folder = format!("{home}/{kind}/{session}");
            for name in names(surroundings, &folder).await {
                let path = format!("{folder}/{name}");
                let on_its_way = name.ends_with(".tmp");
                let (since, kept) = if kind == SPOOL {
                    // What is named otherwise is of somebody else.
                    let Some(since) = waits_since(&name) else { continue };
                    (Some(since), now.saturating_add_millis(SPOOL_DAYS.saturating_mul(-24 * 60 * 60 * 1000)))
                } else if on_its_way || name.ends_with(".json") {
                    (read_at(surroundings, &path).await, kept_since(now, days))
                } else {
                    continue;
                };
                let kept = if on_its_way {
                    now.saturating_add_millis(ON_ITS_WAY_MILLIS.saturating_neg())
                } else {
                    kept
                };
                if since.is_none_or(|since| since < kept) {
                    gone = gone.saturating_add(discard(surroundings, &path).await);
                }
            }
            let _ = surroundings.discard_folder(&folder).await;
        }
    }
    gone
}

fn home(place: &Place) -> Option<&str> {
    place.home().map(|home| home.trim_end_matches('/'))
}

async fn names<S: Surroundings>(surroundings: &S, folder: &str) -> Vec<String> {
    surroundings.names(folder).await.unwrap_or_default()
}

async fn discard<S: Surroundings>(surroundings: &S, path: &str) -> u64 {
    u64::from(surroundings.discard(path).await.is_ok())
}

/// When a log was read last; `None` where the note of it is torn.
async fn read_at<S: Surroundings>(surroundings: &S, path: &str) -> Option<Timestamp> {
    let file = whole(surroundings, path).await.ok()?;
    serde_json::from_slice::<LogCursor>(&file).ok()?.read_at
}
