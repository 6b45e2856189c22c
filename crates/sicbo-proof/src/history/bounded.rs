//! A store as it was when it ended with a given block. What was written behind
//! that block is not there: it may never have been synced, and then nobody was
//! told of it.

use sicbo_journal::{
    AppendError, Beside, Blocks, Header, ReadError, RoundRow, SealedBlock, SignedCheckpoint,
    Snapshot, Store, Tail,
};

pub(super) struct Bounded {
    pub(super) store: Box<dyn Store>,
    /// The last block that counts.
    pub(super) tail: Tail,
}

impl Bounded {
    /// The row as it was then; nothing where the round had not begun.
    fn row_then(&self, row: RoundRow) -> Option<RoundRow> {
        let last = self.tail.sequence;
        if row.first_sequence > last {
            return None;
        }
        if row.last_sequence <= last {
            return Some(row);
        }
        Some(RoundRow {
            last_sequence: last,
            ended_ms: None,
            state: "open".to_owned(),
            dice: None,
            ..row
        })
    }
}

impl Store for Bounded {
    fn tail(&self) -> Tail {
        self.tail
    }

    fn append(&mut self, _: &SealedBlock, _: Beside<'_>) -> Result<(), AppendError> {
        Err(AppendError::ReadOnly)
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        let last = self.tail.sequence;
        // A header that cannot be read is left to whoever reads the block.
        let counts = move |raw: &Result<sicbo_journal::RawBlock, ReadError>| {
            let header = raw.as_ref().ok().map(|raw| Header::decode(&raw.header));
            !matches!(header, Some(Ok(header)) if header.last_sequence > last)
        };
        Box::new(self.store.read_from(sequence).take_while(counts))
    }

    fn put_snapshot(&mut self, _: &Snapshot) -> Result<(), AppendError> {
        Err(AppendError::ReadOnly)
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.snapshot_before(u64::MAX)
    }

    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        let end = self.tail.sequence.saturating_add(1);
        self.store.snapshot_before(sequence.min(end))
    }

    fn put_checkpoint(&mut self, _: &SignedCheckpoint) -> Result<(), AppendError> {
        Err(AppendError::ReadOnly)
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        let mut all = self.store.checkpoints()?;
        all.retain(|signed| signed.checkpoint().sequence <= self.tail.sequence);
        Ok(all)
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        let rows = self.store.rounds(from, limit)?.into_iter();
        Ok(rows.filter_map(|row| self.row_then(row)).collect())
    }
}
