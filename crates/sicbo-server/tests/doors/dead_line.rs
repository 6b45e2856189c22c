//! A tumbler's line that dies at quang-nam: the game stops where it stands and
//! the Head of Operations approves that it goes on (7.1), the Director may void
//! the round (7.8), and two persons take over its count between rounds only.

use std::time::Duration;

use serde_json::json;

use super::tumbler::{OnLine, rule, tumbles};
use crate::common::dealing::Table;
use crate::common::device::Device;

const STAKE: i64 = 100_000;

async fn bet(table: &Table, id: u64) -> u64 {
    let round = table.round().await;
    let lines = json!([{"section": "big", "stake": STAKE}]);
    let bet = json!({"act": "place_bets", "station": 0, "round": round, "bet": id,
        "means": "cash_chips", "lines": lines});
    table.deal(bet).await;
    round
}

async fn house_win(table: &Table) -> i64 {
    let win = table.sees().await["money"]["house_win"].as_i64();
    win.expect("an amount")
}

#[tokio::test]
async fn r_176_quang_nam_a_dead_line_stops_the_game_until_it_is_approved_or_void() {
    let house = OnLine::open("quang-nam-table", "a", Duration::ZERO).await;
    let table = &house.table;
    let token = house.enrol().await;
    let mut tumbler = Device::connect(house.line, &token);
    let call = json!({"act": "call_bets"});

    // It dies while bets are taken: they stand, and nothing goes on (7.1).
    tumbler.tumble();
    table.deal(call.clone()).await;
    let first = bet(table, 1).await;
    drop(tumbler);
    let waits = table.decision("device-failure").await;
    has!(waits, {"by": "head-of-operations", "rule": "quang-nam-table 7.1"});
    let seen = table.sees().await;
    assert_eq!(seen["status"], "suspended");
    assert_eq!(seen["notices"][0]["inform"], "pit-manager");
    let close = json!({"act": "close_bets"});
    let said = table.staff.act("dealer", table.name, &close).await;
    assert_eq!(said.code(), "decision_pending", "{said:?}");
    assert_eq!(said.rule(), "quang-nam-table 7.1");
    // Nobody takes the count over in the middle of a round.
    house.switch(true).await.coded("round_in_hand");
    // Approved, it goes on from where it stood: the tumble was counted before.
    let approve = rule(&waits, "accept");
    for who in ["dealer", "pit-supervisor", "director"] {
        assert_eq!(table.refused(who, &approve).await, "not_authorised");
    }
    house.must("head-of-operations", approve).await;
    table.close().await;
    table.finish([6, 5, 1]).await;
    assert_eq!(house_win(table).await, -STAKE);

    // It dies again while it counts: nobody attests it, the Director voids.
    let mut tumbler = Device::connect(house.line, &token);
    table.deal(call.clone()).await;
    let second = bet(table, 2).await;
    assert_eq!(second, first + 1);
    tumbler.must(json!({"id": 1, "activated": true}));
    assert_eq!(
        table.refused("dealer", &tumbles(3)).await,
        "counted_by_line"
    );
    drop(tumbler);
    let waits = table.decision("device-failure").await;
    assert_eq!(waits["round"], second);
    assert_eq!(
        table.refused("dealer", &tumbles(3)).await,
        "counted_by_line"
    );
    let void = json!({"act": "rule_void", "reason": "nobody saw it come to rest"});
    assert_eq!(
        table.refused("head-of-operations", &void).await,
        "not_authorised",
        "7.8 names the Director"
    );
    house.must("director", void).await;
    assert_eq!(table.last().await["why"]["rule"], "quang-nam-table 7.8");
    assert_eq!(house_win(table).await, -STAKE, "every stake went back");
    // The device is as dead as before: the round ended, and not the stop.
    assert_eq!(table.sees().await["status"], "suspended");

    // Between rounds two persons take over its count, on record.
    house.switches(true).await;
    house
        .must("head-of-operations", json!({"act": "resume"}))
        .await;
    table.deal(json!({"act": "activate_tumbler"})).await;
    table.deal(tumbles(3)).await;
    table.deal(call).await;
    bet(table, 3).await;
    table.close().await;
    table.finish([6, 5, 1]).await;
    assert_eq!(house_win(table).await, -2 * STAKE);
    house.switches(false).await;
    house.ends();
}
