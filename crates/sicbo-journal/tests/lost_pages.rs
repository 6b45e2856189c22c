//! Pages that a failed sync gave up: every reader sees them, no disk has them.
//! After such an end the log is made durable before it is believed, and nothing
//! that is acknowledged later can be lost with it. Crashes, failing syncs and
//! wrong bits inside that recovery too.

use std::path::Path;

use crate::common::*;
use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::*;

fn hashes(store: &SqliteStore) -> Vec<Hash> {
    read_all(store).unwrap_or_else(|error| panic!("{error}"))
}

/// Every block, read whole, as a start reads it.
fn read_all(store: &SqliteStore) -> Result<Vec<Hash>, String> {
    let blocks = store.read_from(1);
    let hash = |raw: Result<RawBlock, ReadError>| {
        let block = raw.map_err(|error| error.to_string())?.decode();
        Ok(block.map_err(|error| error.to_string())?.header_hash())
    };
    blocks.map(hash).collect()
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
    let mut store = created(&disk);
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

/// The power goes with everything that is not on the disk.
fn power_cut<T>(disk: &FaultDisk, open: T, seed: u64) {
    disk.crash_at_change(disk.usage().changes);
    drop(open);
    disk.restart(seed);
}

/// Blocks are written to a journal that was opened again, and outlast a power cut.
fn goes_on(disk: &FaultDisk, mut store: SqliteStore, blocks: usize, seed: u64, context: &str) {
    let mut all = hashes(&store);
    all.extend(write(&mut store, blocks));
    power_cut(disk, store, seed);
    check(disk, &all, context);
}

fn created(disk: &FaultDisk) -> SqliteStore {
    let store = SqliteStore::create(Path::new(PATH), stream(), &options(disk));
    store.expect("a journal")
}

#[test]
fn a_failed_sync_a_restart_and_a_power_cut_lose_nothing_acknowledged() {
    for sync in 0..14 {
        for seed in 0..4 {
            let context = format!("sync {sync}, seed {seed}");
            let (disk, acknowledged) = after_failed_sync(sync);
            let store = check(&disk, &acknowledged, &context);
            goes_on(&disk, store, 6, seed, &context);
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
            let store = check(&disk, &acknowledged, &context);
            goes_on(&disk, store, 4, again, &context);
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
            let store = check(&disk, &acknowledged, &context);
            goes_on(&disk, store, 3, change + 1, &context);
        }
    }
}

#[test]
fn a_wrong_bit_read_in_recovery_is_noticed_or_harmless_and_does_no_damage() {
    // Other lengths of the log, and other bits.
    let noticed: usize = (0..12).map(wrong_bits).sum();
    assert!(noticed > 60, "wrong bits were noticed: {noticed}");
}

/// How many of the wrong bits in one recovery were noticed.
fn wrong_bits(sync: u64) -> usize {
    let (disk, _) = after_failed_sync(sync);
    let before = disk.usage().reads;
    let store = open(&disk).expect("no fault was planned");
    // Reads of opening alone: SQLite folds frames in unchecked when it closes.
    let reads = disk.usage().reads - before;
    let whole = hashes(&store);
    drop(store);
    let mut noticed = 0;
    for read in 0..reads {
        let context = format!("sync {sync}, read {read}");
        let (disk, acknowledged) = after_failed_sync(sync);
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
        let found = hashes(&check(&disk, &acknowledged, &context));
        assert!(whole.starts_with(&found), "{context}: did damage");
    }
    noticed
}

#[test]
fn a_bit_that_was_read_wrong_once_keeps_no_journal_shut() {
    let (disk, _) = after_failed_sync(4);
    let before = disk.usage().reads;
    let store = open(&disk).expect("no fault was planned");
    let (reads, whole) = (disk.usage().reads - before, hashes(&store));
    drop(store);
    let mut failed = 0;
    for read in 0..reads {
        let (disk, _) = after_failed_sync(4);
        disk.rotten_read(disk.usage().reads + read);
        // A start opens the journal and reads its blocks: the opening looks at the last of them
        // alone, and a page has several.
        let start = || {
            let store = open(&disk).map_err(|error| (error.may_be_misread(), error.to_string()))?;
            read_all(&store).map_err(|error| (true, error))
        };
        let started = read_again(
            start,
            |(may_be_misread, _)| *may_be_misread,
            |reading, _| {
                assert_eq!(reading, 1, "read {read}: wrong once");
                failed += 1;
            },
        );
        let found = started.unwrap_or_else(|(_, error)| panic!("read {read}: {error}"));
        assert_eq!(found, whole, "read {read}");
    }
    assert!(failed > 10, "wrong bits were noticed: {failed}");
}

#[test]
fn damage_on_the_disk_and_failed_syncs_are_not_read_away() {
    let (disk, _, [main, good]) = with_a_log(true, &[1, 40, 1]);
    let mut bad = good;
    bad[LOG_HEADER + 200] ^= 1;
    disk.write_file(PATH, &main);
    disk.write_file(&format!("{PATH}-wal"), &bad);
    let readings = |disk: &FaultDisk| {
        let mut readings = 0;
        let read = || {
            readings += 1;
            open(disk)
        };
        let error = read_again(read, OpenError::may_be_misread, |_, _| {}).expect_err("refused");
        (readings, error)
    };
    let (tried, error) = readings(&disk);
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
    assert_eq!(tried, MAX_READINGS);
    assert_eq!(
        disk.read_file(&format!("{PATH}-wal")),
        bad,
        "left as it was"
    );
    let (disk, _) = after_failed_sync(4);
    disk.fail_sync(disk.usage().syncs);
    let (tried, error) = readings(&disk);
    assert!(matches!(error, OpenError::Unsynced { .. }), "{error}");
    assert_eq!(tried, 1);
}

#[test]
fn truncations_that_never_reach_the_disk_do_no_harm() {
    for seed in 0..12 {
        let disk = FaultDisk::new();
        let mut store = created(&disk);
        disk.lose_truncations(true);
        let mut all = Vec::new();
        for _ in 0..3 {
            all.extend(write(&mut store, 7));
            drop(store);
            store = open(&disk).unwrap();
        }
        power_cut(&disk, store, seed);
        check(&disk, &all, &format!("seed {seed}"));
    }
}

#[test]
fn whole_commits_behind_a_gap_in_the_log_are_not_dropped_in_silence() {
    let disk = FaultDisk::new();
    let mut store = created(&disk);
    let mut writer = writer_after(&store.tail());
    store.fold_log().unwrap();
    for _ in 0..6 {
        store
            .append(&next_block(&mut writer, 1), Beside::default())
            .unwrap();
    }
    power_cut(&disk, store, 1);
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

const LOG_HEADER: usize = 32;
const FRAME: usize = 24 + 8192;

/// A new journal, on a disk that promises safe overwrites or does not.
fn new_journal(promise: bool) -> (FaultDisk, SqliteStore) {
    let disk = FaultDisk::new();
    disk.promise_safe_overwrite(promise);
    let store = created(&disk);
    (disk, store)
}

/// A journal whose log holds these acknowledged blocks, as a power cut left it,
/// on a disk that promises safe overwrites or does not; its file and its log.
fn with_a_log(promise: bool, sizes: &[u32]) -> (FaultDisk, Vec<Hash>, [Vec<u8>; 2]) {
    let (disk, mut store) = new_journal(promise);
    let mut writer = writer_after(&store.tail());
    store.fold_log().expect("folded in");
    let mut acknowledged = Vec::new();
    for size in sizes {
        let block = next_block(&mut writer, *size);
        store.append(&block, Beside::default()).expect("kept");
        acknowledged.push(block.header_hash());
    }
    power_cut(&disk, store, 1);
    let files = [disk.read_file(PATH), disk.read_file(&format!("{PATH}-wal"))];
    (disk, acknowledged, files)
}

/// Opens the journal over other bytes of its log. Returns how many blocks are
/// there; nothing where it is refused as damaged, and left as it was.
fn open_over(disk: &FaultDisk, main: &[u8], log: &[u8], context: &str) -> Option<usize> {
    let path = format!("{PATH}-wal");
    disk.write_file(PATH, main);
    disk.write_file(&path, log);
    match open(disk) {
        Ok(store) => Some(hashes(&store).len()),
        Err(OpenError::Damaged { .. }) => {
            assert_eq!(disk.read_file(&path), log, "{context}: left as it was");
            None
        }
        Err(other) => panic!("{context}: {other}"),
    }
}

#[test]
fn rot_in_any_frame_of_the_log_drops_no_commit_that_others_followed() {
    for promise in [true, false] {
        for sizes in [
            &[1, 40, 1, 120, 1, 1][..],
            &[40, 1, 120],
            &[1, 1],
            &[120, 120],
        ] {
            let (disk, all, [main, good]) = with_a_log(promise, sizes);
            let frames = (good.len() - LOG_HEADER) / FRAME;
            let of = |frame: usize| &good[LOG_HEADER + frame * FRAME..][..FRAME];
            let size_of = |frame: usize| u32::from_be_bytes(of(frame)[4..8].try_into().unwrap());
            // The last commit, with its copies: it may have been under way.
            let commits = (0..frames).rev().filter(|frame| size_of(*frame) != 0);
            let same = |frame: &usize| of(*frame)[24..] == of(frames - 1)[24..];
            let ends = commits.clone().find(|frame| !same(frame));
            // So may the copy before it, of which a part is synced with it.
            let copies = usize::from(!promise);
            let last = ends.map_or(0, |frame| frame + 1 - copies);
            for frame in 0..frames {
                // Page number, size, salts, sums and page, in part and whole.
                for (at, bytes) in [
                    (0, 4),
                    (3, 1),
                    (4, 4),
                    (7, 1),
                    (8, 4),
                    (15, 1),
                    (16, 8),
                    (23, 1),
                    (24, 1),
                    (124, 1),
                    (FRAME - 1, 1),
                    (24, 8192),
                ] {
                    let context = format!(
                        "promise {promise}, {sizes:?}: {bytes} bytes at {at} of frame {frame} of \
                         {frames}, the last commit from {last}"
                    );
                    let mut bad = good.clone();
                    let place = LOG_HEADER + frame * FRAME + at;
                    bad[place..place + bytes]
                        .iter_mut()
                        .for_each(|b| *b ^= 0x10);
                    let found = open_over(&disk, &main, &bad, &context);
                    let lost = found.map_or(0, |found| all.len() - found);
                    let allowed = usize::from(frame >= last);
                    assert!(lost <= allowed, "{context}: {lost} lost in silence");
                    // And where a size is gone altogether.
                    bad.clone_from(&good);
                    bad[place..place + bytes].fill(0);
                    let found = open_over(&disk, &main, &bad, &context);
                    let lost = found.map_or(0, |found| all.len() - found);
                    assert!(lost <= allowed, "{context}, zeros: {lost} lost in silence");
                }
            }
        }
    }
}

#[test]
fn a_damaged_header_of_the_log_is_not_taken_for_an_empty_log() {
    for promise in [true, false] {
        for sizes in [&[1][..], &[120], &[1, 40, 1]] {
            let (disk, _, [main, good]) = with_a_log(promise, sizes);
            for at in 0..LOG_HEADER {
                let context = format!("promise {promise}, {sizes:?}: byte {at}");
                let mut bad = good.clone();
                bad[at] ^= 4;
                let found = open_over(&disk, &main, &bad, &context);
                assert_eq!(found, None, "{context}");
            }
            if sizes.len() > 1 {
                // The whole sector, the first frame's header with it.
                let mut bad = good.clone();
                bad[..512].fill(0);
                assert_eq!(open_over(&disk, &main, &bad, "a sector"), None);
            }
            // One that never arrived has nothing behind it.
            for length in [0, 16, LOG_HEADER, LOG_HEADER + 100, LOG_HEADER + 2 * FRAME] {
                let found = open_over(&disk, &main, &vec![0; length], "zeros");
                assert_eq!(found, Some(0), "promise {promise}: {length} zeros");
            }
            assert_eq!(open_over(&disk, &main, &good, "whole"), Some(sizes.len()));
        }
    }
}

#[test]
fn a_commit_torn_by_a_crash_is_never_taken_for_damage() {
    for promise in [true, false] {
        for change in 0..48 {
            for seed in 0..2 {
                let (disk, mut store) = new_journal(promise);
                // Frames of earlier logs lie behind the end of this one.
                let mut acknowledged = write(&mut store, 11);
                disk.crash_at_change(disk.usage().changes + change);
                acknowledged.extend(write(&mut store, 8));
                power_cut(&disk, store, seed * 61 + change);
                let context = format!("promise {promise}, change {change}, seed {seed}");
                let mut store = check(&disk, &acknowledged, &context);
                // And again, over what is left of the torn one.
                let mut all = hashes(&store);
                disk.crash_at_change(disk.usage().changes + 3 + seed);
                all.extend(write(&mut store, 3));
                power_cut(&disk, store, seed);
                check(&disk, &all, &context);
            }
        }
    }
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
        power_cut(&disk, store, sync);
        check(&disk, &all, "after a power cut");
    }
}

/// A store with a log keeper that its owner drives.
fn driven(disk: &FaultDisk) -> (SqliteStore, LogKeeper) {
    let options = SqliteOptions {
        upkeep: WalUpkeep::Driven,
        ..options(disk)
    };
    let store = SqliteStore::create(Path::new(PATH), stream(), &options).expect("a journal");
    let keeper = store.log_keeper(&options).expect("a connection");
    (store, keeper.expect("a writer has one"))
}

/// Another process that reads the journal as it is now.
fn reader(disk: &FaultDisk) -> SqliteStore {
    let reader = SqliteStore::open_read_only(Path::new(PATH), stream(), &disk.vfs());
    let reader = reader.expect("readable");
    reader.stay_at_this_moment().expect("a transaction");
    reader
}

/// A folding of which nothing is on the disk: a reader let only half of the log
/// be folded in, which SQLite counts and does not sync; then a sync failed.
fn half_folded_and_lost(disk: &FaultDisk) -> (SqliteStore, LogKeeper, Vec<Hash>) {
    let (mut store, keeper) = driven(disk);
    // Long blocks among them, whose pages no later block touches.
    let mut all = write(&mut store, 9);
    let reader = reader(disk);
    all.extend(write(&mut store, 2));
    assert!(keeper.fold());
    drop(reader);
    all.extend(write(&mut store, 1));
    // The log is synced before the database.
    disk.fail_sync(disk.usage().syncs + 1);
    assert!(!keeper.fold(), "the sync failed");
    (store, keeper, all)
}

#[test]
fn a_log_keeper_that_has_failed_never_folds_again() {
    for seed in 0..4 {
        let disk = FaultDisk::new();
        let (mut store, keeper, all) = half_folded_and_lost(&disk);
        let used = disk.usage();
        assert!(!keeper.fold(), "it has failed");
        assert_eq!(disk.usage(), used, "nothing was written or synced");
        assert!(write(&mut store, 1).is_empty(), "nothing is acknowledged");
        power_cut(&disk, (store, keeper), seed);
        check(&disk, &all, &format!("seed {seed}"));
    }
}

#[test]
fn a_failed_writer_keeps_its_log_keeper_from_folding() {
    let disk = FaultDisk::new();
    let (mut store, keeper) = driven(&disk);
    write(&mut store, 3);
    disk.fail_sync(disk.usage().syncs);
    assert!(write(&mut store, 1).is_empty(), "the sync failed");
    let used = disk.usage();
    assert!(!keeper.fold());
    assert_eq!(disk.usage(), used, "nothing was written or synced");
}

#[test]
fn pages_that_were_folded_in_and_lost_are_written_again_while_a_reader_stays() {
    for seed in 0..4 {
        let disk = FaultDisk::new();
        let (store, keeper, mut all) = half_folded_and_lost(&disk);
        // It keeps the index of the log alive, and with it the count of frames
        // that need no folding in.
        let other = reader(&disk);
        drop((store, keeper));
        disk.evict(PATH);
        let context = format!("seed {seed}");
        let mut store = check(&disk, &all, &context);
        drop(other);
        assert!(store.fold_log().unwrap());
        // The log begins anew.
        all.extend(write(&mut store, 1));
        power_cut(&disk, store, seed);
        check(&disk, &all, &context);
    }
}

#[test]
fn a_wrong_bit_read_while_a_reader_stays_is_never_written_back() {
    let damage = |read: Option<u64>| -> u64 {
        let disk = FaultDisk::new();
        let (mut store, keeper) = driven(&disk);
        let mut all = write(&mut store, 4);
        assert!(keeper.fold());
        // It reads the database alone, so the log may begin anew beside it, and
        // keeps the index of the log alive, in which nothing is left to fold in.
        let other = reader(&disk);
        drop((store, keeper));
        let before = disk.usage().reads;
        if let Some(read) = read {
            disk.rotten_read(before + read);
        }
        let opened = open(&disk);
        let reads = disk.usage().reads - before;
        disk.cancel_rotten_read();
        drop(opened);
        let context = format!("read {read:?}");
        let mut store = check(&disk, &all, &context);
        // From here on the log has no copy of the pages.
        all.extend(write(&mut store, 1));
        drop((store, other));
        check(&disk, &all, &context);
        reads
    };
    let reads = damage(None);
    assert!(reads > 20, "reads at a start: {reads}");
    (0..reads).for_each(|read| {
        damage(Some(read));
    });
}

#[test]
fn a_journal_that_is_not_recognised_for_a_wrong_bit_is_not_trusted() {
    let mut refused = 0;
    for shift in 0..100 {
        let context = format!("shift {shift}");
        let (disk, acknowledged) = after_failed_sync(4);
        // Which bit of a read is wrong goes by the number of the read.
        let file = Files::open(&disk, Path::new(PATH)).unwrap();
        let file = file.expect("a journal");
        for _ in 0..shift {
            file.read_at(0, &mut [0]).unwrap();
        }
        disk.rotten_read(disk.usage().reads);
        let store = match open(&disk) {
            Ok(store) => store,
            Err(_) => {
                refused += 1;
                check(&disk, &acknowledged, &context)
            }
        };
        goes_on(&disk, store, 3, shift, &context);
    }
    assert!(refused >= 16, "the mark has 20 bytes: {refused} refused");
}

#[test]
fn a_removed_or_replaced_file_ends_the_acknowledgements() {
    for name in [PATH.to_owned(), format!("{PATH}-wal")] {
        for replaced in [false, true] {
            let disk = FaultDisk::new();
            let mut store = created(&disk);
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
            ..LogLimits::default()
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

#[test]
fn a_start_on_a_full_disk_says_so_and_loses_nothing() {
    // After a clean end, and with a log that must be written again.
    for clean in [true, false] {
        let disk = FaultDisk::new();
        let mut store = created(&disk);
        let all = write(&mut store, 3);
        if !clean {
            disk.crash_at_change(disk.usage().changes);
        }
        drop(store);
        disk.restart(1);
        disk.set_capacity(Some(disk.used()));
        let said = match open(&disk) {
            Err(error) => error.to_string(),
            Ok(mut store) => {
                let mut writer = writer_after(&store.tail());
                let block = next_block(&mut writer, 120);
                let refused = store.append(&block, Beside::default());
                refused.expect_err("no room").to_string()
            }
        };
        assert!(said.contains("full"), "clean {clean}: {said}");
        disk.set_capacity(None);
        disk.restart(2);
        check(&disk, &all, &format!("clean {clean}"));
    }
}

/// A file system of its own that may be filled.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// One mebibyte of memory; nothing where this user may mount nothing.
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]);
        let mounted = mount.arg(folder.path()).output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        mounted.then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let mut umount = std::process::Command::new("umount");
        let _ = umount.arg(self.0.path()).output();
    }
}

#[test]
fn a_start_on_a_full_disk_says_so() {
    let Some(disk) = SmallDisk::mount() else {
        println!("skipped: a small file system can only be mounted by root");
        return;
    };
    let file = disk.0.path().join("table-1.sqlite");
    let options = SqliteOptions::default();
    let mut store = SqliteStore::create(&file, stream(), &options).unwrap();
    write(&mut store, 3);
    drop(store);
    let filling = disk.0.path().join("filling");
    let mut full = std::fs::File::create(&filling).unwrap();
    while std::io::Write::write_all(&mut full, &[0; 4096]).is_ok() {}
    drop(full);
    let error = SqliteStore::open(&file, stream(), &options).expect_err("no room");
    assert!(matches!(error, OpenError::DiskFull { .. }), "{error}");
    assert!(error.to_string().contains("is full"), "{error}");
    std::fs::remove_file(&filling).unwrap();
    let store = SqliteStore::open(&file, stream(), &options).expect("room again");
    assert_eq!(hashes(&store).len(), 3);
}
