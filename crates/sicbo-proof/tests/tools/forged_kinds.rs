//! Every kind of record that a table or the register writes, in the hands of
//! someone who has no key: forged, appended again, removed, moved and brought
//! from another house. No house starts on it, and `verify` names the record.

use std::collections::BTreeSet;
use std::path::Path;

use sicbo_journal::{
    HouseKey, KeyRing, RawBlock, Signatory, Store as _, StreamId, Tail, Writer, WriterSecret,
};
use sicbo_loop::{LoopOptions, Machine, recover};
use sicbo_proof::source::Journals;
use sicbo_proof::{VerifyError, examine, examine_house};
use sicbo_register::Register;
use sicbo_rules::RuleBook;
use sicbo_table::Table;
use sicbo_table::codec::{self, KindInfo};
use sicbo_testkit::golden::FIRST_KEY;

use crate::tools::folder::Folder;
use crate::tools::forgery::{Written, records_of};
use crate::tools::{golden, house_script};

/// The key of another house.
const OTHER_KEY: [u8; 32] = [201; 32];

/// A machine, and what `verify` finds in its journal.
trait Examined: Machine {
    fn faults(folder: &Folder, stream: &StreamId, ring: &KeyRing) -> Vec<VerifyError>;
}

impl Examined for Table {
    fn faults(folder: &Folder, stream: &StreamId, ring: &KeyRing) -> Vec<VerifyError> {
        match examine(folder, stream, ring, &mut |_| {}) {
            Ok(examined) => examined.faults,
            Err(error) => vec![error],
        }
    }
}

impl Examined for Register {
    fn faults(folder: &Folder, stream: &StreamId, ring: &KeyRing) -> Vec<VerifyError> {
        match examine_house(folder, stream, ring, &mut |_| {}) {
            Ok(examined) => examined.faults,
            Err(error) => vec![error],
        }
    }
}

/// One stream of a house, as it is and as another house has it.
struct Forged {
    stream: StreamId,
    ring: KeyRing,
    signatory: Signatory,
    good: Folder,
    other: Folder,
    /// A key that this house has never heard of.
    own: Signatory,
}

impl Forged {
    fn of(ours: &Path, theirs: &Path, name: &str, key: [u8; 32]) -> Forged {
        let stream = StreamId::new(name).expect("a name");
        let journals = Journals::folder(ours).expect("a data folder");
        let ring = journals.ring.clone().expect("keys");
        let key = HouseKey::from_entropy(&key);
        let own = HouseKey::from_entropy(&[66; 32]);
        Forged {
            good: stored(ours, name),
            other: stored(theirs, name),
            signatory: Signatory::new(key, ring.clone(), WriterSecret::new([5; 32])),
            own: Signatory::of_first_key(own, WriterSecret::new([67; 32])),
            stream,
            ring,
        }
    }

    fn start<M: Machine>(&self, folder: &Folder) -> Result<(), String> {
        let (stream, options) = (&self.stream, LoopOptions::default());
        let found = recover::<M, ()>(folder, stream, &self.signatory, options);
        found.map(drop).map_err(|error| error.to_string())
    }

    /// A house starts on what is there, and it verifies.
    fn is_good<M: Examined>(&self) {
        self.start::<M>(&self.good).expect("it starts");
        let faults = M::faults(&self.good, &self.stream, &self.ring);
        assert!(faults.is_empty(), "{}: {faults:?}", self.stream);
    }

    /// So many blocks as they are, and these sealed by the forger.
    fn after(&self, keep: usize, blocks: &[&[Written]]) -> Folder {
        let mut folder = self.good.clone();
        folder.blocks.truncate(keep);
        for records in blocks.iter().filter(|records| !records.is_empty()) {
            let tail = folder.tail();
            let before = Tail { epoch: 0, ..tail };
            let writer = Writer::resume(self.stream.clone(), &before, tail.epoch.max(1), &self.own);
            let mut writer = writer.expect("a writer");
            for (time_ms, kind, version, payload) in *records {
                let pushed = writer.push(*time_ms, *kind, *version, payload);
                pushed.expect("room");
            }
            let block = writer.seal(records[0].0).expect("a block");
            folder.blocks.push(block.to_raw());
        }
        folder
    }

    /// So many blocks as they are, and one of the other house's.
    fn foreign(&self, keep: usize, at: usize) -> Folder {
        let mut folder = self.good.clone();
        folder.blocks.truncate(keep);
        folder.blocks.push(self.other.blocks[at].clone());
        folder
    }

    /// No house starts on it, and `verify` names the record.
    #[track_caller]
    fn is_found_out<M: Examined>(&self, kind: u16, what: &str, folder: &Folder, record: u64) {
        let what = format!("{}: kind {kind} {what}", self.stream);
        assert!(
            self.start::<M>(folder).is_err(),
            "{what}: a house started on it"
        );
        let faults = M::faults(folder, &self.stream, &self.ring);
        let named = |fault: &VerifyError| fault.sequence() == Some(record);
        assert!(
            faults.iter().any(named),
            "{what}: record {record} is not named, but {faults:?}"
        );
    }

    /// Tries every kind of record of this journal that was not tried before.
    fn every_kind<M: Examined>(&self, tried: &mut BTreeSet<u16>) {
        self.is_good::<M>();
        let blocks = &self.good.blocks;
        let (end, next_record) = (blocks.len(), self.good.tail().sequence + 1);
        for at in 0..end {
            let next = blocks.get(at + 1).map_or_else(Vec::new, records_of);
            let records = records_of(&blocks[at]);
            let first = blocks[at].filed_under;
            for which in 0..records.len() {
                let kind = records[which].1;
                if !tried.insert(kind) {
                    continue;
                }
                let one = [records[which].clone()];
                let mut changed = records.clone();
                changed[which].3.push(0);
                let mut without = records.clone();
                without.remove(which);
                let mut moved = records.clone();
                moved.rotate_left(1);
                self.signed_rows::<M>(&one[0]);
                let again = self.after(end, &[&one]);
                self.is_found_out::<M>(kind, "appended again", &again, next_record);
                for (what, folder) in [
                    ("forged", self.after(at, &[&changed])),
                    ("removed", self.after(at, &[&without, &next])),
                    ("moved", self.after(at, &[&next, &moved])),
                    ("brought from another house", self.foreign(at, at)),
                ] {
                    // The last record of all taken away is an older copy: only a witness
                    // sees that.
                    if !blocks.starts_with(&folder.blocks) {
                        self.is_found_out::<M>(kind, what, &folder, first);
                    }
                }
                // As it stands, signature and all, once more at the end.
                let mut replayed = self.good.clone();
                replayed.blocks.push(blocks[at].clone());
                let faults = M::faults(&replayed, &self.stream, &self.ring);
                assert!(!faults.is_empty(), "{}: kind {kind} replayed", self.stream);
                let started = self.start::<M>(&replayed);
                assert!(started.is_err(), "{}: kind {kind} replayed", self.stream);
            }
        }
    }

    /// Tries a record that is in no journal here: appended by the forger, and
    /// changed, and as another house would have sealed it; then in rows of this house.
    fn never_written<M: Examined>(&self, record: &Written) {
        let kind = record.1;
        let (end, next_record) = (self.good.blocks.len(), self.good.tail().sequence + 1);
        let mut changed = record.clone();
        changed.3.push(0);
        for (what, record) in [("appended", record), ("forged", &changed)] {
            let folder = self.after(end, &[std::slice::from_ref(record)]);
            self.is_found_out::<M>(kind, what, &folder, next_record);
        }
        // The other house's own key, after the other house's own records.
        let key = HouseKey::from_entropy(&OTHER_KEY);
        let theirs = Signatory::of_first_key(key, WriterSecret::new([5; 32]));
        let tail = self.other.tail();
        let mut writer =
            Writer::resume(self.stream.clone(), &tail, tail.epoch + 1, &theirs).expect("a writer");
        let (time_ms, kind, version, payload) = record;
        let pushed = writer.push(*time_ms, *kind, *version, payload);
        pushed.expect("room");
        let mut folder = self.good.clone();
        let block = writer.seal(*time_ms).expect("a block");
        folder.blocks.push(block.to_raw());
        let what = "brought from another house";
        self.is_found_out::<M>(*kind, what, &folder, next_record);
        self.signed_rows::<M>(record);
    }

    /// The record in a block that this house signed, between two others that it signed: its row
    /// is taken away, or put behind the next one. Every signature is the house's own.
    fn signed_rows<M: Examined>(&self, record: &Written) {
        let filler = records_of(&self.good.blocks[0])[0].clone();
        let tail = self.good.tail();
        let (first, epoch) = (tail.sequence + 1, tail.epoch + 1);
        let writer = Writer::resume(self.stream.clone(), &tail, epoch, &self.signatory);
        let mut writer = writer.expect("a writer");
        let rows = [record, &filler, &filler].map(|(time_ms, kind, version, payload)| {
            let pushed = writer.push(*time_ms, *kind, *version, payload);
            pushed.expect("room");
            writer.seal(*time_ms).expect("a block").to_raw()
        });
        let with = |rows: &[&RawBlock]| {
            let mut folder = self.good.clone();
            folder.blocks.extend(rows.iter().copied().cloned());
            folder
        };
        let [own, next, last] = &rows;
        let kind = record.1;
        let removed = with(&[next, last]);
        self.is_found_out::<M>(kind, "its row removed", &removed, first + 1);
        let mut behind = own.clone();
        behind.filed_under = next.filed_under;
        let mut before = next.clone();
        before.filed_under = own.filed_under;
        let moved = with(&[&before, &behind, last]);
        self.is_found_out::<M>(kind, "its row moved", &moved, first);
    }
}

fn stored(data: &Path, name: &str) -> Folder {
    let journals = Journals::folder(data).expect("a data folder");
    let (_, store) = journals.one(Some(name)).expect("opens");
    Folder {
        snapshots: Vec::new(),
        ..Folder::of(&store)
    }
}

fn all(kinds: &[KindInfo]) -> BTreeSet<u16> {
    kinds.iter().map(|info| info.kind).collect()
}

/// Two folders that one script made with the keys of two houses.
fn two(make: impl Fn(&Path, bool)) -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let places = ["ours", "theirs"].map(|name| folder.path().join(name));
    make(&places[0], true);
    make(&places[1], false);
    (folder, places)
}

#[test]
fn no_kind_of_record_of_the_register_can_be_forged_without_the_key() {
    let (_folder, [ours, theirs]) = two(|place, is_ours| {
        let key = if is_ours { FIRST_KEY } else { OTHER_KEY };
        house_script::generate(place, key);
    });
    let forged = Forged::of(&ours, &theirs, sicbo_register::STREAM, FIRST_KEY);
    let mut tried = BTreeSet::new();
    forged.every_kind::<Register>(&mut tried);
    assert_eq!(tried, all(sicbo_register::codec::KINDS));
    println!("{} kinds of record", tried.len());
}

/// The newest bytes of a kind among the golden events of the tables.
fn golden_bytes(kind: u16) -> Written {
    let text = include_str!("../../../sicbo-table/tests/golden/events-8.txt");
    let mut found = text.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (number, version): (u16, u16) =
            (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let hex = words.next()?;
        let bytes = (0..hex.len()).step_by(2);
        let bytes = bytes.map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("a byte"));
        (number == kind).then(|| (1_794_772_800_000, kind, version, bytes.collect()))
    });
    let written = found.next();
    let written: Written = written.unwrap_or_else(|| panic!("no golden bytes of kind {kind}"));
    codec::decode(kind, written.2, &written.3).expect("an event");
    written
}

#[test]
fn no_kind_of_record_of_a_table_can_be_forged_without_the_key() {
    // Without a change of key, so that a house starts on each journal as it is.
    let (_folder, [ours, theirs]) = two(|place, is_ours| {
        let key = if is_ours { FIRST_KEY } else { OTHER_KEY };
        golden::generate_with(place, key, None);
    });
    let mut tried = BTreeSet::new();
    for book in RuleBook::all() {
        let forged = Forged::of(&ours, &theirs, book.id(), FIRST_KEY);
        forged.every_kind::<Table>(&mut tried);
    }
    // Vouchers, hands of money and cases that the register knows of.
    let (_folder, [ours_too, theirs_too]) = two(|place, is_ours| {
        let key = if is_ours { FIRST_KEY } else { OTHER_KEY };
        house_script::generate(place, key);
    });
    for table in ["mbs-etg", "rws-etg"] {
        let forged = Forged::of(&ours_too, &theirs_too, table, FIRST_KEY);
        forged.every_kind::<Table>(&mut tried);
    }
    let in_journals = tried.len();
    let all = all(codec::KINDS);
    let forged = Forged::of(&ours, &theirs, "mbs-etg", FIRST_KEY);
    for kind in all.difference(&tried.clone()) {
        forged.never_written::<Table>(&golden_bytes(*kind));
        tried.insert(*kind);
    }
    assert_eq!(tried, all);
    println!("{} kinds of record, {in_journals} in journals", tried.len());
}
