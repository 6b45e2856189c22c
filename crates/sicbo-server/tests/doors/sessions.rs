//! Logging in: guessing is locked out, sessions end when they must, and no
//! secret is repeated.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::house::{House, SOON, TABLE, own_pin, plan};
use super::http::{Answer, get, post};
use super::ws::Socket;

fn tries(house: &House, name: &str, pin: &str, count: usize) -> Vec<u16> {
    let all = (0..count).map(|_| house.log_in(name, pin));
    all.map(|said| said.status).collect()
}

#[test]
fn s_18_guessing_a_pin_locks_that_person_and_no_other() {
    let house = House::quick();
    let director = house.staff("director");
    assert_eq!(
        tries(&house, "Tan Wei Ming", "864209", 6),
        [401, 401, 401, 401, 429, 429]
    );
    // The right PIN opens nothing during the cool-down, and is not said to be right.
    let said = house.log_in("Tan Wei Ming", house.pin("Tan Wei Ming"));
    said.refuses(429, "locked_out");
    // Written in another way it is the same person.
    assert_eq!(house.log_in("  TAN  wei ming ", "864209").status, 429);
    let said = house.log_in("Lim Siew Hoon", house.pin("Lim Siew Hoon"));
    said.is(200);
    let people = get(&house, "/api/people", &[&director]).json();
    let locked = people[0]["locked_until_ms"].as_i64().expect("locked");
    let now = get(&house, "/api/house", &[]).json()["server_ms"]
        .as_i64()
        .expect("a time");
    assert!(
        (30_000..=60_000).contains(&(locked - now)),
        "{}",
        locked - now
    );
    // Lifted by somebody else who may, and the count begins anew.
    let lift = json!({"change": "lift_lock"});
    post(&house, "/api/people/1", &[&director], &lift).is(204);
    let said = house.log_in("Tan Wei Ming", house.pin("Tan Wei Ming"));
    said.is(200);
}

#[test]
fn s_18_many_guesses_at_once_count_like_many_in_a_row() {
    let house = House::quick();
    let said = guess_at_once(
        &house,
        "/api/session",
        &[],
        |guess| json!({"name": "Tan Wei Ming", "pin": guess}),
    );
    let count = |status: u16| said.iter().filter(|said| **said == status).count();
    assert_eq!(count(401), 4, "{said:?}");
    assert_eq!(count(429) + count(503), 36, "{said:?}");
    assert!(count(429) >= 1, "{said:?}");
}

/// Forty wrong PINs at once; what each was answered.
fn guess_at_once(
    house: &House,
    path: &'static str,
    headers: &[&str],
    body: impl Fn(&str) -> Value,
) -> Vec<u16> {
    let address = house.address;
    let guesses: Vec<_> = (0..40)
        .map(|guess| {
            let body = body(&format!("86{guess:02}09")).to_string();
            let bytes = super::http::request("POST", path, headers, Some(&body));
            std::thread::spawn(move || {
                let mut line = std::net::TcpStream::connect(address).expect("a line");
                super::http::ask_on(&mut line, &bytes).status
            })
        })
        .collect();
    let said = guesses.into_iter().map(|g| g.join().expect("asked"));
    said.collect()
}

#[test]
fn s_18_guesses_of_a_second_or_an_old_pin_at_once_count_like_many_in_a_row() {
    let house = House::quick();
    let (manager, dealer) = (house.staff("shift-manager"), house.staff("dealer"));
    let (supervisor, director) = (house.staff("pit-supervisor"), house.staff("director"));
    let bounded = |said: &[u16]| {
        let count = |status: u16| said.iter().filter(|said| **said == status).count();
        assert_eq!(count(403), 4, "{said:?}");
        assert_eq!(count(429) + count(503), 36, "{said:?}");
    };
    let path = "/api/cage/vouchers/1/void";
    let second =
        |pin: &str| json!({"reason": "lost", "second_name": "Lim Siew Hoon", "second_pin": pin});
    bounded(&guess_at_once(&house, path, &[&manager], second));
    // Nor does the right one help before the lock is over, or lifted.
    let right = own_pin("Lim Siew Hoon");
    post(&house, path, &[&manager], &second(&right)).coded("locked_out");
    let lift = json!({"change": "lift_lock"});
    let person = get(&house, "/api/session", &[&supervisor]).json()["person"].clone();
    let said = post(
        &house,
        &format!("/api/people/{person}"),
        &[&director],
        &lift,
    );
    said.is(204);
    post(&house, path, &[&manager], &second(&right)).coded("unknown_voucher");

    let path = "/api/session/pin";
    let change = |old: &str| json!({"old": old, "new": "71395284"});
    bounded(&guess_at_once(&house, path, &[&dealer], change));
    let right = own_pin("Tan Wei Ming");
    post(&house, path, &[&dealer], &change(&right)).coded("locked_out");
}

#[test]
fn s_18_names_nobody_has_are_locked_out_cost_as_much_and_are_on_record() {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("house.toml"), plan("")).expect("the plan");
    // How long a name takes is how long its PIN takes.
    std::fs::write(
        folder.path().join(crate::common::program::FULL_PIN_COST),
        "",
    )
    .expect("a mark");
    let house = House::start(folder);
    let time = |name: &str| {
        let begun = Instant::now();
        assert_eq!(house.log_in(name, "864209").status, 401);
        begun.elapsed()
    };
    // The first hash of all finds cold memory: it is nobody's.
    time("Nobody First");
    let pairs = [
        ("Tan Wei Ming", "Nobody Atall"),
        ("Lim Siew Hoon", "Nobody Else"),
        ("Nurul Aisyah", "Nobody More"),
        ("Ravi Subramaniam", "Nobody Yet"),
        ("Hafiz Rahman", "Nobody There"),
    ];
    // In turns, so that neither is always the first, and by their medians: a busy machine delays
    // either, and failures are told at multiples of a quarter of a second.
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for (at, (one, nobody)) in pairs.into_iter().enumerate() {
        if at % 2 == 0 {
            known.push(time(one));
            unknown.push(time(nobody));
        } else {
            unknown.push(time(nobody));
            known.push(time(one));
        }
    }
    let median = |times: &[Duration]| {
        let mut sorted = times.to_vec();
        sorted.sort();
        sorted[sorted.len() / 2]
    };
    let (one, other) = (median(&known), median(&unknown));
    println!("known {one:?} {known:?}, unknown {other:?} {unknown:?}");
    // A name that is not looked at more closely would be quicker by a whole hash each time.
    assert!(
        other * 2 > one && one * 2 > other,
        "known {known:?}, unknown {unknown:?}"
    );
    // And is made to wait like a name that somebody has.
    let waits = [401, 401, 401, 401, 429, 429];
    assert_eq!(tries(&house, "Nobody Again", "864209", 6), waits);
    // Those who work here can still log in.
    let said = house.log_in("Goh Boon Keng", house.pin("Goh Boon Keng"));
    said.is(200);
    // A PIN typed into the field of the name is not written down.
    house.log_in(house.pin("Goh Boon Keng"), "Goh Boon Keng");
    let pin = house.pin("Goh Boon Keng").to_owned();
    let (status, folder) = house.stop();
    assert!(status.success());
    let journal = all_bytes(&folder.path().join("data"));
    assert!(holds(&journal, b"Nobody Atall"), "failures are on record");
    assert!(!holds(&journal, pin.as_bytes()));
}

fn all_bytes(folder: &std::path::Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(all_bytes(&path));
        } else {
            all.extend(std::fs::read(&path).expect("a file"));
        }
    }
    all
}

fn holds(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|part| part == what)
}

#[test]
fn s_18_a_one_time_pin_is_changed_before_anything_else_and_simple_ones_are_refused() {
    let house = House::quick();
    let name = "Goh Boon Keng";
    let cookie = house.log_in(name, house.pin(name)).cookie();
    let people = || get(&house, "/api/people", &[&cookie]);
    assert_eq!(people().code(), "must_change_pin");
    let change = |old: &str, new: &str| {
        let body = json!({"old": old, "new": new});
        post(&house, "/api/session/pin", &[&cookie], &body)
    };
    for simple in [
        "111111",
        "123456",
        "121212",
        "010190",
        "12345",
        "1234567890123",
        "abcdef",
        "",
    ] {
        change(house.pin(name), simple).coded("pin_not_allowed");
    }
    change(house.pin(name), house.pin(name)).coded("pin_not_allowed"); // a one-time PIN is used once
    assert_eq!(change("864209", &own_pin(name)).code(), "pin_wrong");
    assert_eq!(change(house.pin(name), &own_pin(name)).status, 204);
    assert_eq!(people().status, 200);
    assert_eq!(house.log_in(name, house.pin(name)).status, 401);
    assert_eq!(house.log_in(name, &own_pin(name)).status, 200);
}

#[test]
fn s_18_a_changed_pin_or_right_ends_every_other_session_of_the_person() {
    let house = House::quick();
    let is_in = |cookie: &str| get(&house, "/api/session", &[cookie]).status == 200;
    // Whoever logs in again has left where they were.
    let one = house.session("Goh Boon Keng");
    let two = house.session("Goh Boon Keng");
    assert!(!is_in(&one) && is_in(&two));
    let body = json!({"old": own_pin("Goh Boon Keng"), "new": "7306194"});
    assert_eq!(post(&house, "/api/session/pin", &[&two], &body).status, 204);
    assert!(is_in(&two));
    let director = house.staff("director");
    let dealer = house.staff("dealer");
    let mut socket =
        Socket::open(house.line(), &format!("/ws/console/{TABLE}"), &[&dealer]).expect("a console");
    for (change, after) in [
        (json!({"change": "position", "position": "cashier"}), 204),
        (json!({"change": "reset_pin"}), 200),
        (json!({"change": "disable", "reason": "left"}), 204),
    ] {
        post(&house, "/api/people/1", &[&director], &change).is(after);
        assert!(!is_in(&dealer), "{change}");
    }
    assert_eq!(socket.ended().0, "logged_out");
    // Whoever may not act is told no more than who was wrong.
    let said = house.log_in("Tan Wei Ming", &own_pin("Tan Wei Ming"));
    said.coded("log_in_failed");
}

#[test]
fn s_18_nothing_done_for_too_long_logs_out_also_on_a_socket() {
    let house = House::of(&plan("idle_log_out_minutes = 1"));
    let dealer = house.staff("dealer");
    let mut socket =
        Socket::open(house.line(), &format!("/ws/console/{TABLE}"), &[&dealer]).expect("a console");
    socket
        .line
        .set_read_timeout(Some(Duration::from_secs(20)))
        .expect("set");
    let asks_by_itself = || get(&house, "/api/session", &[&dealer, "sicbo-background: yes"]);
    // Not before its time, of which three seconds are left for the house to look in vain.
    house.skip(Duration::from_secs(50));
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(3) {
        asks_by_itself().is(200);
        std::thread::sleep(Duration::from_millis(100));
    }
    house.skip(Duration::from_secs(10));
    // Watching is not doing; answering pings is not either, nor what a screen
    // asks by itself.
    let code = loop {
        let asked = asks_by_itself();
        assert!(matches!(asked.status, 200 | 401), "{}", asked.body);
        match socket.next() {
            super::ws::Frame::Ping => drop(socket.frame(0x8a, b"")),
            super::ws::Frame::Text(said) if said["type"] == "bye" => break said["code"].clone(),
            super::ws::Frame::Gone => panic!("no reason"),
            _ => {}
        }
        assert!(begun.elapsed() < SOON);
    };
    assert_eq!(code, "logged_out");
    get(&house, "/api/session", &[&dealer]).coded("log_in_first");
}

#[test]
fn the_cookie_is_for_no_script_and_no_other_page_and_answers_carry_their_headers() {
    let house = House::quick();
    let said = house.log_in("Goh Boon Keng", house.pin("Goh Boon Keng"));
    let cookie = said.header("set-cookie").expect("a cookie");
    assert!(
        cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"),
        "{cookie}"
    );
    for (path, status) in [
        ("/", 200),
        ("/api/house", 200),
        ("/api/people", 401),
        ("/api/x", 404),
    ] {
        let said = get(&house, path, &[]).is(status);
        let has = |name: &str, value: &str| {
            assert!(
                said.header(name).is_some_and(|v| v.contains(value)),
                "{path} {name}"
            );
        };
        has("content-security-policy", "default-src 'self'");
        has("content-security-policy", "frame-ancestors 'self'");
        has("x-content-type-options", "nosniff");
        has("x-frame-options", "SAMEORIGIN");
        has("referrer-policy", "no-referrer");
        has("permissions-policy", "camera=()");
        has("cross-origin-opener-policy", "same-origin");
        if path != "/" {
            has("cache-control", "no-store");
        }
    }
}

#[test]
fn requests_and_sockets_from_other_pages_are_refused() {
    let house = House::quick();
    let dealer = house.staff("dealer");
    for origin in [
        "http://evil.example",
        "http://localhost.evil.example",
        "http://localhost:99",
        "https://localhost",
        "null",
        "",
        "http://",
        "localhost",
        "\u{ff}",
    ] {
        let header = format!("Origin: {origin}");
        get(&house, "/api/session", &[&dealer, &header]).refuses(403, "other_origin");
        let terminal = Socket::open(house.line(), "/ws/terminal", &[&header]);
        assert_eq!(terminal.err().expect("refused").code(), "other_origin");
        let pit = Socket::open(house.line(), "/ws/pit", &[&dealer, &header]);
        assert_eq!(pit.err().expect("refused").status, 403);
    }
    let own = "Origin: http://localhost";
    assert_eq!(get(&house, "/api/session", &[&dealer, own]).status, 200);
    assert!(Socket::open(house.line(), "/ws/terminal", &[own]).is_ok());
}

#[test]
fn s_18_nobody_logs_in_at_a_players_terminal() {
    let house = House::quick();
    let body = json!({"name": "Goh Boon Keng", "pin": house.pin("Goh Boon Keng")});
    let at = |token: &str| {
        let header = format!("Authorization: Bearer {token}");
        post(&house, "/api/session", &[&header], &body)
    };
    assert_eq!(at(house.terminal(1)).code(), "not_authorised");
    assert_eq!(at("1-00").code(), "not_enrolled");
    assert_eq!(at(house.token(&format!("{TABLE} console"))).status, 200);
}

#[test]
fn no_secret_is_repeated_in_an_answer_or_on_the_log() {
    let house = House::quick();
    let pin = house.pin("Goh Boon Keng").to_owned();
    let token = house.terminal(2).to_owned();
    let dealer = house.staff("cashier");
    let mut said: Vec<Answer> = Vec::new();
    let number: u64 = pin.parse().expect("digits");
    for body in [
        json!({"name": 5, "pin": pin}),
        json!({"name": "Goh Boon Keng", "pin": number}),
        json!({"name": "Goh Boon Keng", "pin": [pin]}),
        json!({"name": "Goh Boon Keng", "pin": {"pin": pin}}),
        json!({"name": "Goh Boon Keng", "pin": pin, "more": 1}),
        json!({"old": number, "new": number}),
    ] {
        said.push(post(&house, "/api/session", &[], &body));
        said.push(post(&house, "/api/session/pin", &[&dealer], &body));
    }
    let digits = "123456789012345678";
    for body in [
        json!({"request": 1, "number": 123_456_789_012_345_678_u64, "currency": "SGD"}),
        json!({"request": 1, "number": digits, "currency": "SGD"}),
        json!({"request": 1, "number": digits, "currency": "X"}),
    ] {
        said.push(post(&house, "/api/cage/redemptions", &[&dealer], &body));
    }
    let header = format!("Authorization: Bearer {token}x");
    said.push(get(&house, "/api/station/rounds", &[&header]));
    let mut socket = house.seated(1);
    for message in [
        json!({"type": "redeem", "request": 1, "number": 123_456_789_012_345_678_u64}),
        json!({"type": "redeem", "request": 2, "number": digits}),
        json!({"type": "hello", "protocol": 1, "token": [token]}),
    ] {
        socket.say(&message);
        let told = loop {
            match socket.next() {
                super::ws::Frame::Text(told)
                    if ["refused", "declined"].contains(&told["type"].as_str().unwrap_or("")) =>
                {
                    break told.to_string();
                }
                super::ws::Frame::Gone => panic!("gone"),
                _ => {}
            }
        };
        assert!(
            !told.contains("1234567890") && !told.contains(&token),
            "{told}"
        );
    }
    for said in said {
        assert!(said.status >= 400, "{said:?}");
        let whole = format!("{}{}", said.head, said.body);
        for secret in [&pin, &token, "1234567890"] {
            assert!(!whole.contains(secret), "{whole}");
        }
    }
    let log = house.program.log();
    for secret in house.secrets() {
        assert!(!log.contains(secret.as_str()), "{log}");
    }
    assert!(!log.contains("1234567890"));
    assert!(!log.contains("panicked"), "{log}");
}
