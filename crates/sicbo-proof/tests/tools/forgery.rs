//! Someone who can write the data folder, knows the format byte by byte and has
//! no key: whatever they make, no house starts on it and `verify` notices.

use std::hash::{BuildHasher, RandomState};

use sicbo_journal::{
    Header, HouseKey, KeyRing, MemoryStore, RawBlock, Signatory, Snapshot, Store, StreamId, Tail,
    Writer, WriterSecret,
};
use sicbo_loop::{LoopOptions, Machine, recover};
use sicbo_proof::examine;
use sicbo_rules::Money;
use sicbo_table::{Table, codec};
use sicbo_testkit::random::Random;
use sicbo_testkit::script::Script;

use crate::tools::folder::Folder;

/// Time, kind, version and payload of a record.
pub(super) type Written = (i64, u16, u16, Vec<u8>);

fn stream() -> StreamId {
    StreamId::new("table-1").expect("a name")
}

fn house_key() -> HouseKey {
    HouseKey::from_entropy(&[7; 32])
}

fn ring() -> KeyRing {
    KeyRing::new(house_key().public())
}

pub(super) fn records_of(raw: &RawBlock) -> Vec<Written> {
    let block = raw.clone().decode().expect("a block");
    let written = block.records().map(|record| {
        let payload = record.payload.to_vec();
        (record.time_ms, record.kind, record.version, payload)
    });
    written.collect()
}

/// Two lives of a table with rounds, and a snapshot of each.
fn played(key: &HouseKey) -> Folder {
    let mut script = Script::new(MemoryStore::new(stream()), &stream(), key.clone(), key.id());
    script.open("mbs-etg", 2);
    for dice in [[1, 2, 3], [6, 6, 6], [4, 3, 4]].repeat(2) {
        script.round(&[(0, "big", 1_000), (1, "small", 500)], dice);
    }
    let disk = script.store.disk().clone();
    let store = MemoryStore::open(stream(), &disk);
    let mut again = Script::new(store, &stream(), key.clone(), key.id());
    again.wait(3_600_000);
    again.round(&[(0, "big", 1_000)], [5, 5, 6]);
    let folder = Folder::of(&again.store);
    assert!(!folder.snapshots.is_empty(), "snapshots were kept");
    folder
}

/// The state a house starts with on such a folder.
fn start(folder: &Folder) -> Result<Table, String> {
    let signatory = Signatory::of_first_key(house_key(), WriterSecret::new([5; 32]));
    recover::<Table, ()>(folder, &stream(), &signatory, LoopOptions::default())
        .map(|found| found.writer_loop.state().clone())
        .map_err(|error| error.to_string())
}

/// What `verify` says: the records it names, or the end that is not signed.
fn verify(folder: &Folder) -> Result<(), Vec<String>> {
    let examined = examine(folder, &stream(), &ring(), &mut |_| {});
    let examined = examined.map_err(|error| vec![error.to_string()])?;
    if !examined.faults.is_empty() {
        return Err(examined.faults.iter().map(ToString::to_string).collect());
    }
    let report = examined.verified.report;
    if report.signed_to < report.tail.sequence {
        let from = report.signed_to + 1;
        return Err(vec![format!("record {from}: not signed from here on")]);
    }
    Ok(())
}

/// How a forger seals what they made.
#[derive(Clone, Copy, Debug)]
enum Sealing {
    /// With a house key of their own, certificate and all.
    OwnHouse,
    /// With the writer's real certificate, and a signature of their own.
    RealCertificate,
    /// With the real certificate and a signature that stands elsewhere.
    CopiedSignature,
    /// As programs did that signed no blocks.
    Unsigned,
}

struct Forger {
    random: Random,
    own: Signatory,
    real: Vec<Header>,
}

impl Forger {
    fn sealing(&mut self) -> Sealing {
        self.random.pick(&[
            Sealing::OwnHouse,
            Sealing::RealCertificate,
            Sealing::CopiedSignature,
            Sealing::Unsigned,
        ])
    }

    /// A block of these records after that tail.
    fn block(&mut self, after: &Tail, records: &[Written], sealing: Sealing) -> RawBlock {
        let tail = Tail { epoch: 0, ..*after };
        let epoch = (after.epoch + u64::from(self.random.one_in(3))).max(1);
        let mut writer = match sealing {
            Sealing::Unsigned => {
                let secret = WriterSecret::new([1; 32]);
                Writer::unsigned(stream(), &tail, epoch, &secret).expect("a writer")
            }
            _ => Writer::resume(stream(), &tail, epoch, &self.own).expect("a writer"),
        };
        for (time_ms, kind, version, payload) in records {
            let pushed = writer.push(*time_ms, *kind, *version, payload);
            pushed.expect("room");
        }
        let block = writer.seal(records[0].0).expect("a block");
        let mut raw = block.to_raw();
        let mut header = block.header().clone();
        let like = self.random.pick(&self.real);
        if let (Some(seal), Some(real)) = (&mut header.seal, &like.seal) {
            match sealing {
                Sealing::OwnHouse | Sealing::Unsigned => {}
                Sealing::RealCertificate => seal.certificate = real.certificate,
                Sealing::CopiedSignature => *seal = real.clone(),
            }
            raw.header = header.encode().into();
        }
        raw
    }

    /// Seals these blocks anew after what stays of the folder.
    fn rewrite(&mut self, folder: &mut Folder, keep: usize, blocks: &[Vec<Written>]) {
        folder.blocks.truncate(keep);
        let sealing = self.sealing();
        for records in blocks.iter().filter(|records| !records.is_empty()) {
            let forged = self.block(&folder.tail(), records, sealing);
            folder.blocks.push(forged);
        }
    }

    /// Does something to the folder; the first record that is not the house's.
    fn forge(&mut self, folder: &mut Folder, other: &Folder) -> (String, u64) {
        let all: Vec<Vec<Written>> = folder.blocks.iter().map(records_of).collect();
        let last = folder.blocks.len() - 1;
        let at = self.random.below(all.len());
        let first = folder.blocks[at].filed_under;
        let end = folder.tail().sequence + 1;
        let mut rest = all[at..].to_vec();
        let way = self.random.below(8);
        let done = match way {
            0 => {
                let copied = self.random.pick(&all);
                self.rewrite(folder, last + 1, &[copied]);
                return ("a block of earlier records appended".to_owned(), end);
            }
            1 => {
                // More credit for somebody, in words the table would have written.
                let bought = all.iter().flatten().find(|record| is_credit(record));
                let mut more = bought.expect("somebody bought credit").clone();
                more.0 = all[last][0].0 + 1;
                raise(&mut more);
                self.rewrite(folder, last + 1, &[vec![more]]);
                return ("credit out of nothing appended".to_owned(), end);
            }
            2 => {
                let which = self.random.below(rest[0].len());
                let payload = &mut rest[0][which].3;
                let byte = self.random.below(payload.len());
                payload[byte] ^= 1 << self.random.below(8);
                "a record changed and all after it sealed anew"
            }
            3 => {
                let which = self.random.below(rest[0].len());
                rest[0].remove(which);
                "a record removed and all after it sealed anew"
            }
            4 => {
                let to = self.random.below(rest.len());
                rest.swap(0, to);
                "records moved and all after them sealed anew"
            }
            5 => {
                // Another house's block at the same place, signature and all.
                let from = at.min(other.blocks.len() - 1);
                folder.blocks.truncate(from);
                folder.blocks.extend_from_slice(&other.blocks[from..]);
                let first = other.blocks[from].filed_under;
                return ("another house's records".to_owned(), first);
            }
            6 => {
                rest.truncate(1);
                "the end cut off and something else put there"
            }
            _ => {
                // Everything again in the format that needs no signature.
                let mut bare = folder.clone();
                bare.blocks.clear();
                for records in &all {
                    let block = self.block(&bare.tail(), records, Sealing::Unsigned);
                    bare.blocks.push(block);
                }
                bare.snapshots.clear();
                if self.random.one_in(2) {
                    bare.checkpoints.clear();
                }
                *folder = bare;
                return ("all written again without signatures".to_owned(), 1);
            }
        };
        self.rewrite(folder, at, &rest);
        (done.to_owned(), first)
    }
}

fn is_credit(record: &Written) -> bool {
    let event = codec::decode(record.1, record.2, &record.3).expect("an event");
    matches!(event.fact, sicbo_table::Fact::CreditBought { .. })
}

/// The same act once more, for more.
fn raise(record: &mut Written) {
    let mut event = codec::decode(record.1, record.2, &record.3).expect("an event");
    event.command = 999_983;
    event.at_ms = record.0;
    if let sicbo_table::Fact::CreditBought { amount, .. } = &mut event.fact {
        *amount = Money::from_minor(499_900);
    }
    record.3.clear();
    (record.1, record.2) = codec::encode(&event, &mut record.3);
}

fn seed() -> u64 {
    let given = std::env::var("SICBO_SEED").ok();
    let given = given.and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| RandomState::new().hash_one(0))
}

/// SICBO_FORGERIES=10000 tries as many.
#[test]
fn no_forgery_without_the_key_is_started_on_or_verified() {
    let seed = seed();
    println!("SICBO_SEED={seed}");
    let count: u32 = std::env::var("SICBO_FORGERIES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(200);
    let good = played(&house_key());
    let other = played(&HouseKey::from_entropy(&[8; 32]));
    start(&good).expect("the house starts on what it wrote");
    verify(&good).expect("and verifies");
    let own = HouseKey::from_entropy(&[66; 32]);
    let real = good.blocks.iter().map(|raw| Header::decode(&raw.header));
    let mut forger = Forger {
        random: Random(seed),
        own: Signatory::of_first_key(own, WriterSecret::new([67; 32])),
        real: real.collect::<Result<_, _>>().expect("headers"),
    };
    for number in 0..count {
        let mut folder = good.clone();
        let (what, first) = forger.forge(&mut folder, &other);
        // Nothing but a shorter end is a rollback: only a witness sees that.
        if good.blocks.starts_with(&folder.blocks) {
            continue;
        }
        let what = format!("SICBO_SEED={seed}, forgery {number}: {what}");
        let refused = start(&folder);
        assert!(refused.is_err(), "{what}: a house started on it");
        let faults = verify(&folder).expect_err(&what);
        let named = format!("record {first}: ");
        assert!(
            faults.iter().any(|fault| fault.starts_with(&named)),
            "{what}: record {first} is not named, but {faults:?}"
        );
    }
}

/// One row that covers all others: a reader that goes on after it never sees
/// them, and the signed end still lies there.
#[test]
fn a_row_that_covers_the_signed_ones_is_not_believed() {
    let good = played(&house_key());
    let all: Vec<Written> = good.blocks.iter().flat_map(records_of).collect();
    let secret = WriterSecret::new([1; 32]);
    let writer = Writer::unsigned(stream(), &Tail::default(), 1, &secret);
    let mut writer = writer.expect("a writer");
    for (time_ms, kind, version, payload) in &all {
        let pushed = writer.push(*time_ms, *kind, *version, payload);
        pushed.expect("room");
    }
    let forged = writer.seal(all[0].0).expect("a block").to_raw();
    // The signed end, and a checkpoint over it as a house makes it when it stops.
    let end = good.tail();
    let checkpoint = sicbo_journal::Checkpoint {
        house: house_key().id(),
        stream: stream(),
        sequence: end.sequence,
        header_hash: end.header_hash,
        time_ms: 1,
        reason: sicbo_journal::CheckpointReason::Stop,
    };
    let covering = Folder {
        blocks: vec![forged],
        checkpoints: vec![checkpoint.sign(&house_key()).expect("signed")],
        snapshots: Vec::new(),
        claimed_tail: Some(end),
        ..good
    };
    let signatory = Signatory::of_first_key(house_key(), WriterSecret::new([5; 32]));
    let started = recover::<Table, ()>(&covering, &stream(), &signatory, LoopOptions::default());
    assert!(started.is_err(), "a house started on a block nobody signed");
    let examined = examine(&covering, &stream(), &ring(), &mut |_| {}).expect("readable");
    assert!(!examined.faults.is_empty(), "verified");
}

/// A state that makes somebody rich, kept as a snapshot after the last record.
#[test]
fn a_forged_snapshot_is_not_believed_and_is_named() {
    let good = played(&house_key());
    let genuine = start(&good).expect("it starts");
    let mut rich = genuine.clone();
    rich.stations[0].credit += Money::from_minor(1_000_000);
    let tail = good.tail();
    let own = Signatory::of_first_key(
        HouseKey::from_entropy(&[66; 32]),
        WriterSecret::new([67; 32]),
    );
    let last = good.blocks.last().expect("a block").clone();
    let last = last.decode().expect("whole");
    let writer = Writer::resume(stream(), &tail, tail.epoch + 1, &own).expect("a writer");
    for bytes in [
        Machine::snapshot(&rich),
        writer.snapshot(&last, Machine::snapshot(&rich)),
        good.snapshots[0].bytes[..68]
            .iter()
            .copied()
            .chain(Machine::snapshot(&rich))
            .collect(),
    ] {
        let mut folder = good.clone();
        folder.snapshots.push(Snapshot {
            sequence: tail.sequence,
            header_hash: tail.header_hash,
            bytes,
        });
        assert_eq!(start(&folder).as_ref(), Ok(&genuine), "derived again");
        let faults = verify(&folder).expect_err("a forged snapshot");
        let named = format!("record {}: the snapshot after it", tail.sequence);
        assert!(faults[0].starts_with(&named), "{faults:?}");
    }
}

/// Another house's signed snapshot at the same place is no better.
#[test]
fn a_snapshot_of_another_house_is_not_believed() {
    let (good, other) = (
        played(&house_key()),
        played(&HouseKey::from_entropy(&[8; 32])),
    );
    let genuine = start(&good).expect("it starts");
    let mut folder = good.clone();
    for kept in &mut folder.snapshots {
        let same = other
            .snapshots
            .iter()
            .find(|one| one.sequence == kept.sequence);
        kept.bytes = same.expect("played alike").bytes.clone();
    }
    assert_eq!(start(&folder).as_ref(), Ok(&genuine));
    assert!(verify(&folder).is_err());
}
