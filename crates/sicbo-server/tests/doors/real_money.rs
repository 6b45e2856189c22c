//! What a house that plays for money refuses over the wire.

use serde_json::json;

use super::house::{House, TABLE, plan};
use super::http::post;

/// The quick house with real equipment in its plan.
pub fn real() -> String {
    plan("real_money = true")
        .replace("tumbler = \"simulated\"", "tumbler = \"manual\"")
        .replace(
            "dealer = \"automatic\"\npace = \"none\"",
            "dealer = \"person\"",
        )
        .replace(
            "printer = { folder = \"vouchers\" }",
            "printer = { file = \"/dev/null\" }",
        )
        .replace("note_acceptor = \"simulated\"", "note_acceptor = \"none\"")
}

/// The same with a second table, where the dealer works at the first.
pub fn two_tables() -> String {
    let text = real();
    let at = text.find("[[tables]]").expect("a table");
    let other = text[at..].replace("name = \"mbs-etg\"", "name = \"other\"");
    let other = other.replace("D-0001", "D-0002");
    let text = text.replace(
        "position = \"dealer\"\n",
        "position = \"dealer\"\ntables = [\"mbs-etg\"]\n",
    );
    text + &other
}

#[test]
fn nobody_tries_a_position_or_a_seat_where_money_is_played_for() {
    let house = House::of(&real());
    for (path, body) in [
        ("seats", json!({"table": TABLE})),
        ("staff", json!({"position": "director"})),
        ("dealer", json!({"table": TABLE, "automatic": true})),
    ] {
        let said =
            post(&house, &format!("/api/trial/{path}"), &[], &body).refuses(403, "not_authorised");
        assert!(said.header("set-cookie").is_none());
    }
    house.open_shift(&house.staff("director"), TABLE);
    let open = json!({"act": "open_table"});
    let opened = ["pit-manager", "shift-manager", "director"]
        .iter()
        .any(|position| {
            let cookie = house.staff(position);
            post(
                &house,
                &format!("/api/tables/{TABLE}/acts"),
                &[&cookie],
                &open,
            )
            .status
                == 200
        });
    assert!(opened, "somebody opens the table");
    let mut socket = house.seated(1);
    socket.say(&json!({"type": "insert_note", "request": 1, "amount": 10_000}));
    assert_eq!(socket.until("declined")["code"], "note_refused");
    house.ends_clean();
}

#[test]
fn j_09_nothing_is_dealt_or_sold_outside_a_shift_and_a_patron_is_paid() {
    let house = House::of(&real());
    let (shift, cashier) = (house.staff("shift-manager"), house.staff("cashier"));
    let (supervisor, manager) = (house.staff("pit-supervisor"), house.staff("pit-manager"));
    let dealer = house.staff("dealer");
    let act = |name: &str| json!({"act": name});
    let credit = |request: u64| {
        json!({"act": "buy_credit", "request": request, "station": 0, "source": "cage",
            "amount": 7_000})
    };
    let hand_pay = json!({"act": "hand_pay", "request": 9, "station": 0, "amount": 2_000});
    let chips = json!({"act": "move_chips", "request": 8, "how": "tip", "amount": 100, "slip": ""});
    // Before the first shift the table is not even opened, and the refusal says what to do.
    let said = house
        .act(&shift, &act("open_table"))
        .refuses(409, "shift_needed");
    assert!(said.body.contains("two managers open one"), "{}", said.body);
    house.act(&cashier, &credit(1)).refuses(409, "shift_needed");
    house.act(&dealer, &chips).refuses(409, "shift_needed");
    let shifts = format!("/api/shifts?table={TABLE}");
    let confirm = |proposed: &serde_json::Value| {
        let path = format!("/api/proposals/{}/confirm", proposed["proposal"]);
        post(
            &house,
            &path,
            &[&manager],
            &json!({"digest": proposed["digest"]}),
        )
    };
    let propose = |body: &serde_json::Value| post(&house, "/api/proposals", &[&shift], body);
    let of_house = |body: &serde_json::Value| {
        confirm(&propose(body).is(201).json()).is(200);
    };
    // A table that was never opened is counted first.
    of_house(&json!({"act": "open_shift", "table": TABLE, "opener": 0}));
    let known = super::http::get(&house, &shifts, &[&shift]).is(200).json();
    assert_eq!(known[0]["currency"], "SGD", "{known}");
    house.act(&shift, &act("open_table")).is(200);
    house.act(&cashier, &credit(2)).is(200);
    let waits = house.propose(&cashier, &hand_pay).is(201).json();
    // A table that is not closed plays on: its shift ends with the next only, whoever asks when.
    let close =
        json!({"act": "close_shift", "table": TABLE, "closer": 0, "fills": 0, "credits": 0});
    propose(&close).refuses(409, "next_shift_needed");
    // The boxes are not theirs to count, nor do they read what should be in them.
    let mut with_boxes = close.clone();
    (with_boxes["drop"], with_boxes["tips"]) = (json!(7_000), json!(0));
    propose(&with_boxes).refuses(409, "boxes_counted_apart");
    let report = |who: &str, number: u64| {
        let path = format!("/api/tables/{TABLE}/report?shift={number}");
        super::http::get(&house, &path, &[who])
    };
    report(&shift, 1).refuses(409, "shift_not_counted");
    let path = format!("/api/tables/{TABLE}/report");
    super::http::get(&house, &path, &[&shift]).refuses(409, "shift_not_counted");
    let known = super::http::get(&house, &shifts, &[&shift]).is(200).json();
    for expected in ["expected_closer", "expected_drop", "expected_tips", "fills"] {
        assert!(known[0][expected].is_null(), "{expected}: {known}");
    }
    let suspend = json!({"act": "suspend", "reason": "the end of the day"});
    let close_table = act("close_table");
    house.act(&shift, &suspend).is(200);
    propose(&close).refuses(409, "next_shift_needed");
    house.act(&shift, &close_table).is(200);
    let proposed = propose(&close).is(201).json();
    house.act(&shift, &act("open_table")).is(200);
    confirm(&proposed).refuses(409, "next_shift_needed");
    house.act(&shift, &suspend).is(200);
    house.act(&shift, &close_table).is(200);
    confirm(&proposed).is(200);
    // What was done in the shift is known when its answer was lost, and nothing more is sold.
    let again = house.act(&cashier, &credit(2)).is(200).json();
    assert_eq!(again["again"], true, "{again}");
    house.act(&cashier, &credit(3)).refuses(409, "shift_needed");
    let tumble = act("activate_tumbler");
    house.act(&dealer, &tumble).refuses(409, "shift_needed");
    house
        .act(&shift, &act("open_table"))
        .refuses(409, "shift_needed");
    // A patron is paid what is theirs all the same.
    house
        .confirm(&supervisor, &waits["proposal"], &waits["digest"])
        .is(200);
    let out = json!({"act": "transfer_out", "request": 10, "station": 0, "amount": 1_000});
    house.act(&cashier, &out).is(200);
    of_house(&json!({"act": "open_shift", "table": TABLE, "opener": 0}));
    house.act(&shift, &act("open_table")).is(200);
    house.act(&dealer, &tumble).is(200);
    house.act(&cashier, &credit(4)).is(200);
    // Each of the two is in the report of its shift, and in no other; what was paid between the
    // two is in that of the second.
    let auditor = house.staff("auditor");
    let [one, two] = [1, 2].map(|number| report(&auditor, number).is(200).json());
    assert_eq!(
        (&one["result"]["drop"], &two["result"]["drop"]),
        (&json!(7_000), &json!(7_000))
    );
    assert_eq!(one["from"], 1, "{one}");
    assert_eq!(two["from"], one["to"].as_u64().expect("a record") + 1);
    assert_eq!(two["ledger"]["balances"], true);
    // Two who did not sign count the boxes of the first, by what is in them.
    let boxes = |who: &str| {
        super::http::get(&house, "/api/cage/boxes", &[who])
            .is(200)
            .json()
    };
    let waiting = boxes(&cashier);
    has!(waiting[0], {"shift": 1, "table": TABLE, "own": false});
    assert!(!waiting.to_string().contains("7000"), "{waiting}");
    let count = |pieces: serde_json::Value| {
        json!({"act": "count_boxes", "table": TABLE, "shift": 1, "drop": 6_500,
            "drop_pieces": pieces, "tips": 0})
    };
    let from_window = |body: &serde_json::Value| post(&house, "/api/proposals", &[&cashier], body);
    from_window(&count(json!([]))).refuses(409, "denominations_needed");
    from_window(&count(json!([{"value": 1_000, "count": 7}]))).refuses(409, "pieces_differ");
    let right = json!([{"value": 1_000, "count": 6}, {"value": 500, "count": 1}]);
    let made = from_window(&count(right)).is(201).json();
    let confirmed_by = |who: &str| {
        let path = format!("/api/proposals/{}/confirm", made["proposal"]);
        post(&house, &path, &[who], &json!({"digest": made["digest"]}))
    };
    confirmed_by(&house.staff("director")).is(200);
    assert_eq!(boxes(&cashier), json!([]));
    let known = super::http::get(&house, &shifts, &[&auditor])
        .is(200)
        .json();
    // Credit was sold at the window: the books have nothing in the box.
    has!(known[1], {"shift": 1, "drop": 6_500, "expected_drop": 0, "boxes_wait": false,
        "counted_by": ["Chua Mei Fong", "Margaret Oliveiro"]});
    let one = report(&auditor, 1).is(200).json();
    has!(one["shift"], {"drop": 6_500, "boxes_counted_by": ["Chua Mei Fong", "Margaret Oliveiro"]});
    let lines = one["counted"]["lines"].as_array().expect("lines");
    let drop = lines
        .iter()
        .find(|line| line["what"] == "drop")
        .expect("a line");
    has!(drop, {"counted": 6_500, "recorded": 0, "variance": 6_500});
    house.ends_clean();
}

#[test]
fn the_game_is_dealt_from_the_tables_own_console_only() {
    let house = House::of(&real());
    let console = house.token(&format!("{TABLE} console")).to_owned();
    let there = house.session_at("Tan Wei Ming", Some(&console));
    house.open_shift(&house.staff("director"), TABLE);
    let manager = house.session("Nurul Aisyah");
    let open = json!({"act": "open_table"});
    let path = format!("/api/tables/{TABLE}/acts");
    let opened = post(&house, &path, &[&manager], &open);
    assert!(opened.status < 500, "{}", opened.body);
    for act in [
        json!({"act": "activate_tumbler"}),
        json!({"act": "report_tumbles", "count": 3, "all_dice_moved": true}),
        json!({"act": "call_bets"}),
        json!({"act": "close_bets"}),
        json!({"act": "press_deal"}),
        json!({"act": "uncover"}),
        json!({"act": "confirm_flat"}),
        json!({"act": "key_dice", "dice": [1, 2, 3]}),
        json!({"act": "clear_keys"}),
        json!({"act": "read_second", "dice": [1, 2, 3]}),
        json!({"act": "confirm_result"}),
        json!({"act": "report_lights", "lit": true}),
        json!({"act": "take_and_pay"}),
        json!({"act": "resolve_readings", "pending": 1, "dice": [1, 2, 3]}),
        json!({"act": "place_bets", "station": 0, "round": 1, "bet": 1, "means": "cash_chips",
            "lines": [{"section": "big", "stake": 100}]}),
        json!({"act": "clear_bets", "station": 0, "round": 1, "bet": 2}),
    ] {
        let words = "the game is dealt from the table's own console";
        for door in ["acts", "proposals"] {
            let path = format!("/api/tables/{TABLE}/{door}");
            let said = post(&house, &path, &[&manager], &act).is(403);
            assert_eq!(said.json()["detail"], words, "{act} {door}");
        }
        let said = post(&house, &path, &[&there], &act);
        assert_ne!(said.json()["detail"], words, "{act}");
    }
    // A console that was revoked deals no more.
    let technician = house.staff("technician");
    let number = console.split('-').next().expect("its number");
    house
        .ask(
            "DELETE",
            &format!("/api/enrolments/{number}"),
            &[&technician],
            Some(&json!({"reason": "replaced"})),
        )
        .is(204);
    let said = post(&house, &path, &[&there], &json!({"act": "call_bets"}));
    assert!(matches!(said.status, 401 | 403), "{}", said.body);
    house.ends_clean();
}
