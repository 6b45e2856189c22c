//! Random tampering: rows and bytes of a real house's folder are changed, removed,
//! put in another order or put back by somebody who has no key. `sicbo verify` must
//! notice whatever is not as it was, and neither it nor a start may fall over.
//!
//! `SICBO_TAMPERINGS=N` tries so many, `SICBO_TAMPER_SEED=N` the same ones again.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use sicbo_journal::{DataFolder, PublicKey};
use sicbo_testkit::random::Random;

use crate::cli::binary::{command, folder, good, run};
use crate::cli::journal::{copy, text};
use crate::cli::played::{Played, plan};

const TREE: &str = "tree/tree.sqlite";
/// Public halves of keys: read by what they say, not by how it is spelled.
const KEYS: [&str; 2] = ["keys/1/public.pem", "keys/2/public.pem"];
/// The statement that key 2 follows key 1, and both signatures over it.
const HAND_OVER: [&str; 3] = [
    "keys/2/hand-over.txt",
    "keys/2/hand-over.old.sig",
    "keys/2/hand-over.new.sig",
];
/// Of these nothing stands in the folder but check values, which a start compares.
const SECRETS: [&str; 3] = [
    "keys/pins.secret",
    "keys/vouchers.secret",
    "keys/tumblers.secret",
];

/// What must not change unseen, by table. Snapshots and older heads are kept for
/// quickness; where one is gone a start does without. A row twice says nothing new.
const TRUTH: [&str; 8] = [
    "SELECT * FROM meta ORDER BY 1",
    "SELECT * FROM blocks ORDER BY 1",
    "SELECT * FROM rounds ORDER BY 1",
    "SELECT DISTINCT sequence, time_ms, reason, key, message, signature FROM checkpoints ORDER BY 5",
    "SELECT * FROM sqlite_schema ORDER BY 1, 2",
    "SELECT * FROM leaves ORDER BY 1",
    "SELECT level, place, hash FROM nodes WHERE place < ((SELECT count(*) FROM leaves) >> level) \
     ORDER BY 1, 2",
    "SELECT size, note FROM heads ORDER BY 1 DESC LIMIT 1",
];

/// The folder as somebody reads it: of each file its rows, or that it cannot be read.
type Read = BTreeMap<String, Vec<String>>;

fn number(name: &str, otherwise: impl FnOnce() -> u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or_else(otherwise, |text| text.parse().unwrap())
}

/// The files whose contents are what the house wrote.
fn files(data: &Path) -> Vec<String> {
    let journals = std::fs::read_dir(data.join("journal")).unwrap();
    let journals = journals.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let journals = journals.filter(|name| name.ends_with(".sqlite"));
    let mut files: Vec<String> = journals.map(|name| format!("journal/{name}")).collect();
    files.push(TREE.to_owned());
    files.extend(KEYS.into_iter().chain(HAND_OVER).map(str::to_owned));
    files.sort();
    files
}

fn rows(file: &Connection, query: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = file.prepare(query)?;
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let values = (0..columns).map(|at| row.get::<_, Value>(at));
        let values: rusqlite::Result<Vec<Value>> = values.collect();
        Ok(format!("{:?}", values?))
    })?;
    rows.collect()
}

fn read(data: &Path) -> Read {
    let mut found = Read::new();
    for name in files(data) {
        let path = data.join(&name);
        let said = if KEYS.contains(&name.as_str()) {
            let key = std::fs::read_to_string(&path).ok();
            let key = key.and_then(|text| PublicKey::from_pem(&text).ok());
            vec![format!("{:?}", key.map(|key| key.id().to_string()))]
        } else if HAND_OVER.contains(&name.as_str()) {
            vec![format!("{:?}", std::fs::read(&path).ok())]
        } else {
            read_database(&path)
        };
        found.insert(name, said);
    }
    let purpose = format!("{:?}", DataFolder::purpose(data));
    found.insert("data-folder.txt".to_owned(), vec![purpose]);
    found
}

fn read_database(path: &Path) -> Vec<String> {
    let Ok(file) = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY) else {
        return vec!["unreadable".to_owned()];
    };
    let mut all = Vec::new();
    for query in TRUTH {
        match rows(&file, query) {
            Ok(rows) => all.extend(rows),
            Err(error) => all.push(error.to_string()),
        }
    }
    let header = |pragma| file.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    for pragma in ["application_id", "user_version"] {
        all.push(format!("{:?}", header(pragma)));
    }
    all
}

/// Folds every log into its journal: a log that was left would be laid over
/// whatever is put in the journal's place.
fn fold_logs(data: &Path) {
    for name in files(data)
        .iter()
        .filter(|name| name.starts_with("journal/"))
    {
        let file = Connection::open(data.join(name)).unwrap();
        let folded = file.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        folded.unwrap();
    }
}

/// What one has and the other has not, at most a few.
fn differences(known: &Read, found: &Read) -> Vec<String> {
    let mut differ = Vec::new();
    for (one, other, sign) in [(known, found, '-'), (found, known, '+')] {
        for (name, rows) in one {
            let others = other.get(name);
            let new = rows
                .iter()
                .filter(|row| !others.is_some_and(|all| all.contains(row)));
            differ.extend(new.map(|row| format!("{sign} {name} {row}")));
        }
    }
    differ.truncate(4);
    differ
}

/// Does one thing to a folder; says what.
fn tamper(random: &mut Random, data: &Path, older: &Path) -> String {
    let names = files(data);
    let name = random.pick(&names);
    let path = data.join(&name);
    match random.below(9) {
        0 | 1 => {
            let mut bytes = std::fs::read(&path).unwrap();
            let flips = 1 + random.below(3);
            for _ in 0..flips {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            std::fs::write(&path, bytes).unwrap();
            format!("{flips} bits of {name}")
        }
        2 => {
            let bytes = std::fs::read(&path).unwrap();
            let left = random.below(bytes.len());
            std::fs::write(&path, &bytes[..left]).unwrap();
            format!("{name} cut to {left} bytes")
        }
        3 => {
            std::fs::remove_file(&path).unwrap();
            format!("{name} removed")
        }
        4 => {
            std::fs::copy(older.join(&name), &path).unwrap();
            format!("{name} put back")
        }
        5 => {
            let other = random.pick(&names);
            let (one, two) = (std::fs::read(&path), std::fs::read(data.join(&other)));
            std::fs::write(&path, two.unwrap()).unwrap();
            std::fs::write(data.join(&other), one.unwrap()).unwrap();
            format!("{name} and {other} changed places")
        }
        _ => {
            let is_database = |name: &String| name.ends_with(".sqlite");
            let databases: Vec<_> = names.into_iter().filter(is_database).collect();
            let name = random.pick(&databases);
            let done = tamper_rows(random, &data.join(&name));
            format!("{name}: {}", done.unwrap_or_else(|error| error.to_string()))
        }
    }
}

/// Changes one row of a database, and puts the guards back that forbid it.
fn tamper_rows(random: &mut Random, path: &Path) -> rusqlite::Result<String> {
    let file = Connection::open(path)?;
    let texts = |query: &str| -> rusqlite::Result<Vec<String>> {
        let mut statement = file.prepare(query)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect()
    };
    let guards = texts("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")?;
    for name in texts("SELECT name FROM sqlite_schema WHERE type = 'trigger'")? {
        file.execute_batch(&format!("DROP TRIGGER {name}"))?;
    }
    let tables = texts("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    let table = random.pick(&tables);
    let done = tamper_row(random, &file, &table);
    for guard in guards {
        file.execute_batch(&guard)?;
    }
    done
}

fn tamper_row(random: &mut Random, file: &Connection, table: &str) -> rusqlite::Result<String> {
    let mut statement = file.prepare(&format!("SELECT * FROM {table}"))?;
    let names = statement.column_names();
    let names: Vec<String> = names.map(ToString::to_string).collect();
    let all = statement.query_map([], |row| {
        let values = (0..names.len()).map(|at| row.get::<_, Value>(at));
        values.collect::<rusqlite::Result<Vec<Value>>>()
    })?;
    let mut all: Vec<Vec<Value>> = all.collect::<rusqlite::Result<_>>()?;
    if all.is_empty() {
        return Ok(format!("nothing in {table}"));
    }
    let (row, column) = (random.below(all.len()), random.below(names.len()));
    let what = match random.below(4) {
        0 => {
            all.remove(row);
            format!("row {row} of {table} deleted")
        }
        1 => {
            let other = random.below(all.len());
            let (one, two) = (all[row][column].clone(), all[other][column].clone());
            (all[row][column], all[other][column]) = (two, one);
            format!(
                "{} of rows {row} and {other} of {table} exchanged",
                names[column]
            )
        }
        2 => {
            let mut again = all[row].clone();
            if let Value::Integer(key) = &mut again[0] {
                *key += 1 + random.below(1_000) as i64;
            }
            all.push(again);
            format!("row {row} of {table} once more")
        }
        _ => {
            change(random, &mut all[row][column]);
            format!("{} of row {row} of {table} changed", names[column])
        }
    };
    drop(statement);
    let places = vec!["?"; names.len()].join(", ");
    file.execute_batch(&format!("BEGIN; DELETE FROM {table}"))?;
    for row in all {
        let insert = format!("INSERT INTO {table} VALUES ({places})");
        if let Err(error) = file.execute(&insert, params_from_iter(row)) {
            file.execute_batch("ROLLBACK")?;
            return Ok(format!("{what}: refused, {error}"));
        }
    }
    file.execute_batch("COMMIT")?;
    Ok(what)
}

fn change(random: &mut Random, value: &mut Value) {
    match value {
        Value::Integer(number) => *number ^= 1 << random.below(20),
        Value::Blob(bytes) if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        Value::Text(words) => {
            let mut letters: Vec<char> = words.chars().collect();
            letters.insert(random.below(letters.len() + 1), 'x');
            *words = letters.into_iter().collect();
        }
        other => *other = Value::Integer(1),
    }
}

/// Starts the house on a folder and stops it, or is refused; whatever it said.
fn start(data: &Path, marks: &Path) -> (Option<i32>, String) {
    let config = data.with_file_name("house.toml");
    let mut child = command()
        .args(["serve", "--data", text(data), "--config", text(&config)])
        .env("SICBO_MARKS", marks)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in lines.by_ref() {
        said += &line.unwrap();
        said.push('\n');
        if said.contains("listening on ") {
            break;
        }
    }
    let id = child.id().to_string();
    // One that was refused is gone already.
    let mut tell = std::process::Command::new("kill");
    let _ = tell.args(["-TERM", &id]).stderr(Stdio::null()).status();
    lines.for_each(|line| drop(line.unwrap()));
    let ended = child.wait_with_output().unwrap();
    said += &String::from_utf8_lossy(&ended.stderr);
    (ended.status.code(), said)
}

fn blocks(data: &Path) -> BTreeMap<String, Vec<String>> {
    let journals = files(data).into_iter();
    let journals = journals.filter(|name| name.starts_with("journal/"));
    let found = journals.map(|name| {
        let file = Connection::open_with_flags(data.join(&name), OpenFlags::SQLITE_OPEN_READ_ONLY);
        let query = "SELECT hex(header), hex(body) FROM blocks ORDER BY first_sequence";
        let rows = file.and_then(|file| rows(&file, query));
        (name, rows.unwrap_or_default())
    });
    found.collect()
}

/// A house whose table has dealt under two keys, and a copy from before its last rounds.
fn played(name: &str) -> (PathBuf, PathBuf) {
    let place = folder(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    plan(&place, "");
    let (data, older) = (place.join("data"), place.join("older"));
    let play = |rounds| {
        let house = Played::start(&place);
        house.rounds(rounds);
        house.stop();
        fold_logs(&data);
    };
    play(2);
    good(&["key", "rotate", text(&data)]);
    play(3);
    copy(&data, &older);
    play(5);
    (data, older)
}

/// Nothing in the journals says what a secret is: a start holds it to its check value.
#[test]
fn a_secret_that_was_changed_at_random_is_named_and_no_house_starts_on_it() {
    let seed = number("SICBO_TAMPER_SEED", || {
        std::hash::RandomState::new().build_hasher().finish()
    });
    eprintln!("SICBO_TAMPER_SEED={seed}");
    let mut random = Random(seed);
    let (data, _) = played("secrets-at-random");
    let marks = data.with_file_name("marks");
    for name in SECRETS.into_iter().filter(|name| data.join(name).exists()) {
        let known = std::fs::read(data.join(name)).unwrap();
        let mut bytes = known.clone();
        match random.below(3) {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => bytes.push(random.below(256) as u8),
            _ => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
        std::fs::write(data.join(name), &bytes).unwrap();
        let before = blocks(&data);
        let (code, said) = start(&data, &marks);
        assert_eq!(code, Some(2), "{name} of seed {seed}: {said}");
        let file = name.trim_start_matches("keys/");
        assert!(said.contains(file), "{name} of seed {seed}: {said}");
        assert_eq!(blocks(&data), before, "{name}: the start has written");
        std::fs::write(data.join(name), &known).unwrap();
    }
    assert_eq!(start(&data, &marks).0, Some(0), "as they were, it starts");
}

#[test]
fn whatever_is_done_to_a_folder_at_random_is_noticed_and_nothing_falls_over() {
    let fresh = || std::hash::RandomState::new().build_hasher().finish();
    let seed = number("SICBO_TAMPER_SEED", fresh);
    let count = number("SICBO_TAMPERINGS", || 16);
    eprintln!("SICBO_TAMPER_SEED={seed} SICBO_TAMPERINGS={count}");
    let (data, older) = played("at-random");
    let known = read(&data);
    assert_eq!(run(&["verify", text(&data)]).code, 0);
    let (mut random, mut noticed, mut started) = (Random(seed), 0, 0);
    for at in 0..count {
        let tampered = data.with_file_name("at-random-tampered");
        let _ = std::fs::remove_dir_all(&tampered);
        copy(&data, &tampered);
        let what = tamper(&mut random, &tampered, &older);
        let what = format!("{at} of seed {seed}: {what}");
        let changed = differences(&known, &read(&tampered));
        let said = run(&["verify", text(&tampered)]);
        let told = format!("{what}: {} {}{}", said.code, said.stdout, said.stderr);
        assert!((0..=3).contains(&said.code), "{told}");
        assert!(!said.stderr.contains("panicked"), "{told}");
        let unnoticed = said.code == 0 && !changed.is_empty();
        assert!(!unnoticed, "NOT NOTICED: {changed:?} {told}");
        noticed += u64::from(said.code != 0);
        if at % 4 == 3 {
            let before = blocks(&tampered);
            let marks = tampered.with_file_name("at-random-marks");
            let _ = std::fs::remove_dir_all(&marks);
            let (code, said) = start(&tampered, &marks);
            assert!(matches!(code, Some(0 | 2)), "{what}: {code:?} {said}");
            assert!(!said.contains("panicked"), "{what}: {said}");
            started += u64::from(code == Some(0));
            let after = blocks(&tampered);
            for (name, rows) in before {
                let kept = after.get(&name).is_some_and(|now| now.starts_with(&rows));
                assert!(kept, "{what}: a start has changed blocks of {name}");
            }
            let again = run(&["verify", text(&tampered)]);
            assert!((0..=3).contains(&again.code), "{what}: {}", again.stderr);
        }
    }
    eprintln!("{noticed} of {count} noticed, {started} starts came up");
}
