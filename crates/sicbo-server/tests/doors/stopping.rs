//! Told to stop, a house finishes what it accepted.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use sicbo_house::source::{self, Journals};
use sicbo_journal::Store as _;

use super::house::{House, SOON};
use super::http::{get, request};

#[test]
fn sigterm_finishes_requests_tells_sockets_and_keeps_every_accepted_bet() {
    use std::io::{Read as _, Write as _};
    let house = House::quick();
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    let seen = socket.find("table", |said| said["state"]["round"]["phase"] == "betting");
    let round = seen["state"]["round"]["number"].as_u64().expect("a round");
    let mut registered = 0;
    for id in 1..=20 {
        socket.say(&json!({"type": "bet", "id": id, "round": round, "lines": [{"section": "big", "stake": 100}]}));
    }
    // A request in hand: the hash of a PIN takes its time.
    let mut line = house.line();
    let body = json!({"name": "Goh Boon Keng", "pin": house.pin("Goh Boon Keng")}).to_string();
    line.write_all(&request("POST", "/api/session", &[], Some(&body)))
        .expect("sent");
    let _idle = house.line();
    loop {
        match socket.next() {
            super::ws::Frame::Text(said) if said["type"] == "registered" => {
                registered += 1;
                if registered == 5 {
                    house.signal("-TERM");
                }
            }
            super::ws::Frame::Text(said) if said["type"] == "bye" => {
                assert_eq!(said["code"], "stopping");
                break;
            }
            super::ws::Frame::Gone => panic!("no reason was told"),
            _ => {}
        }
    }
    let mut said = String::new();
    line.read_to_string(&mut said).expect("an answer");
    assert!(said.starts_with("HTTP/1.1 200"), "{said:?}");
    let token = house.terminal(1).to_owned();
    let (status, folder) = house.stop_asked();
    assert_eq!(status.code(), Some(0));
    signed_to_the_end(&folder.path().join("data"));
    // What was registered is there when it comes back.
    let house = House::start(folder);
    let header = format!("Authorization: Bearer {token}");
    let by = Instant::now() + SOON;
    let own = loop {
        // The round was interrupted; it is in the station's history when it has ended.
        let said = get(&house, "/api/station/rounds", &[&header]).json();
        let rounds = said.as_array().cloned().unwrap_or_default();
        if let Some(own) = rounds.iter().find(|own| own["round"]["number"] == round) {
            break own.clone();
        }
        assert!(Instant::now() < by, "round {round} is lost: {said}");
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(registered >= 5);
    let staked = own["staked"].as_i64().expect("staked");
    assert!(
        staked >= 100 * registered,
        "{registered} were registered: {own}"
    );
    assert!(staked <= 2_000, "{own}");
}

/// After a stop in good order no record is left that a cut could take away unseen.
fn signed_to_the_end(data: &Path) {
    let journals = Journals::folder(data).expect("a data folder");
    for (stream, path) in journals.tables_first() {
        let store = source::open(stream, path).expect("a journal");
        let signed = store.checkpoints().expect("checkpoints");
        let last = signed.last().expect("signed at all").checkpoint();
        assert_eq!(last.sequence, store.tail().sequence, "{stream}");
    }
}
