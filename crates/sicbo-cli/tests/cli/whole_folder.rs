//! `sicbo verify` over whole folders that the program has lived in: what is
//! missing, what is behind the register, what became of the tree, and copies.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use sicbo_journal::{
    Beside, DataFolder, HouseKey, KeyFolder, Signatory, Store as _, StreamId, Writer, WriterSecret,
};

use crate::cli::binary::{Run, command, folder, good, json, refused, root, run, unsigned};
use crate::cli::journal::{copy, text};

/// A data folder of a new place that the program has lived in once.
pub(crate) fn lived(name: &str) -> PathBuf {
    let place = folder("whole-folder").join(name);
    let _ = std::fs::remove_dir_all(&place);
    let data = place.join("data");
    live(&data, &[]);
    data
}

/// Runs a trial house on a folder until it listens, and stops it in good order;
/// what it said until then.
pub(crate) fn live(data: &Path, more: &[&str]) -> String {
    let mut child = command()
        .args(["serve", "--data", text(data), "--listen", "127.0.0.1:0"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while !said.contains("listening on ") {
        said += &lines.next().expect("it listens").unwrap();
        said.push('\n');
    }
    let id = child.id().to_string();
    let told = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(told.unwrap().success());
    lines.for_each(|line| drop(line.unwrap()));
    assert!(child.wait().unwrap().success());
    said
}

/// A fault in what was examined, in these words.
pub(crate) fn faulty(data: &Path, words: &[&str]) -> Run {
    let said = run(&["verify", text(data)]);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    for word in words {
        assert!(said.stdout.contains(word), "{word} in {}", said.stdout);
    }
    said
}

fn leaves(data: &Path) -> u64 {
    let value = json(&["verify", text(data)]);
    value["tree"]["leaves"].as_u64().expect("a tree")
}

#[test]
fn nothing_to_verify_is_a_fault_and_so_is_a_missing_stream() {
    let place = folder("whole-folder").join("nothing");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let data = place.join("data");
    let made = DataFolder::create(&data).unwrap();
    KeyFolder::open_or_create(&made.keys_path(), || [9; 32]).unwrap();
    faulty(&data, &["there is no journal in it"]);
    for name in ["house", "mbs-etg"] {
        made.create_stream(&StreamId::new(name).unwrap()).unwrap();
    }
    faulty(&data, &["its journals are all empty"]);
    let one = data.join("journal/mbs-etg.sqlite");
    faulty(&one, &["its journal is empty"]);

    // Nothing was played or noted at the table: that it was enrolled is enough.
    let data = lived("missing");
    assert_eq!(run(&["verify", text(&data)]).code, 0);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(data.join(format!("journal/mbs-table.sqlite{end}")));
    }
    faulty(&data, &["the journal of mbs-table is missing"]);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(data.join(format!("journal/house.sqlite{end}")));
    }
    faulty(&data, &["the journal of house is missing"]);
}

/// The house of this folder has noted another first record of the table than the
/// table's journal holds.
#[test]
fn a_table_that_is_not_what_the_register_noted_is_named_with_the_record() {
    let to = folder("whole-folder").join("noted");
    let _ = std::fs::remove_dir_all(&to);
    copy(
        &root().join("crates/sicbo-proof/tests/golden/register-3"),
        &to,
    );
    let said = faulty(&to, &["record 1 is not there as the house noted it"]);
    let value = run(&["verify", text(&to), "--json"]).stdout;
    let value: serde_json::Value = serde_json::from_str(&value).unwrap();
    let faults = value["faults"].as_array().unwrap();
    let named = faults.iter().find(|fault| fault["record"] == 1);
    assert!(
        named.is_some_and(|fault| fault["stream"] != "house"),
        "{}",
        said.stdout
    );
}

#[test]
fn serve_refuses_a_folder_of_another_house_than_the_one_asked_for() {
    let data = lived("another-house");
    let house = json(&["verify", text(&data)])["house"].clone();
    let house = house.as_str().unwrap();
    let said = live(&data, &["--fingerprint", &house[..16]]);
    assert!(said.contains("listening on"), "{said}");
    let before = std::fs::read(data.join("journal/house.sqlite")).unwrap();
    let serve = ["serve", "--data", text(&data), "--listen", "127.0.0.1:0"];
    let other = [&serve[..], &["--fingerprint", "0123456789abcdef"]].concat();
    refused(
        &other,
        &format!("it is of house {house}, not of 0123456789abcdef"),
    );
    let short = [&serve[..], &["--fingerprint", "0123"]].concat();
    refused(&short, "a fingerprint has 64 hexadecimal digits");
    let after = std::fs::read(data.join("journal/house.sqlite")).unwrap();
    assert!(before == after, "a folder that was refused was written to");
    // A folder without keys is of no house.
    let nothing = data.with_file_name("nothing");
    let serve = ["serve", "--data", text(&nothing), "--listen", "127.0.0.1:0"];
    refused(&[&serve[..], &["--fingerprint", house]].concat(), "keys");
    assert!(!nothing.exists(), "a house was made");
}

#[test]
fn a_lost_tree_is_told_by_verify_and_by_the_next_start() {
    let data = lived("lost-tree");
    let known = leaves(&data);
    std::fs::remove_dir_all(data.join("tree")).unwrap();
    let said = unsigned(&["verify", text(&data)]);
    assert!(said.contains("tree: NONE"), "{said}");
    let said = unsigned(&["verify", text(&data), "--json"]);
    assert!(said.contains("\"tree_missing\": true"), "{said}");
    let said = live(&data, &[]);
    assert!(said.contains("was missing and is built anew"), "{said}");
    assert!(leaves(&data) > known, "of all journals");
    let said = live(&data, &[]);
    assert!(!said.contains("built anew"), "{said}");
    assert!(json(&["verify", text(&data)]).get("tree_missing").is_none());
}

#[test]
fn a_damaged_or_crafted_tree_is_a_fault_and_not_a_crash() {
    let data = lived("damaged-tree");
    let file = data.join("tree/tree.sqlite");
    let crafted = data.with_file_name("crafted");
    copy(&data, &crafted);
    std::fs::write(&file, b"SQLite format 3\0 and then nothing of a tree").unwrap();
    faulty(&data, &["tree.sqlite"]);
    // Numbers that no house writes: the last record before the first.
    let tree = rusqlite::Connection::open(crafted.join("tree/tree.sqlite")).unwrap();
    let change =
        "UPDATE leaves SET first_sequence = 9223372036854775807 - place, last_sequence = 0";
    tree.execute_batch(change).unwrap();
    drop(tree);
    faulty(&crafted, &["the tree"]);
}

#[test]
fn a_backup_keeps_the_tree_and_a_house_that_is_restored_goes_on_with_it() {
    let data = lived("tree-backup");
    let backup = data.with_file_name("backup");
    good(&["backup", text(&data), text(&backup), "--with-secret-keys"]);
    let known = leaves(&data);
    assert_eq!(leaves(&backup), known);
    // What was added since comes along with the tree of then.
    live(&data, &[]);
    let add = ["backup", text(&data), text(&backup), "--add"];
    good(&[&add[..], &["--with-secret-keys"]].concat());
    assert!(leaves(&data) > known);
    assert_eq!(leaves(&backup), leaves(&data));
    let head = |data: &Path| {
        let tree = rusqlite::Connection::open(data.join("tree/tree.sqlite")).unwrap();
        let newest = "SELECT size, note FROM heads ORDER BY size DESC LIMIT 1";
        let head: (i64, String) = tree
            .query_row(newest, [], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        head
    };
    assert_eq!(head(&backup), head(&data));
    let known = leaves(&backup);
    let said = live(&backup, &[]);
    assert!(
        !said.contains("built anew") && !said.contains("NOT PLAYING"),
        "{said}"
    );
    assert!(leaves(&backup) > known);
    assert_eq!(run(&["verify", text(&backup)]).code, 0);
}

#[test]
fn a_folder_a_backup_and_an_archive_of_a_house_verify_alike() {
    let data = lived("copies");
    let (backup, archive) = (data.with_file_name("copy"), data.with_file_name("archive"));
    good(&["backup", text(&data), text(&backup)]);
    good(&["archive", text(&data), text(&archive), "--older-than", "0"]);
    let streams = |data: &Path| {
        let value = json(&["verify", text(data)]);
        let streams = value["streams"].as_array().unwrap().iter();
        let names = streams.map(|one| one["stream"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    // In the same order each time, over however many threads.
    let known = streams(&data);
    assert_eq!(known.last().map(String::as_str), Some("house"));
    assert_eq!(known, streams(&data));
    assert_eq!(known, streams(&backup));
    assert_eq!(known, streams(&archive));
    // An archive says that it is one, and no house is run in it.
    assert_eq!(json(&["verify", text(&archive)])["archive"], true);
    let serve = ["serve", "--data", text(&archive), "--listen", "127.0.0.1:0"];
    refused(&serve, "an archive");
}

/// What stands in a journal or in the tree that the program did not make.
#[test]
fn whatever_another_program_put_into_a_file_is_named_and_no_start_writes_to_it() {
    let data = lived("altered");
    let swallow = "CREATE TRIGGER z BEFORE INSERT ON TABLE BEGIN SELECT RAISE(IGNORE); END";
    let files = [
        ("journal/house.sqlite", "blocks"),
        ("tree/tree.sqlite", "leaves"),
    ];
    for (file, table) in files {
        let altered = data.with_file_name("altered-copy");
        let _ = std::fs::remove_dir_all(&altered);
        copy(&data, &altered);
        let other = rusqlite::Connection::open(altered.join(file)).unwrap();
        other
            .execute_batch(&swallow.replace("TABLE", table))
            .unwrap();
        drop(other);
        let words = format!("the trigger z on {table} is foreign");
        let said = faulty(&altered, &[&words]);
        assert!(said.stdout.contains("mbs-etg: "), "the others are examined");
        if table == "blocks" {
            faulty(&altered.join(file), &[&words]);
            let serve = ["serve", "--data", text(&altered), "--listen", "127.0.0.1:0"];
            refused(&serve, &words);
        }
    }
}

#[test]
fn tampering_inside_a_folder_is_a_fault_and_the_rest_is_examined() {
    let data = lived("tampered");
    let file = |data: &Path, name: &str| data.join(format!("journal/{name}.sqlite"));
    let sql = |path: PathBuf, sql: &str| {
        let file = rusqlite::Connection::open(path).unwrap();
        file.execute_batch(sql).unwrap();
    };
    type Change<'c> = &'c dyn Fn(&Path);
    let changes: [(&str, Change<'_>); 6] = [
        ("house, ", &|data| {
            std::fs::write(file(data, "house"), "").unwrap();
        }),
        ("house, ", &|data| {
            let bytes = std::fs::read(file(data, "house")).unwrap();
            std::fs::write(file(data, "house"), &bytes[..100]).unwrap();
        }),
        ("mbs-table, ", &|data| {
            sql(file(data, "mbs-table"), "PRAGMA application_id = 7");
        }),
        ("holds stream other, not mbs-table", &|data| {
            let change = "UPDATE meta SET value = 'other' WHERE key = 'stream'";
            sql(file(data, "mbs-table"), change);
        }),
        ("holds stream rws-etg, not mbs-table", &|data| {
            std::fs::copy(file(data, "rws-etg"), file(data, "mbs-table")).unwrap();
        }),
        ("ghost, ", &|data| {
            std::fs::write(
                file(data, "ghost"),
                "not a journal, and long enough to be read",
            )
            .unwrap();
        }),
    ];
    for (words, change) in changes {
        let changed = data.with_file_name("tampered-copy");
        let _ = std::fs::remove_dir_all(&changed);
        copy(&data, &changed);
        change(&changed);
        let said = faulty(&changed, &[words]);
        assert!(
            said.stdout.contains("mbs-etg: "),
            "{words}: {}",
            said.stdout
        );
    }
    let gone = data.with_file_name("journals-gone");
    let _ = std::fs::remove_dir_all(&gone);
    copy(&data, &gone);
    std::fs::remove_dir_all(gone.join("journal")).unwrap();
    faulty(&gone, &["its journals are missing"]);
    let forged = data.with_file_name("forged-key");
    let _ = std::fs::remove_dir_all(&forged);
    copy(&data, &forged);
    good(&["key", "rotate", text(&forged)]);
    let over = forged.join("keys/2/hand-over.txt");
    let said = std::fs::read_to_string(&over).unwrap();
    std::fs::write(&over, said.replace("number: 2", "number: 3")).unwrap();
    faulty(&forged, &["hand-over"]);
}

/// The file of a retired key may still lie somewhere.
#[test]
fn a_key_that_was_rotated_away_signs_nothing_more() {
    let data = lived("rotated-away");
    let old = std::fs::read_to_string(data.join("keys/1/key.pem")).unwrap();
    good(&["key", "rotate", text(&data)]);
    assert_eq!(run(&["verify", text(&data)]).code, 0);
    let lives = data.with_file_name("lives");
    let _ = std::fs::remove_dir_all(&lives);
    copy(&data, &lives);
    let undone = data.with_file_name("undone");
    let _ = std::fs::remove_dir_all(&undone);
    copy(&data, &undone);
    append_with(&old, &data);
    let words = "certified with key 1, which was retired by then";
    faulty(&data, &[words]);
    let serve = ["serve", "--data", text(&data), "--listen", "127.0.0.1:0"];
    refused(&serve, words);
    // The house itself goes on under its new key.
    live(&lives, &[]);
    assert_eq!(run(&["verify", text(&lives)]).code, 0);

    // The rows by which the new key took over are gone, as where a rotation was
    // cut off: what the old key signs is believed as little.
    let house = |data: &Path| data.join("journal/house.sqlite");
    let remove = "DROP TRIGGER a_checkpoint_is_never_deleted;
                  DELETE FROM checkpoints WHERE reason = 'rotated';
                  CREATE TRIGGER a_checkpoint_is_never_deleted BEFORE DELETE ON checkpoints
BEGIN SELECT RAISE(ABORT, 'a checkpoint is never deleted'); END";
    rusqlite::Connection::open(house(&undone))
        .unwrap()
        .execute_batch(remove)
        .unwrap();
    let forged = data.with_file_name("undone-forged");
    let _ = std::fs::remove_dir_all(&forged);
    copy(&undone, &forged);
    append_with(&old, &forged);
    let words = "key 2 has not signed where that one ended";
    for data in [&undone, &forged] {
        faulty(data, &[words]);
        let serve = ["serve", "--data", text(data), "--listen", "127.0.0.1:0"];
        refused(&serve, words);
    }
    // Whoever has the new key looks at them and says so.
    good(&["key", "adopt", text(&undone), "--sign"]);
    assert_eq!(run(&["verify", text(&undone)]).code, 0);
    live(&undone, &[]);
}

/// Somebody with a key of the house and the format appends a block of a writer of his own.
fn append_with(key: &str, data: &Path) {
    let folder = DataFolder::open(data).unwrap();
    let house = StreamId::new("house").unwrap();
    let mut store = folder.open_stream(&house).unwrap();
    let thief = HouseKey::from_pem(key).unwrap();
    let thief = Signatory::of_first_key(thief, WriterSecret::new([9; 32]));
    let tail = store.tail();
    let mut writer = Writer::resume(house, &tail, tail.epoch + 1, &thief).unwrap();
    writer.push(1_794_772_800_000, 7, 1, b"forged").unwrap();
    let block = writer.seal(1_794_772_800_000).unwrap();
    store.append(&block, Beside::default()).unwrap();
}
