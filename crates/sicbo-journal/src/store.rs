//! The store: what keeps a stream's blocks, and the small rows kept beside
//! them. Owns the trait and its promises; must not know any one medium.

use crate::block::{RawBlock, RawHeader, SealedBlock};
use crate::checkpoint::SignedCheckpoint;
use crate::hash::Hash;
use crate::stream::StreamId;

/// Where a stream ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    /// Sequence of the last record; 0 while the stream is empty.
    pub sequence: u64,
    /// Hash of the last block's header; zero while the stream is empty.
    pub header_hash: Hash,
    /// Epoch of the last block; 0 while the stream is empty.
    pub epoch: u64,
}

/// One stream's durable home.
///
/// The promises, which `conformance` checks on every implementation:
/// - `append` returns `Ok` only when the block and all that was handed with it
///   will survive a loss of power.
/// - A block is there wholly or not at all, with its rows.
/// - A refused append (wrong sequence, previous hash, epoch or stream) changes
///   nothing.
/// - After a *failed* append or other write the store is poisoned and refuses
///   all further writes: what the medium holds is not known until the store is
///   opened anew. A block whose append failed may then be found there or not.
pub trait Store: Send {
    /// Where the stream ends.
    fn tail(&self) -> Tail;

    /// The epoch of a writer that begins now. Where a writer must claim its epoch
    /// before it writes, it is the one that was claimed.
    fn next_epoch(&self) -> u64 {
        self.tail().epoch + 1
    }

    /// Makes a block durable, with the rows that belong to it.
    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError>;

    /// The blocks from the one that holds `sequence` to the tail, as stored.
    fn read_from(&self, sequence: u64) -> Blocks<'_>;

    /// The headers of the same blocks, for whoever needs no body.
    fn headers_from(&self, sequence: u64) -> Headers<'_> {
        Box::new(self.read_from(sequence).map(|raw| {
            raw.map(|raw| RawHeader {
                filed_under: raw.filed_under,
                header: raw.header,
            })
        }))
    }

    /// Keeps a snapshot of the state after `snapshot.sequence`, which must be
    /// the last sequence of a stored block. Older ones may be dropped.
    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError>;

    /// The newest snapshot that verifies and agrees with its block. One that
    /// does not is passed over, as if it were not there.
    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError>;

    /// The newest snapshot before `sequence` that verifies and agrees with its
    /// block, as far as older ones are kept.
    fn snapshot_before(&self, sequence: u64) -> Result<Option<Snapshot>, ReadError> {
        let latest = self.latest_snapshot()?;
        Ok(latest.filter(|snapshot| snapshot.sequence < sequence))
    }

    /// Records under which something is filed as a snapshot that agrees with no
    /// block: passed over by a start, and told by a verifier.
    fn misfiled_snapshots(&self) -> Result<Vec<u64>, ReadError> {
        Ok(Vec::new())
    }

    /// Keeps a checkpoint made apart from an append.
    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError>;

    /// All checkpoints in the order kept. Signatures are not checked here.
    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError>;

    /// As [`Store::checkpoints`] for whoever verifies: those that can be read,
    /// and what is wrong with the others.
    fn examine_checkpoints(&self) -> Result<(Vec<SignedCheckpoint>, Vec<ReadError>), ReadError> {
        self.checkpoints().map(|signed| (signed, Vec::new()))
    }

    /// The first checkpoint at or after a sequence.
    fn checkpoint_from(&self, sequence: u64) -> Result<Option<SignedCheckpoint>, ReadError> {
        let all = self.checkpoints()?.into_iter();
        Ok(all
            .filter(|signed| signed.checkpoint().sequence >= sequence)
            .min_by_key(|signed| signed.checkpoint().sequence))
    }

    /// Whether what was written can still be found: a writer with nothing to
    /// write asks now and then. After an error the store is poisoned.
    fn check_there(&mut self) -> Result<(), AppendError> {
        Ok(())
    }

    /// Nothing more is written, and the files are left as they are: what was
    /// read from them is in doubt.
    fn abandon(&mut self) {}

    /// Up to `limit` rows of the round index, from round `from` on.
    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError>;
}

/// Blocks as they come from a store. After an error comes nothing more.
pub type Blocks<'a> = Box<dyn Iterator<Item = Result<RawBlock, ReadError>> + 'a>;

/// Headers as they come from a store. After an error comes nothing more.
pub type Headers<'a> = Box<dyn Iterator<Item = Result<RawHeader, ReadError>> + 'a>;

/// What is written in the same transaction as a block. All of it stands or
/// falls with the block, and costs no second sync.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// Rows of the round index; a row replaces the one of the same round.
    pub rounds: &'a [RoundRow],
    /// A checkpoint over this block's header.
    pub checkpoint: Option<&'a SignedCheckpoint>,
}

/// A row of the round index: for finding, not for proof. Everything in it can
/// be derived again from the blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRow {
    /// Number of the round at its table.
    pub round: u64,
    /// First record of the round.
    pub first_sequence: u64,
    /// Last record of the round so far.
    pub last_sequence: u64,
    /// When it began, milliseconds of UTC.
    pub started_ms: i64,
    /// When it ended; `None` while it is open.
    pub ended_ms: Option<i64>,
    /// Its state in words, e.g. `settled`.
    pub state: String,
    /// The dice, e.g. `4 3 4`; `None` without a result.
    pub dice: Option<String>,
}

/// State of whoever reads the stream, after a given sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The last record that is in the state.
    pub sequence: u64,
    /// Hash of the header of the block that ends with it.
    pub header_hash: Hash,
    /// The state, encoded by its owner.
    pub bytes: Vec<u8>,
}

impl Snapshot {
    /// What is stored beside the bytes to know them by: SHA-256 over
    /// `"sicbo snapshot 1\0" ‖ sequence ‖ header hash ‖ bytes`.
    pub fn digest(&self) -> Hash {
        use sha2::{Digest, Sha256};
        let digest = Sha256::new()
            .chain_update(b"sicbo snapshot 1\0")
            .chain_update(self.sequence.to_be_bytes())
            .chain_update(self.header_hash.0)
            .chain_update(&self.bytes);
        Hash(digest.finalize().into())
    }
}

/// Why an append or another write was not acknowledged.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The block is for another stream.
    #[error("the block belongs to stream {found}, this store keeps {expected}")]
    WrongStream {
        /// The store's stream.
        expected: String,
        /// The block's stream.
        found: String,
    },
    /// The block does not begin where the stream ends.
    #[error("the block begins at sequence {found}, the stream goes on at {expected}")]
    WrongSequence {
        /// The next sequence.
        expected: u64,
        /// The block's first.
        found: u64,
    },
    /// The block follows another header than the stream's last.
    #[error("the block at sequence {sequence} does not follow the stream's last header")]
    WrongPrevious {
        /// The block's first sequence.
        sequence: u64,
    },
    /// A later writer has written; this one is fenced off.
    #[error("writer epoch {found} is over: epoch {current} has written")]
    OlderEpoch {
        /// Epoch of the last block.
        current: u64,
        /// Epoch of the refused block.
        found: u64,
    },
    /// Another node has taken the stream over. The store is poisoned now.
    #[error(
        "{by} leads with epoch {current}, and epoch {found} of this node is over: nothing more is written here"
    )]
    Fenced {
        /// The node that leads.
        by: String,
        /// Its epoch.
        current: u64,
        /// Epoch of the refused writer.
        found: u64,
    },
    /// A snapshot, checkpoint or round row that does not fit what is stored.
    #[error("{what}")]
    Misfit {
        /// What does not fit.
        what: &'static str,
    },
    /// The store was opened for reading only.
    #[error("the journal was opened for reading only")]
    ReadOnly,
    /// An earlier write failed: nothing more is acknowledged.
    #[error("an earlier write failed; open the stream anew to see what it holds")]
    Poisoned,
    /// No room on the disk. The store is poisoned now.
    #[error("the disk is full; free some space, then open the stream anew")]
    DiskFull,
    /// A reader has kept the write-ahead log from being folded in for too long.
    /// Nothing was written.
    #[error(
        "the journal's log has reached its longest because another program has been reading the \
         journal in one go; end that program, then start the table again"
    )]
    LogFull,
    /// A file is no longer what its name stands for. The store is poisoned now.
    #[error(
        "{path} was {what} while the house was writing it; nothing more is acknowledged. Keep \
         the process's folder as it is and restore the file before the next start"
    )]
    Gone {
        /// The file.
        path: String,
        /// What happened to it.
        what: String,
    },
    /// The medium failed. The store is poisoned now.
    #[error("the write failed ({what}); open the stream anew to see what it holds")]
    Failed {
        /// What the medium said.
        what: String,
    },
}

impl AppendError {
    /// Whether this was an orderly refusal that changed nothing. Anything
    /// else leaves the store poisoned.
    pub fn is_refusal(&self) -> bool {
        !matches!(
            self,
            Self::Poisoned
                | Self::DiskFull
                | Self::Fenced { .. }
                | Self::Gone { .. }
                | Self::Failed { .. }
        )
    }
}

/// Why stored bytes could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The store's own structure is damaged.
    #[error("the store is damaged at or after sequence {sequence}: {what}")]
    Damaged {
        /// Everything before this sequence was readable.
        sequence: u64,
        /// What is wrong.
        what: String,
    },
    /// The medium failed.
    #[error("reading failed: {what}")]
    Failed {
        /// What the medium said.
        what: String,
    },
}

/// The checks every store makes before it writes a block.
///
/// # Errors
/// When the block does not continue the stream; nothing may be written then.
pub fn check_append(
    stream: &StreamId,
    tail: &Tail,
    block: &SealedBlock,
    beside: &Beside<'_>,
) -> Result<(), AppendError> {
    let header = block.header();
    if header.stream != *stream {
        let (expected, found) = (stream.to_string(), header.stream.to_string());
        return Err(AppendError::WrongStream { expected, found });
    }
    // The epoch comes first: a fenced writer is also out of sequence, and the
    // epoch is the reason that helps.
    if header.epoch < tail.epoch {
        return Err(AppendError::OlderEpoch {
            current: tail.epoch,
            found: header.epoch,
        });
    }
    if header.first_sequence != tail.sequence + 1 {
        let (expected, found) = (tail.sequence + 1, header.first_sequence);
        return Err(AppendError::WrongSequence { expected, found });
    }
    if header.previous != tail.header_hash {
        return Err(AppendError::WrongPrevious {
            sequence: header.first_sequence,
        });
    }
    if let Some(signed) = beside.checkpoint {
        let checkpoint = signed.checkpoint();
        if checkpoint.sequence != header.last_sequence
            || checkpoint.header_hash != block.header_hash()
            || checkpoint.stream != *stream
        {
            return Err(AppendError::Misfit {
                what: "the checkpoint is not over this block",
            });
        }
    }
    let row_fits = |row: &RoundRow| {
        row.first_sequence >= 1
            && row.first_sequence <= row.last_sequence
            && row.last_sequence <= header.last_sequence
            && row.round <= i64::MAX as u64
    };
    if !beside.rounds.iter().all(row_fits) {
        return Err(AppendError::Misfit {
            what: "a round row names records that are not stored",
        });
    }
    Ok(())
}

/// The checks every store makes before it keeps a checkpoint on its own.
/// `header_hash_at` finds the header of the block that ends at a sequence.
///
/// # Errors
/// When it is not over a stored block.
pub fn check_checkpoint(
    stream: &StreamId,
    signed: &SignedCheckpoint,
    header_hash_at: impl FnOnce(u64) -> Result<Option<Hash>, AppendError>,
) -> Result<(), AppendError> {
    let checkpoint = signed.checkpoint();
    let fits = checkpoint.stream == *stream
        && header_hash_at(checkpoint.sequence)? == Some(checkpoint.header_hash);
    if fits {
        Ok(())
    } else {
        Err(AppendError::Misfit {
            what: "the checkpoint is not over a stored block",
        })
    }
}

/// The check every store makes before it keeps a snapshot.
///
/// # Errors
/// When it is not at the end of a stored block.
pub fn check_snapshot(ends_a_stored_block: bool) -> Result<(), AppendError> {
    if ends_a_stored_block {
        Ok(())
    } else {
        Err(AppendError::Misfit {
            what: "the snapshot is not at the end of a stored block",
        })
    }
}
