//! Brings a state back from its journal: newest snapshot that the house signed,
//! then every record after it, each checked against the chain and its seal.
//! Nothing is believed that could be written without the house's key.

use sicbo_journal::{
    Chain, Fault, FaultKind, Header, KeyRing, ReadError, Record, ResumeError, Seals, Signatory,
    Store, StreamId, Tail, TakenOver, Writer,
};
use sicbo_table::codec::DecodeError;

use crate::machine::Machine;
use crate::persist::RoundChange;
use crate::writer_loop::{LoopOptions, WriterLoop};

/// A loop brought back.
pub struct Recovered<M: Machine, R> {
    /// Its loop, ready for input.
    pub writer_loop: WriterLoop<M, R>,
    /// Records replayed after the snapshot.
    pub replayed: u64,
    /// Sequence of the snapshot it began from, if there was one.
    pub snapshot: Option<u64>,
    /// First record of the current round; 0 when there is none.
    pub round_first: u64,
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
    /// Nobody signed the last records.
    #[error(
        "records {from} to {to} are the last and nobody signed them: the program that wrote them \
         was not stopped in good order, or they were put there. `sicbo key adopt` shows them and \
         has the house's key sign them"
    )]
    Unsigned {
        /// The first of them.
        from: u64,
        /// The last one there is.
        to: u64,
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
    /// Another writer is ahead, or the house's key certified none.
    #[error(transparent)]
    Writer(#[from] ResumeError),
}

impl RecoveryError {
    /// Whether bits that were read wrong could be the reason: worth opening the
    /// store anew and reading again.
    #[must_use]
    pub fn may_be_misread(&self) -> bool {
        !matches!(self, RecoveryError::Writer(_))
    }
}

/// Reads a state back and continues its stream in a new epoch.
///
/// # Errors
/// When the journal cannot be read, is broken, is not the house's to its last
/// record, or does not balance.
pub fn recover<M: Machine, R>(
    store: &dyn Store,
    stream: &StreamId,
    signatory: &Signatory,
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
    ) = replay_to::<M>(End::Signed, store, stream, Some(signatory.ring()))?;
    let tail = store.tail();
    let writer = Writer::resume(stream.clone(), &tail, store.next_epoch(), signatory)?;
    let writer_loop =
        WriterLoop::new(state, writer, round_first.max(1), options).replayed(replayed);
    Ok(Recovered {
        writer_loop,
        replayed,
        snapshot,
        round_first,
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
/// Without the house's public keys no signature can be checked and no snapshot
/// is believed: everything is replayed.
///
/// # Errors
/// As for [`recover`].
pub fn replay<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    ring: Option<&KeyRing>,
) -> Result<(M, Replayed), RecoveryError> {
    replay_to::<M>(End::Any, store, stream, ring)
}

/// How a stream must end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// In a record that the house signed: somebody goes on from it.
    Signed,
    /// Anyhow.
    Any,
}

fn replay_to<M: Machine>(
    end: End,
    store: &dyn Store,
    stream: &StreamId,
    ring: Option<&KeyRing>,
) -> Result<(M, Replayed), RecoveryError> {
    // Only a house that has rotated its key has something to be held to.
    let taken_over = match ring {
        Some(ring) if ring.keys().nth(1).is_some() => TakenOver::find(ring, &store.checkpoints()?),
        _ => Vec::new(),
    };
    let seals = |ring| Seals::new(ring).held_to(taken_over.clone());
    match replay_checking::<M>(end, store, stream, (ring.map(seals), &taken_over)) {
        // A wrong signature was found at the end of a writer's blocks: the
        // first that is wrong is to be named.
        Err(RecoveryError::Chain(Fault {
            what: FaultKind::Seal(_),
            ..
        })) => {
            let every_one = ring.map(|ring| seals(ring).every_one());
            replay_checking::<M>(end, store, stream, (every_one, &taken_over))
        }
        done => done,
    }
}

fn replay_checking<M: Machine>(
    end: End,
    store: &dyn Store,
    stream: &StreamId,
    (mut seals, taken_over): (Option<Seals<'_>>, &[TakenOver]),
) -> Result<(M, Replayed), RecoveryError> {
    let believed = match &mut seals {
        Some(seals) => newest_snapshot::<M>(store, stream, seals)?,
        None => None,
    };
    let (mut state, start, from) = match believed {
        Some((state, tail)) => (state, tail, Some(tail.sequence)),
        None => (M::empty(), Tail::default(), None),
    };
    if let Some(seals) = &mut seals {
        check_signed(store, stream, start, (seals, taken_over))?;
        if end == End::Signed {
            seals.check_end().map_err(RecoveryError::Chain)?;
        }
        if end == End::Signed && seals.signed_to() < store.tail().sequence {
            check_end_signed(store, seals.ring())?;
        }
    }
    let mut chain = Chain::after(stream.clone(), start);
    let mut replayed = 0;
    let mut round_first = 0;
    let mut last_ms = None;
    for raw in store.read_from(start.sequence + 1) {
        let block = chain.accept(raw?).map_err(RecoveryError::Chain)?;
        for record in block.records() {
            let sequence = record.sequence;
            let event = decoded::<M>(&record)?;
            state.notes(&event, sequence, &mut round_first);
            state.apply(&event);
            replayed += 1;
            last_ms = Some(M::clock_after_ms(&event));
        }
    }
    let tail = store.tail();
    check_read_to_the_end(&chain, tail)?;
    state.check().map_err(|what| RecoveryError::Unbalanced {
        sequence: tail.sequence,
        what,
    })?;
    if round_first == 0
        && let Some(round) = state.round_in_hand()
    {
        // The current round began before the snapshot.
        round_first = first_of_round(store, stream, &state, round, start)?;
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

fn decoded<M: Machine>(record: &Record<'_>) -> Result<M::Event, RecoveryError> {
    let sequence = record.sequence;
    M::decode(record.kind, record.version, record.payload)
        .map_err(|error| RecoveryError::Record { sequence, error })
}

/// The first record of a round that began before the snapshot after `until`.
///
/// Nobody signed the row of the index that names it, so the row only says where
/// to begin reading: the record itself is found, in blocks that lead to the
/// snapshot's. A row that leads elsewhere costs a reading of the whole journal.
fn first_of_round<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    state: &M,
    round: u64,
    until: Tail,
) -> Result<u64, RecoveryError> {
    let rows = store.rounds(round, 1)?;
    let named = rows.iter().find(|row| row.round == round);
    if let Some(first) = named.map(|row| row.first_sequence)
        && first <= until.sequence
        && begins_at(store, stream, state, (round, first), until).unwrap_or(false)
    {
        return Ok(first);
    }
    let found = round_began(store, stream, state, round, until)?;
    found.ok_or_else(|| RecoveryError::Unbalanced {
        sequence: until.sequence,
        what: format!("no record begins round {round}"),
    })
}

/// Whether a record begins a round, in a block that leads to `until`: of those in
/// between only the headers are read.
fn begins_at<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    state: &M,
    (round, first): (u64, u64),
    until: Tail,
) -> Result<bool, RecoveryError> {
    let Some(raw) = store.read_from(first.max(1)).next().transpose()? else {
        return Ok(false);
    };
    let mut chain = before(stream, &raw.header);
    let block = chain.accept(raw).map_err(RecoveryError::Chain)?;
    let Some(record) = block.records().find(|record| record.sequence == first) else {
        return Ok(false);
    };
    if !begins(state, &record, round)? {
        return Ok(false);
    }
    let mut headers = store.headers_from(chain.tail().sequence + 1);
    while chain.tail().sequence < until.sequence
        && let Some(raw) = headers.next()
    {
        chain.accept_header(&raw?).map_err(RecoveryError::Chain)?;
    }
    Ok(leads_to(&chain, until))
}

/// A chain that begins with the block of this header: what comes before it is
/// nothing to whoever asks.
fn before(stream: &StreamId, header: &[u8]) -> Chain {
    let before = Header::decode(header).map_or_else(
        |_| Tail::default(),
        |header| Tail {
            sequence: header.first_sequence - 1,
            header_hash: header.previous,
            epoch: 0,
        },
    );
    Chain::after(stream.clone(), before)
}

fn leads_to(chain: &Chain, until: Tail) -> bool {
    let tail = chain.tail();
    (tail.sequence, tail.header_hash) == (until.sequence, until.header_hash)
}

fn begins<M: Machine>(state: &M, record: &Record<'_>, round: u64) -> Result<bool, RecoveryError> {
    let mut first = 0;
    let notes = state.notes(&decoded::<M>(record)?, record.sequence, &mut first);
    let Some(RoundChange::Row(row)) = notes.round else {
        return Ok(false);
    };
    Ok(first == record.sequence && row.round == round)
}

/// Where a round begins among all blocks that lead to `until`.
fn round_began<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    state: &M,
    round: u64,
    until: Tail,
) -> Result<Option<u64>, RecoveryError> {
    let mut chain = Chain::after(stream.clone(), Tail::default());
    let mut began = None;
    for raw in store.read_from(1) {
        let block = chain.accept(raw?).map_err(RecoveryError::Chain)?;
        for record in block.records() {
            if begins(state, &record, round)? {
                began = Some(record.sequence);
            }
        }
        if chain.tail().sequence >= until.sequence {
            break;
        }
    }
    Ok(began.filter(|_| leads_to(&chain, until)))
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

/// Follows the headers to the end before anything is made of the records: what
/// nobody signed is not even looked at.
fn check_signed(
    store: &dyn Store,
    stream: &StreamId,
    start: Tail,
    (seals, taken_over): (&mut Seals<'_>, &[TakenOver]),
) -> Result<(), RecoveryError> {
    let mut chain = Chain::after(stream.clone(), start);
    let ends = store.tail().sequence;
    if let Some(gone) = taken_over.iter().find(|over| over.sequence > ends) {
        return Err(RecoveryError::Chain(Fault {
            sequence: ends + 1,
            what: FaultKind::Truncated {
                signed_to: gone.sequence,
            },
        }));
    }
    for raw in store.headers_from(start.sequence + 1) {
        let raw = raw?;
        let header = chain.accept_header(&raw).map_err(RecoveryError::Chain)?;
        for over in taken_over {
            let there = over.check(&header, || chain.tail().header_hash);
            there.map_err(RecoveryError::Chain)?;
        }
        let sealed = seals.accept_header(&header, &raw.header);
        sealed.map_err(RecoveryError::Chain)?;
    }
    check_read_to_the_end(&chain, store.tail())?;
    seals.check_last().map_err(RecoveryError::Chain)
}

/// The blocks that were read must lead to the one that the store ends with.
///
/// A wrong bit in the store's index may end the blocks early: whoever went on
/// from there would write after records that its state has never seen. And a row
/// that covers others could lead the reader past them to a block that nobody
/// signed, while the signed end lies untouched beside it.
fn check_read_to_the_end(chain: &Chain, tail: Tail) -> Result<(), RecoveryError> {
    let (read_to, ends_with) = (chain.tail().sequence, tail.sequence);
    if read_to < ends_with {
        return Err(RecoveryError::Short { read_to, ends_with });
    }
    if chain.tail().header_hash != tail.header_hash {
        return Err(RecoveryError::Chain(Fault {
            sequence: ends_with,
            what: FaultKind::DoesNotFollow,
        }));
    }
    Ok(())
}

/// A stream of a program that signed no blocks must end in a checkpoint, which
/// that program made when it was stopped in good order.
fn check_end_signed(store: &dyn Store, ring: &KeyRing) -> Result<(), RecoveryError> {
    let tail = store.tail();
    let mut signed_to = 0;
    for signed in store.checkpoints()? {
        let checkpoint = signed.checkpoint();
        let is_of_tail =
            checkpoint.sequence == tail.sequence && checkpoint.header_hash == tail.header_hash;
        if signed.verify(ring).is_ok() {
            if is_of_tail {
                return Ok(());
            }
            signed_to = signed_to.max(checkpoint.sequence);
        }
    }
    Err(RecoveryError::Unsigned {
        from: signed_to.min(tail.sequence - 1) + 1,
        to: tail.sequence,
    })
}

/// The newest snapshot that the writer of its block signed and that decodes; one
/// that does not is as if it were not there. The seals then go on after its block.
fn newest_snapshot<M: Machine>(
    store: &dyn Store,
    stream: &StreamId,
    seals: &mut Seals<'_>,
) -> Result<Option<(M, Tail)>, ReadError> {
    let mut found = store.latest_snapshot()?;
    while let Some(kept) = found {
        let block = store.read_from(kept.sequence).next().transpose()?;
        let believed = block.and_then(|block| {
            let (after, state) = seals.after_snapshot(stream, &kept, &block.header)?;
            Some((after, M::from_snapshot(state)?))
        });
        if let Some((after, state)) = believed {
            *seals = after;
            let tail = Tail {
                sequence: kept.sequence,
                header_hash: kept.header_hash,
                // Epochs only rise along the chain; the blocks after it are
                // checked against this lower bound.
                epoch: 0,
            };
            return Ok(Some((state, tail)));
        }
        found = store.snapshot_before(kept.sequence)?;
    }
    Ok(None)
}
