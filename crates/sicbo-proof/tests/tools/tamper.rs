//! Change, move, drop or repeat anything that is stored: `verify` names it.

use sicbo_journal::{
    CheckpointReason, HouseKey, KeyRing, MemoryStore, RawBlock, RoundRow, Signatory,
    SignedCheckpoint, Store, StreamId, Writer, WriterSecret,
};
use sicbo_loop::{Order, persist};
use sicbo_proof::{VerifyError, verify};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::ids::PersonId;
use sicbo_table::{Event, Fact, codec};

use sicbo_testkit::script::Script;

use crate::tools::folder::{Folder, flip};

fn key() -> HouseKey {
    HouseKey::from_entropy(&[7; 32])
}

fn stream() -> StreamId {
    StreamId::new("table-1").expect("a name")
}

/// What the store holds, with the end that it claims whatever is taken away.
fn copied(store: &MemoryStore) -> Folder {
    Folder {
        snapshots: Vec::new(),
        claimed_tail: Some(store.tail()),
        ..Folder::of(store)
    }
}

/// Two rounds, the first corrected afterwards.
fn stored(key: HouseKey) -> Folder {
    let house = key.id();
    let mut script = Script::new(MemoryStore::new(stream()), &stream(), key, house);
    script.open("rws-etg", 2);
    let bets: &[(u32, &str, i64)] = &[(0, "big", 1_000), (1, "small", 500)];
    let first = script.round(bets, [5, 5, 6]);
    script.round(bets, [1, 2, 3]);
    assert!(script.correct(first, [4, 4, 3]), "corrected");
    copied(&script.store)
}

fn check(stored: &Folder) -> Result<(), VerifyError> {
    let ring = KeyRing::new(key().public());
    verify(stored, &stream(), &ring, &mut |_| {}).map(|_| ())
}

/// The fault must be found and named within these records.
#[track_caller]
fn named(stored: &Folder, first: u64, last: u64, what: &str) {
    match check(stored) {
        Ok(()) => panic!("{what} was not noticed"),
        Err(error) => {
            let sequence = error.sequence();
            let fits = sequence.is_some_and(|sequence| (first..=last).contains(&sequence));
            assert!(
                fits,
                "{what}: {error} names {sequence:?}, not {first} to {last}"
            );
        }
    }
}

fn last_of(stored: &Folder, at: usize) -> u64 {
    stored
        .blocks
        .get(at + 1)
        .map_or(stored.tail().sequence, |next| next.filed_under - 1)
}

#[test]
fn the_journal_is_clean_before_anyone_touches_it() {
    check(&stored(key())).expect("clean");
}

#[test]
fn one_changed_byte_in_any_block_is_named() {
    let good = stored(key());
    for at in 0..good.blocks.len() {
        let (first, last) = (good.blocks[at].filed_under, last_of(&good, at));
        let body = good.blocks[at].body.len();
        // The opening holds a whole rule book: its bytes are sampled.
        let step = if body > 4_096 { 61 } else { 1 };
        for byte in (0..body).step_by(step) {
            let mut bad = good.clone();
            bad.blocks[at].body[byte] ^= 1 << (byte % 8);
            named(
                &bad,
                first,
                last,
                &format!("byte {byte} of the body of block {at}"),
            );
        }
        for byte in 0..good.blocks[at].header.len() {
            let mut bad = good.clone();
            flip(&mut bad.blocks[at].header, byte, 1 << (byte % 8));
            // Some changes show only in what follows the header.
            let last = last_of(&good, (at + 1).min(good.blocks.len() - 1)) + 1;
            named(
                &bad,
                first,
                last,
                &format!("byte {byte} of the header of block {at}"),
            );
        }
    }
}

#[test]
fn a_dropped_repeated_or_moved_block_is_named() {
    let good = stored(key());
    for at in 0..good.blocks.len() {
        let (first, last) = (good.blocks[at].filed_under, last_of(&good, at));
        let mut dropped = good.clone();
        dropped.blocks.remove(at);
        named(&dropped, first, last, &format!("block {at} dropped"));
        let mut repeated = good.clone();
        repeated.blocks.insert(at, good.blocks[at].clone());
        named(&repeated, first, last, &format!("block {at} repeated"));
        if at > 0 {
            let mut moved = good.clone();
            moved.blocks.swap(at - 1, at);
            let first = good.blocks[at - 1].filed_under;
            named(&moved, first, last, &format!("block {at} moved"));
        }
    }
}

#[test]
fn records_gone_from_the_end_are_missed_if_they_were_signed() {
    let good = stored(key());
    let mut bad = good.clone();
    let gone = bad.blocks.pop().expect("a block");
    named(&bad, gone.filed_under, gone.filed_under, "the signed end");
}

#[test]
fn a_changed_dropped_or_foreign_checkpoint_is_named() {
    let good = stored(key());
    for (at, signed) in good.checkpoints.iter().enumerate() {
        let sequence = signed.checkpoint().sequence;
        for bit in (0..512).step_by(7) {
            let mut signature = *signed.signature();
            signature[bit / 8] ^= 1 << (bit % 8);
            let mut bad = good.clone();
            bad.checkpoints[at] =
                SignedCheckpoint::from_parts(signed.message(), &signature).expect("readable");
            named(
                &bad,
                sequence,
                sequence,
                &format!("bit {bit} of signature {at}"),
            );
        }
    }
    // The same records signed by another house.
    let theirs = stored(HouseKey::from_entropy(&[8; 32]));
    let error = check(&theirs).expect_err("refused");
    assert!(error.to_string().contains("not certified"), "{error}");
    let mut mixed = good.clone();
    mixed.checkpoints = theirs.checkpoints;
    assert!(check(&mixed).is_err());
}

#[test]
fn every_wrong_row_of_the_round_index_is_named() {
    let good = stored(key());
    type Change = fn(&mut RoundRow);
    let changes: [(&str, Change); 6] = [
        ("first_sequence", |row| row.first_sequence += 1),
        ("last_sequence", |row| row.last_sequence += 1),
        ("started_ms", |row| row.started_ms += 1),
        ("ended_ms", |row| row.ended_ms = None),
        ("state", |row| row.state.push('x')),
        ("dice", |row| row.dice = Some("6-6-6".to_owned())),
    ];
    for at in 0..good.rounds.len() {
        let (round, first) = (good.rounds[at].round, good.rounds[at].first_sequence);
        for (column, change) in changes {
            let mut bad = good.clone();
            change(&mut bad.rounds[at]);
            named(&bad, first, first, &format!("{column} of round {round}"));
            let text = check(&bad).expect_err("a fault").to_string();
            assert!(
                text.contains(column) && text.contains(&format!("round {round}")),
                "{text}"
            );
        }
        let mut dropped = good.clone();
        dropped.rounds.remove(at);
        named(
            &dropped,
            first,
            first,
            &format!("the row of round {round} dropped"),
        );
    }
    let mut invented = good.clone();
    invented.rounds.push(RoundRow {
        round: 99,
        ..good.rounds[0].clone()
    });
    let error = check(&invented).expect_err("a fault");
    assert!(error.to_string().contains("round 99"), "{error}");
}

/// A whole round, step by step, on one of the books.
fn played(book: &str) -> Folder {
    let key = key();
    let house = key.id();
    let mut script = Script::new(MemoryStore::new(stream()), &stream(), key, house);
    script.open(book, 2);
    script.round(&[(0, "big", 100_000), (1, "small", 100_000)], [1, 2, 4]);
    script.round(&[(0, "big", 100_000)], [1, 2, 4]);
    copied(&script.store)
}

fn events(stored: &Folder) -> Vec<Vec<Event>> {
    let decode = |raw: &RawBlock| {
        let block = raw.clone().decode().expect("a block");
        let event = |record: sicbo_journal::Record<'_>| {
            codec::decode(record.kind, record.version, record.payload).expect("an event")
        };
        block.records().map(event).collect()
    };
    stored.blocks.iter().map(decode).collect()
}

/// These events, sealed and signed with the house's own key as if they had
/// happened: nothing but what they say can give them away.
fn resealed(good: &Folder, blocks: &[Vec<Event>]) -> Folder {
    let mut store = MemoryStore::new(stream());
    let signatory = Signatory::of_first_key(key(), WriterSecret::new([9; 32]));
    let mut writer = Writer::resume(stream(), &store.tail(), 1, &signatory).expect("a new stream");
    for events in blocks {
        for event in events {
            let mut bytes = Vec::new();
            let (kind, version) = codec::encode(event, &mut bytes);
            let pushed = writer.push(event.at_ms, kind, version, &bytes);
            pushed.expect("room");
        }
        let time_ms = events[0].at_ms;
        let order = Order {
            block: writer.seal(time_ms).expect("a block"),
            rounds: Vec::new(),
            checkpoint: Some(CheckpointReason::Minute),
            time_ms,
            snapshot: None,
        };
        persist(&mut store, &key(), key().id(), &order).expect("durable");
    }
    Folder {
        rounds: good.rounds.clone(),
        ..copied(&store)
    }
}

#[test]
fn a_record_that_nobody_could_have_made_is_named_though_it_is_sealed_and_signed() {
    let cashier = Staff {
        person: PersonId(1),
        position: Position::Cashier,
    };
    for book in [
        "rws-etg",
        "rws-open-cover",
        "mbs-table",
        "mbs-etg",
        "quang-nam-table",
    ] {
        let good = played(book);
        let honest = events(&good);
        check(&resealed(&good, &honest)).expect("what happened, sealed anew");
        let mut sequence = 1;
        for (at, command) in honest.iter().enumerate() {
            let first = sequence;
            sequence += command.len() as u64;
            let mut forged = honest.clone();
            // Whatever was done, a cashier did it; that is theirs to do only
            // where credit is bought.
            for event in &mut forged[at] {
                event.by = Actor::Staff(cashier);
                event.second = None;
            }
            if matches!(command[0].fact, Fact::CreditBought { .. }) {
                continue;
            }
            let what = format!("{book}: {:?} by a cashier", command[0].fact);
            named(&resealed(&good, &forged), first, first, &what);
        }
    }
}
