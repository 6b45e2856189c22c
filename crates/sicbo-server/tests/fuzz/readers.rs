//! What reads bytes from outside, each with samples that it reads: shared by the tests and by the
//! fuzzer that follows coverage (`fuzz/`). Reads, and never panics.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use sicbo_check::Trust;
use sicbo_check::receipt::Receipt;
use sicbo_check::slip::{Slip, SlipFacts};
use sicbo_journal::{DataFolder, Header, HouseKey, KeyRing, RawBlock, Store as _, StreamId};
use sicbo_plan::HousePlan;
use sicbo_proof::bundle::case::CaseBundle;
use sicbo_proof::bundle::{self, Bundle};
use sicbo_proof::source;
use sicbo_register::validation::Number;
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
pub(crate) const READERS: [Reader; 10] = [
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
        name: "slip",
        samples: || vec![slip()],
        read: |bytes| {
            if let Ok(slip) = Slip::from_bytes(bytes) {
                let _ = slip.check(&Trust::Anyone);
            }
        },
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
        name: "blocks",
        samples: || ["house", "mbs-etg"].into_iter().flat_map(blocks).collect(),
        read: block,
    },
    Reader {
        name: "bundle",
        samples: || vec![std::fs::read(here("tests/corpora/round.bundle")).expect("a bundle")],
        read: |bytes| {
            if let Ok(bundle) = Bundle::from_bytes(bytes) {
                let _ = bundle::tell(&bundle, &Trust::Anyone);
            }
            if let Ok(bundle) = CaseBundle::from_bytes(bytes) {
                let _ = bundle.check(&Trust::Anyone);
            }
            if let Ok(receipt) = Receipt::from_bytes(bytes) {
                let _ = receipt.check();
            }
        },
    },
];

impl Reader {
    /// The one of that name.
    pub(crate) fn named(name: &str) -> Option<&'static Reader> {
        READERS.iter().find(|reader| reader.name == name)
    }

    /// What it reads by itself.
    pub(crate) fn own(&self) -> Vec<Vec<u8>> {
        (self.samples)()
    }

    /// What it reads, and what a fuzzer found to be worth keeping.
    pub(crate) fn samples(&self) -> Vec<Vec<u8>> {
        let mut samples = self.own();
        samples.extend(kept(self.name));
        samples
    }
}

/// The receipt of a voucher, as a house signs it.
fn slip() -> Vec<u8> {
    let key = HouseKey::from_entropy(&[7; 32]);
    let facts = SlipFacts {
        signed_ms: 1_792_562_800_000,
        real_money: true,
        state: "printed".to_owned(),
        ends: "5678".to_owned(),
        amount: 123_450,
        decimals: 2,
        currency: "SGD".to_owned(),
        expires_ms: 1_795_154_709_000,
        issued_ms: 1_792_562_709_000,
        sequence: 42,
        station: "T12".to_owned(),
        table: "mbs-etg".to_owned(),
        voucher: 7,
    };
    let statement = facts.statement(&KeyRing::new(key.public()));
    let signature = key.sign(statement.as_bytes()).expect("a signature");
    Slip::new(statement, signature, (key.public(), Vec::new())).to_bytes()
}

/// The corpus of a reader: a line each, in hexadecimal digits.
pub(crate) fn corpus(name: &str) -> PathBuf {
    here("tests/corpora").join(format!("{name}.hex"))
}

fn kept(name: &str) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(corpus(name)).expect("a corpus, empty for a new reader");
    text.lines().map(from_hex).collect()
}

fn from_hex(line: &str) -> Vec<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).expect("a digit") as u8;
    let pairs = line.as_bytes().chunks(2);
    pairs
        .map(|pair| digit(&pair[0]) << 4 | digit(&pair[1]))
        .collect()
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
    read::<wire::cases::PlayerAnswer>(bytes);
    read::<wire::acts::Confirmation>(bytes);
    read::<wire::practice::NewLesson>(bytes);
    read::<wire::practice::Called>(bytes);
    read::<wire::practice::StatedPayment>(bytes);
    read::<wire::attest::AskAttest>(bytes);
    read::<wire::session::LogIn>(bytes);
    read::<wire::session::PinAgain>(bytes);
    read::<wire::session::AskFactor>(bytes);
    read::<wire::session::FactorCode>(bytes);
    read::<wire::session::ChangePin>(bytes);
    read::<wire::cage::LookUp>(bytes);
    read::<wire::cage::PayKept>(bytes);
    read::<wire::cage::VoidVoucher>(bytes);
    read::<wire::people::NewPerson>(bytes);
    read::<wire::people::PersonChange>(bytes);
    read::<wire::people::NewEnrolment>(bytes);
    read::<wire::people::Revocation>(bytes);
    if let Ok(presented) = serde_json::from_slice::<wire::cage::Presented>(bytes) {
        let _ = Number::parse(presented.number.text());
    }
    if let Ok(change) = serde_json::from_slice::<wire::play::PlayChange>(bytes) {
        let _ = change.step();
    }
}

/// The blocks of a golden journal.
fn journal(stream: &str) -> Vec<RawBlock> {
    let stream = StreamId::new(stream).expect("a name");
    let data = here("tests/golden/format-1/data");
    let store = source::open(&stream, &DataFolder::stream_path(&data, &stream)).expect("a journal");
    let raw = store.read_from(1).map(|raw| raw.expect("readable"));
    raw.collect()
}

/// Short blocks of a golden journal: the length of the header, header and body.
fn blocks(stream: &str) -> Vec<Vec<u8>> {
    let short = journal(stream)
        .into_iter()
        .filter(|raw| raw.body.len() < 1_000);
    let bytes = |raw: RawBlock| {
        let length = u16::try_from(raw.header.len()).expect("a short header");
        [&length.to_le_bytes()[..], &raw.header, &raw.body].concat()
    };
    short.take(40).map(bytes).collect()
}

/// A block as a store hands it out: checked against itself, then read record by record.
fn block(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk() else {
        return;
    };
    let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
    let (header, body) = rest.split_at(length);
    let filed_under = Header::decode(header).map_or(1, |header| header.first_sequence);
    let raw = RawBlock {
        filed_under,
        header: header.to_vec().into(),
        body: body.to_vec(),
    };
    if let Ok(block) = raw.decode() {
        for record in block.records() {
            let _ = sicbo_table::codec::decode(record.kind, record.version, record.payload);
        }
    }
}

/// Payloads of a golden journal, each behind its kind and version.
fn payloads(stream: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for raw in journal(stream) {
        let block = raw.decode().expect("whole");
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
