//! The journal tools through the real binary, on the golden data folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use sicbo_journal::{DataFolder, HouseKey, KeyFolder};

use crate::binary::{Run, command, good, json, root, run};

/// A fresh copy of the golden data folder.
pub(crate) fn golden(name: &str) -> PathBuf {
    let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&to);
    copy(&root().join("crates/sicbo-house/tests/golden/house"), &to);
    to
}

fn copy(from: &Path, to: &Path) {
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

fn fingerprint() -> String {
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
    let expected = root().join("crates/sicbo-house/tests/golden/replay.txt");
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
    // Nothing but the file from here on.
    std::fs::remove_dir_all(&folder).unwrap();
    let plain = good(&["verify", text(&file), "--fingerprint", &fingerprint()]);
    assert!(plain.contains("as given") && plain.contains("program       sha256"));
    assert!(good(&["replay", text(&file)]).starts_with(&told));
    let bytes = std::fs::read(&file).unwrap();
    for at in [
        14,
        40,
        200,
        bytes.len() / 2,
        bytes.len() - 40,
        bytes.len() - 1,
    ] {
        let mut bad = bytes.clone();
        bad[at] ^= 4;
        std::fs::write(&file, &bad).unwrap();
        let run = run(&["verify", text(&file)]);
        let said = format!("{}{}", run.stdout, run.stderr);
        // A changed mark is no bundle at all.
        assert!(run.code == 1 || (at < 16 && run.code == 2), "{at}: {said}");
        assert!(!said.is_empty());
        if at == bytes.len() / 2 {
            assert!(
                said.contains("record "),
                "the broken record is named: {said}"
            );
        }
    }
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
    let wrong = run(&[&nobody[..], &["--station", "T9"]].concat());
    assert!(
        wrong.code == 2 && wrong.stderr.contains("T1, T2, T3"),
        "{}",
        wrong.stderr
    );
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
    let again = run(&["backup", text(&folder), text(&copy)]);
    assert!(
        again.code == 2 && again.stderr.contains("there already"),
        "{}",
        again.stderr
    );
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
    let old = run(&[
        "archive",
        text(&folder),
        text(&copy),
        "--older-than",
        "36500",
    ]);
    assert!(
        old.code == 2 && old.stderr.contains("nothing is signed that is so old"),
        "{}",
        old.stderr
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
    let busy = run(&["key", "rotate", text(&folder)]);
    assert!(
        busy.code == 2 && busy.stderr.contains("in use"),
        "{}",
        busy.stderr
    );
    drop(data);
    let value = json(&["key", "rotate", text(&folder)]);
    assert_eq!(value["house"], fingerprint());
    assert_eq!(value["keys"].as_array().unwrap().len(), 2);
    assert!(good(&["key", "show", text(&folder)]).contains("key 2"));
}

/// Whether a program is on this machine; a note where it is not.
fn there(program: &str) -> bool {
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
    let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&to);
    copy(
        &root().join("crates/sicbo-house/tests/golden/register"),
        &to,
    );
    to
}

#[test]
fn the_houses_own_journal_is_verified_compared_and_told_without_secrets() {
    let folder = golden_house("house");
    let told = good(&["verify", text(&folder)]);
    assert!(told.contains("8 people, 3 enrolled"), "{told}");
    assert!(told.contains("vouchers: 8 compared between the house and its tables, 0 in transit"));
    assert!(told.contains("outstanding SGD"), "{told}");
    let value = json(&["verify", text(&folder)]);
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
