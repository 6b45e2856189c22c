//! Somebody who can write the data folder, and has no key, changes the tree
//! itself or keeps it from being written, so that an older copy might pass.

use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use super::house::House;
use super::rollback::{
    copy, data, does_not_play, paid_after_the_copy, plays_with_the_newest, stopped,
    without_a_witness, witnessed,
};
use super::stopped::OTHER;

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
