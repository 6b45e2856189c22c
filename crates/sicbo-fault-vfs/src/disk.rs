//! The simulated disk: what files hold, what of it is durable, and which fault
//! comes when. Knows nothing of SQLite's C interface.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The unit that is written whole or not at all.
const SECTOR: usize = 512;

/// A disk shared by all its users. Clones are the same disk.
#[derive(Clone)]
pub struct FaultDisk {
    shared: Arc<Mutex<Disk>>,
    vfs: Arc<str>,
}

/// How much was asked of the disk, for choosing where to fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Writes, truncations, deletions and syncs.
    pub changes: u64,
    /// Syncs among them.
    pub syncs: u64,
    /// Reads.
    pub reads: u64,
}

#[derive(Default)]
pub(crate) struct Disk {
    files: BTreeMap<String, File>,
    usage: Usage,
    crash_at_change: Option<u64>,
    fail_sync: Option<u64>,
    short_read: Option<u64>,
    capacity: Option<usize>,
    read_only: bool,
    down: bool,
}

#[derive(Clone, Default)]
struct File {
    /// What readers see.
    live: Vec<u8>,
    /// What is on the platter.
    durable: Vec<u8>,
    /// What was changed since the last sync, in order.
    unsynced: Vec<Change>,
}

#[derive(Clone)]
enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Truncate { length: usize },
}

/// Why the disk did not do as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiskError {
    Down,
    Full,
    SyncFailed,
    ReadOnly,
    NotFound,
}

impl Change {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Change::Write { at, bytes } => {
                let end = at + bytes.len();
                if to.len() < end {
                    to.resize(end, 0);
                }
                to[*at..end].copy_from_slice(bytes);
            }
            Change::Truncate { length } => to.truncate(*length),
        }
    }
}

impl FaultDisk {
    /// An empty disk, registered with SQLite under [`FaultDisk::vfs_name`].
    #[expect(
        clippy::new_without_default,
        reason = "making one registers it with SQLite"
    )]
    pub fn new() -> FaultDisk {
        let shared = Arc::new(Mutex::new(Disk::default()));
        let vfs = crate::vfs::register(shared.clone()).into();
        FaultDisk { shared, vfs }
    }

    /// The name to open SQLite connections with.
    pub fn vfs_name(&self) -> &str {
        &self.vfs
    }

    /// What was asked of the disk since the last restart.
    pub fn usage(&self) -> Usage {
        self.disk().usage
    }

    /// The disk dies at this change, counted from the last restart: the change
    /// is in flight and everything after it fails.
    pub fn crash_at_change(&self, number: u64) {
        self.disk().crash_at_change = Some(number);
    }

    /// This sync fails, counted from the last restart. As on a real system
    /// the unsynced writes are given up: a later sync does not bring them back.
    pub fn fail_sync(&self, number: u64) {
        self.disk().fail_sync = Some(number);
    }

    /// This read, counted from the last restart, delivers only half.
    pub fn short_read(&self, number: u64) {
        self.disk().short_read = Some(number);
    }

    /// Files together may not grow beyond this many bytes; `None` for no bound.
    pub fn set_capacity(&self, bytes: Option<usize>) {
        self.disk().capacity = bytes;
    }

    /// Every change is forbidden from here on, or allowed again.
    pub fn set_read_only(&self, read_only: bool) {
        self.disk().read_only = read_only;
    }

    /// Bytes in all files.
    pub fn used(&self) -> usize {
        self.disk().files.values().map(|file| file.live.len()).sum()
    }

    /// Power off and on. Of what was not synced, each write survives, is lost
    /// or is torn as the seed says. All planned faults are cleared.
    pub fn restart(&self, seed: u64) {
        let mut disk = self.disk();
        let mut random = Random(seed);
        for file in disk.files.values_mut() {
            for change in std::mem::take(&mut file.unsynced) {
                match (random.below(3), change) {
                    (0, _) => {}
                    (1, change) => change.apply(&mut file.durable),
                    (_, Change::Write { at, bytes }) => {
                        // Any subset of the write's sectors arrives.
                        for (number, sector) in bytes.chunks(SECTOR).enumerate() {
                            if random.below(2) == 0 {
                                let at = at + number * SECTOR;
                                let change = Change::Write {
                                    at,
                                    bytes: sector.to_vec(),
                                };
                                change.apply(&mut file.durable);
                            }
                        }
                    }
                    (_, change) => change.apply(&mut file.durable),
                }
            }
            file.live = file.durable.clone();
        }
        disk.usage = Usage::default();
        (disk.crash_at_change, disk.fail_sync, disk.short_read) = (None, None, None);
        disk.down = false;
    }

    /// The files' names.
    pub fn files(&self) -> Vec<String> {
        self.disk().files.keys().cloned().collect()
    }

    /// A file's bytes as a reader sees them; empty if there is none.
    pub fn read_file(&self, name: &str) -> Vec<u8> {
        self.disk()
            .files
            .get(name)
            .map(|file| file.live.clone())
            .unwrap_or_default()
    }

    /// Replaces a file, durably, behind its users' backs.
    pub fn write_file(&self, name: &str, bytes: &[u8]) {
        let file = File {
            live: bytes.to_vec(),
            durable: bytes.to_vec(),
            unsynced: Vec::new(),
        };
        self.disk().files.insert(name.to_owned(), file);
    }

    /// Removes a file behind its users' backs.
    pub fn remove_file(&self, name: &str) {
        self.disk().files.remove(name);
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The operations SQLite asks for.
impl Disk {
    pub(crate) fn exists(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    pub(crate) fn open(&mut self, name: &str, create: bool) -> Result<(), DiskError> {
        if self.down {
            return Err(DiskError::Down);
        }
        if !self.exists(name) {
            if !create {
                return Err(DiskError::NotFound);
            }
            if self.read_only {
                return Err(DiskError::ReadOnly);
            }
            if self.capacity == Some(0) {
                return Err(DiskError::Full);
            }
            self.files.insert(name.to_owned(), File::default());
        }
        Ok(())
    }

    /// Counts a change and says whether it may still happen; `Err(Down)` at
    /// the planned moment, when the change itself is in flight.
    fn change(&mut self) -> Result<(), DiskError> {
        if self.down {
            return Err(DiskError::Down);
        }
        if self.read_only {
            return Err(DiskError::ReadOnly);
        }
        let number = self.usage.changes;
        self.usage.changes += 1;
        if self.crash_at_change == Some(number) {
            self.down = true;
            return Err(DiskError::Down);
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, name: &str, at: usize, bytes: &[u8]) -> Result<(), DiskError> {
        let was_up = !self.down && !self.read_only;
        let allowed = self.change();
        let used: usize = self.files.values().map(|file| file.live.len()).sum();
        let file = self.files.get_mut(name).ok_or(DiskError::NotFound)?;
        let growth = (at + bytes.len()).saturating_sub(file.live.len());
        if growth > 0
            && self
                .capacity
                .is_some_and(|capacity| used + growth > capacity)
        {
            return Err(DiskError::Full);
        }
        if was_up {
            let change = Change::Write {
                at,
                bytes: bytes.to_vec(),
            };
            change.apply(&mut file.live);
            file.unsynced.push(change);
        }
        allowed
    }

    pub(crate) fn truncate(&mut self, name: &str, length: usize) -> Result<(), DiskError> {
        self.change()?;
        let file = self.files.get_mut(name).ok_or(DiskError::NotFound)?;
        let change = Change::Truncate { length };
        change.apply(&mut file.live);
        file.unsynced.push(change);
        Ok(())
    }

    pub(crate) fn sync(&mut self, name: &str) -> Result<(), DiskError> {
        self.change()?;
        let number = self.usage.syncs;
        self.usage.syncs += 1;
        let file = self.files.get_mut(name).ok_or(DiskError::NotFound)?;
        let changes = std::mem::take(&mut file.unsynced);
        if self.fail_sync == Some(number) {
            return Err(DiskError::SyncFailed);
        }
        changes
            .iter()
            .for_each(|change| change.apply(&mut file.durable));
        Ok(())
    }

    pub(crate) fn delete(&mut self, name: &str) -> Result<(), DiskError> {
        self.change()?;
        self.files
            .remove(name)
            .map(|_| ())
            .ok_or(DiskError::NotFound)
    }

    pub(crate) fn length(&self, name: &str) -> Result<usize, DiskError> {
        if self.down {
            return Err(DiskError::Down);
        }
        self.files
            .get(name)
            .map(|file| file.live.len())
            .ok_or(DiskError::NotFound)
    }

    /// Fills the buffer as far as it can and says how far.
    pub(crate) fn read(
        &mut self,
        name: &str,
        at: usize,
        into: &mut [u8],
    ) -> Result<usize, DiskError> {
        if self.down {
            return Err(DiskError::Down);
        }
        let number = self.usage.reads;
        self.usage.reads += 1;
        let file = self.files.get(name).ok_or(DiskError::NotFound)?;
        let there = file.live.get(at..).unwrap_or_default();
        let mut count = there.len().min(into.len());
        if self.short_read == Some(number) {
            count /= 2;
        }
        into[..count].copy_from_slice(&there[..count]);
        into[count..].fill(0);
        Ok(count)
    }
}

/// SplitMix64: enough to choose what a crash keeps.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}
