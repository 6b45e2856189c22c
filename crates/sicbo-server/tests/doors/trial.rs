//! Terminals that a play-money house hands out to whoever asks.

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::post;

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
    assert_eq!((&given["station"], &given["token"]), (&json!(0), &token));
    house.ends_clean();
}
