//! A store that says how long making a block durable took.

use std::time::Instant;

use sicbo_journal::{
    AppendError, Beside, Blocks, ReadError, RoundRow, SealedBlock, SignedCheckpoint, Snapshot,
    Store, Tail,
};

/// Any store, with its appends timed.
pub struct Timed(pub Box<dyn Store>);

impl Store for Timed {
    fn tail(&self) -> Tail {
        self.0.tail()
    }

    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        let began = Instant::now();
        let appended = self.0.append(block, beside);
        metrics::histogram!("sicbo_sync_seconds").record(began.elapsed().as_secs_f64());
        appended
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        self.0.read_from(sequence)
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        self.0.put_snapshot(snapshot)
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.0.latest_snapshot()
    }

    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        self.0.snapshot_before(sequence)
    }

    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError> {
        self.0.put_checkpoint(checkpoint)
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        self.0.checkpoints()
    }

    fn abandon(&mut self) {
        self.0.abandon();
    }

    fn check_there(&mut self) -> Result<(), AppendError> {
        self.0.check_there()
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        self.0.rounds(from, limit)
    }
}
