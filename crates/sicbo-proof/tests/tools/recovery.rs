//! A restart gives the state that a replay of everything gives, with a good
//! snapshot, a bad one, or none.

use sicbo_journal::{HouseKey, MemoryDisk, MemoryStore, Record, Signatory, StreamId, WriterSecret};
use sicbo_loop::{LoopOptions, Recovered, recover};
use sicbo_proof::{Visitor, walk};
use sicbo_table::{Event, Table};

use sicbo_testkit::script::Script;

struct Blind;

impl Visitor for Blind {
    fn before(&mut self, _: &Table, _: &Record<'_>, _: &Event) {}
}

fn stream() -> StreamId {
    StreamId::new("table-1").expect("a name")
}

/// Plays until there are snapshots and records after the last.
fn played() -> (MemoryDisk, [u8; 32]) {
    let key = HouseKey::from_entropy(&[7; 32]);
    let house = key.id();
    let mut script = Script::new(MemoryStore::new(stream()), &stream(), key, house);
    script.open("mbs-etg", 2);
    for dice in [[1, 2, 3], [6, 6, 6], [4, 3, 4]].repeat(4) {
        script.round(&[(0, "big", 1_000), (1, "small", 500)], dice);
    }
    (script.store.disk().clone(), script.table().digest())
}

fn back(disk: &MemoryDisk) -> (Recovered<Table, ()>, [u8; 32], [u8; 32]) {
    let store = MemoryStore::open(stream(), disk);
    let key = HouseKey::from_entropy(&[7; 32]);
    let signatory = Signatory::of_first_key(key, WriterSecret::new([1; 32]));
    let recovered = recover::<Table, ()>(&store, &stream(), &signatory, LoopOptions::default())
        .expect("brought back");
    let restarted = recovered.writer_loop.state().digest();
    let replayed = walk::<Table>(&store, &stream(), &mut Blind)
        .expect("whole")
        .digest();
    (recovered, restarted, replayed)
}

#[test]
fn a_restart_from_a_snapshot_equals_the_replay_of_everything() {
    let (disk, lived) = played();
    let (recovered, restarted, replayed) = back(&disk);
    let from = recovered.snapshot.expect("a snapshot");
    assert!(from > 0 && recovered.replayed > 0 && recovered.interrupted);
    assert_eq!(restarted, replayed);
    assert_eq!(restarted, lived);
}

#[test]
fn a_snapshot_that_does_not_verify_is_ignored_and_everything_is_rebuilt() {
    let (disk, lived) = played();
    let newest = back(&disk).0.snapshot.expect("a snapshot");
    assert!(disk.tamper_snapshot(|snapshot| {
        let last = snapshot.bytes.len() - 1;
        snapshot.bytes[last / 2] ^= 1;
    }));
    // The one before it is still good.
    let (recovered, restarted, replayed) = back(&disk);
    assert!(recovered.snapshot.is_some_and(|older| older < newest));
    assert_eq!((restarted, replayed), (lived, lived));
}
