//! The journal tools through the real binary, on the golden data folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use sicbo_journal::{DataFolder, HouseKey, KeyFolder, Signatory, Store as _, WriterSecret};

use crate::cli::binary::{Run, command, good, json, refused, root, run, unsigned};

/// A fresh copy of the golden data folder.
pub(crate) fn golden(name: &str) -> PathBuf {
    copied("sicbo-proof/tests/golden/house", name)
}

/// A fresh copy of a folder among the crates.
fn copied(from: &str, name: &str) -> PathBuf {
    let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&to);
    copy(&root().join("crates").join(from), &to);
    to
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs it and expects a fault in what was examined.
fn faulty(arguments: &[&str]) -> Run {
    let run = run(arguments);
    assert_eq!(run.code, 1, "{arguments:?}: {}{}", run.stdout, run.stderr);
    run
}

/// Whoever has the golden house's newest key.
pub(crate) fn writes_as(data: &DataFolder) -> (HouseKey, Signatory) {
    let ring = KeyFolder::read_ring(&data.keys_path()).unwrap();
    let key = HouseKey::from_entropy(&[8; 32]);
    let signatory = Signatory::new(key.clone(), ring, WriterSecret::new([9; 32]));
    (key, signatory)
}

pub(crate) fn fingerprint() -> String {
    HouseKey::from_entropy(&[7; 32]).id().to_string()
}

#[test]
fn verify_says_whose_journal_it_is_what_is_in_it_and_how_far_it_is_signed() {
    let folder = golden("verify");
    let plain = good(&["verify", text(&folder)]);
    for part in [
        &fingerprint()[..],
        "not compared",
        "mbs-etg: ",
        "rounds ended",
        "signed to",
        "credit T1",
        "house-bank",
        "verified: ",
    ] {
        assert!(plain.contains(part), "{part} in {plain}");
    }
    let value = json(&[
        "verify",
        text(&folder),
        "--fingerprint",
        &fingerprint()[..16],
    ]);
    assert_eq!(value["ok"], true);
    assert_eq!(value["house_given"], true);
    assert_eq!(value["streams"].as_array().unwrap().len(), 5);
    let one = folder.join("journal/rws-etg.sqlite");
    assert!(good(&["verify", text(&one)]).contains("verified"));
    let key = folder.join("keys/1/public.pem");
    good(&["verify", text(&one), "--key", text(&key)]);
    // The second key is not the one the house is known by.
    let second = folder.join("keys/2/public.pem");
    let refused = faulty(&["verify", text(&folder), "--key", text(&second)]);
    assert!(refused.stdout.contains("refused"), "{}", refused.stdout);
    faulty(&["verify", text(&folder), "--fingerprint", "0123456789abcdef"]);
}

#[test]
fn replay_gives_the_same_bytes_in_every_environment() {
    let folder = golden("replay");
    let expected = root().join("crates/sicbo-proof/tests/golden/replay.txt");
    let expected = std::fs::read_to_string(expected).unwrap();
    for round in 1..=6 {
        let round = round.to_string();
        let arguments = [
            "replay",
            text(&folder),
            "--stream",
            "mbs-etg",
            "--round",
            &round,
        ];
        let told = good(&arguments);
        assert!(expected.contains(&told), "round {round}:\n{told}");
        let mut elsewhere = command();
        elsewhere
            .args(arguments)
            .env("LANG", "vi_VN.UTF-8")
            .env("LC_ALL", "zh_TW.UTF-8")
            .env("TZ", "Asia/Ho_Chi_Minh");
        let output = elsewhere.output().unwrap();
        assert_eq!(told.as_bytes(), output.stdout);
    }
    let value = json(&[
        "replay",
        text(&folder),
        "--stream",
        "mbs-etg",
        "--round",
        "3",
    ]);
    assert_eq!(value["lives"].as_array().unwrap().len(), 3, "both lives");
    let bets = value["lives"][1]["stations"][0]["bets"].as_array();
    let won = |bet: &&serde_json::Value| !bet["odds"].is_null();
    let odds = bets.unwrap().iter().find(won).expect("a bet that won");
    assert_eq!(
        (&odds["odds"], &odds["profit"]),
        (&"6 1/2".into(), &"130.00".into())
    );
    let listed = good(&["replay", text(&folder)]);
    assert_eq!(listed.lines().count(), 5 + 5 * 6);
}

#[test]
fn export_writes_every_record_once_in_either_form() {
    let folder = golden("export");
    let stream = ["--stream", "quang-nam-table"];
    let lines = good(&[&["export", text(&folder)], &stream[..]].concat());
    let records: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record["sequence"], at + 1);
    }
    assert_eq!(records[0]["event"], "table-opened");
    let csv = good(&[&["export", text(&folder), "--format", "csv"], &stream[..]].concat());
    assert_eq!(csv.lines().count(), records.len() + 1);
    assert!(csv.starts_with("sequence,time,time_ms,event,by,second,command,fields\n"));
    let some = ["export", text(&folder), "--from", "5", "--to", "9"];
    let some = good(&[&some[..], &stream[..]].concat());
    assert_eq!(some.lines().count(), 5);
    let file = folder.join("export.jsonl");
    let to_file = ["export", text(&folder), "--out", text(&file)];
    assert_eq!(good(&[&to_file[..], &stream[..]].concat()), "");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), lines);
    // What is there is not written over.
    assert_eq!(run(&[&to_file[..], &stream[..]].concat()).code, 2);
}

/// Every record of a stream: its number and what is stored of it. Short ones
/// stand in several places of a bundle.
fn payloads(folder: &Path, stream: &str) -> Vec<(u64, Vec<u8>)> {
    let folder = DataFolder::open(folder).unwrap();
    let store = folder.open_stream(&stream.parse().unwrap()).unwrap();
    let mut all = Vec::new();
    for block in store.read_from(1) {
        let block = block.unwrap().decode().unwrap();
        let records = block.records();
        all.extend(records.map(|record| (record.sequence, record.payload.to_vec())));
    }
    all.retain(|(_, payload)| payload.len() >= 16);
    all
}

#[test]
fn j_10_a_regulator_verifies_and_replays_a_round_from_the_bundle_alone() {
    let folder = golden("bundle");
    let file = folder.with_extension("bundle");
    let _ = std::fs::remove_file(&file);
    let arguments = [
        "bundle",
        text(&folder),
        "--stream",
        "mbs-etg",
        "--round",
        "3",
        "--out",
        text(&file),
    ];
    good(&arguments);
    let told = good(&[
        "replay",
        text(&folder),
        "--stream",
        "mbs-etg",
        "--round",
        "3",
    ]);
    let records = payloads(&folder, "mbs-etg");
    // Nothing but the file from here on.
    std::fs::remove_dir_all(&folder).unwrap();
    let plain = good(&["verify", text(&file), "--fingerprint", &fingerprint()]);
    assert!(plain.contains("as given") && plain.contains("program       sha256"));
    assert!(good(&["replay", text(&file)]).starts_with(&told));
    let bytes = std::fs::read(&file).unwrap();
    let damaged = |at: usize| {
        let mut bad = bytes.clone();
        bad[at] ^= 4;
        std::fs::write(&file, &bad).unwrap();
    };
    for at in [14, 40, 200, bytes.len() - 40, bytes.len() - 1] {
        damaged(at);
        let run = run(&["verify", text(&file)]);
        let said = format!("{}{}", run.stdout, run.stderr);
        // A changed mark is no bundle at all.
        assert!(run.code == 1 || (at < 16 && run.code == 2), "{at}: {said}");
        assert!(!said.is_empty());
    }
    // J-10.4: one damaged byte within a record names that record, whichever it is.
    let mut found = 0;
    for (sequence, payload) in &records {
        let mut places = bytes.windows(payload.len()).enumerate();
        let Some((at, _)) = places.find(|(_, there)| there == payload) else {
            continue;
        };
        found += 1;
        for at in [at, at + payload.len() / 2, at + payload.len() - 1] {
            damaged(at);
            let said = faulty(&["--json", "verify", text(&file)]).stdout;
            let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
            assert_eq!(said["fault"]["record"], *sequence, "byte {at}: {said}");
            let plain = faulty(&["verify", text(&file)]).stdout;
            let named = format!("NOT verified: record {sequence}: ");
            assert!(plain.contains(&named), "byte {at}: {plain}");
        }
    }
    assert!(found > 10, "{found} records of the round are in the bundle");
}

#[test]
fn a_stations_bundle_says_what_it_cannot_prove() {
    let folder = golden("station-bundle");
    let file = folder.with_extension("bundle");
    let _ = std::fs::remove_file(&file);
    let path = text(&folder);
    let mut arguments = vec!["bundle", path, "--stream", "rws-etg", "--round", "1"];
    arguments.extend(["--station", "T1", "--out", text(&file)]);
    good(&arguments);
    let plain = good(&["replay", text(&file)]);
    assert!(plain.contains("note: made for station T1"), "{plain}");
    assert!(plain.contains("11") && !plain.contains("T2 bets") && !plain.contains("T3 bets"));
    let nobody = ["bundle", path, "--stream", "rws-etg", "--round", "1"];
    refused(&[&nobody[..], &["--station", "T9"]].concat(), "T1, T2, T3");
}

#[test]
fn backup_copies_a_folder_that_is_in_use_and_verifies_the_copy() {
    let folder = golden("backup");
    let copy = folder.with_extension("copy");
    let _ = std::fs::remove_dir_all(&copy);
    // A house is running there.
    let _running = DataFolder::open(&folder).unwrap();
    let said = good(&["backup", text(&folder), text(&copy)]);
    assert!(said.contains("the copy is verified") && said.contains("public halves only"));
    assert!(good(&["verify", text(&copy), "--fingerprint", &fingerprint()]).contains("verified"));
    refused(&["backup", text(&folder), text(&copy)], "there already");
}

#[test]
fn backup_adds_what_is_new_to_an_earlier_backup() {
    let folder = golden("backup-add");
    let copy = folder.with_extension("earlier");
    let _ = std::fs::remove_dir_all(&copy);
    // No backup yet.
    let missing = run(&["backup", text(&folder), text(&copy), "--add"]);
    assert!(missing.code == 2, "{}", missing.stderr);
    good(&["backup", text(&folder), text(&copy)]);
    // A table that came later: the backup does not have it yet.
    for end in ["sqlite", "sqlite-wal", "sqlite-shm"] {
        let _ = std::fs::remove_file(copy.join(format!("journal/rws-etg.{end}")));
    }
    let _running = DataFolder::open(&folder).unwrap();
    let said = good(&["backup", text(&folder), text(&copy), "--add"]);
    assert!(said.contains("rws-etg: records 1 to "), "{said}");
    assert!(
        said.contains("mbs-etg: nothing new after record "),
        "{said}"
    );
    let verified = good(&["verify", text(&copy), "--fingerprint", &fingerprint()]);
    assert!(verified.contains("verified"), "{verified}");
    let json = good(&["backup", text(&folder), text(&copy), "--add", "--json"]);
    assert!(json.contains("\"before_sequence\""), "{json}");
}

#[test]
fn p_077_archive_takes_an_age_from_the_plan_and_never_less_than_180_days() {
    let folder = golden("archive");
    let copy = folder.with_extension("archived");
    let _ = std::fs::remove_dir_all(&copy);
    // A hundred years ago nothing was signed.
    refused(
        &[
            "archive",
            text(&folder),
            text(&copy),
            "--older-than",
            "36500",
        ],
        "nothing is signed that is so old",
    );
    let plan = folder.with_extension("toml");
    let _ = std::fs::remove_file(&plan);
    good(&["init", text(&plan)]);
    let kept = std::fs::read_to_string(&plan).unwrap();
    for (days, faults) in [("2557", false), ("180", false), ("179", true), ("0", true)] {
        let asked = kept.replace("retention_days = 2557", &format!("retention_days = {days}"));
        assert!(days == "2557" || asked != kept);
        std::fs::write(&plan, asked).unwrap();
        let said = run(&["check", text(&plan)]);
        assert_eq!(said.code, i32::from(faults), "{days}: {}", said.stdout);
        let mut arguments = vec!["archive", text(&folder), text(&copy)];
        arguments.extend(["--config", text(&plan)]);
        let said = run(&arguments);
        let expected = if faults {
            "has faults"
        } else {
            "nothing is signed"
        };
        assert!(
            said.code == 2 && said.stderr.contains(expected),
            "{days}: {}",
            said.stderr
        );
    }
}

#[test]
fn key_rotate_needs_the_folder_for_itself_and_signs_a_hand_over() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rotate");
    let _ = std::fs::remove_dir_all(&folder);
    let data = DataFolder::create(&folder).unwrap();
    KeyFolder::open_or_create(&data.keys_path(), || [7; 32]).unwrap();
    refused(&["key", "rotate", text(&folder)], "in use");
    drop(data);
    let value = json(&["key", "rotate", text(&folder)]);
    assert_eq!(value["house"], fingerprint());
    assert_eq!(value["keys"].as_array().unwrap().len(), 2);
    assert!(good(&["key", "show", text(&folder)]).contains("key 2"));
}

/// Whether a program is on this machine; a note where it is not.
pub(crate) fn there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("note: {program} is not here, its part of the test is skipped");
    }
    found
}

#[test]
fn p_062_openssl_and_sha256sum_alone_verify_an_exported_checkpoint() {
    let folder = golden("openssl");
    let dest = folder.with_extension("export");
    let _ = std::fs::remove_dir_all(&dest);
    let path = text(&folder);
    let value = json(&["key", "export", path, text(&dest), "--stream", "mbs-etg"]);
    assert_eq!(
        value["key"], "key-2.pem",
        "the newest is signed by the second key"
    );
    let sh = |line: &str| {
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(&dest)
            .output();
        let output = output.unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    // The commands of docs/operating.md, as they stand there.
    let guide = std::fs::read_to_string(root().join("docs/operating.md")).unwrap();
    let commands: Vec<&str> = guide
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .filter(|line| line.starts_with("openssl") || line.starts_with("sha256sum"))
        .collect();
    assert!(commands.len() >= 4, "{commands:?}");
    let message = std::fs::read_to_string(dest.join("checkpoint.txt")).unwrap();
    for command in commands {
        let program = command.split(' ').next().unwrap();
        if !there(program) {
            continue;
        }
        let (done, said) = sh(command);
        assert!(done, "{command}: {said}");
        if command == "sha256sum header.bin" {
            let hash = said.split(' ').next().unwrap();
            assert!(message.contains(&format!("header-sha256: {hash}\n")));
        }
        if command.contains("key-1.pem -outform DER") {
            assert!(said.starts_with(&fingerprint()), "{said}");
        }
    }
    if there("openssl") {
        std::fs::write(
            dest.join("checkpoint.txt"),
            message.replace("sequence: ", "sequence: 1"),
        )
        .unwrap();
        let (done, _) = sh(
            "openssl pkeyutl -verify -pubin -inkey key-2.pem -rawin -in checkpoint.txt \
             -sigfile checkpoint.sig",
        );
        assert!(!done, "a changed checkpoint must not verify");
    }
}

/// A copy of the golden house, whose vouchers went between two tables.
fn golden_house(name: &str) -> PathBuf {
    copied("sicbo-proof/tests/golden/register", name)
}

#[test]
fn the_houses_own_journal_is_verified_compared_and_told_without_secrets() {
    let folder = golden_house("house");
    let told = unsigned(&["verify", text(&folder)]);
    assert!(told.contains("8 people, 3 enrolled"), "{told}");
    assert!(
        told.contains("the last 11 records are chained and NOT SIGNED"),
        "{told}"
    );
    assert!(told.contains("vouchers: 8 compared between the house and its tables, 0 in transit"));
    assert!(told.contains("outstanding SGD"), "{told}");
    let value: serde_json::Value =
        serde_json::from_str(&unsigned(&["verify", text(&folder), "--json"])).unwrap();
    assert_eq!(
        (&value["ok"], &value["signed"]),
        (&true.into(), &false.into())
    );
    assert_eq!(value["vouchers"]["compared"], 8);
    assert_eq!(value["vouchers"]["outstanding"][0]["amount"], "30.00");
    let exported = good(&["export", text(&folder), "--stream", "house"]);
    let first: serde_json::Value =
        serde_json::from_str(exported.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["event"], "house-set-up");
    assert_eq!(first["fields"]["staff"][0]["name"], "Tan Wei Ming");
    let replayed = good(&["replay", text(&folder), "--stream", "house"]);
    assert!(replayed.contains("voucher-redeemed"), "{replayed}");
    for text in [&exported, &replayed] {
        assert!(!text.contains("argon2"), "{text}");
    }
}

/// A journal's file without the triggers that keep it from being changed, which
/// come back when whoever changes it is done.
pub(crate) struct Unguarded {
    file: rusqlite::Connection,
    guards: String,
}

impl std::ops::Deref for Unguarded {
    type Target = rusqlite::Connection;

    fn deref(&self) -> &rusqlite::Connection {
        &self.file
    }
}

impl Drop for Unguarded {
    fn drop(&mut self) {
        self.file.execute_batch(&self.guards).unwrap();
    }
}

pub(crate) fn unguarded(folder: &Path, stream: &str) -> Unguarded {
    let file = folder.join(format!("journal/{stream}.sqlite"));
    let file = rusqlite::Connection::open(file).unwrap();
    let texts = "SELECT group_concat(sql, '; '), group_concat('DROP TRIGGER ' || name, '; ') \
                 FROM sqlite_schema WHERE type = 'trigger'";
    let (guards, drops): (String, String) = file
        .query_row(texts, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    file.execute_batch(&drops).unwrap();
    Unguarded { file, guards }
}

/// Takes the newest blocks away again: the stream as an earlier backup has it.
/// The last record that is left.
fn cut(folder: &Path, stream: &str, blocks: i64) -> i64 {
    let file = unguarded(folder, stream);
    let newest = "SELECT first_sequence FROM blocks ORDER BY first_sequence DESC LIMIT 1 OFFSET ?1";
    let first: i64 = file
        .query_row(newest, [blocks - 1], |row| row.get(0))
        .unwrap();
    for (table, column) in [
        ("blocks", "first_sequence"),
        ("checkpoints", "sequence"),
        ("snapshots", "sequence"),
        ("rounds", "last_sequence"),
    ] {
        let away = format!("DELETE FROM {table} WHERE {column} >= ?1");
        file.execute(&away, [first]).unwrap();
    }
    first - 1
}

/// A copy of a house from before the newest blocks of one table.
pub(crate) fn shortened(folder: &Path, name: &str) -> PathBuf {
    let earlier = folder.with_file_name(name);
    let _ = std::fs::remove_dir_all(&earlier);
    copy(folder, &earlier);
    let file = unguarded(&earlier, "mbs-etg");
    // Where the first round had ended.
    let ended = "SELECT last_sequence FROM rounds WHERE round = 1";
    let ended: i64 = file.query_row(ended, [], |row| row.get(0)).unwrap();
    for (table, column) in [
        ("blocks", "first_sequence"),
        ("checkpoints", "sequence"),
        ("snapshots", "sequence"),
        ("rounds", "first_sequence"),
    ] {
        let away = format!("DELETE FROM {table} WHERE {column} > ?1");
        file.execute(&away, [ended]).unwrap();
    }
    earlier
}

fn last_sequence(folder: &Path, stream: &str) -> i64 {
    let file = folder.join(format!("journal/{stream}.sqlite"));
    let file = rusqlite::Connection::open(file).unwrap();
    let last = "SELECT max(last_sequence) FROM blocks";
    file.query_row(last, [], |row| row.get(0)).unwrap()
}

fn earlier_backup(folder: &Path, name: &str) -> PathBuf {
    let copy = folder.with_extension(name);
    let _ = std::fs::remove_dir_all(&copy);
    good(&["backup", text(folder), text(&copy)]);
    copy
}

#[test]
fn backup_adds_nothing_when_something_new_in_the_house_is_damaged() {
    let folder = golden("backup-damaged");
    let copy = earlier_backup(&folder, "earlier");
    let before = ["mbs-etg", "rws-open-cover"].map(|stream| cut(&copy, stream, 4));
    // The last stream: those before it would have been added by then.
    let file = unguarded(&folder, "rws-open-cover");
    let flip = "UPDATE blocks SET body = CAST(substr(body, 1, length(body) - 1) || x'ff' AS BLOB) \
                WHERE first_sequence = (SELECT max(first_sequence) FROM blocks WHERE \
                first_sequence < (SELECT max(first_sequence) FROM blocks))";
    assert_eq!(file.execute(flip, []).unwrap(), 1);
    drop(file);
    refused(
        &["backup", text(&folder), text(&copy), "--add"],
        "rws-open-cover, record ",
    );
    let after = ["mbs-etg", "rws-open-cover"].map(|stream| last_sequence(&copy, stream));
    assert_eq!(after, before, "the backup was touched");
}

#[test]
fn backup_adds_nothing_to_a_journal_that_another_program_altered() {
    let folder = golden("backup-altered");
    let copy = earlier_backup(&folder, "earlier");
    let before = cut(&copy, "mbs-etg", 4);
    // A trigger that makes something else of one block that is written.
    let file = rusqlite::Connection::open(copy.join("journal/mbs-etg.sqlite")).unwrap();
    file.execute_batch(&format!(
        "CREATE TRIGGER another AFTER INSERT ON blocks WHEN new.first_sequence = {} BEGIN UPDATE \
         blocks SET body = zeroblob(length(body)) WHERE first_sequence = new.first_sequence; END",
        before + 1
    ))
    .unwrap();
    drop(file);
    let refused = run(&["backup", text(&folder), text(&copy), "--add"]);
    assert_eq!(refused.code, 2, "{}{}", refused.stdout, refused.stderr);
    let words = "the trigger another on blocks is foreign";
    assert!(refused.stderr.contains(words), "{}", refused.stderr);
    assert_eq!(last_sequence(&copy, "mbs-etg"), before, "nothing was added");
}

#[test]
fn backup_that_was_killed_while_it_added_is_added_to_again() {
    let folder = golden("backup-killed");
    let copy = earlier_backup(&folder, "earlier");
    let streams = [
        "mbs-etg",
        "mbs-table",
        "quang-nam-table",
        "rws-etg",
        "rws-open-cover",
    ];
    for stream in &streams[1..] {
        std::fs::remove_file(copy.join(format!("journal/{stream}.sqlite"))).unwrap();
    }
    cut(&copy, "mbs-etg", 4);
    let journal = |stream: &str| copy.join(format!("journal/{stream}.sqlite"));
    let mut adding = command()
        .args(["backup", text(&folder), text(&copy), "--add"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !journal("mbs-table").exists() {
        assert!(adding.try_wait().unwrap().is_none(), "it ended first");
    }
    adding.kill().unwrap();
    adding.wait().unwrap();
    assert!(!journal("rws-open-cover").exists(), "it was done already");
    let added = json(&["backup", text(&folder), text(&copy), "--add"]);
    assert_eq!(added["verified"], true, "{added}");
    for stream in streams {
        let (house, copied) = (last_sequence(&folder, stream), last_sequence(&copy, stream));
        assert_eq!(house, copied, "{stream}");
    }
    let verified = good(&["verify", text(&copy), "--fingerprint", &fingerprint()]);
    assert!(verified.contains("verified"), "{verified}");
}

#[test]
fn backup_says_when_there_are_no_keys_to_verify_what_is_new_with() {
    let folder = golden("backup-no-keys");
    let copy = earlier_backup(&folder, "earlier");
    cut(&copy, "mbs-etg", 4);
    std::fs::remove_dir_all(folder.join("keys")).unwrap();
    let said = good(&["backup", text(&folder), text(&copy), "--add"]);
    assert!(said.contains("signatures could not be verified"), "{said}");
    assert!(said.contains("added, 0 signatures verified"), "{said}");
    let again = json(&["backup", text(&folder), text(&copy), "--add"]);
    assert_eq!(again["verified"], false, "{again}");
}

#[test]
fn verify_says_where_time_ran_back() {
    use sicbo_loop::{Effect, Input, LoopOptions, persist, recover};
    use sicbo_table::actor::Actor;
    use sicbo_table::{Act, Command, Table};

    let folder = golden("verify-ran-back");
    let clean = json(&["verify", text(&folder)]);
    let of = |said: &serde_json::Value| {
        let streams = said["streams"].as_array().unwrap().iter();
        let mut own = streams.filter(|one| one["stream"] == "rws-etg");
        own.next().unwrap().clone()
    };
    assert!(of(&clean)["time_ran_back"].is_null(), "{clean}");
    let data = DataFolder::open(&folder).unwrap();
    let stream = sicbo_journal::StreamId::new("rws-etg").unwrap();
    let mut store = data.open_stream(&stream).unwrap();
    let (key, signatory) = writes_as(&data);
    let found = recover::<Table, ()>(&store, &stream, &signatory, LoopOptions::default()).unwrap();
    let (mut writer, last_ms) = (found.writer_loop, found.last_ms);
    let command = Box::new(Command {
        id: 1,
        at_ms: last_ms - 3_600_250,
        by: Actor::House,
        second: None,
        act: Act::ReportClock {
            machine_ms: last_ms,
        },
    });
    let mut effects = Vec::new();
    writer.step(Input::Submit { reply: (), command }, &mut effects);
    writer.step(Input::Flush, &mut effects);
    let [Effect::Append(order)] = &mut effects[..] else {
        panic!("one block: {effects:?}");
    };
    order.checkpoint = None;
    persist(&mut store, &key, key.id(), order).unwrap();
    let at = order.block.header().last_sequence;
    drop((store, data));
    // Tables that went on in today's format belong to a house.
    let alone = run(&["verify", text(&folder)]);
    let missing = alone
        .stdout
        .contains("NOT verified: the journal of house is missing");
    assert!(alone.code == 1 && missing, "{}", alone.stdout);
    let file = folder.join("journal/rws-etg.sqlite");
    let said = unsigned(&["verify", text(&file)]);
    let line = format!(
        "TIME RAN BACK 1 times, first by 3600.250 s at record {at}, although no clock was set"
    );
    assert!(said.contains(&line), "{line} in {said}");
    let under_none = "the last 1 records are under NO CHECKPOINT";
    assert!(said.contains(under_none), "{said}");
    let said = unsigned(&["verify", text(&file), "--json"]);
    let said = serde_json::from_str(&said).unwrap();
    let told = &of(&said)["time_ran_back"];
    assert_eq!(told["times"], 1, "{told}");
    assert_eq!(
        (&told["first_record"], &told["by_ms"]),
        (&at.into(), &3_600_250.into())
    );
}

/// The data folder that a released program left behind.
fn released(name: &str) -> PathBuf {
    copied("sicbo-server/tests/golden/format-1/data", name)
}

#[test]
fn replay_names_the_people_of_the_house() {
    let folder = released("replay-people");
    let asked = [
        "replay",
        text(&folder),
        "--stream",
        "rws-etg",
        "--round",
        "1",
    ];
    let told = good(&asked);
    assert!(told.contains("Tan Wei Ming"), "{told}");
    assert!(!told.contains("person 1"), "{told}");
    // Without the house's own journal nobody is named, and a number stands.
    for file in ["house.sqlite", "house.sqlite-wal"] {
        std::fs::remove_file(folder.join("journal").join(file)).unwrap();
    }
    let told = good(&asked);
    assert!(!told.contains("Tan Wei Ming"), "{told}");
    assert!(told.contains("person 1"), "{told}");
}

#[test]
fn verify_says_which_rounds_an_earlier_reading_of_the_rules_had() {
    let folder = released("earlier-rules");
    let said = unsigned(&["verify", text(&folder)]);
    let sentence = "  3 rounds were played under an earlier reading of the rules and are not held \
                    to today's\n";
    assert_eq!(said.matches(sentence).count(), 5, "{said}");
    let value: serde_json::Value =
        serde_json::from_str(&unsigned(&["verify", text(&folder), "--json"])).unwrap();
    let streams = value["streams"].as_array().expect("streams");
    for stream in streams.iter().filter(|one| one["stream"] != "house") {
        assert_eq!(stream["earlier_rules"], 3, "{stream}");
        assert_eq!(stream["rounds"], 3, "{stream}");
    }
}
