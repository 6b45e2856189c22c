//! The auditor over the journals of a real house.

use std::path::{Path, PathBuf};

/// A copy of the golden house: a journal that is read has files of its reader beside it.
fn golden() -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sicbo-proof/tests/golden/house");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audited-house");
    let _ = std::fs::remove_dir_all(&to);
    copy(&from, &to);
    to
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("the golden house") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("a copy");
        }
    }
}

#[test]
fn the_golden_house_of_all_five_books_agrees_to_the_cent() {
    let audited = sicbo_sim::audit(&golden()).expect("house and auditor agree");
    let tables: Vec<&str> = audited.iter().map(|table| table.stream.as_str()).collect();
    let five = [
        "mbs-etg",
        "mbs-table",
        "quang-nam-table",
        "rws-etg",
        "rws-open-cover",
    ];
    assert_eq!(tables, five);
    assert!(audited.iter().all(|table| table.records > 80));
}

#[test]
fn what_is_no_house_is_said_to_be_none() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let said = sicbo_sim::audit(here).expect_err("no data folder");
    assert!(said.contains("data folder"), "{said}");
}
