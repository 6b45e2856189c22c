//! Rows that no program of ours writes, put into a journal's file by somebody
//! who can write it: reading ends all the same.

#![allow(
    clippy::unwrap_used,
    clippy::allow_attributes,
    reason = "a test that cannot go on should stop"
)]

use std::sync::mpsc::channel;
use std::time::Duration;

use crate::common::*;
use sicbo_journal::*;

/// A reader that goes from snapshot to snapshot would never come to an end if a
/// row before the first record were taken for one after record 0.
#[test]
fn snapshots_before_the_first_record_end_the_search_for_an_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table-1.sqlite");
    let mut store = SqliteStore::create(&path, stream(), &SqliteOptions::default()).unwrap();
    for block in blocks(&[3, 4]) {
        store.append(&block, Beside::default()).unwrap();
    }
    let tail = store.tail();
    let genuine = Snapshot {
        sequence: tail.sequence,
        header_hash: tail.header_hash,
        bytes: b"a state".to_vec(),
    };
    store.put_snapshot(&genuine).unwrap();
    drop(store);
    let file = rusqlite::Connection::open(&path).unwrap();
    file.pragma_update(None, "ignore_check_constraints", true)
        .unwrap();
    // A block that "ends with record 0", and snapshots after it.
    let header_hash = Hash([3; 32]);
    let (hash, nothing) = (header_hash.0, b"nothing".to_vec());
    file.execute(
        "INSERT INTO blocks VALUES (-7, 0, 1, 0, ?1, ?2, ?2)",
        rusqlite::params![hash, nothing],
    )
    .unwrap();
    for sequence in [0, -1, -2, i64::MIN] {
        let crafted = Snapshot {
            sequence: 0,
            header_hash,
            bytes: nothing.clone(),
        };
        file.execute(
            "INSERT INTO snapshots VALUES (?1, ?2, ?3, ?4)",
            rusqlite::params![sequence, hash, crafted.digest().0, nothing],
        )
        .unwrap();
    }
    drop(file);
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let store = SqliteStore::open_read_only(&path, stream(), &Vfs::default()).unwrap();
        let mut found = Vec::new();
        let mut next = store.latest_snapshot().unwrap();
        while let Some(one) = next {
            next = store.snapshot_before(one.sequence).unwrap();
            found.push(one);
        }
        let _ = tell.send(found);
    });
    let found = told.recv_timeout(Duration::from_secs(60));
    assert_eq!(found.expect("the search ends"), [genuine]);
}

/// Blocks out of order, twice, or under other numbers: each is a fault, and
/// nothing is counted below zero.
#[test]
fn blocks_in_any_order_are_faults_and_nothing_overflows() {
    let good: Vec<RawBlock> = blocks(&[3, 4, 1, 2])
        .iter()
        .map(SealedBlock::to_raw)
        .collect();
    let ring = ring();
    let orders: [&[usize]; 5] = [
        &[3, 2, 1, 0],
        &[0, 3, 1],
        &[1, 0, 0, 3],
        &[3, 0],
        &[2, 2, 2],
    ];
    for order in orders {
        let mut verifier = Verifier::new(stream(), &ring, [checkpoint(&blocks(&[3, 4, 1, 2])[3])]);
        let mut faults = 0;
        for at in order {
            let block = Verifier::decode(good[*at].clone()).unwrap();
            verifier.examine(&block, &mut |_| faults += 1);
        }
        let report = verifier.finish_examining(&mut |_| faults += 1);
        assert!(faults > 0, "{order:?}");
        let unsigned = report.tail.sequence.saturating_sub(report.signed_to);
        assert!(unsigned <= 10, "{order:?}: {unsigned}");
    }
}
