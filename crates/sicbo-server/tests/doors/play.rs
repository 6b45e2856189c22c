//! Responsible play over the wire: what a player asks for is held to, and no
//! registered bet is touched.

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::{get, post};

fn bearer(house: &House, terminal: usize) -> String {
    format!("Authorization: Bearer {}", house.terminal(terminal))
}

#[test]
fn p_078_a_players_own_limits_hold_for_bets_to_come_and_no_other() {
    let house = House::quick();
    let terminal = bearer(&house, 1);
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    let change = |body: &Value| post(&house, "/api/station/play", &[&terminal], body);
    let limits = json!({"change": "limits", "limits": {"spend": 600}});
    let said = change(&limits);
    assert_eq!(said.status, 200, "{}", said.body);
    assert_eq!(said.json()["limits"]["spend"], 600);
    assert_eq!(said.json()["limits"]["loss"], Value::Null);
    let betting = |said: &Value| said["state"]["round"]["phase"] == "betting";
    let mut bet = |id: u64, stake: i64, expected: &str| {
        let lines = json!([{"section": "small", "stake": stake}]);
        socket.say(&json!({"type": "bet", "id": id, "lines": lines}));
        loop {
            match socket.next() {
                super::ws::Frame::Text(said) if said["id"] == id => {
                    let code = said["code"].as_str().unwrap_or("registered");
                    assert_eq!(code, expected, "{said}");
                    return;
                }
                super::ws::Frame::Ping => drop(socket.frame(0x8a, b"")),
                super::ws::Frame::Text(_) | super::ws::Frame::Pong => {}
                end => panic!("{end:?}"),
            }
        }
    };
    let mut watch = house.seated(2);
    watch.find("table", betting);
    // Several at once: they are counted one after the other.
    bet(1, 400, "registered");
    bet(2, 201, "spend_limit_reached");
    bet(3, 200, "registered");
    bet(4, 100, "spend_limit_reached");
    // Said again, what was registered is answered as before.
    bet(1, 400, "registered");
    // A looser limit waits a day; a break locks at once.
    let said = change(&json!({"change": "limits", "limits": {"spend": 900}}));
    assert_eq!(said.json()["limits"]["spend"], 600);
    assert_eq!(said.json()["later"]["spend"], 900);
    let said = change(&json!({"change": "break", "minutes": 5}));
    assert!(said.json()["break_until_ms"].is_i64(), "{}", said.body);
    bet(5, 100, "on_a_break");
    let shown = get(&house, "/api/station/play", &[&terminal]).json();
    assert_eq!(shown["staked"], 600);
    for (body, code) in [
        (json!({"change": "break", "minutes": 1}), "limit_invalid"),
        (json!({"change": "check", "minutes": 45}), "limit_invalid"),
        (json!({"change": "acknowledge"}), "already_done"),
    ] {
        assert_eq!(change(&body).code(), code, "{body}");
    }
    assert_eq!(
        change(&json!({"change": "check", "minutes": 30})).status,
        200
    );
    // The other station is not held to it.
    let other = get(&house, "/api/station/play", &[&bearer(&house, 2)]).json();
    assert_eq!(other["limits"]["spend"], Value::Null);
}

#[test]
fn p_075_an_excluded_card_stops_play_and_the_shift_manager_decides() {
    let house = House::quick();
    let terminal = bearer(&house, 3);
    let mut socket = house.seated(3);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    let card = |number: &str| {
        let body = json!({"card": number});
        post(&house, "/api/station/card", &[&terminal], &body).json()["standing"].clone()
    };
    assert_eq!(card("70001234"), "member");
    // In a trial, cards that end in 0000 are excluded.
    assert_eq!(card("70000000"), "excluded");
    assert_eq!(card("70000000"), "excluded");
    let lines = json!([{"section": "small", "stake": 100}]);
    socket.say(&json!({"type": "bet", "id": 7, "lines": lines}));
    let said = socket.find("refused", |said| said["id"] == 7);
    assert_eq!(said["code"], "play_stopped");
    let path = format!("/api/tables/{TABLE}/stations/2/play");
    let go_on = json!({"stop": false, "reason": "another person's card"});
    let supervisor = house.staff("pit-supervisor");
    let said = post(&house, &path, &[&supervisor], &go_on);
    assert_eq!(said.code(), "not_authorised");
    let shift = house.staff("shift-manager");
    let said = post(&house, &path, &[&shift], &go_on);
    assert_eq!(said.status, 204, "{}", said.body);
    let stop = json!({"stop": true, "reason": "asked to leave"});
    let said = post(&house, &path, &[&supervisor], &stop);
    assert_eq!(said.status, 204, "{}", said.body);
    let shown = get(&house, "/api/station/play", &[&terminal]).json();
    assert_eq!(shown["stopped"], "asked to leave");
}
