//! Logging in against whoever guesses, and what a log-in takes: issue by issue.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use totp_rs::{Builder, Secret};

use super::house::{House, STAFF, TABLE, own_pin, plan};
use super::http::{Answer, ask_on, get, post, request};
use crate::common::comes;
use crate::common::program::FULL_PIN_COST;

/// A house whose PINs cost what they cost everywhere.
fn with_full_pins() -> House {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("house.toml"), plan("")).expect("the plan");
    std::fs::write(folder.path().join(FULL_PIN_COST), "").expect("a mark");
    House::start(folder)
}

/// A log-in from another address.
fn log_in_from(house: &House, last: u8, name: &str, pin: &str) -> Answer {
    let body = json!({"name": name, "pin": pin}).to_string();
    let bytes = request("POST", "/api/session", &[], Some(&body));
    ask_on(&mut house.line_from(last), &bytes)
}

#[test]
fn s_18_eighty_wrong_pins_lock_nobody_out_elsewhere_or_at_an_enrolled_place() {
    let house = House::quick();
    // Somebody guesses for everyone, again and again, from one address.
    let refused: usize = std::thread::scope(|scope| {
        let house = &house;
        let guesses: Vec<_> = STAFF
            .iter()
            .map(|(_, name)| {
                scope.spawn(move || {
                    let tries = (0..6).map(|at| log_in_from(house, 2, name, &format!("86420{at}")));
                    tries.filter(|said| said.status == 429).count()
                })
            })
            .collect();
        let refused = guesses.into_iter().map(|g| g.join().expect("asked"));
        refused.sum()
    });
    assert!(refused >= 60, "whoever guesses waits: {refused}");
    log_in_from(&house, 2, "Nobody Atall", "864209").refuses(429, "locked_out");
    // Everyone who works here gets in from any other browser, with their PIN.
    for (_, name) in STAFF {
        house.log_in(name, house.pin(name)).is(200);
    }
    // And at the enrolled console, whatever comes from everywhere else.
    for last in 3..10 {
        for _ in 0..5 {
            log_in_from(&house, last, "Tan Wei Ming", "864209");
        }
    }
    let console = format!(
        "Authorization: Bearer {}",
        house.token(&format!("{TABLE} console"))
    );
    let body = json!({"name": "Tan Wei Ming", "pin": house.pin("Tan Wei Ming")});
    post(&house, "/api/session", &[&console], &body).is(200);
}

#[test]
fn s_18_a_browser_that_has_logged_somebody_in_waits_for_nobody_elses_guesses() {
    let house = House::quick();
    let name = "Lim Siew Hoon";
    let said = house.log_in(name, house.pin(name)).is(200);
    let kept = said
        .head
        .lines()
        .find_map(|line| line.split_once("sicbo_browser="))
        .map(|(_, kept)| kept.split(';').next().unwrap_or_default().to_owned());
    let kept = format!("Cookie: sicbo_browser={}", kept.expect("it is remembered"));
    // At the same address somebody guesses until every name has to wait.
    while house.log_in(name, "864209").status != 429 {}
    house
        .log_in(name, house.pin(name))
        .refuses(429, "locked_out");
    let body = |name: &str| json!({"name": name, "pin": house.pin(name)});
    post(&house, "/api/session", &[&kept], &body(name)).is(200);
    // What it remembers is of no use for another name.
    let other = "Nurul Aisyah";
    while house.log_in(other, "864209").status != 429 {}
    post(&house, "/api/session", &[&kept], &body(other)).refuses(429, "locked_out");
}

#[test]
fn s_18_known_and_unknown_names_are_answered_alike_in_words() {
    let house = with_full_pins();
    let tries = |last: u8, name: &str| -> Vec<(u16, String, Duration)> {
        let one = |_| {
            let begun = Instant::now();
            let said = log_in_from(&house, last, name, "864209");
            let words = said.json()["code"].as_str().unwrap_or_default().to_owned();
            (said.status, words, begun.elapsed())
        };
        (0..6).map(one).collect()
    };
    let (known, unknown) = (tries(2, "Tan Wei Ming"), tries(3, "Tan Wei Meng"));
    let said = |all: &[(u16, String, Duration)]| -> Vec<(u16, String)> {
        all.iter()
            .map(|(status, code, _)| (*status, code.clone()))
            .collect()
    };
    assert_eq!(said(&known), said(&unknown));
}

/// Failures are told at multiples of this.
const STEP: Duration = Duration::from_millis(250);

#[test]
fn s_18_a_known_name_takes_no_step_longer_than_an_unknown_one() {
    let house = with_full_pins();
    // Each pair from an address of its own, a known name and one that nobody has in turns, so that
    // whatever else the machine does falls on both.
    let mut address = 10;
    let mut took = |name: &str| {
        address += 1;
        let begun = Instant::now();
        log_in_from(&house, address, name, "864209").refuses(401, "log_in_failed");
        let took = begun.elapsed();
        assert!(took >= STEP, "told after {took:?}");
        took
    };
    let (mut known, mut unknown, mut pairs) = (Duration::ZERO, Duration::ZERO, 0);
    // A step that one of them takes more stays in the means, however often it is tried; a machine
    // that was busy in one try does not.
    for round in 0..4 {
        for (_, name) in STAFF.iter().take(10) {
            let other = format!("{name} {round}");
            known += took(name);
            unknown += took(&other);
            pairs += 1;
        }
        let apart = known.abs_diff(unknown) / pairs;
        println!("{apart:?} apart after {pairs} tries of each");
        if apart < STEP / 2 {
            return;
        }
    }
    panic!("{known:?} and {unknown:?} for {pairs} tries of each");
}

#[test]
fn s_18_wrong_pins_take_a_fixed_memory_however_many_are_tried_at_once() {
    let house = with_full_pins();
    let before = house.memory_kib();
    let threads = house.threads();
    std::thread::scope(|scope| {
        for at in 0..136_u8 {
            let (house, name) = (&house, STAFF[usize::from(at) % STAFF.len()].1);
            scope.spawn(move || log_in_from(house, 2 + at / 4, name, "864209"));
        }
    });
    let grown = house.memory_kib().saturating_sub(before);
    // Four areas of 19 MiB, and what threads and connections take.
    println!("{grown} KiB more after 136 wrong log-ins at once");
    assert!(grown < 4 * 19 * 1_024 + 60_000, "{grown} KiB");
    // Whoever waits for an area waits in a queue and not on a thread each. Threads are kept for ten
    // seconds after their work, so those of the crowd would still be there.
    let more = house.threads().saturating_sub(threads);
    println!("{more} threads more");
    assert!(more < 32, "{more} threads more");
}

/// The current code of a secret; waits for the next one when it was used.
fn code(house: &House, secret: &str) -> String {
    let secret = Secret::try_from_base32(secret).expect("base 32");
    let totp = Builder::new()
        .with_secret(secret)
        .build()
        .expect("a factor");
    let now = get(house, "/api/house", &[]).json()["server_ms"]
        .as_u64()
        .expect("a time");
    totp.generate(now / 1_000).to_string()
}

#[test]
fn s_18_a_position_of_which_the_plan_asks_it_logs_in_with_a_second_factor() {
    let demand = "[log_in]\nsecond_factor = [\"director\"]\n";
    let house = House::of(&format!("{}\n{demand}", plan("")));
    let (name, pin) = ("Margaret Oliveiro", own_pin("Margaret Oliveiro"));
    let director = house.session(name);
    let me = get(&house, "/api/session", &[&director]).json();
    assert_eq!(me["must_set_factor"], true);
    get(&house, "/api/people", &[&director]).refuses(403, "must_set_factor");
    // Others are asked for nothing.
    let manager = house.staff("shift-manager");
    get(&house, "/api/people", &[&manager]).is(200);
    let offer = |pin: &str| {
        post(
            &house,
            "/api/session/factor",
            &[&director],
            &json!({"pin": pin}),
        )
    };
    offer("864209").refuses(403, "pin_wrong");
    let offered = offer(&pin).is(200).json();
    let secret = offered["secret"].as_str().expect("a secret");
    assert!(
        offered["url"]
            .as_str()
            .is_some_and(|url| url.starts_with("otpauth://totp/Doors:"))
    );
    let accept = |code: &str| {
        post(
            &house,
            "/api/session/factor/code",
            &[&director],
            &json!({"code": code}),
        )
    };
    accept("12345").refuses(403, "code_wrong");
    let first = code(&house, secret);
    accept(&first).is(204);
    get(&house, "/api/people", &[&director]).is(200);
    // Somebody else who knows the PIN does not put an authenticator of theirs in its place.
    offer(&pin).refuses(401, "code_needed");
    let with_code = |code: &str| {
        let body = json!({"pin": pin, "code": code});
        post(&house, "/api/session/factor", &[&director], &body)
    };
    with_code(&first).refuses(403, "pin_wrong");
    // From now on the PIN alone opens nothing, nor does a code that was used.
    let log_in = |code: Option<&str>| {
        let mut body = json!({"name": name, "pin": pin});
        if let Some(code) = code {
            body["code"] = Value::from(code);
        }
        post(&house, "/api/session", &[], &body)
    };
    log_in(None).refuses(401, "code_needed");
    log_in(Some(&first)).refuses(401, "log_in_failed");
    house.skip(Duration::from_secs(60));
    with_code(&code(&house, secret)).is(200);
    house.skip(Duration::from_secs(60));
    log_in(Some(&code(&house, secret))).is(200);
    // A PIN that was reset takes the factor with it: the telephone may be lost.
    let secret = secret.to_owned();
    let (status, folder) = house.stop();
    assert!(status.success());
    let data = folder.path().join("data");
    let journals = std::fs::read_dir(data.join("journal")).expect("journals");
    for entry in journals {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let found = bytes
            .windows(secret.len())
            .any(|part| part == secret.as_bytes());
        assert!(!found, "the secret stands in a journal");
    }
    super::proof::clean(&data);
}

#[test]
fn s_18_the_second_person_at_a_window_gives_a_code_where_they_have_an_authenticator() {
    let demand = "[log_in]\nsecond_factor = [\"pit-supervisor\"]\n";
    let house = House::of(&format!("{}\n{demand}", plan("")));
    let name = "Lim Siew Hoon";
    let (manager, supervisor) = (house.staff("shift-manager"), house.session(name));
    let factor = |path: &str, body: Value| post(&house, path, &[&supervisor], &body);
    let offered = factor("/api/session/factor", json!({"pin": own_pin(name)}));
    let offered = offered.is(200).json();
    let secret = offered["secret"].as_str().expect("a secret");
    let first = code(&house, secret);
    factor("/api/session/factor/code", json!({"code": first})).is(204);
    // Their PIN, seen over a shoulder, makes nobody the second person.
    let void = |code: Option<&str>| {
        let mut body = json!({"reason": "lost", "second_name": name, "second_pin": own_pin(name)});
        if let Some(code) = code {
            body["second_code"] = Value::from(code);
        }
        post(&house, "/api/cage/vouchers/1/void", &[&manager], &body)
    };
    void(None).refuses(403, "code_needed");
    void(Some("12345")).refuses(403, "second_person_unknown");
    void(Some(&first)).refuses(403, "second_person_unknown");
    house.skip(Duration::from_secs(60));
    void(Some(&code(&house, secret))).coded("unknown_voucher");
}

#[test]
fn s_18_money_takes_the_pin_again_and_looking_does_not() {
    let again = "[log_in]\npin_again_minutes = 10\n";
    let text = plan("idle_log_out_minutes = 60");
    let house = House::of(&format!("{text}\n{again}"));
    let cashier = house.staff("cashier");
    let redeem = || {
        let body = json!({"request": 1, "number": "123456789012345678", "currency": "SGD"});
        post(&house, "/api/cage/redemptions", &[&cashier], &body)
    };
    let supervisor = house.staff("pit-supervisor");
    let credit = || {
        let act = json!({"act": "hand_pay", "request": 7, "station": 0, "amount": 100});
        house.act(&supervisor, &act)
    };
    assert_ne!(redeem().code(), "pin_again");
    assert_ne!(credit().code(), "pin_again");
    house.skip(Duration::from_secs(601));
    redeem().refuses(403, "pin_again");
    credit().refuses(403, "pin_again");
    get(&house, "/api/cage/vouchers", &[&cashier]).is(200);
    let calls = json!({"act": "raise_incident", "kind": "other", "note": "n"});
    assert_ne!(house.act(&supervisor, &calls).code(), "pin_again");
    let prove = |pin: &str| {
        post(
            &house,
            "/api/session/proof",
            &[&cashier],
            &json!({"pin": pin}),
        )
    };
    prove("864209").refuses(403, "pin_wrong");
    redeem().refuses(403, "pin_again");
    prove(&own_pin("Chua Mei Fong")).is(204);
    assert_ne!(redeem().code(), "pin_again");
    credit().refuses(403, "pin_again");
}

#[test]
fn s_18_a_session_ends_after_its_longest_time_and_pins_and_accounts_expire_on_record() {
    let expiry = "[log_in]\nlongest_session_minutes = 30\npin_days = 30\naccount_days = 90\n";
    let text = plan("idle_log_out_minutes = 20");
    let house = House::of(&format!("{text}\n{expiry}"));
    let manager = house.staff("shift-manager");
    let director = house.staff("director");
    for _ in 0..3 {
        house.skip(Duration::from_secs(9 * 60));
        get(&house, "/api/session", &[&manager]).is(200);
    }
    house.skip(Duration::from_secs(4 * 60));
    get(&house, "/api/session", &[&manager]).refuses(401, "log_in_first");
    get(&house, "/api/session", &[&director]).refuses(401, "log_in_first");
    // A month later a PIN is to be changed before anything else.
    house.skip(Duration::from_secs(31 * 86_400));
    let me = comes("the PIN expires", || {
        let said = house
            .log_in("Goh Boon Keng", &own_pin("Goh Boon Keng"))
            .is(200);
        Some(said).filter(|said| said.json()["must_change_pin"] == true)
    });
    get(&house, "/api/people", &[&me.cookie()]).refuses(403, "must_change_pin");
    // After a quarter of a year accounts that nobody used are closed, and the
    // last who can manage people stays.
    house.skip(Duration::from_secs(60 * 86_400));
    let cookie = house
        .log_in("Goh Boon Keng", &own_pin("Goh Boon Keng"))
        .cookie();
    let body = json!({"old": own_pin("Goh Boon Keng"), "new": "73915284"});
    post(&house, "/api/session/pin", &[&cookie], &body).is(204);
    comes("accounts expire", || {
        let people = get(&house, "/api/people", &[&cookie]).json();
        let people = people.as_array()?.clone();
        let closed = people.iter().filter(|p| p["disabled"] == true).count();
        (closed >= STAFF.len() - 4).then_some(())
    });
    let people = get(&house, "/api/people", &[&cookie]).json();
    let manages = |p: &&Value| p["position"] == "director" || p["position"] == "head-of-operations";
    let people = people.as_array().expect("people");
    assert!(
        people
            .iter()
            .filter(manages)
            .any(|p| p["disabled"] == false)
    );
    house
        .log_in("Tan Wei Ming", house.pin("Tan Wei Ming"))
        .refuses(401, "log_in_failed");
    house.ends_clean();
}
