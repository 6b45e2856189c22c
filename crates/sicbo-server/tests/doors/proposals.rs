//! A confirmation confirms the act that was shown and no other, also after a
//! restart (P-031).

use std::path::Path;

use serde_json::{Value, json};
use sicbo_journal::Store as _;
use sicbo_proof::source::{self, Journals};
use sicbo_register::proposal::ProposalEnd;
use sicbo_register::{Fact, codec};

use super::house::{House, TABLE};
use super::http::{get, post};
use super::pit::quiet;
use super::proof;

fn adjust(request: u64, station: u32, amount: i64) -> Value {
    json!({"act": "adjust", "request": request, "station": station, "amount": amount,
        "reason": "a player's claim"})
}

fn propose(house: &House, who: &str, act: &Value) -> Value {
    house.propose(who, act).is(201).json()
}

fn credits(house: &House, who: &str) -> Vec<i64> {
    let seen = house.sees(who);
    let stations = seen["stations"].as_array().expect("stations");
    let credit = |station: &Value| station["credit"].as_i64().expect("a credit");
    stations.iter().map(credit).collect()
}

fn open(house: &House) -> (String, String) {
    let (shift, director) = (house.staff("shift-manager"), house.staff("director"));
    house.open_table(&shift);
    (shift, director)
}

/// The ends of proposals on record, in order.
fn ends(data: &Path) -> Vec<(u64, ProposalEnd)> {
    let journals = Journals::folder(data).expect("a data folder");
    let mut own = journals.tables_first();
    let (stream, path) = own.find(|(name, _)| name.as_str() == "house").expect("it");
    let store = source::open(stream, path).expect("a journal");
    let mut ends = Vec::new();
    for raw in store.read_from(1) {
        let block = raw.expect("readable").decode().expect("a block");
        for record in block.records() {
            let event = codec::decode(record.kind, record.version, record.payload);
            if let Fact::ProposalEnded { proposal, end } = event.expect("an event").fact {
                ends.push((proposal, end));
            }
        }
    }
    ends
}

#[test]
fn p_031_a_confirmation_after_a_restart_confirms_no_other_act() {
    let house = quiet();
    let (shift, _) = open(&house);
    let shown = propose(&house, &shift, &adjust(1, 0, 100));
    let (status, folder) = house.stop();
    assert!(status.success());

    // Somebody else proposes another act; the second person still looks at the
    // first one and confirms that.
    let house = House::start(folder);
    let (shift, director) = open(&house);
    let other = propose(&house, &shift, &adjust(2, 5, 500_000));
    let (first, second) = (&shown["proposal"], &other["proposal"]);
    assert!(second.as_u64() > first.as_u64(), "{second} after {first}");
    let said = house.confirm(&director, first, &shown["digest"]);
    said.refuses(409, "proposal_ended");
    // With the right number the act must be the right one too.
    let said = house.confirm(&director, second, &shown["digest"]);
    said.refuses(409, "other_act");
    let path = format!("/api/tables/{TABLE}/proposals/{second}/confirm");
    assert_eq!(post(&house, &path, &[&director], &json!({})).status, 422);
    assert_eq!(credits(&house, &shift), [0; 6]);

    // Whoever proposed it is told that it ended.
    let ended = get(&house, "/api/proposals/ended", &[&shift]).json();
    has!(ended[0], {"proposal": *first, "by": "Goh Boon Keng", "ended": "restarted"});
    let headers = [shift.as_str()];
    let path = format!("/ws/console/{TABLE}");
    let mut console = super::ws::Socket::open(house.line(), &path, &headers).expect("a console");
    let told = console.until("proposals");
    assert_eq!(told["ended"][0]["proposal"], *first, "{told}");
    assert_eq!(told["proposals"][0]["digest"], other["digest"], "{told}");

    // What is shown is confirmed, once.
    house.confirm(&director, second, &other["digest"]).is(200);
    let again = house.confirm(&director, second, &other["digest"]);
    assert_eq!(again.json()["again"], true, "{}", again.body);
    let said = house.confirm(&director, second, &shown["digest"]);
    said.coded("other_act");
    assert_eq!(credits(&house, &shift), [0, 0, 0, 0, 0, 500_000]);
    let (_, folder) = house.stop();
    let data = folder.path().join("data");
    proof::clean(&data);
    let ends = ends(&data);
    assert_eq!(ends[0], (first.as_u64().unwrap(), ProposalEnd::Restarted));
    assert_eq!(ends[1].0, second.as_u64().unwrap());
    assert!(matches!(ends[1].1, ProposalEnd::Confirmed { .. }));
}

#[test]
fn p_035_a_step_of_custody_is_confirmed_by_what_was_shown() {
    let house = quiet();
    let (supervisor, _) = (house.staff("pit-supervisor"), ());
    let receive = |set: &str| json!({"act": "receive_dice", "set": set, "seal": "S-1"});
    let shown = post(&house, "/api/proposals", &[&supervisor], &receive("D-71")).json();
    let (_, folder) = house.stop();
    let house = House::start(folder);
    let (supervisor, dealer) = (house.staff("pit-supervisor"), house.staff("dealer"));
    let other = post(&house, "/api/proposals", &[&supervisor], &receive("D-72")).json();
    assert_ne!(other["proposal"], shown["proposal"]);
    let confirm = |number: &Value, digest: &Value| {
        let path = format!("/api/proposals/{number}/confirm");
        post(&house, &path, &[&dealer], &json!({"digest": digest}))
    };
    confirm(&shown["proposal"], &shown["digest"]).coded("proposal_ended");
    confirm(&other["proposal"], &shown["digest"]).coded("other_act");
    let dice = get(&house, "/api/dice", &[&supervisor]).json();
    assert_eq!(dice, json!([]), "nothing was received");
    let ended = get(&house, "/api/proposals/ended", &[&supervisor]).json();
    assert_eq!(ended[0]["act"], "receive_dice", "{ended}");
    // Withdrawn, it is on record as well.
    let path = format!("/api/proposals/{}", other["proposal"]);
    assert_eq!(house.ask("DELETE", &path, &[&supervisor], None).status, 204);
    let (_, folder) = house.stop();
    let data = folder.path().join("data");
    proof::clean(&data);
    let ends = ends(&data);
    let withdrawn = (other["proposal"].as_u64().unwrap(), ProposalEnd::Withdrawn);
    assert_eq!(ends[1..], [withdrawn]);
}
