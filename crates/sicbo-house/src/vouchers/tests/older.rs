//! A register put back behind its tables, at every record: what the tables wrote
//! since is noticed. That an honest stop is never taken for one, every schedule
//! of the other tests checks at each step.

use sicbo_journal::{Beside, MemoryStore, Store as _, StreamId, Tail, Writer, WriterSecret};
use sicbo_register::reached::Reached;
use sicbo_table::codec;

use super::*;
use crate::backing::ahead_of;

/// The journal of a table, a block for each record.
fn journal(world: &World, table: &TableName) -> MemoryStore {
    let stream = StreamId::new(table.as_str()).unwrap();
    let mut store = MemoryStore::new(stream.clone());
    let secret = WriterSecret::new([9; 32]);
    let mut writer = Writer::unsigned(stream, &Tail::default(), 1, &secret).unwrap();
    for event in world.written.get(table).into_iter().flatten() {
        let mut payload = Vec::new();
        let (kind, version) = codec::encode(event, &mut payload);
        writer.push(event.at_ms, kind, version, &payload).unwrap();
        let block = writer.seal(event.at_ms).unwrap();
        store.append(&block, Beside::default()).unwrap();
    }
    store
}

/// Registers as they were before each of their records, with the length that each
/// table's journal had then.
type Past = Vec<(Register, BTreeMap<TableName, u64>)>;

fn lengths(world: &World) -> BTreeMap<TableName, u64> {
    let written = world.written.iter();
    let written = written.map(|(table, events)| (table.clone(), events.len() as u64));
    written.collect()
}

/// Takes every step, and keeps what the register was before it.
fn settle(world: &mut World, past: &mut Past) {
    loop {
        world.look();
        let Some(chosen) = world.under_way.pop() else {
            return;
        };
        past.push((world.register.clone(), lengths(world)));
        let outcome = world.carry(&chosen, false);
        world.desk.finished(chosen.0, outcome);
        world.check();
    }
}

/// What a start finds, with the register's notes as far as it may have them.
fn found(world: &World, register: &Register, noted: &BTreeMap<TableName, u64>) -> Option<String> {
    let mut register = register.clone();
    for (table, sequence) in noted {
        let reached = Reached {
            sequence: *sequence,
            header_hash: [0; 32],
        };
        register.reached.insert(table.clone(), reached);
    }
    let mut tables = world.tables.keys();
    tables.find_map(|table| ahead_of(&register, table, &journal(world, table)).unwrap())
}

/// A voucher from one place to another.
fn is_noticed(from: usize, to: usize) {
    let mut world = World::new();
    let mut past = Past::new();
    let amount = 500;
    past.push((world.register.clone(), lengths(&world)));
    world.step(&Move::Ask {
        place: from,
        amount,
    });
    settle(&mut world, &mut past);
    past.push((world.register.clone(), lengths(&world)));
    let place = World::place(to);
    world.present(world.papers[0], Payee::Station(place));
    settle(&mut world, &mut past);
    let none = BTreeMap::new();
    let now = lengths(&world);
    for noted in [&none, &now] {
        assert_eq!(found(&world, &world.register, noted), None);
    }
    let mut noticed = 0;
    for (register, then) in &past {
        let is_older = *register != world.register;
        for noted in [&none, then] {
            let said = found(&world, register, noted);
            assert_eq!(said.is_some(), is_older, "{from} to {to}: {said:?}");
            noticed += u32::from(is_older);
        }
    }
    assert!(noticed > 12, "{noticed}");
}

#[test]
fn a_register_put_back_is_noticed_by_each_thing_its_tables_wrote_since() {
    // To the same station, to another table, and to another station of the table.
    for (from, to) in [(0, 0), (0, 1), (0, 2)] {
        is_noticed(from, to);
    }
}
