//! Brings a state back from its journal: newest snapshot, then every record
//! after it, each checked against the chain.

use sicbo_journal::{
    Chain, EpochNotNewer, Fault, ReadError, SaltKey, Store, StreamId, Tail, Writer,
};
use sicbo_table::codec::DecodeError;

use crate::machine::Machine;
use crate::writer_loop::{LoopOptions, WriterLoop};

/// A loop brought back.
pub struct Recovered<M: Machine, R> {
    /// Its loop, ready for input.
    pub writer_loop: WriterLoop<M, R>,
    /// Records replayed after the snapshot.
    pub replayed: u64,
    /// Sequence of the snapshot it began from, if there was one.
    pub snapshot: Option<u64>,
    /// There was a history: the stop was an interruption.
    pub interrupted: bool,
    /// What the house's clock showed after the last record; the beginning of
    /// time where there is none.
    pub last_ms: i64,
}

/// Why a state could not be brought back.
#[derive(Debug, thiserror::Error)]
pub enum RecoveryError {
    /// The store could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The chain is broken.
    #[error("the journal is broken: {0}")]
    Chain(Fault),
    /// The last records were not read.
    #[error("the journal was read to record {read_to} and ends with record {ends_with}")]
    Short {
        /// The last record that was read.
        read_to: u64,
        /// The last one there is.
        ends_with: u64,
    },
    /// A record could not be understood.
    #[error("record {sequence} cannot be read: {error}")]
    Record {
        /// Which.
        sequence: u64,
        /// Why.
        error: DecodeError,
    },
    /// The books do not balance.
    #[error("after record {sequence} the state does not balance: {what}")]
    Unbalanced {
        /// Which.
        sequence: u64,
        /// What does not hold.
        what: String,
    },
    /// Another writer is ahead.
    #[error(transparent)]
    Epoch(#[from] EpochNotNewer),
}

impl RecoveryError {
    /// Whether bits that were read wrong could be the reason: worth opening the
    /// store anew and reading again.
    #[must_use]
    pub fn may_be_misread(&self) -> bool {
        !matches!(self, RecoveryError::Epoch(_))
    }
}

/// Reads a state back and continues its stream in a new epoch.
///
/// # Errors
/// When the journal cannot be read, is broken, or does not balance.
pub fn recover<M: Machine, R>(
    store: &dyn Store,
    stream: &StreamId,
    salt: &SaltKey,
    options: LoopOptions,
) -> Result<Recovered<M, R>, RecoveryError> {
    let (
        state,
        Replayed {
            replayed,
            round_first,
            snapshot,
            last_ms,
        },
    ) = replay::<M>(store, stream)?;
    let tail = store.tail();
    let writer = Writer::resume(stream.clone(), &tail, tail.epoch + 1, salt)?;
    let writer_loop =
        WriterLoop::new(state, writer, round_first.max(1), options).replayed(replayed);
    Ok(Recovered {
        writer_loop,
        replayed,
        snapshot,
        interrupted: tail.sequence > 0,
        last_ms,
    })
}

/// What a replay found beside the state.
pub struct Replayed {
    /// Records read after the snapshot.
    pub replayed: u64,
    /// First record of the current round; 0 when there is none.
    pub round_first: u64,
    /// The record after which the snapshot was taken, if there was one.
    pub snapshot: Option<u64>,
    /// What the house's clock showed after the last record.
    pub last_ms: i64,
}

/// The state a stream comes to: newest snapshot, then every record after it.
pub fn replay<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
) -> Result<(M, Replayed), RecoveryError> {
    let (mut state, start, from) = match newest_snapshot::<M>(store)? {
        Some((state, tail)) => (state, tail, Some(tail.sequence)),
        None => (M::empty(), Tail::default(), None),
    };
    let mut chain = Chain::after(stream.clone(), start);
    let mut replayed = 0;
    let mut round_first = 0;
    let mut last_ms = None;
    for raw in store.read_from(start.sequence + 1) {
        let block = chain.accept(raw?).map_err(RecoveryError::Chain)?;
        for record in block.records() {
            let sequence = record.sequence;
            let event = M::decode(record.kind, record.version, record.payload)
                .map_err(|error| RecoveryError::Record { sequence, error })?;
            state.notes(&event, sequence, &mut round_first);
            state.apply(&event);
            replayed += 1;
            last_ms = Some(M::clock_after_ms(&event));
        }
    }
    let tail = store.tail();
    // A wrong bit in the store's index may end the blocks early. Whoever went on
    // from there would write after records that its state has never seen.
    let (read_to, ends_with) = (chain.tail().sequence, tail.sequence);
    if read_to < ends_with {
        return Err(RecoveryError::Short { read_to, ends_with });
    }
    state.check().map_err(|what| RecoveryError::Unbalanced {
        sequence: tail.sequence,
        what,
    })?;
    if round_first == 0
        && let Some(round) = state.round_in_hand()
    {
        // The current round began before the snapshot.
        let rows = store.rounds(round, 1)?;
        round_first = rows.first().map_or(1, |row| row.first_sequence);
    }
    Ok((
        state,
        Replayed {
            replayed,
            round_first,
            snapshot: from,
            last_ms: match last_ms {
                Some(last_ms) => last_ms,
                None => clock_after_last::<M>(store, tail.sequence)?,
            },
        },
    ))
}

/// What the house's clock showed after the last record, where none was replayed.
fn clock_after_last<M: Machine>(store: &dyn Store, sequence: u64) -> Result<i64, RecoveryError> {
    let Some(raw) = store.read_from(sequence.max(1)).next() else {
        return Ok(i64::MIN);
    };
    // A damaged block was refused above, or will be when it is read.
    let block = raw?.decode().ok();
    let last = block.as_ref().and_then(|block| block.records().last());
    Ok(last.map_or(i64::MIN, |record| {
        let event = M::decode(record.kind, record.version, record.payload);
        event.map_or(record.time_ms, |event| M::clock_after_ms(&event))
    }))
}

/// The newest snapshot that verifies and decodes; one that does not is as if
/// it were not there.
fn newest_snapshot<M: Machine>(store: &dyn Store) -> Result<Option<(M, Tail)>, ReadError> {
    let Some(kept) = store.latest_snapshot()? else {
        return Ok(None);
    };
    let Some(state) = M::from_snapshot(&kept.bytes) else {
        return Ok(None);
    };
    let tail = Tail {
        sequence: kept.sequence,
        header_hash: kept.header_hash,
        // Epochs only rise along the chain; the blocks after it are checked
        // against this lower bound.
        epoch: 0,
    };
    Ok(Some((state, tail)))
}
