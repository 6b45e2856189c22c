//! Verification of a stream: every block against itself, each against the one
//! before, and the whole against the signed checkpoints. Names the first
//! fault. Must not know what a payload means.

use std::collections::VecDeque;

use crate::block::{BlockError, RawBlock, RawHeader, SealedBlock};
use crate::checkpoint::{CheckpointError, SignedCheckpoint};
use crate::hash::Hash;
use crate::header::Header;
use crate::key_ring::KeyRing;
use crate::seal::{SealError, Seals, TakenOver};
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
        self.link_header(block.header(), block.header_hash())
    }

    /// Goes on to a block of which only the header is looked at.
    pub fn accept_header(&mut self, raw: &RawHeader) -> Result<Header, Fault> {
        let header = Header::decode(&raw.header)
            .map_err(|what| Fault::in_block(raw.filed_under, what.into()))?;
        self.link_header(&header, raw.header.hash())?;
        Ok(header)
    }

    fn link_header(&mut self, header: &Header, header_hash: Hash) -> Result<(), Fault> {
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
            header_hash,
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
    seals: Seals<'k>,
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
        let waiting: Vec<_> = checkpoints.into_iter().collect();
        Verifier {
            chain: Chain::after(stream, Tail::default()),
            ring,
            seals: Seals::new(ring).held_to(TakenOver::find(ring, &waiting)),
            waiting: waiting.into(),
            key_place: 0,
            report: Report::default(),
        }
    }

    /// Checks the seal of every block, not of each writer's last: to name the
    /// first that is wrong once it is known that one is.
    #[must_use]
    pub fn every_seal(mut self) -> Verifier<'k> {
        self.seals = self.seals.every_one();
        self
    }

    /// Verifies the next block and hands it back for reading.
    pub fn accept(&mut self, raw: RawBlock) -> Result<SealedBlock, Fault> {
        let block = Verifier::decode(raw)?;
        self.link(&block)?;
        Ok(block)
    }

    /// Checks a block against itself. It is most of the work, needs nothing of
    /// the blocks before it and can be spread over threads.
    pub fn decode(raw: RawBlock) -> Result<SealedBlock, Fault> {
        let filed_under = raw.filed_under;
        raw.decode()
            .map_err(|what| Fault::in_block(filed_under, what))
    }

    /// As [`Verifier::accept`] for a block that was decoded elsewhere.
    pub fn link(&mut self, block: &SealedBlock) -> Result<(), Fault> {
        let mut first = None;
        self.examine(block, &mut |fault| {
            first.get_or_insert(fault);
        });
        first.map_or(Ok(()), Err)
    }

    /// Tells everything that is wrong with the next block, and goes on after it
    /// as if it were right: what follows is held to what is there.
    pub fn examine(&mut self, block: &SealedBlock, found: &mut dyn FnMut(Fault)) {
        let header = block.header();
        if let Err(fault) = self.chain.link(block) {
            found(fault);
            self.chain.tail = Tail {
                sequence: header.last_sequence,
                header_hash: block.header_hash(),
                epoch: header.epoch,
            };
        }
        if let Err(fault) = self.seals.accept(block) {
            found(fault);
        }
        while let Some(signed) = self.waiting.front() {
            if signed.checkpoint().sequence > header.last_sequence {
                break;
            }
            let Some(signed) = self.waiting.pop_front() else {
                break;
            };
            match self.check_checkpoint(&signed, block) {
                Ok(()) => {
                    self.report.checkpoints += 1;
                    self.report.signed_to = signed.checkpoint().sequence;
                }
                Err(fault) => found(fault),
            }
        }
        self.report.blocks += 1;
        self.report.sealed_blocks += u64::from(header.seal.is_some());
        self.report.records += u64::from(header.record_count());
        self.report.tail = self.chain.tail();
    }

    /// Goes on after a block that could not be read, of which nothing is known:
    /// the next one is held to nothing before it.
    pub fn skip_to(&mut self, raw_header: &[u8]) {
        if let Ok(next) = Header::decode(raw_header) {
            self.chain.tail = Tail {
                sequence: next.first_sequence - 1,
                header_hash: next.previous,
                epoch: self.chain.tail.epoch,
            };
        }
    }

    fn check_checkpoint(
        &mut self,
        signed: &SignedCheckpoint,
        block: &SealedBlock,
    ) -> Result<(), Fault> {
        self.check_signature(signed)?;
        let checkpoint = signed.checkpoint();
        let agrees = checkpoint.sequence == block.header().last_sequence
            && checkpoint.header_hash == block.header_hash();
        if agrees {
            Ok(())
        } else {
            Err(Fault {
                sequence: checkpoint.sequence,
                what: FaultKind::CheckpointDisagrees,
            })
        }
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
    pub fn finish(self) -> Result<Report, Fault> {
        let mut first = None;
        let report = self.finish_examining(&mut |fault| {
            first.get_or_insert(fault);
        });
        first.map_or(Ok(report), Err)
    }

    /// As [`Verifier::finish`], telling everything that is wrong.
    pub fn finish_examining(mut self, found: &mut dyn FnMut(Fault)) -> Report {
        if let Err(fault) = self.seals.check_last() {
            found(fault);
        }
        // The last says how much was there.
        if let Some(signed) = self.waiting.pop_back() {
            found(match self.check_signature(&signed) {
                Err(fault) => fault,
                Ok(()) => Fault {
                    sequence: self.chain.tail.sequence + 1,
                    what: FaultKind::Truncated {
                        signed_to: signed.checkpoint().sequence,
                    },
                },
            });
        }
        self.report.checkpointed_to = self.report.signed_to;
        self.report.signed_to = self.report.signed_to.max(self.seals.signed_to());
        self.report.lacks_key = self.seals.lacks_newest_key();
        self.report
    }
}

/// Verifies a whole stream as it comes from a store. Where a signature is
/// wrong the fault names the last block of its writer; [`Verifier::every_seal`]
/// finds the first.
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
    /// Of these, blocks that their writer signed.
    pub sealed_blocks: u64,
    /// Records verified.
    pub records: u64,
    /// Checkpoints verified.
    pub checkpoints: u64,
    /// The last record covered by a signature. What follows it was written by a
    /// program that signed no blocks and is chained, not signed.
    pub signed_to: u64,
    /// The last record that a checkpoint of the house's own key is over.
    pub checkpointed_to: u64,
    /// The number of the house's newest key, where the stream does not end in
    /// its word. An archive ends before later keys.
    pub lacks_key: Option<u32>,
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
    /// Nobody who may write the stream sealed the block.
    #[error(transparent)]
    Seal(SealError),
    /// A checkpoint that does not verify.
    #[error(transparent)]
    Checkpoint(CheckpointError),
    /// The signed header is not the one that is there.
    #[error("the block ending there is not the one the house signed")]
    CheckpointDisagrees,
    /// A checkpoint signed with a key after its successor was in use.
    #[error("the checkpoint is signed with a key that was retired by then")]
    RetiredKey,
    /// The house has another key since, which has not signed there.
    #[error(
        "it is signed under a key that was handed over from, and key {number} has not signed where \
         that one ended: look at the last records with `sicbo key adopt`"
    )]
    NotTakenOver {
        /// The newest key.
        number: u32,
    },
    /// Signed records are gone from the end.
    #[error("missing, with all that follow; the house signed up to record {signed_to}")]
    Truncated {
        /// The last signed record.
        signed_to: u64,
    },
}
