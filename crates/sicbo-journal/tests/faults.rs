//! The SQLite store on a disk that crashes at every step, tears and loses
//! writes, fails syncs and reads, runs full, and flips bits. After each:
//! everything acknowledged is there, nothing is there by half, and what was
//! changed is named.

use std::path::Path;

use crate::common::*;
use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::*;

/// A block's hash: as good as its bytes for comparing, and short in a report.
fn digest(block: &RawBlock) -> Hash {
    Hash::of(
        &[
            &block.filed_under.to_be_bytes()[..],
            &block.header,
            &block.body,
        ]
        .concat(),
    )
}

/// All blocks of a store, as hashes.
fn read_all(store: &SqliteStore) -> Result<Vec<Hash>, ReadError> {
    store
        .read_from(1)
        .map(|raw| raw.map(|raw| digest(&raw)))
        .collect()
}

/// What the outside was told.
#[derive(Default)]
struct Told {
    created: bool,
    blocks: Vec<Hash>,
    snapshot: u64,
    rounds: u64,
    /// Sealed and handed to the store, answered or not.
    attempted: Vec<Hash>,
    /// The same blocks in full.
    raw: Vec<RawBlock>,
    signed: Vec<SignedCheckpoint>,
}

/// Lives two lives on the disk: appends with rows and checkpoints, snapshots,
/// folding of the log and a clean close between. Stops at the first error.
fn live(disk: &FaultDisk, told: &mut Told) -> Result<(), Box<dyn std::error::Error>> {
    let mut store = SqliteStore::create(Path::new(PATH), stream(), &options(disk))?;
    told.created = true;
    for life in 0..2 {
        if life > 0 {
            drop(store);
            store = open(disk)?;
        }
        let mut writer = writer_after(&store.tail());
        for step in 0..6u64 {
            let block = next_block(&mut writer, [1, 3, 90, 2, 1, 7][step as usize]);
            let header = block.header();
            let round = life * 6 + step + 1;
            let row = RoundRow {
                round,
                first_sequence: header.first_sequence,
                last_sequence: header.last_sequence,
                started_ms: 1,
                ended_ms: None,
                state: "betting".into(),
                dice: None,
            };
            let signed = (step % 2 == 1).then(|| checkpoint(&block));
            told.raw.push(block.to_raw());
            told.attempted.push(digest(&block.to_raw()));
            store.append(
                &block,
                Beside {
                    rounds: &[row],
                    checkpoint: signed.as_ref(),
                },
            )?;
            told.blocks.push(digest(&block.to_raw()));
            told.signed.extend(signed);
            told.rounds = round;
            if step == 2 {
                let (sequence, header_hash) = (header.last_sequence, block.header_hash());
                let bytes = vec![life as u8; 20_000];
                store.put_snapshot(&Snapshot {
                    sequence,
                    header_hash,
                    bytes,
                })?;
                told.snapshot = sequence;
            }
            if step % 3 == 2 {
                store.fold_log()?;
            }
        }
    }
    Ok(())
}

/// The promises, after whatever happened.
fn check(disk: &FaultDisk, told: &Told, context: &str) {
    let mut store = match open(disk) {
        Ok(store) => store,
        // It is not there at all: half a journal would have to be taken away by hand.
        Err(_) if !told.created => SqliteStore::create(Path::new(PATH), stream(), &options(disk))
            .unwrap_or_else(|error| panic!("{context}: {error}")),
        Err(error) => panic!("{context}: {error}"),
    };
    let found = read_all(&store).expect("readable");
    assert!(
        found.starts_with(&told.blocks),
        "{context}: acknowledged is there"
    );
    assert!(
        told.attempted.starts_with(&found),
        "{context}: nothing else, nothing by half"
    );
    let checkpoints = store.checkpoints().expect("readable checkpoints");
    assert!(
        checkpoints.starts_with(&told.signed),
        "{context}: checkpoints are there"
    );
    let report = verify_chain(stream(), store.read_from(1), checkpoints, &ring());
    let report = report.unwrap_or_else(|fault| panic!("{context}: {fault}"));
    assert_eq!(report.tail, store.tail());
    let snapshot = store
        .latest_snapshot()
        .expect("readable")
        .map_or(0, |s| s.sequence);
    assert!(
        snapshot >= told.snapshot,
        "{context}: the snapshot is there"
    );
    let rounds = store.rounds(0, 100).expect("readable").len();
    assert_eq!(
        rounds,
        found.len(),
        "{context}: each block came with its row"
    );
    assert!(rounds as u64 >= told.rounds);
    // Life goes on.
    let mut writer = writer_after(&store.tail());
    store
        .append(&next_block(&mut writer, 2), Beside::default())
        .expect("a good disk again");
}

/// What one undisturbed run asks of the disk.
fn undisturbed() -> sicbo_fault_vfs::Usage {
    let (disk, mut told) = (FaultDisk::new(), Told::default());
    live(&disk, &mut told).expect("no fault was planned");
    let usage = disk.usage();
    check(&disk, &told, "undisturbed");
    assert_eq!(told.blocks.len(), 12);
    usage
}

#[test]
fn a_crash_at_any_write_loses_nothing_acknowledged_and_leaves_nothing_by_half() {
    let changes = undisturbed().changes;
    assert!(changes > 100, "the run must be worth crashing: {changes}");
    for change in 0..changes {
        for seed in 0..2 {
            let (disk, mut told) = (FaultDisk::new(), Told::default());
            disk.crash_at_change(change);
            // A crash while closing has nobody left to tell.
            let done = live(&disk, &mut told).is_ok();
            assert!(
                !done || told.blocks.len() == 12,
                "the crash at {change} was noticed"
            );
            disk.restart(change * 2 + seed);
            check(
                &disk,
                &told,
                &format!("crash at change {change}, seed {seed}"),
            );
        }
    }
}

#[test]
fn a_second_crash_during_recovery_loses_nothing_either() {
    let changes = undisturbed().changes;
    for change in (0..changes).step_by(7) {
        for recovery_change in 0..6 {
            let (disk, mut told) = (FaultDisk::new(), Told::default());
            disk.crash_at_change(change);
            let _ = live(&disk, &mut told);
            disk.restart(change);
            disk.crash_at_change(recovery_change);
            // Opening, and closing with its folding of the log.
            drop(open(&disk));
            disk.restart(change + 1);
            let context = format!("crash at {change}, then at {recovery_change}");
            check(&disk, &told, &context);
        }
    }
}

#[test]
fn after_any_failed_sync_nothing_more_is_acknowledged_and_nothing_is_lost() {
    let syncs = undisturbed().syncs;
    assert!(syncs > 12, "each commit is synced: {syncs}");
    for sync in 0..syncs {
        let (disk, mut told) = (FaultDisk::new(), Told::default());
        disk.fail_sync(sync);
        // A failed sync of the main file when closing is not an error: the
        // log still holds everything, and the next life goes on from it.
        let _ = live(&disk, &mut told);
        disk.restart(sync);
        check(&disk, &told, &format!("failed sync {sync}"));
    }
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let (disk, mut told) = (FaultDisk::new(), Told::default());
    live(&disk, &mut told).expect("room enough");
    let needed = disk.used();
    let mut said = 0;
    for capacity in (0..needed).step_by(1500) {
        let (disk, mut told) = (FaultDisk::new(), Told::default());
        disk.set_capacity(Some(capacity));
        let error = live(&disk, &mut told)
            .expect_err("too little room")
            .to_string();
        said += usize::from(error.contains("full"));
        if !told.created {
            assert!(
                error.contains("full: free some space"),
                "{capacity}: {error}"
            );
        }
        disk.set_capacity(None);
        disk.restart(1);
        check(&disk, &told, &format!("capacity {capacity}"));
    }
    assert_eq!(
        said,
        (0..needed).step_by(1500).count(),
        "each time the reason was said"
    );
}

/// A crash before the clean close leaves a log to recover from.
fn crashed_with_a_log() -> (FaultDisk, Told) {
    let (disk, mut told) = (FaultDisk::new(), Told::default());
    disk.crash_at_change(undisturbed().changes - 8);
    live(&disk, &mut told).expect_err("a crash was planned");
    disk.restart(3);
    (disk, told)
}

#[test]
fn a_short_read_is_an_error_or_harmless_and_damages_nothing() {
    let (disk, _) = crashed_with_a_log();
    let files: Vec<_> = disk
        .files()
        .into_iter()
        .map(|n| (disk.read_file(&n), n))
        .collect();
    // As recovery reads: nothing is believed that does not hash.
    let read_all = |disk: &FaultDisk| -> Result<Vec<Hash>, String> {
        let store = open(disk).map_err(|error| error.to_string())?;
        let mut chain = Chain::after(stream(), Tail::default());
        let accept = |raw: Result<RawBlock, ReadError>| {
            let block = chain.accept(raw.map_err(|error| error.to_string())?);
            block
                .map(|block| block.header_hash())
                .map_err(|fault| fault.to_string())
        };
        store.read_from(1).map(accept).collect()
    };
    let whole = read_all(&disk).expect("no fault was planned");
    let mut errors = 0;
    for read in 0..disk.usage().reads {
        for (bytes, name) in &files {
            disk.write_file(name, bytes);
        }
        disk.restart(0);
        disk.short_read(read);
        match read_all(&disk) {
            Ok(blocks) => assert_eq!(blocks, whole, "short read {read}"),
            Err(_) => errors += 1,
        }
        disk.restart(0);
        assert_eq!(
            read_all(&disk).as_ref(),
            Ok(&whole),
            "short read {read} did damage"
        );
    }
    assert!(errors > 3, "short reads were noticed: {errors}");
}

/// A closed journal, all in its main file.
fn closed_journal() -> (FaultDisk, Told, Vec<u8>) {
    let (disk, mut told) = (FaultDisk::new(), Told::default());
    live(&disk, &mut told).expect("no fault was planned");
    assert_eq!(disk.files(), [PATH], "a clean close leaves one file");
    let bytes = disk.read_file(PATH);
    (disk, told, bytes)
}

/// Opens and verifies; the blocks as read, or the fault in words.
fn verify_file(disk: &FaultDisk) -> Result<Vec<Hash>, String> {
    let vfs = disk.vfs();
    let store = SqliteStore::open_read_only(Path::new(PATH), stream(), &vfs);
    let store = store.map_err(|error| error.to_string())?;
    let checkpoints = store.checkpoints().map_err(|error| error.to_string())?;
    let report = verify_chain(stream(), store.read_from(1), checkpoints, &ring());
    report.map_err(|fault| fault.to_string())?;
    Ok(read_all(&store).expect("just read"))
}

#[test]
fn a_flipped_bit_in_a_stored_block_or_checkpoint_is_found_and_named() {
    let (disk, told, good) = closed_journal();
    // SQLite leaves stale copies of rows in unused space, so every copy is hit.
    let find = |needle: &[u8]| -> Vec<usize> {
        let windows = good.windows(needle.len()).enumerate();
        windows
            .filter(|(_, window)| *window == needle)
            .map(|(at, _)| at)
            .collect()
    };
    let flip = |copies: &[usize], at: usize| {
        assert!(!copies.is_empty(), "it is in the file");
        let mut bad = good.clone();
        copies
            .iter()
            .for_each(|copy| bad[copy + at] ^= 1 << (at % 7));
        disk.write_file(PATH, &bad);
    };
    // Blocks small enough to lie in one piece in the file: hash, header, body.
    for block in told
        .raw
        .iter()
        .filter(|block| block.body.len() < 300)
        .take(4)
    {
        let row = [&Hash::of(&block.header).0[..], &block.header, &block.body].concat();
        let copies = find(&row);
        for at in 0..row.len() {
            flip(&copies, at);
            let said = verify_file(&disk).expect_err("a flipped bit");
            let last = block.clone().decode().expect("good").header().last_sequence;
            let named = (block.filed_under..=last + 1)
                .any(|sequence| said.contains(&format!("record {sequence}")));
            let named = named || said.contains(&format!("sequence {}:", block.filed_under));
            assert!(named, "byte {at} of block {}: {said}", block.filed_under);
        }
    }
    let signed = told.signed.last().expect("the run signed");
    let row = [signed.message().as_bytes(), signed.signature()].concat();
    let copies = find(&row);
    for at in 0..row.len() {
        flip(&copies, at);
        verify_file(&disk).expect_err("a flipped bit of a checkpoint");
    }
}

#[test]
fn a_flipped_bit_anywhere_in_the_file_never_changes_a_block_unnoticed() {
    let (disk, told, good) = closed_journal();
    let mut found = 0;
    for at in (0..good.len()).step_by(131) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        disk.write_file(PATH, &bad);
        match verify_file(&disk) {
            // In unused space, or in the rounds and snapshots beside.
            Ok(blocks) => assert_eq!(blocks, told.blocks, "byte {at}"),
            Err(_) => found += 1,
        }
    }
    assert!(found > 100, "most of the file is blocks: {found}");
}

#[test]
fn a_flipped_bit_in_the_log_never_changes_a_block_unnoticed() {
    let (disk, told) = crashed_with_a_log();
    let log = format!("{PATH}-wal");
    let (main, good) = (disk.read_file(PATH), disk.read_file(&log));
    assert!(good.len() > 10_000, "there is a log: {}", good.len());
    for at in (0..good.len()).step_by(173) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        disk.write_file(PATH, &main);
        disk.write_file(&log, &bad);
        // SQLite ends the log where its own checksum fails, so the end of the
        // stream may be missing; what is there is true.
        if let Ok(blocks) = verify_file(&disk) {
            assert_eq!(blocks[..], told.attempted[..blocks.len()], "byte {at}");
        }
    }
}

#[test]
fn a_truncated_file_is_refused_and_left_as_it_is() {
    let (disk, _, good) = closed_journal();
    for length in (0..good.len()).step_by(1000) {
        disk.write_file(PATH, &good[..length]);
        let error = open(&disk).expect_err("a truncated journal");
        assert!(
            matches!(
                error,
                OpenError::Damaged { .. } | OpenError::NotAJournal { .. }
            ),
            "{length}: {error}"
        );
        assert_eq!(disk.read_file(PATH), &good[..length], "{length}");
    }
}

#[test]
fn a_damaged_snapshot_is_passed_over_for_the_one_before() {
    let (disk, told, good) = closed_journal();
    // The second life's snapshot is 20,000 bytes of 1.
    let at = good
        .windows(4000)
        .position(|w| w.iter().all(|b| *b == 1))
        .expect("in the file");
    let mut bad = good.clone();
    bad[at + 100] ^= 0x40;
    disk.write_file(PATH, &bad);
    let snapshot = open(&disk)
        .unwrap()
        .latest_snapshot()
        .unwrap()
        .expect("the one before");
    assert!(snapshot.sequence < told.snapshot);
    assert_eq!(snapshot.bytes, vec![0; 20_000]);
}

#[test]
fn a_disk_that_forbids_writing_is_said() {
    let (disk, _, _) = closed_journal();
    disk.set_read_only(true);
    let error = open(&disk).map(|_| ()).or_else(|error| match error {
        OpenError::NoRights { .. } => Ok(()),
        other => Err(other),
    });
    assert_eq!(error, Ok(()));
    disk.remove_file(PATH);
    let error = SqliteStore::create(Path::new(PATH), stream(), &options(&disk));
    assert!(
        matches!(error, Err(OpenError::NoRights { .. })),
        "{error:?}"
    );
}
