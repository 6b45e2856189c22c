//! Where the journals of a simulated house are kept: in memory, where a block is
//! there or not, or as files of one faulty disk under the real store.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::{
    Beside, Failure, MemoryDisk, MemoryStore, OpenError, SqliteOptions, SqliteStore, Store,
    StreamId, WalUpkeep,
};

use crate::random::Random;

/// How a write fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WriteFault {
    /// Reported as failed, and not there.
    Lost,
    /// Reported as failed, and there all the same.
    Kept,
    /// No room.
    Full,
    /// The power goes within it.
    Torn,
}

/// A page of a journal's file.
const PAGE: usize = 8_192;

/// What a damaged disk held before.
pub(super) struct Damage {
    /// A bit turned; else a page stands in the place of another.
    pub(super) turned: bool,
    name: String,
    before: Vec<u8>,
    /// Every file, as it was when the damage was done.
    files: BTreeMap<String, Vec<u8>>,
}

/// What outlives the program.
#[derive(Clone)]
pub(super) enum Shelf {
    Memory(BTreeMap<StreamId, MemoryDisk>),
    Disk(FaultDisk),
}

fn path(stream: &StreamId) -> PathBuf {
    PathBuf::from(format!("{stream}.sqlite"))
}

/// Copies what a journal holds behind the end of another, block by block.
pub(super) fn copy_stream(from: &dyn Store, to: &mut dyn Store) -> Result<(), String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let rows = from.rounds(0, usize::MAX).map_err(|error| told(&error))?;
    let mut blocks = from.read_from(to.tail().sequence + 1).peekable();
    while let Some(raw) = blocks.next() {
        let block = raw.map_err(|error| told(&error))?;
        let block = block.decode().map_err(|error| told(&error))?;
        // The index goes with the last block.
        let beside = match blocks.peek() {
            Some(_) => Beside::default(),
            None => Beside {
                rounds: &rows,
                ..Beside::default()
            },
        };
        to.append(&block, beside).map_err(|error| told(&error))?;
    }
    let known = to.checkpoints().map_err(|error| told(&error))?.len();
    let signed = from.checkpoints().map_err(|error| told(&error))?;
    for checkpoint in signed.iter().skip(known) {
        let kept = to.put_checkpoint(checkpoint);
        kept.map_err(|error| told(&error))?;
    }
    Ok(())
}

impl Shelf {
    pub(super) fn new(on_disk: bool, streams: &[StreamId]) -> Shelf {
        match on_disk {
            true => Shelf::Disk(FaultDisk::new()),
            false => {
                let empty = streams.iter().map(|stream| {
                    let disk = MemoryStore::new(stream.clone()).disk().clone();
                    (stream.clone(), disk)
                });
                Shelf::Memory(empty.collect())
            }
        }
    }

    /// Opens a journal to write it.
    pub(super) fn open(&self, stream: &StreamId) -> Result<Box<dyn Store>, OpenError> {
        match self {
            Shelf::Memory(disks) => {
                let store = MemoryStore::open(stream.clone(), &disks[stream]);
                Ok(Box::new(store))
            }
            Shelf::Disk(disk) => {
                let options = SqliteOptions {
                    upkeep: WalUpkeep::Inline,
                    vfs: disk.vfs(),
                    ..SqliteOptions::default()
                };
                let path = path(stream);
                let name = path.to_string_lossy().into_owned();
                let known = disk.files().iter().any(|file| file.ends_with(&name));
                let store = match known {
                    true => SqliteStore::open(&path, stream.clone(), &options),
                    false => SqliteStore::create(&path, stream.clone(), &options),
                };
                Ok(Box::new(store?))
            }
        }
    }

    /// Opens a journal to read it.
    pub(super) fn read(&self, stream: &StreamId) -> Result<Box<dyn Store>, String> {
        match self {
            Shelf::Memory(disks) => {
                let store = MemoryStore::open(stream.clone(), &disks[stream]);
                Ok(Box::new(store))
            }
            Shelf::Disk(disk) => {
                let store = SqliteStore::open_read_only(&path(stream), stream.clone(), &disk.vfs());
                Ok(Box::new(store.map_err(|error| error.to_string())?))
            }
        }
    }

    /// The next write to a journal fails.
    pub(super) fn fail_next(&self, stream: &StreamId, fault: WriteFault, chance: &mut Random) {
        match self {
            Shelf::Memory(disks) => disks[stream].fail_next_write(match fault {
                WriteFault::Lost | WriteFault::Torn => Failure::Lost,
                WriteFault::Kept => Failure::Kept,
                WriteFault::Full => Failure::DiskFull,
            }),
            Shelf::Disk(disk) => match fault {
                WriteFault::Lost | WriteFault::Kept => disk.fail_sync(disk.usage().syncs),
                WriteFault::Full => disk.set_capacity(Some(disk.used())),
                WriteFault::Torn => {
                    disk.crash_at_change(disk.usage().changes + chance.below(4));
                }
            },
        }
    }

    /// Somebody has made room, and no planned fault comes any more.
    pub(super) fn mend(&self) {
        if let Shelf::Disk(disk) = self {
            disk.set_capacity(None);
            disk.cancel_faults();
        }
    }

    /// A reading comes wrong while the journals are opened next: one bit of it, or it is short.
    /// Which one is said.
    pub(super) fn spoil_a_read(&self, short: bool, chance: &mut Random) -> Option<u64> {
        let Shelf::Disk(disk) = self else {
            return None;
        };
        let number = disk.usage().reads + chance.below(120);
        match short {
            true => disk.short_read(number),
            false => disk.rotten_read(number),
        }
        Some(number)
    }

    /// The power goes while the journals are opened next, with one of the first changes.
    pub(super) fn cut_a_start(&self, chance: &mut Random) {
        if let Shelf::Disk(disk) = self {
            disk.crash_at_change(disk.usage().changes + chance.below(40));
        }
    }

    /// Whether every journal has been made.
    pub(super) fn has_all(&self, streams: &[StreamId]) -> bool {
        streams.iter().all(|stream| self.has(stream))
    }

    /// Whether a journal has been made.
    pub(super) fn has(&self, stream: &StreamId) -> bool {
        match self {
            Shelf::Memory(disks) => disks.contains_key(stream),
            Shelf::Disk(disk) => {
                let name = path(stream).to_string_lossy().into_owned();
                disk.files().iter().any(|file| file.ends_with(&name))
            }
        }
    }

    /// Whether a planned loss of power has come.
    pub(super) fn is_without_power(&self) -> bool {
        matches!(self, Shelf::Disk(disk) if disk.is_down())
    }

    /// Names that a loss of power took, since the disk was new.
    pub(super) fn lost_names(&self) -> u64 {
        match self {
            Shelf::Memory(_) => 0,
            Shelf::Disk(disk) => disk.lost().names,
        }
    }

    /// A journal is to be kept that was not there.
    pub(super) fn add(&mut self, stream: &StreamId) {
        if let Shelf::Memory(disks) = self {
            let disk = MemoryStore::new(stream.clone()).disk().clone();
            disks.entry(stream.clone()).or_insert(disk);
        }
    }

    /// Damages the file of a journal for good, as a bit that turned or a write that went to the
    /// wrong place leaves it. What was there is returned; nothing where there is no file.
    pub(super) fn damage(&self, stream: &StreamId, chance: &mut Random) -> Option<Damage> {
        let Shelf::Disk(disk) = self else {
            return None;
        };
        let name = disk.files().into_iter().find(|file| {
            let path = path(stream).to_string_lossy().into_owned();
            *file == path || file.ends_with(&format!("/{path}"))
        })?;
        let before = disk.read_file(&name);
        let pages = before.len() / PAGE;
        let mut bytes = before.clone();
        let at = chance.below(bytes.len().max(1) as u64) as usize;
        let turned = pages < 3 || chance.chance(500);
        match turned {
            true => *bytes.get_mut(at)? ^= 1 << chance.below(8),
            false => {
                let (from, to) = (chance.below(pages as u64), chance.below(pages as u64));
                let (from, to) = (from as usize * PAGE, to as usize * PAGE);
                bytes.copy_within(from..from + PAGE, to);
            }
        }
        if bytes == before {
            return None;
        }
        disk.replace_file(&name, &bytes);
        Some(Damage {
            turned,
            files: disk
                .files()
                .iter()
                .map(|file| (file.clone(), disk.read_file(file)))
                .collect(),
            name,
            before,
        })
    }

    /// Puts back what was damaged, and whatever a start has made of it since.
    pub(super) fn put_right(&self, damage: Damage) {
        let Shelf::Disk(disk) = self else {
            return;
        };
        for name in disk.files() {
            match damage.files.contains_key(&name) {
                true => {}
                false => disk.remove_file(&name),
            }
        }
        for (name, bytes) in damage.files {
            disk.replace_file(&name, &bytes);
        }
        disk.replace_file(&damage.name, &damage.before);
    }

    /// Whether that reading has come.
    pub(super) fn has_read(&self, number: u64) -> bool {
        matches!(self, Shelf::Disk(disk) if disk.usage().reads > number)
    }

    /// Files that somebody has open.
    pub(super) fn open_files(&self) -> Vec<String> {
        match self {
            Shelf::Memory(_) => Vec::new(),
            Shelf::Disk(disk) => disk.open_files(),
        }
    }

    /// The power is gone: what a dying program would still write does not arrive.
    pub(super) fn lose_power(&self) {
        if let Shelf::Disk(disk) = self {
            disk.crash_at_change(disk.usage().changes);
        }
    }

    /// And back: what was not synced is there, lost or torn.
    pub(super) fn power_cut(&self, chance: &mut Random) {
        if let Shelf::Disk(disk) = self {
            disk.restart(chance.number());
        }
    }

    /// A copy of every journal, as a backup makes it: record by record.
    pub(super) fn copy(&self, streams: &[StreamId]) -> Result<Shelf, String> {
        self.copy_as(matches!(self, Shelf::Disk(_)), streams)
    }

    /// The same, as files or in memory.
    pub(super) fn copy_as(&self, on_disk: bool, streams: &[StreamId]) -> Result<Shelf, String> {
        let copy = Shelf::new(on_disk, streams);
        for stream in streams {
            let said = |what: String| format!("{stream}: {what}");
            let from = self.read(stream)?;
            let mut to = copy.open(stream).map_err(|error| said(error.to_string()))?;
            copy_stream(from.as_ref(), to.as_mut()).map_err(said)?;
        }
        Ok(copy)
    }

    /// Puts one journal of a copy in the place of the newest; what was there
    /// comes back, to be put back.
    pub(super) fn swap(&mut self, stream: &StreamId, other: &mut Shelf) {
        match (self, other) {
            (Shelf::Memory(here), Shelf::Memory(there)) => {
                if let (Some(one), Some(other)) = (here.get_mut(stream), there.get_mut(stream)) {
                    std::mem::swap(one, other);
                }
            }
            (Shelf::Disk(here), Shelf::Disk(there)) => {
                let name = path(stream).to_string_lossy().into_owned();
                for end in ["", "-wal"] {
                    let name = format!("{name}{end}");
                    let files = [here.read_file(&name), there.read_file(&name)];
                    let there_are = |disk: &FaultDisk| disk.files().contains(&name);
                    let known = [there_are(here), there_are(there)];
                    for (disk, from) in [(&*here, 1), (&*there, 0)] {
                        match known[from] {
                            true => disk.replace_file(&name, &files[from]),
                            false => disk.remove_file(&name),
                        }
                    }
                }
            }
            _ => {}
        }
    }
}
