//! Exports and stories tell every kind of record in words that stay: other
//! people's programs read them.

use std::fmt::Write as _;
use std::path::PathBuf;

use sicbo_table::{Event, Fact, Table, codec};

use super::tell;
use crate::describe::Describer;

/// The records of a golden file of the table's codec.
fn records(format: u32) -> Vec<Event> {
    let path = format!("../sicbo-table/tests/golden/events-{format}.txt");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(path).expect("a golden file");
    let unhex = |text: &str| -> Vec<u8> {
        let at = (0..text.len()).step_by(2);
        at.map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal"))
            .collect()
    };
    let lines = text.lines().filter(|line| !line.starts_with(' '));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| words[at].parse().expect("a number");
            codec::decode(number(0), number(1), &unhex(words[2])).expect("decodes")
        })
        .collect()
}

/// Samples hold the greatest amounts there are, whose sum is none.
fn one_of_each(fact: &mut Fact) {
    if let Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. } = fact {
        for effect in effects {
            effect.netted.truncate(1);
            effect.unclaimed_netted.truncate(1);
        }
    }
}

fn told(format: u32) -> String {
    let table = Table::default();
    let describer = Describer::new(&table);
    let mut out = String::new();
    for mut event in records(format) {
        one_of_each(&mut event.fact);
        let (name, fields) = describer.fact(&event.fact);
        let _ = writeln!(out, "{name} {fields:?}");
        let _ = writeln!(out, "  {}", tell(&describer, &table, &event));
    }
    // Texts of the greatest length say nothing more.
    out.replace(&"x".repeat(100), "x")
        .replace(&"界".repeat(100), "界")
}

#[test]
fn every_kind_of_record_is_told_as_it_always_was() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/told.txt");
    let expected = std::fs::read_to_string(path).expect("a golden file");
    assert_eq!(told(5), expected);
}
