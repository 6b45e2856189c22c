//! Verifies a table's journal from first record to last: the chain, every
//! signature, every payment derived again, and the books after every round.

use std::collections::BTreeSet;
use std::sync::Arc;

use crossbeam_channel::bounded;
use sicbo_journal::{Fault, KeyRing, ReadError, Report, SealedBlock, Store, StreamId, Verifier};
use sicbo_table::codec;
use sicbo_table::derive::{Records, derive};
use sicbo_table::ids::RoundNumber;
use sicbo_table::{Event, Fact, Table, apply};

/// What a clean journal amounts to.
#[derive(Debug)]
pub struct Verified {
    /// Blocks, records, checkpoints.
    pub report: Report,
    /// The state after the last record.
    pub table: Table,
    /// Rounds that ended.
    pub rounds: u64,
}

/// The first thing that is wrong.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The store could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Chain or signature.
    #[error("{0}")]
    Chain(Fault),
    /// A record that cannot be understood or does not follow.
    #[error("record {sequence}: {what}")]
    Record {
        /// Which.
        sequence: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl VerifyError {
    /// The record it is about, where one can be named.
    #[must_use]
    pub fn sequence(&self) -> Option<u64> {
        match self {
            VerifyError::Read(_) => None,
            VerifyError::Chain(fault) => Some(fault.sequence),
            VerifyError::Record { sequence, .. } => Some(*sequence),
        }
    }
}

/// Verifies a journal. `progress` is told the sequence reached now and then.
///
/// # Errors
/// The first thing that is wrong, by record.
pub fn verify(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    progress: &mut dyn FnMut(u64),
) -> Result<Verified, VerifyError> {
    let amended = amended_rounds(store)?;
    let mut verifier = Verifier::new(stream.clone(), ring, store.checkpoints()?);
    // This thread hashes, the other derives: each block is handed over once
    // its bytes are known to be good.
    let (sender, blocks) = bounded::<SealedBlock>(64);
    std::thread::scope(|scope| {
        let amended = &amended;
        let deriving = scope.spawn(move || -> Result<Replay<'_>, VerifyError> {
            let mut replay = Replay::new(amended);
            for block in &blocks {
                replay.block(&block)?;
            }
            Ok(replay)
        });
        let mut hash = || -> Result<(), VerifyError> {
            for raw in store.read_from(1) {
                let block = verifier.accept(raw?).map_err(VerifyError::Chain)?;
                let reached = block.header().last_sequence;
                if sender.send(block).is_err() {
                    // The other side found a fault of its own first.
                    break;
                }
                progress(reached);
            }
            Ok(())
        };
        let hashed = hash();
        drop(sender);
        let derived = deriving.join().unwrap_or_else(|_| {
            Err(VerifyError::Record {
                sequence: 0,
                what: "the verifier itself failed".to_owned(),
            })
        });
        // A record that does not follow comes before whatever the chain says of later ones.
        let replay = derived?;
        hashed?;
        let report = verifier.finish().map_err(VerifyError::Chain)?;
        Ok(Verified {
            report,
            table: replay.table,
            rounds: replay.rounds,
        })
    })
}

/// Rounds that some later record amends; only their records need to be kept.
fn amended_rounds(store: &dyn Store) -> Result<BTreeSet<RoundNumber>, VerifyError> {
    let mut amended = BTreeSet::new();
    for raw in store.read_from(1) {
        // What cannot be read here is reported, with its name, by the pass that follows.
        let Ok(block) = raw?.decode() else { break };
        for record in block.records() {
            if amends(record.kind) {
                let event = codec::decode(record.kind, record.version, record.payload);
                if let Ok(Event {
                    fact: Fact::ResultCorrected { round, .. } | Fact::RoundVoidedLate { round, .. },
                    ..
                }) = event
                {
                    amended.insert(round);
                }
            }
        }
    }
    Ok(amended)
}

/// Records of this kind change a round that has ended.
fn amends(kind: u16) -> bool {
    let names = ["ResultCorrected", "RoundVoidedLate"];
    codec::KINDS
        .iter()
        .any(|info| info.kind == kind && names.contains(&info.name))
}

struct Replay<'a> {
    table: Table,
    records: Records,
    amended: &'a BTreeSet<RoundNumber>,
    rounds: u64,
}

impl<'a> Replay<'a> {
    fn new(amended: &'a BTreeSet<RoundNumber>) -> Replay<'a> {
        Replay {
            table: Table::default(),
            records: Records::new(),
            amended,
            rounds: 0,
        }
    }

    fn block(&mut self, block: &SealedBlock) -> Result<(), VerifyError> {
        for record in block.records() {
            let wrong = |what: String| VerifyError::Record {
                sequence: record.sequence,
                what,
            };
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| wrong(error.to_string()))?;
            derive(&self.table, &event, &self.records).map_err(wrong)?;
            apply(&mut self.table, &event);
            if matches!(
                event.fact,
                Fact::RoundSettled { .. } | Fact::RoundVoided { .. }
            ) {
                self.rounds += 1;
                self.table.check().map_err(wrong)?;
                if let Some(last) = &self.table.last_record
                    && self.amended.contains(&last.number)
                {
                    self.records.insert(last.number, Arc::clone(last));
                }
            }
        }
        Ok(())
    }
}
