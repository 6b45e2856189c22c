//! What one person alone did to a house for real money, and cannot.

use serde_json::{Value, json};

use super::house::{House, TABLE, own_pin};
use super::http::{get, post};
use super::real_money::{real, two_tables};

/// Somebody proposes something for the house.
fn propose(house: &House, who: &str, act: &Value) -> (u64, Value) {
    let said = post(house, "/api/proposals", &[who], act).is(201).json();
    (
        said["proposal"].as_u64().expect("a number"),
        said["digest"].clone(),
    )
}

fn confirm(house: &House, who: &str, (number, digest): &(u64, Value)) -> super::http::Answer {
    let path = format!("/api/proposals/{number}/confirm");
    post(house, &path, &[who], &json!({"digest": digest}))
}

fn half(house: &House, who: &str, number: u64) -> super::http::Answer {
    post(
        house,
        &format!("/api/proposals/{number}/claim"),
        &[who],
        &json!({}),
    )
}

fn number_of(house: &House, who: &str, name: &str) -> u64 {
    let people = get(house, "/api/people", &[who]).is(200).json();
    let mut people = people.as_array().expect("people").iter();
    let found = people.find(|person| person["name"] == name);
    found.expect("somebody")["person"]
        .as_u64()
        .expect("a number")
}

/// Logs in at a place.
fn log_in(house: &House, name: &str, pin: &str, place: &str) -> super::http::Answer {
    let bearer = format!("Authorization: Bearer {}", house.token(place));
    let body = json!({"name": name, "pin": pin});
    post(house, "/api/session", &[&bearer], &body)
}

#[test]
fn one_director_is_not_two_persons() {
    let house = House::of(&real());
    let director = house.staff("director");
    let shift = house.staff("shift-manager");
    let head = house.staff("head-of-operations");
    // Alone: no person, no PIN in any answer.
    let new = json!({"name": "Kwan Li", "position": "director"});
    let said = post(&house, "/api/people", &[&director], &new);
    said.refuses(409, "second_person_needed");
    let colleague = number_of(&house, &director, "Quoc Bao");
    for change in ["reset_pin", "enable"] {
        let path = format!("/api/people/{colleague}");
        let said = post(&house, &path, &[&director], &json!({"change": change}));
        said.refuses(409, "second_person_needed");
    }
    let add = json!({"act": "add_person", "name": "Kwan Li", "position": "director"});
    let proposal = propose(&house, &director, &add);
    confirm(&house, &director, &proposal).refuses(409, "same_person_twice");
    half(&house, &director, proposal.0).is(404);
    let done = confirm(&house, &shift, &proposal).is(200);
    assert_eq!(
        done.json().as_object().expect("fields").len(),
        2,
        "{}",
        done.body
    );
    // Each knows one half; the other half is not for them, and each is shown once.
    let first = half(&house, &director, proposal.0).is(200).json();
    half(&house, &director, proposal.0).is(404);
    half(&house, &head, proposal.0).is(404);
    let second = half(&house, &shift, proposal.0).is(200).json();
    assert_eq!((&first["part"], &second["part"]), (&json!(1), &json!(2)));
    let (first, second) = (
        first["half"].as_str().expect("text"),
        second["half"].as_str().expect("text"),
    );
    for guess in [first, second] {
        log_in(&house, "Kwan Li", guess, "pit desk 1").refuses(401, "log_in_failed");
    }
    // Whoever hears both is the new person, once.
    let whole = format!("{first}{second}");
    let cookie = log_in(&house, "Kwan Li", &whole, "pit desk 1")
        .is(200)
        .cookie();
    log_in(&house, "Kwan Li", &whole, "pit desk 1").refuses(401, "log_in_failed");
    let own = own_pin("Kwan Li");
    let change = json!({"old": whole, "new": own});
    post(&house, "/api/session/pin", &[&cookie], &change).is(204);
    // A colleague's PIN that the director had reset is no second person either: nobody
    // has seen who logs in with it.
    house.open_table(&shift);
    let adjust = json!({"act": "adjust", "request": 1, "station": 0, "amount": 50_000_000,
        "reason": "a gift"});
    let proposed = house.propose(&director, &adjust).is(201).json();
    let said = house.confirm(&cookie, &proposed["proposal"], &proposed["digest"]);
    said.refuses(409, "not_witnessed");
    let person = number_of(&house, &director, "Kwan Li");
    let path = format!("/api/people/{person}");
    let witness = json!({"change": "witness"});
    for took_part in [&director, &shift] {
        post(&house, &path, &[took_part], &witness).refuses(409, "witness_took_part");
    }
    post(&house, &path, &[&head], &witness).is(204);
    let said = house.confirm(&cookie, &proposed["proposal"], &proposed["digest"]);
    assert_ne!(said.code(), "not_witnessed", "{}", said.body);
    house.ends_clean();
}

#[test]
fn names_that_look_alike_are_refused_with_the_name_they_resemble() {
    let house = House::of(&real());
    let director = house.staff("director");
    let twin = json!({"act": "add_person", "name": "G\u{043e}h Boon Keng", "position": "dealer"});
    let said = post(&house, "/api/proposals", &[&director], &twin);
    let said = said.refuses(409, "name_resembles");
    assert!(said.body.contains("Goh Boon Keng"), "{}", said.body);
    house.ends_clean();
}

#[test]
fn a_technician_alone_takes_no_station_over() {
    let house = House::of(&real());
    let technician = house.staff("technician");
    let shift = house.staff("shift-manager");
    house.open_table(&shift);
    let number = house
        .terminal(1)
        .split('-')
        .next()
        .expect("its number")
        .to_owned();
    let why = json!({"reason": "replaced"});
    let path = format!("/api/enrolments/{number}");
    let said = house.ask("DELETE", &path, &[&technician], Some(&why));
    said.refuses(409, "second_person_needed");
    let role = json!({"role": "station", "table": TABLE, "station": 0});
    let new = json!({"role": role, "name": "mine"});
    let said = post(&house, "/api/enrolments", &[&technician], &new);
    said.refuses(409, "second_person_needed");
    // With a shift manager: the key comes in halves, and the old one is dead.
    let number: u64 = number.parse().expect("a number");
    let revoke = json!({"act": "revoke", "enrolment": number, "reason": "broken"});
    let proposal = propose(&house, &technician, &revoke);
    confirm(&house, &technician, &proposal).refuses(409, "same_person_twice");
    confirm(&house, &shift, &proposal).is(200);
    let enrol = json!({"act": "enrol", "role": role, "name": "terminal 1"});
    let proposal = propose(&house, &technician, &enrol);
    confirm(&house, &shift, &proposal).is(200);
    let halves = [&technician, &shift].map(|who| {
        let said = half(&house, who, proposal.0).is(200).json();
        said["half"].as_str().expect("text").to_owned()
    });
    let reads = |token: &str| {
        let bearer = format!("Authorization: Bearer {token}");
        get(&house, "/api/station/rounds", &[&bearer]).status
    };
    assert_eq!(reads(house.terminal(1)), 401);
    assert_eq!(reads(&halves[0]), 401);
    assert_eq!(reads(&halves.concat()), 200);
    house.ends_clean();
}

#[test]
fn a_plain_browser_and_another_tables_console_are_nobodys_place() {
    let house = House::of(&two_tables());
    for (_, name) in super::house::STAFF {
        let said = house.log_in(name, house.pin(name));
        said.refuses(403, "place_needed");
        // Which says nothing of the PIN.
        let said = house.log_in(name, "864209");
        said.refuses(403, "place_needed");
    }
    // The dealer works at the first table; the second's console lets them not even in.
    house.session("Tan Wei Ming");
    let own = own_pin("Tan Wei Ming");
    log_in(&house, "Tan Wei Ming", &own, "other console").refuses(403, "not_posted");
    // Assigned there by a supervisor, they work there and no longer here.
    let supervisor = house.staff("pit-supervisor");
    let cookie = log_in(&house, "Tan Wei Ming", &own, "mbs-etg console")
        .is(200)
        .cookie();
    let person = number_of(&house, &supervisor, "Tan Wei Ming");
    let assign = json!({"change": "assign", "tables": ["other"], "windows": []});
    let path = format!("/api/people/{person}");
    post(&house, &path, &[&supervisor], &assign).is(204);
    assert_eq!(get(&house, "/api/session", &[&cookie]).status, 401);
    log_in(&house, "Tan Wei Ming", &own, "mbs-etg console").refuses(403, "not_posted");
    log_in(&house, "Tan Wei Ming", &own, "other console").is(200);
    house.ends_clean();
}

#[test]
fn the_cage_pays_at_a_window() {
    let house = House::of(&real());
    let presented = json!({"request": 1, "number": "000000000000000000", "currency": "SGD"});
    let desk = house.staff("shift-manager");
    let said = post(&house, "/api/cage/redemptions", &[&desk], &presented);
    said.refuses(403, "place_does_not_fit");
    let window = house.staff("cashier");
    let said = post(&house, "/api/cage/redemptions", &[&window], &presented);
    assert_ne!(said.status, 403, "{}", said.body);
    house.ends_clean();
}

#[test]
fn a_lone_cashier_does_not_move_as_much_again_at_every_table() {
    let house = House::of(&two_tables());
    let shift = house.staff("shift-manager");
    let cashier = house.staff("cashier");
    let supervisor = house.staff("pit-supervisor");
    for table in [TABLE, "other"] {
        house.open_shift(&shift, table);
        let path = format!("/api/tables/{table}/acts");
        let open = json!({"act": "open_table"});
        post(&house, &path, &[&shift], &open).is(200);
    }
    let credit = |request: u64, amount: i64| {
        json!({"act": "buy_credit", "request": request, "station": 0, "source": "cage",
            "amount": amount})
    };
    let at_other = |way: &str, act: &Value| {
        post(
            &house,
            &format!("/api/tables/other/{way}"),
            &[&cashier],
            act,
        )
    };
    house.act(&cashier, &credit(1, 300_000)).is(200);
    at_other("acts", &credit(2, 200_000)).is(200);
    at_other("acts", &credit(3, 1)).refuses(409, "second_person_needed");
    // Asked again it is the same credit.
    at_other("acts", &credit(2, 200_000)).is(200);
    let proposed = at_other("proposals", &credit(4, 1)).is(201).json();
    let path = format!(
        "/api/tables/other/proposals/{}/confirm",
        proposed["proposal"]
    );
    let digest = json!({"digest": proposed["digest"]});
    post(&house, &path, &[&supervisor], &digest).is(200);
    // Counted by another, it is none of theirs any more.
    let count = json!({"act": "count_money", "entry": 1, "amount": 300_000});
    let window = house.session("Daniel Seah");
    house.act(&window, &count).is(200);
    at_other("acts", &credit(5, 100)).is(200);
    house.ends_clean();
}

#[test]
fn a_lone_dealer_buys_no_fortune_and_what_is_bought_is_counted_by_another() {
    let house = House::of(&two_tables());
    let shift = house.staff("shift-manager");
    let dealer = house.staff("dealer");
    let supervisor = house.staff("pit-supervisor");
    house.open_table(&shift);
    let credit = |request: u64, amount: i64| {
        json!({"act": "buy_credit", "request": request, "station": 0, "source": "attendant",
            "amount": amount})
    };
    house
        .act(&dealer, &credit(1, 90_000_000_000))
        .refuses(409, "amount_too_large");
    house
        .act(&dealer, &credit(2, 300_000))
        .refuses(409, "second_person_needed");
    // Not from a desk of the pit, and not at another table.
    house
        .act(&supervisor, &credit(3, 100))
        .refuses(403, "not_authorised");
    let said = post(
        &house,
        "/api/tables/other/acts",
        &[&dealer],
        &credit(4, 100),
    );
    said.refuses(403, "place_does_not_fit");
    // Small amounts come to the same.
    house.act(&dealer, &credit(5, 150_000)).is(200);
    house
        .act(&dealer, &credit(6, 60_000))
        .refuses(409, "second_person_needed");
    let proposed = house.propose(&dealer, &credit(7, 60_000)).is(201).json();
    let said = house.confirm(&supervisor, &proposed["proposal"], &proposed["digest"]);
    said.is(200);
    // Both stand in the report of exceptions until somebody else has counted them.
    let waiting = || {
        let said = get(&house, "/api/exceptions", &[&shift]).is(200).json();
        let lines = said["money"][0]["lines"].as_array().cloned();
        lines.unwrap_or_default()
    };
    let lines = waiting();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0]["amount"], 150_000);
    assert!(
        lines[0]["by"]
            .as_str()
            .is_some_and(|by| by.ends_with("Tan Wei Ming"))
    );
    let cashier = house.staff("cashier");
    let count =
        |entry: u64, amount: i64| json!({"act": "count_money", "entry": entry, "amount": amount});
    // The window that counts is told what waits and not how much it is.
    let listed = get(&house, "/api/cage/uncounted", &[&cashier])
        .is(200)
        .json();
    let entries: Vec<u64> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            assert_eq!(
                (&one["table"], &one["how"]),
                (&json!(TABLE), &json!("attendant"))
            );
            assert_eq!(
                (&one["by"], &one["own"]),
                (&json!("Tan Wei Ming"), &json!(false))
            );
            one["entry"].as_u64().expect("a number")
        })
        .collect();
    assert_eq!(entries, [1, 2]);
    assert_eq!(listed[1]["second"], "Lim Siew Hoon");
    assert!(!listed.to_string().contains("150000"), "{listed}");
    get(&house, "/api/cage/uncounted", &[&supervisor]).refuses(403, "not_authorised");
    house.act(&dealer, &count(1, 150_000)).is(403);
    house
        .act(&shift, &count(1, 150_000))
        .refuses(403, "not_authorised");
    house.act(&cashier, &count(1, 140_000)).is(200);
    assert_eq!(waiting()[0]["counted"], 140_000);
    house.act(&cashier, &count(1, 150_000)).is(200);
    house.act(&cashier, &count(2, 60_000)).is(200);
    house
        .act(&cashier, &count(2, 60_000))
        .refuses(409, "no_such_entry");
    assert!(waiting().is_empty());
    house.ends_clean();
}
