//! A PIN hash that was copied from one person to another by somebody who can
//! write the journal and has the house's key.

use serde_json::json;
use sicbo_journal::{
    Beside, DataFolder, KeyFolder, Signatory, Store as _, StreamId, Writer, WriterSecret,
};
use sicbo_loop::{Machine as _, replay};
use sicbo_register::{Event, Fact, Party, Register};
use sicbo_rules::rulebook::words::Position;

use crate::common::house::{STAFF, Site, TableSpec};
use crate::common::http::Http;

/// Appends a record with the house's own key: the director's PIN is the dealer's from now on.
fn forge(data: &std::path::Path) {
    let folder = DataFolder::open(data).expect("a house that is shut");
    let stream = StreamId::new("house").expect("a name");
    let mut store = folder.open_stream(&stream).expect("its journal");
    let (register, _) = replay::<Register>(&store, &stream, None).expect("whole");
    let of = |position| {
        let mut people = register.people.iter();
        let found = people.find(|(_, person)| person.position == position);
        found.expect("one of them")
    };
    let (director, _) = of(Position::Director);
    let (_, dealer) = of(Position::Dealer);
    let event = Event {
        at_ms: sicbo_clock::now_ms(),
        by: Party::Person(*director),
        second: None,
        command: 1,
        fact: Fact::PinChanged {
            person: *director,
            pin: dealer.pin.clone(),
        },
    };
    let mut bytes = Vec::new();
    let (kind, version) = Register::encode(&event, &mut bytes);
    let tail = store.tail();
    let keys = KeyFolder::open(&folder.keys_path()).expect("keys");
    let (key, ring) = (keys.current().clone(), keys.ring().clone());
    let signatory = Signatory::new(key, ring, WriterSecret::new([1; 32]));
    let mut writer = Writer::resume(stream, &tail, tail.epoch + 1, &signatory).expect("a writer");
    writer
        .push(event.at_ms, kind, version, &bytes)
        .expect("room");
    let block = writer.seal(event.at_ms).expect("a block");
    store.append(&block, Beside::default()).expect("written");
}

#[tokio::test]
async fn s_18_a_hash_copied_to_the_director_does_not_make_a_dealer_the_director() {
    let site = Site::of(vec![TableSpec::by_hand("mbs-etg", &[("rapid", 1)])]);
    site.start().stop();
    let text = std::fs::read_to_string(site.hand_over()).expect("the first PINs");
    let pin_of = |position: &str| {
        let (name, _) = STAFF
            .iter()
            .find(|(_, held)| *held == position)
            .expect("held");
        let line = text
            .lines()
            .find(|line| line.contains(name))
            .expect("a PIN");
        let pin = line.split('\t').nth(1).expect("digits");
        (*name, pin.to_owned())
    };
    let (director, directors) = pin_of("director");
    let (dealer, dealers) = pin_of("dealer");
    forge(&site.data());
    let house = site.start();
    for (name, pin, status) in [
        (director, &dealers, 401),
        (director, &directors, 401),
        (dealer, &dealers, 200),
    ] {
        let body = json!({"name": name, "pin": pin});
        let said = Http::anyone(house.address)
            .post("/api/session", &body)
            .await;
        assert_eq!(said.status, status, "{name}: {}", said.body);
    }
    house.stop();
    // And whoever verifies sees it.
    let verified = std::panic::catch_unwind(|| crate::common::proof::clean(&site.data()));
    assert!(verified.is_err(), "the forged record verifies");
}
