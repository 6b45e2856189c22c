//! Bytes no browser would send, at every door that takes HTTP.

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::house::{House, SOON, TABLE};
use super::http::{get, post, request};

fn raw(path: &str, kind: &str, body: &[u8], more: &str) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {kind}\r\n\
         Content-Length: {}\r\n{more}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

#[test]
fn bodies_that_are_no_request_are_refused_with_a_reason() {
    let house = House::brisk();
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let deep_field = format!(
        "{{\"pin\":{}1{}",
        "{\"a\":".repeat(5_000),
        "}".repeat(5_001)
    );
    let large = format!("{{\"name\":\"{}\",\"pin\":\"1\"}}", "a".repeat(70_000));
    let json = "application/json";
    let cases: Vec<(&str, &[u8], u16, &str)> = vec![
        (json, b"", 400, "not_json"),
        (json, b"{", 400, "not_json"),
        (json, b"nonsense", 400, "not_json"),
        (json, b"\xff\xfe{}", 400, "not_json"),
        (
            json,
            b"{\"name\":\"\xff\xff\",\"pin\":\"1\"}",
            400,
            "not_json",
        ),
        (
            json,
            b"{\"name\":\"\\ud800\",\"pin\":\"1\"}",
            400,
            "not_json",
        ),
        (json, deep.as_bytes(), 422, "not_understood"),
        (json, deep_field.as_bytes(), 400, "not_json"),
        (json, b"[]", 422, "not_understood"),
        (json, b"null", 422, "not_understood"),
        (json, b"{}", 422, "not_understood"),
        (
            json,
            b"{\"name\":\"a\",\"pin\":\"1\",\"admin\":true}",
            422,
            "not_understood",
        ),
        (
            json,
            b"{\"name\":\"a\",\"name\":\"b\",\"pin\":\"1\"}",
            422,
            "not_understood",
        ),
        (json, large.as_bytes(), 413, "too_large"),
        ("text/plain", b"{}", 415, "not_json"),
        (
            "application/x-www-form-urlencoded",
            b"name=a",
            415,
            "not_json",
        ),
        ("", b"{}", 415, "not_json"),
    ];
    for (kind, body, status, code) in cases {
        let said = house.bytes(&raw("/api/session", kind, body, ""));
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        assert_eq!(
            (said.status, said.code().as_str()),
            (status, code),
            "{kind} {shown}"
        );
    }
    // In pieces it is as large.
    let mut bytes = b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
        Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        .to_vec();
    for _ in 0..80 {
        bytes.extend_from_slice(b"400\r\n");
        bytes.extend_from_slice(&[b' '; 1024]);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    assert_eq!(house.bytes(&bytes).code(), "too_large");
    // Many megabytes announced, and the reason still arrives.
    let mut bytes = raw("/api/session", json, b"", "");
    bytes = String::from_utf8(bytes)
        .expect("text")
        .replace("Content-Length: 0", "Content-Length: 50000000")
        .into_bytes();
    bytes.resize(bytes.len() + 200_000, b' ');
    assert_eq!(house.bytes(&bytes).status, 413);
    house.goes_on_dealing();
}

#[test]
fn heads_that_are_no_request_are_refused() {
    let house = House::brisk();
    let many: String = (0..100).map(|n| format!("X-{n}: 1\r\n")).collect();
    let long = "a".repeat(100_000);
    let cases: Vec<(Vec<u8>, &[u16])> = vec![
        (b"\x00\x01\x02\x03\r\n\r\n".to_vec(), &[400]),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), &[400]),
        (b"nonsense\r\n\r\n".to_vec(), &[400]),
        (b"GET / HTTP/9.9\r\n\r\n".to_vec(), &[400, 505]),
        (b"GET /api/house HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n".to_vec(), &[400]),
        (b"GET /api/house HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n".to_vec(), &[400]),
        (b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef".to_vec(), &[400]),
        (b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n".to_vec(), &[400, 413]),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), &[0, 400, 505]),
        (format!("GET /api/house HTTP/1.1\r\nHost: localhost\r\n{many}\r\n").into_bytes(), &[431]),
        (format!("GET /{long} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes(), &[414, 431]),
        (format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {long}\r\n\r\n").into_bytes(), &[431]),
    ];
    for (bytes, statuses) in cases {
        let said = house.bytes(&bytes);
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        assert!(statuses.contains(&said.status), "{shown:?}: {}", said.head);
    }
    house.goes_on_dealing();
}

#[test]
fn paths_lead_nowhere_but_to_routes() {
    let house = House::quick();
    for path in [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd.txt",
        "/assets/../../house.toml",
        "//etc/passwd.txt",
        "/assets/%00.js",
        "/api/tables/..%2f..%2fhouse",
        "/api/tables/%ff%fe",
        "/api/tables/house",
        "/api/rulebooks/..%2fmbs-etg",
        "/api/tables/mbs-etg/rounds/18446744073709551616",
        "/api/tables/mbs-etg/../../people",
        "/ws/wall/nowhere",
    ] {
        let said = get(&house, path, &[]);
        // A page of the app is the same page at every name.
        let page = said.header("content-type") == Some("text/html; charset=utf-8");
        assert!(
            matches!(said.status, 400 | 401 | 404) || page && said.body.contains("<html"),
            "{path}: {}",
            said.head
        );
        assert!(
            !said.body.contains("root:") && !said.body.contains("[[tables]]"),
            "{path}"
        );
    }
    for (query, status) in [
        ("n=0", 400),
        ("n=201", 400),
        ("n=-1", 400),
        ("n=1.5", 400),
        ("n=NaN", 400),
        ("n=99999999999999999999", 400),
        ("before=0", 400),
        ("before=-1", 400),
        ("before=18446744073709551615", 200),
        ("before=18446744073709551616", 400),
        ("more=1", 400),
        ("n=1&n=2", 400),
    ] {
        get(&house, &format!("/api/tables/{TABLE}/rounds?{query}"), &[]).is(status);
    }
}

/// Numbers at and beyond every edge, in every number of every act.
#[test]
fn numbers_out_of_range_are_refused_at_every_act() {
    let house = House::quick();
    let staff: Vec<String> = ["dealer", "pit-manager", "director", "cashier"]
        .iter()
        .map(|position| house.staff(position))
        .collect();
    let document = sicbo_server::http::document();
    let acts = document["components"]["schemas"]["StaffAct"]["oneOf"]
        .as_array()
        .expect("acts")
        .clone();
    assert!(acts.len() > 40, "{}", acts.len());
    let edges = [
        json!(-1),
        json!(0),
        json!(1),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(9_007_199_254_740_993_i64),
        json!(1.5),
        json!(1e300),
        json!("NaN"),
        json!(null),
    ];
    // What ends the table's day goes last.
    let ends = |act: &Value| {
        let text = act.to_string();
        [
            "announce_last_round",
            "close_table",
            "suspend",
            "remove_station",
        ]
        .iter()
        .any(|word| text.contains(word))
    };
    let (last, first): (Vec<Value>, Vec<Value>) = acts.into_iter().partition(ends);
    let table = format!("/api/tables/{TABLE}");
    for (at, act) in first.iter().chain(&last).enumerate() {
        for edge in &edges {
            let body = filled(&document, act, edge);
            let (one, other) = (&staff[at % staff.len()], &staff[(at + 1) % staff.len()]);
            let said = post(&house, &format!("{table}/acts"), &[one], &body);
            assert!((200..500).contains(&said.status), "{body}: {said:?}");
            // And as two persons.
            let said = post(&house, &format!("{table}/proposals"), &[one], &body);
            assert!((200..500).contains(&said.status), "{body}: {said:?}");
            let Some(number) = said.json()["proposal"].as_u64() else {
                continue;
            };
            let path = format!("{table}/proposals/{number}");
            let stated = json!({"digest": said.json()["digest"], "dice": [1, 2, 3]});
            let said = post(&house, &format!("{path}/confirm"), &[other], &stated);
            assert!((200..500).contains(&said.status), "{body}: {said:?}");
            if said.status != 200 {
                house.ask("DELETE", &path, &[one], None).is(204);
            }
        }
    }
    let log = house.program.log();
    assert!(!log.contains("panicked"), "{log}");
    let health = get(&house, "/health", &[]).json();
    assert_eq!(health["ready"], true, "{health}");
}

/// An example of a schema, with every number the given one.
fn filled(document: &Value, schema: &Value, edge: &Value) -> Value {
    if let Some(to) = schema["$ref"].as_str() {
        let found = document.pointer(to.trim_start_matches('#')).expect("there");
        return filled(document, found, edge);
    }
    if let Some(all) = schema["allOf"].as_array() {
        let mut whole = json!({});
        for part in all {
            for (key, value) in filled(document, part, edge).as_object().expect("fields") {
                whole[key] = value.clone();
            }
        }
        return whole;
    }
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[0].clone(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("object") => {
            let mut object = json!({});
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                object[name] = filled(document, field, edge);
            }
            object
        }
        Some("array") if schema["minItems"] == 3 => json!([1, 2, 3]),
        Some("array") => json!([filled(document, &schema["items"], edge)]),
        Some("integer") => edge.clone(),
        Some("boolean") => json!(true),
        _ => json!("text"),
    }
}

#[test]
fn slow_heads_and_bodies_are_cut_off_and_cost_nobody_else_anything() {
    let house = House::brisk();
    let begun = Instant::now();
    let mut slow_head = house.line();
    slow_head
        .write_all(b"GET /api/house HTTP/1.1\r\nHost: localhost\r\n")
        .expect("sent");
    let mut slow_body = house.line();
    slow_body
        .write_all(b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
        .expect("sent");
    let trickles: Vec<_> = [&slow_head, &slow_body]
        .into_iter()
        .map(|line| {
            let mut line = line.try_clone().expect("the same line");
            std::thread::spawn(move || {
                // One byte at a time: each is a sign of life, and not enough.
                while line.write_all(b" ").is_ok() && begun.elapsed() < SOON {
                    std::thread::sleep(Duration::from_millis(500));
                }
            })
        })
        .collect();
    // Meanwhile others are served.
    house.goes_on_dealing();
    let mut terminal = house.seated(1);
    terminal.say(&json!({"type": "call_attendant", "request": 7}));
    assert_eq!(terminal.until("done")["request"], 7);
    let mut all = String::new();
    let _ = slow_body.read_to_string(&mut all);
    assert!(all.starts_with("HTTP/1.1 408 "), "{all:?}");
    assert!(all.contains("too_slow"), "{all:?}");
    let mut rest = Vec::new();
    let _ = slow_head.read_to_end(&mut rest);
    assert!(
        begun.elapsed() < Duration::from_secs(25),
        "{:?}",
        begun.elapsed()
    );
    for trickle in trickles {
        trickle.join().expect("cut off");
    }
}

#[test]
fn requests_one_after_the_other_on_a_line_are_answered_in_order_and_unread_answers_are_bounded() {
    let house = House::brisk();
    let mut line = house.line();
    let one = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    line.write_all(&one.repeat(50)).expect("sent");
    line.write_all(&request("GET", "/api/nothing", &[], None))
        .expect("sent");
    let mut all = String::new();
    line.read_to_string(&mut all).expect("answers");
    assert_eq!(all.matches("HTTP/1.1 204").count(), 50);
    assert_eq!(all.matches("HTTP/1.1 404").count(), 1);
    // Whoever asks for much and reads nothing is let go, and memory stays.
    let before = house.memory_kib();
    let files = house.files();
    let large = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let lines: Vec<_> = (0..50)
        .map(|_| {
            let mut line = house.line();
            line.set_nonblocking(true).expect("set");
            let _ = line.write(&large.repeat(700));
            line
        })
        .collect();
    let begun = Instant::now();
    while house.files() > files + 5 {
        assert!(begun.elapsed() < SOON, "{} files are open", house.files());
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(lines);
    let grown = house.memory_kib().saturating_sub(before);
    assert!(grown < 60_000, "{grown} KiB more");
    house.goes_on_dealing();
}
