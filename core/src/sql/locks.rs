use crate::model::{Batch, Op, Precondition};
use alloc::{collections::BTreeSet, string::String, vec::Vec};

/// What a batch works on, by name, in the order in which a database with several writers locks it: the
/// storage keys of its sessions, sorted. A session is locked whether it exists or not, so that of two hosts
/// that make it the second one finds it made.
///
/// ```
/// use throughline_core::{id::{BatchId, SessionId}, model::{Batch, Precondition}, sql::locks, time::Timestamp};
/// let session = |key| SessionId::new("my-harness", "", key).unwrap();
/// let preconditions = ["a", "b", "a"].map(|key| Precondition::SessionVersion { session: session(key), is: 1 }).to_vec();
/// let batch = Batch { id: BatchId::generate(Timestamp::EPOCH, [0; 10]), preconditions, ops: vec![] };
/// let mut keys = [session("a").storage_key(), session("b").storage_key()];
/// keys.sort();
/// assert_eq!(locks(&batch), keys);
/// ```
#[must_use]
pub fn locks(batch: &Batch) -> Vec<String> {
    let conditions = batch.preconditions.iter().map(|precondition| match precondition {
        Precondition::SessionVersion { session, .. } | Precondition::NotCleared { session, .. } => session,
    });
    let changes = batch.ops.iter().map(|op| match op {
        Op::PutSession { session } => &session.id,
        Op::InsertRow { session, .. }
        | Op::InsertPart { session, .. }
        | Op::SetLive { session, .. }
        | Op::InsertBoundary { session, .. }
        | Op::DeleteCheckpoint { session, .. }
        | Op::DeletePending { session, .. }
        | Op::DeleteSession { session } => session,
        Op::PutPending { pending } => &pending.draft.session,
        Op::PutDelivery { delivery } => &delivery.receiver,
        Op::DeleteDelivery { receiver, .. } => receiver,
        Op::InsertCheckpoint { checkpoint } => &checkpoint.session,
    });
    let sorted: BTreeSet<String> = conditions.chain(changes).map(|session| session.storage_key()).collect();
    sorted.into_iter().collect()
}
