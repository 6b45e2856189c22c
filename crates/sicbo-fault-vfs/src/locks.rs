//! File locks and the shared memory of the write-ahead log's index, for
//! several connections in one process. Plain Rust; SQLite's rules for both are
//! in its documentation of `sqlite3_io_methods`.

use std::collections::BTreeMap;

/// Lock levels of a database file, lowest first.
pub(crate) const NONE: i32 = 0;
pub(crate) const SHARED: i32 = 1;
pub(crate) const RESERVED: i32 = 2;
pub(crate) const PENDING: i32 = 3;
pub(crate) const EXCLUSIVE: i32 = 4;

/// Number of locks on the log's index.
const INDEX_LOCKS: usize = 8;

#[derive(Default)]
pub(crate) struct Locks {
    files: BTreeMap<u64, FileLocks>,
}

#[derive(Default)]
struct FileLocks {
    /// Level held by each open handle.
    levels: BTreeMap<u64, i32>,
    /// For each index lock, who holds it shared, and who exclusively.
    index: [IndexLock; INDEX_LOCKS],
    /// Regions of the index; words, so that SQLite finds them aligned.
    regions: Vec<Box<[u64]>>,
    /// Handles that have the index mapped.
    mapped: Vec<u64>,
}

#[derive(Default)]
struct IndexLock {
    shared: Vec<u64>,
    exclusive: Option<u64>,
}

impl Locks {
    fn file(&mut self, inode: u64) -> &mut FileLocks {
        self.files.entry(inode).or_default()
    }

    /// Raises a handle's level; `false` when another is in the way.
    pub(crate) fn raise(&mut self, inode: u64, handle: u64, level: i32) -> bool {
        let file = self.file(inode);
        let own = file.levels.get(&handle).copied().unwrap_or(NONE);
        if own >= level {
            return true;
        }
        let others = file.levels.iter().filter(|(other, _)| **other != handle);
        let highest = others.map(|(_, level)| *level).max().unwrap_or(NONE);
        let (free, otherwise) = match level {
            SHARED => (highest < PENDING, own),
            RESERVED => (highest < RESERVED, own),
            // Waiting for readers to leave keeps new ones out.
            _ => (
                highest == NONE,
                if highest < RESERVED { PENDING } else { own },
            ),
        };
        file.levels.insert(
            handle,
            if free {
                level.min(EXCLUSIVE)
            } else {
                otherwise
            },
        );
        free
    }

    /// Lowers a handle's level.
    pub(crate) fn lower(&mut self, inode: u64, handle: u64, level: i32) {
        self.file(inode).levels.insert(handle, level);
    }

    /// Whether anyone holds a level that lets them write.
    pub(crate) fn reserved(&mut self, inode: u64) -> bool {
        self.file(inode)
            .levels
            .values()
            .any(|level| *level >= RESERVED)
    }

    /// Takes or gives back index locks; `false` when another is in the way.
    pub(crate) fn index(
        &mut self,
        inode: u64,
        handle: u64,
        which: std::ops::Range<usize>,
        take: bool,
        exclusive: bool,
    ) -> bool {
        let Some(locks) = self.file(inode).index.get_mut(which) else {
            return false;
        };
        if !take {
            for lock in locks {
                lock.shared.retain(|holder| *holder != handle);
                lock.exclusive = lock.exclusive.filter(|holder| *holder != handle);
            }
            return true;
        }
        let in_the_way = |lock: &IndexLock| {
            lock.exclusive.is_some_and(|holder| holder != handle)
                || exclusive && lock.shared.iter().any(|holder| *holder != handle)
        };
        if locks.iter().any(in_the_way) {
            return false;
        }
        for lock in locks {
            if exclusive {
                lock.exclusive = Some(handle);
            } else {
                lock.shared.push(handle);
            }
        }
        true
    }

    /// The address of a region of the index, made if asked for; null if it is
    /// not there.
    pub(crate) fn map(
        &mut self,
        inode: u64,
        handle: u64,
        region: usize,
        bytes: usize,
        extend: bool,
    ) -> *mut u64 {
        let file = self.file(inode);
        if !file.mapped.contains(&handle) {
            file.mapped.push(handle);
        }
        while extend && file.regions.len() <= region {
            file.regions
                .push(vec![0; bytes.div_ceil(8)].into_boxed_slice());
        }
        file.regions
            .get_mut(region)
            .map_or(std::ptr::null_mut(), |region| region.as_mut_ptr())
    }

    /// Gives the index back; the last to leave takes it away.
    pub(crate) fn unmap(&mut self, inode: u64, handle: u64) {
        let file = self.file(inode);
        file.mapped.retain(|other| *other != handle);
        if file.mapped.is_empty() {
            file.regions.clear();
        }
    }

    /// A handle is closed.
    pub(crate) fn forget(&mut self, inode: u64, handle: u64) {
        self.index(inode, handle, 0..INDEX_LOCKS, false, false);
        self.unmap(inode, handle);
        self.file(inode).levels.remove(&handle);
    }
}
