//! A table whose journal fails or cannot be read is out of service alone: it
//! says so to everyone, the others play, and it is started again by itself.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use super::house::{House, SOON, TABLE, plan};
use super::http::{Answer, get, post};
use super::proof;
use super::ws::{Frame, Socket};
use crate::common::comes;

pub const OTHER: &str = "second";

/// Two tables that deal by themselves.
pub fn two_tables() -> String {
    let text = plan("");
    let (_, table) = text.split_once("[[tables]]").expect("a table");
    let other = table.replacen(TABLE, OTHER, 1);
    format!("{text}\n[[tables]]{other}")
}

/// The same with rounds of a second, where nobody bets.
pub fn two_brisk_tables() -> String {
    two_tables().replace("window_seconds = 5", "window_seconds = 1")
}

pub fn journal(folder: &Path, stream: &str) -> PathBuf {
    folder.join(format!("data/journal/{stream}.sqlite"))
}

/// Holds the write lock of a journal: whoever writes to it fails after a while.
pub fn hold(folder: &Path, stream: &str) -> rusqlite::Connection {
    let held = rusqlite::Connection::open(journal(folder, stream)).expect("a file");
    let by = Instant::now() + SOON;
    while let Err(error) = held.execute_batch("BEGIN IMMEDIATE") {
        assert!(Instant::now() < by, "{error}");
    }
    held
}

pub fn terminal(house: &House, table: &str) -> Socket<TcpStream> {
    let mut socket = Socket::open(house.line(), "/ws/terminal", &[]).expect("a socket");
    let token = house.token(&format!("{table} T1"));
    socket.text(&json!({"type": "hello", "protocol": 1, "token": token}).to_string());
    socket
}

/// The same, with 50.00 on it.
pub fn terminal_with_credit(house: &House, table: &str) -> Socket<TcpStream> {
    let mut player = terminal(house, table);
    player.until("mine");
    player.say(&json!({"type": "insert_note", "request": 1, "amount": 5_000}));
    player.until("done");
    player
}

pub fn round(house: &House, table: &str) -> u64 {
    let said = get(house, &format!("/api/tables/{table}"), &[]).json();
    let now = said["state"]["round"]["number"].as_u64();
    now.or(said["state"]["last"]["number"].as_u64())
        .unwrap_or(0)
}

/// Waits until it deals another round.
pub fn deals(house: &House, table: &str) {
    let from = round(house, table);
    let dealt = || (round(house, table) > from).then_some(());
    comes(format!("{table} does not deal after {from}"), dealt);
}

pub fn health(house: &House) -> (u16, Value) {
    let said = get(house, "/health", &[]);
    (said.status, said.json())
}

pub fn restart(house: &House, who: &str, table: &str) -> Answer {
    let path = format!("/api/tables/{table}/restart");
    post(
        house,
        &path,
        &[who],
        &json!({"reason": "the disk was mended"}),
    )
}

/// Nobody takes it for a table that plays.
pub fn is_out_of_service(house: &House, table: &str, staff: &str) {
    let said = get(house, &format!("/api/tables/{table}"), &[]).json();
    has!(said, {"stopped": true, "state": null});
    let (status, parts) = health(house);
    assert_eq!(status, 503, "{parts}");
    let (code, _) = terminal(house, table).ended();
    assert_eq!(code, "table_stopped");
    let wall = format!("/ws/wall/{table}");
    let mut wall = Socket::open(house.line(), &wall, &[]).expect("a wall");
    assert_eq!(wall.ended().0, "table_stopped");
    let console = format!("/ws/console/{table}");
    let mut console = Socket::open(house.line(), &console, &[staff]).expect("a console");
    let told = console.until("stopped");
    assert_eq!(told["table"], table, "{told}");
    assert_ne!(told["why"], "", "{told}");
    let mut pit = Socket::open(house.line(), "/ws/pit", &[staff]).expect("the pit");
    assert_eq!(pit.until("stopped")["table"], table);
    let board = get(house, "/api/pit", &[staff]).json();
    let shown = board["tables"].as_array().expect("tables").iter();
    let out: Vec<&Value> = shown
        .filter(|one| !one["stopped"].is_null())
        .map(|one| &one["table"])
        .collect();
    assert_eq!(out, [table]);
}

#[test]
fn j_05_a_stopped_table_says_so_and_is_started_again_alone_while_others_play() {
    let house = House::of(&two_brisk_tables());
    let manager = house.staff("shift-manager");
    let technician = house.staff("technician");
    // A round has ended before the player comes, who is silent until the table stops.
    deals(&house, TABLE);
    let mut player = terminal_with_credit(&house, TABLE);
    let held = hold(house.folder.path(), TABLE);
    assert_eq!(player.ended().0, "table_stopped");
    is_out_of_service(&house, TABLE, &manager);
    deals(&house, OTHER);

    // Not mended yet; not everybody's to start; no reason given.
    let rounds = || get(&house, &format!("/api/tables/{TABLE}/rounds"), &[&manager]);
    let ended = rounds().json();
    assert_ne!(ended, json!([]));
    assert_eq!(restart(&house, &technician, TABLE).code(), "not_restarted");
    // What was played can be read all the same.
    let said = rounds();
    assert_eq!((said.status, said.json()), (200, ended), "{}", said.body);
    assert_eq!(restart(&house, &house.staff("dealer"), TABLE).status, 403);
    restart(&house, &technician, OTHER).coded("table_in_service");
    let path = format!("/api/tables/{TABLE}/restart");
    post(&house, &path, &[&technician], &json!({"reason": " "})).coded("reason_needed");
    drop(held);
    restart(&house, &technician, TABLE).is(204);
    assert_eq!(health(&house).0, 200);
    restart(&house, &technician, TABLE).coded("table_in_service");

    // Nothing that was acknowledged is lost, and it deals again.
    let mut player = terminal(&house, TABLE);
    let mine = player.until("mine");
    assert_eq!(mine["mine"]["credit"], 5_000, "{mine}");
    deals(&house, TABLE);
    deals(&house, OTHER);
    player.say(&json!({"type": "cash_out", "request": 2, "amount": 5_000}));
    assert_eq!(player.until("voucher")["amount"], 5_000);
    house.ends_clean();
}

#[test]
fn one_damaged_journal_keeps_no_other_table_shut() {
    let house = House::of(&two_brisk_tables());
    let mut player = terminal(&house, OTHER);
    player.until("mine");
    player.say(&json!({"type": "insert_note", "request": 1, "amount": 5_000}));
    player.until("done");
    drop(player);
    house.staff("shift-manager");
    let (_, folder) = house.stop();
    let file = journal(folder.path(), OTHER);
    let whole = folder.path().join("whole.sqlite");
    std::fs::copy(&file, &whole).expect("a copy");
    std::fs::write(&file, b"no journal at all").expect("damaged");

    let house = House::start(folder);
    let manager = house.staff("shift-manager");
    is_out_of_service(&house, OTHER, &manager);
    deals(&house, TABLE);
    assert_eq!(restart(&house, &manager, OTHER).code(), "not_restarted");
    std::fs::copy(&whole, &file).expect("restored");
    restart(&house, &manager, OTHER).is(204);
    assert_eq!(health(&house).0, 200);
    let mine = terminal(&house, OTHER).until("mine");
    assert_eq!(mine["mine"]["credit"], 5_000, "{mine}");
    deals(&house, OTHER);
    deals(&house, TABLE);
    house.ends_clean();
}

#[test]
fn s_13_a_cash_out_under_way_when_the_house_journal_fails_is_answered() {
    // A printer that takes the line and prints nothing.
    let printer = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = printer.local_addr().expect("its address");
    let text = plan("").replace(
        "printer = { folder = \"vouchers\" }",
        &format!("printer = {{ tcp = \"{address}\" }}"),
    );
    let house = House::of(&text);
    let mut player = house.seated(1);
    player.say(&json!({"type": "insert_note", "request": 1, "amount": 5_000}));
    player.until("done");
    player.say(&json!({"type": "cash_out", "request": 2, "amount": 5_000}));
    let _line = printer.accept().expect("a ticket begins");
    let _held = hold(house.folder.path(), "house");
    // Whatever the house writes next fails.
    let said = house.log_in("Goh Boon Keng", house.pin("Goh Boon Keng"));
    assert_eq!(said.status, 503, "{said:?}");
    let told = player.find("declined", |said| said["request"] == 2);
    assert_eq!(told["code"], "stopped", "{told}");
    // Asked again it is answered again, and so is everything new.
    for request in [2, 3] {
        player.say(&json!({"type": "cash_out", "request": request, "amount": 100}));
        let told = player.find("declined", |said| said["request"] == request);
        assert_eq!(told["code"], "stopped", "{told}");
    }
    assert_eq!(health(&house).0, 503);
    house.ends_clean();
}

#[test]
fn r_170_told_to_stop_the_house_lets_its_rounds_end() {
    let house = House::of(&plan("stop_within_seconds = 60"));
    let mut player = house.seated(1);
    player.say(&json!({"type": "insert_note", "request": 1, "amount": 5_000}));
    player.until("done");
    let round = house.next_round(&mut player);
    let lines = json!([{"section": "big", "stake": 100}]);
    player.say(&json!({"type": "bet", "id": 1, "round": round, "lines": lines}));
    player.until("registered");
    house.program.signal("-TERM");
    house.closes_bets();
    let card = player.until("settlement");
    assert_eq!(card["card"]["end"]["number"], round, "{card}");
    assert_eq!(player.ended().0, "stopping");
    let (status, folder) = house.stop_asked();
    assert!(status.success());
    let log = std::fs::read_to_string(folder.path().join("log.txt")).expect("a log");
    assert!(!log.contains("panicked"), "{log}");
    proof::clean(&folder.path().join("data"));
}

#[test]
fn s_13_a_cash_out_under_way_when_the_table_journal_fails_is_answered_after_the_restart() {
    let house = House::of(&two_brisk_tables());
    let technician = house.staff("technician");
    let cashier = house.session("Chua Mei Fong");
    let mut player = terminal_with_credit(&house, TABLE);
    // The register reserves a number; the table cannot give the credit.
    let held = hold(house.folder.path(), TABLE);
    let ask = json!({"type": "cash_out", "request": 2, "amount": 5_000});
    player.say(&ask);
    assert_eq!(player.ended().0, "table_stopped");
    let listed = get(&house, "/api/cage/vouchers", &[&cashier]).json();
    assert_eq!(listed[0]["state"], "reserved", "{listed}");
    drop(held);
    restart(&house, &technician, TABLE).is(204);
    // Asked again it is answered: with why not as long as the first is being
    // taken back, and then with the voucher.
    let mut player = terminal(&house, TABLE);
    let voucher = loop {
        player.say(&ask);
        let told = loop {
            match player.next() {
                Frame::Text(told) if told["request"] == 2 => break told,
                Frame::Gone | Frame::Close(_) => panic!("not answered"),
                _ => {}
            }
        };
        if told["type"] == "voucher" {
            break told;
        }
        assert_eq!(told["code"], "not_given", "{told}");
    };
    assert_eq!(voucher["amount"], 5_000, "{voucher}");
    let mine = terminal(&house, TABLE).until("mine");
    assert_eq!(mine["mine"]["credit"], 0, "{mine}");
    let listed = get(&house, "/api/cage/vouchers", &[&cashier]).json();
    let owed = listed.as_array().expect("vouchers").iter();
    let owed: Vec<&Value> = owed.filter(|one| one["state"] == "printed").collect();
    assert_eq!(owed.len(), 1, "{listed}");
    assert_eq!(owed[0]["voucher"], voucher["voucher"], "{listed}");
    house.ends_clean();
}
