//! Telling a session once (`spec/checkpoints.md`, "Recovery").
use super::{
    Engine, EngineError, RecoverRequest, Recovered,
    commit::{CONFLICTS, unexpected},
};
use crate::{
    host::{Host, Storage, StorageError},
    id::{CheckpointId, SessionId},
    model::{Answer, Batch, Delivery, Op, Query},
    time::Timestamp,
};
use alloc::{vec, vec::Vec};

/// What was offered and not delivered is offered again after this long.
pub const REOFFER_MILLIS: i64 = 5_000;

/// A recovery text that a session is to be told: write it, then call [`Engine::delivered`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The session that is told.
    pub receiver: SessionId,
    /// What it is told.
    pub recovered: Recovered,
}

/// Whether there is something that a session is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "an answer is made once and taken apart at once")]
pub enum Offering {
    /// This.
    Offer(Offer),
    /// It was offered within the last 5 seconds, and may have been told by now.
    Offered,
    /// Nothing, or it was told already.
    Nothing,
}

impl<H: Host> Engine<H> {
    /// Recovers as [`recover`](Self::recover) does, for a session that is told of each checkpoint once.
    /// `None` when there is nothing, when it was told already, or when it was offered within the last 5
    /// seconds. A crash between the offer and [`delivered`](Self::delivered) repeats it, and never loses it.
    ///
    /// # Errors
    /// The codes of the storage.
    pub async fn offer(
        &self,
        receiver: &SessionId,
        request: &RecoverRequest,
    ) -> Result<Option<Offer>, EngineError> {
        Ok(match self.offering(receiver, request).await? {
            Offering::Offer(offer) => Some(offer),
            Offering::Offered | Offering::Nothing => None,
        })
    }

    /// As [`offer`](Self::offer), and says why there is nothing.
    ///
    /// # Errors
    /// The codes of the storage.
    pub async fn offering(
        &self,
        receiver: &SessionId,
        request: &RecoverRequest,
    ) -> Result<Offering, EngineError> {
        self.check_identity(receiver)?;
        let Some(recovered) = self.recover(request).await? else { return Ok(Offering::Nothing) };
        if recovered.recovery.text.is_empty() {
            return Ok(Offering::Nothing);
        }
        let checkpoint = recovered.checkpoint.id.clone();
        let is_recent = |before: &Delivery, now: Timestamp| {
            (0..REOFFER_MILLIS).contains(&now.millis_since(before.offered_at))
        };
        let offered = self.put_delivery(receiver, &checkpoint, |before, now| match before {
            Some(before) if before.delivered_at.is_some() || is_recent(before, now) => None,
            _ => Some((now, None)),
        });
        if offered.await? {
            return Ok(Offering::Offer(Offer { receiver: receiver.clone(), recovered }));
        }
        let before = self.delivery(receiver, &checkpoint).await?;
        let waits = before.is_some_and(|before| before.delivered_at.is_none());
        Ok(if waits { Offering::Offered } else { Offering::Nothing })
    }

    /// The session has been told: the answer is written. It is never told of this checkpoint again.
    ///
    /// # Errors
    /// `secret_in_identifier`; the codes of the storage.
    pub async fn delivered(
        &self,
        receiver: &SessionId,
        checkpoint: &CheckpointId,
    ) -> Result<(), EngineError> {
        self.check_identity(receiver)?;
        let told = self.put_delivery(receiver, checkpoint, |before, now| match before {
            Some(before) if before.delivered_at.is_some() => None,
            before => Some((before.map_or(now, |before| before.offered_at), Some(now))),
        });
        told.await.map(|_| ())
    }

    /// Writes a delivery record over the one before it; whether there was anything to write.
    async fn put_delivery(
        &self,
        receiver: &SessionId,
        checkpoint: &CheckpointId,
        decide: impl Fn(Option<&Delivery>, Timestamp) -> Option<(Timestamp, Option<Timestamp>)>,
    ) -> Result<bool, EngineError> {
        let mut ids = self.ids();
        let _turn = self.queue.turn().await;
        let mut last_conflict = None;
        for _ in 0..CONFLICTS {
            let before = self.delivery(receiver, checkpoint).await?;
            let Some((offered_at, delivered_at)) = decide(before.as_ref(), ids.now()) else {
                return Ok(false);
            };
            let version = before.map_or(0, |before| before.version).saturating_add(1);
            let (receiver, checkpoint) = (receiver.clone(), checkpoint.clone());
            let delivery = Delivery { receiver, checkpoint, version, offered_at, delivered_at };
            let ops = vec![Op::PutDelivery { delivery }];
            match self.commit(&Batch { id: ids.batch(), preconditions: Vec::new(), ops }).await {
                Ok(()) => return Ok(true),
                // The checkpoint is gone when nobody else wrote the record.
                Err(StorageError::Conflict { .. }) if last_conflict == Some(version) => return Ok(false),
                Err(StorageError::Conflict { .. }) => last_conflict = Some(version),
                Err(error) => return Err(error.into()),
            }
        }
        Err(EngineError::Contended { session: receiver.clone() })
    }

    async fn delivery(
        &self,
        receiver: &SessionId,
        checkpoint: &CheckpointId,
    ) -> Result<Option<Delivery>, StorageError> {
        let query = Query::Delivery { receiver: receiver.clone(), checkpoint: checkpoint.clone() };
        match self.host.storage().read(&query).await? {
            Answer::Delivery(found) => Ok(found),
            other => Err(unexpected(&other, "a delivery record")),
        }
    }
}
