//! Terminals that a play-money house hands out to whoever asks.

use serde_json::{Value, json};

use super::house::{House, TABLE, plan};
use super::http::post;
use crate::common::house::TableSpec;

fn seat(house: &House) -> Value {
    post(house, "/api/trial/seats", &[], &json!({"table": TABLE}))
        .is(200)
        .json()
}

#[test]
fn a_revoked_terminal_is_not_handed_out_and_one_enrolled_anew_is() {
    let house = House::quick();
    let technician = house.staff("technician");
    let revoke = |number: usize| {
        let token = house.terminal(number);
        let enrolment = token.split('-').next().expect("its number");
        house
            .ask(
                "DELETE",
                &format!("/api/enrolments/{enrolment}"),
                &[&technician],
                Some(&json!({"reason": "lost"})),
            )
            .is(204);
    };
    // The first terminal is gone: the second is handed out, not nothing.
    revoke(1);
    assert_eq!(seat(&house)["station"], 1);
    // Enrolled anew it is a terminal like the others, also after a restart.
    let said = post(
        &house,
        "/api/enrolments",
        &[&technician],
        &json!({"name": "T1 again", "role": {"role": "station", "table": TABLE, "station": 0}}),
    )
    .is(201);
    let token = said.json()["token"].clone();
    let (status, folder) = house.stop();
    assert!(status.success());
    let house = House::start(folder);
    let given = seat(&house);
    // Opened by a key of the visitor's own, not by the terminal's.
    assert_eq!(given["station"], 0);
    assert_ne!(given["token"], token);
    let visitor = given["token"].as_str().expect("a token").to_owned();
    let rounds = |token: &str| {
        let bearer = format!("authorization: Bearer {token}");
        house.ask("GET", "/api/station/rounds", &[&bearer], None)
    };
    rounds(&visitor).is(200);
    rounds(token.as_str().expect("a token")).is(200);
    house.ends_clean();
}

#[test]
fn whoever_comes_back_finds_their_own_terminal() {
    let house = House::quick();
    let first = seat(&house);
    let second = seat(&house);
    assert_ne!(first["station"], second["station"]);
    let again = |visits: &Value| {
        let wanted = json!({"table": TABLE, "visits": visits});
        post(&house, "/api/trial/seats", &[], &wanted)
            .is(200)
            .json()
    };
    let back = again(&json!([first["token"]]));
    assert_eq!(
        (&back["token"], &back["own"]),
        (&first["token"], &json!(true))
    );
    // A token that opens nothing is no visit.
    let other = again(&json!(["7-00", "nonsense"]));
    assert_eq!(other["own"], false);
    let (status, folder) = house.stop();
    assert!(status.success());
    // Also after a restart.
    let house = House::start(folder);
    let wanted = json!({"table": TABLE, "visits": [second["token"]]});
    let back = post(&house, "/api/trial/seats", &[], &wanted);
    assert_eq!(back.is(200).json()["token"], second["token"]);
    house.ends_clean();
}

#[test]
fn a_guest_at_a_table_with_chips_calls_staff_to_the_seat_and_nothing_else() {
    let chips = TableSpec {
        automatic: Some(60),
        ..TableSpec::by_hand("mbs-table", &[("a", 7)])
    };
    let mut text = plan("");
    chips.write(&mut text);
    let house = House::of(&text);
    let call = |table: &str, seat: u32| {
        let path = format!("/api/tables/{table}/calls");
        post(&house, &path, &[], &json!({"seat": seat}))
    };
    call("mbs-table", 2).is(204);
    call("mbs-table", 9).is(404);
    call("nowhere", 2).is(404);
    // A seat calls as often as a terminal may, and the one beside it still can.
    let refused = (0..20).find(|_| call("mbs-table", 2).status != 204);
    assert!(refused.is_some_and(|tries| tries < 10), "{refused:?}");
    call("mbs-table", 3).is(204);
    house.ends_clean();
}
