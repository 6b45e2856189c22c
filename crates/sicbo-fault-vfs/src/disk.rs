//! The simulated disk: what files hold, what of it is durable, and which fault
//! comes when. Knows nothing of SQLite's C interface.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::names::Names;

/// The unit that is written whole or not at all.
const SECTOR: usize = 512;

/// A disk shared by all its users. Clones are the same disk.
#[derive(Clone)]
pub struct FaultDisk {
    shared: Arc<Mutex<Disk>>,
    vfs: Arc<Registration>,
}

/// A disk's name with SQLite, while anyone has the disk.
struct Registration(String);

impl Drop for Registration {
    fn drop(&mut self) {
        crate::vfs::unregister(&self.0);
    }
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

/// What the disk has lost so far that no sync was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Truncations.
    pub truncations: u64,
    /// New, replaced or removed names.
    pub names: u64,
}

/// Which file it is, whatever its name.
pub(crate) type Inode = u64;

#[derive(Default)]
pub(crate) struct Disk {
    /// What each name stands for. A file without a name lives on while it is open.
    names: Names,
    files: BTreeMap<Inode, File>,
    next: Inode,
    usage: Usage,
    crash_at_change: Option<u64>,
    fail_sync: Option<u64>,
    short_read: Option<u64>,
    rotten_read: Option<u64>,
    lose_truncations: bool,
    overwrites_safely: bool,
    lost: Lost,
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
    /// Syncs that failed. As on Linux each handle that was open hears of it once.
    failed_syncs: u64,
    handles: u32,
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
    Exists,
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
        let vfs = Arc::new(Registration(crate::vfs::register(shared.clone())));
        FaultDisk { shared, vfs }
    }

    /// The name to open SQLite connections with.
    pub fn vfs_name(&self) -> &str {
        &self.vfs.0
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

    /// This read, counted from the last restart, delivers one bit wrong.
    pub fn rotten_read(&self, number: u64) {
        self.disk().rotten_read = Some(number);
    }

    /// From here on readers see truncations and the disk never does: after a
    /// power cut what was cut off is there again.
    pub fn lose_truncations(&self, lose: bool) {
        self.disk().lose_truncations = lose;
    }

    /// Whether the disk promises that a write disturbs no byte beside it, as the
    /// operating system's files do. Without the promise SQLite fills the sector
    /// at the end of each commit with copies of its last frame. Holds for files
    /// that are opened from here on.
    pub fn promise_safe_overwrite(&self, promise: bool) {
        self.disk().overwrites_safely = promise;
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
        self.disk().used()
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
        // By a chance of their own, so that what comes of the writes stays the
        // same whatever names there are.
        let mut random = Random(!seed);
        disk.lost.names += disk.names.cut(|| random.below(2) == 0);
        disk.usage = Usage::default();
        (disk.crash_at_change, disk.fail_sync) = (None, None);
        (disk.short_read, disk.rotten_read) = (None, None);
        disk.down = false;
        disk.drop_nameless(true);
    }

    /// What was lost since the disk was new.
    pub fn lost(&self) -> Lost {
        self.disk().lost
    }

    /// No read comes wrong any more.
    pub fn cancel_rotten_read(&self) {
        self.disk().rotten_read = None;
    }

    /// No planned fault comes any more.
    pub fn cancel_faults(&self) {
        let mut disk = self.disk();
        (disk.crash_at_change, disk.fail_sync) = (None, None);
        (disk.short_read, disk.rotten_read) = (None, None);
    }

    /// Whether a sync is to fail or a crash to come.
    pub fn awaits_fault(&self) -> bool {
        let disk = self.disk();
        let sync = disk
            .fail_sync
            .is_some_and(|number| number >= disk.usage.syncs);
        let crash = disk.crash_at_change;
        sync || crash.is_some_and(|number| number >= disk.usage.changes)
    }

    /// Whether the planned crash has come.
    pub fn is_down(&self) -> bool {
        self.disk().down
    }

    /// Takes a file's name away; who has it open keeps the file, and so does
    /// whoever holds what is returned, until it is put back.
    pub fn take_away(&self, name: &str) -> Option<TakenAway> {
        let mut disk = self.disk();
        let inode = disk.names.remove(name)?;
        disk.names.sync_one(name);
        disk.file(inode).ok()?.handles += 1;
        let name = name.to_owned();
        Some(TakenAway { name, inode })
    }

    /// Puts a file back under its name, over whatever is there now.
    pub fn put_back(&self, taken: TakenAway) {
        let mut disk = self.disk();
        disk.names.insert(&taken.name, taken.inode);
        disk.names.sync_one(&taken.name);
        disk.close(taken.inode);
    }

    /// The files' names.
    pub fn files(&self) -> Vec<String> {
        self.disk().names.all()
    }

    /// The names of files that somebody has open.
    pub fn open_files(&self) -> Vec<String> {
        let disk = self.disk();
        let open = |name: &String| {
            let inode = disk.names.get(name);
            let file = inode.and_then(|inode| disk.files.get(&inode));
            file.is_some_and(|file| file.handles > 0)
        };
        let mut names = disk.names.all();
        names.retain(open);
        names
    }

    /// A file's bytes as a reader sees them; empty if there is none.
    pub fn read_file(&self, name: &str) -> Vec<u8> {
        let disk = self.disk();
        let inode = disk.names.get(name);
        let file = inode.and_then(|inode| disk.files.get(&inode));
        file.map(|file| file.live.clone()).unwrap_or_default()
    }

    /// Changes a file's contents, durably, behind its users' backs.
    pub fn write_file(&self, name: &str, bytes: &[u8]) {
        let mut disk = self.disk();
        let inode = disk.named(name);
        disk.names.sync_one(name);
        if let Some(file) = disk.files.get_mut(&inode) {
            (file.live, file.durable) = (bytes.to_vec(), bytes.to_vec());
            file.unsynced.clear();
        }
    }

    /// Puts another file in a file's place: who has it open keeps the old one.
    pub fn replace_file(&self, name: &str, bytes: &[u8]) {
        self.remove_file(name);
        self.write_file(name, bytes);
    }

    /// Removes a file behind its users' backs: who has it open keeps it.
    pub fn remove_file(&self, name: &str) {
        let mut disk = self.disk();
        disk.names.remove(name);
        disk.names.sync_one(name);
        disk.drop_nameless(false);
    }

    /// The memory that held a file's pages is needed for something else: what a
    /// failed sync gave up is read as it is on the disk from here on.
    pub fn evict(&self, name: &str) {
        let mut disk = self.disk();
        let inode = disk.named(name);
        disk.evict(inode);
    }

    /// Folds a database's log in as another program does that knows nothing of
    /// what failed before. Returns whether it could.
    pub fn fold_log(&self, name: &str) -> bool {
        let fold = || -> rusqlite::Result<()> {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags_and_vfs(name, flags, self.vfs_name())?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
        };
        fold().is_ok()
    }

    pub(crate) fn inode(&self, path: &Path) -> Option<Inode> {
        let disk = self.disk();
        disk.names.get(&path.to_string_lossy())
    }

    pub(crate) fn disk(&self) -> MutexGuard<'_, Disk> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file without its name.
#[derive(Debug)]
pub struct TakenAway {
    name: String,
    inode: Inode,
}

/// An open file, and the failed syncs it has been told of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) inode: Inode,
    pub(crate) heard: u64,
}

/// The operations SQLite asks for.
impl Disk {
    pub(crate) fn exists(&self, name: &str) -> bool {
        self.names.get(name).is_some()
    }

    pub(crate) fn overwrites_safely(&self) -> bool {
        self.overwrites_safely
    }

    pub(crate) fn clear(&mut self) {
        (self.names, self.files) = (Names::default(), BTreeMap::new());
    }

    fn used(&self) -> usize {
        let there =
            |(inode, file): &(&Inode, &File)| file.handles > 0 || self.names.stand_for(**inode);
        let files = self.files.iter().filter(there);
        files.map(|(_, file)| file.live.len()).sum()
    }

    /// The file of this name, made if there is none.
    fn named(&mut self, name: &str) -> Inode {
        if let Some(inode) = self.names.get(name) {
            return inode;
        }
        self.next += 1;
        self.names.insert(name, self.next);
        self.files.insert(self.next, File::default());
        self.next
    }

    /// A file without a name is gone when nobody has it open, or at a restart.
    fn drop_nameless(&mut self, restart: bool) {
        let names = &self.names;
        self.files
            .retain(|inode, file| names.may_stand_for(*inode) || (file.handles > 0 && !restart));
    }

    pub(crate) fn open(&mut self, name: &str, create: bool) -> Result<Open, DiskError> {
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
        }
        let inode = self.named(name);
        let file = self.file(inode)?;
        file.handles += 1;
        let heard = file.failed_syncs;
        Ok(Open { inode, heard })
    }

    pub(crate) fn close(&mut self, inode: Inode) {
        if let Ok(file) = self.file(inode) {
            file.handles = file.handles.saturating_sub(1);
        }
        self.drop_nameless(false);
    }

    fn file(&mut self, inode: Inode) -> Result<&mut File, DiskError> {
        self.files.get_mut(&inode).ok_or(DiskError::NotFound)
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

    pub(crate) fn write(&mut self, inode: Inode, at: usize, bytes: &[u8]) -> Result<(), DiskError> {
        let was_up = !self.down && !self.read_only;
        let allowed = self.change();
        let (used, capacity) = (self.used(), self.capacity);
        let file = self.file(inode)?;
        let growth = (at + bytes.len()).saturating_sub(file.live.len());
        if growth > 0 && capacity.is_some_and(|capacity| used + growth > capacity) {
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

    pub(crate) fn truncate(&mut self, inode: Inode, length: usize) -> Result<(), DiskError> {
        self.change()?;
        let lose = self.lose_truncations;
        self.lost.truncations += u64::from(lose);
        let file = self.file(inode)?;
        let change = Change::Truncate { length };
        change.apply(&mut file.live);
        if !lose {
            file.unsynced.push(change);
        }
        Ok(())
    }

    /// Reads of a file come from the disk again; what waits to be written stays.
    pub(crate) fn evict(&mut self, inode: Inode) {
        if let Some(file) = self.files.get_mut(&inode) {
            file.live.clone_from(&file.durable);
            for change in &file.unsynced {
                change.apply(&mut file.live);
            }
        }
    }

    /// Syncs a file for one of its handles, which has heard of so many failures.
    pub(crate) fn sync(&mut self, open: &mut Open) -> Result<(), DiskError> {
        self.change()?;
        let number = self.usage.syncs;
        self.usage.syncs += 1;
        let fails = self.fail_sync == Some(number);
        let file = self.file(open.inode)?;
        let changes = std::mem::take(&mut file.unsynced);
        if fails {
            // The pages are given up: they stay readable, and no later sync
            // writes them.
            file.failed_syncs += 1;
        } else {
            changes
                .iter()
                .for_each(|change| change.apply(&mut file.durable));
        }
        if open.heard < file.failed_syncs {
            open.heard = file.failed_syncs;
            return Err(DiskError::SyncFailed);
        }
        Ok(())
    }

    /// What every name stands for is durable.
    pub(crate) fn sync_folder(&mut self) -> Result<(), DiskError> {
        self.change()?;
        self.names.sync();
        Ok(())
    }

    /// Gives a file another name, which none has.
    pub(crate) fn rename(&mut self, from: &str, to: &str) -> Result<(), DiskError> {
        self.change()?;
        if self.names.get(to).is_some() {
            return Err(DiskError::Exists);
        }
        self.names.rename(from, to).ok_or(DiskError::NotFound)?;
        self.drop_nameless(false);
        Ok(())
    }

    /// Removes a file's name; for good when the folder is synced too.
    pub(crate) fn delete(&mut self, name: &str, sync_folder: bool) -> Result<(), DiskError> {
        self.change()?;
        self.names.remove(name).ok_or(DiskError::NotFound)?;
        if sync_folder {
            self.names.sync();
        }
        self.drop_nameless(false);
        Ok(())
    }

    pub(crate) fn length(&mut self, inode: Inode) -> Result<usize, DiskError> {
        if self.down {
            return Err(DiskError::Down);
        }
        Ok(self.file(inode)?.live.len())
    }

    /// Fills the buffer as far as it can and says how far.
    pub(crate) fn read(
        &mut self,
        inode: Inode,
        at: usize,
        into: &mut [u8],
    ) -> Result<usize, DiskError> {
        if self.down {
            return Err(DiskError::Down);
        }
        let number = self.usage.reads;
        self.usage.reads += 1;
        let (short, rotten) = (self.short_read, self.rotten_read);
        let file = self.file(inode)?;
        let there = file.live.get(at..).unwrap_or_default();
        let mut count = there.len().min(into.len());
        if short == Some(number) {
            count /= 2;
        }
        into[..count].copy_from_slice(&there[..count]);
        into[count..].fill(0);
        if rotten == Some(number) && count > 0 {
            let place = (number as usize).wrapping_mul(7919) % count;
            into[place] ^= 1 << (number % 8);
        }
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
