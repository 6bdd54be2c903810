//! Delivery records, by receiver and checkpoint.
use super::text::{StorageError, conflict};
use crate::{
    id::{CheckpointId, SessionId},
    model::Delivery,
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    vec::Vec,
};

#[derive(Debug, Default)]
pub(super) struct Deliveries {
    records: BTreeMap<(SessionId, CheckpointId), Delivery>,
    of_checkpoint: BTreeSet<(CheckpointId, SessionId)>,
}

impl Deliveries {
    pub(super) fn get(&self, receiver: &SessionId, checkpoint: &CheckpointId) -> Option<&Delivery> {
        self.records.get(&(receiver.clone(), checkpoint.clone()))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Delivery> {
        self.records.values()
    }

    /// Writes a record over the version before it, which it gives back.
    pub(super) fn put(&mut self, delivery: &Delivery) -> Result<Option<Delivery>, StorageError> {
        let before = self.get(&delivery.receiver, &delivery.checkpoint).map_or(0, |before| before.version);
        if before.saturating_add(1) != delivery.version {
            return Err(conflict(format!("the delivery record is at version {before}, not the one before")));
        }
        Ok(self.insert(delivery.clone()))
    }

    pub(super) fn insert(&mut self, delivery: Delivery) -> Option<Delivery> {
        let key = (delivery.receiver.clone(), delivery.checkpoint.clone());
        self.of_checkpoint.insert((key.1.clone(), key.0.clone()));
        self.records.insert(key, delivery)
    }

    pub(super) fn remove(&mut self, receiver: &SessionId, checkpoint: &CheckpointId) -> Option<Delivery> {
        self.of_checkpoint.remove(&(checkpoint.clone(), receiver.clone()));
        self.records.remove(&(receiver.clone(), checkpoint.clone()))
    }

    /// Removes the records of a checkpoint.
    pub(super) fn remove_of(&mut self, checkpoint: &CheckpointId) -> Vec<Delivery> {
        let told = self.of_checkpoint.iter().filter(|(of, _)| of == checkpoint);
        let told: Vec<SessionId> = told.map(|(_, receiver)| receiver.clone()).collect();
        told.iter().filter_map(|receiver| self.remove(receiver, checkpoint)).collect()
    }

    /// Removes what the session was told.
    pub(super) fn remove_to(&mut self, receiver: &SessionId) -> Vec<Delivery> {
        let keys = self.records.keys().filter(|(to, _)| to == receiver);
        let told: Vec<CheckpointId> = keys.map(|(_, checkpoint)| checkpoint.clone()).collect();
        told.iter().filter_map(|checkpoint| self.remove(receiver, checkpoint)).collect()
    }
}
