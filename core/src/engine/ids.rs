use crate::{
    id::{BatchId, CheckpointId, RowId},
    time::Timestamp,
};
use sha2::{Digest, Sha256};

/// The instant of an operation, and ids that follow from one draw of entropy: as many as are asked for.
#[derive(Debug, Clone)]
pub struct Ids {
    now: Timestamp,
    seed: [u8; 16],
    drawn: u64,
}

impl Ids {
    /// Ids of one operation.
    #[must_use]
    pub fn new(now: Timestamp, seed: [u8; 16]) -> Self {
        Self { now, seed, drawn: 0 }
    }

    /// The instant.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    fn draw(&mut self) -> [u8; 10] {
        self.drawn = self.drawn.saturating_add(1);
        let hash = Sha256::new().chain_update(self.seed).chain_update(self.drawn.to_be_bytes()).finalize();
        let mut bytes = [0; 10];
        bytes.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
        bytes
    }

    /// The id of a batch.
    pub fn batch(&mut self) -> BatchId {
        let bytes = self.draw();
        BatchId::generate(self.now, bytes)
    }

    /// The id of a checkpoint.
    pub fn checkpoint(&mut self) -> CheckpointId {
        let bytes = self.draw();
        CheckpointId::generate(self.now, bytes)
    }

    /// The id of a row.
    pub fn row(&mut self) -> RowId {
        let bytes = self.draw();
        RowId::generate(self.now, bytes)
    }
}
