//! Journals of several tables read at once, and copies that are older than what
//! was acknowledged.

use std::sync::mpsc;
use std::time::Duration;

use sicbo_journal::{Beside, MemoryStore, Purpose, SaltKey, Tail, Writer};
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
    let place = Place::open(folder.path(), Purpose::House).expect("a place");
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
            _ => return (false, None),
        };
        let own = own.lock().expect("once");
        own.0.send(()).expect("somebody listens");
        if own.1.recv_timeout(Duration::from_secs(20)).is_ok() {
            met.fetch_add(1, Ordering::Relaxed);
        }
        (false, None)
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
    let salt = SaltKey::new([salt; 32]);
    let mut writer = Writer::resume(stream, &Tail::default(), 1, &salt).expect("a writer");
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
