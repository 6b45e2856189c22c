//! Damaged journals and wrong paths through the real binary: a fault is named
//! with exit code 1, what cannot be used is said with what to do and exit code
//! 2, and nothing is changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::cli::binary::run;
use crate::cli::journal::{golden, text};

/// Changes a journal behind the program's back, and puts the guards back that
/// stood in the way.
fn change(folder: &Path, sql: &str) {
    let connection = Connection::open(folder.join("journal/mbs-etg.sqlite")).unwrap();
    let mut guards = connection
        .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        .unwrap();
    let guards: Vec<(String, String)> = guards
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert!(!guards.is_empty());
    for (name, _) in &guards {
        let drop = format!("DROP TRIGGER {name}");
        connection.execute_batch(&drop).unwrap();
    }
    connection.execute_batch(sql).unwrap();
    for (_, guard) in &guards {
        connection.execute_batch(guard).unwrap();
    }
}

#[test]
fn whatever_is_changed_in_a_journal_file_is_named() {
    // A block's body with its first salt changed, by its place in the file.
    let body = "UPDATE blocks SET body = CAST(substr(body, 1, 6) || x'ff' || substr(body, 8) AS BLOB) \
                WHERE first_sequence = 12";
    let header = "UPDATE blocks SET header = CAST(substr(header, 1, 40) || x'ff' || \
                  substr(header, 42) AS BLOB) WHERE first_sequence = 12";
    let signature = "UPDATE checkpoints SET signature = zeroblob(64) WHERE number = 2";
    let message = "UPDATE checkpoints SET message = replace(message, 'round-end', 'minute') \
                   WHERE number = 2";
    for (what, sql, record) in [
        ("a body", body, Some(12)),
        ("a header", header, Some(12)),
        (
            "a dropped block",
            "DELETE FROM blocks WHERE first_sequence = 12",
            Some(12),
        ),
        (
            "a block filed elsewhere",
            "UPDATE blocks SET first_sequence = 100000, last_sequence = 100000 \
             WHERE first_sequence = 12",
            None,
        ),
        ("a signature", signature, Some(24)),
        ("a message", message, Some(24)),
        (
            "a checkpoint's column",
            "UPDATE checkpoints SET time_ms = 1 WHERE number = 2",
            Some(24),
        ),
        (
            "a round's dice",
            "UPDATE rounds SET dice = '6-6-6' WHERE round = 1",
            Some(8),
        ),
        (
            "a dropped round",
            "DELETE FROM rounds WHERE round = 1",
            Some(8),
        ),
    ] {
        let folder = golden("changed");
        change(&folder, sql);
        let run = run(&["verify", text(&folder), "--json"]);
        assert_eq!(run.code, 1, "{what}: {}{}", run.stdout, run.stderr);
        let value: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(value["ok"], false);
        assert_eq!(value["fault"]["stream"], "mbs-etg", "{what}");
        let named = value["fault"]["record"].as_u64();
        assert!(named.is_some(), "{what}: {}", value["fault"]["what"]);
        if record.is_some() {
            assert_eq!(named, record, "{what}: {}", value["fault"]["what"]);
        }
    }
}

fn contents(folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy().into_owned();
        // A reader may make these beside a journal; they hold nothing.
        if name.ends_with("-shm") || name.ends_with("-wal") {
            continue;
        }
        if path.is_dir() {
            contents(&path, all);
        } else {
            all.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
}

/// Every tool refuses the path with exit code 2 and these words, and changes nothing.
#[track_caller]
fn refused(path: &Path, around: &Path, words: &[&str]) {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    contents(around, &mut before);
    let dest = around.with_extension("dest");
    let commands: [&[&str]; 5] = [
        &["verify", text(path)],
        &["replay", text(path), "--stream", "mbs-etg"],
        &["export", text(path), "--stream", "mbs-etg"],
        &["bundle", text(path), "--round", "1", "--stream", "mbs-etg"],
        &["backup", text(path), text(&dest)],
    ];
    for arguments in commands {
        let run = run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        // A backup wants a data folder; it may have other words for a file.
        if arguments[0] != "backup" {
            for word in words {
                assert!(
                    run.stderr.contains(word),
                    "{arguments:?}: {word} in {}",
                    run.stderr
                );
            }
        }
    }
    contents(around, &mut after);
    assert!(before == after, "something was changed");
    let _ = std::fs::remove_dir_all(dest.with_extension("dest.unfinished"));
}

#[test]
fn a_wrong_path_is_refused_with_what_to_do() {
    let folder = golden("wrong");
    refused(&folder.join("nothing"), &folder, &["there is no such file"]);
    refused(
        &folder.join("keys"),
        &folder,
        &["not a sicbo data folder", "check the path"],
    );
    let other = folder.join("other.txt");
    std::fs::write(&other, "a shopping list").unwrap();
    refused(
        &other,
        &folder,
        &["not a data folder, a journal or a bundle"],
    );
    let empty = folder.join("empty.sqlite");
    std::fs::write(&empty, "").unwrap();
    refused(&empty, &folder, &["the file is empty"]);
    let database = folder.join("other.sqlite");
    let connection = Connection::open(&database).unwrap();
    connection.execute_batch("CREATE TABLE t (a)").unwrap();
    drop(connection);
    refused(&database, &folder, &["not a sicbo journal"]);
}

#[test]
fn a_newer_format_is_refused_and_says_so() {
    let folder = golden("newer");
    let mark = folder.join("data-folder.txt");
    std::fs::write(&mark, "sicbo data folder, format 2\n").unwrap();
    refused(&folder, &folder, &["format 2", "use a newer program"]);
    let folder = golden("newer-file");
    let file = folder.join("journal/mbs-etg.sqlite");
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch("PRAGMA user_version = 3").unwrap();
    drop(connection);
    refused(&file, &folder, &["journal format 3", "use a newer program"]);
    let bundle = folder.join("new.bundle");
    std::fs::write(&bundle, "sicbo bundle 2\nsomething").unwrap();
    let run = run(&["verify", text(&bundle)]);
    assert!(
        run.code == 2 && run.stderr.contains("use a newer program"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_truncated_journal_is_refused_and_kept_as_it_is() {
    let folder = golden("truncated");
    let file = folder.join("journal/mbs-etg.sqlite");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let run = run(&["verify", text(&file)]);
    // Cut where blocks are, the first missing record is named; else it is no file to be used.
    assert!(
        run.code == 1 || run.code == 2,
        "{}{}",
        run.stdout,
        run.stderr
    );
    std::fs::write(&file, &bytes[..100]).unwrap();
    refused(&file, &folder, &["damaged", "restore a backup"]);
    assert_eq!(std::fs::read(&file).unwrap(), &bytes[..100]);
}

#[test]
#[cfg(unix)]
fn no_rights_is_said_with_what_to_do() {
    use std::os::unix::fs::PermissionsExt;
    let folder = golden("rights");
    let file = folder.join("journal/mbs-etg.sqlite");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&file).is_ok() {
        println!("note: run by one who may read everything; nothing to test");
        return;
    }
    let run = run(&["verify", text(&file)]);
    assert!(
        run.code == 2 && run.stderr.contains("owner"),
        "{}",
        run.stderr
    );
}
