//! Every door and every one who may knock, as one table says it.

use std::collections::BTreeSet;

use serde_json::json;
use sicbo_server::http::access::ROUTES;

use super::house::{House, STAFF, TABLE, own_pin};
use super::http::{Answer, get, post};
use super::real_money::two_tables;

const TABLE_OF_ROLES: &str = include_str!("roles.txt");
const POSITIONS: [&str; 12] = [
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "shift-manager",
    "director",
    "head-of-operations",
    "surveillance",
    "cashier",
    "auditor",
    "regulator",
    "trainer",
    "technician",
];

struct Row {
    cells: Vec<char>,
    /// From where it is used with real money: `*` anywhere, or as the file says.
    from: char,
    method: &'static str,
    path: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = TABLE_OF_ROLES.lines();
    lines
        .filter(|line| !line.starts_with('#') && !line.starts_with("at "))
        .map(|line| {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            let from = words.last().and_then(|word| word.strip_prefix('@'));
            let from = from.and_then(|word| word.chars().next()).unwrap_or('*');
            if from != '*' {
                words.pop();
            }
            let (cells, route) = words.split_at(words.len() - 2);
            assert_eq!(cells.len(), 5 + POSITIONS.len(), "{line}");
            Row {
                from,
                cells: cells.iter().flat_map(|cell| cell.chars()).collect(),
                method: route[0],
                path: route[1],
            }
        })
        .collect()
}

/// How somebody was received, in the table's letters.
fn letter(said: &Answer) -> char {
    if said.status < 400 {
        return '+';
    }
    let detail = said.json()["detail"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    match (said.status, said.code().as_str()) {
        (401, "log_in_first") => 'L',
        (401, "token_needed" | "not_enrolled") => 'T',
        (403, "must_change_pin") => 'P',
        (403, "place_does_not_fit") => 'W',
        (403, "not_authorised") if detail.starts_with("this is for") => '-',
        (401 | 403, "log_in_failed") => '+',
        (401 | 403, _) => '?',
        (500.., _) => '!',
        _ => '+',
    }
}

#[test]
fn s_18_every_route_receives_everyone_as_the_table_says() {
    let house = House::quick();
    let out = house.staff("trainer");
    house.ask("DELETE", "/api/session", &[&out], None).is(204);
    let technician = house.staff("technician");
    let revoked = house.terminal(6).to_owned();
    let number = revoked.split('-').next().expect("its number");
    house
        .ask(
            "DELETE",
            &format!("/api/enrolments/{number}"),
            &[&technician],
            Some(&json!({"reason": "lost"})),
        )
        .is(204);
    // The second director has not changed the PIN they were given.
    let one_time = house.log_in("Sim Ah Lek", house.pin("Sim Ah Lek")).cookie();
    let mut callers = vec![
        ("nobody", None),
        (
            "terminal",
            Some(format!("Authorization: Bearer {}", house.terminal(1))),
        ),
        ("revoked", Some(format!("Authorization: Bearer {revoked}"))),
        ("logged out", Some(out)),
        ("one-time PIN", Some(one_time)),
    ];
    for position in POSITIONS {
        callers.push((position, Some(house.staff(position))));
    }
    let mut wrong = Vec::new();
    for row in rows() {
        let path = filled(row.path, TABLE);
        for ((who, header), expected) in callers.iter().zip(&row.cells) {
            let headers: Vec<&str> = header.as_deref().into_iter().collect();
            // Whoever logs out here must not be logged out for the next row.
            if row.method == "DELETE" && row.path == "/api/session" && *expected == '+' {
                continue;
            }
            let nothing = json!({});
            let body = (row.method != "GET").then_some(&nothing);
            let said = house.ask(row.method, &path, &headers, body);
            // A log-in says for itself whom it lets through.
            let own = row.path == "/api/session" && row.method == "POST";
            let got = if own && *who != "nobody" && said.status == 403 {
                '+'
            } else {
                letter(&said)
            };
            if got != *expected {
                wrong.push(format!(
                    "{} {path} for {who}: {got} instead of {expected}: {said:?}",
                    row.method
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Everyone who is logged in can log out, last of all.
    for (who, header) in callers.iter().skip(4) {
        let header = header.as_deref().expect("a session");
        house.ask("DELETE", "/api/session", &[header], None).is(204);
        assert_eq!(get(&house, "/api/session", &[header]).status, 401, "{who}");
    }
}

/// The places somebody in a position logs in at, in the file's letters.
fn posts(position: &str) -> &'static str {
    let mut lines = TABLE_OF_ROLES
        .lines()
        .filter_map(|line| line.strip_prefix("at "));
    let line = lines.find(|line| line.split_whitespace().next() == Some(position));
    let line = line.unwrap_or_else(|| panic!("{position} works nowhere"));
    line.split_whitespace().nth(1).expect("its places")
}

/// The path of a route with something for every name.
fn filled(path: &str, table: &str) -> String {
    path.replace("{table}", table)
        .replace("{book}", "mbs-etg")
        .replace("{layout}", "rapid")
        .replace("{person}", "4000000")
        .replace("{enrolment}", "4000000")
        .replace("{round}", "4000000")
        .replace("{proposal}", "4000000")
        .replace("{voucher}", "4000000")
        .replace("{case}", "4000000")
        .replace("{station}", "0")
}

#[test]
fn s_17_every_position_at_every_place_and_table_is_received_as_the_table_says() {
    let house = House::of(&two_tables());
    let places = [
        ('k', "mbs-etg console"),
        ('x', "other console"),
        ('p', "pit desk 1"),
        ('w', "cage window 1"),
        ('t', "technician desk 1"),
        ('a', "audit desk 1"),
    ];
    let mut wrong = Vec::new();
    let mut asked = 0;
    for (at, position) in POSITIONS.into_iter().enumerate() {
        let (_, name) = STAFF
            .iter()
            .find(|(held, _)| *held == position)
            .expect("one");
        // The one-time PIN is changed at a place that fits, before others are tried.
        house.staff(position);
        for (letter_of_place, place) in places {
            let bearer = format!("Authorization: Bearer {}", house.token(place));
            let body = json!({"name": name, "pin": own_pin(name)});
            let said = post(&house, "/api/session", &[&bearer], &body);
            let fits = posts(position).contains(letter_of_place);
            if fits != (said.status == 200) || (!fits && said.status != 403) {
                wrong.push(format!("{position} at {place}: {said:?}"));
            }
            if said.status != 200 {
                continue;
            }
            let cookie = said.cookie();
            for row in rows() {
                if row.path == "/api/session" {
                    continue;
                }
                for (own, table) in [('k', TABLE), ('x', "other")] {
                    if own == 'x' && !row.path.contains("{table}") {
                        continue;
                    }
                    let path = filled(row.path, table);
                    let console = matches!(letter_of_place, 'k' | 'x');
                    let there = match row.from {
                        'w' => letter_of_place == 'w',
                        'd' => !console,
                        'k' => !console || letter_of_place == own,
                        _ => true,
                    };
                    let expected = match row.cells[5 + at] {
                        '+' if !there => 'W',
                        cell => cell,
                    };
                    // Nothing is tried in a house for money.
                    let trial = row.path.starts_with("/api/trial/");
                    let nothing = json!({});
                    let body = (row.method != "GET").then_some(&nothing);
                    let said = house.ask(row.method, &path, &[&cookie], body);
                    asked += 1;
                    let got = letter(&said);
                    if got != expected && !(trial && said.status == 403) {
                        wrong.push(format!(
                            "{} {path} for {position} at {place}: {got}, not {expected}: {said:?}",
                            row.method
                        ));
                    }
                }
            }
            house
                .ask("DELETE", "/api/session", &[&cookie], None)
                .is(204);
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked > 2_000, "{asked}");
    house.ends_clean();
}

#[test]
fn the_table_the_program_and_the_document_name_the_same_routes() {
    let own: BTreeSet<(String, String)> = rows()
        .iter()
        .map(|row| (row.method.to_owned(), row.path.to_owned()))
        .collect();
    let program: BTreeSet<(String, String)> = ROUTES
        .iter()
        .map(|(method, path, _)| (method.to_string(), (*path).to_owned()))
        .collect();
    assert_eq!(program.len(), ROUTES.len(), "a route stands there twice");
    assert_eq!(own, program);
    let document = sicbo_server::http::document();
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            described.insert((method.to_uppercase(), path.clone()));
        }
    }
    assert_eq!(described, program);
    let held: BTreeSet<&str> = STAFF.iter().map(|(position, _)| *position).collect();
    assert_eq!(held, POSITIONS.into_iter().collect(), "somebody for each");
}

#[test]
fn a_route_that_is_not_in_the_table_is_refused_to_everyone() {
    use sicbo_server::http::access::access;
    for (method, path) in [
        ("GET", "/api/forgotten"),
        ("POST", "/api/house"),
        ("DELETE", "/api/people"),
        ("OPTIONS", "/api/house"),
        ("GET", "/api/house/"),
        ("GET", ""),
    ] {
        let method = method.parse().expect("a method");
        assert_eq!(access(&method, path), None, "{method} {path}");
    }
    // A handler that was put into the router and forgotten in the table.
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut plan = sicbo_plan::HousePlan::trial();
    plan.pin_cost = sicbo_register::pin::PinCost::LOW;
    let started = sicbo_server::floor::start(plan, folder.path(), false, &Default::default())
        .expect("a house");
    let router: axum::Router = axum::Router::new()
        .route("/api/forgotten", axum::routing::any(|| async { "open" }))
        .route("/api/house", axum::routing::any(|| async { "known" }))
        .route("/api/trial/staff", axum::routing::any(|| async { "known" }))
        .route_layer(axum::middleware::from_fn_with_state(
            std::sync::Arc::clone(&started.floor),
            sicbo_server::http::access::enforce,
        ));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let knock_from = |from: &str, method: &str, path: &str| {
        let from: std::net::IpAddr = from.parse().expect("an address");
        let request = axum::http::Request::builder()
            .method(method)
            .uri(path)
            .extension(sicbo_server::edge::PeerAddress(from))
            .body(axum::body::Body::empty());
        let request = request.expect("a request");
        let answered = tower::ServiceExt::oneshot(router.clone(), request);
        runtime
            .block_on(answered)
            .expect("an answer")
            .status()
            .as_u16()
    };
    let knock = |method: &str, path: &str| knock_from("127.0.0.1", method, path);
    assert_eq!(knock("GET", "/api/house"), 200);
    // A position without a PIN is not for who comes over the network.
    assert_eq!(knock("POST", "/api/trial/staff"), 200);
    assert_eq!(knock_from("192.0.2.7", "POST", "/api/trial/staff"), 403);
    assert_eq!(knock("PUT", "/api/house"), 403);
    for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
        assert_eq!(knock(method, "/api/forgotten"), 403, "{method}");
    }
    started.engine.stop();
    // And so does the running house, whose handlers are in no other table.
    let house = House::quick();
    let director = house.staff("director");
    for path in [
        "/api/forgotten",
        "/api/",
        "/ws/forgotten",
        "/api/people/1/2",
    ] {
        assert_eq!(get(&house, path, &[&director]).status, 404, "{path}");
    }
    let said = post(&house, "/api/house", &[&director], &json!({})).refuses(405, "wrong_method");
    assert_eq!(said.header("allow"), Some("GET,HEAD"));
}
