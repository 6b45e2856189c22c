//! What is written is read again, and one event has one spelling.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use sicbo_rules::{Money, RuleBook, Section};
use sicbo_table::actor::Actor;
use sicbo_table::codec::{KINDS, decode, encode};
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::{Event, Fact};

use crate::codec::samples;

fn encoded(event: &Event) -> (u16, u16, Vec<u8>) {
    let mut bytes = Vec::new();
    let (kind, version) = encode(event, &mut bytes);
    (kind, version, bytes)
}

#[test]
fn every_fact_has_its_own_kind_and_comes_back_the_same() {
    let mut kinds = BTreeSet::new();
    for number in 0..samples::FACTS {
        for seed in 0..60 {
            let event = samples::event(number, seed);
            let (kind, version, bytes) = encoded(&event);
            kinds.insert(kind);
            let back = decode(kind, version, &bytes).unwrap();
            assert_eq!(back, event);
            assert_eq!(encoded(&back).2, bytes, "one event, one spelling");
        }
        assert_eq!(kinds.len(), number + 1, "a kind of its own");
    }
    assert!(KINDS.iter().map(|info| info.kind).eq(kinds));
}

#[test]
fn the_table_of_kinds_is_pinned() {
    let table: String = KINDS
        .iter()
        .map(|info| format!("{:>3} v{} {}\n", info.kind, info.version, info.name))
        .collect();
    assert_eq!(table, include_str!("../golden/kinds.txt"));
}

#[test]
fn encoding_appends_to_what_is_there() {
    let event = samples::event(29, 1);
    let mut bytes = b"before".to_vec();
    let (kind, version) = encode(&event, &mut bytes);
    assert!(bytes.starts_with(b"before"));
    assert_eq!(decode(kind, version, &bytes[6..]).unwrap(), event);
}

#[test]
fn a_bet_of_one_line_is_short() {
    let bet = |station, command, bet, stake| Event {
        at_ms: 1_790_000_000_000,
        by: Actor::Station(StationId(station)),
        second: None,
        command,
        fact: Fact::BetsPlaced {
            station: StationId(station),
            bet: BetId(bet),
            means: Means::Credit,
            lines: vec![Line {
                section: Section::ALL[30],
                stake: Money::from_minor(stake),
            }],
            called: false,
        },
    };
    assert_eq!(encoded(&bet(7, 9, 1, 500)).2.len(), 19);
    assert_eq!(encoded(&bet(9_999, 4_000_000_000, 40, 5_000)).2.len(), 26);
    // Even with client ids that fill 64 bits.
    assert_eq!(
        encoded(&bet(9_999, u64::MAX, u64::MAX, 10_000_000)).2.len(),
        39
    );
}

#[test]
fn a_built_in_rule_book_is_shared_and_another_is_parsed() {
    for book in RuleBook::all() {
        let event = |book: &Arc<RuleBook>| Event {
            fact: Fact::RuleBookScheduled { book: book.clone() },
            ..samples::event(8, 1)
        };
        let back = |event: &Event| {
            let (kind, version, bytes) = encoded(event);
            match decode(kind, version, &bytes).unwrap().fact {
                Fact::RuleBookScheduled { book } => book,
                other => panic!("{other:?}"),
            }
        };
        assert!(Arc::ptr_eq(&back(&event(book)), book));
        let other = RuleBook::parse(&format!("{}\n# another print\n", book.source())).unwrap();
        let other = Arc::new(other);
        let read = back(&event(&other));
        assert_eq!(read, other);
        assert_ne!(read.sha256(), book.sha256());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_event_comes_back_the_same(number in 0..samples::FACTS, seed: u64) {
        let event = samples::event(number, seed);
        let (kind, version, bytes) = encoded(&event);
        let back = decode(kind, version, &bytes).unwrap();
        prop_assert_eq!(&back, &event);
        prop_assert_eq!(encoded(&back).2, bytes);
    }
}
