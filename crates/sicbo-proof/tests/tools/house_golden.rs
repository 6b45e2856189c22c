//! The golden house: a data folder whose `house` stream holds every kind of
//! record the register writes, and the tables its vouchers went between. What
//! was once written must decode, verify, agree and be told byte for byte the
//! same.
//!
//! A folder that was committed is never written again. For a new format, raise
//! `NEWEST`, run the ignored `write_golden_house` and commit what it made.
//! `SICBO_BLESS=1` tells the records anew and leaves the folders alone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sicbo_journal::{DataFolder, SqliteStore, Store, StreamId};
use sicbo_proof::describe::Value;
use sicbo_proof::source::Journals;
use sicbo_proof::{Compared, VerifyError, cross_check, export, verify, verify_house};
use sicbo_register::{STREAM, codec};
use sicbo_rules::{Currency, Money};

use crate::tools::golden::assert_told;
use crate::tools::house_script::{SECRETS, generate};
use sicbo_testkit::golden::{FIRST_KEY, copy_folder};
use sicbo_testkit::script::Script;

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The format written today.
const NEWEST: u32 = 4;

/// The folder of a format and the text it is told as.
fn golden(format: u32) -> (PathBuf, PathBuf) {
    match format {
        1 => (place().join("register"), place().join("register.txt")),
        _ => (
            place().join(format!("register-{format}")),
            place().join(format!("register-{format}.txt")),
        ),
    }
}

fn copy(format: u32) -> tempfile::TempDir {
    let to = tempfile::tempdir().expect("a folder");
    copy_folder(&golden(format).0, to.path());
    to
}

/// The house's records as an export tells them.
fn told(folder: &Path) -> String {
    let journals = Journals::folder(folder).expect("a data folder");
    let (stream, store) = journals.one(Some(STREAM)).expect("opens");
    let mut text = String::new();
    let mut put = |fields: Vec<(&'static str, Value)>| {
        for (name, value) in fields {
            text += &format!("{name} {value}; ");
        }
        text.push('\n');
        true
    };
    export::house(&store, &stream, 1..=u64::MAX, &mut put).expect("whole");
    text
}

/// A new house as the script of today runs it, and its own journal.
fn generated() -> (tempfile::TempDir, SqliteStore) {
    let folder = tempfile::tempdir().expect("a folder");
    generate(folder.path(), FIRST_KEY);
    let journals = Journals::folder(folder.path()).expect("a data folder");
    let (_, store) = journals.one(Some(STREAM)).expect("opens");
    (folder, store)
}

fn check(folder: &Path) -> Result<Compared, VerifyError> {
    let journals = Journals::folder(folder).expect("a data folder");
    let ring = journals.ring.as_ref().expect("keys");
    let mut tables = Vec::new();
    for (stream, _) in journals.tables_first() {
        let (stream, store) = journals.one(Some(stream.as_str())).expect("opens");
        if stream.as_str() == STREAM {
            let house = verify_house(&store, &stream, ring, &mut |_| {})?;
            return cross_check(&house, &tables);
        }
        let verified = verify(&store, &stream, ring, &mut |_| {})?;
        tables.push((stream, verified));
    }
    panic!("the house's stream comes last");
}

#[test]
#[ignore = "writes the golden folder of a new format; an existing one is never touched"]
fn write_golden_house() {
    let (folder, expected) = golden(NEWEST);
    assert!(!folder.exists(), "{} stays as it is", folder.display());
    generate(&folder, FIRST_KEY);
    for leftover in ["lock", "keys/1/key.pem"] {
        std::fs::remove_file(folder.join(leftover)).expect("removed");
    }
    std::fs::write(&expected, told(copy(NEWEST).path())).expect("written");
}

#[test]
fn a_house_script_of_today_writes_every_kind_of_record() {
    let (_folder, store) = generated();
    let mut kinds = BTreeSet::new();
    for raw in store.read_from(1) {
        let block = raw.expect("readable").decode().expect("whole");
        kinds.extend(block.records().map(|record| record.kind));
    }
    let missing: Vec<&str> = codec::KINDS
        .iter()
        .filter(|info| !kinds.contains(&info.kind))
        .map(|info| info.name)
        .collect();
    assert_eq!(missing, [""; 0], "every kind is there");
}

#[test]
fn the_golden_houses_decode_verify_agree_and_are_told_the_same() {
    for format in 1..=NEWEST {
        decodes_verifies_agrees_and_is_told_the_same(format);
    }
}

fn decodes_verifies_agrees_and_is_told_the_same(format: u32) {
    let expected = golden(format).1;
    let folder = copy(format);
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::write(&expected, told(folder.path())).expect("written");
    }
    let compared = check(folder.path()).expect("verified");
    assert_eq!(compared.vouchers, 8);
    assert_eq!(compared.in_transit, []);
    // In somebody's hand 13.00, at the printer 17.00.
    assert_eq!(
        compared.outstanding,
        [(Currency::SGD, Money::from_minor(3_000))]
    );
    let told = told(folder.path());
    assert_told(&expected, &told);
    for secret in SECRETS {
        assert!(!told.contains(secret), "{secret}");
    }
    let key = sicbo_register::enrolment::Key::new([1; 32]).digest();
    assert!(!told.contains(&sicbo_proof::describe::hex(&key)));
}

#[test]
fn the_same_house_script_gives_the_same_bytes_and_an_old_journal_beside_a_new_is_found_out() {
    let (one, two) = (
        tempfile::tempdir().expect("a"),
        tempfile::tempdir().expect("b"),
    );
    let (one, two) = (one.path().join("house"), two.path().join("house"));
    generate(&one, FIRST_KEY);
    generate(&two, FIRST_KEY);
    assert_eq!(told(&one), told(&two));
    // Another journal of the same table, played on without the vouchers: it
    // verifies alone, and what the house wrote is not there.
    let other = tempfile::tempdir().expect("a folder");
    let other = other.path().join("house");
    let stream = StreamId::new("mbs-etg").expect("a name");
    let mut script = Script::in_folder(&other, &stream, "mbs-etg", 2);
    script.wait(600_000);
    script.round(&[(0, "big", 1_000)], [1, 2, 3]);
    script.store.fold_log().expect("folded");
    let from = DataFolder::stream_path(&other, &stream);
    std::fs::copy(from, one.join("journal/mbs-etg.sqlite")).expect("copied");
    let fault = check(&one).expect_err("found out").to_string();
    assert!(
        fault.starts_with("voucher 1: the journal of table mbs-etg does not show it"),
        "{fault}"
    );
    assert!(fault.contains("house record"), "{fault}");
}

#[test]
fn a_case_is_proved_from_its_own_file_and_no_byte_of_it_can_be_changed() {
    use sicbo_journal::KeyFolder;
    use sicbo_proof::Trust;
    use sicbo_proof::bundle::case::{CaseBundle, make};
    let (folder, store) = generated();
    let keys = || KeyFolder::read_hand_overs(&folder.path().join("keys")).expect("keys");
    let made = make(&store, keys(), 1, None).expect("made");
    let proved = made.check(&Trust::Anyone).expect("proved");
    assert_eq!(proved.number, 1);
    assert_eq!(proved.records, 14);
    assert_eq!(proved.case.standing().word(), "closed");
    assert_eq!(proved.case.new.grievance.word(), "not_paid");
    assert!(make(&store, keys(), 3, None).is_err(), "there is no third");
    let bytes = made.to_bytes();
    assert_eq!(CaseBundle::from_bytes(&bytes).as_ref(), Ok(&made));
    // Every seventh byte changed: not read, or not believed.
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x20;
        assert!(CaseBundle::from_bytes(&changed).is_err(), "byte {at}");
    }
    // Another house's key signs nothing here.
    let other = sicbo_journal::HouseKey::from_entropy(&[201; 32]);
    let trust = Trust::Key(other.public());
    assert!(made.check(&trust).is_err());
}
