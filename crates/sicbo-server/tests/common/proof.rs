//! `sicbo verify` and `sicbo replay` over a data folder, by their library.

use std::collections::BTreeMap;
use std::path::Path;

use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
use sicbo_proof::{Compared, Verified, cross_check, story, verify, verify_house};

/// What a clean house amounts to.
pub struct Clean {
    pub tables: BTreeMap<String, Verified>,
    pub vouchers: Compared,
}

/// Verifies every journal and the vouchers between them; all of it is clean.
pub fn clean(data: &Path) -> Clean {
    let journals = Journals::folder(data).expect("a data folder");
    let ring = journals.ring.clone().expect("the house's keys");
    let (mut tables, mut house) = (Vec::new(), None);
    for (stream, path) in journals.tables_first() {
        let store = source::open(stream, path).expect("a journal");
        if stream.as_str() == HOUSE_STREAM {
            let verified = verify_house(&store, stream, &ring, &mut |_| ());
            house = Some(verified.unwrap_or_else(|fault| panic!("{stream}: {fault}")));
        } else {
            let verified = verify(&store, stream, &ring, &mut |_| ());
            let verified = verified.unwrap_or_else(|fault| panic!("{stream}: {fault}"));
            tables.push((stream.clone(), verified));
        }
    }
    let house = house.expect("the house's own journal");
    // And by an auditor who shares no odds and no books with the house.
    sicbo_sim::audit(data).unwrap_or_else(|fault| panic!("the auditor: {fault}"));
    let vouchers = cross_check(&house, &tables).unwrap_or_else(|fault| panic!("{fault}"));
    let tables = tables.into_iter();
    Clean {
        tables: tables.map(|(stream, v)| (stream.to_string(), v)).collect(),
        vouchers,
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
