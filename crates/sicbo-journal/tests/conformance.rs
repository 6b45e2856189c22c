//! The conformance suite on every store there is.

use std::path::{Path, PathBuf};

use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::conformance::{Medium, conformance};
use sicbo_journal::*;

struct Memory(MemoryDisk, Failure);

impl Medium for Memory {
    type Store = MemoryStore;

    fn open(&mut self, stream: StreamId) -> MemoryStore {
        MemoryStore::open(stream, &self.0)
    }

    fn fail_next_write(&mut self) {
        self.0.fail_next_write(self.1);
    }
}

#[test]
fn memory_store_conforms() {
    for failure in [Failure::Lost, Failure::Kept, Failure::DiskFull] {
        conformance(|| Memory(MemoryDisk::default(), failure));
    }
}

/// SQLite on a real file system. It fails by a trigger that is put into the
/// file from outside, as real disks cannot be told to.
struct RealFiles {
    folder: tempfile::TempDir,
    upkeep: WalUpkeep,
}

impl RealFiles {
    fn path(&self) -> PathBuf {
        self.folder.path().join("stream.sqlite")
    }
}

const SABOTAGE: &str = "
    CREATE TRIGGER sabotage_blocks BEFORE INSERT ON blocks BEGIN SELECT RAISE(FAIL, 'no'); END;
    CREATE TRIGGER sabotage_snap BEFORE INSERT ON snapshots BEGIN SELECT RAISE(FAIL, 'no'); END;
    CREATE TRIGGER sabotage_check BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(FAIL, 'no'); END;
";

const REPAIR: &str = "
    DROP TRIGGER IF EXISTS sabotage_blocks;
    DROP TRIGGER IF EXISTS sabotage_snap;
    DROP TRIGGER IF EXISTS sabotage_check;
";

fn from_outside(path: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(path).expect("a file to open");
    connection.execute_batch(sql).expect("statements that run");
}

impl Medium for RealFiles {
    type Store = SqliteStore;

    fn open(&mut self, stream: StreamId) -> SqliteStore {
        let (path, options) = (
            self.path(),
            SqliteOptions {
                upkeep: self.upkeep,
                ..SqliteOptions::default()
            },
        );
        if path.exists() {
            from_outside(&path, REPAIR);
            return SqliteStore::open(&path, stream, &options).expect("a journal to open");
        }
        SqliteStore::create(&path, stream, &options).expect("a new journal")
    }

    fn fail_next_write(&mut self) {
        from_outside(&self.path(), SABOTAGE);
    }
}

#[test]
fn sqlite_store_conforms_on_real_files() {
    for upkeep in [WalUpkeep::Background, WalUpkeep::Inline] {
        conformance(|| RealFiles {
            folder: tempfile::tempdir().expect("a folder"),
            upkeep,
        });
    }
}

/// SQLite on the failing file system.
struct Faulty {
    disk: FaultDisk,
    upkeep: WalUpkeep,
    fault: fn(&FaultDisk),
    seed: u64,
}

impl Medium for Faulty {
    type Store = SqliteStore;

    fn open(&mut self, stream: StreamId) -> SqliteStore {
        self.seed += 1;
        self.disk.set_capacity(None);
        self.disk.restart(self.seed);
        let vfs = self.disk.vfs();
        let (path, options) = (
            Path::new("stream"),
            SqliteOptions {
                upkeep: self.upkeep,
                vfs,
                ..SqliteOptions::default()
            },
        );
        match SqliteStore::open(path, stream.clone(), &options) {
            Ok(store) => store,
            Err(_) if self.disk.files().is_empty() => {
                SqliteStore::create(path, stream, &options).expect("a new journal")
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn fail_next_write(&mut self) {
        (self.fault)(&self.disk);
    }
}

#[test]
fn sqlite_store_conforms_on_a_failing_file_system() {
    let faults: [fn(&FaultDisk); 4] = [
        |disk| disk.fail_sync(disk.usage().syncs),
        |disk| disk.crash_at_change(disk.usage().changes),
        |disk| disk.crash_at_change(disk.usage().changes + 1),
        |disk| disk.set_capacity(Some(disk.used())),
    ];
    for upkeep in [WalUpkeep::Inline, WalUpkeep::Background] {
        for fault in faults {
            conformance(|| Faulty {
                disk: FaultDisk::new(),
                upkeep,
                fault,
                seed: 0,
            });
        }
    }
}
