//! What outlives the process: the disk under the store, with its faults.

use std::path::Path;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use sicbo_fault_vfs::{FaultDisk, Lost, TakenAway};
use sicbo_journal::{
    AppendError, Beside, Blocks, Failure, LogKeeper, LogLimits, MemoryDisk, MemoryStore, OpenError,
    ReadError, RoundRow, SealedBlock, SignedCheckpoint, Snapshot, SqliteOptions, SqliteStore,
    Store, StreamId, Tail, Vfs, WalUpkeep,
};
use sicbo_proof::history::blocks;

use crate::canary::Canary;
use crate::careless::CarelessFiles;
use crate::plan::{MediumKind, Plan};
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
    Sqlite(Box<SqliteMedium>),
}

/// A simulated disk and who else uses it.
pub(crate) struct SqliteMedium {
    disk: FaultDisk,
    /// The store's way to the files.
    vfs: Vfs,
    /// Others use the disk too.
    shared: bool,
    log: LogLimits,
    /// A reader that stays in one transaction; another process.
    reader: Mutex<Option<SqliteStore>>,
    taken: Option<TakenAway>,
}

/// What goes wrong while a journal is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StartFault {
    PowerCut,
    SyncFailed,
    RottenRead,
}

const FILE: &str = "table.sqlite";

/// Short, so that the log is folded in and begins anew many times in a world.
const LOG: LogLimits = LogLimits {
    fold_after: 200_000,
    fold_inline_after: 600_000,
    max: 3_000_000,
    keep: 128 << 20,
};

/// So short that a log which begins anew is cut.
const CUT_LOG: LogLimits = LogLimits { keep: 0, ..LOG };

/// A store, and the connection that keeps its log short.
pub(crate) type Opened = (Box<dyn Store>, Option<LogKeeper>);

impl SqliteMedium {
    fn reader(&self) -> MutexGuard<'_, Option<SqliteStore>> {
        self.reader.lock()
    }

    fn options(&self) -> SqliteOptions {
        let vfs = self.vfs.clone();
        if self.shared {
            SqliteOptions {
                upkeep: WalUpkeep::Driven,
                vfs,
                log: self.log,
            }
        } else {
            SqliteOptions {
                upkeep: WalUpkeep::Inline,
                vfs,
                ..SqliteOptions::default()
            }
        }
    }

    fn open(&self, stream: &StreamId) -> Result<Opened, OpenError> {
        let (path, options) = (Path::new(FILE), self.options());
        let known = self.disk.files().iter().any(|name| name.ends_with(FILE));
        let store = if known {
            SqliteStore::open(path, stream.clone(), &options)
        } else {
            SqliteStore::create(path, stream.clone(), &options)
        }?;
        let keeper = match options.upkeep {
            WalUpkeep::Driven => store.log_keeper(&options)?,
            WalUpkeep::Inline | WalUpkeep::Background => None,
        };
        Ok((Box::new(store), keeper))
    }
}

impl Medium {
    /// A disk, and the store's way to it, which some canaries break.
    pub(crate) fn new(plan: &Plan, flaw: Option<Canary>) -> Medium {
        match plan.medium {
            MediumKind::Memory => Medium::Memory(MemoryDisk::default()),
            MediumKind::Sqlite => {
                let disk = FaultDisk::new();
                let vfs = match flaw {
                    None => disk.vfs(),
                    flaw => {
                        let disk = disk.clone();
                        let name = disk.vfs_name().to_owned();
                        Vfs::named(&name, Arc::new(CarelessFiles { disk, flaw }))
                    }
                };
                let lose = plan.disk.lose_truncations;
                disk.lose_truncations(lose);
                Medium::Sqlite(Box::new(SqliteMedium {
                    disk,
                    vfs,
                    shared: plan.disk.actors,
                    log: if lose { CUT_LOG } else { LOG },
                    reader: Mutex::default(),
                    taken: None,
                }))
            }
        }
    }

    /// Opens what the disk holds; a file that was never finished is begun anew.
    pub(crate) fn open(&self, stream: &StreamId) -> Result<Opened, OpenError> {
        match self {
            Medium::Memory(disk) => Ok((Box::new(MemoryStore::open(stream.clone(), disk)), None)),
            Medium::Sqlite(medium) => medium.open(stream),
        }
    }

    /// Something goes wrong while the journal is opened next.
    pub(crate) fn plan_start_fault(&self, fault: StartFault, random: &mut Random) {
        let Medium::Sqlite(medium) = self else {
            return;
        };
        let (disk, usage) = (&medium.disk, medium.disk.usage());
        match fault {
            StartFault::PowerCut => disk.crash_at_change(usage.changes + random.below(30)),
            StartFault::SyncFailed => disk.fail_sync(usage.syncs + random.below(2)),
            StartFault::RottenRead => disk.rotten_read(usage.reads + random.below(60)),
        }
    }

    /// What was planned and has not come does not come any more. Returns
    /// whether the disk is down.
    pub(crate) fn cancel_faults(&self) -> bool {
        match self {
            Medium::Memory(_) => false,
            Medium::Sqlite(medium) => {
                if medium.shared {
                    medium.disk.cancel_faults();
                }
                medium.disk.is_down()
            }
        }
    }

    /// A fault is planned that has not come yet.
    pub(crate) fn awaits_fault(&self) -> bool {
        matches!(self, Medium::Sqlite(medium) if medium.disk.awaits_fault())
    }

    /// A sync of the log's keeper fails.
    pub(crate) fn fail_sync(&self, random: &mut Random) {
        if let Medium::Sqlite(medium) = self {
            let disk = &medium.disk;
            disk.fail_sync(disk.usage().syncs + random.below(2));
        }
    }

    /// Folds the log in by a connection that has heard of no failure. Returns
    /// whether it could.
    pub(crate) fn fold_apart(&self) -> bool {
        match self {
            Medium::Memory(_) => true,
            Medium::Sqlite(medium) => medium.disk.fold_log(FILE),
        }
    }

    /// Another process begins to read, or leaves. Returns whether it reads now.
    pub(crate) fn reader_comes_or_leaves(&mut self, stream: &StreamId) -> Result<bool, String> {
        let Medium::Sqlite(medium) = self else {
            return Ok(false);
        };
        if medium.reader().take().is_some() {
            return Ok(false);
        }
        let path = Path::new(FILE);
        let reader = SqliteStore::open_read_only(path, stream.clone(), &medium.disk.vfs())
            .map_err(|error| error.to_string())?;
        let stays = reader.stay_at_this_moment();
        stays.map_err(|error| error.to_string())?;
        *medium.reader() = Some(reader);
        Ok(true)
    }

    /// The reader that is there reads all of the journal, one bit of it wrong,
    /// and is shown either what was written or that something is wrong. Returns
    /// whether it noticed.
    pub(crate) fn read_rotten(
        &self,
        stream: &StreamId,
        random: &mut Random,
    ) -> Result<bool, String> {
        let Medium::Sqlite(medium) = self else {
            return Ok(false);
        };
        let shown = {
            let reader = medium.reader();
            let Some(reader) = reader.as_ref() else {
                return Ok(false);
            };
            let reads = medium.disk.usage().reads;
            medium.disk.rotten_read(reads + random.below(20));
            // As the house's own history reads.
            blocks(reader, 1).collect::<Vec<_>>()
        };
        medium.disk.cancel_rotten_read();
        let path = Path::new(FILE);
        let other = SqliteStore::open_read_only(path, stream.clone(), &medium.disk.vfs())
            .map_err(|error| error.to_string())?;
        let mut noticed = false;
        for (shown, written) in shown.into_iter().zip(other.read_from(1)) {
            let written = written.map_err(|error| error.to_string())?;
            let written = written.decode().map_err(|error| error.to_string())?;
            match shown {
                Ok(shown) if shown.header_hash() == written.header_hash() => {}
                Ok(shown) => {
                    let at = shown.header().first_sequence;
                    return Err(format!("a reader was shown a wrong block at record {at}"));
                }
                Err(_) => noticed = true,
            }
        }
        Ok(noticed)
    }

    /// What the disk lost that nobody had synced.
    pub(crate) fn lost(&self) -> Lost {
        match self {
            Medium::Memory(_) => Lost::default(),
            Medium::Sqlite(medium) => medium.disk.lost(),
        }
    }

    pub(crate) fn has_reader(&self) -> bool {
        matches!(self, Medium::Sqlite(medium) if medium.reader().is_some())
    }

    /// Somebody removes a file of the journal under the house.
    pub(crate) fn take_away(&mut self, random: &mut Random) -> bool {
        let Medium::Sqlite(medium) = self else {
            return false;
        };
        let name = if random.chance(500) {
            FILE.to_owned()
        } else {
            format!("{FILE}-wal")
        };
        medium.taken = medium.disk.take_away(&name);
        medium.taken.is_some()
    }

    /// And puts it back.
    pub(crate) fn put_back(&mut self) {
        if let Medium::Sqlite(medium) = self
            && let Some(taken) = medium.taken.take()
        {
            medium.disk.put_back(taken);
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
            Medium::Sqlite(medium) => {
                let disk = &medium.disk;
                match fault {
                    WriteFault::Lost | WriteFault::Kept => disk.fail_sync(disk.usage().syncs),
                    WriteFault::DiskFull => disk.set_capacity(Some(disk.used())),
                }
            }
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
            Medium::Sqlite(medium) => {
                let (changes, disk) = (random.below(4), &medium.disk);
                disk.crash_at_change(disk.usage().changes + changes);
            }
        }
    }

    /// The power is gone: what the dying process would still write does not arrive.
    pub(crate) fn lose_power(&self) {
        if let Medium::Sqlite(medium) = self {
            medium.disk.crash_at_change(medium.disk.usage().changes);
        }
    }

    /// Power off and on: what was not synced is lost, kept or torn.
    pub(crate) fn power_cut(&mut self, random: &mut Random) {
        match self {
            Medium::Memory(_) => {}
            Medium::Sqlite(medium) => {
                *medium.reader() = None;
                medium.disk.restart(random.number());
            }
        }
    }

    /// Someone made room.
    pub(crate) fn make_room(&self) {
        if let Medium::Sqlite(medium) = self {
            medium.disk.set_capacity(None);
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
