//! Responsible play over the wire: what a player asks for is held to, and no
//! registered bet is touched.

use std::net::TcpStream;

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::{Answer, get, post};
use super::ws::{Frame, Socket};
use crate::common::comes;

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
        // A trial's PIN is the end of the number.
        self.card_with(number, &number[number.len() - 4..])
    }

    fn card_with(&self, number: &str, pin: &str) -> Answer {
        let body = json!({"card": number, "pin": pin});
        post(self.house, "/api/station/card", &[&self.terminal], &body)
    }

    fn waits_for_bets(&mut self) {
        self.house.next_round(&mut self.socket);
    }

    /// Says a bet and gives the code of the answer; one for which the round
    /// was over is said again in the next.
    fn bet(&mut self, stake: i64) -> String {
        self.bets += 1;
        self.says(self.bets, stake)
    }

    fn says(&mut self, id: u64, stake: i64) -> String {
        self.says_on(id, "small", stake)
    }

    fn says_on(&mut self, id: u64, section: &str, stake: i64) -> String {
        let lines = json!([{"section": section, "stake": stake}]);
        self.socket
            .say(&json!({"type": "bet", "id": id, "lines": lines}));
        loop {
            match self.socket.next() {
                Frame::Text(said) if said["id"] == id => {
                    let code = said["code"].as_str().unwrap_or("registered").to_owned();
                    let between = [
                        "bets_closed",
                        "no_round",
                        "wrong_phase",
                        "not_registered",
                        "bets_not_open",
                    ];
                    if between.contains(&code.as_str()) {
                        self.waits_for_bets();
                        self.bets += 1;
                        return self.says_on(self.bets, section, stake);
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
    player.limit("session", "spend", Some(600)).is(200);
    assert_eq!(player.row("session", "spend")["most"], 600);
    assert_eq!(player.row("session", "loss"), Value::Null);
    // Without a card there is nobody whose day it could be.
    player.limit("day", "spend", Some(600)).coded("card_needed");
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
    said.is(200);
    // The other station is not held to it.
    let other = Player::sits(&house, 2);
    assert_eq!(other.shown()["limits"], json!([]));
    assert_eq!(other.shown()["answered"], false);
    assert_eq!(other.shown()["check_minutes"], 60);
    house.ends_clean();
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
    house.ends_clean();
}

/// What staff type for a player waits like the player's own bet until the table where the card was
/// has given back what it was granted: it is handed to no table that does not know the limits yet.
#[test]
fn p_078_a_bet_that_staff_take_waits_until_the_limits_are_at_its_table() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    player.card("70001234").is(200);
    player.limit("day", "spend", Some(700)).is(200);
    player.waits_for_bets();
    assert_eq!(player.bet(400), "registered");
    let there = Player::sits(&house, 2).pays_in();
    there.card("70001234").is(200);
    let dealer = house.staff("dealer");
    let takes = || {
        let lines = json!([{"section": "big", "stake": 100}]);
        let act = json!({"act": "place_bets", "station": 1, "round": 1, "bet": 9,
            "means": "cash_chips", "lines": lines});
        let path = format!("/api/tables/{TABLE}/acts");
        post(&house, &path, &[&dealer], &act).code()
    };
    assert_eq!(takes(), "busy");
    // Once it has, the table answers itself: chips are not for a terminal.
    let answer = comes("the table's own answer", || {
        Some(takes()).filter(|code| code != "busy")
    });
    assert_eq!(answer, "not_your_station");
    house.ends_clean();
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
    post(&house, &path, &[&supervisor], &go_on).coded("not_authorised");
    let shift = house.staff("shift-manager");
    post(&house, &path, &[&shift], &go_on).is(204);
    player.socket.until("play");
    let stop = json!({"stop": true, "reason": "asked to leave"});
    post(&house, &path, &[&supervisor], &stop).is(204);
    player.socket.until("play");
    assert_eq!(player.shown()["stopped"], "asked to leave");
    assert_eq!(player.shown()["excluded"], false);
    house.ends_clean();
}

/// A request's number is used once in a house.
fn request() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static REQUESTS: AtomicU64 = AtomicU64::new(1);
    REQUESTS.fetch_add(1, Ordering::Relaxed) + u64::from(std::process::id()) * 1_000
}

impl Player<'_> {
    fn inserts_note(&mut self) {
        let request = request();
        self.socket
            .say(&json!({"type": "insert_note", "request": request, "amount": 10_000}));
        self.socket.find("done", |said| said["request"] == request);
    }

    fn asks_for_voucher(&mut self, amount: i64) -> u64 {
        let request = request();
        self.socket
            .say(&json!({"type": "cash_out", "request": request, "amount": amount}));
        request
    }

    /// The number of the voucher.
    fn cashes_out(&mut self, amount: i64) -> u64 {
        let request = self.asks_for_voucher(amount);
        let said = self
            .socket
            .find("voucher", |said| said["request"] == request);
        said["voucher"].as_u64().expect("a voucher")
    }

    /// Puts a voucher that was printed here into this terminal.
    fn redeems(&mut self, voucher: u64) {
        let path = format!("/api/station/vouchers/{voucher}/ticket.svg");
        let ticket = get(self.house, &path, &[&self.terminal]).body;
        let found = ticket.split(['>', '<', ' ', '"']).find(|word| {
            let digits = word.chars().filter(char::is_ascii_digit).count();
            digits == 18 && word.chars().all(|c| c.is_ascii_digit() || c == '-')
        });
        let number = found.expect("a number").replace('-', "");
        let request = request();
        self.socket
            .say(&json!({"type": "redeem", "request": request, "number": number}));
        self.socket.find("done", |said| said["request"] == request);
    }

    /// Stakes all credit on what hardly ever wins, until nothing is left.
    fn loses(&mut self, mut credit: i64) {
        while credit > 0 {
            self.bets += 1;
            assert_eq!(self.says_on(self.bets, "triple:1", credit), "registered");
            self.house.closes_bets();
            let said = self.socket.until("settlement");
            credit = said["credit"].as_i64().expect("a credit");
        }
    }
}

#[test]
fn p_075_what_is_said_before_the_money_comes_holds_when_it_has_come() {
    let house = House::quick();
    // Nobody has paid in anywhere: the card comes first.
    let mut excluded = Player::sits(&house, 1);
    assert_eq!(excluded.card("70000000").json()["standing"], "excluded");
    let mut member = Player::sits(&house, 2);
    assert_eq!(member.card("70001234").json()["standing"], "member");
    assert_eq!(member.limit("day", "spend", Some(300)).status, 200);
    let mut pausing = Player::sits(&house, 3);
    let pause = json!({"change": "break", "minutes": 5});
    assert_eq!(pausing.change(&pause).status, 200);
    for player in [&mut excluded, &mut member, &mut pausing] {
        player.inserts_note();
    }
    assert_eq!(excluded.bet(100), "play_stopped");
    assert_eq!(excluded.shown()["excluded"], true);
    assert_eq!(pausing.bet(100), "on_a_break");
    assert_eq!(member.shown()["card"], true);
    assert_eq!(member.bet(301), "day_spend_limit_reached");
    assert_eq!(member.bet(300), "registered");
    // An exclusion is the card's: where it is in use, play stops as well, and
    // a card that was excluded is stopped wherever it is shown.
    assert_eq!(member.card("70000000").json()["standing"], "excluded");
    assert_eq!(member.bet(100), "play_stopped");
    house.ends_clean();
}

#[test]
fn p_078_who_loses_everything_and_buys_in_again_is_the_same_person() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    assert_eq!(player.card("70001234").json()["standing"], "member");
    assert_eq!(player.limit("day", "loss", Some(20_000)).status, 200);
    player.cashes_out(9_900);
    player.loses(100);
    assert_eq!(player.limit("day", "loss", Some(300)).status, 200);
    player.inserts_note();
    assert_eq!(player.shown()["card"], true);
    assert_eq!(player.shown()["staked"], 100, "since the player came");
    assert_eq!(player.bet(201), "day_loss_limit_reached");
    assert_eq!(player.bet(200), "registered");
    // The same after a restart.
    drop(player);
    let (status, folder) = house.stop();
    assert!(status.success(), "{status}");
    let house = House::start(folder);
    let mut player = Player::sits(&house, 1);
    player.bets += 500;
    assert_eq!(player.shown()["card"], true);
    assert_eq!(player.bet(10_000), "day_loss_limit_reached");
    house.ends_clean();
}

#[test]
fn p_075_a_voucher_that_comes_back_to_its_station_brings_its_player_back() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    let pause = json!({"change": "break", "minutes": 60});
    assert_eq!(player.change(&pause).status, 200);
    let voucher = player.cashes_out(10_000);
    // All credit is out: whoever came now would begin with nothing set.
    assert_eq!(player.shown()["break_until_ms"], Value::Null);
    player.redeems(voucher);
    assert_eq!(player.bet(100), "on_a_break");
    // It could not be printed, and the credit came back.
    let printer = house.folder.path().join("data/vouchers");
    std::fs::remove_dir_all(&printer).expect("a folder");
    std::fs::write(&printer, "in the way").expect("written");
    let request = player.asks_for_voucher(10_000);
    player
        .socket
        .find("declined", |said| said["request"] == request);
    assert_eq!(player.bet(100), "on_a_break");
    std::fs::remove_file(&printer).expect("removed");
    std::fs::create_dir(&printer).expect("a folder");
    // Who really leaves takes it along.
    player.cashes_out(10_000);
    player.inserts_note();
    assert_eq!(player.bet(100), "registered");
    house.ends_clean();
}

#[test]
fn p_075_a_stop_holds_for_whoever_comes_until_it_is_lifted() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    let path = format!("/api/tables/{TABLE}/stations/0/play");
    let stop = json!({"stop": true, "reason": "asked to leave"});
    post(&house, &path, &[&house.staff("pit-supervisor")], &stop).is(204);
    assert_eq!(player.shown()["answered"], false, "the player said nothing");
    player.cashes_out(10_000);
    player.inserts_note();
    assert_eq!(player.bet(100), "play_stopped");
    assert_eq!(player.shown()["stopped"], "asked to leave");
    let go_on = json!({"stop": false, "reason": "has left"});
    post(&house, &path, &[&house.staff("shift-manager")], &go_on).is(204);
    assert_eq!(player.bet(100), "registered");
    house.ends_clean();
}

#[test]
fn p_075_where_there_is_no_credit_another_card_is_another_person() {
    let house = House::quick();
    let first = Player::sits(&house, 1);
    assert_eq!(first.card("70001234").json()["standing"], "member");
    let pause = json!({"change": "break", "minutes": 60});
    assert_eq!(first.change(&pause).status, 200);
    drop(first);
    let mut next = Player::sits(&house, 1);
    assert_eq!(next.card("70005678").json()["standing"], "member");
    next.inserts_note();
    assert_eq!(next.shown()["break_until_ms"], Value::Null);
    assert_eq!(next.bet(100), "registered");
    // With credit there it is somebody else's card.
    assert_eq!(next.card("70001234").code(), "other_card");
    // So an exclusion does not fall on whoever was there before.
    let before = Player::sits(&house, 2);
    assert_eq!(before.card("70004321").json()["standing"], "member");
    assert_eq!(before.card("70000000").json()["standing"], "excluded");
    assert_eq!(before.shown()["excluded"], true);
    let mut elsewhere = Player::sits(&house, 3).pays_in();
    assert_eq!(elsewhere.card("70004321").json()["standing"], "member");
    assert_eq!(elsewhere.bet(100), "registered");
    house.ends_clean();
}

#[test]
fn p_078_nobody_can_do_without_reality_checks_or_put_them_off() {
    let house = House::of(&super::house::plan("reality_check_minutes = 20"));
    let player = Player::sits(&house, 1);
    // The house's interval holds whatever comes first on record.
    assert_eq!(player.card("70001234").json()["standing"], "member");
    assert_eq!(player.shown()["check_minutes"], 20);
    assert_eq!(player.shown()["answered"], false);
    for body in [
        json!({"change": "check"}),
        json!({"change": "check", "minutes": null}),
    ] {
        let said = player.change(&body);
        assert!((400..500).contains(&said.status), "{}", said.body);
    }
    assert_eq!(player.shown()["check_minutes"], 20);
    let seen = json!({"change": "acknowledge"});
    assert_eq!(player.change(&seen).code(), "already_done");
    house.ends_clean();
}

#[test]
fn p_078_ten_bets_on_two_connections_do_not_go_beyond_one_limit() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    assert_eq!(player.limit("session", "spend", Some(500)).status, 200);
    player.waits_for_bets();
    // The second connection takes over while bets of the first are on their way.
    let mut second = house.seated(1);
    for bet in 0..10 {
        let socket = match bet % 2 {
            0 => &mut player.socket,
            _ => &mut second,
        };
        let lines = json!([{"section": "small", "stake": 100}]);
        let bet = json!({"type": "bet", "id": player.bets + 10 + bet, "lines": lines});
        // The one that was taken over may be gone by now.
        let _ = socket.frame(0x81, bet.to_string().as_bytes());
    }
    house.closes_bets();
    second.until("settlement");
    let staked = player.shown()["staked"].as_i64().expect("a sum");
    assert!((100..=500).contains(&staked), "{staked}");
    house.ends_clean();
}

#[test]
fn p_092_bets_that_the_players_own_limits_refuse_are_remembered() {
    let house = House::quick();
    let mut player = Player::sits(&house, 1).pays_in();
    let pause = json!({"change": "break", "minutes": 5});
    assert_eq!(player.change(&pause).status, 200);
    let round = house.next_round(&mut player.socket);
    assert_eq!(player.bet(100), "on_a_break");
    let metrics = get(&house, "/metrics", &[]).body;
    let counted = |line: &&str| {
        line.starts_with("sicbo_refusals_total") && line.contains("code=\"on_a_break\"")
    };
    let line = metrics.lines().find(counted).expect("a count");
    assert!(line.ends_with(" 1"), "{line}");
    // A dispute about the round knows it.
    let asked = json!({"round": round, "reason": "bet_not_taken"});
    let said = post(&house, "/api/station/disputes", &[&player.terminal], &asked).is(201);
    let path = format!("/api/cases/{}", said.json()["case"]);
    let case = get(&house, &path, &[&house.staff("pit-supervisor")]).json();
    let refused = case["case"]["refused"].as_array().expect("refused bets");
    let known = refused.iter().find(|bet| bet["bet"] == player.bets);
    assert_eq!(known.expect("the bet")["code"], "on_a_break");
    house.ends_clean();
}

/// A stranger at the next station knows a member's number, and no more.
#[test]
fn p_075_a_stranger_with_a_number_binds_nobody_and_learns_nothing() {
    let house = House::quick();
    let mut member = Player::sits(&house, 1).pays_in();
    assert_eq!(member.card("70001234").json()["standing"], "member");
    let stranger = Player::sits(&house, 2).pays_in();
    let ten_hours = json!({"change": "break", "minutes": 600});
    let bare = json!({"card": "70001234"});
    let path = "/api/station/card";
    for body in [
        bare,
        json!({"card": "70001234", "pin": "1235"}),
        json!({"card": "70001234", "read": "70001234"}),
        json!({"card": "no such card", "pin": "1234"}),
        // The excluded are nobody's business either.
        json!({"card": "70000000"}),
    ] {
        let said = post(&house, path, &[&stranger.terminal], &body).is(200);
        assert_eq!(said.json()["standing"], "unknown", "{body}");
    }
    assert_eq!(stranger.shown()["card"], false);
    assert_eq!(stranger.shown()["stopped"], Value::Null);
    stranger.change(&ten_hours).is(200);
    member.waits_for_bets();
    assert_eq!(member.bet(100), "registered", "the member plays on");
    assert_eq!(member.shown()["elsewhere"], false);
    // With the card in a reader it is the member who moves.
    let mut there = Player::sits(&house, 3).pays_in();
    let read = json!({"card": "70001234", "read": ";70001234?"});
    let said = post(&house, path, &[&there.terminal], &read);
    assert_eq!(said.json()["standing"], "member", "{}", said.body);
    there.waits_for_bets();
    assert_eq!(there.bet(100), "registered");
    assert_eq!(member.shown()["elsewhere"], true);
    // No PIN is in any file of the house.
    house.ends_clean();
}

#[test]
fn p_075_card_numbers_cannot_be_tried_by_the_hundred() {
    let house = House::quick();
    let player = Player::sits(&house, 1);
    let answers: Vec<u16> = (0..400)
        .map(|at| player.card_with(&format!("7{at:07}"), "1111").status)
        .collect();
    let taken = answers.iter().filter(|status| **status == 200).count();
    assert!((1..=8).contains(&taken), "{taken} of 400 were looked up");
    player.card("70001234").coded("too_many_look_ups");
    // The next station is not kept from its own.
    let other = Player::sits(&house, 2);
    assert_eq!(other.card("70001234").json()["standing"], "member");
    house.ends_clean();
}
