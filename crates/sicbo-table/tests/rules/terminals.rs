//! Terminals that fail (requirements A.11, Q-09 to Q-12).

use sicbo_table::Fact;
use sicbo_table::ids::StationId;

use crate::rules::script::check;

#[test]
fn q_09_all_terminals_down_is_not_an_interruption_of_the_game() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT
        to-betting T1 b1 big 10.00
        disconnect T1
        disconnect T2
        close
        phase   closed
        round   6 5 1
        balance T1 110.00
        ",
    );
}

#[test]
fn r_180_the_round_goes_on_when_terminals_fail() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        disconnect T1
        phase   betting
        bet     T2 b1 big 10.00   registered
        to-closed
        phase   closed
        round   6 5 1
        balance T1 110.00
        balance T2 110.00
        ",
    );
}

#[test]
fn r_181_registered_bets_of_a_failed_terminal_are_settled() {
    check(
        "
        each    rws-etg | rws-open-cover
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 small 10.00
        disconnect T1
        to-closed
        waits   nothing
        round   6 5 1
        balance T1 90.00
        ",
    );
}

#[test]
fn r_182_bets_of_a_failed_terminal_not_registered_are_returned() {
    check(
        "
        each    rws-etg 5.2.2 (Q-12) | rws-open-cover 5.2.2 (Q-12)
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT
        to-betting
        disconnect T1
        close
        bet     T1 b1 big 10.00   refused station_fenced RULE
        ack     T2
        connect T1
        bet     T1 b1 big 10.00   refused station_fenced RULE
        unbet   T1 b2 big 10.00   refused station_fenced RULE
        balance T1 100.00
        ",
    );
}

#[test]
fn r_183_a_closed_terminal_with_an_accepted_wager_is_concluded() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        to-closed
        disconnect T1
        round   6 5 1
        balance T1 110.00
        waits   nothing
        ",
    );
}

#[test]
fn r_184_a_wager_not_accepted_means_the_player_took_no_part() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting
        disconnect T1
        close
        phase   closed
        bet     T1 b1 big 10.00   refused station_fenced mbs-etg 5.9.2 (Q-10)
        round   6 5 1
        balance T1 100.00
        meter   T1 staked 0
        waits   nothing
        ",
    );
}

#[test]
fn q_10_an_accepted_wager_on_a_terminal_that_never_showed_the_close_is_flagged() {
    for lost in [
        "disconnect T1\n close\n ack T2",
        "close\n ack T2\n fence T1",
        "close\n fence T1\n ack T2",
    ] {
        check(&format!(
            "
            table   mbs-etg
            station T1 rapid 100.00
            station T2 rapid
            to-betting T1 b1 big 10.00
            {lost}
            phase   closed
            waits   terminal-open-case shift-manager+ 1
            to-visible                        # it holds nothing up
            to-result 6 5 1
            balance T1 110.00                 # settled by default
            waits   terminal-open-case shift-manager+ 1
            rule    terminal-open-case accept by pit-manager Pam     refused not_authorised
            rule    terminal-open-case void-it by shift-manager Sam  refused ruling_does_not_fit
            rule    terminal-open-case accept by shift-manager Sam
            waits   nothing
            "
        ));
    }
    // If the round is void, the flagged bet goes back with the others.
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        close
        fence   T1
        void    dome-broken
        balance T1 100.00
        ",
    );
}

#[test]
fn q_12_registered_means_on_record_before_the_close() {
    check(
        "
        each    rws-etg 3.5 | rws-open-cover 3.5 | mbs-etg 5.7
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting
        bet     T1 b1 big 10.00   registered
        close
        bet     T1 b2 big 10.00   registered
        ack     T1
        bet     T1 b3 big 10.00   refused bets_closed RULE
        atrisk  T1 20.00
        ",
    );
}

#[test]
fn r_185_the_state_of_every_bet_on_a_failed_terminal_can_be_proved() {
    let run = check(
        "
        table   rws-etg
        station T1 a 100.00
        to-betting
        bet     T1 b1 big 10.00    registered
        disconnect T1
        connect T1
        bet     T1 b1 big 10.00    again           # it was registered
        close
        fence   T1
        bet     T1 b1 big 10.00    again           # and still is
        bet     T1 b2 big 10.00    refused station_fenced rws-etg 5.2.2 (Q-12)
        ",
    );
    let placed = run
        .events
        .iter()
        .position(|e| matches!(e.fact, Fact::BetsPlaced { .. }));
    let closed = run
        .events
        .iter()
        .position(|e| matches!(e.fact, Fact::BetsClosed { .. }));
    assert!(
        placed < closed,
        "the record of the bet stands before that of the close"
    );
}

#[test]
fn r_185_what_a_failed_terminal_had_registered_is_told_apart_from_what_it_had_not() {
    for (book, layout) in [
        ("rws-etg", "a"),
        ("rws-open-cover", "a"),
        ("mbs-etg", "rapid"),
    ] {
        // b1 was registered, b2 came when no more was taken: asked again at any
        // later time, the answer to either is the one of that moment.
        let played = format!(
            "
            table   {book}
            station T1 {layout} 100.00
            station T2 {layout}
            to-betting
            bet     T1 b1 big 10.00              registered
            disconnect T1
            close
            ack     T2
            bet     T1 b2 big 30.00              refused station_fenced
            bet     T1 b1 big 10.00              again
            "
        );
        for ending in [
            "to-visible\n to-result 6 5 1",
            "rule-void flood by director Dora",
        ] {
            let run = check(&format!(
                "{played}
                atrisk  T1 10.00
                connect T1
                bet     T1 b1 big 10.00          again
                bet     T1 b1 big 11.00          refused bet_id_reused
                {ending}
                bet     T1 b1 big 10.00 round 1  again
                bet     T1 b2 big 30.00 round 1  refused not_registered
                "
            ));
            // From the record alone: what lies in it is what was registered.
            let registered = run.events.iter().filter_map(|event| match &event.fact {
                Fact::BetsPlaced {
                    station,
                    bet,
                    lines,
                    ..
                } => Some((station.0, bet.0, lines.clone())),
                _ => None,
            });
            let registered: Vec<_> = registered.collect();
            let record = run.table.last_record.as_deref().expect("an ended round");
            let settled = record.station(StationId(0)).expect("its part");
            assert_eq!(registered, [(0, 1, settled.lines.clone())], "{book}");
        }
    }
}

#[test]
fn q_10_cases_nobody_confirms_are_closed_by_their_default_oldest_first() {
    use sicbo_rules::rulebook::words::Position;
    use sicbo_table::actor::{Actor, Staff};
    use sicbo_table::command::Ruling;
    use sicbo_table::ids::{PendingId, PersonId, RoundNumber, StationId};
    use sicbo_table::pending::{Pending, Question};
    use sicbo_table::{Act, Fact, MAX_OPEN_CASES};

    let mut run = crate::rules::script::check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        ",
    );
    let first = run.table.next_pending.0;
    for i in 0..MAX_OPEN_CASES as u64 {
        run.table.pending.push(Pending {
            id: PendingId(first + i),
            round: Some(RoundNumber(1)),
            question: Question::TerminalOpenCase {
                station: StationId(0),
            },
            rule: "mbs-etg 5.9".to_owned(),
            by: Position::ShiftManager,
            or_above: true,
            persons: 1,
        });
    }
    run.table.next_pending = PendingId(first + MAX_OPEN_CASES as u64);
    let station = StationId(0);
    run.give(Act::Disconnect { station }, Actor::House, None)
        .unwrap();
    let dealer = Actor::Staff(Staff {
        person: PersonId(1),
        position: Position::Dealer,
    });
    let events = run.give(Act::CloseBets, dealer, None).unwrap();
    let taken: Vec<u64> = events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::DecisionTaken {
                pending,
                ruling: Ruling::Accept,
                reason,
            } => {
                assert!(reason.contains("default"), "{reason}");
                Some(pending.0)
            }
            _ => None,
        })
        .collect();
    assert_eq!(taken, [first], "the oldest makes room for the new one");
    let raised = events.iter();
    let raised = raised.filter(|event| matches!(event.fact, Fact::DecisionRaised { .. }));
    assert_eq!(raised.count(), 1);
    assert_eq!(run.table.pending.len(), MAX_OPEN_CASES);
    run.table.check().unwrap();
}
