//! Adds to an earlier backup what the house has written since: only new blocks
//! are read and written, and a year of journals is not copied every night.
//!
//! The backup stays an ordinary data folder. A block is added only behind the
//! very block it follows in the house; whether the two folders belong together
//! is therefore known before anything is written. Each block is one transaction:
//! an addition that is cut off leaves an older backup, and is simply made again.

use std::collections::BTreeSet;
use std::path::Path;

use sicbo_journal::{
    Beside, Chain, DataFolder, KeyRing, SignedCheckpoint, Snapshot, SqliteStore, Store, StreamId,
    Tail,
};
use sicbo_table::Table;

use crate::backup::{BackupError, copy_keys, sync};
use crate::machine::Machine;
use crate::persist::rows;
use crate::recovery::replay;
use crate::register::Register;
use crate::source::{self, HOUSE_STREAM, Journals};

/// What was added to one stream of a backup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// The stream.
    pub stream: StreamId,
    /// The last record the backup had; 0 for a new stream.
    pub before: u64,
    /// The last record it has now.
    pub last: u64,
    /// Checkpoints among what is new, whose signatures were verified.
    pub signed: u64,
}

/// Adds what is new in a house's data folder to an earlier backup of it, also
/// while the house runs. New blocks are verified against the chain of the
/// backup and the house's signatures; what was there before is not read again.
///
/// # Errors
/// When the two do not belong together, a block or signature does not verify,
/// or a folder cannot be read or written. The backup then holds what was added
/// so far, which is whole in itself.
pub fn add(from: &Path, to: &Path, with_secrets: bool) -> Result<Vec<Added>, BackupError> {
    let journals = Journals::folder(from)?;
    let purpose = DataFolder::purpose(from)?;
    let base = Journals::folder(to)?;
    if let (Some(house), Some(copy)) = (&journals.ring, &base.ring)
        && house.house() != copy.house()
    {
        return Err(BackupError::AnotherHouse {
            path: to.to_owned(),
        });
    }
    // Nobody runs a house on the backup, and nobody else adds to it.
    let folder = DataFolder::open_for(to, purpose)?;
    // First everything is looked at, so that a backup of another journal is
    // refused before it is touched.
    let mut streams = Vec::new();
    for (stream, path) in journals.tables_first() {
        let house = source::open(stream, path)?;
        let copy = DataFolder::stream_path(to, stream);
        if copy.exists() {
            let tail = source::open(stream, &copy)?.tail();
            check_joins(&house, stream, &tail)?;
        }
        streams.push((stream, house));
    }
    let mut added = Vec::new();
    for (stream, house) in &streams {
        let mut copy = folder.open_or_create_stream(stream)?;
        let ring = journals.ring.as_ref();
        added.push(if stream.as_str() == HOUSE_STREAM {
            add_stream::<Register>(house, &mut copy, stream, ring)?
        } else {
            add_stream::<Table>(house, &mut copy, stream, ring)?
        });
    }
    copy_keys(&from.join("keys"), &folder.keys_path(), with_secrets)?;
    drop(folder);
    let io = |error: std::io::Error| BackupError::Io {
        path: to.to_owned(),
        what: error.to_string(),
    };
    std::fs::remove_file(to.join("lock")).map_err(io)?;
    sync(Some(to)).map_err(io)?;
    Ok(added)
}

/// The house must hold the block that the backup ends with.
fn check_joins(house: &SqliteStore, stream: &StreamId, tail: &Tail) -> Result<(), BackupError> {
    if tail.sequence == 0 {
        return Ok(());
    }
    let found = house.read_from(tail.sequence).next();
    let found = found
        .transpose()?
        .and_then(|raw| raw.decode().ok())
        .is_some_and(|block| {
            block.header().last_sequence == tail.sequence && block.header_hash() == tail.header_hash
        });
    if found {
        Ok(())
    } else {
        Err(BackupError::DoesNotJoin {
            stream: stream.clone(),
            sequence: tail.sequence,
        })
    }
}

fn add_stream<M: Machine>(
    house: &SqliteStore,
    copy: &mut SqliteStore,
    stream: &StreamId,
    ring: Option<&KeyRing>,
) -> Result<Added, BackupError> {
    let damaged = |sequence: u64, what: String| BackupError::Damaged {
        stream: stream.clone(),
        sequence,
        what,
    };
    let (before, last) = (copy.tail(), house.tail().sequence);
    let mut signed = new_checkpoints(house, copy, last)?;
    if let Some(ring) = ring {
        for one in &signed {
            let sequence = one.checkpoint().sequence;
            one.verify(ring)
                .map_err(|error| damaged(sequence, error.to_string()))?;
        }
    }
    let count = signed.len() as u64;
    signed.reverse();
    // What is signed over blocks the backup has already.
    while let Some(one) = signed.pop_if(|one| one.checkpoint().sequence <= before.sequence) {
        copy.put_checkpoint(&one)?;
    }
    let (mut state, found) =
        replay::<M>(copy, stream).map_err(|error| damaged(before.sequence, error.to_string()))?;
    let mut first = found.round_first;
    let mut chain = Chain::after(stream.clone(), before);
    for raw in house.read_from(before.sequence + 1) {
        let raw = raw?;
        let block = chain
            .accept(raw)
            .map_err(|fault| damaged(fault.sequence, fault.what.to_string()))?;
        let end = block.header().last_sequence;
        if end > last {
            break;
        }
        let mut changes = Vec::new();
        for record in block.records() {
            let event = M::decode(record.kind, record.version, record.payload)
                .map_err(|error| damaged(record.sequence, error.to_string()))?;
            changes.extend(state.notes(&event, record.sequence, &mut first).round);
            state.apply(&event);
        }
        let own = signed.pop_if(|one| one.checkpoint().sequence <= end);
        let beside = Beside {
            rounds: &rows(copy, &changes),
            checkpoint: own.as_ref(),
        };
        copy.append(&block, beside)?;
        while let Some(more) = signed.pop_if(|one| one.checkpoint().sequence <= end) {
            copy.put_checkpoint(&more)?;
        }
    }
    let tail = copy.tail();
    if tail.sequence > before.sequence {
        // The next addition begins from here instead of the beginning.
        copy.put_snapshot(&Snapshot {
            sequence: tail.sequence,
            header_hash: tail.header_hash,
            bytes: state.snapshot(),
        })?;
    }
    Ok(Added {
        stream: stream.clone(),
        before: before.sequence,
        last: tail.sequence,
        signed: count,
    })
}

/// The house's checkpoints that the backup lacks, in order.
fn new_checkpoints(
    house: &SqliteStore,
    copy: &SqliteStore,
    last: u64,
) -> Result<Vec<SignedCheckpoint>, BackupError> {
    let known = copy.checkpoints()?;
    let known: BTreeSet<&str> = known.iter().map(SignedCheckpoint::message).collect();
    let mut signed = house.checkpoints()?;
    signed.retain(|one| one.checkpoint().sequence <= last && !known.contains(one.message()));
    signed.sort_by_key(|one| one.checkpoint().sequence);
    Ok(signed)
}
