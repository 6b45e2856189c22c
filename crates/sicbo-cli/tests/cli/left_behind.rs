//! Data folders that `sicbo serve` left behind, through the real program of today: one
//! of format 2 with its tree and its heads, and one of format 1 whose end nobody
//! signed.
//!
//! A folder that was committed is never written again. For a new format, name it in
//! `GOLDEN` and run the ignored `write_golden_served`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use sicbo_journal::{DataFolder, KeyFolder};

use crate::cli::binary::{folder, good, json, refused, root, run, unsigned};
use crate::cli::journal::{copy, text};
use crate::cli::played::{Played, plan};

/// The folder that the program of today's format left.
const GOLDEN: &str = "crates/sicbo-cli/tests/golden/served-2";
/// What nobody keeps among the files, made of constants.
const SECRETS: [(&str, u8); 3] = [("pins", 11), ("vouchers", 12), ("tumblers", 13)];

fn place(name: &str) -> PathBuf {
    let place = folder("left-behind").join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    place
}

/// Puts the house's key and its secrets into a data folder.
fn put_secrets(data: &Path) {
    let made = data.with_file_name("made");
    KeyFolder::open_or_create(&made, || [7; 32]).unwrap();
    std::fs::create_dir_all(data.join("keys/1")).unwrap();
    for name in ["key.pem", "public.pem"] {
        std::fs::copy(made.join("1").join(name), data.join("keys/1").join(name)).unwrap();
    }
    let private = std::fs::Permissions::from_mode(0o600);
    for (name, byte) in SECRETS {
        let file = data.join(format!("keys/{name}.secret"));
        std::fs::write(&file, [byte; 32]).unwrap();
        std::fs::set_permissions(&file, private.clone()).unwrap();
    }
}

/// A copy of a golden folder as the house that left it would find it.
fn found(golden: &str, name: &str) -> (PathBuf, PathBuf) {
    let place = place(name);
    let data = place.join("data");
    copy(&root().join(golden), &data);
    put_secrets(&data);
    (place, data)
}

#[test]
#[ignore = "writes the golden folder of a new format; an existing one is never touched"]
fn write_golden_served() {
    let golden = root().join(GOLDEN);
    assert!(!golden.exists(), "{} stays as it is", golden.display());
    let place = place("written");
    plan(&place, "");
    let data = place.join("data");
    drop(DataFolder::create(&data).unwrap());
    put_secrets(&data);
    // Three lives: the last head of each is that of a stop.
    for rounds in [2, 4, 6] {
        let house = Played::start(&place);
        house.rounds(rounds);
        house.stop();
    }
    for leftover in ["lock", "keys/1/key.pem", "keys/hand-over.txt"] {
        std::fs::remove_file(data.join(leftover)).unwrap();
    }
    for index in std::fs::read_dir(data.join("journal")).unwrap() {
        let index = index.unwrap().path();
        if text(&index).ends_with("-shm") {
            std::fs::remove_file(index).unwrap();
        }
    }
    for (name, _) in SECRETS {
        std::fs::remove_file(data.join(format!("keys/{name}.secret"))).unwrap();
    }
    copy(&data, &golden);
}

/// How many leaves a tree has, and over how many its newest head is.
fn leaves_and_head(data: &Path) -> (i64, i64) {
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let file = Connection::open_with_flags(data.join("tree/tree.sqlite"), read).unwrap();
    let both = "SELECT (SELECT count(*) FROM leaves), (SELECT max(size) FROM heads)";
    file.query_row(both, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
}

fn rounds(told: &Value) -> u64 {
    let table = told["streams"].as_array().unwrap().iter();
    let table = table.filter_map(|one| one["rounds"].as_u64());
    table.sum()
}

#[test]
fn what_serve_left_behind_with_its_tree_verifies_plays_on_and_verifies() {
    let (place, data) = found(GOLDEN, "served");
    plan(&place, "");
    let before = leaves_and_head(&data);
    assert!(before.0 > 20 && before.0 == before.1, "{before:?}");
    let told = json(&["verify", text(&data)]);
    assert_eq!(told["tree"]["leaves"], before.0, "{told}");
    assert_eq!(told["tree"]["signed_leaves"], before.0, "{told}");
    let played = rounds(&told);
    assert!(played >= 6, "{told}");
    let house = Played::start(&place);
    house.rounds(played + 2);
    house.stop();
    let after = leaves_and_head(&data);
    assert!(after.0 > before.0 && after.0 == after.1, "{after:?}");
    let told = json(&["verify", text(&data)]);
    assert!(rounds(&told) >= played + 2, "{told}");
}

/// The program that left it was killed: what it wrote last is chained and signed by nobody.
#[test]
fn an_unsigned_end_of_format_1_is_not_started_on_until_whoever_has_the_key_adopts_it() {
    let golden = "crates/sicbo-server/tests/golden/format-1";
    let (place, data) = found(&format!("{golden}/data"), "format-1");
    let config = place.join("house.toml");
    std::fs::copy(root().join(golden).join("house.toml"), &config).unwrap();
    let serve = ["serve", "--data", text(&data), "--config", text(&config)];
    let why = "`sicbo key adopt` shows them";
    refused(&serve, why);
    let said = unsigned(&["verify", text(&data)]);
    assert!(said.contains("NO CHECKPOINT"), "{said}");

    // Only shown: nothing is signed by that, and the start is still refused.
    let shown = json(&["key", "adopt", text(&data)]);
    let shown = shown.as_array().unwrap();
    assert!(
        shown.iter().any(|one| one["stream"] == "house"),
        "{shown:?}"
    );
    for one in shown {
        assert_eq!(one["signed"], false, "{one}");
        let records = one["to"].as_u64().unwrap() - one["from"].as_u64().unwrap() + 1;
        assert_eq!(one["records"].as_array().unwrap().len() as u64, records);
    }
    refused(&serve, why);

    let said = good(&["key", "adopt", text(&data), "--sign"]);
    assert!(said.contains("are not signed, signed now"), "{said}");
    assert_eq!(
        good(&["key", "adopt", text(&data)]),
        "every record is signed\n"
    );
    let said = run(&["verify", text(&data)]);
    assert!(!said.stdout.contains("NO CHECKPOINT"), "{}", said.stdout);
    let house = Played::start(&place);
    house.stop();
    // Signed to the end, with a tree over every block.
    let told = json(&["verify", text(&data)]);
    assert_eq!(told["tree"]["blocks_not_signed"], 0, "{told}");
}
