//! How many checkpoints of a session are kept (`spec/checkpoints.md`, "Cap, retention, clearing").
use crate::{
    model::{CheckpointHead, Trigger},
    time::Timestamp,
};
use alloc::vec::Vec;

const MILLIS_PER_DAY: i64 = 24 * 60 * 60 * 1000;

/// The checkpoints of a session that have to go, so that at most `max` are kept, the newest by `seq` being the
/// one that was just added. Kept in this order: that one, the newest session_end, the newest pre_compaction,
/// then by `seq` from the newest down. The order in which the heads come does not matter.
///
/// ```
/// use throughline_core::{checkpoint::beyond_cap, id::CheckpointId, model::{CheckpointHead, Trigger}};
/// use throughline_core::time::Timestamp;
/// let head = |seq: u64, trigger| CheckpointHead {
///     id: CheckpointId::generate(Timestamp::EPOCH, [seq as u8; 10]), seq, trigger, created_at: Timestamp::EPOCH,
/// };
/// let heads = [head(1, Trigger::SessionEnd), head(2, Trigger::Periodic), head(3, Trigger::Periodic)];
/// let gone: Vec<u64> = beyond_cap(&heads, 2).iter().map(|head| head.seq).collect();
/// assert_eq!(gone, [2]);
/// ```
#[must_use]
pub fn beyond_cap(heads: &[CheckpointHead], max: u32) -> Vec<CheckpointHead> {
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    if heads.len() <= max {
        return Vec::new();
    }
    let newest = |of: Option<Trigger>| {
        let heads = heads.iter().filter(|head| of.is_none_or(|of| head.trigger == of));
        heads.map(|head| head.seq).max()
    };
    let firsts = [newest(None), newest(Some(Trigger::SessionEnd)), newest(Some(Trigger::PreCompaction))];
    let place = |seq: u64| firsts.iter().position(|first| *first == Some(seq)).unwrap_or(firsts.len());
    let mut order: Vec<&CheckpointHead> = heads.iter().collect();
    order.sort_by(|a, b| place(a.seq).cmp(&place(b.seq)).then(b.seq.cmp(&a.seq)));
    order.into_iter().skip(max).cloned().collect()
}

/// What is older than this is pruned: `days` before `now`, to the millisecond.
#[must_use]
pub fn kept_since(now: Timestamp, days: u32) -> Timestamp {
    now.saturating_add_millis(i64::from(days).saturating_mul(MILLIS_PER_DAY).saturating_neg())
}

#[cfg(test)]
mod tests;
