//! The golden data folder: a journal of every rule book, with voids,
//! corrections, late voids, an interruption and a change of key. What was
//! once written must decode, verify and be told byte for byte the same.
//!
//! A folder that was committed is never written again. For a new format, raise
//! `NEWEST`, run the ignored `write_golden` and commit what it made.
//! `SICBO_BLESS=1` tells the rounds anew and leaves the folders alone.

use std::path::{Path, PathBuf};

use sicbo_journal::{DataFolder, HouseKey, KeyFolder, SqliteStore, StreamId};
use sicbo_proof::source::Journals;
use sicbo_proof::story::{overview, tell};
use sicbo_proof::{Trust, verify};
use sicbo_rules::{Dice, RuleBook};
use sicbo_table::Act;
use sicbo_table::round::Phase;

use sicbo_testkit::golden::{FIRST_KEY, copy_folder};
use sicbo_testkit::script::{START_MS, Script};

const SECOND_KEY: [u8; 32] = [8; 32];

/// The format written today.
const NEWEST: u32 = 2;

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The folder of a format and the text it is told as.
fn golden(format: u32) -> (PathBuf, PathBuf) {
    match format {
        1 => (place().join("house"), place().join("replay.txt")),
        _ => (
            place().join(format!("house-{format}")),
            place().join(format!("replay-{format}.txt")),
        ),
    }
}

/// It is told byte for byte as the file says.
pub(crate) fn assert_told(expected: &Path, told: &str) {
    let expected = std::fs::read_to_string(expected).expect("expected text");
    let differs = expected.lines().zip(told.lines()).find(|(a, b)| a != b);
    assert_eq!(differs, None, "first line that differs");
    assert_eq!(expected.len(), told.len());
}

fn copy_of(format: u32) -> tempfile::TempDir {
    let to = tempfile::tempdir().expect("a folder");
    copy_folder(&golden(format).0, to.path());
    to
}

/// Plays one table through everything the format has to hold.
fn play(script: &mut Script<SqliteStore>, book: &RuleBook) {
    script.open(book.id(), 3);
    let bets: &[(u32, &str, i64)] = &[
        (0, "total:11", 2_000),
        (0, "small", 500),
        (1, "big", 1_000),
        (2, "triple:4", 500),
    ];
    let offered = |bets: &[(u32, &'static str, i64)], script: &Script<SqliteStore>| {
        let table = script.table();
        let fits = |(station, section, _): &&(u32, &'static str, i64)| {
            let section = section.parse().expect("a section");
            let station = &table.stations[*station as usize];
            table
                .layout_of(station)
                .is_some_and(|layout| layout.offers(section))
        };
        bets.iter().filter(fits).copied().collect::<Vec<_>>()
    };
    let bets = offered(bets, script);
    script.round(&bets, [4, 3, 4]);
    // A round that is void by a cause the book lists.
    let dice = Dice::from_faces([1, 2, 6]).expect("dice");
    script.take_bets(&bets, dice);
    let causes: Vec<_> = book.voiding.causes.iter().map(|void| void.cause).collect();
    let void = causes
        .into_iter()
        .any(|cause| script.done(Act::DeclareVoid { cause }));
    if !void {
        script.must(Act::RuleVoid {
            reason: "a player reached into the tumbler".to_owned(),
        });
    }
    script.finish(dice);
    // A wrong result, corrected to the dice at once and once more.
    let wrong = script.round(&bets, [5, 5, 6]);
    assert!(script.correct(wrong, [4, 4, 3]), "corrected");
    let again = script.round(&bets, [4, 4, 4]);
    script.correct(wrong, [6, 6, 6]);
    // Rounds found afterwards to have been played with a damaged die.
    script.done(Act::VoidRounds {
        records: vec![script.record(again)],
        cause: Some(sicbo_rules::rulebook::words::Cause::DiceDamaged),
        pending: None,
        reason: "a chipped die".to_owned(),
    });
    // The program is interrupted in the middle of a round.
    script.until(Phase::Betting, dice);
    for (station, section, stake) in &bets {
        script.bet(*station, section, *stake);
    }
    script.must(Act::Interrupt {
        what: "loss of power".to_owned(),
    });
    script.finish(dice);
}

/// Makes the whole folder.
pub(crate) fn generate(folder: &Path) {
    generate_with(folder, FIRST_KEY, Some(SECOND_KEY));
}

/// The same of a house with these keys: the second follows the first, if there is one.
pub(crate) fn generate_with(folder: &Path, first: [u8; 32], second: Option<[u8; 32]>) {
    let data = DataFolder::create(folder).expect("a new folder");
    let mut keys = KeyFolder::open_or_create(&data.keys_path(), || first).expect("keys");
    let house = keys.ring().house();
    let mut scripts = Vec::new();
    for book in RuleBook::all() {
        let stream = StreamId::new(book.id()).expect("a name");
        let store = data.create_stream(&stream).expect("a journal");
        let key = HouseKey::from_entropy(&first);
        let mut script = Script::new(store, &stream, key, house);
        play(&mut script, book);
        scripts.push(script);
    }
    // Late enough that no checkpoint of the first key comes after it.
    if let Some(second) = &second {
        keys.rotate(second, START_MS + 600_000)
            .expect("handed over");
    }
    for script in &mut scripts {
        script.key = HouseKey::from_entropy(&second.unwrap_or(first));
        script.wait(600_000);
        if script.table().stations[0].name.starts_with('T') {
            for station in (0..3).map(sicbo_table::ids::StationId) {
                script.must(Act::Connect { station });
            }
        }
        script.round(&[(0, "big", 1_500), (1, "small", 1_500)], [2, 6, 5]);
        script.store.fold_log().expect("folded");
    }
}

/// Every round of every table, as text.
fn told(folder: &Path) -> String {
    let journals = Journals::folder(folder).expect("a data folder");
    let mut text = String::new();
    for (stream, _) in &journals.streams {
        let (stream, store) = journals.one(Some(stream.as_str())).expect("opens");
        let lines = overview(&store, &stream).expect("whole");
        text += &format!("=== {stream}\n");
        for line in &lines {
            text += &line.text();
            text.push('\n');
        }
        for line in &lines {
            let story = tell(&store, &stream, line.round).expect("told");
            assert!(story.agrees(), "{stream} round {}", line.round);
            text += &format!("\n--- {stream}\n{}", story.text());
        }
    }
    text
}

#[test]
#[ignore = "writes the golden folder of a new format; an existing one is never touched"]
fn write_golden() {
    let (folder, expected) = golden(NEWEST);
    assert!(!folder.exists(), "{} stays as it is", folder.display());
    generate(&folder);
    // Nobody needs the secrets again, and the lock belongs to the process that ran.
    for leftover in ["lock", "keys/1/key.pem", "keys/2/key.pem"] {
        std::fs::remove_file(folder.join(leftover)).expect("removed");
    }
    std::fs::write(&expected, told(copy_of(NEWEST).path())).expect("written");
}

#[test]
fn the_golden_journals_decode_verify_and_are_told_byte_for_byte_the_same() {
    for format in 1..=NEWEST {
        decodes_verifies_and_is_told_the_same(format);
    }
}

fn decodes_verifies_and_is_told_the_same(format: u32) {
    let expected = golden(format).1;
    let folder = copy_of(format);
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::write(&expected, told(folder.path())).expect("written");
    }
    let journals = Journals::folder(folder.path()).expect("a data folder");
    let ring = journals.ring.as_ref().expect("keys");
    let house = HouseKey::from_entropy(&FIRST_KEY);
    assert_eq!(Trust::Key(house.public()).check(ring), Ok(()));
    assert_eq!(ring.keys().count(), 2, "a hand-over");
    assert_eq!(journals.streams.len(), RuleBook::all().len());
    for (stream, _) in &journals.streams {
        let (stream, store) = journals.one(Some(stream.as_str())).expect("opens");
        let verified = verify(&store, &stream, ring, &mut |_| {})
            .unwrap_or_else(|error| panic!("{stream}: {error}"));
        assert!(verified.rounds >= 6, "{stream}: {}", verified.rounds);
    }
    assert_told(&expected, &told(folder.path()));
}

#[test]
fn the_same_script_gives_the_same_bytes() {
    let (one, two) = (
        tempfile::tempdir().expect("a"),
        tempfile::tempdir().expect("b"),
    );
    generate(&one.path().join("house"));
    generate(&two.path().join("house"));
    let blocks = |folder: &Path| {
        let journals = Journals::folder(&folder.join("house")).expect("a data folder");
        let mut all = Vec::new();
        for (stream, _) in &journals.streams {
            let (_, store) = journals.one(Some(stream.as_str())).expect("opens");
            let read = sicbo_journal::Store::read_from(&store, 1);
            all.extend(read.map(|raw| raw.expect("readable")));
        }
        all
    };
    assert!(blocks(one.path()) == blocks(two.path()), "blocks differ");
}
