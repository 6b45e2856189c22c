//! What `sicbo verify` makes of a house's own folder in which rows and files were
//! removed, put back or written anew, and of one that was killed.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::cli::binary::{folder, refused, root, run, unsigned};
use crate::cli::journal::{copy, text};
use crate::cli::played::{Played, comes, plan};
use crate::cli::whole_folder::{faulty, live, lived};

/// A fresh copy of a folder beside it.
fn copied(data: &Path, name: &str) -> PathBuf {
    let to = data.with_file_name(name);
    let _ = std::fs::remove_dir_all(&to);
    copy(data, &to);
    to
}

/// A fresh copy in one of whose files this was done.
fn changed(data: &Path, file: &str, sql: &str) -> PathBuf {
    let to = copied(data, "changed");
    let file = Connection::open(to.join(file)).unwrap();
    file.execute_batch(sql).unwrap();
    to
}

/// Does something to checkpoints, and puts the guards back that forbid it.
fn to_checkpoints(data: &Path, stream: &str, sql: &str) -> PathBuf {
    let file = format!("journal/{stream}.sqlite");
    let guards = "SELECT group_concat(sql, ';') FROM sqlite_schema WHERE type = 'trigger' \
                  AND tbl_name = 'checkpoints'";
    let known = Connection::open(data.join(&file)).unwrap();
    let guards: String = known.query_row(guards, [], |row| row.get(0)).unwrap();
    let drop = "DROP TRIGGER a_checkpoint_is_never_changed; \
                DROP TRIGGER a_checkpoint_is_never_deleted;";
    changed(data, &file, &format!("{drop}{sql};{guards}"))
}

#[test]
fn what_was_removed_from_a_tree_or_put_back_is_noticed() {
    let data = lived("tree-rows");
    let older = copied(&data, "older");
    live(&data, &[]);
    assert_eq!(run(&["verify", text(&data)]).code, 0);
    let tree = "tree/tree.sqlite";

    let heads = changed(&data, tree, "DELETE FROM heads");
    faulty(&heads, &["the tree keeps no signed checkpoint"]);
    let both = changed(&data, tree, "DELETE FROM heads; DELETE FROM tails");
    let said = unsigned(&["verify", text(&both)]);
    assert!(said.contains("under NO SIGNED HEAD"), "{said}");
    let stated = "UPDATE tails SET note = replace(note, 'house', 'hause')";
    faulty(
        &changed(&data, tree, stated),
        &["no statement of the house"],
    );
    let node = "UPDATE nodes SET hash = zeroblob(32) WHERE level = 1 AND place = 0";
    faulty(&changed(&data, tree, node), &["nodes are not those"]);
    let meta = changed(&data, tree, "DELETE FROM meta");
    faulty(&meta, &["which life of the house"]);

    // The tree of the day before: how much is outside it is said.
    let back = copied(&data, "tree-back");
    std::fs::copy(older.join(tree), back.join(tree)).unwrap();
    let said = unsigned(&["verify", text(&back), "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let leaves = |data: &Path| {
        let file = Connection::open(data.join(tree)).unwrap();
        let count = "SELECT count(*) FROM leaves";
        file.query_row(count, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    let outside = leaves(&data) - leaves(&back);
    assert!(outside > 0);
    assert_eq!(said["tree"]["blocks_outside"], outside, "{said}");
    let said = unsigned(&["verify", text(&back)]);
    let words = format!("{outside} of them not in it at all");
    assert!(said.contains(&words), "{words} in {said}");

    // Whoever asks for a witness's word is told what is wrong, and the rest.
    let key = "witness.example/w1+00000000+AAAA";
    let witness = ["--witness", "cosigned.txt", "--witness-key", key];
    std::fs::write(back.join(tree), "this is no tree of anything").unwrap();
    let garbage = [&["verify", text(&back)][..], &witness].concat();
    std::fs::remove_dir_all(both.join("tree")).unwrap();
    let missing = [&["verify", text(&both)][..], &witness].concat();
    for (arguments, words) in [(garbage, "tree.sqlite"), (missing, "has no tree")] {
        let said = run(&arguments);
        assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
        assert!(said.stdout.contains(words), "{words}: {}", said.stdout);
        assert!(
            said.stdout.contains("mbs-etg: "),
            "the journals are examined"
        );
        assert!(!said.stdout.contains("give --witness"), "{}", said.stdout);
    }
}

#[test]
fn checkpoints_that_were_removed_or_edited_are_noticed_and_their_journal_is_examined() {
    let data = lived("checkpoints");
    live(&data, &[]);
    let all = to_checkpoints(&data, "mbs-table", "DELETE FROM checkpoints");
    let said = unsigned(&["verify", text(&all)]);
    assert!(said.contains("  NO CHECKPOINT"), "{said}");
    let last = "DELETE FROM checkpoints WHERE number = (SELECT max(number) FROM checkpoints)";
    let said = unsigned(&["verify", text(&to_checkpoints(&data, "mbs-table", last))]);
    assert!(said.contains("records are under NO CHECKPOINT"), "{said}");
    let one = "DELETE FROM checkpoints WHERE number = 1";
    faulty(
        &to_checkpoints(&data, "mbs-table", one),
        &["and 1 is missing"],
    );
    for (edit, words) in [
        ("time_ms = time_ms + 1", "a column disagrees"),
        ("message = message || 'x'", "not a checkpoint"),
        ("signature = zeroblob(64)", "signature is wrong"),
    ] {
        let edit = format!("UPDATE checkpoints SET {edit} WHERE number = 1");
        let said = faulty(&to_checkpoints(&data, "mbs-table", &edit), &[words]);
        assert!(said.stdout.contains("mbs-table: "), "{}", said.stdout);
        assert!(!said.stdout.contains("no journal of"), "{}", said.stdout);
    }
}

#[test]
fn keys_that_are_gone_or_forged_are_a_fault_and_the_journals_are_examined() {
    let data = lived("keys-gone");
    let gone = copied(&data, "gone");
    std::fs::remove_dir_all(gone.join("keys")).unwrap();
    faulty(&gone, &["the folder has no keys of its house"]);
    let key = data.join("keys/1/public.pem");
    assert_eq!(run(&["verify", text(&gone), "--key", text(&key)]).code, 0);
    // Without any key a changed record is still seen.
    let body = "DROP TRIGGER a_block_is_never_changed; UPDATE blocks SET body = \
                zeroblob(length(body)) WHERE first_sequence = 1";
    let file = Connection::open(gone.join("journal/house.sqlite")).unwrap();
    file.execute_batch(body).unwrap();
    drop(file);
    faulty(&gone, &["the folder has no keys", "house, record 1"]);
    for (name, text) in [("public.pem", "no key"), ("hand-over.txt", "no hand-over")] {
        let forged = copied(&data, "forged");
        std::fs::create_dir(forged.join("keys/2")).unwrap();
        std::fs::write(forged.join("keys/2").join(name), text).unwrap();
        let said = faulty(&forged, &["hand-over"]);
        assert!(said.stdout.contains("mbs-etg: "), "{}", said.stdout);
    }
}

#[test]
fn meta_that_was_edited_and_a_journal_that_nobody_signed_are_faults() {
    let data = lived("edited-meta");
    let table = "journal/mbs-table.sqlite";
    for (sql, words) in [
        (
            "UPDATE meta SET value = '9' WHERE key = 'format'",
            "the row format of meta was changed",
        ),
        (
            "DELETE FROM meta WHERE key = 'about'",
            "the row about of meta is missing",
        ),
        (
            "INSERT INTO meta VALUES ('x', 'y')",
            "the row x of meta is foreign",
        ),
        ("DELETE FROM meta", "which stream it holds"),
        ("PRAGMA user_version = 7", "has journal format 7"),
    ] {
        let said = faulty(&changed(&data, table, sql), &[words]);
        assert!(said.stdout.contains("mbs-etg: "), "{sql}: {}", said.stdout);
    }
    // A journal of block format 1, whose blocks nobody signs, in a house of format 2.
    let forged = copied(&data, "forged-table");
    let golden = root().join("crates/sicbo-proof/tests/golden/house/journal/mbs-etg.sqlite");
    let file = forged.join("journal/mbs-etg.sqlite");
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(forged.join(format!("journal/mbs-etg.sqlite{end}")));
    }
    std::fs::copy(golden, &file).unwrap();
    let sql = "DROP TRIGGER a_checkpoint_is_never_deleted; DELETE FROM checkpoints";
    Connection::open(&file).unwrap().execute_batch(sql).unwrap();
    let words = "the house has signed every block since its first";
    faulty(&forged, &[words]);
}

/// What a house has written since it last signed is whole, and its loss would not be noticed.
#[test]
fn after_a_crash_the_end_is_said_to_be_unsigned_and_a_damaged_log_is_a_fault() {
    let place = folder("tampered-crash");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    plan(&place, "");
    let house = Played::start(&place);
    let data = place.join("data");
    let frame = 24 + 8192;
    // The log of the house holds some commits, which are folded in now and then.
    let log = "journal/house.sqlite-wal";
    let frames = || {
        let length = data.join(log).metadata().map_or(0, |found| found.len());
        usize::try_from(length / frame as u64).unwrap()
    };
    comes("a log", || (frames() >= 4).then_some(()));
    // Killed.
    drop(house);
    let said = unsigned(&["verify", text(&data)]);
    assert!(said.contains("NO CHECKPOINT"), "{said}");

    let mut bytes = std::fs::read(data.join(log)).unwrap();
    bytes[32 + 24 + 100] ^= 1;
    let damaged = copied(&data, "damaged");
    std::fs::write(damaged.join(log), bytes).unwrap();
    let words = "its write-ahead log has a gap after frame";
    faulty(&damaged, &[words]);
    let config = place.join("house.toml");
    let config = text(&config);
    refused(
        &["serve", "--data", text(&damaged), "--config", config],
        words,
    );

    // The next start signs it all.
    let house = Played::start(&place);
    house.stop();
    assert_eq!(run(&["verify", text(&data)]).code, 0);
}
