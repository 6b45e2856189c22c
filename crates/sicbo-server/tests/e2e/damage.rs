//! Dice found damaged once they can be seen, and between rounds: who looks at
//! them, which rounds are asked about, and under which rule each becomes void
//! at a table of every book with the money to the
//! cent.

use serde_json::{Value, json};

use crate::common::house::Program;
use crate::common::http::Http;
use crate::common::one::{One, Running, decider, shown};
use crate::common::people::{People, Staff};

/// The document's own number for damaged dice.
fn damage_rule(book: &str) -> String {
    match book {
        "quang-nam-table" => format!("{book} 7.5"),
        _ => format!("{book} 5.4"),
    }
}

/// The rule and the ground the public is shown for a round before "the round":
/// where the document speaks of all affected rounds it is that rule itself,
/// else its decider's, if it names one.
fn older_rule(book: &str) -> (Value, Value) {
    let own = damage_rule(book);
    match book {
        "rws-etg" | "rws-open-cover" => (json!(own), Value::Null),
        "mbs-etg" => (json!("mbs-etg 6.1, 6.2"), json!(own)),
        "mbs-table" => (Value::Null, json!(own)),
        _ => (json!("quang-nam-table 7.8"), json!(own)),
    }
}

/// The decision of this kind that waits at the table.
async fn waits(one: &One, question: &str) -> Value {
    let sees = one.table.sees().await;
    let waiting = sees["decisions"].as_array().expect("a list").iter();
    let mut found = waiting.filter(|waits| waits["question"] == question);
    let waits = found.next();
    let waits = waits.unwrap_or_else(|| panic!("no {question} at {}: {sees}", one.table.name));
    assert!(found.next().is_none(), "one {question} only");
    waits.clone()
}

async fn change_dice(one: &One, set: &str) {
    let change = json!({"act": "change_dice", "dice_set": set});
    one.by_two("pit-supervisor", "dealer", change).await;
}

/// A step of custody by two persons.
async fn custody(staff: &Staff, step: Value) {
    let said = staff.post("pit-supervisor", "/api/proposals", &step).await;
    assert_eq!(said.status, 201, "{said:?}");
    let path = format!("/api/proposals/{}/confirm", said.json()["proposal"]);
    let stated = json!({"digest": said.json()["digest"]});
    staff.post("dealer", &path, &stated).await.is(200);
}

/// The round is void for damaged dice, to the cent, wherever it is shown.
async fn void_for_damage(one: &mut One, program: &Program, round: u64) {
    one.purse(50 * one.unit).await;
    let name = one.table.name;
    let why = shown(program, name, round).await["why"].clone();
    has!(why, {"cause": "dice-damaged", "rule": damage_rule(name)}, "{name}");
    assert!(why["ground"].is_null(), "{name}: {why}");
    let begin = one.first_step();
    assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
}

#[tokio::test]
async fn r_156_r_157_dice_seen_to_be_damaged_wait_for_a_supervisor_who_did_not_report_it() {
    let house = Running::every_book();
    let mut people = People::default();
    let other: Http = {
        // The second supervisor of the house.
        people
            .one(&house.site, house.program.address, "pit-supervisor", 1)
            .await
    };
    for spec in &house.site.tables {
        let mut one = house.one(spec).await;
        let name = spec.name;
        let report = json!({"act": "report_damage", "note": "a chip on the 4"});
        let ruling = |waits: &Value, ruling: &str| {
            json!({"act": "rule", "pending": waits["pending"], "ruling": ruling,
            "reason": "looked at under the lamp"})
        };
        // The dealer reports it over open dice: nothing is void and nothing goes on.
        let round = one.uncovers().await;
        one.table.deal(report.clone()).await;
        one.purse(40 * one.unit).await;
        assert_eq!(one.table.round().await, round, "{name}: still in hand");
        let held = waits(&one, "damaged-round").await;
        has!(held, {"by": "pit-supervisor", "or_above": true, "round": round}, "{name}");
        let rule = held["rule"].as_str().expect("a rule");
        assert!(rule.starts_with(&damage_rule(name)), "{name}: {rule}");
        let go_on = json!({"act": "confirm_flat"});
        let said = house.staff.act("dealer", name, &go_on).await;
        assert_eq!(
            (said.code().as_str(), said.rule().as_str()),
            ("decision_pending", rule),
            "{name}"
        );
        let code = one.refused("dealer", &ruling(&held, "void")).await;
        assert_eq!(code, "not_authorised", "{name}");
        // Nobody who looked says that they are sound before an inspection has.
        let code = one
            .refused("pit-supervisor", &ruling(&held, "conclude"))
            .await;
        assert_eq!(code, "dice_change_needed", "{name}");
        house
            .staff
            .must("pit-supervisor", name, ruling(&held, "void"))
            .await;
        void_for_damage(&mut one, &house.program, round).await;
        change_dice(&one, "D-0002").await;
        // A supervisor who reported it is not the one who looks.
        let round = one.uncovers().await;
        house.staff.must("pit-supervisor", name, report).await;
        let held = waits(&one, "damaged-round").await;
        let void = ruling(&held, "void");
        let code = one.refused("pit-supervisor", &void).await;
        assert_eq!(code, "same_person_twice", "{name}");
        one.purse(40 * one.unit).await;
        let path = format!("/api/tables/{name}/acts");
        other.post(&path, &void).await.is(200);
        void_for_damage(&mut one, &house.program, round).await;
    }
    house.ends();
}

#[tokio::test]
async fn q_15_the_last_round_is_void_by_its_own_rule_and_older_ones_by_the_deciders() {
    let house = Running::every_book();
    for spec in &house.site.tables {
        let mut one = house.one(spec).await;
        let (unit, name, by) = (one.unit, spec.name, decider(spec.book));
        let older = one.round([6, 5, 1]).await;
        let last = one.round([1, 1, 2]).await;
        one.purse(50 * unit).await;
        let report = json!({"act": "report_damage", "note": "a chip on the 4"});
        one.table.deal(report).await;
        // Reported between rounds it makes nothing void by itself.
        for round in [older, last] {
            assert_eq!(shown(&house.program, name, round).await["why"], Value::Null);
        }
        let asked = waits(&one, "affected-rounds").await;
        assert_eq!((&asked["by"], &asked["round"]), (&json!(by), &json!(last)));
        // Play goes on with another set while the question waits.
        change_dice(&one, "D-0002").await;
        one.table.to_betting().await;
        let void = json!({"act": "void_rounds", "rounds": [older, last],
            "cause": "dice-damaged", "pending": asked["pending"],
            "reason": "chipped since the last inspection"});
        assert_eq!(one.refused("dealer", &void).await, "not_authorised");
        assert_eq!(one.refused(by, &void).await, "second_person_needed");
        one.by_two(by, "pit-supervisor", void).await;
        let why = shown(&house.program, name, last).await["why"].clone();
        has!(why, {"cause": "dice-damaged", "rule": damage_rule(name), "ground": null}, "{name}");
        let why = shown(&house.program, name, older).await["why"].clone();
        let (rule, ground) = older_rule(name);
        has!(why, {"cause": "dice-damaged", "rule": rule, "ground": ground}, "{name}");
        // The stake of the last round is back, or kept for the player where a
        // later round has commenced; what the older one won is owed.
        let sees = one.table.sees().await;
        has!(sees["recoverables"][0], {"amount": 10 * unit, "round": older}, "{name}");
        if spec.book == "mbs-table" {
            has!(sees["unclaimed"][0], {"amount": 10 * unit, "round": last}, "{name}");
            one.purse(50 * unit).await;
        } else {
            assert_eq!(sees["unclaimed"], json!([]), "{name}");
            one.purse(60 * unit).await;
        }
    }
    house.ends();
}

#[tokio::test]
async fn q_19_the_rounds_proposed_are_those_since_custody_last_found_the_set_good() {
    let house = Running::every_book();
    for (at, spec) in house.site.tables.iter().enumerate() {
        let mut one = house.one(spec).await;
        let (unit, name, by) = (one.unit, spec.name, decider(spec.book));
        let set = format!("D-01{at}");
        // With the first set: none of the new one's business.
        one.round([1, 1, 2]).await;
        for step in [
            json!({"act": "receive_dice", "set": set, "seal": "S-1"}),
            json!({"act": "inspect_dice", "set": set, "good": true}),
            json!({"act": "place_dice", "set": set, "table": name}),
        ] {
            custody(&house.staff, step).await;
        }
        let before = one.round([6, 5, 1]).await;
        custody(
            &house.staff,
            json!({"act": "inspect_dice", "set": set, "good": true}),
        )
        .await;
        let path = format!("/api/tables/{name}/dice/affected");
        let none = house.staff.of(by).get(&path).await;
        assert_eq!(none["rounds"], json!([]), "{name}: found good just now");
        let won = one.round([6, 5, 1]).await;
        let lost = one.round([1, 1, 2]).await;
        one.purse(50 * unit).await;
        let report = json!({"act": "report_damage", "note": "a chip on the 4"});
        one.table.deal(report).await;
        let proposed = house.staff.of(by).get(&path).await;
        let numbers = proposed["rounds"].as_array().expect("rounds").iter();
        let numbers: Vec<u64> = numbers.filter_map(|r| r["number"].as_u64()).collect();
        assert_eq!(numbers, [lost, won], "{name}: and not {before}");
        assert_eq!(proposed["set"], set);
        let dice = house.staff.of(by).get("/api/dice").await;
        let dice = dice.as_array().expect("sets").iter();
        let good = dice
            .filter(|one| one["set"] == set)
            .flat_map(|one| one["steps"].as_array().expect("steps"))
            .rfind(|step| step["step"] == "inspect")
            .expect("an inspection");
        assert_eq!(proposed["since_ms"], good["at_ms"], "{name}");
        let asked = waits(&one, "affected-rounds").await;
        let void = json!({"act": "void_rounds", "rounds": numbers, "cause": "dice-damaged",
            "pending": asked["pending"], "reason": "as custody proposes"});
        one.by_two(by, "pit-supervisor", void).await;
        // What was lost is back, what was won is owed, and the one before stands.
        one.purse(60 * unit).await;
        let sees = one.table.sees().await;
        assert_eq!(sees["recoverables"].as_array().map(Vec::len), Some(1));
        assert_eq!(sees["recoverables"][0]["amount"], 10 * unit, "{name}");
        has!(shown(&house.program, name, before).await, {"why": null});
    }
    house.ends();
}

/// The round is void for damaged dice, and the rounds before it are asked about.
async fn void_and_asked(one: &One, program: &Program, round: u64, before: u64) -> Value {
    let name = one.table.name;
    let why = shown(program, name, round).await["why"].clone();
    has!(why, {"cause": "dice-damaged", "rule": damage_rule(name)}, "{name}");
    let asked = waits(one, "affected-rounds").await;
    assert_eq!(asked["round"], before, "{name}: {asked}");
    asked
}

#[tokio::test]
async fn r_156_r_157_no_round_goes_on_with_dice_that_spoilt_an_earlier_one() {
    let house = Running::every_book();
    for spec in &house.site.tables {
        let mut one = house.one(spec).await;
        let (unit, name, by) = (one.unit, spec.name, decider(spec.book));
        let before = one.round([6, 5, 1]).await;
        let round = one.bets().await;
        one.purse(50 * unit).await;
        let mut void = json!({"act": "void_rounds", "rounds": [before],
            "cause": "dice-damaged", "reason": "chipped since the last inspection"});
        let proposals = format!("/api/tables/{name}/proposals");
        let said = house.staff.post(by, &proposals, &void).await;
        said.coded("damage_not_reported");
        // The report makes the current round void and asks about the one before.
        let report = json!({"act": "report_damage", "note": "a chip on the 4"});
        one.table.deal(report).await;
        one.purse(60 * unit).await;
        let asked = void_and_asked(&one, &house.program, round, before).await;
        void["pending"] = asked["pending"].clone();
        one.by_two(by, "pit-supervisor", void).await;
        let sees = one.table.sees().await;
        has!(sees["recoverables"][0], {"amount": 10 * unit, "round": before}, "{name}");
        let begin = one.first_step();
        assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
    }
    house.ends();
}

#[tokio::test]
async fn r_156_r_157_an_inspection_that_finds_damage_is_a_report_of_it() {
    let house = Running::every_book();
    for (at, spec) in house.site.tables.iter().enumerate() {
        let mut one = house.one(spec).await;
        let (unit, set) = (one.unit, format!("D-02{at}"));
        for step in [
            json!({"act": "receive_dice", "set": set, "seal": "S-1"}),
            json!({"act": "inspect_dice", "set": set, "good": true}),
            json!({"act": "place_dice", "set": set, "table": spec.name}),
        ] {
            custody(&house.staff, step).await;
        }
        let before = one.round([6, 5, 1]).await;
        let round = one.bets().await;
        one.purse(50 * unit).await;
        let inspected = json!({"act": "inspect_dice", "set": set, "good": false,
            "text": "a chip on the six"});
        custody(&house.staff, inspected).await;
        one.purse(60 * unit).await;
        void_and_asked(&one, &house.program, round, before).await;
    }
    house.ends();
}
