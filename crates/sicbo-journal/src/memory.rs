//! A store in memory, for tests and simulation. Keeps the promises of
//! [`Store`] except that its medium dies with the process; can be told to fail.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::block::{RawBlock, SealedBlock};
use crate::checkpoint::SignedCheckpoint;
use crate::hash::Hash;
use crate::store::{
    AppendError, Beside, Blocks, ReadError, RoundRow, Snapshot, Store, Tail, check_append,
    check_checkpoint, check_snapshot,
};
use crate::stream::StreamId;

/// What outlives a [`MemoryStore`]: open another store on a clone of it and
/// you see what a process restarted after a crash would see.
#[derive(Clone, Debug, Default)]
pub struct MemoryDisk(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    blocks: BTreeMap<u64, (RawBlock, Tail)>,
    rounds: BTreeMap<u64, RoundRow>,
    checkpoints: Vec<SignedCheckpoint>,
    snapshots: Vec<(Snapshot, Hash)>,
    next_failure: Option<Failure>,
}

/// How the next write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The write is reported as failed and is not there.
    Lost,
    /// The write is reported as failed and is there all the same.
    Kept,
    /// The disk is full; the write is not there.
    DiskFull,
}

impl MemoryDisk {
    /// Makes the next write of any store on this disk fail.
    pub fn fail_next_write(&self, failure: Failure) {
        self.contents().next_failure = Some(failure);
    }

    /// Damages the newest snapshot's bytes. Returns whether there is one.
    pub fn tamper_snapshot(&self, change: impl FnOnce(&mut Snapshot)) -> bool {
        let mut contents = self.contents();
        contents
            .snapshots
            .last_mut()
            .map(|(snapshot, _)| change(snapshot))
            .is_some()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // A panic elsewhere cannot leave the contents half changed: every
        // change below is made of steps that do not panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A [`Store`] on a [`MemoryDisk`].
#[derive(Debug)]
pub struct MemoryStore {
    stream: StreamId,
    disk: MemoryDisk,
    tail: Tail,
    poisoned: bool,
}

impl MemoryStore {
    /// A store on a disk of its own.
    pub fn new(stream: StreamId) -> MemoryStore {
        MemoryStore::open(stream, &MemoryDisk::default())
    }

    /// Opens what the disk holds.
    pub fn open(stream: StreamId, disk: &MemoryDisk) -> MemoryStore {
        let tail = disk
            .contents()
            .blocks
            .last_key_value()
            .map(|(_, (_, tail))| *tail);
        MemoryStore {
            stream,
            disk: disk.clone(),
            tail: tail.unwrap_or_default(),
            poisoned: false,
        }
    }

    /// The disk, to open it again or to make it fail.
    pub fn disk(&self) -> &MemoryDisk {
        &self.disk
    }

    fn write(&mut self, change: impl FnOnce(&mut Contents)) -> Result<(), AppendError> {
        let mut contents = self.disk.contents();
        match contents.next_failure.take() {
            None => {
                change(&mut contents);
                return Ok(());
            }
            Some(Failure::Kept) => change(&mut contents),
            Some(Failure::Lost) => {}
            Some(Failure::DiskFull) => {
                self.poisoned = true;
                return Err(AppendError::DiskFull);
            }
        }
        self.poisoned = true;
        Err(AppendError::Failed {
            what: "simulated failure".into(),
        })
    }

    fn check_alive(&self) -> Result<(), AppendError> {
        if self.poisoned {
            Err(AppendError::Poisoned)
        } else {
            Ok(())
        }
    }
}

impl Store for MemoryStore {
    fn tail(&self) -> Tail {
        self.tail
    }

    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        self.check_alive()?;
        check_append(&self.stream, &self.tail, block, &beside)?;
        let header = block.header();
        let tail = Tail {
            sequence: header.last_sequence,
            header_hash: block.header_hash(),
            epoch: header.epoch,
        };
        self.write(|contents| {
            contents
                .blocks
                .insert(header.first_sequence, (block.to_raw(), tail));
            for row in beside.rounds {
                contents.rounds.insert(row.round, row.clone());
            }
            contents.checkpoints.extend(beside.checkpoint.cloned());
        })?;
        self.tail = tail;
        Ok(())
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        let first = {
            let contents = self.disk.contents();
            let holder = contents.blocks.range(..=sequence).next_back();
            holder
                .filter(|(_, (_, tail))| tail.sequence >= sequence)
                .map_or(sequence, |(k, _)| *k)
        };
        let mut next = Some(first);
        Box::new(std::iter::from_fn(move || {
            let contents = self.disk.contents();
            let (first, (block, _)) = contents.blocks.range(next?..).next()?;
            next = first.checked_add(1);
            Some(Ok(block.clone()))
        }))
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        self.check_alive()?;
        let ends = self.disk.contents().blocks.values().any(|(_, tail)| {
            tail.sequence == snapshot.sequence && tail.header_hash == snapshot.header_hash
        });
        check_snapshot(ends)?;
        self.write(|contents| {
            contents
                .snapshots
                .retain(|(old, _)| old.sequence != snapshot.sequence);
            contents
                .snapshots
                .push((snapshot.clone(), snapshot.digest()));
            let surplus = contents.snapshots.len().saturating_sub(2);
            contents.snapshots.drain(..surplus);
        })
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        let contents = self.disk.contents();
        let verifies = |(snapshot, digest): &&(Snapshot, Hash)| {
            let ends = contents.blocks.values().any(|(_, tail)| {
                tail.sequence == snapshot.sequence && tail.header_hash == snapshot.header_hash
            });
            ends && snapshot.digest() == *digest
        };
        Ok(contents
            .snapshots
            .iter()
            .rev()
            .find(verifies)
            .map(|(snapshot, _)| snapshot.clone()))
    }

    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError> {
        self.check_alive()?;
        check_checkpoint(&self.stream, checkpoint, |sequence| {
            let contents = self.disk.contents();
            let tail = contents.blocks.values().map(|(_, tail)| tail);
            Ok(tail
                .rev()
                .find(|tail| tail.sequence == sequence)
                .map(|tail| tail.header_hash))
        })?;
        self.write(|contents| contents.checkpoints.push(checkpoint.clone()))
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        Ok(self.disk.contents().checkpoints.clone())
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        let contents = self.disk.contents();
        Ok(contents
            .rounds
            .range(from..)
            .take(limit)
            .map(|(_, row)| row.clone())
            .collect())
    }
}
