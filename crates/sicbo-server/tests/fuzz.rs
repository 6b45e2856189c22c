//! Everything that reads bytes from outside, on bytes that are nearly right:
//! frames, bodies of requests, the devices' line, plans, rule books, journals
//! and bundles. A second each, or `SICBO_FUZZ_SECONDS`; the samples are kept in
//! `corpora` and beside the golden folders.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use sicbo_journal::{DataFolder, Store as _, StreamId};
use sicbo_plan::HousePlan;
use sicbo_proof::bundle::Bundle;
use sicbo_proof::bundle::case::CaseBundle;
use sicbo_proof::source;
use sicbo_rules::RuleBook;
use sicbo_server::wire;
use sicbo_table::actor::Device;
use sicbo_testkit::mutate::tried;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A seed that nobody chose.
fn seed() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("randomness");
    u64::from_le_bytes(bytes)
}

fn lines(file: &str) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(here("tests/corpora").join(file)).expect(file);
    text.lines().map(|line| line.as_bytes().to_vec()).collect()
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    serde_json::from_slice::<T>(bytes).is_ok()
}

#[test]
fn frames_of_terminals_are_read_or_refused() {
    tried("frames", seed(), &lines("frames.txt"), |bytes| {
        read::<wire::terminal::TerminalToHouse>(bytes);
        if let Ok(text) = std::str::from_utf8(bytes) {
            let _ = wire::terminal::PlainBet::read(text);
        }
    });
}

#[test]
fn bodies_of_requests_are_read_or_refused() {
    tried("bodies", seed(), &lines("bodies.txt"), |bytes| {
        read::<wire::staff::StaffAct>(bytes);
        read::<wire::pit::HouseAct>(bytes);
        read::<wire::play::PresentedCard>(bytes);
        read::<wire::play::StopPlay>(bytes);
        read::<wire::cases::OpenCase>(bytes);
        read::<wire::cases::CaseStep>(bytes);
        read::<wire::cases::NewDispute>(bytes);
        read::<wire::attest::AskAttest>(bytes);
        if let Ok(change) = serde_json::from_slice::<wire::play::PlayChange>(bytes) {
            let _ = change.step();
        }
    });
}

#[test]
fn lines_of_devices_are_read_or_refused() {
    tried("line", seed(), &lines("line.txt"), |bytes| {
        for device in [None, Some(Device::Tumbler), Some(Device::DiceReader)] {
            let _ = sicbo_devices::line::is_understood(bytes, device);
        }
    });
}

#[test]
fn plans_and_rule_books_are_read_or_their_faults_told() {
    let plan = vec![sicbo_plan::example().into_bytes()];
    tried("plan", seed(), &plan, |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let _ = HousePlan::parse(text, &|_| Err("there is no such file".to_owned()));
        }
    });
    let books = RuleBook::all()
        .iter()
        .map(|book| book.source().as_bytes().to_vec());
    tried("rule-book", seed(), &books.collect::<Vec<_>>(), |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let _ = RuleBook::parse(text);
        }
    });
}

/// Payloads of a golden journal, each behind its kind and version.
fn payloads(stream: &str) -> Vec<Vec<u8>> {
    let stream = StreamId::new(stream).expect("a name");
    let data = here("tests/golden/format-1/data");
    let store = source::open(&stream, &DataFolder::stream_path(&data, &stream)).expect("a journal");
    let mut found = Vec::new();
    for raw in store.read_from(1) {
        let block = raw.expect("readable").decode().expect("whole");
        for record in block.records() {
            // A rule book inside takes long to read, and has a target of its own.
            if record.payload.len() < 2_000 && found.len() < 400 {
                let mut bytes = record.kind.to_le_bytes().to_vec();
                bytes.extend(record.version.to_le_bytes());
                bytes.extend(record.payload);
                found.push(bytes);
            }
        }
    }
    found
}

fn parts(bytes: &[u8]) -> Option<(u16, u16, &[u8])> {
    let (kind, rest) = bytes.split_first_chunk()?;
    let (version, payload) = rest.split_first_chunk()?;
    Some((
        u16::from_le_bytes(*kind),
        u16::from_le_bytes(*version),
        payload,
    ))
}

#[test]
fn records_of_journals_are_read_or_refused() {
    tried("house-records", seed(), &payloads("house"), |bytes| {
        if let Some((kind, version, payload)) = parts(bytes) {
            let _ = sicbo_register::codec::decode(kind, version, payload);
        }
    });
    tried("table-records", seed(), &payloads("mbs-etg"), |bytes| {
        if let Some((kind, version, payload)) = parts(bytes) {
            let _ = sicbo_table::codec::decode(kind, version, payload);
        }
    });
}

#[test]
fn bundles_are_read_or_refused() {
    let sample = std::fs::read(here("tests/corpora/round.bundle")).expect("a bundle");
    let read = |bytes: &[u8]| {
        let _ = Bundle::from_bytes(bytes);
        let _ = CaseBundle::from_bytes(bytes);
    };
    tried("bundle", seed(), &[sample], read);
}
