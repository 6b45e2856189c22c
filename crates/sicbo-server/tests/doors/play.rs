//! Responsible play over the wire: what a player asks for is held to, and no
//! registered bet is touched.

use std::net::TcpStream;

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::{Answer, get, post};
use super::ws::{Frame, Socket};

fn bearer(house: &House, terminal: usize) -> String {
    format!("Authorization: Bearer {}", house.terminal(terminal))
}

/// A player at a terminal.
struct Player<'h> {
    house: &'h House,
    terminal: String,
    socket: Socket<TcpStream>,
    bets: u64,
}

impl<'h> Player<'h> {
    fn sits(house: &'h House, number: usize) -> Player<'h> {
        Player {
            house,
            terminal: bearer(house, number),
            socket: house.seated(number),
            // Ids of another time are of other bets.
            bets: u64::from(std::process::id()) * 1_000_000 + number as u64 * 1_000,
        }
    }

    fn pays_in(mut self) -> Player<'h> {
        self.socket
            .say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
        self.socket.until("done");
        self
    }

    fn change(&self, body: &Value) -> Answer {
        post(self.house, "/api/station/play", &[&self.terminal], body)
    }

    fn limit(&self, window: &str, measure: &str, most: Option<i64>) -> Answer {
        let body = json!({"change": "limit", "window": window, "measure": measure, "most": most});
        self.change(&body)
    }

    fn shown(&self) -> Value {
        get(self.house, "/api/station/play", &[&self.terminal]).json()
    }

    /// One of the limits that are shown.
    fn row(&self, window: &str, measure: &str) -> Value {
        let shown = self.shown();
        let mut rows = shown["limits"].as_array().expect("limits").iter();
        let row = rows.find(|row| row["window"] == window && row["measure"] == measure);
        row.cloned().unwrap_or(Value::Null)
    }

    fn card(&self, number: &str) -> Answer {
        let body = json!({"card": number});
        post(self.house, "/api/station/card", &[&self.terminal], &body)
    }

    fn waits_for_bets(&mut self) {
        let betting = |said: &Value| said["state"]["round"]["phase"] == "betting";
        self.socket.find("table", betting);
    }

    /// Says a bet and gives the code of the answer; one for which the round
    /// was over is said again in the next.
    fn bet(&mut self, stake: i64) -> String {
        self.bets += 1;
        self.says(self.bets, stake)
    }

    fn says(&mut self, id: u64, stake: i64) -> String {
        let lines = json!([{"section": "small", "stake": stake}]);
        self.socket
            .say(&json!({"type": "bet", "id": id, "lines": lines}));
        loop {
            match self.socket.next() {
                Frame::Text(said) if said["id"] == id => {
                    let code = said["code"].as_str().unwrap_or("registered").to_owned();
                    if ["bets_closed", "no_round", "wrong_phase", "bets_not_open"]
                        .contains(&code.as_str())
                    {
                        self.waits_for_bets();
                        self.bets += 1;
                        return self.says(self.bets, stake);
                    }
                    return code;
                }
                Frame::Ping => drop(self.socket.frame(0x8a, b"")),
                Frame::Text(_) | Frame::Pong => {}
                end => panic!("{end:?}"),
            }
        }
    }
}

#[test]
fn p_078_a_players_own_limits_hold_for_bets_to_come_and_no_other() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    let said = player.limit("session", "spend", Some(600));
    assert_eq!(said.status, 200, "{}", said.body);
    assert_eq!(player.row("session", "spend")["most"], 600);
    assert_eq!(player.row("session", "loss"), Value::Null);
    // Without a card there is nobody whose day it could be.
    let said = player.limit("day", "spend", Some(600));
    assert_eq!(said.code(), "card_needed");
    player.waits_for_bets();
    // They are counted one after the other.
    assert_eq!(player.bet(400), "registered");
    let first = player.bets;
    assert_eq!(player.bet(201), "spend_limit_reached");
    assert_eq!(player.bet(200), "registered");
    assert_eq!(player.bet(100), "spend_limit_reached");
    // Said again, what was registered is answered as before.
    assert_eq!(player.says(first, 400), "registered");
    // A looser limit waits a day and a second word; a break locks at once.
    assert_eq!(player.limit("session", "spend", Some(900)).status, 200);
    let row = player.row("session", "spend");
    assert_eq!((&row["most"], &row["later"]), (&json!(600), &json!(900)));
    let waits =
        row["later_ms"].as_i64().expect("a time") - player.shown()["now_ms"].as_i64().expect("now");
    assert!((86_000_000..=86_400_000).contains(&waits), "{waits}");
    let sure = json!({"change": "confirm", "window": "session", "measure": "spend"});
    assert_eq!(player.change(&sure).code(), "cooling_off");
    let said = player.change(&json!({"change": "break", "minutes": 5}));
    assert!(said.json()["break_until_ms"].is_i64(), "{}", said.body);
    assert_eq!(player.bet(100), "on_a_break");
    assert_eq!(player.shown()["staked"], 600);
    for (body, code) in [
        (json!({"change": "break", "minutes": 1}), "limit_invalid"),
        (json!({"change": "check", "minutes": 45}), "limit_invalid"),
        (
            json!({"change": "limit", "window": "session", "measure": "time", "most": 0}),
            "limit_invalid",
        ),
    ] {
        assert_eq!(player.change(&body).code(), code, "{body}");
    }
    let said = player.change(&json!({"change": "check", "minutes": 30}));
    assert_eq!(said.status, 200);
    // The other station is not held to it.
    let other = Player::sits(&house, 2);
    assert_eq!(other.shown()["limits"], json!([]));
    assert_eq!(other.shown()["answered"], false);
    assert_eq!(other.shown()["check_minutes"], 60);
}

#[test]
fn p_078_limits_of_a_card_hold_at_every_station_and_after_a_restart() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    assert_eq!(player.card("70001234").json()["standing"], "member");
    assert_eq!(player.shown()["card"], true);
    for (window, most) in [("day", 700), ("week", 900), ("month", 1_000)] {
        assert_eq!(player.limit(window, "spend", Some(most)).status, 200);
    }
    player.waits_for_bets();
    assert_eq!(player.bet(400), "registered");
    assert_eq!(player.bet(301), "day_spend_limit_reached");
    // Another card in the same session is another's.
    assert_eq!(player.card("70005678").code(), "other_card");
    // The card goes to another station, and with it what holds and what is used.
    let mut there = Player::sits(&house, 2).pays_in();
    assert_eq!(there.card("70001234").json()["standing"], "member");
    assert_eq!(there.row("day", "spend")["used"], 400);
    assert_eq!(player.shown()["elsewhere"], true);
    assert_eq!(player.bet(100), "card_elsewhere");
    there.waits_for_bets();
    assert_eq!(there.bet(301), "day_spend_limit_reached");
    assert_eq!(there.bet(200), "registered");
    // Whoever has no card is not held to it.
    let mut stranger = Player::sits(&house, 3).pays_in();
    stranger.waits_for_bets();
    assert_eq!(stranger.bet(5_000), "registered");
    assert_eq!(there.limit("week", "spend", None).status, 200);
    drop(stranger);
    drop(there);
    drop(player);
    let (status, folder) = house.stop();
    assert!(status.success(), "{status}");
    let house = House::start(folder);
    let mut there = Player::sits(&house, 2);
    assert_eq!(there.shown()["card"], true, "the card is still there");
    assert_eq!(there.row("day", "spend")["used"], 600);
    assert_eq!(there.row("week", "spend")["waits"], true);
    assert_eq!(there.shown()["staked"], 200, "since the player came");
    assert!(there.shown()["played_ms"].as_i64() > Some(0));
    there.waits_for_bets();
    assert_eq!(there.bet(101), "day_spend_limit_reached");
    assert_eq!(there.bet(100), "registered");
    // The number of a card is in no journal.
    let journal = std::fs::read(house.folder.path().join("data/journal/house.sqlite"));
    let journal = journal.expect("the journal");
    assert!(!journal.windows(8).any(|bytes| bytes == b"70001234"));
}

#[test]
fn p_075_an_excluded_card_stops_play_and_the_shift_manager_decides() {
    let house = House::quick();
    let mut player = Player::sits(&house, 3).pays_in();
    let standing = |number: &str| player.card(number).json()["standing"].clone();
    // In a trial, cards that end in 0000 are excluded.
    assert_eq!(standing("70000000"), "excluded");
    assert_eq!(standing("70000000"), "excluded");
    assert_eq!(player.shown()["excluded"], true);
    assert_eq!(player.bet(100), "play_stopped");
    // The terminal is told at once.
    let path = format!("/api/tables/{TABLE}/stations/2/play");
    let go_on = json!({"stop": false, "reason": "another person's card"});
    let supervisor = house.staff("pit-supervisor");
    let said = post(&house, &path, &[&supervisor], &go_on);
    assert_eq!(said.code(), "not_authorised");
    let shift = house.staff("shift-manager");
    let said = post(&house, &path, &[&shift], &go_on);
    assert_eq!(said.status, 204, "{}", said.body);
    player.socket.until("play");
    let stop = json!({"stop": true, "reason": "asked to leave"});
    let said = post(&house, &path, &[&supervisor], &stop);
    assert_eq!(said.status, 204, "{}", said.body);
    player.socket.until("play");
    assert_eq!(player.shown()["stopped"], "asked to leave");
    assert_eq!(player.shown()["excluded"], false);
}
