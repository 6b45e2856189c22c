//! Somebody who can write the data folder, and has no key, changes the tree
//! itself or keeps it from being written, so that an older copy might pass.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use super::house::{House, TABLE};
use super::http::get;
use super::put_back::another_voucher;
use super::rollback::{
    copied_with_a_voucher, copy, data, does_not_play, is_cosigned, paid_after_the_copy,
    plays_with_the_newest, stopped, voucher, without_a_witness, witnessed,
};
use super::stopped::{OTHER, deals, health, two_brisk_tables};
use super::vouchers::redeem;
use crate::common::comes;

fn tree_file(data: &Path) -> Connection {
    Connection::open(data.join("tree/tree.sqlite")).expect("the tree")
}

fn leaves(data: &Path) -> i64 {
    let count = "SELECT count(*) FROM leaves";
    let count = tree_file(data).query_row(count, [], |row| row.get(0));
    count.expect("leaves")
}

/// The journals are put back; the tree keeps its leaves and its root, and the
/// rows of what is gone get another name.
fn put_back_under_other_names(folder: &TempDir, older: &Path, name: &str) {
    copy(&older.join("journal"), &data(folder).join("journal"));
    std::fs::remove_dir_all(folder.path().join("marks")).expect("no mark");
    let cut = leaves(older);
    let renamed = tree_file(&data(folder)).execute(name, [cut]);
    assert!(renamed.expect("renamed") > 0);
}

#[test]
fn leaves_under_another_stream_s_name_hide_no_rollback_from_a_start_with_its_witness() {
    let (folder, served) = witnessed("wait");
    let (folder, older, number) = paid_after_the_copy(folder);
    let newest = folder.path().join("newest");
    copy(&data(&folder), &newest);
    let name = "UPDATE leaves SET stream = 'zz-' || stream WHERE place >= ?1";
    put_back_under_other_names(&folder, &older, name);
    let house = House::start(folder);
    does_not_play(&house, &["its own tree", "house ends with record"], &number);
    let folder = stopped(house);
    plays_with_the_newest(folder, &newest, &number);
    drop(served);
}

#[test]
fn missing_leaves_are_not_put_on_a_table_that_is_then_out_of_service_alone() {
    let (folder, older, newest, number) = without_a_witness();
    let name = format!(
        "UPDATE leaves SET stream = '{OTHER}', first_sequence = 1000000 + place, \
         last_sequence = 1000000 + place WHERE place >= ?1"
    );
    put_back_under_other_names(&folder, &older, &name);
    let house = House::start(folder);
    does_not_play(&house, &["house"], &number);
    let folder = stopped(house);
    // Nor where the house's own word of where streams end is taken away.
    copy(&newest, &data(&folder));
    std::fs::create_dir_all(folder.path().join("marks")).expect("a folder");
    put_back_under_other_names(&folder, &older, &name);
    let _ = tree_file(&data(&folder)).execute_batch("DROP TABLE IF EXISTS tails");
    let house = House::start(folder);
    does_not_play(&house, &["its tree is not that of its journals"], &number);
    drop(house);
}

#[test]
fn a_leaf_that_was_changed_or_deleted_keeps_the_house_from_playing() {
    let (folder, _, newest, number) = without_a_witness();
    let changed = "UPDATE leaves SET header_sha256 = zeroblob(32) WHERE place = 3";
    let deleted = "DELETE FROM leaves WHERE place = 2";
    let mut folder = folder;
    let no_mark = |folder: &TempDir| drop(std::fs::remove_dir_all(folder.path().join("marks")));
    for damage in [changed, deleted] {
        let done = tree_file(&data(&folder)).execute(damage, []);
        assert_eq!(done.expect("done"), 1);
        let house = House::start(folder);
        does_not_play(&house, &["its tree is not that of its journals"], &number);
        folder = stopped(house);
        no_mark(&folder);
        folder = plays_with_the_newest(folder, &newest, &number);
        copy(&newest, &data(&folder));
        no_mark(&folder);
    }
}

/// Why the tree is not well, as the house tells it.
fn problem(house: &House, manager: &str) -> Option<String> {
    let shown = get(house, "/api/tree", &[manager]).is(200).json();
    shown["problem"].as_str().map(str::to_owned)
}

/// The bound is over: the house neither pays nor deals, and has the alarm.
fn halts_after_a_while(house: &House) -> Value {
    house.skip(Duration::from_secs(400));
    let seen = comes("it plays on", || {
        let (status, seen) = health(house);
        (status == 503).then_some(seen)
    });
    assert_eq!(seen["tree"]["alarm"], true, "{seen}");
    seen
}

#[test]
fn a_tree_that_is_not_written_is_told_and_after_a_while_nothing_is_paid_or_dealt() {
    let house = House::of(&two_brisk_tables());
    let number = voucher(&house);
    let manager = house.staff("shift-manager");
    let stop = "CREATE TRIGGER z BEFORE INSERT ON leaves BEGIN SELECT raise(abort, 'x'); END";
    tree_file(&data(&house.folder))
        .execute_batch(stop)
        .expect("a trigger");
    deals(&house, TABLE);
    let told = comes("nobody says that the tree is not written", || {
        problem(&house, &manager)
    });
    assert!(told.contains("not written"), "{told}");
    // It may be a moment's.
    assert_eq!(health(&house).0, 200);
    let seen = halts_after_a_while(&house);
    let fault = seen["parts"][0]["fault"].as_str().expect("a fault");
    assert!(fault.contains("tree"), "{fault}");
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 9, &number, Value::Null).refuses(503, "tree_not_written");
    let manager = house.staff("shift-manager");
    let alerts = get(&house, &format!("/api/tables/{TABLE}/alerts"), &[&manager]);
    has!(alerts.is(200).json()["alerts"][0], {"code": "tree-not-written"});
    // It ends by itself when the tree can be written again.
    tree_file(&data(&house.folder))
        .execute_batch("DROP TRIGGER z")
        .expect("dropped");
    comes("it does not play", || {
        (health(&house).0 == 200).then_some(())
    });
    redeem(&house, &cashier, 9, &number, Value::Null).is(200);
    deals(&house, TABLE);
    house.ends_clean();
}

#[test]
fn heads_that_are_not_kept_are_told_stop_the_cage_and_hide_no_payment_from_the_witness() {
    let (folder, served) = witnessed("play");
    let (folder, older, number) = copied_with_a_voucher(folder);
    let house = House::start(folder);
    let late = another_voucher(&house, 10);
    is_cosigned(&house);
    let manager = house.staff("shift-manager");
    let stop = "CREATE TRIGGER z BEFORE INSERT ON heads BEGIN SELECT raise(abort, 'x'); END";
    tree_file(&data(&house.folder))
        .execute_batch(stop)
        .expect("a trigger");
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 1, &number, Value::Null).is(200);
    let told = comes("nobody says that no head is kept", || {
        problem(&house, &manager).filter(|told| told.contains("not kept"))
    });
    assert!(told.contains("the trigger z on heads is foreign"), "{told}");
    assert_eq!(health(&house).0, 200, "it may be a moment's");
    // What was paid is with the witness all the same.
    is_cosigned(&house);
    halts_after_a_while(&house);
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 9, &late, Value::Null).refuses(503, "tree_not_written");
    let folder = stopped(house);
    copy(&older, &data(&folder));
    std::fs::remove_dir_all(folder.path().join("marks")).expect("no mark");
    let house = House::start(folder);
    does_not_play(&house, &["blocks behind its witness"], &number);
    drop(stopped(house));
    drop(served);
}

#[test]
fn a_mark_that_cannot_be_written_is_an_alert_and_play_goes_on() {
    let house = House::of(&two_brisk_tables());
    let marks = house.folder.path().join("marks");
    deals(&house, TABLE);
    comes("no mark", || marks.exists().then_some(()));
    std::fs::rename(&marks, house.folder.path().join("aside")).expect("moved");
    std::fs::write(&marks, "a file").expect("written");
    let manager = house.staff("shift-manager");
    deals(&house, TABLE);
    let told = comes("nobody says that the mark is not written", || {
        problem(&house, &manager)
    });
    assert!(told.contains("the mark"), "{told}");
    let alerts = get(&house, &format!("/api/tables/{TABLE}/alerts"), &[&manager]);
    has!(alerts.is(200).json()["alerts"][0], {"code": "mark-not-written"});
    let (status, seen) = health(&house);
    assert_eq!(status, 200, "{seen}");
    assert_eq!(seen["tree"]["alarm"], true, "{seen}");
    deals(&house, TABLE);
    std::fs::remove_file(&marks).expect("removed");
    comes("the alarm stays", || {
        (health(&house).1["tree"]["alarm"] == false).then_some(())
    });
    house.ends_clean();
}
