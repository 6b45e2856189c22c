//! A journal as a running house has it: one writer, the thread that keeps its log short, and readers
//! that come and go beside them, all at once and on a real file system.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sicbo_journal::*;

use crate::common::*;

/// Blocks that are written while others read.
const BLOCKS: u64 = 400;
const READERS: usize = 3;
/// After so many, the writer waits for the end of one more reading: neither side runs away.
const BLOCKS_A_READING: u64 = 40;

fn options() -> SqliteOptions {
    SqliteOptions {
        upkeep: WalUpkeep::Background,
        // Short, so that the log is folded in and begins anew many times.
        log: LogLimits {
            fold_after: 64 << 10,
            fold_inline_after: 512 << 10,
            max: 64 << 20,
            keep: 1 << 20,
        },
        ..SqliteOptions::default()
    }
}

/// Opens the journal as a reader does, and reads all of it: whole, in order, and at least as far as
/// had been acknowledged when it was opened.
fn read_all(path: &Path, acknowledged: u64) -> u64 {
    let store = SqliteStore::open_read_only(path, stream(), &Vfs::default()).expect("a reader");
    let blocks: Result<Vec<RawBlock>, _> = store.read_from(1).collect();
    let blocks = blocks.expect("blocks that can be read");
    let count = blocks.len() as u64;
    let report = verify(blocks, Vec::new()).expect("a whole chain");
    assert!(
        report.records >= acknowledged,
        "{report:?} lacks what was acknowledged"
    );
    count
}

#[test]
fn a_writer_its_log_keeper_and_readers_do_not_hurt_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table-1.sqlite");
    let mut store = SqliteStore::create(&path, stream(), &options()).expect("a new journal");
    let (acknowledged, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let (path, acknowledged, over) = (path.as_path(), &acknowledged, &over);
    let (has_read, readings) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let readers = [(); READERS].map(|()| {
            let has_read = has_read.clone();
            scope.spawn(move || {
                // Once more after the last block, so that each has seen all of it.
                loop {
                    let last = over.load(Ordering::Acquire);
                    let count = read_all(path, acknowledged.load(Ordering::Acquire));
                    if last {
                        assert_eq!(count, BLOCKS);
                        return;
                    }
                    // The writer may have its last one by now.
                    let _ = has_read.send(());
                }
            })
        });
        let mut writer = writer_after(&Tail::default());
        for number in 0..BLOCKS {
            let block = next_block(&mut writer, 1 + (number % 40) as u32);
            store.append(&block, Beside::default()).expect("a block");
            acknowledged.store(block.header().last_sequence, Ordering::Release);
            if number % BLOCKS_A_READING == 0 {
                readings.recv().expect("readers that go on");
            }
        }
        over.store(true, Ordering::Release);
        for reader in readers {
            reader.join().expect("a reader");
        }
    });
    let tail = store.tail();
    drop(store);
    let again = SqliteStore::open(path, stream(), &options()).expect("it opens again");
    assert_eq!(again.tail(), tail);
    drop(again);
    assert_eq!(read_all(path, tail.sequence), BLOCKS);
}
