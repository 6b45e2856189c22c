//! Somebody who can write the data folder and has no key, against the real
//! program: what they put there does not become the house's word.

use std::path::Path;

use rusqlite::{Connection, params};
use sicbo_journal::{
    DataFolder, HouseKey, KeyFolder, Signatory, SqliteStore, Store, StreamId, Tail, Vfs, Writer,
    WriterSecret,
};
use sicbo_proof::{examine_house, source};
use sicbo_register::{Fact, codec};

use crate::common::house::{Site, TableSpec};

fn site() -> Site {
    Site::of(vec![TableSpec::by_hand("mbs-etg", &[("rapid", 2)])])
}

fn stream(name: &str) -> StreamId {
    StreamId::new(name).expect("a name")
}

fn read(data: &Path, name: &str) -> SqliteStore {
    let path = DataFolder::stream_path(data, &stream(name));
    SqliteStore::open_read_only(&path, stream(name), &Vfs::default()).expect("opens")
}

/// Appends a block of one record to a stream's file, as `docs/journal-format.md`
/// describes it, sealed with a key that is not the house's.
fn append(data: &Path, name: &str, kind: u16, version: u16, payload: &[u8], signed: bool) -> u64 {
    let store = read(data, name);
    let tail = store.tail();
    drop(store);
    let own = HouseKey::from_entropy(&[66; 32]);
    let secret = WriterSecret::new([67; 32]);
    let before = Tail { epoch: 0, ..tail };
    let mut writer = if signed {
        let own = Signatory::of_first_key(own, secret);
        Writer::resume(stream(name), &before, tail.epoch, &own).expect("a writer")
    } else {
        Writer::unsigned(stream(name), &before, tail.epoch, &secret).expect("a writer")
    };
    let time_ms = 4_000_000_000_000;
    writer.push(time_ms, kind, version, payload).expect("room");
    let block = writer.seal(time_ms).expect("a block");
    let (header, number) = (block.header(), |number: u64| number as i64);
    let file = Connection::open(DataFolder::stream_path(data, &stream(name))).expect("opens");
    file.execute(
        "INSERT INTO blocks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            number(header.first_sequence),
            number(header.last_sequence),
            number(header.epoch),
            header.time_ms,
            block.header_hash().as_bytes(),
            block.header_bytes(),
            block.body().bytes(),
        ],
    )
    .expect("appended");
    header.first_sequence
}

/// What the program says when it does not start.
fn refused(site: &Site) -> String {
    let output = site.spawn().wait_with_output().expect("it ends");
    assert!(!output.status.success(), "the house started");
    let log = std::fs::read_to_string(site.path().join("log.txt")).unwrap_or_default();
    format!("{log}{}", String::from_utf8_lossy(&output.stderr))
}

/// The director's PIN becomes the dealer's: one block by the book.
#[test]
fn a_forged_pin_is_refused_at_the_start_and_named() {
    for signed in [true, false] {
        let site = site();
        site.start().stop();
        let data = site.data();
        let store = read(&data, "house");
        let people = store.read_from(1).flat_map(|raw| {
            let block = raw.expect("there").decode().expect("whole");
            let records = block.records().map(|record| {
                let event = codec::decode(record.kind, record.version, record.payload);
                event.expect("an event")
            });
            records.collect::<Vec<_>>()
        });
        let mut set_up = people
            .into_iter()
            .find(|event| matches!(event.fact, Fact::HouseSetUp { .. }))
            .expect("a house was set up");
        drop(store);
        // Said again, with other people: whoever believed it had another director.
        set_up.command = 77;
        let mut payload = Vec::new();
        let (kind, version) = codec::encode(&set_up, &mut payload);
        let first = append(&data, "house", kind, version, &payload, signed);
        let said = refused(&site);
        let named = format!("record {first}: ");
        assert!(said.contains(&named), "{named} in {said}");
        let ring = KeyFolder::read_ring(&data.join("keys")).expect("keys");
        let path = DataFolder::stream_path(&data, &stream("house"));
        let store = source::open(&stream("house"), &path).expect("opens");
        let examined = examine_house(&store, &stream("house"), &ring, &mut |_| {});
        let faults = examined.expect("readable").faults;
        assert!(
            faults.iter().any(|fault| fault.sequence() == Some(first)),
            "{faults:?}"
        );
    }
}

/// A house without its own journal is no house.
#[test]
fn a_house_whose_own_journal_is_gone_does_not_start() {
    let site = site();
    site.start().stop();
    let journal = site.data().join("journal");
    for file in ["house.sqlite", "house.sqlite-wal", "house.sqlite-shm"] {
        let _ = std::fs::remove_file(journal.join(file));
    }
    let said = refused(&site);
    assert!(said.contains("house"), "{said}");
}
