//! Everything that reads bytes from outside, on bytes that are nearly right: frames, bodies of
//! requests, the devices' line, plans, rule books, journals and bundles. A second each, or
//! `SICBO_FUZZ_SECONDS`; samples are in `corpora` and beside the golden folders, with what the
//! fuzzer that follows coverage has kept (`make fuzz`).

mod readers;

use sicbo_testkit::mutate::tried;

use readers::{READERS, Reader};

/// A seed that nobody chose.
fn seed() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("randomness");
    u64::from_le_bytes(bytes)
}

/// These are read or refused.
fn check(names: &[&str]) {
    for name in names {
        let reader = Reader::named(name).expect("a reader of that name");
        let (own, samples) = (reader.own().len(), reader.samples());
        assert!(samples.len() > own, "{name} has no corpus");
        tried(name, seed(), &samples, reader.read);
    }
}

#[test]
fn frames_of_terminals_are_read_or_refused() {
    check(&["frames"]);
}

#[test]
fn bodies_of_requests_are_read_or_refused() {
    check(&["bodies"]);
}

#[test]
fn lines_of_devices_are_read_or_refused() {
    check(&["line"]);
}

#[test]
fn plans_and_rule_books_are_read_or_their_faults_told() {
    check(&["plan", "rule-book"]);
}

#[test]
fn records_of_journals_are_read_or_refused() {
    check(&["house-records", "table-records", "blocks"]);
}

#[test]
fn bundles_and_receipts_are_read_or_refused() {
    check(&["bundle", "slip"]);
}

#[test]
fn every_reader_is_tried_by_a_test() {
    let tests = include_str!("fuzz.rs");
    for reader in &READERS {
        let named = format!("\"{}\"", reader.name);
        assert!(tests.contains(&named), "{named} is tried by nobody");
    }
}
