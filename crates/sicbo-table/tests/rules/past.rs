//! An act of betting that is sent again after its round is answered with what
//! happened to it.

use sicbo_rules::Money;
use sicbo_table::event::{Event, Fact};
use sicbo_table::ids::{BetId, RoundNumber, StationId};
use sicbo_table::past::{MAX_ACTS, PastRound};
use sicbo_table::{Table, apply, snapshot};

use crate::rules::script::check;

fn part(table: &Table, round: u64) -> PastRound {
    let past = table.past(StationId(0)).expect("a station");
    *past.round(RoundNumber(round)).expect("a round")
}

#[test]
fn a_bet_sent_again_after_its_round_is_answered_with_what_happened() {
    let run = check(
        "
        table    mbs-etg min 5 max 500
        station  T1 rapid 100.00
        station  T2 rapid
        to-betting
        bet      T1 b1 big 10.00                registered
        unbet    T1 b2 big 5.00                 registered
        round    6 5 1
        bet      T1 b1 big 10.00 round 1        again
        unbet    T1 b2 big 5.00 round 1         again
        bet      T1 b3 big 10.00 round 1        refused not_registered
        bet      T2 b1 big 10.00 round 1        refused not_registered
        bet      T1 b1 small 10.00 round 1      refused bet_id_reused
        bet      T1 b1 big 10.00 round 1 by station T2   refused not_your_station
        balance  T1 105.00
        to-betting
        bet      T1 b1 small 20.00              registered
        void     dome-broken
        bet      T1 b1 small 20.00 round 2      again
        bet      T1 b1 big 10.00 round 1        again
        bet      T1 b1 big 10.00 round 3        refused wrong_round
        balance  T1 105.00
        ",
    );
    let first = part(&run.table, 1);
    assert_eq!(
        (first.void, first.staked, first.returned),
        (false, Money::from_minor(500), Money::from_minor(1_000))
    );
    let second = part(&run.table, 2);
    assert_eq!(
        (second.void, second.staked, second.returned),
        (true, Money::from_minor(2_000), Money::from_minor(2_000))
    );
    // A snapshot has it all.
    let back = snapshot::decode(&snapshot::encode(&run.table)).expect("a snapshot");
    assert_eq!(back.past(StationId(0)), run.table.past(StationId(0)));
    assert_eq!(back.records, run.table.records);
}

#[test]
fn a_bet_of_a_corrected_round_is_answered_with_what_stands() {
    let run = check(
        "
        table    mbs-etg min 5 max 500
        station  T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round    6 5 1
        correct  1 1 1 2 by shift-manager Sam and pit-supervisor Sue
        bet      T1 b1 big 10.00 round 1        again
        ",
    );
    let stands = part(&run.table, 1);
    assert_eq!((stands.void, stands.returned), (false, Money::ZERO));
}

#[test]
fn a_station_is_remembered_by_its_own_newest_acts_only() {
    let mut script = "table mbs-etg min 5 max 500
        station T1 rapid 500.00
        station T2 rapid 500.00
        to-betting T1 b1 big 5.00
        bet     T2 b1 big 5.00
        round   6 5 1
        "
    .to_owned();
    // Two acts a round: others push out nothing of T1's.
    for round in 2..=u64::try_from(MAX_ACTS / 2).expect("few") + 1 {
        script += &format!(
            "to-betting
            bet     T2 b1 big 5.00
            bet     T2 b2 small 5.00
            bet     T1 b1 big 5.00 round 1      again
            void    dome-broken
            bet     T2 b2 small 5.00 round {round}   again
            "
        );
    }
    script += "bet T2 b1 big 5.00 round 1   refused too_old_to_say
        bet     T2 b9 big 5.00 round 1      refused too_old_to_say
        bet     T2 b9 big 5.00 round 2      refused not_registered
        bet     T1 b9 big 5.00 round 1      refused not_registered
        ";
    let run = check(&script);
    let past = run.table.past(StationId(1)).expect("a station");
    assert!(past.round(RoundNumber(1)).is_none(), "it is forgotten");
    assert!(past.act(RoundNumber(2), BetId(1)).is_some());
}

/// Rounds of few acts and of many, their ids counting up and not: after each,
/// the newest are remembered with their records and no others, and a state that
/// came back from a snapshot, at any moment, goes on to remember the same.
#[test]
fn whatever_the_order_of_ids_the_newest_acts_are_remembered() {
    const ROUNDS: [(u64, u64); 8] = [
        (3, 1),
        (70, 37),
        (1, 1),
        (63, 50),
        (64, 1),
        (10, 3),
        (2, 1),
        (90, 1),
    ];
    let mut script = "table mbs-etg min 5 max 500
        station T1 rapid 9000.00
        "
    .to_owned();
    let mut acts = Vec::new();
    for (round, (count, step)) in (1u64..).zip(ROUNDS) {
        script += "to-betting\n";
        for i in 0..count {
            // 101 is a prime: each id comes once.
            let bet = 1 + i * step % 101;
            script += &format!("bet T1 b{bet} big 5.00   registered\n");
            acts.push((round, bet));
        }
        script += if round % 2 == 0 {
            "void dome-broken\n"
        } else {
            "round 6 5 1\n"
        };
    }
    let run = check(&script);
    let placed = |event: &Event| matches!(event.fact, Fact::BetsPlaced { .. });

    // Of each act the record, counted apart from the table.
    let numbered = run.events.iter().zip(1u64..);
    let records: Vec<u64> = numbered
        .filter(|(event, _)| placed(event))
        .map(|(_, at)| at)
        .collect();
    let mut table = Table::default();
    let mut done = 0;
    for event in &run.events {
        apply(&mut table, event);
        done += usize::from(placed(event));
        let over = |act: &(u64, u64)| table.is_over(RoundNumber(act.0));
        let ended = acts[..done].iter().filter(|act| over(act)).count();
        let Some(past) = table.past(StationId(0)) else {
            continue;
        };
        for (at, (round, bet)) in acts[..ended].iter().enumerate() {
            let known = past
                .act(RoundNumber(*round), BetId(*bet))
                .map(|act| act.record);
            let newest = at + MAX_ACTS >= ended;
            assert_eq!(known, newest.then_some(records[at]), "act {at} of {ended}");
        }
        let back = snapshot::decode(&snapshot::encode(&table)).expect("a snapshot");
        assert_eq!(back, table);
        table = back;
    }
    assert_eq!(table, run.table);
    assert_eq!(done, acts.len());
}
