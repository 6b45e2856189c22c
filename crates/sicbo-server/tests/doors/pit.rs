//! Dice in custody and shifts over the wire, each by two persons on sessions
//! of their own.

use serde_json::{Value, json};

use super::house::{House, TABLE, plan};
use super::http::{Answer, get, post};

/// One proposes, the other confirms.
fn two(house: &House, one: &str, other: &str, act: &Value) -> Answer {
    let said = post(house, "/api/proposals", &[one], act);
    if said.status != 201 {
        return said;
    }
    let number = said.json()["proposal"].as_u64().expect("a number");
    let said = post(
        house,
        &format!("/api/proposals/{number}/confirm"),
        &[other],
        &json!({"digest": said.json()["digest"]}),
    );
    if said.status != 200 {
        // What could not be done waits on; nobody wants it.
        let path = format!("/api/proposals/{number}");
        assert_eq!(house.ask("DELETE", &path, &[one], None).status, 204);
    }
    said
}

fn shown(house: &House, who: &str, path: &str) -> Value {
    get(house, path, &[who]).is(200).json()
}

/// A table that nobody deals, so that no round is in hand.
pub fn quiet() -> House {
    let text = plan("").replace(
        "dealer = \"automatic\"\npace = \"none\"",
        "dealer = \"person\"",
    );
    let text = text.replace("tumbler = \"simulated\"", "tumbler = \"manual\"");
    House::of(&text)
}

#[test]
fn p_035_dice_are_placed_by_two_and_the_table_names_them() {
    let house = quiet();
    let (supervisor, shift) = (house.staff("pit-supervisor"), house.staff("shift-manager"));
    let (dealer, auditor) = (house.staff("dealer"), house.staff("auditor"));
    house.open_table(&shift);
    let ok = |act: Value| {
        two(&house, &supervisor, &dealer, &act).is(200);
    };
    // Alone, nobody does it.
    let receive = json!({"act": "receive_dice", "set": "D-0042", "seal": "S-9"});
    let said = post(&house, "/api/proposals", &[&supervisor], &receive);
    let number = said.json()["proposal"].as_u64().expect("a number");
    let confirm = format!("/api/proposals/{number}/confirm");
    let stated = json!({"digest": said.json()["digest"]});
    post(&house, &confirm, &[&supervisor], &stated).coded("same_person_twice");
    let waiting = shown(&house, &auditor, "/api/proposals");
    assert_eq!(waiting[0]["act"], "receive_dice");
    assert_eq!(post(&house, &confirm, &[&dealer], &stated).status, 200);
    let said = post(&house, &confirm, &[&dealer], &stated);
    assert_eq!(said.json()["again"], true, "done once: {}", said.body);
    let watching = house.staff("surveillance");
    post(&house, &confirm, &[&watching], &stated).is(404); // not theirs

    let place = json!({"act": "place_dice", "set": "D-0042", "table": TABLE});
    two(&house, &supervisor, &dealer, &place).coded("wrong_dice_state"); // not inspected yet
    ok(json!({"act": "inspect_dice", "set": "D-0042", "good": true}));
    ok(place);
    let dice = shown(&house, &auditor, "/api/dice");
    has!(dice[0], {"state": "in_use", "table": TABLE, "in_tumbler": [TABLE]});
    assert_eq!(dice[0]["steps"][0]["second"]["name"], "Tan Wei Ming");
    // Where custody is kept, no dice come in beside it.
    let change = json!({"act": "change_dice", "dice_set": "D-0001"});
    let path = format!("/api/tables/{TABLE}/proposals");
    post(&house, &path, &[&supervisor], &change).coded("dice_in_custody");
    ok(json!({"act": "quarantine_dice", "set": "D-0042", "text": "a chip on the six"}));
    let dice = shown(&house, &auditor, "/api/dice");
    assert_eq!(dice[0]["state"], "quarantined");
    // Without its dice the table does not play on until others are placed.
    let tumble = || house.act(&dealer, &json!({"act": "activate_tumbler"}));
    assert_eq!(tumble().code(), "table_suspended");
    let act = |word: &str| house.act(&supervisor, &json!({"act": word}));
    assert_eq!(act("resume").code(), "wrong_dice_state");
    assert_eq!(act("close_table").status, 200);
    assert_eq!(act("open_table").code(), "wrong_dice_state");
    ok(json!({"act": "receive_dice", "set": "D-0043", "seal": "S-10"}));
    ok(json!({"act": "inspect_dice", "set": "D-0043", "good": true}));
    ok(json!({"act": "place_dice", "set": "D-0043", "table": TABLE}));
    // Opening changes no dice, whatever set the plan began with.
    assert_eq!(act("open_table").status, 200);
    let dice = shown(&house, &auditor, "/api/dice");
    assert_eq!(dice[1]["in_tumbler"], json!([TABLE]));
    assert_eq!(tumble().status, 200);
    house.ends_clean();
}

/// The quiet house with a second table beside the first.
fn quiet_with(other: &str) -> House {
    let text = plan("").replace(
        "dealer = \"automatic\"\npace = \"none\"",
        "dealer = \"person\"",
    );
    let text = text.replace("tumbler = \"simulated\"", "tumbler = \"manual\"");
    let table = text.find("[[tables]]").expect("a table");
    let beside = text[table..].replace(
        &format!("name = \"{TABLE}\""),
        &format!("name = \"{other}\""),
    );
    let beside = beside.replace("D-0001", "D-0002");
    House::of(&format!("{text}{beside}"))
}

#[test]
fn p_035_either_of_the_two_may_propose_a_step_of_custody() {
    let house = quiet();
    let (supervisor, dealer) = (house.staff("pit-supervisor"), house.staff("dealer"));
    let watching = house.staff("surveillance");
    house.open_table(&supervisor);
    let act = |word: &str| house.act(&supervisor, &json!({"act": word}));
    let mut number = 0;
    for (one, other) in [
        (&supervisor, &dealer),
        (&dealer, &supervisor),
        (&supervisor, &watching),
        (&watching, &supervisor),
    ] {
        for taken in ["remove_dice", "quarantine_dice", "inspect_dice"] {
            number += 1;
            let set = format!("D-7{number:02}");
            let mut take = json!({"act": taken, "set": set, "text": "a chip on the six"});
            if taken == "inspect_dice" {
                take["good"] = json!(false);
            }
            for step in [
                json!({"act": "receive_dice", "set": set, "seal": "S-1"}),
                json!({"act": "inspect_dice", "set": set, "good": true}),
                json!({"act": "place_dice", "set": set, "table": TABLE}),
            ] {
                two(&house, one, other, &step).is(200);
            }
            // Whatever it was before, it plays with them now.
            assert!(matches!(act("resume").status, 200 | 409));
            two(&house, one, other, &take).is(200);
            let tumble = json!({"act": "activate_tumbler"});
            house.act(&dealer, &tumble).coded("table_suspended");
        }
    }
    // Two who watch and deal are not enough.
    let receive = json!({"act": "receive_dice", "set": "D-799", "seal": "S-1"});
    two(&house, &dealer, &watching, &receive).coded("not_authorised");
    house.ends_clean();
}

#[test]
fn p_035_no_table_plays_with_dice_that_custody_keeps_elsewhere() {
    let house = quiet_with("beside");
    let (supervisor, dealer) = (house.staff("pit-supervisor"), house.staff("dealer"));
    house.open_table(&supervisor);
    let open = json!({"act": "open_table"});
    post(&house, "/api/tables/beside/acts", &[&supervisor], &open).is(200);
    let act = |word: &str| house.act(&supervisor, &json!({"act": word}));
    let ok = |act: Value| {
        two(&house, &supervisor, &dealer, &act).is(200);
    };
    ok(json!({"act": "receive_dice", "set": "D-0042", "seal": "S-9"}));
    ok(json!({"act": "inspect_dice", "set": "D-0042", "good": true}));
    ok(json!({"act": "place_dice", "set": "D-0042", "table": TABLE}));
    ok(json!({"act": "remove_dice", "set": "D-0042", "text": "the end of the day"}));
    assert_eq!(act("resume").code(), "wrong_dice_state", "taken out");
    ok(json!({"act": "inspect_dice", "set": "D-0042", "good": true}));
    assert_eq!(act("resume").code(), "wrong_dice_state", "good, in store");
    ok(json!({"act": "place_dice", "set": "D-0042", "table": "beside"}));
    assert_eq!(act("resume").code(), "wrong_dice_state", "at another table");
    assert_eq!(act("close_table").status, 200);
    assert_eq!(act("open_table").code(), "wrong_dice_state");
    // Brought back by two, it is played with again.
    ok(json!({"act": "remove_dice", "set": "D-0042", "text": "needed elsewhere"}));
    ok(json!({"act": "inspect_dice", "set": "D-0042", "good": true}));
    ok(json!({"act": "place_dice", "set": "D-0042", "table": TABLE}));
    assert_eq!(act("open_table").status, 200);
    house.ends_clean();
}

#[test]
fn what_the_house_would_refuse_to_any_two_is_refused_when_it_is_proposed() {
    let house = quiet();
    let (supervisor, dealer) = (house.staff("pit-supervisor"), house.staff("dealer"));
    let (watching, shift) = (house.staff("surveillance"), house.staff("shift-manager"));
    house.open_table(&supervisor);
    let refused = |who: &str, act: Value, code: &str| {
        post(&house, "/api/proposals", &[who], &act).coded(code);
    };
    let ok = |act: Value| {
        two(&house, &supervisor, &dealer, &act).is(200);
    };
    let place = json!({"act": "place_dice", "set": "D-0042", "table": TABLE});
    let receive = json!({"act": "receive_dice", "set": "D-0042", "seal": "S-9"});
    refused(&supervisor, place.clone(), "unknown_dice");
    ok(receive.clone());
    refused(&dealer, receive, "dice_known");
    refused(&dealer, place.clone(), "wrong_dice_state");
    let spoilt = json!({"act": "inspect_dice", "set": "D-0042", "good": false, "text": " "});
    refused(&supervisor, spoilt, "reason_needed");
    ok(json!({"act": "inspect_dice", "set": "D-0042", "good": true}));
    // Those who watch and those who deal open no shift, with whomever.
    let open = json!({"act": "open_shift", "table": TABLE, "opener": 0});
    refused(&watching, open.clone(), "not_authorised");
    refused(&dealer, open.clone(), "not_authorised");
    let manager = house.staff("pit-manager");
    assert_eq!(two(&house, &shift, &manager, &open).status, 200);
    refused(&shift, open, "shift_open");
    // Nor does the table take other dice while a round is in hand.
    let tumble = json!({"act": "activate_tumbler"});
    assert_eq!(house.act(&dealer, &tumble).status, 200);
    refused(&supervisor, place, "round_in_hand");
    house.ends_clean();
}

#[test]
fn q_19_rounds_since_the_last_good_inspection_are_proposed_as_affected() {
    let house = House::brisk();
    let auditor = house.staff("auditor");
    house.goes_on_dealing();
    // The set of the plan was never inspected: all its rounds may be affected.
    let path = format!("/api/tables/{TABLE}/dice/affected");
    let affected = shown(&house, &auditor, &path);
    has!(affected, {"set": "D-0001", "since_ms": null});
    let rounds = affected["rounds"].as_array().expect("rounds").clone();
    let last = rounds.last().expect("a round")["number"].clone();
    assert_eq!(last, 1, "back to the first");
    // A name nobody knows does not read as "nothing was affected".
    get(&house, &format!("{path}?set=D-0002"), &[&auditor]).is(404);
    // Once it was found good, only what came after.
    let (supervisor, watching) = (house.staff("pit-supervisor"), house.staff("surveillance"));
    for act in [
        json!({"act": "receive_dice", "set": "D-0001", "seal": "S-1"}),
        json!({"act": "inspect_dice", "set": "D-0001", "good": true}),
    ] {
        two(&house, &supervisor, &watching, &act).is(200);
    }
    let before = house.round();
    house.goes_on_dealing();
    let affected = shown(&house, &auditor, &path);
    let since = affected["since_ms"].as_i64().expect("a time");
    let rounds = affected["rounds"].as_array().expect("rounds").clone();
    assert!(!rounds.is_empty());
    for round in &rounds {
        assert!(round["began_ms"].as_i64().expect("a time") >= since);
        assert!(round["number"].as_u64().expect("a number") >= before);
    }
    house.ends_clean();
}

#[test]
fn j_09_a_shift_is_opened_counted_and_signed_by_two_managers() {
    let house = quiet();
    let (manager, shift) = (house.staff("pit-manager"), house.staff("shift-manager"));
    let (director, auditor) = (house.staff("director"), house.staff("auditor"));
    house.open_table(&shift);
    let open = json!({"act": "open_shift", "table": TABLE, "opener": 0});
    two(&house, &shift, &manager, &open).is(200);
    two(&house, &shift, &manager, &open).coded("shift_open");
    // A hundred in notes goes into the acceptor.
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    socket.until("done");
    // No round takes bets: two are refused, which is in no table's journal.
    let mut code = Value::Null;
    for id in [7, 8] {
        let lines = json!([{"section": "small", "stake": 100}]);
        socket.say(&json!({"type": "bet", "id": id, "round": 1, "lines": lines}));
        code = socket.find("refused", |said| said["id"] == id)["code"].clone();
    }
    let refused = json!([{"code": code, "count": 2}]);
    let path = format!("/api/tables/{TABLE}/report?shift=1");
    assert_eq!(shown(&house, &auditor, &path)["refusals"], refused);
    let now = shown(&house, &auditor, "/api/shifts")[0].clone();
    // What should be there is shown to nobody before a count is entered.
    has!(now, {"expected_drop": null, "expected_closer": null, "to_sequence": null});
    let close = |drop: i64, comment: &str| {
        json!({"act": "close_shift", "table": TABLE, "closer": 0, "drop": drop, "tips": 0,
            "fills": 0, "credits": 0, "comment": comment})
    };
    // A slip that nobody entered.
    let mut unmatched = close(10_000, "");
    unmatched["fills"] = json!(50_000);
    two(&house, &shift, &director, &unmatched).coded("slips_do_not_match");
    let dealer = house.staff("dealer");
    two(&house, &shift, &dealer, &close(10_000, "")).coded("not_authorised");
    // 101.00 short of what the books say, at a chip unit of 1.00.
    two(&house, &shift, &director, &close(20_100, "")).coded("comment_needed");
    two(&house, &shift, &director, &close(10_000, "")).is(200);
    let ended = shown(&house, &auditor, &format!("/api/shifts?table={TABLE}"))[0].clone();
    has!(ended, {"drop": 10_000, "signed_by": ["Goh Boon Keng", "Margaret Oliveiro"]});
    let (from, to) = (&ended["from_sequence"], &ended["to_sequence"]);
    assert!(from.as_u64() < to.as_u64(), "{ended}");
    two(&house, &shift, &director, &close(0, "again")).is(404);
    // The report of that shift: its records, its counts, who signed.
    let path = format!("/api/tables/{TABLE}/report?shift=1");
    let report = shown(&house, &auditor, &path);
    // What came before the first shift is in its report and in no other.
    assert_eq!((&report["from"], &report["to"]), (&json!(1), to));
    has!(report["shift"], {"signed_by": ended["signed_by"], "drop": 10_000});
    let variances = report["counted"]["lines"].as_array().expect("counts");
    assert_eq!(variances.len(), 6);
    assert!(
        variances.iter().all(|line| line["variance"] == 0),
        "{variances:?}"
    );
    assert_eq!(report["result"]["drop_cash"], 10_000);
    assert_eq!(report["ledger"]["balances"], true);
    assert_eq!(report["custody"]["ended"], "D-0001");
    has!(report, {"refusals": refused, "cases": []});
    for (asked, status) in [("shift=2", 404), ("shift=1&from=1", 422), ("shift=x", 400)] {
        let path = format!("/api/tables/{TABLE}/report?{asked}");
        assert_eq!(get(&house, &path, &[&auditor]).status, status, "{asked}");
    }
    // One without a record in it is a report of nothing, not a fault.
    assert_eq!(two(&house, &shift, &manager, &open).status, 200);
    let path = format!("/api/tables/{TABLE}/report?shift=2");
    let report = shown(&house, &auditor, &path);
    assert_eq!(report["play"]["rounds"], 0);
    assert_eq!(report["refusals"], json!([]));
    assert_eq!(report["ledger"]["reconciles"], true);
    assert_eq!(report["shift"]["closed_ms"], Value::Null);
    house.ends_clean();
}

#[test]
fn j_09_a_round_in_hand_belongs_to_the_shift_in_which_it_began_and_the_table_plays_on() {
    let house = quiet();
    let (manager, shift) = (house.staff("pit-manager"), house.staff("shift-manager"));
    let dealer = house.staff("dealer");
    house.open_table(&shift);
    let open = json!({"act": "open_shift", "table": TABLE, "opener": 0});
    two(&house, &shift, &manager, &open).is(200);
    let mut player = house.seated(1);
    player.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    player.until("done");
    let act = |body: Value| {
        house.act(&dealer, &body).is(200);
    };
    let bet = |player: &mut super::ws::Socket<std::net::TcpStream>, stake: i64| {
        act(json!({"act": "activate_tumbler"}));
        act(json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true}));
        act(json!({"act": "call_bets"}));
        let round = house.round();
        let lines = json!([{"section": "small", "stake": stake}]);
        player.say(&json!({"type": "bet", "id": round, "round": round, "lines": lines}));
        player.until("registered");
        round
    };
    let finish = |player: &mut super::ws::Socket<std::net::TcpStream>, round: u64| {
        act(json!({"act": "close_bets"}));
        player.say(&json!({"type": "shown", "round": round}));
        crate::common::comes("the close is shown", || {
            let said = house.act(&dealer, &json!({"act": "uncover"}));
            (said.status == 200).then_some(())
        });
        act(json!({"act": "confirm_flat"}));
        act(json!({"act": "key_dice", "dice": [1, 2, 3]}));
        act(json!({"act": "confirm_result"}));
        player.until("settlement");
    };
    // No last round is announced, and 10.00 lie on small as the managers change.
    let round = bet(&mut player, 1_000);
    let counting = shown(&house, &shift, &format!("/api/shifts?table={TABLE}"))[0].clone();
    has!(counting, {"expected_drop": null, "fills": null});
    // While they count another 50.00 comes in, which is the next shift's.
    player.say(&json!({"type": "insert_note", "request": 2, "amount": 5_000}));
    player.until("done");
    let close = json!({"act": "close_shift", "table": TABLE, "closer": 0, "drop": 10_000,
        "tips": 0, "fills": 0, "credits": 0, "next_after": counting["record"]});
    // The count is on record with its proposal: now it is shown beside the books.
    let made = post(&house, "/api/proposals", &[&shift], &close)
        .is(201)
        .json();
    let path = format!("/api/shifts?table={TABLE}&as_of={}", counting["record"]);
    has!(shown(&house, &manager, &path)[0], {"expected_drop": 10_000, "closed_ms": null});
    has!(shown(&house, &manager, &format!("/api/shifts?table={TABLE}"))[0],
        {"expected_drop": 15_000});
    let mut early = close.clone();
    early["next_after"] = json!(counting["from_sequence"].as_u64().expect("one") - 2);
    two(&house, &shift, &manager, &early).coded("time_invalid");
    let path = format!("/api/proposals/{}/confirm", made["proposal"]);
    post(
        &house,
        &path,
        &[&manager],
        &json!({"digest": made["digest"]}),
    )
    .is(200);
    let shifts = shown(&house, &shift, &format!("/api/shifts?table={TABLE}"));
    let (next, ended) = (&shifts[0], &shifts[1]);
    let last = ended["to_sequence"].as_u64().expect("it ended");
    has!(next, {"shift": 2, "closed_ms": null, "opener": 0, "from_sequence": last + 1});
    // Nothing of the round that goes on is the next shift's.
    let report = |number: u64| {
        let path = format!("/api/tables/{TABLE}/report?shift={number}");
        shown(&house, &shift, &path)
    };
    assert_eq!(report(2)["play"]["rounds"], 0);
    finish(&mut player, round);
    // The player, told of the end, puts 20.00 on small in the next shift's first round.
    let round = bet(&mut player, 2_000);
    finish(&mut player, round);
    let (first, second) = (report(1), report(2));
    // The note came while the first shift's last round was in hand.
    for (report, handle, drop) in [(&first, 1_000, 15_000), (&second, 2_000, 0)] {
        has!(report["play"], {"rounds": 1, "settled": 1});
        has!(report["result"], {"handle": handle, "win": -handle, "drop": drop});
        has!(report["ledger"], {"balances": true, "reconciles": true});
        assert_eq!(report["meters"][0]["reconciles"], true);
    }
    // No record is in both, and none between the two is missing.
    let to = first["to"].as_u64().expect("a record");
    assert!(to > last, "the round ended after they signed");
    assert_eq!(second["from"].as_u64(), Some(to + 1));
    // What was counted is held to the books as they stood when they signed.
    for line in first["counted"]["lines"].as_array().expect("lines") {
        assert_eq!(line["variance"], 0, "{line}");
    }
    // The first shift's report printed again says the same.
    assert_eq!(report(1)["result"], first["result"]);
    // The board counts the round of the shift that goes on, also after a restart (P-030).
    let on_board = |house: &House, who: &str| {
        let board = shown(house, who, "/api/pit");
        let tables = board["tables"].as_array().expect("tables").clone();
        let here = tables.into_iter().find(|one| one["table"] == TABLE);
        let here = here.expect("the table");
        (
            here["shift"].clone(),
            here["rounds"].clone(),
            here["staked"].clone(),
            here["kept"].clone(),
        )
    };
    let counted = (json!(2), json!(1), json!(2_000), json!(-2_000));
    crate::common::comes("the board counts the shift", || {
        (on_board(&house, &shift) == counted).then_some(())
    });
    let (status, folder) = house.stop();
    assert!(status.success(), "{status}");
    let house = House::start(folder);
    let shift = house.session("Goh Boon Keng");
    crate::common::comes("the board counts the shift from its beginning", || {
        (on_board(&house, &shift) == counted).then_some(())
    });
    house.ends_clean();
}

#[test]
fn j_09_a_close_that_waits_ends_the_shift_it_was_proposed_for_and_no_other() {
    let house = quiet();
    let (manager, shift) = (house.staff("pit-manager"), house.staff("shift-manager"));
    house.open_table(&shift);
    let open = json!({"act": "open_shift", "table": TABLE, "opener": 0});
    two(&house, &shift, &manager, &open).is(200);
    let shifts = || shown(&house, &shift, &format!("/api/shifts?table={TABLE}"));
    let record = shifts()[0]["record"].clone();
    let close = |comment: &str| {
        json!({"act": "close_shift", "table": TABLE, "closer": 0, "drop": 0, "tips": 0,
            "fills": 0, "credits": 0, "comment": comment, "next_after": record})
    };
    let propose = |act: &Value| post(&house, "/api/proposals", &[&shift], act);
    let confirm = |proposed: &Value| {
        let path = format!("/api/proposals/{}/confirm", proposed["proposal"]);
        let digest = json!({"digest": proposed["digest"]});
        post(&house, &path, &[&manager], &digest)
    };
    let (first, second) = (propose(&close("")), propose(&close("a slip of the pen")));
    let (first, second) = (first.is(201).json(), second.is(201).json());
    assert_ne!(first["proposal"], second["proposal"]);
    confirm(&first).is(200);
    confirm(&second).coded("already_done");
    has!(shifts()[0], {"shift": 2, "closed_ms": null});
    // Who names a shift is told that it is over, or none of this table.
    let named = |number: u64| {
        let mut close = close("");
        close["shift"] = json!(number);
        propose(&close)
    };
    named(1).coded("already_done");
    named(3).coded("unknown_shift");
    let waits = named(2).is(201).json();
    let known = shown(&house, &shift, "/api/proposals");
    let known = known.as_array().expect("proposals").iter();
    let mut known = known.filter(|one| one["proposal"] == waits["proposal"]);
    has!(known.next().expect("it waits")["counts"], {"shift": 2});
    house.ends_clean();
}

#[test]
fn q_20_what_becomes_of_a_round_is_told_to_who_played_it_and_not_to_who_sits_there_now() {
    let house = quiet();
    let (dealer, shift) = (house.staff("dealer"), house.staff("shift-manager"));
    let director = house.staff("director");
    house.open_table(&shift);
    let act = |who: &str, body: Value| {
        house.act(who, &body).is(200);
    };
    // One leaves after the round, the other stays.
    let (mut first, mut second) = (house.seated(1), house.seated(2));
    for socket in [&mut first, &mut second] {
        socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
        socket.until("done");
    }
    act(&dealer, json!({"act": "activate_tumbler"}));
    act(
        &dealer,
        json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true}),
    );
    act(&dealer, json!({"act": "call_bets"}));
    let round = house.round();
    for socket in [&mut first, &mut second] {
        let lines = json!([{"section": "small", "stake": 1_000}]);
        socket.say(&json!({"type": "bet", "id": 1, "round": round, "lines": lines}));
        socket.until("registered");
    }
    act(&dealer, json!({"act": "close_bets"}));
    for socket in [&mut first, &mut second] {
        socket.say(&json!({"type": "shown", "round": round}));
    }
    let by = std::time::Instant::now() + super::house::SOON;
    // Uncovered as soon as both have said that they show the close.
    while house.act(&dealer, &json!({"act": "uncover"})).status != 200 {
        assert!(std::time::Instant::now() < by, "the close is not shown");
    }
    act(&dealer, json!({"act": "confirm_flat"}));
    act(&dealer, json!({"act": "key_dice", "dice": [1, 2, 3]}));
    act(&dealer, json!({"act": "confirm_result"}));
    first.until("settlement");
    second.until("settlement");
    first.say(&json!({"type": "cash_out", "request": 2, "amount": 11_000}));
    first.until("voucher");
    first.say(&json!({"type": "insert_note", "request": 3, "amount": 5_000}));
    first.until("done");
    // Both were paid too much: the one who left, and the one who is there.
    let void = json!({"act": "void_rounds", "rounds": [round], "cause": "dice-damaged",
        "reason": "a chipped die"});
    let path = format!("/api/tables/{TABLE}/proposals");
    let said = post(&house, &path, &[&shift], &void).is(201);
    let path = format!("{path}/{}/confirm", said.json()["proposal"]);
    let stated = json!({"digest": said.json()["digest"]});
    post(&house, &path, &[&director], &stated).is(200);
    let told = second.until("amended");
    assert_eq!((&told["was"], &told["is"]), (&json!(2_000), &json!(1_000)));
    // Whatever came before this answer was heard.
    first.say(&json!({"type": "insert_note", "request": 4, "amount": 5_000}));
    loop {
        match first.next() {
            super::ws::Frame::Text(said) if said["type"] == "amended" => {
                panic!("somebody else's: {said}");
            }
            super::ws::Frame::Text(said) if said["type"] == "done" && said["request"] == 4 => break,
            super::ws::Frame::Text(_) | super::ws::Frame::Ping | super::ws::Frame::Pong => {}
            end => panic!("{end:?}"),
        }
    }
    house.ends_clean();
}
