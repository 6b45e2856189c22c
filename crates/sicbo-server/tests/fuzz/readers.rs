//! What reads bytes from outside, each with samples that it reads: shared by the tests and by the
//! fuzzer that follows coverage (`fuzz/`). Reads, and never panics.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use sicbo_journal::{DataFolder, Store as _, StreamId};
use sicbo_plan::HousePlan;
use sicbo_proof::bundle::Bundle;
use sicbo_proof::bundle::case::CaseBundle;
use sicbo_proof::source;
use sicbo_rules::RuleBook;
use sicbo_table::actor::Device;
use sicbo_wire as wire;

/// Something that reads bytes.
pub(crate) struct Reader {
    /// The name of its corpus.
    pub(crate) name: &'static str,
    samples: fn() -> Vec<Vec<u8>>,
    /// Reads or refuses.
    pub(crate) read: fn(&[u8]),
}

/// All of them.
pub(crate) const READERS: [Reader; 8] = [
    Reader {
        name: "frames",
        samples: || lines("frames.txt"),
        read: frames,
    },
    Reader {
        name: "bodies",
        samples: || lines("bodies.txt"),
        read: bodies,
    },
    Reader {
        name: "line",
        samples: || lines("line.txt"),
        read: |bytes| {
            for device in [None, Some(Device::Tumbler), Some(Device::DiceReader)] {
                let _ = sicbo_devices::line::is_understood(bytes, device);
            }
        },
    },
    Reader {
        name: "plan",
        samples: || vec![sicbo_plan::example().into_bytes()],
        read: |bytes| {
            if let Ok(text) = std::str::from_utf8(bytes) {
                let _ = HousePlan::parse(text, &|_| Err("there is no such file".to_owned()));
            }
        },
    },
    Reader {
        name: "rule-book",
        samples: || {
            let books = RuleBook::all().iter();
            books
                .map(|book| book.source().as_bytes().to_vec())
                .collect()
        },
        read: |bytes| {
            if let Ok(text) = std::str::from_utf8(bytes) {
                let _ = RuleBook::parse(text);
            }
        },
    },
    Reader {
        name: "house-records",
        samples: || payloads("house"),
        read: |bytes| {
            if let Some((kind, version, payload)) = parts(bytes) {
                let _ = sicbo_register::codec::decode(kind, version, payload);
            }
        },
    },
    Reader {
        name: "table-records",
        samples: || payloads("mbs-etg"),
        read: |bytes| {
            if let Some((kind, version, payload)) = parts(bytes) {
                let _ = sicbo_table::codec::decode(kind, version, payload);
            }
        },
    },
    Reader {
        name: "bundle",
        samples: || vec![std::fs::read(here("tests/corpora/round.bundle")).expect("a bundle")],
        read: |bytes| {
            let _ = Bundle::from_bytes(bytes);
            let _ = CaseBundle::from_bytes(bytes);
        },
    },
];

impl Reader {
    /// What it reads, and what a fuzzer found to be worth keeping.
    pub(crate) fn samples(&self) -> Vec<Vec<u8>> {
        let mut samples = (self.samples)();
        samples.extend(kept(self.name));
        samples
    }
}

/// The corpus of a reader: a line each, in hexadecimal digits.
pub(crate) fn corpus(name: &str) -> PathBuf {
    here("tests/corpora").join(format!("{name}.hex"))
}

fn kept(name: &str) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(corpus(name)).unwrap_or_default();
    let digit = |byte: &u8| char::from(*byte).to_digit(16).expect("a digit") as u8;
    let bytes = |line: &str| {
        let pairs = line.as_bytes().chunks(2);
        pairs
            .map(|pair| digit(&pair[0]) << 4 | digit(&pair[1]))
            .collect()
    };
    text.lines().map(bytes).collect()
}

fn here(path: &str) -> PathBuf {
    // The fuzzer is a program of its own beside the crates.
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let server = own.join("../crates/sicbo-server");
    match server.exists() {
        true => server.join(path),
        false => own.join(path),
    }
}

fn lines(file: &str) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(here("tests/corpora").join(file)).expect(file);
    text.lines().map(|line| line.as_bytes().to_vec()).collect()
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    serde_json::from_slice::<T>(bytes).is_ok()
}

fn frames(bytes: &[u8]) {
    read::<wire::terminal::TerminalToHouse>(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = wire::terminal::PlainBet::read(text);
    }
}

fn bodies(bytes: &[u8]) {
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
