//! What an act would do, looked at beforehand: nothing is done by looking, and
//! whoever may not do it may not look either.

use serde_json::{Value, json};

use super::house::{House, TABLE};
use super::http::{get, post};

/// A round that has ended with a result.
fn settled(house: &House) -> Value {
    house.goes_on_dealing();
    let path = format!("/api/tables/{TABLE}/rounds?n=20");
    let rounds = get(house, &path, &[]).json();
    let mut rounds = rounds.as_array().expect("rounds").iter();
    let round = rounds.find(|round| !round["result"].is_null());
    round.expect("a settled round").clone()
}

#[test]
fn p_031_a_preview_says_what_an_act_would_do_and_does_nothing() {
    let house = House::brisk();
    let manager = house.staff("shift-manager");
    let before = settled(&house);
    let path = format!("/api/tables/{TABLE}/acts/preview");
    let number = before["number"].as_u64().expect("a number");
    let act = json!({"act": "void_rounds", "rounds": [number], "cause": "too-few-tumbles",
        "reason": "footage shows two"});
    let said = post(&house, &path, &[&manager], &act).is(200);
    let round = &said.json()["rounds"][0];
    has!(round, {"round": number, "to": null});
    let mut from: Vec<u64> = serde_json::from_value(round["from"].clone()).expect("dice");
    let mut was: Vec<u64> = serde_json::from_value(before["result"]["dice"].clone()).expect("dice");
    from.sort_unstable();
    was.sort_unstable();
    assert_eq!(from, was);
    assert!(round["rule"].as_str().is_some_and(|rule| !rule.is_empty()));

    // Nothing was recorded: the round stands as it stood, and can be looked at again.
    let again = get(&house, &format!("/api/tables/{TABLE}/rounds?n=200"), &[]).json();
    let mut rounds = again.as_array().expect("rounds").iter();
    let now = rounds.find(|r| r["number"] == number).expect("the round");
    assert_eq!(now, &before);
    assert_eq!(post(&house, &path, &[&manager], &act).status, 200);

    // A dealer may not decide it, also not with a second person.
    let dealer = house.staff("dealer");
    post(&house, &path, &[&dealer], &act).refuses(403, "not_authorised");
    // What is not there cannot be looked at.
    let act = json!({"act": "void_rounds", "rounds": [4_000_000], "reason": "none"});
    post(&house, &path, &[&manager], &act).refuses(409, "not_there");
    house.ends_clean();
}
