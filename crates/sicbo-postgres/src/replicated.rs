//! The store of a leader: a block is in the truth first, under the quorum, and
//! then in the copy on this machine, which everything reads. A copy that cannot
//! be written stops the stream: a node without a copy must not lead.

use sicbo_journal::{
    AppendError, Beside, Blocks, Hash, Headers, KeyRing, ReadError, RoundRow, SealedBlock,
    SignedCheckpoint, Snapshot, Store, Tail,
};

use crate::error::ClusterError;
use crate::follower::catch_up;
use crate::server::Server;
use crate::store::PostgresStore;

/// How far a clock may be behind the last record without anybody being told.
const CLOCK_SLACK_MS: i64 = 5_000;

/// A [`Store`] in PostgreSQL with its copy on this machine.
pub struct ReplicatedStore {
    truth: PostgresStore,
    copy: Box<dyn Store>,
}

impl ReplicatedStore {
    /// Claims a stream, brings the copy up to where it ends, each block checked,
    /// and leads from there. `now_ms` is this machine's clock: a leader whose
    /// clock is behind the last record would write time that runs back.
    ///
    /// # Errors
    /// When the truth cannot be claimed, or truth and copy part.
    pub fn lead(
        server: &Server,
        ring: &KeyRing,
        node: &str,
        stream: sicbo_journal::StreamId,
        mut copy: Box<dyn Store>,
        now_ms: i64,
    ) -> Result<ReplicatedStore, ClusterError> {
        let house: Hash = ring.house().0;
        let truth = PostgresStore::lead(server, &house, stream, node)?;
        if let Err(error) = catch_up(&truth, &mut copy, ring) {
            copy.abandon();
            return Err(error);
        }
        let last = copy.headers_from(truth.tail().sequence).last().transpose();
        let last = last.map_err(|error| ClusterError::Read {
            stream: truth.stream().to_string(),
            error,
        })?;
        let last = last.and_then(|raw| sicbo_journal::Header::decode(&raw.header).ok());
        let behind_ms = last.map_or(0, |header| header.time_ms.saturating_sub(now_ms));
        if behind_ms > CLOCK_SLACK_MS {
            return Err(ClusterError::Clock {
                stream: truth.stream().to_string(),
                behind_s: behind_ms / 1_000,
            });
        }
        Ok(ReplicatedStore { truth, copy })
    }

    fn copied(&mut self, done: Result<(), AppendError>) -> Result<(), AppendError> {
        done.map_err(|error| {
            self.truth.abandon();
            let what = format!("the copy on this machine: {error}");
            AppendError::Failed { what }
        })
    }
}

impl Store for ReplicatedStore {
    fn tail(&self) -> Tail {
        self.truth.tail()
    }

    fn next_epoch(&self) -> u64 {
        self.truth.next_epoch()
    }

    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        self.truth.append(block, beside)?;
        let done = self.copy.append(block, beside);
        self.copied(done)
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        self.copy.read_from(sequence)
    }

    fn headers_from(&self, sequence: u64) -> Headers<'_> {
        self.copy.headers_from(sequence)
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        self.truth.put_snapshot(snapshot)?;
        let done = self.copy.put_snapshot(snapshot);
        self.copied(done)
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.copy.latest_snapshot()
    }

    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        self.copy.snapshot_before(sequence)
    }

    fn misfiled_snapshots(&self) -> Result<Vec<u64>, ReadError> {
        self.copy.misfiled_snapshots()
    }

    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError> {
        self.truth.put_checkpoint(checkpoint)?;
        let done = self.copy.put_checkpoint(checkpoint);
        self.copied(done)
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        self.copy.checkpoints()
    }

    fn checkpoint_from(&self, sequence: u64) -> Result<Option<SignedCheckpoint>, ReadError> {
        self.copy.checkpoint_from(sequence)
    }

    fn abandon(&mut self) {
        self.truth.abandon();
        self.copy.abandon();
    }

    fn check_there(&mut self) -> Result<(), AppendError> {
        self.truth.check_there()?;
        let done = self.copy.check_there();
        self.copied(done)
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        self.copy.rounds(from, limit)
    }
}
