//! A store that says how long making a block durable took and how old what is in it is, and
//! tells the house's tree of it.

use std::sync::Arc;
use std::time::Instant;

use sicbo_journal::{
    AppendError, Beside, Blocks, Headers, ReadError, RoundRow, SealedBlock, SignedCheckpoint,
    Snapshot, Store, Tail,
};

use crate::floor::LeafTold;
use crate::storage::Written;

/// Any store, with its appends timed and told.
pub(crate) struct Timed {
    pub(crate) inner: Box<dyn Store>,
    pub(crate) leaves: LeafTold,
    pub(crate) stream: String,
    pub(crate) written: Arc<Written>,
}

impl Store for Timed {
    fn tail(&self) -> Tail {
        self.inner.tail()
    }

    fn next_epoch(&self) -> u64 {
        self.inner.next_epoch()
    }

    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        let began = Instant::now();
        let appended = self.inner.append(block, beside);
        metrics::histogram!("sicbo_sync_seconds", "stream" => self.stream.clone())
            .record(began.elapsed().as_secs_f64());
        if appended.is_ok() {
            self.written.block(block, &beside);
            self.leaves.durable(block);
        }
        appended
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        self.inner.read_from(sequence)
    }

    fn headers_from(&self, sequence: u64) -> Headers<'_> {
        self.inner.headers_from(sequence)
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        self.inner.put_snapshot(snapshot)
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.inner.latest_snapshot()
    }

    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        self.inner.snapshot_before(sequence)
    }

    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError> {
        self.inner.put_checkpoint(checkpoint)?;
        self.written.checkpoint(checkpoint.checkpoint().time_ms);
        Ok(())
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        self.inner.checkpoints()
    }

    fn abandon(&mut self) {
        self.inner.abandon();
    }

    fn check_there(&mut self) -> Result<(), AppendError> {
        self.inner.check_there()
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        self.inner.rounds(from, limit)
    }
}
