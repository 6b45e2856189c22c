//! Told to stop, a house finishes what it accepted.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use sicbo_journal::Store as _;
use sicbo_proof::source::{self, Journals};

use super::house::{House, TABLE, plan};
use super::http::{get, post, request};
use crate::common::comes;

#[test]
fn sigterm_finishes_requests_tells_sockets_and_keeps_every_accepted_bet() {
    use std::io::{Read as _, Write as _};
    let house = House::quick();
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    let round = house.next_round(&mut socket);
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
                    house.program.signal("-TERM");
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
    // The round was interrupted; it is in the station's history when it has ended.
    let own = comes(format!("round {round} is lost"), || {
        let said = get(&house, "/api/station/rounds", &[&header]).json();
        let mut rounds = said.as_array()?.iter();
        rounds.find(|own| own["round"]["number"] == round).cloned()
    });
    assert!(registered >= 5);
    let staked = own["staked"].as_i64().expect("staked");
    assert!(
        staked >= 100 * registered,
        "{registered} were registered: {own}"
    );
    assert!(staked <= 2_000, "{own}");
    house.ends_clean();
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

/// The quick house, dealt by a person with a tumbler that counts nothing.
pub fn by_hand(more: &str) -> String {
    plan(more)
        .replace("tumbler = \"simulated\"", "tumbler = \"manual\"")
        .replace(
            "dealer = \"automatic\"\npace = \"none\"",
            "dealer = \"person\"",
        )
        .replace("window_seconds = 5", "window_seconds = 3600")
}

/// A house in whose one round bets are open and nobody closes them; a player
/// with a bet in it.
fn in_a_round(stop_within_seconds: u32) -> (House, super::ws::Socket<std::net::TcpStream>) {
    let house = House::of(&by_hand(&format!(
        "stop_within_seconds = {stop_within_seconds}"
    )));
    let acts = format!("/api/tables/{TABLE}/acts");
    let act = |who: &str, act: serde_json::Value| {
        post(&house, &acts, &[&house.staff(who)], &act).is(200);
    };
    act("pit-supervisor", json!({"act": "open_table"}));
    let mut player = house.seated(1);
    player.say(&json!({"type": "insert_note", "request": 1, "amount": 5_000}));
    player.until("done");
    act("dealer", json!({"act": "activate_tumbler"}));
    act(
        "dealer",
        json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true}),
    );
    act("dealer", json!({"act": "call_bets"}));
    let lines = json!([{"section": "big", "stake": 100}]);
    player.say(&json!({"type": "bet", "id": 1, "round": 1, "lines": lines}));
    player.until("registered");
    (house, player)
}

/// The round was interrupted and its bet is there.
fn kept_the_bet(folder: tempfile::TempDir) {
    let house = House::start(folder);
    let said = get(&house, &format!("/api/tables/{TABLE}"), &[]).json();
    assert_eq!(said["state"]["round"]["number"], 1, "{said}");
    let mine = house.greeted(1).until("mine");
    assert_eq!(mine["mine"]["credit"], 4_900, "{mine}");
    house.ends_clean();
}

#[test]
fn a_round_that_waits_for_a_person_keeps_the_house_no_longer_than_the_bound() {
    let (house, mut player) = in_a_round(2);
    let told = Instant::now();
    house.program.signal("-TERM");
    assert_eq!(player.ended().0, "stopping");
    let (status, folder) = house.stop_asked();
    let took = told.elapsed();
    assert_eq!(status.code(), Some(0));
    assert!(took >= Duration::from_secs(2), "the round had {took:?}");
    kept_the_bet(folder);
}

#[test]
fn told_twice_the_house_stops_at_once() {
    let (house, mut player) = in_a_round(600);
    house.program.signal("-TERM");
    // The first one alone ends nothing: the house still answers.
    assert_eq!(get(&house, "/health/live", &[]).status, 204);
    let ended = std::thread::spawn(move || player.ended().0);
    comes("it does not stop", || {
        house.program.signal("-TERM");
        ended.is_finished().then_some(())
    });
    assert_eq!(ended.join().expect("read"), "stopping");
    let (status, folder) = house.stop_asked();
    assert_eq!(status.code(), Some(0));
    kept_the_bet(folder);
}
