//! Pages that a failed sync gave up: every reader sees them, no disk has them.
//! After such an end the log is made durable before it is believed, and nothing
//! that is acknowledged later can be lost with it. Crashes, failing syncs and
//! wrong bits inside that recovery too.

mod common;

use std::path::Path;

use common::*;
use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::*;

const PATH: &str = "table-1.sqlite";

fn options(disk: &FaultDisk) -> SqliteOptions {
    SqliteOptions {
        upkeep: WalUpkeep::Inline,
        vfs: disk.vfs(),
        ..SqliteOptions::default()
    }
}

fn open(disk: &FaultDisk) -> Result<SqliteStore, OpenError> {
    SqliteStore::open(Path::new(PATH), stream(), &options(disk))
}

fn hashes(store: &SqliteStore) -> Vec<Hash> {
    let blocks = store.read_from(1);
    blocks
        .map(|raw| {
            raw.expect("readable")
                .decode()
                .expect("whole")
                .header_hash()
        })
        .collect()
}

/// Appends until something fails; returns what was acknowledged.
fn write(store: &mut SqliteStore, blocks: usize) -> Vec<Hash> {
    let mut writer = writer_after(&store.tail());
    let mut acknowledged = Vec::new();
    for step in 0..blocks {
        let block = next_block(&mut writer, [1, 40, 3, 120][step % 4]);
        if store.append(&block, Beside::default()).is_err() {
            break;
        }
        acknowledged.push(block.header_hash());
        if step % 5 == 4 && store.fold_log().is_err() {
            break;
        }
    }
    acknowledged
}

/// A journal whose eighth block or so was lost by a failed sync, as the next
/// process finds it: no power cut yet, everything is readable.
fn after_failed_sync(sync: u64) -> (FaultDisk, Vec<Hash>) {
    let disk = FaultDisk::new();
    let mut store =
        SqliteStore::create(Path::new(PATH), stream(), &options(&disk)).expect("a journal");
    let mut acknowledged = write(&mut store, 3);
    disk.fail_sync(disk.usage().syncs + sync);
    acknowledged.extend(write(&mut store, 9));
    drop(store);
    (disk, acknowledged)
}

fn check(disk: &FaultDisk, acknowledged: &[Hash], context: &str) -> SqliteStore {
    let store = open(disk).unwrap_or_else(|error| panic!("{context}: {error}"));
    let found = hashes(&store);
    assert!(
        found.starts_with(acknowledged),
        "{context}: {} acknowledged, {} there",
        acknowledged.len(),
        found.len()
    );
    let report = verify_chain(stream(), store.read_from(1), Vec::new(), &ring());
    report.unwrap_or_else(|fault| panic!("{context}: {fault}"));
    store
}

#[test]
fn a_failed_sync_a_restart_and_a_power_cut_lose_nothing_acknowledged() {
    for sync in 0..14 {
        for seed in 0..4 {
            let context = format!("sync {sync}, seed {seed}");
            let (disk, acknowledged) = after_failed_sync(sync);
            let mut store = check(&disk, &acknowledged, &context);
            let mut all = hashes(&store);
            all.extend(write(&mut store, 6));
            disk.crash_at_change(disk.usage().changes);
            drop(store);
            disk.restart(seed);
            check(&disk, &all, &context);
        }
    }
}

#[test]
fn a_sync_that_fails_in_recovery_keeps_the_journal_shut_and_loses_nothing() {
    for sync in 0..12 {
        let mut shut = 0;
        for again in 0..4 {
            let (disk, acknowledged) = after_failed_sync(sync);
            disk.fail_sync(disk.usage().syncs + again);
            match open(&disk) {
                Ok(store) => drop(store),
                Err(error) => {
                    assert!(matches!(error, OpenError::Unsynced { .. }), "{error}");
                    shut += 1;
                }
            }
            let context = format!("sync {sync}, then {again} of recovery");
            let mut store = check(&disk, &acknowledged, &context);
            let mut all = hashes(&store);
            all.extend(write(&mut store, 4));
            disk.crash_at_change(disk.usage().changes);
            drop(store);
            disk.restart(again);
            check(&disk, &all, &context);
        }
        assert!(shut >= 1, "what is read is synced first: {shut}");
    }
}

#[test]
fn a_crash_at_any_change_inside_recovery_loses_nothing() {
    for sync in [0, 3, 5, 8] {
        let (disk, _) = after_failed_sync(sync);
        let before = disk.usage().changes;
        drop(open(&disk).expect("no fault was planned"));
        let changes = disk.usage().changes - before;
        assert!(changes > 5, "recovery writes: {changes}");
        for change in 0..changes {
            let (disk, acknowledged) = after_failed_sync(sync);
            disk.crash_at_change(disk.usage().changes + change);
            drop(open(&disk));
            disk.restart(change);
            let context = format!("sync {sync}, crash at {change} of recovery");
            let mut store = check(&disk, &acknowledged, &context);
            let mut all = hashes(&store);
            all.extend(write(&mut store, 3));
            disk.crash_at_change(disk.usage().changes);
            drop(store);
            disk.restart(change + 1);
            check(&disk, &all, &context);
        }
    }
}

#[test]
fn a_wrong_bit_read_in_recovery_is_noticed_or_harmless_and_does_no_damage() {
    let (disk, _) = after_failed_sync(4);
    let before = disk.usage().reads;
    let store = open(&disk).expect("no fault was planned");
    // Reads of opening alone: SQLite folds frames in unchecked when it closes.
    let reads = disk.usage().reads - before;
    let whole = hashes(&store);
    drop(store);
    let mut noticed = 0;
    for read in 0..reads {
        let (disk, _) = after_failed_sync(4);
        disk.rotten_read(disk.usage().reads + read);
        noticed += usize::from(match open(&disk) {
            Err(_) => true,
            Ok(store) => {
                let tail = store.tail();
                drop(store);
                tail.header_hash != whole[whole.len() - 1]
            }
        });
        disk.restart(read);
        let store = open(&disk).unwrap_or_else(|error| panic!("read {read}: {error}"));
        let found = hashes(&store);
        assert!(found.len() + 1 >= whole.len(), "read {read} did damage");
        assert!(whole.starts_with(&found), "read {read} did damage");
    }
    assert!(noticed > 5, "wrong bits were noticed: {noticed}");
}

#[test]
fn truncations_that_never_reach_the_disk_do_no_harm() {
    for seed in 0..12 {
        let disk = FaultDisk::new();
        let mut store =
            SqliteStore::create(Path::new(PATH), stream(), &options(&disk)).expect("a journal");
        disk.lose_truncations(true);
        let mut all = Vec::new();
        for _ in 0..3 {
            all.extend(write(&mut store, 7));
            drop(store);
            store = open(&disk).unwrap();
        }
        disk.crash_at_change(disk.usage().changes);
        drop(store);
        disk.restart(seed);
        check(&disk, &all, &format!("seed {seed}"));
    }
}

#[test]
fn whole_commits_behind_a_gap_in_the_log_are_not_dropped_in_silence() {
    let disk = FaultDisk::new();
    let mut store =
        SqliteStore::create(Path::new(PATH), stream(), &options(&disk)).expect("a journal");
    let mut writer = writer_after(&store.tail());
    store.fold_log().unwrap();
    for _ in 0..6 {
        store
            .append(&next_block(&mut writer, 1), Beside::default())
            .unwrap();
    }
    disk.crash_at_change(disk.usage().changes);
    drop(store);
    disk.restart(1);
    let log = format!("{PATH}-wal");
    let good = disk.read_file(&log);
    let frame = 24 + 8192;
    assert!(good.len() >= 32 + 6 * frame, "six commits: {}", good.len());
    let mut bad = good.clone();
    bad[32 + 24 + 100] ^= 1;
    disk.write_file(&log, &bad);
    let said = open(&disk)
        .expect_err("acknowledged blocks are missing")
        .to_string();
    assert!(said.contains("gap after frame 0"), "{said}");
    assert_eq!(disk.read_file(&log), bad, "left as it was");
    // The last commit alone may be unfinished: that is a crash, and no loss.
    let mut torn = good.clone();
    let last = 32 + (good.len() - 32) / frame * frame - frame;
    torn[last + 24 + 100] ^= 1;
    disk.write_file(&log, &torn);
    assert_eq!(hashes(&open(&disk).unwrap()).len(), 5);
}

#[test]
fn a_log_keeper_that_cannot_sync_ends_the_acknowledgements() {
    for sync in 0..2 {
        let disk = FaultDisk::new();
        let options = SqliteOptions {
            upkeep: WalUpkeep::Driven,
            ..options(&disk)
        };
        let mut store = SqliteStore::create(Path::new(PATH), stream(), &options).unwrap();
        let keeper = store
            .log_keeper(&options)
            .unwrap()
            .expect("a writer has one");
        let mut all = write(&mut store, 4);
        disk.fail_sync(disk.usage().syncs + sync);
        assert!(!keeper.fold(), "the sync failed");
        let late = write(&mut store, 4);
        assert!(
            late.len() <= 1,
            "no more than the block under way: {}",
            late.len()
        );
        all.extend(late);
        drop((store, keeper));
        let mut store = check(&disk, &all, "after the keeper failed");
        all = hashes(&store);
        all.extend(write(&mut store, 3));
        disk.crash_at_change(disk.usage().changes);
        drop(store);
        disk.restart(sync);
        check(&disk, &all, "after a power cut");
    }
}

#[test]
fn a_removed_or_replaced_file_ends_the_acknowledgements() {
    for name in [PATH.to_owned(), format!("{PATH}-wal")] {
        for replaced in [false, true] {
            let disk = FaultDisk::new();
            let mut store =
                SqliteStore::create(Path::new(PATH), stream(), &options(&disk)).expect("a journal");
            let mut writer = writer_after(&store.tail());
            let mut append = |store: &mut SqliteStore| {
                store.append(&next_block(&mut writer, 1), Beside::default())
            };
            append(&mut store).unwrap();
            if replaced {
                disk.replace_file(&name, &disk.read_file(&name));
            } else {
                disk.remove_file(&name);
            }
            let error = append(&mut store).expect_err("its file is gone");
            assert!(
                matches!(&error, AppendError::Gone { path, .. } if *path == name),
                "{error}"
            );
            assert!(matches!(append(&mut store), Err(AppendError::Poisoned)));
            drop(store);
            assert_eq!(
                disk.files().contains(&name),
                replaced,
                "nothing is tidied up"
            );
        }
    }
}

#[test]
fn a_long_reader_lets_the_log_grow_to_its_bound_and_no_further() {
    let disk = FaultDisk::new();
    let max = 400_000;
    let options = SqliteOptions {
        log: LogLimits {
            fold_after: 50_000,
            fold_inline_after: 100_000,
            max,
        },
        ..options(&disk)
    };
    let mut store = SqliteStore::create(Path::new(PATH), stream(), &options).unwrap();
    let mut writer = writer_after(&store.tail());
    let mut append =
        |store: &mut SqliteStore| store.append(&next_block(&mut writer, 30), Beside::default());
    append(&mut store).unwrap();
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let reader = rusqlite::Connection::open_with_flags_and_vfs(PATH, flags, disk.vfs_name());
    let reader = reader.unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM blocks;")
        .unwrap();
    let mut appended = 0;
    let error = loop {
        match append(&mut store) {
            Ok(()) => appended += 1,
            Err(error) => break error,
        }
        assert!(appended < 1_000, "the log has no bound");
    };
    assert!(matches!(error, AppendError::LogFull), "{error}");
    assert!(error.is_refusal(), "nothing was written");
    let log = disk.read_file(&format!("{PATH}-wal")).len();
    assert!(log < 2 * max as usize, "{log}");
    reader.execute_batch("COMMIT").unwrap();
    drop(store);
    // With the reader gone the journal is opened and goes on.
    let mut store = SqliteStore::open(Path::new(PATH), stream(), &options).unwrap();
    assert_eq!(hashes(&store).len(), appended + 1);
    assert_eq!(write(&mut store, 40).len(), 40);
}

#[test]
fn a_real_file_that_is_removed_or_replaced_ends_the_acknowledgements() {
    type Harm = fn(&Path);
    let harms: [(&str, Harm); 4] = [
        ("the journal", |folder| {
            std::fs::remove_file(folder.join("table-1.sqlite")).unwrap();
        }),
        ("its log", |folder| {
            std::fs::remove_file(folder.join("table-1.sqlite-wal")).unwrap();
        }),
        ("the folder", |folder| {
            std::fs::remove_dir_all(folder).unwrap()
        }),
        ("another file in its place", |folder| {
            let (file, copy) = (folder.join("table-1.sqlite"), folder.join("copy"));
            std::fs::copy(&file, &copy).unwrap();
            std::fs::rename(&copy, &file).unwrap();
        }),
    ];
    for (what, harm) in harms {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("journal");
        std::fs::create_dir(&folder).unwrap();
        let file = folder.join("table-1.sqlite");
        let mut store = SqliteStore::create(&file, stream(), &SqliteOptions::default()).unwrap();
        let mut writer = writer_after(&store.tail());
        store
            .append(&next_block(&mut writer, 3), Beside::default())
            .unwrap();
        harm(&folder);
        let refused = store.append(&next_block(&mut writer, 3), Beside::default());
        assert!(
            matches!(refused, Err(AppendError::Gone { .. })),
            "{what}: {refused:?}"
        );
        let refused = store.append(&next_block(&mut writer, 3), Beside::default());
        assert!(refused.is_err(), "{what}");
    }
}

#[test]
fn a_log_beside_a_restored_file_is_explained_and_not_folded_in() {
    let place = tempfile::tempdir().unwrap();
    let (file, log) = (
        place.path().join("table-1.sqlite"),
        place.path().join("table-1.sqlite-wal"),
    );
    let options = SqliteOptions::default();
    let mut store = SqliteStore::create(&file, stream(), &options).unwrap();
    write(&mut store, 4);
    let backup = place.path().join("backup.sqlite");
    store.backup(&backup).unwrap();
    // Much is folded in, so that the log is not all that has come since.
    write(&mut store, 60);
    store.fold_log().unwrap();
    write(&mut store, 3);
    let stale = std::fs::read(&log).unwrap();
    drop(store);
    // The house crashed, and somebody restored the file alone.
    std::fs::copy(&backup, &file).unwrap();
    std::fs::write(&log, &stale).unwrap();
    let restored = std::fs::read(&file).unwrap();
    let said = SqliteStore::open(&file, stream(), &options)
        .expect_err("the log is of another file")
        .to_string();
    assert!(said.contains("table-1.sqlite-wal lies beside it"), "{said}");
    assert!(said.contains("must be moved away"), "{said}");
    assert_eq!(std::fs::read(&file).unwrap(), restored, "left as it was");
    std::fs::remove_file(&log).unwrap();
    let _ = std::fs::remove_file(place.path().join("table-1.sqlite-shm"));
    let store = SqliteStore::open(&file, stream(), &options).unwrap();
    assert_eq!(hashes(&store).len(), 4);
}

/// `SICBO_FULL_DISK` names a small file system of its own, e.g. a tmpfs of 1 MiB.
#[test]
#[ignore = "needs a file system that may be filled"]
fn a_start_on_a_full_disk_says_so() {
    let place = std::env::var("SICBO_FULL_DISK").expect("SICBO_FULL_DISK names a folder");
    let file = Path::new(&place).join("table-1.sqlite");
    let options = SqliteOptions::default();
    let mut store = SqliteStore::create(&file, stream(), &options).unwrap();
    write(&mut store, 3);
    drop(store);
    let filling = Path::new(&place).join("filling");
    let mut full = std::fs::File::create(&filling).unwrap();
    while std::io::Write::write_all(&mut full, &[0; 4096]).is_ok() {}
    let error = SqliteStore::open(&file, stream(), &options).expect_err("no room");
    assert!(matches!(error, OpenError::DiskFull { .. }), "{error}");
    std::fs::remove_file(&filling).unwrap();
    let store = SqliteStore::open(&file, stream(), &options).expect("room again");
    assert_eq!(hashes(&store).len(), 3);
}
