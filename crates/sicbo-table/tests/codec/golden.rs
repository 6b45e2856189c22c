//! Records of every format. A golden file is never written again, only new
//! files added: old records decode for ever. Fields that came later are left
//! out of the words of an older file (`ADDED`).
//!
//! A record is two lines: kind, version and payload in hexadecimal; then what
//! it says. Rule books inside are shown by name. To add a file for a new
//! format, raise `NEWEST`, run `cargo test -p sicbo-table --test table -- --ignored
//! write_golden` and commit the new file.

use std::fmt::Write as _;
use std::path::PathBuf;

use sicbo_rules::RuleBook;
use sicbo_table::codec::{KINDS, decode, encode};
use sicbo_table::{Event, Fact};

use crate::codec::samples;

/// The records of a golden file: kind, version, payload.
pub(crate) fn records(format: u32) -> Vec<(u16, u16, Vec<u8>)> {
    let text = std::fs::read_to_string(path(format)).expect("a golden file");
    let lines = text.lines().filter(|line| !line.starts_with(' '));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| words[at].parse().expect("a number");
            (number(0), number(1), unhex(words[2]))
        })
        .collect()
}

/// The format written today.
const NEWEST: u32 = 8;

fn path(format: u32) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/events-{format}.txt"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}

/// Fields that a later format added, with the format that first had them: the
/// words of an older file, which is never written again, do not name them.
const ADDED: &[(u32, &str)] = &[
    (4, ", conducted: None"),
    (4, ", decision: 0, unclaimed: None"),
    (4, ", decision: 0"),
    (7, ", hold: None"),
];

/// As a file of this format tells it.
fn told_in(format: u32, event: &Event) -> String {
    let later = ADDED.iter().filter(|(since, _)| format < *since);
    later.fold(told(event), |text, (_, added)| text.replace(added, ""))
}

fn told(event: &Event) -> String {
    let book: Option<&RuleBook> = match &event.fact {
        Fact::TableOpened { config, .. } => Some(&config.book),
        Fact::RuleBookScheduled { book } => Some(book),
        _ => None,
    };
    let text = format!("{event:?}");
    match book {
        Some(book) => text.replace(
            &format!("{book:?}"),
            &format!("<{} {}>", book.id(), book.sha256_hex()),
        ),
        None => text,
    }
}

#[test]
#[ignore = "writes the golden file of a new format; an existing one is never touched"]
fn write_golden() {
    let path = path(NEWEST);
    assert!(!path.exists(), "{} stays as it is", path.display());
    let mut text = String::new();
    for number in 0..samples::FACTS {
        // Bets in several shapes; one rule book is long enough.
        let samples = match number {
            0 | 8 => 1,
            29 => 12,
            _ => 2,
        };
        for seed in 0..samples {
            let event = samples::event(number, seed);
            let mut bytes = Vec::new();
            let (kind, version) = encode(&event, &mut bytes);
            writeln!(text, "{kind} {version} {}", hex(&bytes)).unwrap();
            writeln!(text, "  {}", told(&event)).unwrap();
        }
    }
    std::fs::write(path, text).unwrap();
}

#[test]
fn old_records_decode_for_ever() {
    for format in 1..=NEWEST {
        let text = std::fs::read_to_string(path(format)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let mut seen = Vec::new();
        for pair in lines.chunks(2) {
            let [record, expected] = pair else {
                panic!("a record without its words");
            };
            let mut words = record.split(' ');
            let mut number = || words.next().unwrap().parse::<u16>().unwrap();
            let (kind, version) = (number(), number());
            let payload = unhex(words.next().unwrap());
            let event = decode(kind, version, &payload).unwrap();
            assert_eq!(told_in(format, &event), expected.trim_start());
            let mut again = Vec::new();
            if encode(&event, &mut again) == (kind, version) {
                assert_eq!(hex(&again), hex(&payload), "today's layout is unchanged");
            }
            seen.push(kind);
        }
        if format == NEWEST {
            seen.dedup();
            let all: Vec<u16> = KINDS.iter().map(|info| info.kind).collect();
            seen.sort_unstable();
            assert_eq!(seen, all, "the newest file has every kind");
        }
    }
}
