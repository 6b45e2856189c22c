//! A simulated tumbler commits before the bets and reveals after the round.

use sicbo_table::describe::hex;
use sicbo_table::snapshot;
use sicbo_table::tumble_proof::commitment;
use sicbo_table::views::PublicState;

use crate::rules::script::{ALL, check, check_each};

#[test]
fn a_commitment_comes_before_anything_that_rests_on_it() {
    check_each(
        &ALL,
        "
        table   BOOK play-money
        station T1 LAYOUT 100.00
        commit  7                       refused not_your_station
        commit  7 by device reader      refused not_your_station
        commit  7 by device tumbler     registered
        commit  7 by device tumbler     again          # the answer was lost
        commit  8 by device tumbler     refused already_done
        reveal  1 7 by device tumbler   refused nothing_committed
        to-betting
        commit  7 by device tumbler     again
        commit  8 by device tumbler     refused already_done
        bet     T1 b1 big 10.00
        reveal  1 7 by device tumbler   refused round_in_hand
        round   6 5 1
        reveal  1 8 by device tumbler   refused seed_does_not_fit
        reveal  2 7 by device tumbler   refused nothing_committed
        reveal  1 7                     refused not_your_station
        commit  9 by device tumbler     registered     # the next, before the last is shown
        reveal  1 7 by device tumbler   registered
        reveal  1 7 by device tumbler   again
        reveal  1 8 by device tumbler   refused seed_does_not_fit
        ",
    );
}

#[test]
fn in_the_round_it_may_still_be_made_until_a_bet_or_the_tumble() {
    // Bets before the tumble: a bet ends it, even one taken back.
    check(
        "
        table   mbs-table play-money tumble during-betting
        seat    S1 a 100.00
        open
        commit  7 by device tumbler     registered
        tumble  3
        round   6 5 1
        open
        bet     S1 b1 big 10.00
        clear   S1 b2
        commit  7 by device tumbler     refused too_late_to_commit
        ",
    );
    check(
        "
        table   mbs-etg play-money
        station T1 rapid
        activate
        commit  7 by device tumbler     refused too_late_to_commit
        ",
    );
}

#[test]
fn a_table_that_plays_for_money_refuses_both() {
    check_each(
        &ALL,
        "
        table   BOOK
        commit  7 by device tumbler     refused no_simulated_tumbler
        reveal  1 7 by device tumbler   refused no_simulated_tumbler
        ",
    );
}

#[test]
fn a_void_round_is_revealed_too_and_only_the_last_is_kept() {
    check(
        "
        table   mbs-etg play-money
        station T1 rapid
        commit  7 by device tumbler
        tumble  2
        void    too-few-tumbles
        reveal  1 7 by device tumbler   registered
        round   1 2 3                   # nothing was committed to
        reveal  1 7 by device tumbler   refused nothing_committed
        commit  8 by device tumbler
        round   1 2 3
        last-round
        round   1 2 3
        reveal  3 8 by device tumbler   refused nothing_committed
        close-table
        ",
    );
    // The last seed of the day may come when the table has closed.
    check(
        "
        table   mbs-etg play-money
        last-round
        commit  8 by device tumbler
        round   1 2 3
        close-table
        commit  9 by device tumbler     refused table_not_open
        reveal  1 8 by device tumbler   registered
        ",
    );
}

#[test]
fn everyone_sees_the_commitment_and_then_the_seed() {
    let start = "
        table   mbs-etg play-money
        station T1 rapid
        commit  7 by device tumbler
        ";
    let committed = Some(commitment(&[7; 32]));
    let seen = |script: &str| {
        let run = check(script);
        let table = snapshot::decode(&snapshot::encode(&run.table)).unwrap();
        assert_eq!(table, run.table);
        (PublicState::of(&table).unwrap(), table.commitment)
    };
    let (before, next) = seen(start);
    assert_eq!((before.round, next.map(|(_, of)| of)), (None, committed));
    let committed = committed.map(|commitment| hex(&commitment));
    let (during, _) = seen(&format!(
        "{start}
        to-betting
        "
    ));
    assert_eq!(during.round.unwrap().commitment, committed);
    let ended = format!(
        "{start}
        round   1 2 3
        "
    );
    let last = seen(&ended).0.last.unwrap();
    assert_eq!((&last.commitment, last.seed), (&committed, None));
    let (shown, _) = seen(&format!(
        "{ended}
        reveal  1 7 by device tumbler
        "
    ));
    let last = shown.last.unwrap();
    assert_eq!(
        (last.commitment, last.seed),
        (committed, Some(hex(&[7; 32])))
    );
}
