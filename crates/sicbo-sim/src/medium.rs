//! What outlives the process: the disk under the store, with its faults.

use std::path::Path;

use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::{
    AppendError, Beside, Blocks, Failure, MemoryDisk, MemoryStore, ReadError, RoundRow,
    SealedBlock, SignedCheckpoint, Snapshot, SqliteOptions, SqliteStore, Store, StreamId, Tail,
    WalUpkeep,
};

use crate::plan::MediumKind;
use crate::random::Random;

/// What goes wrong with the next write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteFault {
    /// Reported as failed, and not there.
    Lost,
    /// Reported as failed, and there all the same.
    Kept,
    /// No room.
    DiskFull,
}

/// The disk of one world.
pub(crate) enum Medium {
    Memory(MemoryDisk),
    Sqlite(FaultDisk),
}

const FILE: &str = "table.sqlite";

impl Medium {
    pub(crate) fn new(kind: MediumKind) -> Medium {
        match kind {
            MediumKind::Memory => Medium::Memory(MemoryDisk::default()),
            MediumKind::Sqlite => Medium::Sqlite(FaultDisk::new()),
        }
    }

    /// Opens what the disk holds; a file that was never finished is begun anew.
    pub(crate) fn open(&self, stream: &StreamId) -> Result<Box<dyn Store>, String> {
        match self {
            Medium::Memory(disk) => Ok(Box::new(MemoryStore::open(stream.clone(), disk))),
            Medium::Sqlite(disk) => {
                let options = SqliteOptions {
                    upkeep: WalUpkeep::Inline,
                    vfs: Some(disk.vfs_name().to_owned()),
                };
                let path = Path::new(FILE);
                let known = disk.files().iter().any(|name| name.ends_with(FILE));
                let store = if known {
                    SqliteStore::open(path, stream.clone(), &options)
                } else {
                    SqliteStore::create(path, stream.clone(), &options)
                };
                store
                    .map(|store| Box::new(store) as Box<dyn Store>)
                    .map_err(|error| error.to_string())
            }
        }
    }

    /// The next write fails.
    pub(crate) fn fail_next(&self, fault: WriteFault) {
        match self {
            Medium::Memory(disk) => disk.fail_next_write(match fault {
                WriteFault::Lost => Failure::Lost,
                WriteFault::Kept => Failure::Kept,
                WriteFault::DiskFull => Failure::DiskFull,
            }),
            Medium::Sqlite(disk) => match fault {
                WriteFault::Lost | WriteFault::Kept => disk.fail_sync(disk.usage().syncs),
                WriteFault::DiskFull => disk.set_capacity(Some(disk.used())),
            },
        }
    }

    /// The disk dies in the middle of the write that follows: some of it may
    /// arrive, torn at any sector.
    pub(crate) fn die_within_next_write(&self, random: &mut Random) {
        match self {
            Medium::Memory(disk) => disk.fail_next_write(if random.chance(500) {
                Failure::Kept
            } else {
                Failure::Lost
            }),
            Medium::Sqlite(disk) => {
                let changes = random.below(4);
                disk.crash_at_change(disk.usage().changes + changes);
            }
        }
    }

    /// The power is gone: what the dying process would still write does not arrive.
    pub(crate) fn lose_power(&self) {
        if let Medium::Sqlite(disk) = self {
            disk.crash_at_change(disk.usage().changes);
        }
    }

    /// Power off and on: what was not synced is lost, kept or torn.
    pub(crate) fn power_cut(&self, random: &mut Random) {
        match self {
            Medium::Memory(_) => {}
            Medium::Sqlite(disk) => disk.restart(random.number()),
        }
    }

    /// Someone made room.
    pub(crate) fn make_room(&self) {
        if let Medium::Sqlite(disk) = self {
            disk.set_capacity(None);
        }
    }

    /// Flips bits of the newest snapshot. Returns whether there was one.
    pub(crate) fn damage_snapshot(&self) -> bool {
        match self {
            Medium::Memory(disk) => disk.tamper_snapshot(|snapshot| {
                if let Some(byte) = snapshot.bytes.first_mut() {
                    *byte ^= 0x40;
                }
                snapshot.sequence ^= 1;
            }),
            Medium::Sqlite(_) => false,
        }
    }
}

/// A store whose medium fails when a snapshot is kept, if it is told so.
pub(crate) struct SnapshotFails<'a> {
    pub(crate) store: &'a mut dyn Store,
    pub(crate) medium: Option<&'a Medium>,
}

impl Store for SnapshotFails<'_> {
    fn tail(&self) -> Tail {
        self.store.tail()
    }

    fn append(&mut self, block: &SealedBlock, beside: Beside<'_>) -> Result<(), AppendError> {
        self.store.append(block, beside)
    }

    fn read_from(&self, sequence: u64) -> Blocks<'_> {
        self.store.read_from(sequence)
    }

    fn put_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), AppendError> {
        if let Some(medium) = self.medium {
            medium.fail_next(WriteFault::Lost);
        }
        self.store.put_snapshot(snapshot)
    }

    fn latest_snapshot(&self) -> Result<Option<Snapshot>, ReadError> {
        self.store.latest_snapshot()
    }

    fn put_checkpoint(&mut self, checkpoint: &SignedCheckpoint) -> Result<(), AppendError> {
        self.store.put_checkpoint(checkpoint)
    }

    fn checkpoints(&self) -> Result<Vec<SignedCheckpoint>, ReadError> {
        self.store.checkpoints()
    }

    fn rounds(&self, from: u64, limit: usize) -> Result<Vec<RoundRow>, ReadError> {
        self.store.rounds(from, limit)
    }
}
