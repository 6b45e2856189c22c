//! A failure of the electronic device at quang-nam: the Pit Manager's desk is
//! told, no step is taken before the Head of Operations approves, listed voids
//! and 7.7 excepted, and when failed tumbles stop the table (R-173, R-176,
//! Q-35, J-03).

use serde_json::{Value, json};

use crate::common::pit::PitDesk;
use crate::killed::technical::Play;

const BOOK: &str = "quang-nam-table";
const RULE: &str = "quang-nam-table 7.1";

fn act(name: &str) -> Value {
    json!({"act": name})
}

fn keys(dice: [u8; 3]) -> Value {
    json!({"act": "key_dice", "dice": dice})
}

async fn stop(play: &Play, what: &str) {
    let stop = json!({"act": "declare_technical_stop", "what": what, "part": "tumbler"});
    play.must("dealer", stop).await;
}

/// Stopped where it stands: each of these acts is refused by 7.1, and a bet
/// too; then the Head of Operations approves.
async fn nothing_goes_on(play: &mut Play, what: &str, acts: &[Value]) {
    stop(play, what).await;
    assert_eq!(play.table.sees().await["status"], "suspended", "{what}");
    let steps = play.table.sees().await["steps"].clone();
    let steps = steps.as_array().expect("steps").iter();
    let next: Vec<&Value> = steps
        .filter(|step| step["next"] == true)
        .map(|step| &step["step"])
        .collect();
    assert_eq!(next, ["rule"], "{what}: the approval comes next");
    let held = ["decision_pending", RULE];
    for act in acts {
        let said = play.refused("dealer", act.clone()).await;
        assert_eq!(said, held, "{what}: {act}");
    }
    let stake = json!({"act": "place_bets", "station": 0, "round": play.round, "bet": 999,
        "means": "cash_chips", "lines": [{"section": "small", "stake": play.unit()}]});
    let [code, _] = play.refused("dealer", stake).await;
    assert!(
        matches!(code.as_str(), "decision_pending" | "bets_closed"),
        "{what}: {code}"
    );
    for who in ["pit-manager", "director"] {
        assert_eq!(
            play.refused(who, act("resume")).await,
            ["not_authorised", RULE]
        );
    }
    play.approve().await;
    assert_eq!(play.table.sees().await["status"], "open", "{what}");
}

#[tokio::test]
async fn r_176_no_step_of_play_is_taken_before_the_head_of_operations_approves() {
    let mut play = Play::of(BOOK, "a").await;
    let unit = play.unit();
    play.finish([1, 1, 2]).await;
    // Bets may be called before the tumble here.
    play.must("dealer", act("call_bets")).await;
    play.round = play.table.round().await;
    assert_eq!(play.bet(1, "big", 10 * unit).await, "registered");
    let begin = [act("activate_tumbler"), act("close_bets")];
    nothing_goes_on(&mut play, "the tumbler is dead", &begin).await;
    play.must("dealer", act("activate_tumbler")).await;
    let count = json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true});
    play.must("dealer", count).await;
    assert_eq!(play.bet(2, "small", 2 * unit).await, "registered");
    nothing_goes_on(&mut play, "the sensor is dead", &[act("close_bets")]).await;
    play.close().await;
    nothing_goes_on(&mut play, "the lift is stuck", &[act("uncover")]).await;
    play.table.to_visible().await;
    nothing_goes_on(&mut play, "no power", &[act("confirm_flat")]).await;
    play.must("dealer", act("confirm_flat")).await;
    nothing_goes_on(&mut play, "no power again", &[keys([6, 5, 1])]).await;
    play.must("dealer", keys([6, 5, 1])).await;
    let confirm = [act("confirm_result"), act("clear_keys"), keys([6, 6, 6])];
    nothing_goes_on(&mut play, "smoke", &confirm).await;
    play.must("dealer", act("confirm_result")).await;
    let lit = json!({"act": "report_lights", "lit": true});
    let pay = [lit.clone(), act("take_and_pay")];
    nothing_goes_on(&mut play, "more smoke", &pay).await;
    play.must("dealer", lit).await;
    nothing_goes_on(&mut play, "fire", &[act("take_and_pay")]).await;
    play.must("dealer", act("take_and_pay")).await;
    // From where it stood, eight times, and to the dong.
    assert_eq!(play.won(play.round).await, 10 * unit - 2 * unit);
    play.audited();
}

#[tokio::test]
async fn r_173_the_pit_managers_desk_is_told_and_acknowledges_with_name_and_time() {
    let play = Play::of(BOOK, "a").await;
    let mut desk = PitDesk::open(play.table.staff.of("pit-manager")).await;
    desk.until("the table", BOOK, |state| state["notices"] == json!([]))
        .await;
    stop(&play, "the sensor is dead").await;
    let told = |state: &Value| state["notices"][0]["what"] == "the sensor is dead";
    let state = desk.until("the notice", BOOK, told).await;
    let notice = state["notices"][0].clone();
    has!(notice, {"inform": "pit-manager", "rule": RULE, "round": play.round});
    assert!(notice["read_by"].is_null() && notice["read_ms"].is_null());
    assert_eq!(state["status"], "suspended");
    let read = json!({"act": "acknowledge_notice", "notice": notice["notice"]});
    for who in ["dealer", "pit-supervisor", "head-of-operations"] {
        play.refuses(who, read.clone(), "not_authorised").await;
    }
    play.must("pit-manager", read.clone()).await;
    let read_by = |state: &Value| state["notices"][0]["read_name"] == "Nurul Aisyah";
    let state = desk.until("the acknowledgement", BOOK, read_by).await;
    let notice = &state["notices"][0];
    assert!(notice["read_ms"].as_i64() >= notice["at_ms"].as_i64());
    assert!(notice["at_ms"].as_i64() > Some(0));
    // Read is not approved, and it is read once.
    assert_eq!(state["status"], "suspended");
    play.refuses("pit-manager", read, "already_done").await;
    play.approve().await;
    desk.until("that play goes on", BOOK, |state| state["status"] == "open")
        .await;
    drop(desk);
    play.audited();
}

/// Two tumbles of too few, as the dealer counts them.
fn failed_tumble() -> [Value; 2] {
    let count = json!({"act": "report_tumbles", "count": 2, "all_dice_moved": true});
    [act("activate_tumbler"), count]
}

#[tokio::test]
async fn r_176_listed_voids_can_be_declared_while_the_game_is_stopped() {
    let mut play = Play::of(BOOK, "a").await;
    for (cause, rule) in [
        ("dice-exposed-early", "7.3"),
        ("dome-broken", "7.6"),
        ("die-not-flat", "7.4"),
        ("too-few-tumbles", "7.2"),
        ("dice-damaged", "7.5"),
    ] {
        match cause {
            "die-not-flat" => {
                play.uncover().await;
            }
            "too-few-tumbles" => {
                // The bets came first; then it tumbled too little.
                play.table.void("dice-exposed-early").await;
                play.must("dealer", act("call_bets")).await;
                play.round = play.table.round().await;
                assert_eq!(play.bet(1, "big", play.unit()).await, "registered");
                play.table.deal_all(failed_tumble()).await;
            }
            _ => {}
        }
        stop(&play, "the sensor is dead").await;
        let void = json!({"act": "declare_void", "cause": cause});
        play.must("dealer", void).await;
        let last = play.table.last().await;
        assert_eq!(last["number"], play.round);
        has!(last["why"], {"cause": cause, "rule": format!("{BOOK} {rule}")});
        assert_eq!(play.won(play.round).await, 0, "{cause}: every stake back");
        // The void ends the round and not the stop.
        assert_eq!(play.table.sees().await["status"], "suspended");
        play.resume().await;
        if cause != "dice-damaged" {
            play.betting().await;
        }
    }
    play.audited();
}

#[tokio::test]
async fn q_35_dead_keys_over_open_dice_are_paid_although_the_game_was_stopped_before() {
    let mut play = Play::of(BOOK, "a").await;
    let unit = play.unit();
    play.uncover().await;
    stop(&play, "the sensor is dead").await;
    let held = ["decision_pending", RULE];
    assert_eq!(play.refused("dealer", act("confirm_flat")).await, held);
    // 7.7: whenever the dice lie open and areas stay dark, the dice decide.
    let dark = json!({"act": "declare_technical_stop", "what": "the areas are dark",
        "part": "lights"});
    play.must("dealer", dark).await;
    play.table.settle_by([6, 5, 1]).await;
    assert_eq!(play.won(play.round).await, 10 * unit);
    assert_eq!(play.table.sees().await["status"], "suspended");
    assert_eq!(play.waits("device-failure").await["rule"], RULE);
    play.resume().await;
    // A stop is no reason for 7.7 while the dice are covered.
    play.betting().await;
    play.close().await;
    let dark = json!({"act": "declare_technical_stop", "what": "dark already",
        "part": "lights"});
    play.must("dealer", dark).await;
    assert_eq!(play.refused("dealer", act("uncover")).await, held);
    // The Director may void it instead (7.8); the stop remains.
    let void = json!({"act": "rule_void", "reason": "nobody can mend it tonight"});
    play.refuses("shift-manager", void.clone(), "not_authorised")
        .await;
    play.must("director", void).await;
    has!(play.table.last().await["why"], {"rule": "quang-nam-table 7.8"});
    assert_eq!(play.won(play.round).await, 0);
    assert_eq!(play.table.sees().await["status"], "suspended");
    play.audited();
}

/// A round whose tumble fails, and its void.
async fn fails(play: &Play) -> u64 {
    play.table.deal_all(failed_tumble()).await;
    let round = play.table.round().await;
    play.table.void("too-few-tumbles").await;
    round
}

#[tokio::test]
async fn j_03_failed_tumbles_ten_rounds_apart_do_not_suspend_the_table_and_nine_do() {
    let play = Play::of(BOOK, "a").await;
    play.table.void("dice-exposed-early").await;
    // Rounds in which the tumbler did not fail.
    let sound = async |rounds: u64| {
        for _ in 0..rounds {
            play.must("dealer", act("activate_tumbler")).await;
            play.table.void("dice-exposed-early").await;
        }
    };
    let first = fails(&play).await;
    sound(9).await;
    let second = fails(&play).await;
    assert_eq!(second - first, 10);
    let sees = play.table.sees().await;
    has!(sees, {"status": "open", "notices": []});
    sound(8).await;
    let third = fails(&play).await;
    assert_eq!(third - second, 9);
    let sees = play.table.sees().await;
    assert_eq!(sees["status"], "suspended");
    let what = format!("the tumbler failed in rounds {second} and {third}");
    assert_eq!(sees["notices"][0]["what"], what);
    has!(play.waits("device-failure").await, {"by": "head-of-operations"});
    play.resume().await;
    // Approved: what failed before counts no longer.
    sound(1).await;
    fails(&play).await;
    assert_eq!(play.table.sees().await["status"], "open");
    play.audited();
}
