//! Snapshots: any state comes back the same, and what was changed is refused.

use std::time::Instant;

use proptest::prelude::*;
use sha2::{Digest, Sha256};
use sicbo_rules::RuleBook;
use sicbo_table::actor::Actor;
use sicbo_table::codec::DecodeError;
use sicbo_table::ids::{BetId, RecoverableId, RoundNumber, SessionNumber, StationId};
use sicbo_table::pending::Recoverable;
use sicbo_table::positions::Means;
use sicbo_table::round::{Round, StationRound};
use sicbo_table::{Act, Table, decide, snapshot};

use crate::state::setup::{DEALER, book, by, command, config, line, money, must, section, table};
use crate::state::walk::{acts, configs, walk};

/// Comes back equal, with the same bytes and the same answers.
fn check(table: &Table) {
    let bytes = snapshot::encode(table);
    let back = snapshot::decode(&bytes).expect("a snapshot");
    assert_eq!(&back, table);
    assert_eq!(snapshot::encode(&back), bytes, "one state, one spelling");
    assert_eq!(bytes[bytes.len() - 32..], table.digest());
    for (_, act) in acts(table, u64::MAX) {
        let command = by(DEALER, None, act);
        assert_eq!(decide(&back, &command), decide(table, &command));
    }
}

#[test]
fn any_state_comes_back_the_same() {
    let mut in_round = 0;
    for book in RuleBook::all() {
        for (i, config) in configs(book).iter().enumerate() {
            walk(config, i as u64 + 40, 250, |table, _| {
                in_round += usize::from(table.at_risk_anywhere());
                check(table);
            });
        }
    }
    assert!(in_round > 200, "walks see rounds with bets: {in_round}");
}

trait AtRisk {
    fn at_risk_anywhere(&self) -> bool;
}

impl AtRisk for Table {
    fn at_risk_anywhere(&self) -> bool {
        self.stations
            .iter()
            .any(|station| station.at_risk.is_positive())
    }
}

#[test]
fn a_table_never_opened_has_a_snapshot_too() {
    check(&Table::default());
}

#[test]
fn different_states_have_different_digests() {
    let rules = book("mbs-etg");
    let mut digests = std::collections::BTreeMap::new();
    for seed in 0..5 {
        walk(&config(rules), seed, 120, |table, _| {
            let known = digests
                .entry(table.digest())
                .or_insert_with(|| table.clone());
            assert_eq!(known, table, "same digest, same state");
        });
    }
    assert!(digests.len() > 200, "{}", digests.len());
}

#[test]
fn the_order_of_bet_ids_leaves_no_trace() {
    let rules = book("rws-etg");
    let round_with = |ids: &[u64]| {
        let mut table = table(config(rules), 1);
        must(&mut table, &by(DEALER, None, Act::CallBets));
        for bet in ids {
            let place = Act::PlaceBets {
                station: StationId(0),
                round: RoundNumber(1),
                bet: BetId(*bet),
                means: Means::Credit,
                lines: vec![line("small", 500)],
            };
            must(&mut table, &command(Actor::Station(StationId(0)), place));
        }
        let back = snapshot::decode(&snapshot::encode(&table)).expect("a snapshot");
        let round = back.round.expect("a round");
        // Which record holds which id is remembered beside them.
        let seen: Vec<(u64, u64)> = round.stations[0].seen.iter().collect();
        (seen, round.stations[0].positions.clone(), round.exposure)
    };
    assert_eq!(round_with(&[1, 900, 17, 4]), round_with(&[900, 4, 1, 17]));
    assert_ne!(round_with(&[1, 2]), round_with(&[1, 3]));
}

/// A state with a bit of everything.
fn busy() -> Table {
    let rules = book("rws-etg");
    let mut busiest = Table::default();
    let mut most = 0;
    for seed in 0..4 {
        walk(&configs(rules)[1], seed, 300, |table, _| {
            let round = table.round.as_ref();
            let score = 3 * usize::from(round.is_some_and(|r| r.exposure.staked().is_positive()))
                + 2 * usize::from(table.last_record.is_some())
                + 2 * table.pending.len().min(2)
                + 3 * table.recoverables.len().min(1)
                + table.amended.len().min(2)
                + usize::from(round.is_some_and(|r| r.keyed.is_some()));
            if score > most {
                most = score;
                busiest = table.clone();
            }
        });
    }
    assert!(most >= 8, "{most}");
    busiest
}

#[test]
fn a_changed_snapshot_is_refused() {
    let bytes = snapshot::encode(&busy());
    for at in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
        for bit in [0, 7] {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(snapshot::decode(&changed).is_err(), "byte {at}");
        }
        assert!(snapshot::decode(&bytes[..at]).is_err());
    }
    assert!(snapshot::decode(&[&bytes[..], &[0]].concat()).is_err());
}

#[test]
fn a_table_that_contradicts_itself_is_refused() {
    type Change = fn(&mut Table);
    let changes: [(&str, Change); 11] = [
        ("a part of no station", |t| {
            round(t).stations.push(StationRound::default());
        }),
        ("a station without its part", |t| {
            round(t).stations.pop();
        }),
        ("another count of awaited terminals", |t| {
            round(t).awaiting += 1
        }),
        ("another round's number", |t| t.last_round.0 += 1),
        ("a layout that is not there", |t| t.stations[0].layout = 99),
        ("credit from nowhere", |t| t.stations[0].credit += money(1)),
        ("credit beyond all money", |t| {
            t.stations[0].credit = money(i64::MAX);
        }),
        ("a meter beyond all money", |t| {
            t.stations[0].meters.cash_in = money(i64::MIN);
        }),
        ("a stake beyond all money", |t| {
            let most = money(i64::MAX / 2);
            round(t).stations[0].positions.add(section("big"), most);
        }),
        ("something owed at no station", |t| {
            let entry = Recoverable {
                id: RecoverableId(1),
                round: RoundNumber(1),
                station: StationId(77),
                session: SessionNumber(1),
                amount: money(0),
            };
            t.recoverables.insert(entry.id, entry);
        }),
        ("no step", |t| {
            let config = t.config.as_mut().expect("a set-up");
            config.limits.by_kind[0].step = money(0);
        }),
    ];
    let sound = full_house(3);
    assert_eq!(
        snapshot::decode(&snapshot::encode(&sound)),
        Ok(sound.clone())
    );
    for (what, change) in changes {
        let mut changed = sound.clone();
        change(&mut changed);
        let read = snapshot::decode(&snapshot::encode(&changed));
        let refused = matches!(read, Err(DecodeError::Contradictory { .. }));
        assert!(refused, "{what}: {:?}", read.err());
    }
}

fn round(table: &mut Table) -> &mut Round {
    table.round.as_deref_mut().expect("a round in hand")
}

/// Where the structure begins: after the text of the rule book.
fn after_book(bytes: &[u8]) -> usize {
    let source = book("rws-etg").source().as_bytes();
    let at = bytes.windows(source.len()).position(|w| w == source);
    at.expect("the book") + source.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_snapshot_forged_with_a_right_hash_is_refused_or_sound(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        use std::sync::LazyLock;
        static BUSY: LazyLock<Vec<u8>> = LazyLock::new(|| snapshot::encode(&busy()));
        let mut forged = BUSY[..BUSY.len() - 32].to_vec();
        let from = after_book(&forged);
        let reach = forged.len() - from;
        for (at, value) in changes {
            forged[from + at.index(reach)] = value;
        }
        let hash: [u8; 32] = Sha256::digest(&forged).into();
        forged.extend(hash);
        if let Ok(table) = snapshot::decode(&forged) {
            prop_assert_eq!(table.check(), Ok(()));
            prop_assert_eq!(snapshot::encode(&table), forged);
        }
    }
}

/// Ten thousand stations with bets on several sections.
fn full_house(stations: usize) -> Table {
    let rules = book("rws-etg");
    let mut config = config(rules);
    config.limits.exposure_maximum = sicbo_rules::Money::MAX;
    let mut table = table(config, stations);
    must(&mut table, &by(DEALER, None, Act::CallBets));
    for i in 0..stations {
        let station = StationId(i as u32);
        let sections = ["small", "odd", "total:11", "single:6", "pair:1-2"];
        for (bet, text) in sections.into_iter().enumerate() {
            let layout = &rules.layouts[table.stations[i].layout];
            if !layout.offers(section(text)) {
                continue;
            }
            let place = Act::PlaceBets {
                station,
                round: RoundNumber(1),
                bet: BetId(bet as u64),
                means: Means::Credit,
                lines: vec![line(text, 500)],
            };
            must(&mut table, &command(Actor::Station(station), place));
        }
    }
    table
}

#[test]
fn ten_thousand_stations_with_bets_are_quick() {
    let table = full_house(10_000);
    let start = Instant::now();
    let bytes = snapshot::encode(&table);
    let encoded = start.elapsed();
    let start = Instant::now();
    let back = snapshot::decode(&bytes).unwrap();
    let decoded = start.elapsed();
    assert_eq!(back, table);
    println!(
        "{} stations: {} bytes, encode {encoded:?}, decode {decoded:?}",
        table.stations.len(),
        bytes.len()
    );
    // Generous: the figures are printed; this only catches a change of order.
    assert!(encoded.as_millis() < 2_000 && decoded.as_millis() < 4_000);
}
