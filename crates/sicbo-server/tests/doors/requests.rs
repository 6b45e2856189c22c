//! Money that staff move carries a request number: asked again it is answered
//! again and moves once, also after a restart.

use std::io::Write as _;

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::{Answer, get, post, request};
use super::pit::quiet;

/// The credit of the first station.
fn credit(house: &House, who: &str) -> i64 {
    let seen = house.sees(who);
    let credit = seen["stations"][0]["credit"].as_i64();
    credit.unwrap_or_else(|| panic!("{seen}"))
}

fn confirm(house: &House, who: &str, proposal: &Answer) -> Answer {
    let said = proposal.json();
    house.confirm(who, &said["proposal"], &said["digest"])
}

/// Done, for the first time or again.
#[track_caller]
fn done(said: &Answer, again: bool) -> u64 {
    assert_eq!(said.status, 200, "{}", said.body);
    assert_eq!(said.json()["again"], again, "{}", said.body);
    said.json()["sequence"].as_u64().expect("a sequence")
}

fn buy(request: u64, amount: i64) -> Value {
    json!({"act": "buy_credit", "request": request, "station": 0, "source": "cage",
        "amount": amount})
}

#[test]
fn p_080_a_repeated_request_moves_no_money_twice_not_even_after_a_restart() {
    let house = quiet();
    let (cashier, supervisor) = (house.staff("cashier"), house.staff("pit-supervisor"));
    house.open_table(&supervisor);
    done(&house.act(&cashier, &buy(7, 5_000)), false);
    done(&house.act(&cashier, &buy(7, 5_000)), true);
    assert_eq!(credit(&house, &supervisor), 5_000);
    // The same number for something else, none at all, and zero.
    let said = house.act(&cashier, &buy(7, 6_000));
    said.refuses(409, "request_reused");
    house
        .act(
            &cashier,
            &json!({"act": "buy_credit", "station": 0, "source": "cage", "amount": 5_000}),
        )
        .is(422);
    assert_eq!(house.act(&cashier, &buy(0, 5_000)).status, 422);
    // Another person's number is another number.
    done(&house.act(&supervisor, &buy(7, 1_000)), false);
    assert_eq!(credit(&house, &supervisor), 6_000);

    let (status, folder) = house.stop();
    assert!(status.success());
    let house = House::start(folder);
    let (cashier, supervisor) = (house.staff("cashier"), house.staff("pit-supervisor"));
    done(&house.act(&cashier, &buy(7, 5_000)), true);
    assert_eq!(credit(&house, &supervisor), 6_000);
    done(&house.act(&cashier, &buy(8, 500)), false);
    assert_eq!(credit(&house, &supervisor), 6_500);
    house.ends_clean();
}

#[test]
fn p_031_a_hand_pay_proposed_and_confirmed_again_is_paid_once() {
    let house = quiet();
    let (cashier, supervisor) = (house.staff("cashier"), house.staff("pit-supervisor"));
    let shift = house.staff("shift-manager");
    house.open_table(&supervisor);
    done(&house.act(&cashier, &buy(1, 9_000)), false);
    let pay =
        |amount: i64| json!({"act": "hand_pay", "request": 2, "station": 0, "amount": amount});
    let first = house.propose(&cashier, &pay(4_000)).is(201);
    let again = house.propose(&cashier, &pay(4_000));
    assert_eq!(again.json(), first.json(), "one proposal, not two");
    house.propose(&cashier, &pay(4_001)).coded("request_reused");
    let sequence = done(&confirm(&house, &supervisor, &first), false);
    assert_eq!(done(&confirm(&house, &supervisor, &first), true), sequence);
    // Somebody else did not confirm it and has nothing to confirm.
    assert_eq!(confirm(&house, &shift, &first).status, 404);
    assert_eq!(credit(&house, &supervisor), 5_000);
    // Proposed anew because everything was lost: the table knows the request.
    let anew = house.propose(&cashier, &pay(4_000)).is(201);
    done(&confirm(&house, &supervisor, &anew), true);
    assert_eq!(credit(&house, &supervisor), 5_000);
    house.ends_clean();
}

/// Confirms and is gone before the answer, as when a line breaks.
fn confirm_and_go(house: &House, who: &str, path: &str, stated: &Value) {
    let bytes = request("POST", path, &[who], Some(&stated.to_string()));
    let mut line = house.line();
    line.write_all(&bytes).expect("sent");
    line.shutdown(std::net::Shutdown::Both).expect("cut");
}

#[test]
fn p_031_a_confirmation_whose_line_breaks_is_done_once_and_remembered() {
    let house = quiet();
    let (cashier, supervisor) = (house.staff("cashier"), house.staff("pit-supervisor"));
    house.open_table(&supervisor);
    done(&house.act(&cashier, &buy(1, 9_000)), false);
    for number in 1..=8 {
        let pay = json!({"act": "hand_pay", "request": 10 + number, "station": 0, "amount": 100});
        let proposal = house.propose(&cashier, &pay).is(201);
        let path = format!(
            "/api/tables/{TABLE}/proposals/{}/confirm",
            proposal.json()["proposal"]
        );
        let stated = json!({"digest": proposal.json()["digest"]});
        confirm_and_go(&house, &supervisor, &path, &stated);
        // Asked again at once, while it may still be under way, and later.
        confirm(&house, &supervisor, &proposal).is(200);
        done(&confirm(&house, &supervisor, &proposal), true);
        assert_eq!(credit(&house, &supervisor), 9_000 - 100 * number);
    }
    house.ends_clean();
}

#[test]
fn p_035_a_step_of_custody_whose_line_breaks_is_done_to_its_end() {
    let house = quiet();
    let (supervisor, dealer) = (house.staff("pit-supervisor"), house.staff("dealer"));
    for number in 1..=8 {
        let set = format!("D-9{number}");
        let receive = json!({"act": "receive_dice", "set": set, "seal": "S-1"});
        let said = post(&house, "/api/proposals", &[&supervisor], &receive).is(201);
        let path = format!("/api/proposals/{}/confirm", said.json()["proposal"]);
        let stated = json!({"digest": said.json()["digest"]});
        confirm_and_go(&house, &dealer, &path, &stated);
        post(&house, &path, &[&dealer], &stated).is(200);
        done(&post(&house, &path, &[&dealer], &stated), true);
        let dice = get(&house, "/api/dice", &[&supervisor]).json();
        let found = dice.as_array().expect("dice").iter();
        let found = found.filter(|known| known["set"] == set.as_str()).count();
        assert_eq!(found, 1, "{dice}");
    }
    house.ends_clean();
}

#[test]
fn what_cannot_be_done_by_two_is_refused_when_it_is_proposed() {
    let house = quiet();
    let (dealer, supervisor) = (house.staff("dealer"), house.staff("pit-supervisor"));
    house.open_table(&supervisor);
    let refused = |who: &str, body: Value, code: &str| {
        house.propose(who, &body).coded(code);
    };
    refused(
        &dealer,
        json!({"act": "announce_last_round"}),
        "one_person_suffices",
    );
    refused(&dealer, json!({"act": "call_bets"}), "tumble_first");
    refused(&supervisor, json!({"act": "call_bets"}), "tumble_first");
    // Empty evidence, nothing to adjust, a station that is not there.
    let adjust = |station: u32, amount: i64, reason: &str| {
        json!({"act": "adjust", "request": 3, "station": station, "amount": amount,
            "reason": reason})
    };
    refused(&supervisor, adjust(0, 100, " "), "reason_needed");
    refused(&supervisor, adjust(0, 0, "why"), "amount_not_positive");
    refused(&supervisor, adjust(99, 100, "why"), "unknown_station");
    refused(&dealer, adjust(0, 100, "why"), "not_authorised");
    house.propose(&supervisor, &adjust(0, 100, "why")).is(201);
    house.ends_clean();
}
