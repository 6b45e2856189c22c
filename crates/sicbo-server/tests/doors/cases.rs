//! J-08 over the wire: a player's dispute from the button to the authority.

use std::io::{Read as _, Write as _};

use serde_json::{Value, json};
use sicbo_proof::Trust;
use sicbo_proof::bundle::case::CaseBundle;

use super::house::{House, TABLE};
use super::http::{Answer, get, post, request};

fn bearer(house: &House, terminal: usize) -> String {
    format!("Authorization: Bearer {}", house.terminal(terminal))
}

/// Bets 5.00 on Small and plays the round to its end: the round, and what
/// came back. One more bet, of a cent, is refused.
fn play(house: &House, terminal: usize) -> (u64, i64) {
    let mut socket = house.seated(terminal);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    let phase = |phase: &'static str| move |said: &Value| said["state"]["round"]["phase"] == phase;
    let round = house.next_round(&mut socket);
    for (id, stake, said) in [(11, 500, "registered"), (900, 1, "refused")] {
        let lines = json!([{"section": "small", "stake": stake}]);
        socket.say(&json!({"type": "bet", "id": id, "round": round, "lines": lines}));
        socket.find(said, |told| told["id"] == id);
    }
    house.closes_bets();
    socket.find("table", phase("closing"));
    socket.say(&json!({"type": "shown", "round": round}));
    let said = socket.until("settlement");
    assert_eq!(said["card"]["end"]["number"], round);
    let returned = said["card"]["returned"].as_i64().expect("an amount");
    (round, returned)
}

fn step(house: &House, who: &str, case: u64, body: &Value) -> Answer {
    post(house, &format!("/api/cases/{case}/steps"), &[who], body)
}

/// The bytes of a file.
fn file(house: &House, path: &str, who: &str) -> Vec<u8> {
    let mut line = house.line();
    line.write_all(&request("GET", path, &[who], None))
        .expect("asked");
    let mut all = Vec::new();
    line.read_to_end(&mut all).expect("an answer");
    assert!(
        all.starts_with(b"HTTP/1.1 200"),
        "{}",
        String::from_utf8_lossy(&all)
    );
    let end = all.windows(4).position(|four| four == b"\r\n\r\n");
    all.split_off(end.expect("a head") + 4)
}

#[test]
fn j_08_a_dispute_goes_from_the_button_to_the_authority_and_is_proved() {
    let house = House::quick();
    let terminal = bearer(&house, 1);
    let (round, returned) = play(&house, 1);
    let asked = json!({"round": round, "reason": "not_paid", "words": "Small was not paid",
        "bet": 11, "tapped_ms": 5, "sent_ms": 7});
    let said = post(&house, "/api/station/disputes", &[&terminal], &asked).is(201);
    let case = said.json()["case"].as_u64().expect("its number");
    assert_eq!(said.json()["state"], "open");
    let ahead = json!({"round": round + 1_000, "reason": "other"});
    post(&house, "/api/station/disputes", &[&terminal], &ahead).is(404);
    // Only who plays there sees it.
    let own = |terminal: &str| get(&house, "/api/station/cases", &[terminal]).json();
    assert_eq!(own(&terminal)[0]["case"], case);
    assert_eq!(own(&bearer(&house, 2)), json!([]));

    let (dealer, supervisor) = (house.staff("dealer"), house.staff("pit-supervisor"));
    let (shift, watching) = (house.staff("shift-manager"), house.staff("surveillance"));
    let (director, auditor) = (house.staff("director"), house.staff("auditor"));
    let shown = |who: &str| get(&house, &format!("/api/cases/{case}"), &[who]).json();
    // Who may do what is offered as it is.
    let may = |who: &str| shown(who)["case"]["may"].clone();
    assert_eq!(may(&dealer), json!(["note", "bookmark"]));
    assert_eq!(may(&auditor), json!([]));
    assert!(may(&supervisor).to_string().contains("\"decide\""));
    let take = json!({"step": "take"});
    assert_eq!(step(&house, &dealer, case, &take).code(), "not_authorised");
    assert_eq!(step(&house, &supervisor, case, &take).status, 200);

    // The bet's own timeline.
    let file_of = shown(&supervisor);
    let timeline = file_of["timeline"].as_array().expect("a timeline").clone();
    let words: Vec<&str> = timeline
        .iter()
        .filter_map(|moment| moment["what"].as_str())
        .collect();
    let at = |what: &str| {
        let found = words.iter().position(|known| *known == what);
        found.unwrap_or_else(|| panic!("{what} in {words:?}"))
    };
    assert!(at("bet_registered") < at("closing_announced"));
    assert!(at("closing_announced") < at("close_shown"));
    assert!(at("close_shown") < at("dice_keyed"));
    let bet = &timeline[at("bet_registered")];
    assert_eq!(bet["lines"], json!([{"section": "small", "stake": 500}]));
    assert_eq!(timeline[at("settled")]["amount"], returned);
    let told = &file_of["case"];
    assert_eq!(told["claimed_tapped_ms"], 5);
    let refused = told["refused"].as_array().expect("refused bets");
    assert!(refused.iter().any(|bet| bet["bet"] == 900), "{refused:?}");

    // Decided, not accepted, up the ladder; surveillance is told.
    let decide = json!({"step": "decide", "outcome": "rejected", "text": "The dice say Big."});
    assert_eq!(step(&house, &supervisor, case, &decide).status, 200);
    assert_eq!(own(&terminal)[0]["may_answer"], true);
    let answer = format!("/api/station/cases/{case}/answer");
    let no = json!({"answer": "disagrees"});
    post(&house, &answer, &[&bearer(&house, 2)], &no).is(404);
    assert_eq!(post(&house, &answer, &[&terminal], &no).status, 200);
    let close = json!({"step": "close", "text": "done"});
    step(&house, &supervisor, case, &close).coded("wrong_case_state");
    let up = json!({"step": "escalate", "text": "the player does not accept it"});
    assert_eq!(step(&house, &supervisor, case, &up).status, 200);
    assert_eq!(shown(&watching)["case"]["surveillance_notified"], true);
    let seen = json!({"step": "acknowledge_notice"});
    assert_eq!(step(&house, &watching, case, &seen).status, 200);
    step(&house, &supervisor, case, &decide).coded("not_authorised");
    let decide = json!({"step": "decide", "outcome": "partly", "text": "A gesture of 2.00."});
    assert_eq!(step(&house, &shift, case, &decide).status, 200);

    // The money is the table's own act by two persons, linked by its record.
    let adjust = json!({"act": "adjust", "request": 1, "station": 0, "amount": 200,
        "reason": format!("case {case}")});
    let path = format!("/api/tables/{TABLE}/proposals");
    let said = post(&house, &path, &[&shift], &adjust).is(201);
    let confirm = format!("{path}/{}/confirm", said.json()["proposal"]);
    let stated = json!({"digest": said.json()["digest"]});
    let said = post(&house, &confirm, &[&director], &stated).is(200);
    let record = said.json()["sequence"].as_u64().expect("a record");
    let link = |record: u64| json!({"step": "link_adjustment", "record": record});
    step(&house, &shift, case, &link(1)).coded("no_such_adjustment");
    let said = step(&house, &shift, case, &link(record)).is(200);
    let steps = said.json()["steps"].clone();
    let last = steps.as_array().and_then(|all| all.last()).expect("a step");
    has!(last, {"amount": 200, "record": record});

    // P-070: unresolved, so the inspector at once, and seven days.
    assert_eq!(post(&house, &answer, &[&terminal], &no).status, 200);
    let told = shown(&shift)["case"].clone();
    has!(told, {"state": "unresolved", "overdue": true});
    for body in [
        json!({"step": "notify_authority", "text": "inspector on duty"}),
        json!({"step": "tell_rights"}),
    ] {
        assert_eq!(step(&house, &shift, case, &body).status, 200);
    }
    let told = shown(&shift)["case"].clone();
    assert_eq!(told["overdue"], false);
    assert_eq!(told["clocks"][0]["what"], "complain");
    assert_eq!(step(&house, &shift, case, &close).code(), "clock_running");
    let mine = own(&terminal)[0].clone();
    has!(mine, {"authority_days": 7, "rights_told": true});
    let complain = json!({"step": "complain", "text": "asks for an investigation"});
    assert_eq!(step(&house, &shift, case, &complain).status, 200);
    assert_eq!(step(&house, &shift, case, &close).status, 200);
    let listed = |state: &str| get(&house, &format!("/api/cases?state={state}"), &[&shift]).json();
    assert_eq!(listed("open"), json!([]));
    assert_eq!(listed("closed")[0]["case"], case);

    // One signed file proves the case and its round.
    let bytes = file(&house, &format!("/api/cases/{case}/bundle"), &auditor);
    let bundle = CaseBundle::from_bytes(&bytes).expect("a case");
    let proved = bundle.check(&Trust::Anyone).expect("proved");
    assert_eq!(proved.number, case);
    assert_eq!(proved.case.standing().word(), "closed");
    let proved = proved.round.expect("its round");
    let proved = proved.round;
    assert_eq!((proved.stream.as_str(), proved.round), (TABLE, round));
    house.goes_on_dealing();
    house.ends_clean();
}
