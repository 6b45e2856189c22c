//! Reads a stream's blocks for a verifier: each against itself, against the
//! chain, its seal and the checkpoints. What is wrong is noted, and reading goes
//! on with the next block. Knows no payload.

use sicbo_journal::{
    Fault, FaultKind, KeyRing, RawBlock, ReadError, Report, SealedBlock, Store, StreamId, Verifier,
};

use super::VerifyError;

/// After so many faults of one stream nobody needs the next.
pub(crate) const MAX_FAULTS: usize = 100;

/// Everything found wrong with one stream, in the order it was found.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) found: Vec<VerifyError>,
}

impl Faults {
    pub(crate) fn push(&mut self, fault: impl Into<VerifyError>) {
        if !self.is_full() {
            self.found.push(fault.into());
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MAX_FAULTS
    }

    /// A seal is wrong: which block is the first takes another look.
    pub(crate) fn has_seal(&self) -> bool {
        self.found.iter().any(|fault| {
            let VerifyError::Chain(fault) = fault else {
                return false;
            };
            matches!(fault.what, FaultKind::Seal(_))
        })
    }

    /// Both, by record.
    pub(crate) fn and(mut self, others: Faults) -> Faults {
        self.found.extend(others.found);
        // Stable: what the chain says of a record comes before what it means.
        // The index of rounds is derived from both and comes last.
        self.found.sort_by_key(|fault| {
            let is_index = matches!(fault, VerifyError::Index { .. });
            (is_index, fault.sequence().unwrap_or(u64::MAX))
        });
        self.found.truncate(MAX_FAULTS);
        self
    }
}

/// Reads all blocks and hands each to `take` until it has seen enough.
pub(crate) fn read(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    every_seal: bool,
    mut take: impl FnMut(SealedBlock) -> bool,
) -> Result<(Report, Faults), ReadError> {
    let mut faults = Faults::default();
    let (checkpoints, unreadable) = store.examine_checkpoints()?;
    for error in unreadable {
        faults.push(error);
    }
    let mut verifier = Verifier::new(stream.clone(), ring, checkpoints);
    if every_seal {
        verifier = verifier.every_seal();
    }
    let mut next = 1;
    let mut after_unreadable = false;
    let mut stopped = false;
    for raw in store.read_from(1) {
        let raw: RawBlock = match raw {
            Ok(raw) => raw,
            // A disk that cannot be read says nothing of the journal.
            Err(error @ ReadError::Failed { .. }) => return Err(error),
            Err(error) => {
                faults.push(Fault::unreadable(next, error));
                break;
            }
        };
        if std::mem::take(&mut after_unreadable) {
            verifier.skip_to(&raw.header);
        }
        match Verifier::decode(raw) {
            Ok(block) => {
                verifier.examine(&block, &mut |fault| faults.push(fault));
                next = block.header().last_sequence + 1;
                if faults.is_full() || !take(block) {
                    stopped = true;
                    break;
                }
            }
            Err(fault) => {
                faults.push(fault);
                after_unreadable = true;
            }
        }
    }
    let report = verifier.finish_examining(&mut |fault| faults.push(fault));
    // A row that covers others could lead past the block that the store ends
    // with. A house that runs may have gone on since the store was opened.
    let (read, ends) = (report.tail, store.tail());
    if !stopped && read.sequence <= ends.sequence && read.header_hash != ends.header_hash {
        faults.push(Fault {
            sequence: ends.sequence,
            what: FaultKind::DoesNotFollow,
        });
    }
    Ok((report, faults))
}
