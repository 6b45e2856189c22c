//! The snapshots of a stream beside the states that its records come to. A
//! start begins from a snapshot, so a verifier holds each to what it stands for.

use std::collections::BTreeMap;

use sicbo_journal::{Header, KeyRing, ReadError, Seals, Snapshot, Store, StreamId};
use sicbo_loop::Machine;

use super::VerifyError;

/// The most that are looked at; a store keeps two.
const MOST: usize = 8;

/// Snapshots by the record they follow.
pub(crate) struct Snapshots {
    waiting: BTreeMap<u64, Kept>,
    /// Records under which one stands that is of no block.
    misfiled: Vec<u64>,
}

struct Kept {
    snapshot: Snapshot,
    /// Its block is signed, and it is not by the same writer.
    unsigned: bool,
}

impl Snapshots {
    pub(crate) fn read(
        store: &dyn Store,
        stream: &StreamId,
        ring: &KeyRing,
    ) -> Result<Snapshots, ReadError> {
        let mut waiting = BTreeMap::new();
        let mut found = store.latest_snapshot()?;
        while let Some(snapshot) = found
            && waiting.len() < MOST
        {
            let sequence = snapshot.sequence;
            let block = store.read_from(sequence).next().transpose()?;
            let header = block.map_or_else(|| Vec::new().into(), |block| block.header);
            let sealed = Header::decode(&header).is_ok_and(|header| header.seal.is_some());
            let signed = Seals::new(ring).after_snapshot(stream, &snapshot, &header);
            let unsigned = sealed && signed.is_none();
            waiting.insert(sequence, Kept { snapshot, unsigned });
            found = store.snapshot_before(sequence)?;
        }
        let misfiled = store.misfiled_snapshots()?;
        Ok(Snapshots { waiting, misfiled })
    }

    /// When all blocks were read: what nothing was held to. A running house may
    /// have written a block since the last that was read.
    pub(crate) fn left_over(&self, read_to: u64) -> impl Iterator<Item = VerifyError> {
        let waiting = self.waiting.keys().filter(move |at| **at <= read_to);
        let rows = waiting.chain(&self.misfiled);
        rows.map(|at| VerifyError::record(*at, "a snapshot is filed under it that is of no block"))
    }

    /// Holds the snapshot after this record, if there is one, to the state.
    pub(crate) fn compare<M: Machine>(&mut self, sequence: u64, state: &M) -> Result<(), String> {
        let Some(Kept { snapshot, unsigned }) = self.waiting.remove(&sequence) else {
            return Ok(());
        };
        if unsigned {
            return Err(
                "the snapshot after it is not signed by the writer of its block".to_owned(),
            );
        }
        // One in the form of an earlier program is used by none today.
        let Some(kept) = M::from_snapshot(snapshot.state()) else {
            return Ok(());
        };
        if kept.snapshot() == state.snapshot() {
            Ok(())
        } else {
            Err("the snapshot after it is not the state its records come to".to_owned())
        }
    }
}
