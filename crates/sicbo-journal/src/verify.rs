//! Verification of a stream: every block against itself, each against the one
//! before, and the whole against the signed checkpoints. Names the first
//! fault. Must not know what a payload means.

use std::collections::VecDeque;

use crate::block::{BlockError, RawBlock, SealedBlock};
use crate::checkpoint::{CheckpointError, SignedCheckpoint};
use crate::key_ring::KeyRing;
use crate::store::{ReadError, Tail};
use crate::stream::StreamId;

/// Follows the hash chain of one stream, block by block. Recovery uses it from
/// a snapshot on; [`Verifier`] adds the signatures.
#[derive(Clone, Debug)]
pub struct Chain {
    stream: StreamId,
    tail: Tail,
}

impl Chain {
    /// Begins after a known tail; `Tail::default()` is the stream's start.
    pub fn after(stream: StreamId, tail: Tail) -> Chain {
        Chain { stream, tail }
    }

    /// How far the chain has come.
    pub fn tail(&self) -> Tail {
        self.tail
    }

    /// Checks a block against itself and against the chain, and goes on to it.
    pub fn accept(&mut self, raw: RawBlock) -> Result<SealedBlock, Fault> {
        let filed_under = raw.filed_under;
        let block = raw
            .decode()
            .map_err(|what| Fault::in_block(filed_under, what))?;
        self.link(&block)?;
        Ok(block)
    }

    /// Checks only that an already decoded block follows. Decoding is most of
    /// the work and can be spread over threads; linking cannot.
    pub fn link(&mut self, block: &SealedBlock) -> Result<(), Fault> {
        let header = block.header();
        let next = self.tail.sequence + 1;
        let fault = |sequence, what| Err(Fault { sequence, what });
        if header.stream != self.stream {
            let found = header.stream.clone();
            return fault(header.first_sequence, FaultKind::AnotherStream { found });
        }
        if header.first_sequence > next {
            return fault(
                next,
                FaultKind::Missing {
                    next_found: header.first_sequence,
                },
            );
        }
        if header.first_sequence < next {
            return fault(header.first_sequence, FaultKind::Repeated);
        }
        if header.previous != self.tail.header_hash {
            return fault(header.first_sequence, FaultKind::DoesNotFollow);
        }
        if header.epoch < self.tail.epoch {
            return fault(header.first_sequence, FaultKind::EpochWentBack);
        }
        self.tail = Tail {
            sequence: header.last_sequence,
            header_hash: block.header_hash(),
            epoch: header.epoch,
        };
        Ok(())
    }
}

/// Verifies one stream from its first record, with its checkpoints.
#[derive(Clone, Debug)]
pub struct Verifier<'k> {
    chain: Chain,
    ring: &'k KeyRing,
    waiting: VecDeque<SignedCheckpoint>,
    /// Place in the ring of the last checkpoint's key: never goes down.
    key_place: usize,
    report: Report,
}

impl<'k> Verifier<'k> {
    /// Begins at the stream's first record. Checkpoints come in the order the
    /// store keeps them.
    pub fn new(
        stream: StreamId,
        ring: &'k KeyRing,
        checkpoints: impl IntoIterator<Item = SignedCheckpoint>,
    ) -> Verifier<'k> {
        Verifier {
            chain: Chain::after(stream, Tail::default()),
            ring,
            waiting: checkpoints.into_iter().collect(),
            key_place: 0,
            report: Report::default(),
        }
    }

    /// Verifies the next block and hands it back for reading.
    pub fn accept(&mut self, raw: RawBlock) -> Result<SealedBlock, Fault> {
        let block = self.chain.accept(raw)?;
        self.count(&block)?;
        Ok(block)
    }

    /// As [`Verifier::accept`] for a block that was decoded elsewhere.
    pub fn link(&mut self, block: &SealedBlock) -> Result<(), Fault> {
        self.chain.link(block)?;
        self.count(block)
    }

    fn count(&mut self, block: &SealedBlock) -> Result<(), Fault> {
        let header = block.header();
        while let Some(signed) = self.waiting.front() {
            if signed.checkpoint().sequence > header.last_sequence {
                break;
            }
            let Some(signed) = self.waiting.pop_front() else {
                break;
            };
            let (sequence, header_hash) = (
                signed.checkpoint().sequence,
                signed.checkpoint().header_hash,
            );
            self.check_signature(&signed)?;
            if sequence != header.last_sequence || header_hash != block.header_hash() {
                return Err(Fault {
                    sequence,
                    what: FaultKind::CheckpointDisagrees,
                });
            }
            self.report.checkpoints += 1;
            self.report.signed_to = sequence;
        }
        self.report.blocks += 1;
        self.report.records += u64::from(header.record_count());
        self.report.tail = self.chain.tail();
        Ok(())
    }

    fn check_signature(&mut self, signed: &SignedCheckpoint) -> Result<(), Fault> {
        let sequence = signed.checkpoint().sequence;
        let fault = |what| Fault { sequence, what };
        if signed.checkpoint().stream != self.chain.stream {
            let found = signed.checkpoint().stream.clone();
            return Err(fault(FaultKind::AnotherStream { found }));
        }
        let place = signed
            .verify(self.ring)
            .map_err(|what| fault(FaultKind::Checkpoint(what)))?;
        if place < self.key_place {
            return Err(fault(FaultKind::RetiredKey));
        }
        self.key_place = place;
        Ok(())
    }

    /// Ends the stream. A checkpoint beyond the last block means records that
    /// were there when it was signed are gone.
    pub fn finish(mut self) -> Result<Report, Fault> {
        if let Some(signed) = self.waiting.pop_front() {
            self.check_signature(&signed)?;
            let sequence = self.chain.tail.sequence + 1;
            let signed_to = signed.checkpoint().sequence;
            return Err(Fault {
                sequence,
                what: FaultKind::Truncated { signed_to },
            });
        }
        Ok(self.report)
    }
}

/// Verifies a whole stream as it comes from a store.
pub fn verify_chain(
    stream: StreamId,
    blocks: impl IntoIterator<Item = Result<RawBlock, ReadError>>,
    checkpoints: impl IntoIterator<Item = SignedCheckpoint>,
    ring: &KeyRing,
) -> Result<Report, Fault> {
    let mut verifier = Verifier::new(stream, ring, checkpoints);
    for raw in blocks {
        let next = verifier.chain.tail.sequence + 1;
        let raw = raw.map_err(|error| Fault::unreadable(next, error))?;
        verifier.accept(raw)?;
    }
    verifier.finish()
}

/// What a clean verification saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Blocks verified.
    pub blocks: u64,
    /// Records verified.
    pub records: u64,
    /// Checkpoints verified.
    pub checkpoints: u64,
    /// The last record covered by a signature. What follows it is chained but
    /// not signed yet: its loss could not be noticed.
    pub signed_to: u64,
    /// Where the stream ends.
    pub tail: Tail,
}

/// The first thing found wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {sequence}: {what}")]
pub struct Fault {
    /// The first record concerned. Where only a block can be named, its first.
    pub sequence: u64,
    /// What is wrong.
    pub what: FaultKind,
}

impl Fault {
    fn in_block(filed_under: u64, what: BlockError) -> Fault {
        let sequence = match what {
            BlockError::RecordMalformed { sequence }
            | BlockError::RecordChanged { sequence }
            | BlockError::TrailingBytes { sequence } => sequence,
            _ => filed_under,
        };
        Fault {
            sequence,
            what: FaultKind::Block(what),
        }
    }

    /// A fault for what a store could not read. `next` is the sequence that
    /// was due.
    pub fn unreadable(next: u64, error: ReadError) -> Fault {
        let sequence = match error {
            ReadError::Damaged { sequence, .. } => sequence,
            ReadError::Failed { .. } => next,
        };
        Fault {
            sequence,
            what: FaultKind::Unreadable(error),
        }
    }
}

/// The kinds of fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// A block does not agree with itself.
    #[error(transparent)]
    Block(BlockError),
    /// The store could not read it.
    #[error(transparent)]
    Unreadable(ReadError),
    /// A block or checkpoint of another stream.
    #[error("it belongs to another stream, {found}")]
    AnotherStream {
        /// The stream named.
        found: StreamId,
    },
    /// Records are missing.
    #[error("missing; the next record found is {next_found}")]
    Missing {
        /// Where the stream goes on.
        next_found: u64,
    },
    /// Records that were there already.
    #[error("it is there a second time or out of order")]
    Repeated,
    /// The header before is not the one this block was sealed after.
    #[error("its block does not follow the block before it")]
    DoesNotFollow,
    /// A fenced writer's block.
    #[error("its block was written under an epoch that was over")]
    EpochWentBack,
    /// A checkpoint that does not verify.
    #[error(transparent)]
    Checkpoint(CheckpointError),
    /// The signed header is not the one that is there.
    #[error("the block ending there is not the one the house signed")]
    CheckpointDisagrees,
    /// A checkpoint signed with a key after its successor was in use.
    #[error("the checkpoint is signed with a key that was retired by then")]
    RetiredKey,
    /// Signed records are gone from the end.
    #[error("missing, with all that follow; the house signed up to record {signed_to}")]
    Truncated {
        /// The last signed record.
        signed_to: u64,
    },
}
