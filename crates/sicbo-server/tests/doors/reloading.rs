//! The plan is read again while the house plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::json;
use tempfile::TempDir;
use tokio_rustls::rustls::pki_types::CertificateDer;

use super::house::{House, TABLE, plan};
use super::http::{ask_on, get, post, request};
use super::tls::{certify, encrypted};
use super::ws::Socket;
use crate::common::comes;

const FILES: &str = "[tls]\nuse = \"files\"\ncert = \"house.pem\"\nkey = \"house.key\"\n";

fn replan(folder: &std::path::Path, level: &str, more: &str) {
    let head = format!("log_level = \"{level}\"\n{more}");
    let text = plan(&head).replace("window_seconds = 5", "window_seconds = 1");
    std::fs::write(folder.join("house.toml"), format!("{text}\n{FILES}")).expect("the plan");
}

fn times_read(house: &House) -> usize {
    house
        .program
        .log()
        .matches("the plan was read again")
        .count()
}

#[test]
fn a_reload_under_load_loses_no_connection_and_no_bet() {
    const TERMINALS: usize = 4;
    const RELOADS: usize = 6;
    let folder = TempDir::new().expect("a folder");
    let mut root = certify(folder.path());
    replan(folder.path(), "info", "");
    let house = Arc::new(House::start(folder));
    let over = Arc::new(AtomicBool::new(false));
    let registered = Arc::new(AtomicU64::new(0));
    let players: Vec<_> = (1..=TERMINALS)
        .map(|number| {
            let (house, over) = (Arc::clone(&house), Arc::clone(&over));
            let (registered, root) = (Arc::clone(&registered), root.clone());
            std::thread::spawn(move || plays(&house, number, root, &over, &registered))
        })
        .collect();
    let asks = |root: &CertificateDer<'static>| {
        let bytes = request("GET", "/health/live", &[], None);
        ask_on(
            &mut encrypted(house.line(), Some(root.clone()), None),
            &bytes,
        )
        .status
    };
    for at in 0..RELOADS {
        let before = registered.load(Ordering::SeqCst);
        comes("bets go on", || {
            (registered.load(Ordering::SeqCst) > before).then_some(())
        });
        let next = certify(house.folder.path());
        replan(house.folder.path(), ["debug", "info"][at % 2], "");
        house.program.signal("-HUP");
        comes("it is read again", || {
            (times_read(&house) > at).then_some(())
        });
        // The next connection already has the new certificate, and none has the old one.
        assert_eq!((asks(&next), asks(&root)), (204, 0), "reload {at}");
        root = next;
    }
    over.store(true, Ordering::SeqCst);
    let mut played = 0;
    for player in players {
        played += player.join().expect("no player lost the line or a bet");
    }
    assert!(played >= RELOADS as u64, "{played} bets");
    let log = house.program.log();
    assert!(log.contains("DEBUG"), "the finer level was in use");
    let house = Arc::into_inner(house).expect("nobody plays");
    house.ends_clean();
}

/// Bets in every round on one connection; every bet is answered on it. How many were registered.
fn plays(
    house: &House,
    number: usize,
    root: CertificateDer<'static>,
    over: &AtomicBool,
    registered: &AtomicU64,
) -> u64 {
    let line = encrypted(house.line(), Some(root), None);
    let mut socket = Socket::open(line, "/ws/terminal", &[]).expect("a socket");
    socket.say(&json!({"type": "hello", "protocol": 1, "token": house.terminal(number)}));
    socket.until("mine");
    for request in 1..=20 {
        socket.say(&json!({"type": "insert_note", "request": request, "amount": 10_000}));
        socket.until("done");
    }
    let (mut bet, mut played) = (0, 0);
    while !over.load(Ordering::SeqCst) {
        bet += 1;
        let lines = json!([{"section": "big", "stake": 100}, {"section": "small", "stake": 100}]);
        socket.say(&json!({"type": "bet", "id": bet, "lines": lines}));
        let answer = socket.find_any("an answer", |said| {
            said["id"] == bet && matches!(said["type"].as_str(), Some("registered" | "refused"))
        });
        if answer["type"] == "registered" {
            played += 1;
            registered.fetch_add(1, Ordering::SeqCst);
            socket.until("settlement");
        } else {
            // Between rounds; the table says when the next one takes bets.
            socket.until("table");
        }
    }
    played
}

#[test]
fn s_18_a_reload_is_asked_by_a_person_on_record_and_says_what_people_and_restarts_change() {
    let house = House::of(&plan(""));
    let technician = house.staff("technician");
    let asks = |who: &str| post(&house, "/api/reload", &[who], &json!({}));
    asks(&house.staff("dealer")).is(403);
    let none = json!({"applied": [], "by_people": [], "needs_restart": []});
    assert_eq!(asks(&technician).is(200).json(), none);
    // Whatever differs is told with how it changes; nothing else is.
    let text = plan("log_level = \"debug\"\nvoucher_days = 30\n")
        .replace("maximum = \"500.00\"", "maximum = \"400.00\"")
        .replace("site = \"Doors\"", "site = \"Gates\"")
        + "[[staff]]\nname = \"Ong Li Na\"\nposition = \"dealer\"\n";
    let file = house.folder.path().join("house.toml");
    std::fs::write(&file, &text).expect("the plan");
    let said = asks(&technician).is(200).json();
    assert_eq!(said["applied"], json!(["log level debug"]));
    let by_people = json!([
        "take Ong Li Na (dealer) in on the screen People",
        format!("change the limits of {TABLE} at the pit (change_limits)"),
    ]);
    assert_eq!(said["by_people"], by_people);
    assert_eq!(said["needs_restart"], json!(["site", "voucher_days"]));
    // A plan with faults is refused whole.
    std::fs::write(&file, text.replace("SGD", "SGB")).expect("the plan");
    let refused = asks(&technician).refuses(409, "plan_faulty");
    let _ = refused;
    assert_eq!(
        asks(&technician).json()["detail"]
            .as_str()
            .map(|words| words.contains("SGB")),
        Some(true)
    );
    let auditor = house.staff("auditor");
    let log = get(&house, "/api/security?event=reloaded", &[&auditor])
        .is(200)
        .body;
    assert!(
        log.contains("log level debug") && log.contains("refused"),
        "{log}"
    );
    house.ends_clean();
}

#[test]
fn a_trial_and_a_signal_without_a_plan_go_on() {
    let house = House::quick();
    house.program.signal("-HUP");
    comes("it is read again", || {
        (times_read(&house) > 0).then_some(())
    });
    house.goes_on_dealing();
    std::fs::write(house.folder.path().join("house.toml"), "nonsense").expect("written");
    house.program.signal("-HUP");
    comes("it is refused", || {
        let log = house.program.log();
        log.contains("the plan was not read again").then_some(())
    });
    house.goes_on_dealing();
    house.ends_clean();
}
