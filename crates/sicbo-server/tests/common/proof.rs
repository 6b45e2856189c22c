//! `sicbo verify` and `sicbo replay` over a data folder, by their library.

use std::collections::BTreeMap;
use std::path::Path;

use sicbo_proof::source::Journals;
use sicbo_proof::{Compared, ExaminedFolder, OneThread, Verified, examine_folder, story};

/// What a clean house amounts to.
pub struct Clean {
    pub tables: BTreeMap<String, Verified>,
    pub vouchers: Compared,
}

/// Verifies a folder as `sicbo verify` does.
pub fn examined(data: &Path) -> ExaminedFolder {
    let journals = Journals::folder(data).expect("a data folder");
    let ring = journals.ring.clone().expect("the house's keys");
    examine_folder(&journals, &ring, &OneThread, &|_, _, _| ()).expect("readable")
}

/// Verifies every journal and the vouchers between them; all of it is clean.
pub fn clean(data: &Path) -> Clean {
    let found = examined(data).first_fault();
    let found = found.unwrap_or_else(|fault| panic!("{fault}"));
    assert!(found.house.is_some(), "the house's own journal");
    // And by an auditor who shares no odds and no books with the house.
    sicbo_sim::audit(data).unwrap_or_else(|fault| panic!("the auditor: {fault}"));
    let tables = found.tables.into_iter();
    Clean {
        tables: tables.map(|(stream, v)| (stream.to_string(), v)).collect(),
        vouchers: found.compared.expect("vouchers were compared"),
    }
}

/// The verification code that `sicbo replay` prints for a round.
pub fn replayed_code(data: &Path, table: &str, round: u64) -> String {
    let journals = Journals::folder(data).expect("a data folder");
    let (stream, store) = journals.one(Some(table)).expect("the table's journal");
    let story = story::tell(&store, &stream, round).expect("the round's story");
    assert!(story.agrees(), "what was paid is what is derived again");
    let code = story.code.expect("an ended round has a code");
    code.to_string()
}
