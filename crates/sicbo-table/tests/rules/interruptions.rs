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
fn j_05_dice_that_were_moved_are_keyed_again_when_a_ruling_concludes() {
    check(
        "
        table   mbs-etg
        station T1 rapid
        credit  T1 100.00
        to-betting
        bet     T1 b1 big 10.00
        to-closed
        to-visible
        flat
        dice    1 1 2
        interrupt power cut          pending interrupted mbs-etg 5.8.2 (Q-07)
        confirm-interruption moved by dealer Dan and pit-supervisor Sue
        rule    dice-not-in-place conclude by shift-manager Sam   registered
        confirm                      refused flat_first
        flat
        confirm                      refused dice_first
        dice    6 5 1
        confirm
        balance T1 110.00
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
