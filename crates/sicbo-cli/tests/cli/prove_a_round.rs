//! `docs/examples/prove-a-round.sh` on a house that the real program has played under a real
//! witness: it proves a round with public tools alone, and says at which step something that was
//! changed does not hold.

use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use crate::cli::binary::{good, json, root};
use crate::cli::journal::{copy, text};
use crate::cli::played::{Played, TABLE, plan};
use crate::cli::witness::{Served, fresh, settings};

const SCRIPT: &str = "docs/examples/prove-a-round.sh";

/// The witness keeps what is needed to check a house that was played.
struct Evidence {
    place: PathBuf,
    house: String,
    cosigned: PathBuf,
    key: String,
}

impl Evidence {
    /// Runs the script on a data folder: whether it proved the round, and what it said.
    fn prove(&self, data: &Path) -> (bool, String) {
        self.prove_with(data, &self.house, &self.cosigned, &self.key)
    }

    fn prove_with(&self, data: &Path, house: &str, cosigned: &Path, key: &str) -> (bool, String) {
        let run = Command::new(root().join(SCRIPT))
            .args([text(data), TABLE, "1", house, text(cosigned), key])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{said}");
        (run.status.success(), said)
    }

    /// A copy of the data folder in which something was changed.
    fn changed(&self, change: impl FnOnce(&Path)) -> PathBuf {
        let changed = self.place.join("changed");
        let _ = std::fs::remove_dir_all(&changed);
        copy(&self.place.join("data"), &changed);
        change(&changed);
        changed
    }

    /// The script stops at this step and says these words.
    fn fails_at(&self, step: u32, words: &str, change: impl FnOnce(&Path)) {
        let changed = self.changed(change);
        failed_at(step, words, self.prove(&changed));
    }
}

fn failed_at(step: u32, words: &str, (proved, said): (bool, String)) {
    assert!(!proved, "step {step}, {words}: {said}");
    assert!(!said.contains("PROVED"), "{said}");
    let failed: Vec<&str> = said.lines().filter(|l| l.contains("FAILED")).collect();
    let [failed] = failed[..] else {
        panic!("one step fails: {said}")
    };
    assert!(
        failed.starts_with(&format!("step {step:2}  ")) && failed.contains(words),
        "step {step}, {words}: {failed}"
    );
}

/// Changes a file of the folder with SQL, as somebody can who has no key.
fn alter(data: &Path, file: &str, sql: &str) {
    let file = Connection::open(data.join(file)).unwrap();
    let triggers = "SELECT group_concat('DROP TRIGGER ' || name, ';') FROM sqlite_schema \
                    WHERE type = 'trigger'";
    let triggers: Option<String> = file.query_row(triggers, [], |row| row.get(0)).unwrap();
    file.execute_batch(&triggers.unwrap_or_default()).unwrap();
    file.execute_batch(sql).unwrap();
}

fn journal() -> String {
    format!("journal/{TABLE}.sqlite")
}

/// Flips a bit of the header of the block that ends round 1, and puts the hash beside it that it
/// has then.
fn flip_in_header(data: &Path, at: impl Fn(usize) -> usize) {
    alter(data, &journal(), "");
    let file = Connection::open(data.join(journal())).unwrap();
    let last = "SELECT last_sequence FROM rounds WHERE round = 1";
    let last: i64 = file.query_row(last, [], |row| row.get(0)).unwrap();
    let header = "SELECT header FROM blocks WHERE ?1 BETWEEN first_sequence AND last_sequence";
    let mut header: Vec<u8> = file.query_row(header, [last], |row| row.get(0)).unwrap();
    let at = at(header.len());
    header[at] ^= 1;
    let hash = Sha256::digest(&header).to_vec();
    let put = "UPDATE blocks SET header = ?2, header_sha256 = ?3 \
               WHERE ?1 BETWEEN first_sequence AND last_sequence";
    assert_eq!(file.execute(put, params![last, header, hash]).unwrap(), 1);
}

/// A house with a key from before and one after, cosigned in the middle; and an older copy.
fn evidence() -> Evidence {
    let place = fresh("prove");
    let data = place.join("data");
    plan(&place, "");
    let house = Played::start(&place);
    house.rounds(2);
    house.stop();
    copy(&data, &place.join("older"));
    let file = settings(&place, &good(&["witness", "log", text(&data)]));
    let key = good(&["witness", "key", &file]).trim().to_owned();
    {
        let served = Served::start(&file);
        let url = format!("http://{}", served.address);
        plan(
            &place,
            &format!("[witness]\nurl = \"{url}\"\nkey = \"{key}\"\n"),
        );
        let house = Played::start(&place);
        house.rounds(3);
        house.stop();
    }
    // Played on after the witness last spoke, under a new key.
    json(&["key", "rotate", text(&data)]);
    plan(&place, "");
    let house = Played::start(&place);
    house.rounds(5);
    house.stop();
    let log = json(&["witness", "log", text(&data)]);
    let origin = log["origin"].as_str().unwrap();
    let cosigned = place.join("cosigned.txt");
    std::fs::write(&cosigned, good(&["witness", "latest", &file, origin])).unwrap();
    let shown = json(&["key", "show", text(&data)]);
    let house = shown["house"].as_str().unwrap().to_owned();
    Evidence {
        place,
        house,
        cosigned,
        key,
    }
}

#[test]
fn public_tools_alone_prove_a_round_and_find_what_was_changed() {
    let evidence = evidence();
    let data = evidence.place.join("data");
    let (proved, said) = evidence.prove(&data);
    assert!(proved, "{said}");
    let replayed = json(&["replay", text(&data), "--stream", TABLE, "--round", "1"]);
    let code = replayed["code"].as_str().unwrap();
    assert!(
        said.contains(&format!("PROVED: round 1 of {TABLE}, {code};")),
        "{said}"
    );
    for step in 1..=12 {
        let ok = format!("step {step:2}  ");
        assert!(
            said.lines()
                .any(|l| l.starts_with(&ok) && l.contains(" ok: ")),
            "{said}"
        );
    }
    assert!(said.contains("2 keys"), "{said}");

    let in_round = "(SELECT last_sequence FROM rounds WHERE round = 1) \
                    BETWEEN first_sequence AND last_sequence";
    // One byte of a record: the amounts of the round's end.
    evidence.fails_at(4, "one of them was changed", |data| {
        let last = "substr(body, 1, length(body) - 1) || x'00'";
        let sql = format!("UPDATE blocks SET body = CAST({last} AS BLOB) WHERE {in_round}");
        alter(data, &journal(), &sql);
    });
    // One byte of a header: as it is, and with the hash made to fit.
    evidence.fails_at(3, "does not have the hash", |data| {
        let time = "substr(header, 1, 41) || x'00' || substr(header, 43)";
        let sql = format!("UPDATE blocks SET header = CAST({time} AS BLOB) WHERE {in_round}");
        alter(data, &journal(), &sql);
    });
    evidence.fails_at(6, "did not sign the header", |data| {
        flip_in_header(data, |_| 45);
    });
    evidence.fails_at(5, "did not certify the writer", |data| {
        flip_in_header(data, |length| length - 64 - 10);
    });
    evidence.fails_at(4, "is not that of its records", |data| {
        flip_in_header(data, |length| length - 164 - 4 - 10);
    });
    // A record that the index leaves out.
    evidence.fails_at(4, "is not the RoundBegan of round 1", |data| {
        let sql = "UPDATE rounds SET first_sequence = first_sequence + 1 WHERE round = 1";
        alter(data, &journal(), sql);
    });
    // A range that ends with the next round's result.
    evidence.fails_at(4, "begins another round", |data| {
        let sql = "UPDATE rounds SET last_sequence = \
                   (SELECT last_sequence FROM rounds WHERE round = 2) WHERE round = 1";
        alter(data, &journal(), sql);
    });
    evidence.fails_at(7, "did not sign the checkpoint", |data| {
        let sql = "UPDATE checkpoints SET message = replace(message, 'round-end', 'minute')";
        alter(data, &journal(), sql);
    });
    evidence.fails_at(8, "did not sign the head", |data| {
        let sql = "UPDATE heads SET note = replace(note, char(10) || size, char(10) || (size - 1)) \
                   WHERE size = (SELECT max(size) FROM heads)";
        alter(data, "tree/tree.sqlite", sql);
    });
    evidence.fails_at(10, "has no leaf", |data| {
        let sql = format!(
            "UPDATE leaves SET header_sha256 = zeroblob(32) WHERE stream = '{TABLE}' \
             AND first_sequence > 3 AND first_sequence < 8"
        );
        alter(data, "tree/tree.sqlite", &sql);
    });
    evidence.fails_at(10, "does not lead to the signed root", |data| {
        let sql = "UPDATE nodes SET hash = zeroblob(32) WHERE level = 2";
        alter(data, "tree/tree.sqlite", sql);
    });

    // An older copy: of everything, and of one journal alone.
    let older = evidence.place.join("older");
    failed_at(11, "it is an older copy", evidence.prove(&older));
    evidence.fails_at(12, "the journal of house lacks blocks", |data| {
        let file = "journal/house.sqlite";
        std::fs::copy(older.join(file), data.join(file)).unwrap();
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(data.join(format!("{file}{end}")));
        }
    });
    evidence.fails_at(12, "is missing", |data| {
        alter(
            data,
            "tree/tree.sqlite",
            "UPDATE leaves SET stream = 'gone' WHERE stream = 'house'",
        );
    });

    // Somebody else's key, head or witness.
    let other = "0".repeat(64);
    let (cosigned, key) = (&evidence.cosigned, &evidence.key);
    failed_at(
        1,
        "not the key whose id was published",
        evidence.prove_with(&data, &other, cosigned, key),
    );
    let forged = evidence.place.join("forged.txt");
    let head = std::fs::read_to_string(cosigned).unwrap();
    let size = head.lines().nth(1).unwrap();
    let smaller = head.replacen(&format!("\n{size}\n"), "\n1\n", 1);
    std::fs::write(&forged, smaller).unwrap();
    failed_at(
        9,
        "did not sign the head",
        evidence.prove_with(&data, &evidence.house, &forged, key),
    );
    let stranger = settings(&fresh("prove-stranger"), "");
    let stranger = good(&["witness", "key", &stranger]);
    failed_at(
        9,
        "did not cosign it",
        evidence.prove_with(&data, &evidence.house, cosigned, stranger.trim()),
    );
}

/// The document explains the steps that the script takes, by their names.
#[test]
fn the_document_explains_every_step_of_the_script() {
    let script = std::fs::read_to_string(root().join(SCRIPT)).unwrap();
    let from = script.find("titles=(").unwrap();
    let titles = &script[from..from + script[from..].find(')').unwrap()];
    let titles: Vec<&str> = titles.split('"').skip(1).step_by(2).skip(1).collect();
    assert_eq!(titles.len(), 12, "{titles:?}");
    let document = std::fs::read_to_string(root().join("docs/journal-format.md")).unwrap();
    let mut from = 0;
    for (number, title) in (1..).zip(titles) {
        let step = format!("{number}. **{title}**");
        let at = document[from..].find(&step);
        from += at.unwrap_or_else(|| panic!("{step} is not explained in its place"));
    }
}
