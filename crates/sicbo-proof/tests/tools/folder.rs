//! A stored journal whose every row can be changed at will.

use sicbo_journal::{
    AppendError, Beside, Blocks, Header, HeaderBytes, RawBlock, ReadError, RoundRow, SealedBlock,
    SignedCheckpoint, Snapshot, Store, Tail,
};

/// Everything that lies in a stream's file.
#[derive(Clone)]
pub(super) struct Folder {
    pub(super) blocks: Vec<RawBlock>,
    pub(super) checkpoints: Vec<SignedCheckpoint>,
    pub(super) rounds: Vec<RoundRow>,
    pub(super) snapshots: Vec<Snapshot>,
    /// Where the file claims to end; without a claim it ends with its last block.
    pub(super) claimed_tail: Option<Tail>,
}

impl Folder {
    /// A copy of everything that a store holds.
    pub(super) fn of(store: &dyn Store) -> Folder {
        let mut snapshots = Vec::new();
        let mut found = store.latest_snapshot().expect("readable");
        while let Some(one) = found {
            found = store.snapshot_before(one.sequence).expect("readable");
            snapshots.push(one);
        }
        Folder {
            blocks: store.read_from(1).map(|raw| raw.expect("there")).collect(),
            checkpoints: store.checkpoints().expect("there"),
            rounds: store.rounds(0, usize::MAX).expect("there"),
            snapshots,
            claimed_tail: None,
        }
    }
}

impl Store for Folder {
    fn tail(&self) -> Tail {
        let last = || self.blocks.last().map_or_else(Tail::default, tail_of);
        self.claimed_tail.unwrap_or_else(last)
    }
    fn append(&mut self, _: &SealedBlock, _: Beside<'_>) -> Result<(), AppendError> {
        Err(AppendError::ReadOnly)
    }
    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        // A header that cannot be read is left to the reader of the block.
        let held = move |raw: &&RawBlock| {
            Header::decode(&raw.header).map_or(true, |header| header.last_sequence >= sequence)
        };
        Box::new(self.blocks.iter().filter(held).cloned().map(Ok))
    }
    fn put_snapshot(&mut self, _: &Snapshot) -> Result<(), AppendError> {
        Err(AppendError::ReadOnly)
    }
    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.snapshot_before(u64::MAX)
    }
    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        let before = self.snapshots.iter().filter(|one| one.sequence < sequence);
        Ok(before.max_by_key(|one| one.sequence).cloned())
    }
    fn put_checkpoint(&mut self, _: &SignedCheckpoint) -> Result<(), AppendError> {
        Err(AppendError::ReadOnly)
    }
    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        Ok(self.checkpoints.clone())
    }
    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        let rows = self.rounds.iter().filter(|row| row.round >= from);
        Ok(rows.take(limit).cloned().collect())
    }
}

/// The end of a stream whose last block this is.
/// Turns bits of a header over.
pub(super) fn flip(header: &mut HeaderBytes, byte: usize, bits: u8) {
    let mut bytes = header.to_vec();
    bytes[byte] ^= bits;
    *header = bytes.into();
}

fn tail_of(raw: &RawBlock) -> Tail {
    let header = Header::decode(&raw.header).expect("a header");
    Tail {
        sequence: header.last_sequence,
        header_hash: raw.header.hash(),
        epoch: header.epoch,
    }
}
