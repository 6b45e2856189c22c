//! The suite that every [`Store`] must pass, whatever its medium. Owns what
//! the promises of the trait mean in practice; must not know any one store.
//!
//! ```
//! use sicbo_journal::{MemoryDisk, MemoryStore, StreamId, Failure};
//! use sicbo_journal::conformance::{Medium, conformance};
//!
//! struct Memory(MemoryDisk);
//! impl Medium for Memory {
//!     type Store = MemoryStore;
//!     fn open(&mut self, stream: StreamId) -> MemoryStore {
//!         MemoryStore::open(stream, &self.0)
//!     }
//!     fn fail_next_write(&mut self) {
//!         self.0.fail_next_write(Failure::Lost);
//!     }
//! }
//! conformance(|| Memory(MemoryDisk::default()));
//! ```

use crate::{
    AppendError, Beside, Checkpoint, CheckpointReason, HouseKey, KeyRing, Report, RoundRow,
    SealedBlock, Signatory, SignedCheckpoint, Snapshot, Store, StreamId, Tail, Writer,
    WriterSecret, verify_chain,
};

/// What a store lives on. Dropping a store and opening it again on the same
/// medium is a restart of the process.
pub trait Medium {
    /// The store under test.
    type Store: Store;

    /// Opens the stream, making it the first time.
    fn open(&mut self, stream: StreamId) -> Self::Store;

    /// Makes the next write of an open store fail.
    fn fail_next_write(&mut self);
}

/// A rule and the function that tries it.
type Case<M> = (&'static str, fn(&mut M));

/// Runs every case on a fresh medium. Panics, naming the case, when a store
/// does not conform.
pub fn conformance<M: Medium>(mut fresh: impl FnMut() -> M) {
    let cases: [Case<M>; 12] = [
        ("an empty stream has nothing", empty),
        ("what was appended is there after a restart", restart),
        (
            "reading begins with the block that holds the record",
            read_from_the_middle,
        ),
        ("blocks of one record and of a megabyte are kept", sizes),
        ("another stream's block is refused", another_stream),
        ("a wrong sequence is refused", wrong_sequence),
        ("a wrong previous hash is refused", wrong_previous),
        ("a writer of an older epoch is refused", older_epoch),
        ("round rows stand and fall with their block", rounds),
        ("checkpoints are kept with a block and alone", checkpoints),
        ("the newest snapshot is found", snapshots),
        ("after a failed write nothing more is acknowledged", poison),
    ];
    for (name, case) in cases {
        // Printed only when a test fails, and then it is the last line.
        println!("conformance: {name}");
        case(&mut fresh());
    }
}

fn stream() -> StreamId {
    StreamId::new("conformance").expect("a good name")
}

fn key() -> HouseKey {
    HouseKey::from_entropy(&[3; 32])
}

fn signatory() -> Signatory {
    Signatory::of_first_key(key(), WriterSecret::new([4; 32]))
}

fn writer(store: &impl Store) -> Writer {
    writer_after(&store.tail(), store.next_epoch())
}

fn writer_after(tail: &Tail, epoch: u64) -> Writer {
    Writer::resume(stream(), tail, epoch, &signatory()).expect("a new epoch")
}

fn seal(writer: &mut Writer, records: u32) -> SealedBlock {
    for number in 0..records {
        let payload = vec![number as u8; number as usize % 70];
        writer
            .push(i64::from(number), 1, 1, &payload)
            .expect("a small record");
    }
    writer.seal(1).expect("records are pending")
}

fn three(writer: &mut Writer) -> [SealedBlock; 3] {
    [(); 3].map(|()| seal(writer, 2))
}

fn rows(rounds: &[RoundRow]) -> Beside<'_> {
    Beside {
        rounds,
        checkpoint: None,
    }
}

fn verify(store: &impl Store) -> Report {
    let checkpoints = store.checkpoints().expect("readable checkpoints");
    let ring = KeyRing::new(key().public());
    let report = verify_chain(stream(), store.read_from(1), checkpoints, &ring);
    report.expect("a stream that verifies")
}

fn sign(block: &SealedBlock) -> SignedCheckpoint {
    let checkpoint = Checkpoint {
        house: key().id(),
        stream: stream(),
        sequence: block.header().last_sequence,
        header_hash: block.header_hash(),
        time_ms: 5,
        reason: CheckpointReason::RoundEnd,
    };
    checkpoint.sign(&key()).expect("a good time")
}

fn row(round: u64, sequence: u64, state: &str) -> RoundRow {
    RoundRow {
        round,
        first_sequence: 1,
        last_sequence: sequence,
        started_ms: 7,
        ended_ms: (state == "settled").then_some(8),
        state: state.to_owned(),
        dice: (state == "settled").then(|| "4 3 4".to_owned()),
    }
}

fn append(store: &mut impl Store, block: &SealedBlock) {
    store
        .append(block, Beside::default())
        .expect("an append that fits");
}

fn empty<M: Medium>(medium: &mut M) {
    for _ in 0..2 {
        let store = medium.open(stream());
        assert_eq!(store.tail(), Tail::default());
        assert_eq!(store.read_from(1).count(), 0);
        assert_eq!(store.checkpoints(), Ok(vec![]));
        assert_eq!(store.latest_snapshot(), Ok(None));
        assert_eq!(store.rounds(0, 10), Ok(vec![]));
    }
}

fn restart<M: Medium>(medium: &mut M) {
    let mut appended = Vec::new();
    for life in 1..=4 {
        let mut store = medium.open(stream());
        let mut writer = writer(&store);
        assert_eq!(writer.epoch(), life, "each life writes under its own epoch");
        for records in [1, 3, 200] {
            let block = seal(&mut writer, records);
            append(&mut store, &block);
            appended.push(block);
            let last = appended.last().expect("just pushed");
            assert_eq!(store.tail().sequence, last.header().last_sequence);
            assert_eq!(store.tail().header_hash, last.header_hash());
            assert_eq!(store.tail().epoch, life);
        }
        let raw: Vec<_> = store
            .read_from(1)
            .map(|raw| raw.expect("readable"))
            .collect();
        assert_eq!(
            raw,
            appended.iter().map(SealedBlock::to_raw).collect::<Vec<_>>()
        );
        assert_eq!(verify(&store).tail, store.tail());
    }
}

fn read_from_the_middle<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut writer = writer(&store);
    for records in [4, 1, 5] {
        append(&mut store, &seal(&mut writer, records));
    }
    let firsts = |sequence| -> Vec<u64> {
        store
            .read_from(sequence)
            .map(|raw| raw.expect("readable").filed_under)
            .collect()
    };
    for (sequence, expected) in [
        (0, vec![1, 5, 6]),
        (1, vec![1, 5, 6]),
        (4, vec![1, 5, 6]),
        (5, vec![5, 6]),
        (6, vec![6]),
        (10, vec![6]),
        (11, vec![]),
        (u64::MAX, vec![]),
    ] {
        assert_eq!(firsts(sequence), expected, "from {sequence}");
    }
}

fn sizes<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut writer = writer(&store);
    for length in [0, 1, 1 << 10, 1 << 20] {
        writer
            .push(0, 1, 1, &vec![0xa5; length])
            .expect("a record within bounds");
        append(&mut store, &writer.seal(0).expect("pending"));
    }
    append(&mut store, &seal(&mut writer, 5000));
    drop(store);
    let report = verify(&medium.open(stream()));
    assert_eq!((report.blocks, report.records), (5, 5004));
}

/// Refuses the block, checks that nothing changed, then that the right one is
/// still welcome.
fn refused<S: Store>(
    store: &mut S,
    wrong: &SealedBlock,
    right: &SealedBlock,
    expected: fn(&AppendError) -> bool,
) {
    let (tail, count) = (store.tail(), store.read_from(1).count());
    let betting = [row(9, 1, "betting")];
    let beside = rows(&betting);
    let error = store
        .append(wrong, beside)
        .expect_err("a block that does not fit");
    assert!(expected(&error) && error.is_refusal(), "{error}");
    assert_eq!((store.tail(), store.read_from(1).count()), (tail, count));
    assert_eq!(store.rounds(0, 10), Ok(vec![]));
    append(store, right);
    verify(store);
}

fn another_stream<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let right = seal(&mut writer(&store), 2);
    let other = StreamId::new("other").expect("a good name");
    let mut writer = Writer::resume(other, &store.tail(), 1, &signatory()).expect("a new epoch");
    let wrong = seal(&mut writer, 2);
    refused(&mut store, &wrong, &right, |e| {
        matches!(e, AppendError::WrongStream { .. })
    });
}

fn wrong_sequence<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut writer = writer(&store);
    let blocks: Vec<_> = (0..4).map(|_| seal(&mut writer, 2)).collect();
    append(&mut store, &blocks[0]);
    let is_expected = |e: &AppendError| matches!(e, AppendError::WrongSequence { .. });
    refused(&mut store, &blocks[2], &blocks[1], is_expected);
    refused(&mut store, &blocks[1], &blocks[2], is_expected);
    refused(&mut store, &blocks[0], &blocks[3], is_expected);
}

fn wrong_previous<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut first_writer = writer(&store);
    append(&mut store, &seal(&mut first_writer, 2));
    let right = seal(&mut first_writer, 2);
    let mut other_writer = writer_after(&Tail::default(), 2);
    seal(&mut other_writer, 2);
    let wrong = seal(&mut other_writer, 2);
    refused(&mut store, &wrong, &right, |e| {
        matches!(e, AppendError::WrongPrevious { .. })
    });
}

fn older_epoch<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut old_writer = writer(&store);
    append(&mut store, &seal(&mut old_writer, 2));
    // The old writer goes on with what would fit, but a new one came first.
    let wrong = seal(&mut old_writer, 2);
    let mut new_writer = writer(&store);
    append(&mut store, &seal(&mut new_writer, 2));
    let right = seal(&mut new_writer, 2);
    refused(&mut store, &wrong, &right, |e| {
        matches!(e, AppendError::OlderEpoch { .. })
    });
}

fn rounds<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut writer = writer(&store);
    let blocks = three(&mut writer);
    let first = [row(1, 2, "betting")];
    let second = [row(1, 3, "settled"), row(2, 4, "betting")];
    store.append(&blocks[0], rows(&first)).expect("fits");
    assert_eq!(store.rounds(0, 10), Ok(first.to_vec()));
    store.append(&blocks[1], rows(&second)).expect("fits");
    assert_eq!(
        store.rounds(0, 10),
        Ok(second.to_vec()),
        "a row replaces the one before"
    );
    assert_eq!(store.rounds(0, 1), Ok(second[..1].to_vec()));
    assert_eq!(store.rounds(2, 10), Ok(second[1..].to_vec()));
    let beyond = [row(3, 7, "betting")];
    let error = store.append(&blocks[2], rows(&beyond));
    assert!(
        matches!(error, Err(AppendError::Misfit { .. })),
        "a row beyond its block"
    );
    assert_eq!(store.tail().sequence, 4);
    drop(store);
    assert_eq!(medium.open(stream()).rounds(0, 10), Ok(second.to_vec()));
}

fn checkpoints<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut writer = writer(&store);
    let blocks = three(&mut writer);
    let signed = blocks.each_ref().map(sign);
    let wrong = Beside {
        rounds: &[],
        checkpoint: Some(&signed[1]),
    };
    let error = store.append(&blocks[0], wrong);
    assert!(
        matches!(error, Err(AppendError::Misfit { .. })),
        "of another block"
    );
    let right = Beside {
        rounds: &[],
        checkpoint: Some(&signed[0]),
    };
    store.append(&blocks[0], right).expect("fits");
    let error = store.put_checkpoint(&signed[1]);
    assert!(
        matches!(error, Err(AppendError::Misfit { .. })),
        "of a block not there yet"
    );
    append(&mut store, &blocks[1]);
    store.put_checkpoint(&signed[1]).expect("fits");
    append(&mut store, &blocks[2]);
    drop(store);
    let store = medium.open(stream());
    assert_eq!(store.checkpoints(), Ok(signed[..2].to_vec()));
    let report = verify(&store);
    assert_eq!(
        (report.checkpoints, report.signed_to, report.records),
        (2, 6, 6)
    );
}

fn snapshots<M: Medium>(medium: &mut M) {
    let mut store = medium.open(stream());
    let mut writer = writer(&store);
    let mut newest = None;
    for number in 0..5u8 {
        let block = seal(&mut writer, 3);
        append(&mut store, &block);
        let (sequence, header_hash) = (block.header().last_sequence, block.header_hash());
        let snapshot = Snapshot {
            sequence,
            header_hash,
            bytes: vec![number; 9000],
        };
        store.put_snapshot(&snapshot).expect("fits");
        assert_eq!(
            store.latest_snapshot().as_ref(),
            Ok(&Some(snapshot.clone()))
        );
        for wrong in [
            Snapshot {
                sequence: sequence - 1,
                ..snapshot.clone()
            },
            Snapshot {
                sequence: sequence + 1,
                ..snapshot.clone()
            },
            Snapshot {
                header_hash: block.header().root,
                ..snapshot.clone()
            },
        ] {
            let error = store.put_snapshot(&wrong);
            assert!(
                matches!(error, Err(AppendError::Misfit { .. })),
                "not at a block's end"
            );
        }
        newest = Some(snapshot);
    }
    append(&mut store, &seal(&mut writer, 3));
    drop(store);
    assert_eq!(medium.open(stream()).latest_snapshot(), Ok(newest));
}

fn poison<M: Medium>(medium: &mut M) {
    let mut acknowledged = Vec::new();
    for kind in 0..3 {
        let mut store = medium.open(stream());
        let mut writer = writer(&store);
        let block = seal(&mut writer, 2);
        let sequence = block.header().last_sequence;
        append(&mut store, &block);
        acknowledged.push(block.to_raw());
        let next = seal(&mut writer, 2);
        let snapshot = Snapshot {
            sequence,
            header_hash: block.header_hash(),
            bytes: vec![1; 100],
        };
        medium.fail_next_write();
        let failed = match kind {
            0 => store.append(&next, Beside::default()),
            1 => store.put_snapshot(&snapshot),
            _ => store.put_checkpoint(&sign(&block)),
        };
        let error = failed.expect_err("the medium failed");
        assert!(!error.is_refusal(), "{error}");
        for refused in [
            store.append(&next, Beside::default()),
            store.put_snapshot(&snapshot),
            store.put_checkpoint(&sign(&block)),
        ] {
            assert!(matches!(refused, Err(AppendError::Poisoned)), "{refused:?}");
        }
        drop(store);
        let store = medium.open(stream());
        let found: Vec<_> = store
            .read_from(1)
            .map(|raw| raw.expect("readable"))
            .collect();
        // What failed may be there or not; what was acknowledged is.
        assert_eq!(found[..acknowledged.len()], acknowledged[..]);
        if let Some(extra) = found.get(acknowledged.len()) {
            assert_eq!(extra, &next.to_raw());
            acknowledged.push(extra.clone());
        }
        assert_eq!(found.len(), acknowledged.len());
        verify(&store);
    }
}
