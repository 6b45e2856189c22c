//! Records at the end of a stream that nobody signed, left by a program of
//! block format 1 that was not stopped in good order, or where a newer key of the
//! house has not signed, left by a rotation that was cut off: finding them, and
//! signing where they end for somebody who has the key and has looked at them.

use std::ops::RangeInclusive;

use crate::checkpoint::{Checkpoint, CheckpointReason, NotSigned};
use crate::key::HouseKey;
use crate::key_ring::KeyRing;
use crate::store::{AppendError, ReadError, Store};
use crate::stream::StreamId;
use crate::verify::{Fault, FaultKind, verify_chain};

/// The last records, if nobody signed them, or if the newest key did not where
/// the one before it ended. Everything before them is verified.
pub fn unsigned_end(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
) -> Result<Option<RangeInclusive<u64>>, AdoptError> {
    look_at_end(store, stream, ring).map(|(unsigned, _)| unsigned)
}

/// As [`unsigned_end`]; and whether it is the newest key that has not signed.
fn look_at_end(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
) -> Result<(Option<RangeInclusive<u64>>, bool), AdoptError> {
    let checkpoints = store.checkpoints()?;
    let report = verify_chain(stream.clone(), store.read_from(1), checkpoints, ring)?;
    // What is shown and what is signed must be the same block.
    if report.tail.header_hash != store.tail().header_hash {
        return Err(AdoptError::Broken(Fault {
            sequence: store.tail().sequence,
            what: FaultKind::DoesNotFollow,
        }));
    }
    let end = report.tail.sequence;
    let unsigned = match report.lacks_key {
        None => report.signed_to + 1..=end,
        // At least the last one is shown.
        Some(_) => (report.checkpointed_to + 1).min(end)..=end,
    };
    let found = (!unsigned.is_empty()).then_some(unsigned);
    Ok((found, report.lacks_key.is_some()))
}

/// Signs where a stream ends, if nobody has.
pub fn adopt(
    store: &mut dyn Store,
    stream: &StreamId,
    key: &HouseKey,
    ring: &KeyRing,
    time_ms: i64,
) -> Result<Option<RangeInclusive<u64>>, AdoptError> {
    let (unsigned, lacks_key) = look_at_end(store, stream, ring)?;
    if unsigned.is_some() {
        let reason = match lacks_key {
            true => CheckpointReason::Rotated,
            false => CheckpointReason::Adopted,
        };
        sign_end(store, stream, (key, ring), time_ms, reason)?;
    }
    Ok(unsigned)
}

/// Has a new key sign where a stream ends, which was verified to be the
/// house's: from here on no key before it is believed.
pub fn take_over(
    store: &mut dyn Store,
    stream: &StreamId,
    key: &HouseKey,
    ring: &KeyRing,
    time_ms: i64,
) -> Result<(), AdoptError> {
    match store.tail().sequence {
        // Nobody has signed anything.
        0 => Ok(()),
        _ => sign_end(
            store,
            stream,
            (key, ring),
            time_ms,
            CheckpointReason::Rotated,
        ),
    }
}

fn sign_end(
    store: &mut dyn Store,
    stream: &StreamId,
    (key, ring): (&HouseKey, &KeyRing),
    time_ms: i64,
    reason: CheckpointReason,
) -> Result<(), AdoptError> {
    let tail = store.tail();
    let checkpoint = Checkpoint {
        house: ring.house(),
        stream: stream.clone(),
        sequence: tail.sequence,
        header_hash: tail.header_hash,
        time_ms,
        reason,
    };
    Ok(store.put_checkpoint(&checkpoint.sign(key)?)?)
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    /// The stream could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What comes before is not the house's.
    #[error("{0}; nothing was signed")]
    Broken(#[from] Fault),
    /// The signature could not be kept.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The house's key signed nothing.
    #[error(transparent)]
    NotSigned(#[from] NotSigned),
}
