//! Interruptions of the game and of terminals, and failing devices
//! (requirements A.10, A.11, Q-07 to ).

use sicbo_table::Fact;

use crate::rules::script::{ALL, check, check_each};

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
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
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
                station T1 LAYOUT 100.00
                to-betting T1 b1 big 10.00
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
        each    rws-etg 5.3.1 (Q-33) | rws-open-cover 5.3.1 (Q-33) | mbs-table 5.1 (Q-33)
        each    mbs-etg 5.1 (Q-33)
        table   BOOK
        station T1 LAYOUT
        to-tumble
        tumble  2
        interrupt power cut
        waits   nothing
        void    too-few-tumbles   void RULE
        ",
    );
    check(
        "
        each    rws-etg 5.3.2 | rws-open-cover 5.3.2 | mbs-etg 5.3
        table   BOOK
        station T1 LAYOUT
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
        said    NoticeRaised
        waits   device-failure head-of-operations 1
        open                           refused table_suspended
        acknowledge-notice 1 by pit-supervisor Sue   refused not_authorised
        acknowledge-notice 2 by pit-manager Pam      refused no_such_notice
        acknowledge-notice 1 by pit-manager Pam
        acknowledge-notice 1 by pit-manager Pam      refused already_done
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
    let read = run.table.notices[0].read.expect("acknowledged");
    assert!(read.1 >= run.table.notices[0].at_ms, "with its time");
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
}

#[test]
fn r_176_from_a_failure_in_mid_betting_nothing_goes_on_until_it_is_approved() {
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        device-failure tumbler sensor   pending device-failure quang-nam-table 7.1
        status  suspended
        said    NoticeRaised
        bet     S1 b2 small 5.00   refused decision_pending quang-nam-table 7.1
        close                      refused decision_pending quang-nam-table 7.1
        rule    device-failure accept by director Dora   refused not_authorised
        rule    device-failure accept by head-of-operations Hoa
        status  open
        bet     S1 b3 small 5.00   registered      # from where it stood
        round   6 5 1
        status  open
        purse   S1 105.00
        ",
    );
    // Listed voids can be declared meanwhile; the approval is needed all the same.
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        device-failure tumbler sensor   pending device-failure
        void    dice-exposed-early      void quang-nam-table 7.3 (Q-04)
        purse   S1 100.00
        status  suspended
        waits   device-failure head-of-operations 1
        open                            refused table_suspended
        resume  by head-of-operations Hoa
        open
        ",
    );
    // Or the director makes the round void (7.8).
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        device-failure tumbler sensor   pending device-failure
        rule-void cannot be repaired by pit-manager Pam   refused not_authorised
        rule-void cannot be repaired by director Dora     void quang-nam-table 7.8
        purse   S1 100.00
        status  suspended
        ",
    );
    // Dice that lie open are no exception for any other failure.
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        to-visible
        device-failure console dead     pending device-failure
        flat                            refused decision_pending quang-nam-table 7.1
        device-failure keys dead too    # 7.7 all the same
        to-result 6 5 1
        purse   S1 110.00
        status  suspended
        waits   device-failure head-of-operations 1
        ",
    );
}

#[test]
fn q_35_dice_that_lie_open_under_dark_areas_are_paid_then_play_stops() {
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        close
        uncover
        flat
        dice    6 5 1
        confirm
        lights  off
        said    DeviceFailed
        said    NoticeRaised
        status  open
        pay                   settled
        purse   S1 110.00
        status  suspended
        waits   device-failure head-of-operations 1
        open                  refused table_suspended
        ",
    );
    // Dead keys are dark areas too, once the dice lie open and only then.
    for part in ["keys", "lights"] {
        check(&format!(
            "
            table   quang-nam-table
            station S1 a 100.00
            to-betting S1 b1 big 10.00
            to-visible
            device-failure {part} dead
            waits   nothing
            to-result 6 5 1
            purse   S1 110.00
            status  suspended
            waits   device-failure head-of-operations 1
            "
        ));
        check(&format!(
            "
            table   quang-nam-table
            to-closed
            device-failure {part} dead   pending device-failure
            status  suspended
            uncover                      refused decision_pending quang-nam-table 7.1
            "
        ));
    }
    // The program failed before the dice could be seen: play stops where it
    // stands and goes on from there.
    for (before, after) in [("", "to-closed"), ("to-closed", "")] {
        check(&format!(
            "
            table   quang-nam-table
            station S1 a 100.00
            to-betting S1 b1 big 10.00
            {before}
            interrupt power cut     pending device-failure quang-nam-table 7.1
            said    DeviceFailed
            status  suspended
            waits   interrupted dealer 2 | device-failure head-of-operations 1
            confirm-interruption    refused second_person_needed
            confirm-interruption in-place by dealer Dan and pit-supervisor Sue
            close                   refused decision_pending quang-nam-table 7.1
            rule    device-failure accept by head-of-operations Hoa
            status  open
            {after}
            round   6 5 1
            purse   S1 110.00
            status  open
            "
        ));
    }
    // Once they lay open, the round is finished by them first.
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        to-visible
        interrupt power cut     pending interrupted quang-nam-table 7.1, 7.7 (Q-35)
        waits   interrupted dealer 2
        confirm-interruption in-place by dealer Dan and pit-supervisor Sue
        to-result 6 5 1
        purse   S1 110.00
        status  suspended
        waits   device-failure head-of-operations 1
        ",
    );
    // Between rounds, and in a round that is lost, as well.
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
        waits   device-failure head-of-operations 1
        void    too-few-tumbles    void quang-nam-table 7.2 (Q-33)
        status  suspended
        ",
    );
}

#[test]
fn r_177_dice_that_are_not_in_place_are_for_the_director() {
    for (ruling, outcome, purse) in [
        ("void-it", "void quang-nam-table 7.8", "100.00"),
        ("conclude", "registered\n to-result 6 5 1", "110.00"),
    ] {
        check(&format!(
            "
            table   quang-nam-table
            station S1 a 100.00
            to-betting S1 b1 big 10.00
            to-visible
            interrupt power cut          pending interrupted
            confirm-interruption moved   pending dice-not-in-place quang-nam-table 7.8
            waits   dice-not-in-place director+ 1
            flat                         refused decision_pending quang-nam-table 7.8
            dice    6 6 6                refused decision_pending quang-nam-table 7.8
            rule    dice-not-in-place {ruling} by pit-manager Pam   refused not_authorised
            rule    dice-not-in-place {ruling} by shift-manager Sam   refused not_authorised
            rule    dice-not-in-place {ruling} by director Dora   {outcome}
            purse   S1 {purse}
            status  suspended
            "
        ));
    }
    // Covered dice may have moved as well: before anything goes on, it is asked.
    check(
        "
        table   quang-nam-table
        to-closed
        interrupt power cut          pending device-failure
        rule    device-failure accept by head-of-operations Hoa
        uncover                      refused decision_pending
        confirm-interruption moved   pending dice-not-in-place quang-nam-table 7.8
        uncover                      refused decision_pending quang-nam-table 7.8
        rule    dice-not-in-place void-it by director Dora   void quang-nam-table 7.8
        ",
    );
}

#[test]
fn q_57_that_dice_have_moved_one_person_may_say_in_every_book() {
    check(
        "
        each    rws-etg 5.10 | rws-open-cover 5.10 | mbs-etg 6.1, 6.2 | quang-nam-table 7.8
        table   BOOK
        station T1 LAYOUT
        to-visible
        interrupt power cut          pending interrupted
        confirm-interruption moved   pending dice-not-in-place RULE
        flat                         refused decision_pending RULE
        ",
    );
    check(
        "
        table   mbs-table
        to-visible
        interrupt power cut          pending interrupted
        confirm-interruption moved by shift-manager Sam   pending dice-not-in-place mbs-table Q-36
        flat                         refused decision_pending mbs-table Q-36
        ",
    );
}

#[test]
fn r_175_a_technical_stop_holds_the_round_until_a_supervisor_answers() {
    // No outcome yet: void under the book's own number.
    for state in ["", "close", "to-closed"] {
        check_each(
            &NO_OUTCOME,
            &format!(
                "
                table   BOOK
                station T1 LAYOUT 100.00
                to-betting T1 b1 big 10.00
                {state}
                device-failure tumbler stuck   pending technical-stop RULE
                waits   technical-stop pit-supervisor+ 1
                bet     T1 b2 small 5.00       refused decision_pending RULE
                device-failure tumbler still stuck
                waits   technical-stop pit-supervisor+ 1      # one stop at a time
                rule    technical-stop conclude by pit-supervisor Sue   refused ruling_does_not_fit
                rule    technical-stop affected by pit-supervisor Sue   void RULE
                balance T1 100.00
                last    no-result
                waits   nothing
                "
            ),
        );
    }
    // Dice that could be seen: concluded, when they are in place.
    check_each(
        &OF_THE_GAME,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-visible
        flat
        device-failure console froze     pending technical-stop RULE
        dice    6 5 1                    refused decision_pending RULE
        rule    technical-stop affected by pit-supervisor Sue   pending interrupted RULE
        waits   interrupted dealer 2
        confirm-interruption in-place by dealer Dan and pit-supervisor Sue
        to-result 6 5 1
        balance T1 110.00
        ",
    );
    // Its continuation is not affected: play goes on, on record.
    check_each(
        &NO_OUTCOME,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        device-failure other a lamp      pending technical-stop RULE
        rule    technical-stop not-affected   refused not_authorised
        rule    technical-stop not-affected by pit-supervisor Sue
        bet     T1 b2 small 5.00
        round   6 5 1
        balance T1 105.00
        ",
    );
}

#[test]
fn r_175_between_rounds_a_technical_stop_holds_the_table_and_voids_nothing() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg | mbs-table
        table   BOOK
        station T1 LAYOUT
        round   6 5 1
        device-failure tumbler dead      pending technical-stop
        waits   technical-stop pit-supervisor+ 1
        open                             refused decision_pending
        activate                         refused decision_pending
        rule    technical-stop affected by pit-supervisor Sue   refused ruling_does_not_fit
        rule    technical-stop not-affected by pit-supervisor Sue
        last    6 5 1
        to-betting
        ",
    );
    // One raised in a round that is void for another cause still holds the table.
    check(
        "
        table   rws-etg
        station T1 a
        tumble  2
        device-failure tumbler dead      pending technical-stop
        void    too-few-tumbles          void rws-etg 5.3.1 (Q-33)
        waits   technical-stop pit-supervisor+ 1
        open                             refused decision_pending
        rule    technical-stop not-affected by pit-supervisor Sue
        open
        ",
    );
}

#[test]
fn q_56_the_device_itself_raises_the_same_question() {
    check_each(
        &NO_OUTCOME,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        device-failure tumbler motor by device tumbler   pending technical-stop RULE
        rule    technical-stop affected by pit-supervisor Sue   void RULE
        balance T1 100.00
        ",
    );
    check(
        "
        table   quang-nam-table
        to-betting
        device-failure tumbler motor by device tumbler   pending device-failure quang-nam-table 7.1
        status  suspended
        ",
    );
    // A note acceptor is one terminal's: the round continues.
    check(
        "
        table   rws-etg
        to-betting
        device-failure acceptor jam by device acceptor
        waits   nothing
        ",
    );
}

#[test]
fn q_36_a_technical_stop_at_mbs_table_is_decided_by_analogy() {
    check(
        "
        table   mbs-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        device-failure tumbler stuck        pending technical-stop mbs-table Q-36
        rule    technical-stop affected by pit-supervisor Sue   pending interrupted mbs-table Q-36
        waits   interrupted shift-manager+ 1
        confirm-interruption                by pit-supervisor Sue   refused not_authorised
        confirm-interruption                by shift-manager Sam    void mbs-table Q-36
        purse   S1 100.00
        to-betting S1 b1 big 10.00
        to-visible
        device-failure console froze        pending technical-stop mbs-table Q-36
        rule    technical-stop affected by pit-supervisor Sue   pending interrupted mbs-table Q-36
        confirm-interruption in-place       by shift-manager Sam and pit-supervisor Sue
        to-result 6 5 1
        purse   S1 110.00
        ",
    );
}

#[test]
fn j_03_two_failed_tumbles_in_ten_rounds_stop_the_table_at_quang_nam() {
    check(
        "
        table   quang-nam-table
        station S1 a
        tumble  2
        waits   nothing
        void    too-few-tumbles    void quang-nam-table 7.2 (Q-33)
        status  open
        round   6 5 1
        tumble  1
        said    NoticeRaised
        waits   device-failure head-of-operations 1
        status  suspended
        void    too-few-tumbles    void quang-nam-table 7.2 (Q-33)
        status  suspended
        open                       refused table_suspended
        resume  by head-of-operations Hoa
        tumble  2                  # the count begins anew once it is approved
        waits   nothing
        void    too-few-tumbles
        status  open
        ",
    );
    // The second in the eleventh round after is one of another ten.
    let apart = "to-betting\nround 6 5 1\n".repeat(9);
    check(&format!(
        "
        table   quang-nam-table
        station S1 a
        tumble  2
        void    too-few-tumbles
        {apart}
        tumble  2
        waits   nothing
        "
    ));
    // Elsewhere the book knows no such stop.
    check(
        "
        table   rws-etg
        station T1 a
        tumble  2
        void    too-few-tumbles
        tumble  2
        waits   nothing
        status  open
        ",
    );
}

#[test]
fn q_33_a_tumbler_on_the_line_counts_and_the_dealer_does_not() {
    check(
        "
        table   rws-etg
        station T1 a
        bind-tumbler line 1500
        activate by device tumbler
        tumbled 3                        refused counted_by_line rws-etg 3.6
        count   by-hand by pit-supervisor Sue and dealer Dan   refused round_in_hand
        tumbled 3 by device tumbler
        open
        round   6 5 1
        count   by-hand                  refused second_person_needed
        count   by-hand by dealer Dan and dealer Dee   refused not_authorised
        count   by-hand by pit-supervisor Sue and dealer Dan
        count   by-hand by pit-supervisor Sue and dealer Dan   refused already_done
        bind-tumbler line 1600           # a restart does not switch it back
        activate
        tumbled 3                        refused counted_too_soon rws-etg 3.6   # a second later
        tumbled 3
        open
        round   6 5 1
        count   by-line by pit-supervisor Sue and dealer Dan
        activate
        tumbled 3                        refused counted_by_line rws-etg 3.6
        ",
    );
    check(
        "
        table   rws-etg
        count   by-hand by pit-supervisor Sue and dealer Dan   refused no_tumbler_line
        ",
    );
    let counted = [
        ("rws-etg", "3.6"),
        ("rws-open-cover", "3.6"),
        ("mbs-table", "3.6"),
        ("mbs-etg", "3.1"),
        ("quang-nam-table", "7.2"),
    ];
    check_each(
        &counted,
        "
        table   BOOK
        station T1 LAYOUT
        bind-tumbler line 1500
        to-tumble
        activate by device tumbler
        tumbled 3                        refused counted_by_line RULE
        ",
    );
    check_each(
        &counted,
        "
        table   BOOK
        station T1 LAYOUT
        bind-tumbler hand 1500
        to-tumble
        activate
        tumbled 3                        refused counted_too_soon RULE
        tumbled 3
        ",
    );
}

#[test]
fn r_200_what_no_rule_covers_is_held_and_ruled_between_rounds_too() {
    for (book, rule, who) in [
        ("rws-etg", "5.10", "shift-manager Sam"),
        ("rws-open-cover", "5.10", "shift-manager Sam"),
        ("mbs-etg", "6.1, 6.2", "shift-manager Sam"),
        ("mbs-table", "Q-36", "shift-manager Sam"),
        ("quang-nam-table", "7.8", "director Dora"),
    ] {
        for (verb, key) in [
            ("hold", "uncovered"),
            ("hold-for-meaning", "interpretation"),
        ] {
            check_each(
                &[(book, rule)],
                &format!(
                    "
                    table   BOOK
                    station T1 LAYOUT
                    round   6 5 1
                    {verb} a cat sits on the tumbler    pending {key} RULE
                    {verb} a second cat                 refused already_done
                    open                                refused decision_pending
                    activate                            refused decision_pending
                    rule    {key} void-it by {who}      refused no_round
                    rule    {key} conclude by pit-manager Pam   refused not_authorised
                    rule    {key} conclude by {who}
                    to-betting
                    {verb} what flat means              pending {key} RULE
                    close                               refused decision_pending RULE
                    rule    {key} void-it by {who}      void RULE
                    "
                ),
            );
        }
    }
}

#[test]
fn r_174_without_a_rule_on_interruptions_the_shift_manager_decides_by_analogy() {
    check(
        "
        table   mbs-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        interrupt power cut                 pending interrupted mbs-table Q-36
        waits   interrupted shift-manager+ 1
        confirm-interruption                refused not_authorised
        confirm-interruption                by pit-manager Pam      refused not_authorised
        confirm-interruption                by shift-manager Sam    void mbs-table Q-36
        purse   S1 100.00
        to-betting S1 b1 big 10.00
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
            station T1 rapid 100.00
            to-betting T1 b1 big 10.00
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
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
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
    // With no outcome the round is void, whether the house went dark or a
    // device of the game stopped.
    let dark = "interrupt power cut   pending interrupted mbs-etg 5.8.1 (Q-07)\n \
                confirm-interruption   void mbs-etg 5.8.1 (Q-07)";
    let stopped = "device-failure network lost   pending technical-stop mbs-etg 5.8.1 (Q-07)\n \
                   rule technical-stop affected by pit-supervisor Sue   void mbs-etg 5.8.1 (Q-07)";
    for how in [dark, stopped] {
        check(&format!(
            "
            table   mbs-etg
            station T1 rapid 100.00
            to-betting
            bet     T1 b1 big 10.00   registered
            {how}
            balance T1 100.00
            last    no-result
            "
        ));
    }
}

#[test]
fn r_173_a_stopped_table_says_under_which_rule_it_waits() {
    check(
        "
        table   quang-nam-table
        station S1 a
        device-failure the console is dark
        open                                     refused table_suspended quang-nam-table 7.1
        ",
    );
    check(
        "
        each    rws-etg 5.10 | rws-open-cover 5.10 | quang-nam-table 7.8
        table   BOOK
        station T1 LAYOUT
        hold    something new
        open                                     refused decision_pending RULE
        ",
    );
}

#[test]
fn p_020_a_tumbler_that_runs_while_play_is_held_is_on_record_and_begins_no_round() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT
        hold    something new
        activate                                 refused decision_pending
        activate by device tumbler
        said    IncidentRaised
        activate by device tumbler               refused already_done
        rounds  0
        rule    uncovered conclude by director Dora
        hold    something else
        activate by device tumbler               # another hold, another incident
        said    IncidentRaised
        activate by device tumbler               refused already_done
        ",
    );
    // Stopped by a failure it is the same.
    check(
        "
        table   quang-nam-table
        station S1 a
        device-failure tumbler motor             pending device-failure quang-nam-table 7.1
        activate by device tumbler
        said    IncidentRaised
        activate by device tumbler               refused already_done
        ",
    );
    // A start that was on record before the hold is not said twice.
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT
        to-tumble
        activate
        hold    something new
        activate by device tumbler               refused already_done
        ",
    );
    // In a round somebody decides what lies in the tumbler now.
    check(
        "
        each    rws-etg | mbs-table | mbs-etg | quang-nam-table
        table   BOOK
        station T1 LAYOUT
        to-closed
        hold-for-meaning what a rule means
        activate by device tumbler               pending uncovered
        said    IncidentRaised
        activate by device tumbler               refused already_done
        rule    uncovered conclude by director Dora
        activate by device tumbler               pending uncovered   # it ran once more
        ",
    );
    // Before the close it is a cause of its own (5.3.3).
    check(
        "
        table   rws-open-cover
        station T1 a
        to-betting
        hold    something new
        activate by device tumbler
        said    IncidentRaised
        activate by device tumbler               refused already_done
        void    tumbler-activated-early          void rws-open-cover 5.3.3
        ",
    );
}
