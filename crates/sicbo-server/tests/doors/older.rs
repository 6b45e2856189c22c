//! An older copy of a table's journal is never played on: it would give back
//! credit whose voucher is out, and take away bets that were acknowledged.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sicbo_journal::StreamId;
use sicbo_proof::source;
use tempfile::TempDir;

use super::house::{House, TABLE};
use super::stopped::{
    OTHER, deals, health, hold, is_out_of_service, journal, restart, terminal,
    terminal_with_credit, two_brisk_tables,
};
use super::vouchers::{digits, redeem};

/// A journal with its log and the log's index.
fn files(folder: &Path) -> [PathBuf; 3] {
    let file = journal(folder, TABLE);
    let beside = |end: &str| PathBuf::from(format!("{}{end}", file.display()));
    [file.clone(), beside("-wal"), beside("-shm")]
}

/// Copies the table's journal as it stands now.
fn copy_aside(folder: &Path) -> PathBuf {
    let copy = folder.join("older.sqlite");
    let stream = StreamId::new(TABLE).expect("a name");
    let store = source::open(&stream, &journal(folder, TABLE)).expect("a journal");
    store.backup(&copy).expect("a copy");
    copy
}

/// Puts the older copy in the place of the journal, which goes to a folder.
fn put_back(folder: &Path, copy: &Path) {
    let newest = folder.join("newest");
    std::fs::create_dir_all(&newest).expect("a folder");
    for file in files(folder).iter().filter(|file| file.exists()) {
        std::fs::rename(file, newest.join(file.file_name().expect("a name"))).expect("moved");
    }
    std::fs::copy(copy, journal(folder, TABLE)).expect("put back");
}

/// Puts the newest files back.
fn put_right(folder: &Path) {
    for file in files(folder) {
        let _ = std::fs::remove_file(&file);
        let newest = folder
            .join("newest")
            .join(file.file_name().expect("a name"));
        if newest.exists() {
            std::fs::rename(newest, file).expect("put right");
        }
    }
}

/// A player who buys 50.00, then a copy is taken aside, then all of it is
/// cashed out: the copy, and the number on the paper.
fn cashed_out(house: &House) -> (PathBuf, String) {
    let mut player = terminal_with_credit(house, TABLE);
    let copy = copy_aside(house.folder.path());
    player.say(&json!({"type": "cash_out", "request": 2, "amount": 5_000}));
    let voucher = player.until("voucher");
    assert_eq!(voucher["amount"], 5_000);
    let number = digits(house, 1, voucher["voucher"].as_u64().expect("a number"));
    (copy, number)
}

/// The table is as it was acknowledged: no credit, and a voucher good once.
fn holds_what_was_acknowledged(house: &House, number: &str) {
    let mine = terminal(house, TABLE).until("mine");
    assert_eq!(mine["mine"]["credit"], 0, "{mine}");
    let cashier = house.session("Chua Mei Fong");
    redeem(house, &cashier, 1, number, Value::Null).is(200);
    deals(house, TABLE);
}

fn is_refused_as_older(house: &House, manager: &str) {
    let said = restart(house, manager, TABLE).refuses(409, "journal_older");
    let why = said.json()["detail"].as_str().unwrap_or("").to_owned();
    assert!(
        why.contains("is an older copy: it ends with record"),
        "{why}"
    );
    is_out_of_service(house, TABLE, manager);
    deals(house, OTHER);
}

#[test]
fn s_13_an_older_journal_put_under_a_stopped_table_is_refused() {
    let house = House::of(&two_brisk_tables());
    let folder = house.folder.path().to_owned();
    let manager = house.staff("shift-manager");
    let (copy, number) = cashed_out(&house);
    let mut player = terminal(&house, TABLE);
    let held = hold(&folder, TABLE);
    assert_eq!(player.ended().0, "table_stopped");
    put_back(&folder, &copy);
    drop(held);
    is_refused_as_older(&house, &manager);
    put_right(&folder);
    restart(&house, &manager, TABLE).is(204);
    assert_eq!(health(&house).0, 200);
    holds_what_was_acknowledged(&house, &number);
    house.ends_clean();
}

/// A house that starts over the older copy keeps the table shut until the newest is back.
fn stays_shut_until_put_right(folder: TempDir, copy: &Path, number: &str) {
    put_back(folder.path(), copy);
    let house = House::start(folder);
    let manager = house.staff("shift-manager");
    is_refused_as_older(&house, &manager);
    put_right(house.folder.path());
    restart(&house, &manager, TABLE).is(204);
    holds_what_was_acknowledged(&house, number);
    house.ends_clean();
}

#[test]
fn s_13_an_older_journal_under_a_stopped_house_keeps_that_table_shut() {
    let house = House::of(&two_brisk_tables());
    house.staff("shift-manager");
    let (copy, number) = cashed_out(&house);
    let (_, folder) = house.stop();
    stays_shut_until_put_right(folder, &copy, &number);
}

#[test]
fn s_13_an_older_journal_under_a_killed_house_cannot_bring_cashed_out_credit_back() {
    let house = House::of(&two_brisk_tables());
    house.staff("shift-manager");
    let (copy, number) = cashed_out(&house);
    house.program.signal("-KILL");
    let (_, folder) = house.stop_asked();
    stays_shut_until_put_right(folder, &copy, &number);
}
