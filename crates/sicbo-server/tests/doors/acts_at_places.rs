//! Every act of staff from every kind of place, as one table says it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::house::{House, STAFF, TABLE, own_pin};
use super::http::{Answer, get, post};
use super::real_money::two_tables;

const TABLE_OF_PLACES: &str = include_str!("acts_at_places.txt");

/// The places in the order of the table's columns, and who is at home at each.
const PLACES: [(char, &str, &str); 7] = [
    ('d', "mbs-etg console", "dealer"),
    ('k', "mbs-etg console", "director"),
    ('x', "other console", "director"),
    ('p', "pit desk 1", "director"),
    ('w', "cage window 1", "director"),
    ('t', "technician desk 1", "technician"),
    ('a', "audit desk 1", "auditor"),
];

struct Row {
    /// Of a table, or of the house.
    of_table: bool,
    /// Whether it is asked from there, place by place.
    from: Vec<bool>,
    act: Value,
}

fn rows() -> Vec<Row> {
    let lines = TABLE_OF_PLACES
        .lines()
        .filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| {
        let (head, act) = line.split_at(line.find('{').expect("an act"));
        let mut words = head.split_whitespace();
        let of_table = words.next() == Some("table");
        let from: Vec<bool> = words.map(|cell| cell == "+").collect();
        assert_eq!(from.len(), PLACES.len(), "{line}");
        Row {
            of_table,
            from,
            act: serde_json::from_str(act).expect("JSON"),
        }
    });
    rows.collect()
}

/// Whether somebody was refused for the place they are at.
fn is_elsewhere(said: &Answer) -> bool {
    said.status == 403 && (said.code() == "place_does_not_fit" || said.json()["place"].is_string())
}

#[test]
fn the_table_of_places_has_every_act_of_the_description_once() {
    let document = sicbo_server::http::document();
    let mut all = BTreeSet::new();
    for (whose, schema) in [("table", "StaffAct"), ("house", "HouseAct")] {
        let acts = &document["components"]["schemas"][schema]["oneOf"];
        for act in acts.as_array().expect("a list of acts") {
            let name = act["properties"]["act"]["enum"][0].as_str();
            all.insert(format!("{whose} {}", name.expect("a name")));
        }
    }
    let rows = rows();
    let own = rows.iter().map(|row| {
        let whose = if row.of_table { "table" } else { "house" };
        format!("{whose} {}", row.act["act"].as_str().expect("a name"))
    });
    let own: BTreeSet<String> = own.collect();
    assert_eq!(own.len(), rows.len(), "an act stands there twice");
    assert_eq!(own, all);
}

/// Where a place stands among the columns.
fn column(letter: char) -> usize {
    let found = PLACES.iter().position(|(known, ..)| *known == letter);
    found.expect("a column")
}

#[test]
fn s_17_every_act_from_every_place_and_for_every_table_is_received_as_the_table_says() {
    let house = House::of(&two_tables());
    let mut wrong = Vec::new();
    let mut asked = 0;
    for (at, (letter, place, position)) in PLACES.into_iter().enumerate() {
        let held = STAFF.iter().find(|(held, _)| *held == position);
        let (_, name) = held.expect("somebody");
        // The one-time PIN is changed first, where they are at home.
        house.staff(position);
        let enter = || {
            let bearer = format!("Authorization: Bearer {}", house.token(place));
            let body = serde_json::json!({"name": name, "pin": own_pin(name)});
            post(&house, "/api/session", &[&bearer], &body)
                .is(200)
                .cookie()
        };
        let mut cookie = enter();
        for row in rows() {
            for (own, table) in [(0, TABLE), (1, "other")] {
                // What is about another table is asked from that one's console.
                let asked_from = match (letter, own) {
                    ('d' | 'k', 1) => column('x'),
                    ('x', 1) => column('k'),
                    _ => at,
                };
                let mut act = row.act.clone();
                if act["table"].is_string() {
                    act["table"] = table.into();
                } else if !row.of_table && own == 1 {
                    continue;
                }
                let doors = match row.of_table {
                    true => vec![
                        format!("/api/tables/{table}/acts"),
                        format!("/api/tables/{table}/proposals"),
                    ],
                    false => vec!["/api/proposals".to_owned()],
                };
                // Who asks nothing of a table is refused before anybody looks where they are.
                let admitted = !row.of_table || matches!(position, "director" | "dealer");
                for path in doors {
                    let said = post(&house, &path, &[&cookie], &act);
                    asked += 1;
                    let refused = match admitted {
                        true => is_elsewhere(&said),
                        false => said.code() == "not_authorised",
                    };
                    if refused == row.from[asked_from] || said.status >= 500 {
                        wrong.push(format!("{path} at {place}: {act} is answered {said:?}"));
                    }
                    // Whoever was sent away by what they did comes back.
                    if get(&house, "/api/session", &[&cookie]).status != 200 {
                        cookie = enter();
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked > 1_000, "{asked}");
}
