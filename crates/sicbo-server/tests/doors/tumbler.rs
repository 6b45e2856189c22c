//! A tumbler on the line: only it counts, its silence is a technical stop
//! and a person counts in its place only after two persons have said so
//! on record, between rounds, and not sooner than a tumble takes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::house::{House, SOON, TABLE, plan};
use super::http::{Answer, get, post};
use super::proof;

/// No tumble takes less by this plan.
const SHORTEST: Duration = Duration::from_millis(700);

fn with_line() -> (House, SocketAddr) {
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("its address");
    drop(free);
    let line = format!("tumbler = \"line\"\ndevice_listen = \"{address}\"");
    let text = plan("")
        .replace(
            "dealer = \"automatic\"\npace = \"none\"",
            "dealer = \"person\"",
        )
        .replace("tumbler = \"simulated\"", &line)
        .replace("shortest_tumble_ms = 0", "shortest_tumble_ms = 700");
    (House::of(&text), address)
}

/// The tumbler, enrolled by the technician and connected.
struct Tumbler {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
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
        let mut tumbler = Tumbler { stream, reader };
        tumbler.must(&json!({"hello": {"token": token, "protocol": 1}}));
        tumbler
    }

    fn must(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").expect("the line takes it");
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("an answer");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(said["ok"], true, "{message}: {said}");
    }
}

fn act(house: &House, who: &str, act: &Value) -> Answer {
    post(house, &format!("/api/tables/{TABLE}/acts"), &[who], act)
}

fn must(house: &House, who: &str, what: &Value) {
    let said = act(house, who, what);
    assert_eq!(said.status, 200, "{what}: {}", said.body);
}

fn sees(house: &House, who: &str) -> Value {
    get(house, &format!("/api/tables/{TABLE}/staff"), &[who]).json()
}

/// The technical stop that waits, once there is one.
fn stop(house: &House, who: &str) -> Value {
    let by = Instant::now() + SOON;
    loop {
        let seen = sees(house, who);
        let mut waiting = seen["decisions"].as_array().expect("decisions").iter();
        if let Some(found) = waiting.find(|one| one["question"] == "technical-stop") {
            return found.clone();
        }
        assert!(Instant::now() < by, "no stop: {seen}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn tumbles(count: u8) -> Value {
    json!({"act": "report_tumbles", "count": count, "all_dice_moved": true})
}

/// Hand counts, proposed by the supervisor and confirmed by the dealer.
fn switch(house: &House, supervisor: &str, dealer: &str, by_hand: bool) -> Answer {
    let path = format!("/api/tables/{TABLE}/proposals");
    let wanted = json!({"act": "switch_counting", "by_hand": by_hand});
    let said = post(house, &path, &[supervisor], &wanted);
    if said.status != 201 {
        return said;
    }
    let path = format!("{path}/{}/confirm", said.json()["proposal"]);
    let digest = json!({"digest": said.json()["digest"]});
    assert_eq!(
        post(house, &path, &[supervisor], &digest).code(),
        "same_person_twice"
    );
    post(house, &path, &[dealer], &digest)
}

#[test]
fn r_175_a_dead_tumbler_line_stops_play_and_two_persons_take_over_its_count() {
    let (house, address) = with_line();
    let (dealer, supervisor) = (house.staff("dealer"), house.staff("pit-supervisor"));
    let opened = act(&house, &supervisor, &json!({"act": "open_table"}));
    assert!(matches!(opened.status, 200 | 409), "{}", opened.body);
    let token = Tumbler::enrol(&house);

    // The line counts, and nobody in its place.
    let mut tumbler = Tumbler::connect(address, &token);
    tumbler.must(&json!({"id": 1, "activated": true}));
    std::thread::sleep(SHORTEST);
    let said = act(&house, &dealer, &tumbles(3));
    assert_eq!(
        (said.status, said.code().as_str()),
        (409, "counted_by_line")
    );

    // It dies while the dice tumble: play stops by itself, the supervisor decides.
    drop(tumbler);
    let waits = stop(&house, &supervisor);
    assert_eq!(waits["by"], "pit-supervisor");
    let call = json!({"act": "call_bets"});
    assert_eq!(act(&house, &dealer, &call).code(), "decision_pending");
    // Not in the middle of a round.
    let said = switch(&house, &supervisor, &dealer, true);
    assert_eq!(said.code(), "round_in_hand", "{}", said.body);
    let affected = json!({"act": "rule", "pending": waits["pending"], "ruling": "affected",
        "reason": "the line is dead"});
    must(&house, &supervisor, &affected);
    let last = sees(&house, &dealer)["last"].clone();
    assert_eq!(last["why"]["cause"], "technical-interruption", "{last}");

    // Alone nobody takes the count over; two do, on record.
    let wanted = json!({"act": "switch_counting", "by_hand": true});
    for who in [&dealer, &supervisor] {
        assert_eq!(act(&house, who, &wanted).code(), "second_person_needed");
    }
    let said = switch(&house, &supervisor, &dealer, true);
    assert_eq!(said.status, 200, "{}", said.body);
    assert_eq!(sees(&house, &dealer)["counting"], "hand");
    must(&house, &dealer, &json!({"act": "activate_tumbler"}));
    let said = act(&house, &dealer, &tumbles(3));
    assert_eq!(said.code(), "counted_too_soon", "{}", said.body);
    assert!(said.body.contains("0.7 seconds"), "{}", said.body);
    std::thread::sleep(SHORTEST);
    must(&house, &dealer, &tumbles(3));

    let (status, folder) = house.stop();
    assert!(status.success());
    let clean = proof::clean(&folder.path().join("data"));
    assert_eq!(clean.tables.len(), 1);
}

#[test]
fn q_56_a_fault_on_the_line_raises_the_stop_by_itself() {
    let (house, address) = with_line();
    let (dealer, supervisor) = (house.staff("dealer"), house.staff("pit-supervisor"));
    let opened = act(&house, &supervisor, &json!({"act": "open_table"}));
    assert!(matches!(opened.status, 200 | 409), "{}", opened.body);
    let token = Tumbler::enrol(&house);
    let mut tumbler = Tumbler::connect(address, &token);
    tumbler.must(&json!({"activated": true}));
    tumbler.must(&json!({"at_rest": {"count": 3, "all_dice_moved": true}}));
    must(&house, &dealer, &json!({"act": "call_bets"}));

    // Nobody presses anything: the device says it, and play stops.
    tumbler.must(&json!({"fault": "the motor is hot"}));
    let waits = stop(&house, &supervisor);
    assert_eq!(waits["what"], "the motor is hot");
    assert_eq!(
        (&waits["by"], &waits["established"]),
        (&json!("pit-supervisor"), &json!(false))
    );
    let close = json!({"act": "close_bets"});
    assert_eq!(act(&house, &dealer, &close).code(), "decision_pending");
    let rule = |ruling: &str| {
        json!({"act": "rule", "pending": waits["pending"], "ruling": ruling,
            "reason": "it had cooled down"})
    };
    assert_eq!(
        act(&house, &dealer, &rule("not_affected")).code(),
        "not_authorised"
    );
    must(&house, &supervisor, &rule("not_affected"));
    must(&house, &dealer, &close);
    // Once for each fault, and the line itself is alive.
    tumbler.must(&json!({"heartbeat": true}));

    let (status, folder) = house.stop();
    assert!(status.success());
    proof::clean(&folder.path().join("data"));
}

#[test]
fn r_175_a_tumbler_that_never_came_stops_the_table_too() {
    let (house, _) = with_line();
    let supervisor = house.staff("pit-supervisor");
    let opened = act(&house, &supervisor, &json!({"act": "open_table"}));
    assert!(matches!(opened.status, 200 | 409), "{}", opened.body);
    // It is waited for as long as a line may be silent.
    let waits = stop(&house, &supervisor);
    assert_eq!(waits["what"], "the tumbler's line is dead");
    // Said once: the supervisor's answer lets two persons take the count over.
    let go_on = json!({"act": "rule", "pending": waits["pending"], "ruling": "not_affected",
        "reason": "we count by hand"});
    must(&house, &supervisor, &go_on);
    let dealer = house.staff("dealer");
    let said = switch(&house, &supervisor, &dealer, true);
    assert_eq!(said.status, 200, "{}", said.body);
    must(&house, &dealer, &json!({"act": "activate_tumbler"}));

    let (status, folder) = house.stop();
    assert!(status.success());
    proof::clean(&folder.path().join("data"));
}
