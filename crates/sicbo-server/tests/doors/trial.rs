//! Terminals that a play-money house hands out to whoever asks.

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::post;

fn seat(house: &House) -> Value {
    let said = post(house, "/api/trial/seats", &[], &json!({"table": TABLE}));
    assert_eq!(said.status, 200, "{}", said.body);
    said.json()
}

#[test]
fn a_revoked_terminal_is_not_handed_out_and_one_enrolled_anew_is() {
    let house = House::quick();
    let technician = house.staff("technician");
    let revoke = |number: usize| {
        let token = house.terminal(number);
        let enrolment = token.split('-').next().expect("its number");
        let said = house.ask(
            "DELETE",
            &format!("/api/enrolments/{enrolment}"),
            &[&technician],
            Some(&json!({"reason": "lost"})),
        );
        assert_eq!(said.status, 204, "{}", said.body);
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
    );
    assert_eq!(said.status, 201, "{}", said.body);
    let token = said.json()["token"].clone();
    let (status, folder) = house.stop();
    assert!(status.success());
    let house = House::start(folder);
    let given = seat(&house);
    assert_eq!((&given["station"], &given["token"]), (&json!(0), &token));
    house.ends_clean();
}
