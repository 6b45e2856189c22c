//! A tumbler's line that dies at quang-nam: the game stops where it stands and
//! the Head of Operations approves that it goes on (7.1), the Director may void
//! the round (7.8), and two persons take over its count between rounds only.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::house::{House, SOON, STAFF};
use super::http::{Answer, get, post};
use super::proof;

const TABLE: &str = "quang-nam-table";
const STAKE: i64 = 100_000;

fn house() -> (House, SocketAddr) {
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("its address");
    drop(free);
    let mut text =
        String::from("site = \"Line\"\nlisten = \"127.0.0.1:0\"\nstop_within_seconds = 0\n");
    for (position, name) in STAFF {
        text += &format!("[[staff]]\nname = \"{name}\"\nposition = \"{position}\"\n");
    }
    text += &format!(
        r#"
[[tables]]
name = "{TABLE}"
book = "{TABLE}"
currency = "VND"
chip_unit = "10000"
window_seconds = 3600
dice_set = "D-0001"
tumbler = "line"
device_listen = "{address}"
shortest_tumble_ms = 0
dealer = "person"
lights = "none"
printer = {{ folder = "vouchers" }}
note_acceptor = "none"
[tables.limits]
minimum = "10000"
maximum = "5000000"
station_maximum = "50000000"
exposure_maximum = "10000000000"
[[tables.stations]]
layout = "a"
count = 1
"#
    );
    (House::of(&text), address)
}

/// The people, each with a session.
struct People {
    dealer: String,
    supervisor: String,
    director: String,
    head: String,
}

impl People {
    fn of(house: &House) -> People {
        People {
            dealer: house.staff("dealer"),
            supervisor: house.staff("pit-supervisor"),
            director: house.staff("director"),
            head: house.staff("head-of-operations"),
        }
    }
}

/// The tumbler, enrolled by the technician and connected.
struct Tumbler {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
    said: u64,
}

impl Tumbler {
    fn enrol(house: &House) -> String {
        let technician = house.staff("technician");
        let role = json!({"role": "device", "table": TABLE, "device": "tumbler"});
        let new = json!({"name": "tumbler", "role": role});
        let said = post(house, "/api/enrolments", &[&technician], &new);
        assert_eq!(said.status, 201, "{}", said.body);
        said.json()["token"].as_str().expect("a token").to_owned()
    }

    fn connect(address: SocketAddr, token: &str) -> Tumbler {
        let stream = TcpStream::connect(address).expect("the line");
        let reader = BufReader::new(stream.try_clone().expect("a second end"));
        let mut tumbler = Tumbler {
            stream,
            reader,
            said: 0,
        };
        tumbler.ask(&json!({"hello": {"token": token, "protocol": 1}}));
        tumbler
    }

    fn ask(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").expect("the line takes it");
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("an answer");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(said["ok"], true, "{message}: {said}");
    }

    /// It runs, and counts to three.
    fn tumble(&mut self) {
        self.said += 2;
        self.ask(&json!({"id": self.said - 1, "activated": true}));
        let count = json!({"id": self.said, "at_rest": {"count": 3, "all_dice_moved": true}});
        self.ask(&count);
    }
}

fn act(house: &House, who: &str, act: &Value) -> Answer {
    post(house, &format!("/api/tables/{TABLE}/acts"), &[who], act)
}

#[track_caller]
fn must(house: &House, who: &str, what: &Value) {
    let said = act(house, who, what);
    assert_eq!(said.status, 200, "{what}: {}", said.body);
}

fn sees(house: &House, who: &str) -> Value {
    get(house, &format!("/api/tables/{TABLE}/staff"), &[who]).json()
}

/// The decision about the dead device, once it waits.
fn stopped(house: &House, who: &str) -> Value {
    let by = Instant::now() + SOON;
    loop {
        let seen = sees(house, who);
        let mut waiting = seen["decisions"].as_array().expect("decisions").iter();
        if let Some(found) = waiting.find(|one| one["question"] == "device-failure") {
            return found.clone();
        }
        assert!(Instant::now() < by, "no stop: {seen}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Hand counts, proposed by the supervisor and confirmed by the dealer.
fn switch(house: &House, people: &People, by_hand: bool) -> Answer {
    let path = format!("/api/tables/{TABLE}/proposals");
    let wanted = json!({"act": "switch_counting", "by_hand": by_hand});
    let said = post(house, &path, &[&people.supervisor], &wanted);
    if said.status != 201 {
        return said;
    }
    let path = format!("{path}/{}/confirm", said.json()["proposal"]);
    let digest = json!({"digest": said.json()["digest"]});
    let alone = post(house, &path, &[&people.supervisor], &digest);
    assert_eq!(alone.code(), "same_person_twice");
    post(house, &path, &[&people.dealer], &digest)
}

fn bet(house: &House, people: &People, id: u64) -> u64 {
    let round = sees(house, &people.dealer)["public"]["round"]["number"].clone();
    let round = round.as_u64().expect("a round");
    let bet = json!({"act": "place_bets", "station": 0, "round": round, "bet": id,
        "means": "cash_chips", "lines": [{"section": "big", "stake": STAKE}]});
    must(house, &people.dealer, &bet);
    round
}

/// From the close to the payment of 6, 5 and 1.
fn finish(house: &House, people: &People) {
    for step in [
        json!({"act": "close_bets"}),
        json!({"act": "uncover"}),
        json!({"act": "confirm_flat"}),
        json!({"act": "key_dice", "dice": [6, 5, 1]}),
        json!({"act": "confirm_result"}),
        json!({"act": "report_lights", "lit": true}),
        json!({"act": "take_and_pay"}),
    ] {
        must(house, &people.dealer, &step);
    }
}

fn house_win(house: &House, people: &People) -> i64 {
    let win = sees(house, &people.dealer)["money"]["house_win"].clone();
    win.as_i64().expect("an amount")
}

#[test]
fn r_176_quang_nam_a_dead_line_stops_the_game_until_it_is_approved_or_void() {
    let (house, address) = house();
    let people = People::of(&house);
    let opened = act(&house, &people.supervisor, &json!({"act": "open_table"}));
    assert!(matches!(opened.status, 200 | 409), "{}", opened.body);
    let token = Tumbler::enrol(&house);
    let mut tumbler = Tumbler::connect(address, &token);

    // It dies while bets are taken: they stand, and nothing goes on (7.1).
    tumbler.tumble();
    must(&house, &people.dealer, &json!({"act": "call_bets"}));
    let first = bet(&house, &people, 1);
    drop(tumbler);
    let waits = stopped(&house, &people.dealer);
    assert_eq!(
        (&waits["by"], &waits["rule"]),
        (&json!("head-of-operations"), &json!("quang-nam-table 7.1"))
    );
    let seen = sees(&house, &people.dealer);
    assert_eq!(seen["status"], "suspended");
    assert_eq!(seen["notices"][0]["inform"], "pit-manager");
    let close = json!({"act": "close_bets"});
    let said = act(&house, &people.dealer, &close);
    assert_eq!(said.code(), "decision_pending");
    assert_eq!(said.json()["rule"], "quang-nam-table 7.1");
    // Nobody takes the count over in the middle of a round.
    let said = switch(&house, &people, true);
    assert_eq!(said.code(), "round_in_hand", "{}", said.body);
    // Approved, it goes on from where it stood: the tumble was counted before.
    let approve = json!({"act": "rule", "pending": waits["pending"], "ruling": "accept",
        "reason": "the tumble was counted"});
    for who in [&people.dealer, &people.supervisor, &people.director] {
        assert_eq!(act(&house, who, &approve).code(), "not_authorised");
    }
    must(&house, &people.head, &approve);
    finish(&house, &people);
    assert_eq!(house_win(&house, &people), -STAKE);

    // It dies again while it counts: nobody attests it, the Director voids.
    let mut tumbler = Tumbler::connect(address, &token);
    must(&house, &people.dealer, &json!({"act": "call_bets"}));
    let second = bet(&house, &people, 2);
    assert_eq!(second, first + 1);
    tumbler.ask(&json!({"id": 1, "activated": true}));
    let count = json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true});
    assert_eq!(
        act(&house, &people.dealer, &count).code(),
        "counted_by_line"
    );
    drop(tumbler);
    let waits = stopped(&house, &people.dealer);
    assert_eq!(waits["round"], second);
    assert_eq!(
        act(&house, &people.dealer, &count).code(),
        "counted_by_line"
    );
    let void = json!({"act": "rule_void", "reason": "nobody saw it come to rest"});
    assert_eq!(
        act(&house, &people.head, &void).code(),
        "not_authorised",
        "7.8 names the Director"
    );
    must(&house, &people.director, &void);
    let last = sees(&house, &people.dealer)["last"].clone();
    assert_eq!(last["why"]["rule"], "quang-nam-table 7.8");
    assert_eq!(house_win(&house, &people), -STAKE, "every stake went back");
    // The device is as dead as before: the round ended, and not the stop.
    assert_eq!(sees(&house, &people.dealer)["status"], "suspended");

    // Between rounds two persons take over its count, on record.
    let said = switch(&house, &people, true);
    assert_eq!(said.status, 200, "{}", said.body);
    assert_eq!(sees(&house, &people.dealer)["counting"], "hand");
    must(&house, &people.head, &json!({"act": "resume"}));
    must(&house, &people.dealer, &json!({"act": "activate_tumbler"}));
    must(&house, &people.dealer, &count);
    must(&house, &people.dealer, &json!({"act": "call_bets"}));
    bet(&house, &people, 3);
    finish(&house, &people);
    assert_eq!(house_win(&house, &people), -2 * STAKE);
    let said = switch(&house, &people, false);
    assert_eq!(said.status, 200, "{}", said.body);
    assert_eq!(sees(&house, &people.dealer)["counting"], "line");

    let (status, folder) = house.stop();
    assert!(status.success());
    proof::clean(&folder.path().join("data"));
}
