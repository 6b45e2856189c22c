//! What decided cases are paid over real connections: to whoever played the
//! round, once for each decision, with the money to the cent.

use serde_json::{Value, json};

use crate::common::one::{One, Running, decider, proposed};

async fn opened(one: &One, round: u64, reason: &str) -> (u16, Value) {
    let case = json!({"table": one.table.name, "kind": "dispute", "round": round,
        "station": 0, "reason": reason, "words": "the dice were 6 5 1"});
    let by = one.table.staff.of("pit-supervisor");
    let said = by.post("/api/cases", &case).await;
    (said.status, said.json())
}

async fn step(one: &One, who: &str, case: u64, step: &Value) -> (u16, Value) {
    let path = format!("/api/cases/{case}/steps");
    let said = one.table.staff.post(who, &path, step).await;
    (said.status, said.json())
}

async fn decided(one: &One, book: &str, who: &str, case: u64, outcome: &str) {
    let mut decide = json!({"step": "decide", "outcome": outcome, "text": "by the camera"});
    if book == "quang-nam-table" {
        decide["bases"] = json!([6]);
        decide["silent"] = json!([1, 2, 3, 4, 5, 7, 8]);
    }
    let (status, said) = step(one, who, case, &decide).await;
    assert_eq!(status, 200, "{said}");
}

/// A case about a round that is decided for the player.
async fn upheld(one: &One, book: &str, round: u64) -> u64 {
    let (status, said) = opened(one, round, "not_paid").await;
    assert_eq!(status, 201, "{said}");
    let case = said["case"].as_u64().expect("its number");
    decided(one, book, "pit-supervisor", case, "upheld").await;
    case
}

fn pay(request: u64, case: u64, amount: i64) -> Value {
    json!({"act": "settle_case", "request": request, "case": case, "amount": amount,
        "reason": "upheld"})
}

/// Proposed and confirmed; the number of its record.
async fn done(one: &One, (first, second): (&str, &str), act: &Value) -> u64 {
    let (status, shown) = proposed(one, first, act).await;
    assert_eq!(status, 201, "{shown}");
    let path = format!(
        "/api/tables/{}/proposals/{}/confirm",
        one.table.name, shown["proposal"]
    );
    let stated = json!({"digest": shown["digest"]});
    let said = one.table.staff.post(second, &path, &stated).await;
    assert_eq!(said.status, 200, "{said:?}");
    said.json()["sequence"].as_u64().expect("a record")
}

#[tokio::test]
async fn r_217_a_case_pays_who_played_the_round_and_not_who_sits_there_now() {
    let house = Running::every_book();
    for spec in house.site.tables.iter().filter(|spec| spec.electronic()) {
        let mut one = house.one(spec).await;
        let (unit, by) = (one.unit, decider(spec.book));
        let round = one.round([1, 1, 2]).await;
        one.purse(40 * unit).await;
        // The first player leaves with everything, and another sits down.
        let terminal = one.terminal.as_mut().expect("a terminal");
        let out = json!({"type": "cash_out", "request": 2, "amount": 40 * unit});
        terminal.send(out).await;
        assert_eq!(terminal.reply(2).await["type"], "voucher");
        terminal.insert_note(3, 5_000).await;
        one.purse(5_000).await;
        let case = upheld(&one, spec.book, round).await;
        done(&one, (by, "pit-supervisor"), &pay(11, case, 20 * unit)).await;
        let sees = one.table.sees().await;
        has!(sees["unclaimed"][0], {"amount": 20 * unit, "round": round});
        assert_eq!(sees["money"]["unclaimed"], 20 * unit, "{sees}");
        one.purse(5_000).await;
        let (_, said) = proposed(&one, by, &pay(12, case, 20 * unit)).await;
        assert_eq!(said["code"], "case_settled", "{said}");
        // What was paid too much is noted although the player has left.
        done(&one, (by, "pit-supervisor"), &pay(13, case, -5 * unit)).await;
        let sees = one.table.sees().await;
        assert_eq!(sees["recoverables"][0]["amount"], 5 * unit, "{sees}");
        one.purse(5_000).await;
        // The cage pays it.
        let cage = json!({"act": "pay_unclaimed", "request": 14,
            "unclaimed": sees["unclaimed"][0]["id"]});
        house.staff.act(by, spec.name, &cage).await.is(200);
        assert_eq!(one.table.sees().await["money"]["unclaimed"], 0);
        one.purse(5_000).await;
        // Who had no bet in a round is not paid for one.
        let other = one.table.to_betting().await;
        one.close(other).await;
        one.table.finish([1, 1, 2]).await;
        let (status, said) = opened(&one, other, "not_paid").await;
        let refused = (status, said["code"].as_str());
        assert_eq!(refused, (409, Some("no_part_in_round")), "{said}");
        let (status, said) = opened(&one, other, "bet_not_taken").await;
        assert_eq!(status, 201, "{said}");
    }
    house.ends();
}

#[tokio::test]
async fn r_217_one_decision_is_not_paid_by_an_adjustment_and_by_a_settlement() {
    let house = Running::every_book();
    for spec in house.site.tables.iter().filter(|spec| spec.electronic()) {
        let mut one = house.one(spec).await;
        let (unit, by) = (one.unit, decider(spec.book));
        let round = one.round([1, 1, 2]).await;
        one.purse(40 * unit).await;
        let adjust = |request: u64| {
            json!({"act": "adjust", "request": request, "station": 0,
            "amount": 20 * unit, "reason": "upheld"})
        };
        let link = |record: u64| json!({"step": "link_adjustment", "record": record});
        // Adjusted and linked: nothing is left to settle.
        let first = upheld(&one, spec.book, round).await;
        let record = done(&one, (by, "pit-supervisor"), &adjust(21)).await;
        let (status, said) = step(&one, "pit-supervisor", first, &link(record)).await;
        assert_eq!(status, 200, "{said}");
        one.purse(60 * unit).await;
        let (_, said) = proposed(&one, by, &pay(22, first, 20 * unit)).await;
        assert_eq!(said["code"], "case_settled", "{said}");
        // Settled: no adjustment is linked to it any more, nor to another case.
        let second = upheld(&one, spec.book, round).await;
        let settled = done(&one, (by, "pit-supervisor"), &pay(23, second, 20 * unit)).await;
        one.purse(80 * unit).await;
        let record = done(&one, (by, "pit-supervisor"), &adjust(24)).await;
        let (_, said) = step(&one, "pit-supervisor", second, &link(record)).await;
        assert_eq!(said["code"], "case_settled", "{said}");
        let third = upheld(&one, spec.book, round).await;
        let (_, said) = step(&one, "pit-supervisor", third, &link(settled)).await;
        assert_eq!(said["code"], "no_such_adjustment", "{said}");
        one.purse(100 * unit).await;
    }
    house.ends();
}

#[tokio::test]
async fn r_217_a_higher_decision_is_paid_what_it_adds_and_once() {
    let house = Running::every_book();
    for spec in &house.site.tables {
        let mut one = house.one(spec).await;
        let (unit, by) = (one.unit, decider(spec.book));
        let round = one.round([1, 1, 2]).await;
        one.purse(40 * unit).await;
        let (status, said) = opened(&one, round, "not_paid").await;
        assert_eq!(status, 201, "{said}");
        let case = said["case"].as_u64().expect("its number");
        decided(&one, spec.book, "pit-supervisor", case, "partly").await;
        done(&one, (by, "pit-supervisor"), &pay(31, case, 5 * unit)).await;
        one.purse(45 * unit).await;
        let up = json!({"step": "escalate", "text": "the player does not accept it"});
        let (status, said) = step(&one, "pit-supervisor", case, &up).await;
        assert_eq!(status, 200, "{said}");
        let (_, said) = proposed(&one, by, &pay(32, case, 15 * unit)).await;
        assert_eq!(said["code"], "case_not_upheld", "{said}");
        let higher = match spec.book {
            "quang-nam-table" => "pit-manager",
            _ => "shift-manager",
        };
        decided(&one, spec.book, higher, case, "upheld").await;
        done(&one, (by, "pit-supervisor"), &pay(33, case, 15 * unit)).await;
        one.purse(60 * unit).await;
        let (_, said) = proposed(&one, by, &pay(34, case, 15 * unit)).await;
        assert_eq!(said["code"], "case_settled", "{said}");
    }
    house.ends();
}
