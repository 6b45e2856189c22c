//! Interruptions of the game and of terminals, and failing devices
//! (requirements A.10, A.11, Q-07 to ).

use sicbo_table::Fact;

use crate::script::{check, check_each};

const OF_THE_GAME: [(&str, &str); 3] = [
    ("rws-etg", "5.1.1 (Q-07)"),
    ("rws-open-cover", "5.1.1 (Q-07)"),
    ("mbs-etg", "5.8.2 (Q-07)"),
];

const NO_OUTCOME: [(&str, &str); 3] = [
    ("rws-etg", "5.1.2 (Q-07)"),
    ("rws-open-cover", "5.1.2 (Q-07)"),
    ("mbs-etg", "5.8.1 (Q-07)"),
];

#[test]
fn r_170_with_an_outcome_established_the_round_is_concluded() {
    check_each(
        &OF_THE_GAME,
        "
        table   BOOK second always
        station T1 LAYOUT
        credit  T1 100.00
        to-betting
        bet     T1 b1 big 10.00
        to-closed
        to-visible
        flat
        dice    1 1 1                    # keyed before the lights went out
        second  1 1 1 by device reader
        interrupt power cut              pending interrupted RULE
        waits   interrupted dealer 2
        dice    6 5 1                    refused decision_pending RULE
        confirm                          refused decision_pending RULE
        confirm-interruption in-place    refused second_person_needed
        confirm-interruption in-place by dealer Dan and dealer Dee        refused not_authorised
        confirm-interruption in-place by dealer Dan and pit-supervisor Sue
        waits   nothing
        confirm                          refused flat_first
        flat
        confirm                          refused dice_first    # read again from the dice
        dice    6 5 1
        confirm                          refused second_reading_needed
        second  6 5 1 by device reader
        confirm                          settled
        balance T1 110.00
        ",
    );
}

#[test]
fn r_171_with_no_outcome_established_the_round_is_void() {
    for state in ["", "close", "to-closed"] {
        check_each(
            &NO_OUTCOME,
            &format!(
                "
                table   BOOK
                station T1 LAYOUT
                credit  T1 100.00
                to-betting
                bet     T1 b1 big 10.00
                {state}
                interrupt power cut              pending interrupted RULE
                waits   interrupted dealer 1
                rule    interrupted conclude     refused ruling_does_not_fit   # no resuming
                confirm-interruption             by station T1   refused not_authorised
                confirm-interruption             void RULE
                balance T1 100.00
                last    no-result
                "
            ),
        );
    }
    // It follows from an interruption, never from a button.
    check_each(
        &NO_OUTCOME,
        "
        table   BOOK
        station T1 LAYOUT
        to-betting
        void    technical-interruption   refused cause_does_not_fit RULE
        ",
    );
}

#[test]
fn r_172_the_test_is_on_the_bets_that_are_offered_not_those_placed() {
    check_each(
        &OF_THE_GAME,
        "
        table   BOOK
        station T1 LAYOUT
        to-betting
        to-closed
        to-visible
        interrupt power cut              pending interrupted RULE
        confirm-interruption in-place by dealer Dan and pit-supervisor Sue
        to-result 6 5 1
        last    6 5 1
        ",
    );
}

#[test]
fn q_07_an_outcome_is_established_when_a_die_can_be_seen_after_the_close() {
    // Covered dice are not an outcome, though they have fallen.
    for (book, state) in [
        ("rws-etg", "tumble 3"),
        ("rws-etg", "tumble 3\n open"),
        ("rws-etg", "tumble 3\n open\n to-closed"),
        ("rws-etg", "open\n to-closed"),
        ("mbs-etg", "activate"),
        ("mbs-etg", "tumble 3\n open\n to-closed"),
        ("rws-open-cover", "open"),
        ("rws-open-cover", "open\n to-closed"),
        ("rws-open-cover", "open\n to-closed\n activate"),
    ] {
        let rule = NO_OUTCOME.iter().find(|(id, _)| *id == book).unwrap().1;
        check_each(
            &[(book, rule)],
            &format!(
                "table BOOK\n station T1 LAYOUT\n {state}\n interrupt cut pending interrupted RULE"
            ),
        );
    }
    check(
        "table rws-open-cover\n station T1 a\n open\n to-closed\n tumble 3\n interrupt cut pending interrupted rws-open-cover 5.1.1 (Q-07)",
    );
}

#[test]
fn q_08_a_void_cause_comes_before_the_interruption() {
    check(
        "
        table   rws-open-cover
        station T1 a
        open
        to-closed
        tumble  2
        interrupt power cut
        waits   nothing
        void    too-few-tumbles   void rws-open-cover 5.3.1 (Q-33)
        ",
    );
    check_each(
        &[
            ("rws-etg", "5.3.2"),
            ("rws-open-cover", "5.3.2"),
            ("mbs-etg", "5.3"),
        ],
        "
        table   BOOK
        station T1 LAYOUT
        to-betting
        to-closed
        to-visible
        interrupt power cut       pending interrupted
        void    die-not-flat      void RULE
        waits   nothing
        ",
    );
}

#[test]
fn q_09_all_terminals_down_is_not_an_interruption_of_the_game() {
    check_each(
        &OF_THE_GAME,
        "
        table   BOOK
        station T1 LAYOUT
        station T2 LAYOUT
        credit  T1 100.00
        to-betting
        bet     T1 b1 big 10.00
        disconnect T1
        disconnect T2
        close
        phase   closed
        to-visible
        to-result 6 5 1
        balance T1 110.00
        ",
    );
}

#[test]
fn r_173_a_failing_device_stops_play_until_the_head_of_operations_approves() {
    let run = check(
        "
        table   quang-nam-table
        station S1 a
        device-failure lights dead     pending device-failure quang-nam-table 7.1
        status  suspended
        said    DeviceFailed
        waits   device-failure head-of-operations 1
        open                           refused table_suspended
        resume  by pit-manager Pam     refused not_authorised quang-nam-table 7.1
        resume  by director Dora       refused not_authorised quang-nam-table 7.1
        rule    device-failure accept by director Dora   refused not_authorised
        resume  by head-of-operations Hoa
        status  open
        open
        ",
    );
    let informed = run.events.iter().any(|event| match &event.fact {
        Fact::DeviceFailed { inform, .. } => {
            *inform == Some(sicbo_rules::rulebook::words::Position::PitManager)
        }
        _ => false,
    });
    assert!(informed, "the pit manager is told at once");
    // A table that stands still already needs the approval no less.
    check(
        "
        table   quang-nam-table
        suspend lunch
        device-failure lights dead     pending device-failure
        device-failure lights dead
        waits   device-failure head-of-operations 1
        resume  by pit-supervisor Sue  refused not_authorised quang-nam-table 7.1
        close-table
        table   quang-nam-table        # opening again is no approval
        status  suspended
        open                           refused table_suspended
        rule    device-failure accept by head-of-operations Hoa
        open
        ",
    );
    // Elsewhere the book says nothing: reported, and play goes on.
    check_each(
        &[
            ("rws-etg", ""),
            ("rws-open-cover", ""),
            ("mbs-table", ""),
            ("mbs-etg", ""),
        ],
        "
        table   BOOK
        device-failure printer dead
        status  open
        waits   nothing
        ",
    );
}

#[test]
fn q_35_the_round_in_hand_is_finished_by_the_dice_then_play_stops() {
    check(
        "
        table   quang-nam-table
        station S1 a
        fund    S1 100.00
        to-betting
        bet     S1 b1 big 10.00
        close
        uncover
        flat
        dice    6 5 1
        confirm
        lights  off
        said    DeviceFailed
        status  open
        pay                   settled
        purse   S1 110.00
        status  suspended
        waits   device-failure head-of-operations 1
        open                  refused table_suspended
        ",
    );
    check(
        "
        table   quang-nam-table
        station S1 a
        fund    S1 100.00
        to-betting
        bet     S1 b1 big 10.00
        device-failure tumbler sensor
        bet     S1 b2 small 5.00   registered
        round   6 5 1
        status  suspended
        ",
    );
    // A server failure never voids by itself here, at any moment of the round.
    for state in ["", "to-closed", "to-closed\n to-visible"] {
        check(&format!(
            "
            table   quang-nam-table
            station S1 a
            fund    S1 100.00
            to-betting
            bet     S1 b1 big 10.00
            {state}
            interrupt power cut     pending interrupted quang-nam-table 7.1, 7.7 (Q-35)
            said    DeviceFailed
            waits   interrupted dealer 1
            confirm-interruption
            atrisk  S1 10.00
            rule-void flood by director Dora
            status  suspended
            waits   device-failure head-of-operations 1
            "
        ));
    }
    // Between rounds, and after a void, as well.
    check(
        "
        table   quang-nam-table
        interrupt power cut        pending device-failure quang-nam-table 7.1
        status  suspended
        ",
    );
    check(
        "
        table   quang-nam-table
        tumble  2
        interrupt power cut
        waits   nothing
        void    too-few-tumbles    void quang-nam-table 7.2 (Q-33)
        status  suspended
        ",
    );
}

#[test]
fn r_174_without_a_rule_on_interruptions_the_shift_manager_decides_by_analogy() {
    check(
        "
        table   mbs-table
        station S1 a
        fund    S1 100.00
        to-betting
        bet     S1 b1 big 10.00
        interrupt power cut                 pending interrupted mbs-table Q-36
        waits   interrupted shift-manager+ 1
        confirm-interruption                refused not_authorised
        confirm-interruption                by pit-manager Pam      refused not_authorised
        confirm-interruption                by shift-manager Sam    void mbs-table Q-36
        purse   S1 100.00
        to-betting
        bet     S1 b1 big 10.00
        to-closed
        to-visible
        interrupt power cut                 pending interrupted mbs-table Q-36
        waits   interrupted shift-manager+ 2
        confirm-interruption in-place       by shift-manager Sam    refused second_person_needed
        confirm-interruption in-place       by shift-manager Sam and pit-supervisor Sue
        to-result 6 5 1
        purse   S1 110.00
        ",
    );
}

#[test]
fn j_05_dice_that_were_moved_are_for_the_shift_manager() {
    for (ruling, outcome, balance) in [
        ("void-it", "void mbs-etg 6.1, 6.2", "100.00"),
        ("conclude", "registered\n to-result 6 5 1", "110.00"),
    ] {
        check(&format!(
            "
            table   mbs-etg
            station T1 rapid
            credit  T1 100.00
            to-betting
            bet     T1 b1 big 10.00
            to-closed
            to-visible
            interrupt power cut          pending interrupted mbs-etg 5.8.2 (Q-07)
            confirm-interruption moved by dealer Dan and pit-supervisor Sue   pending dice-not-in-place mbs-etg 6.1, 6.2
            waits   dice-not-in-place shift-manager+ 1
            flat                         refused decision_pending
            rule    dice-not-in-place {ruling} by shift-manager Sam   {outcome}
            balance T1 {balance}
            "
        ));
    }
}

#[test]
fn r_180_the_round_goes_on_when_terminals_fail() {
    check_each(
        &OF_THE_GAME,
        "
        table   BOOK
        station T1 LAYOUT
        station T2 LAYOUT
        credit  T1 100.00
        credit  T2 100.00
        to-betting
        bet     T1 b1 big 10.00
        disconnect T1
        phase   betting
        bet     T2 b1 big 10.00   registered
        to-closed
        phase   closed
        to-visible
        to-result 6 5 1
        balance T1 110.00
        balance T2 110.00
        ",
    );
}

#[test]
fn r_181_registered_bets_of_a_failed_terminal_are_settled() {
    check_each(
        &[("rws-etg", ""), ("rws-open-cover", "")],
        "
        table   BOOK
        station T1 LAYOUT
        credit  T1 100.00
        to-betting
        bet     T1 b1 small 10.00
        disconnect T1
        to-closed
        waits   nothing
        to-visible
        to-result 6 5 1
        balance T1 90.00
        ",
    );
}

#[test]
fn r_182_bets_of_a_failed_terminal_not_registered_are_returned() {
    check_each(
        &[
            ("rws-etg", "5.2.2 (Q-12)"),
            ("rws-open-cover", "5.2.2 (Q-12)"),
        ],
        "
        table   BOOK
        station T1 LAYOUT
        station T2 LAYOUT
        credit  T1 100.00
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
        station T1 rapid
        credit  T1 100.00
        to-betting
        bet     T1 b1 big 10.00
        to-closed
        disconnect T1
        to-visible
        to-result 6 5 1
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
        station T1 rapid
        credit  T1 100.00
        to-betting
        disconnect T1
        close
        phase   closed
        bet     T1 b1 big 10.00   refused station_fenced mbs-etg 5.9.2 (Q-10)
        to-visible
        to-result 6 5 1
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
            station T1 rapid
            station T2 rapid
            credit  T1 100.00
            to-betting
            bet     T1 b1 big 10.00
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
        station T1 rapid
        credit  T1 100.00
        to-betting
        bet     T1 b1 big 10.00
        close
        fence   T1
        void    dome-broken
        balance T1 100.00
        ",
    );
}

#[test]
fn q_11_any_technical_interruption_of_a_terminal_counts_alike() {
    for why in ["power cut", "network lost", "screen dead"] {
        check(&format!(
            "
            table   mbs-etg
            station T1 rapid
            to-betting
            interrupt {why}   pending interrupted mbs-etg 5.8.1 (Q-07)
            "
        ));
    }
}

#[test]
fn q_12_registered_means_on_record_before_the_close() {
    check_each(
        &[
            ("rws-etg", "3.5"),
            ("rws-open-cover", "3.5"),
            ("mbs-etg", "5.7"),
        ],
        "
        table   BOOK
        station T1 LAYOUT
        credit  T1 100.00
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
        station T1 a
        credit  T1 100.00
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
