//! Journals of several tables read at once, and copies that are older than what
//! was acknowledged.

use std::sync::mpsc;
use std::time::Duration;

use sicbo_journal::{Beside, MemoryStore, Purpose, Tail, Writer, WriterSecret};
use sicbo_keys::Keys;
use sicbo_plan::HousePlan;

use super::*;

fn tables(names: [&str; 3]) -> Vec<TablePlan> {
    let plan = HousePlan::trial();
    let one = plan.tables.first().expect("a table").clone();
    let named = |name: &str| TablePlan {
        name: super::super::TableName::new(name).expect("a name"),
        ..one.clone()
    };
    names.map(named).to_vec()
}

#[test]
fn journals_are_read_at_the_same_time_and_given_in_the_order_of_the_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::open(
        folder.path(),
        Purpose::House,
        crate::floor::tree::queue(true).0,
        &Keys::default(),
    )
    .expect("a place");
    let tables = tables(["zulu", "alfa", "mike"]);
    std::fs::write(
        DataFolder::stream_path(folder.path(), &super::super::stream_of(&tables[1])),
        b"no journal at all",
    )
    .expect("damaged");
    // The first two to be read wait for each other: one after the other, the
    // first would wait in vain.
    let (here, other) = (mpsc::channel(), mpsc::channel());
    let (zulu, alfa) = ((here.0, other.1), (other.0, here.1));
    let (zulu, alfa) = (Mutex::new(zulu), Mutex::new(alfa));
    let met = AtomicUsize::new(0);
    let read = read_all(&place, &tables, |table| {
        let own = match table.name.as_str() {
            "zulu" => &zulu,
            "alfa" => &alfa,
            _ => return (false, Vec::new()),
        };
        let own = own.lock();
        own.0.send(()).expect("somebody listens");
        if own.1.recv_timeout(Duration::from_secs(20)).is_ok() {
            met.fetch_add(1, Ordering::Relaxed);
        }
        (false, Vec::new())
    });
    let read = read.expect("each on its own");
    assert_eq!(
        met.load(Ordering::Relaxed),
        2,
        "one was read after the other"
    );
    let usable: Vec<bool> = read.iter().map(Result::is_ok).collect();
    assert_eq!(usable, [true, false, true]);
    let why = read[1].as_ref().err().expect("damaged");
    assert!(why.starts_with("the journal alfa: "), "{why}");
}

/// A journal of so many blocks with one record each.
fn journal(salt: u8, blocks: u8) -> (MemoryStore, Vec<Reached>) {
    let stream = StreamId::new("table-1").expect("a name");
    let mut store = MemoryStore::new(stream.clone());
    let secret = WriterSecret::new([salt; 32]);
    let mut writer = Writer::unsigned(stream, &Tail::default(), 1, &secret).expect("a writer");
    let mut ends = Vec::new();
    for payload in 0..blocks {
        writer.push(5, 1, 1, &[payload]).expect("room");
        let block = writer.seal(5).expect("a block");
        store.append(&block, Beside::default()).expect("kept");
        ends.push(Reached {
            sequence: block.header().last_sequence,
            header_hash: block.header_hash().0,
        });
    }
    (store, ends)
}

#[test]
fn a_journal_holds_what_was_acknowledged_or_is_an_older_copy() {
    let stream = StreamId::new("table-1").expect("a name");
    let (newest, ends) = journal(1, 3);
    for end in &ends {
        check_holds(&stream, &newest, end).expect("it is there");
    }
    let older = |store: &MemoryStore, mark: &Reached| {
        let refused = check_holds(&stream, store, mark).expect_err("older");
        assert!(matches!(refused, StartError::Older { .. }), "{refused}");
        refused.to_string()
    };
    let said = older(&journal(1, 2).0, &ends[2]);
    assert!(
        said.contains("ends with record 2, and record 3 was acknowledged"),
        "{said}"
    );
    // As long, and played on by somebody else.
    let said = older(&journal(2, 3).0, &ends[2]);
    assert!(
        said.contains("its record 3 is not the acknowledged one"),
        "{said}"
    );
    // Longer, and the record in the middle of a block.
    let middle = Reached {
        sequence: 2,
        header_hash: ends[2].header_hash,
    };
    older(&newest, &middle);
}

/// The data folder of a released format, to be changed.
fn golden() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format-1/data/journal");
    std::fs::create_dir(folder.path().join("journal")).expect("a folder");
    for file in std::fs::read_dir(golden).expect("a golden folder") {
        let file = file.expect("a file");
        let to = folder.path().join("journal").join(file.file_name());
        std::fs::copy(file.path(), to).expect("copied");
    }
    folder
}

#[test]
fn history_of_a_table_that_does_not_start_ends_with_what_was_acknowledged() {
    let folder = golden();
    let plan = HousePlan::trial();
    let mut shown = 0;
    for table in &plan.tables {
        let stream = super::super::stream_of(table);
        let path = DataFolder::stream_path(folder.path(), &stream);
        let rounds = |history: &mut History| history.recent(None, 256).expect("readable");
        let all = rounds(&mut whole_history(folder.path(), table).expect("a journal"));
        let store = source::open(&stream, &path).expect("a journal");
        let mut before = None;
        for raw in store.read_from(1) {
            let block = raw.expect("readable").decode().expect("whole");
            let (header, header_hash) = (block.header(), block.header_hash().0);
            let mark = Reached {
                sequence: header.last_sequence,
                header_hash,
            };
            let mut history =
                acknowledged_history(folder.path(), table, Some(mark)).expect("it is there");
            let rows = store.rounds(1, 1_000).expect("readable");
            let ended = rows.iter().filter(|row| row.ended_ms.is_some());
            let ended = ended.filter(|row| row.last_sequence <= mark.sequence);
            let ended: Vec<u64> = ended.map(|row| row.round).rev().collect();
            let told = rounds(&mut history);
            let numbers: Vec<u64> = told.iter().map(|round| round.number).collect();
            assert_eq!(numbers, ended, "{stream} up to record {}", mark.sequence);
            shown += numbers.len();
            // A round that ends behind the mark is not over, and none after it is known.
            for round in all.iter().filter(|round| !numbers.contains(&round.number)) {
                let record = history.record(round.number).expect("readable");
                assert!(record.is_none(), "{stream}: round {}", round.number);
            }
            before = Some(mark);
        }
        // A file that does not hold the record is not what was acknowledged.
        let mark = before.expect("blocks");
        let other = Reached {
            header_hash: [7; 32],
            ..mark
        };
        let behind = Reached {
            sequence: mark.sequence + 1,
            ..mark
        };
        for mark in [Some(other), Some(behind), None] {
            assert!(acknowledged_history(folder.path(), table, mark).is_none());
        }
    }
    assert!(shown > 20, "rounds of the golden house: {shown}");
}
