//! Void rounds (requirements A.9, Q-08, Q-15, Q-17, Q-18, Q-21, Q-34).

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{Cause, Word as _};
use sicbo_table::Fact;
use sicbo_table::event::VoidBasis;

use crate::rules::script::{ALL, check, check_each};

/// Every cause of every book with its rule, from the documents.
const LISTED: [(&str, &str, &str); 28] = [
    ("rws-etg", "too-few-tumbles", "5.3.1 (Q-33)"),
    ("rws-etg", "die-not-flat", "5.3.2"),
    ("rws-etg", "dice-exposed-early", "5.3.3"),
    ("rws-etg", "dice-damaged", "5.4 (Q-15)"),
    ("rws-etg", "technical-interruption", "5.1.2 (Q-07)"),
    ("rws-open-cover", "too-few-tumbles", "5.3.1 (Q-33)"),
    ("rws-open-cover", "die-not-flat", "5.3.2"),
    ("rws-open-cover", "tumbler-activated-early", "5.3.3"),
    ("rws-open-cover", "dice-damaged", "5.4 (Q-15)"),
    ("rws-open-cover", "technical-interruption", "5.1.2 (Q-07)"),
    ("mbs-table", "too-few-tumbles", "5.1 (Q-33)"),
    ("mbs-table", "dice-exposed-early", "5.2"),
    ("mbs-table", "die-not-flat", "5.3"),
    ("mbs-table", "dice-damaged", "5.4 (Q-15)"),
    ("mbs-table", "dome-broken", "5.5"),
    ("mbs-table", "dice-broken", "5.5"),
    ("mbs-etg", "too-few-tumbles", "5.1 (Q-33)"),
    ("mbs-etg", "dice-exposed-early", "5.2"),
    ("mbs-etg", "die-not-flat", "5.3"),
    ("mbs-etg", "dice-damaged", "5.4 (Q-15)"),
    ("mbs-etg", "dome-broken", "5.5"),
    ("mbs-etg", "dice-broken", "5.5"),
    ("mbs-etg", "technical-interruption", "5.8.1 (Q-07)"),
    ("quang-nam-table", "too-few-tumbles", "7.2 (Q-33)"),
    ("quang-nam-table", "dice-exposed-early", "7.3 (Q-04)"),
    ("quang-nam-table", "die-not-flat", "7.4"),
    ("quang-nam-table", "dice-damaged", "7.5 (Q-15)"),
    ("quang-nam-table", "dome-broken", "7.6 (Q-46)"),
];

/// The rows of one cause.
fn of(cause: &str) -> Vec<(&'static str, &'static str)> {
    let rows = LISTED.iter().filter(|(_, listed, _)| *listed == cause);
    rows.map(|(book, _, rule)| (*book, *rule)).collect()
}

#[test]
fn q_34_each_book_has_its_own_causes_and_no_other() {
    for book in RuleBook::all() {
        for cause in Cause::all() {
            let listed = LISTED
                .iter()
                .any(|(id, key, _)| *id == book.id() && *key == cause.key());
            assert_eq!(
                listed,
                book.void_cause(*cause).is_some(),
                "{} {cause}",
                book.id()
            );
            if !listed {
                // Whatever the state of the round: the book does not list it.
                for state in ["", "to-closed", "to-closed\n to-visible"] {
                    check_each(
                        &[(book.id(), "")],
                        &format!(
                            "table BOOK\n station T1 LAYOUT\n to-betting\n {state}\n void {cause} refused cause_not_in_book -"
                        ),
                    );
                }
            }
        }
    }
}

#[test]
fn r_150_fewer_than_three_tumbles_void_the_round() {
    for count in 0..3 {
        check_each(
            &of("too-few-tumbles"),
            &format!(
                "
                table   BOOK
                station T1 LAYOUT 100.00
                to-tumble
                activate
                void    too-few-tumbles   refused cause_does_not_fit RULE
                tumbled {count}
                void    too-few-tumbles   void RULE
                last    no-result
                "
            ),
        );
    }
    // With bets on the layout, where the book tumbles with bets open or closed.
    check(
        "
        each    rws-etg 5.3.1 (Q-33) | mbs-table 5.1 (Q-33) | quang-nam-table 7.2 (Q-33)
        table   BOOK
        station T1 LAYOUT 100.00
        open
        bet     T1 b1 big 10.00
        tumble  2
        bet     T1 b2 big 10.00   refused only_void_possible RULE
        close                     refused only_void_possible RULE
        void    too-few-tumbles   void RULE
        purse   T1 100.00
        ",
    );
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT
        to-visible
        void    too-few-tumbles   refused second_person_needed
        ",
    );
}

#[test]
fn r_163_a_cause_found_later_in_the_round_is_its_own_with_a_supervisor() {
    // Miscounted, and found when the dice can be seen and were keyed.
    check_each(
        &of("too-few-tumbles"),
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-visible
        flat
        dice    6 5 1
        void    too-few-tumbles   refused second_person_needed
        void    too-few-tumbles by dealer Dan and dealer Dot   refused not_authorised
        void    too-few-tumbles by dealer Dan and pit-supervisor Sue   void RULE
        purse   T1 100.00
        last    no-result
        to-betting              # the dice are not to blame
        ",
    );
    // Exposed before the close, and said once they are uncovered.
    check_each(
        &of("dice-exposed-early"),
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-visible
        flat
        void    dice-exposed-early   refused second_person_needed
        void    dice-exposed-early by pit-supervisor Sue and dealer Dan   void RULE
        purse   T1 100.00
        to-betting
        ",
    );
    // What dome and dice are like, once the outcome can be seen too.
    for cause in ["dome-broken", "dice-broken", "dice-damaged"] {
        let script = "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-visible
        void    CAUSE   refused second_person_needed
        void    CAUSE by dealer Dan and pit-supervisor Sue   void RULE
        purse   T1 100.00
        last    no-result
        ";
        check_each(&of(cause), &script.replace("CAUSE", cause));
    }
    // Seen to lie flat, and found otherwise.
    check_each(
        &of("die-not-flat"),
        "
        table   BOOK
        station T1 LAYOUT
        to-visible
        flat
        void    die-not-flat   refused second_person_needed
        void    die-not-flat by dealer Dan and pit-supervisor Sue   void RULE
        ",
    );
}

#[test]
fn q_55_a_cause_found_after_settlement_is_recorded_as_what_it_is() {
    let first = "
        table    BOOK
        station  T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round    6 5 1
        purse    T1 110.00
        ";
    let by = "by director Dora and pit-supervisor Sue";
    // 001, 002, 004: the cause's own rule.
    check_each(
        &[
            ("mbs-table", "5.1 (Q-33)"),
            ("mbs-etg", "5.1 (Q-33)"),
            ("quang-nam-table", "7.2 (Q-33)"),
        ],
        &format!(
            "{first}
            void-rounds 1 for too-few-tumbles by pit-supervisor Sue and dealer Dan   refused not_authorised
            void-rounds 1 for too-few-tumbles {by}   void RULE
            recoverable T1 10.00
            to-betting
            "
        ),
    );
    // 000, 003: 5.3 lets previous rounds stand; it is ruled on under 5.10.
    check_each(
        &[("rws-etg", "5.10"), ("rws-open-cover", "5.10")],
        &format!(
            "{first}
            void-rounds 1 for too-few-tumbles {by}   void RULE
            recoverable T1 10.00
            to-betting
            "
        ),
    );
    // What no rule lists, such as dice tumbled a second time.
    check_each(
        &[
            ("rws-etg", "5.10"),
            ("mbs-etg", "6.1, 6.2"),
            ("quang-nam-table", "7.8"),
        ],
        &format!("{first} void-rounds 1 for no-cause {by}   void RULE\n to-betting"),
    );
    let runner = check(
        &format!("{first} void-rounds 1 for too-few-tumbles {by}")
            .replace("BOOK", "rws-etg")
            .replace("LAYOUT", "a"),
    );
    let record = runner.table.last_record.as_deref().expect("a round");
    let why = record.void.as_ref().expect("void");
    assert_eq!(why.cause, Some(Cause::TooFewTumbles));
    assert_eq!(why.ground.as_deref(), Some("rws-etg 5.3.1 (Q-33)"));
    assert!(!runner.table.dice_condemned);
}

#[test]
fn r_151_a_die_that_does_not_lie_flat_voids_the_round() {
    check_each(
        &of("die-not-flat"),
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        void    die-not-flat   refused cause_does_not_fit RULE
        to-closed
        void    die-not-flat   refused cause_does_not_fit RULE
        to-visible
        void    die-not-flat   void RULE
        purse   T1 100.00
        last    no-result
        ",
    );
    // Once confirmed and lit, it takes a supervisor to say otherwise.
    check(
        "
        table   quang-nam-table
        to-visible
        flat
        dice    1 2 3
        confirm
        void    die-not-flat   refused second_person_needed
        void    die-not-flat by dealer Dan and pit-supervisor Sue   void quang-nam-table 7.4
        ",
    );
}

#[test]
fn r_152_concealed_dice_seen_before_the_display_void_the_round() {
    check(
        "
        table   rws-etg
        station T1 a 100.00
        tumble  3
        open
        bet     T1 b1 big 10.00
        close
        void    dice-exposed-early   void rws-etg 5.3.3   # closing: not yet shown
        balance T1 100.00
        ",
    );
}

#[test]
fn r_153_a_cover_that_the_line_reports_open_too_early_leaves_only_the_void() {
    check_each(
        &of("dice-exposed-early"),
        "
        table   BOOK
        station T1 LAYOUT 100.00
        cover   open by dealer Dan              refused not_your_station
        to-betting T1 b1 big 10.00
        cover   open by device tumbler
        said    CoverReported
        cover   open by device tumbler          again
        bet     T1 b2 big 10.00                 refused only_void_possible RULE
        close                                   refused only_void_possible RULE
        cover   closed by device tumbler        # it was seen all the same
        close                                   refused only_void_possible RULE
        void    dice-exposed-early              void RULE
        purse   T1 100.00
        to-betting                              # the next round is not to blame
        bet     T1 b3 big 10.00
        to-closed
        purse   T1 90.00
        ",
    );
    // An open cover is no secret: nothing is said of it.
    check(
        "
        table   rws-open-cover
        station T1 a
        cover   open by device tumbler          again
        to-betting
        cover   open by device tumbler          again
        to-closed
        ",
    );
    // Dice of an earlier round under an open cover are nobody's secret; once
    // they are tumbled they are.
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        cover   open by device tumbler
        open
        bet     S1 b1 big 10.00
        activate
        bet     S1 b2 big 10.00                 refused only_void_possible quang-nam-table 7.3 (Q-04)
        void    dice-exposed-early              void quang-nam-table 7.3 (Q-04)
        ",
    );
    // A line that two persons have given up says nothing of the next rounds.
    check(
        "
        table   rws-etg
        station T1 a
        bind-tumbler line 1
        cover   open by device tumbler
        count   by-hand by pit-supervisor Sue and dealer Dan
        cover   open by device tumbler          again
        to-closed
        ",
    );
}

#[test]
fn r_153_an_open_cover_counts_while_the_device_that_reported_it_is_there() {
    // Each device speaks for itself; the house says when one is gone.
    check_each(
        &of("dice-exposed-early"),
        "
        table   BOOK
        station T1 LAYOUT 100.00
        cover   open by house                   refused not_your_station
        cover   open by device reader
        cover   open by device tumbler
        cover   closed by device tumbler        # the reader still sees it open
        activate
        void    dice-exposed-early              void RULE
        cover   closed by house
        cover   closed by house                 again
        to-betting T1 b1 big 10.00
        to-closed
        purse   T1 90.00
        ",
    );
    // A table that opens anew believes no report of the day before.
    check_each(
        &of("dice-exposed-early"),
        "
        table   BOOK
        station T1 LAYOUT
        cover   open by device reader
        suspend for the night
        close-table
        table   BOOK
        to-closed
        ",
    );
    // Hand counts give up the tumbler's word, not the reader's.
    check(
        "
        table   rws-etg
        station T1 a
        bind-tumbler line 1
        cover   open by device tumbler
        cover   open by device reader
        count   by-hand by pit-supervisor Sue and dealer Dan
        cover   closed by device tumbler        again
        tumble  3
        open                                    refused only_void_possible rws-etg 5.3.3
        ",
    );
}

#[test]
fn r_153_dice_seen_before_no_more_bets_void_the_round() {
    check_each(
        &of("dice-exposed-early"),
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        void    dice-exposed-early   void RULE
        purse   T1 100.00
        ",
    );
    // It may still be said after the close, while the dice are covered; once
    // everyone rightly sees them, with a supervisor.
    check_each(
        &of("dice-exposed-early"),
        "
        table   BOOK
        station T1 LAYOUT
        to-closed
        void    dice-exposed-early   void RULE
        to-visible
        void    dice-exposed-early   refused second_person_needed
        void    dice-exposed-early by dealer Dan and pit-supervisor Sue   void RULE
        ",
    );
}

#[test]
fn r_154_a_tumbler_activated_before_the_display_voids_the_round() {
    for moment in ["open", "open\n close"] {
        check(&format!(
            "
            table    rws-open-cover
            station  T1 a 100.00
            {moment}
            bet      T1 b1 big 10.00   # closing: not yet acknowledged
            activate by device tumbler
            bet      T1 b2 big 10.00   refused only_void_possible rws-open-cover 5.3.3
            tumbled  4 by device tumbler
            flat                       refused only_void_possible rws-open-cover 5.3.3
            void     die-not-flat      refused cause_does_not_fit rws-open-cover 5.3.2
            void     tumbler-activated-early   void rws-open-cover 5.3.3
            balance  T1 100.00
            "
        ));
    }
    // Also between rounds: it leaves a void round.
    check(
        "
        table    rws-open-cover
        activate by device tumbler
        tumbled  2 by device tumbler
        open     refused only_void_possible rws-open-cover 5.3.3   # what was seen first
        void     tumbler-activated-early   void rws-open-cover 5.3.3
        rounds   1
        ",
    );
    // A machine without a sensor: the dealer says so, until it rightly ran.
    check(
        "
        table    rws-open-cover
        open
        void     tumbler-activated-early   void rws-open-cover 5.3.3
        open
        to-closed
        tumble   3
        void     tumbler-activated-early   refused second_person_needed
        void     tumbler-activated-early by dealer Dan and pit-supervisor Sue   void rws-open-cover 5.3.3
        ",
    );
}

#[test]
fn r_155_a_void_of_the_current_round_leaves_earlier_rounds_as_they_are() {
    check_each(
        &of("die-not-flat"),
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round   6 5 1
        purse   T1 110.00
        to-betting T1 b1 big 50.00
        to-visible
        void    die-not-flat   void RULE
        purse   T1 110.00
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan   refused not_authorised
        correct 1 6 5 1 by director Dora and pit-supervisor Sue   refused result_unchanged
        ",
    );
}

#[test]
fn r_157_damaged_dice_void_the_round_in_hand() {
    for state in [
        "",
        "to-closed",
        "to-closed\n to-visible",
        "to-closed\n to-visible\n flat\n dice 1 2 3",
    ] {
        check_each(
            &of("dice-damaged"),
            &format!(
                "
                table   BOOK
                station T1 LAYOUT 100.00
                to-betting T1 b1 big 10.00
                {state}
                void    dice-damaged by dealer Dan and pit-supervisor Sue   void RULE
                purse   T1 100.00
                "
            ),
        );
    }
    // One person where no dice can be seen; with a supervisor once they can.
    check_each(
        &of("dice-damaged"),
        "
        table   BOOK
        station T1 LAYOUT
        to-visible
        void    dice-damaged   refused second_person_needed
        ",
    );
    // They play no further round.
    check_each(
        &of("dice-damaged"),
        "
        table    BOOK
        station  T1 LAYOUT
        to-betting
        void     dice-damaged   void RULE
        open                    refused dice_change_needed
        activate                refused dice_change_needed
        dice-set set-1  by pit-supervisor Sue and dealer Dan   refused dice_change_needed
        close-table             refused last_round_not_announced
        suspend
        close-table
        table    BOOK           # the same dice are condemned still
        open                    refused dice_change_needed
        dice-set set-2  by pit-supervisor Sue and dealer Dan
        dice-set set-1  by pit-supervisor Sue and dealer Dan   refused dice_change_needed
        sound    set-2 measured by pit-supervisor Sue and dealer Dan   refused nothing_to_inspect
        sound    set-1 measured by pit-supervisor Sue and dealer Dan
        dice-set set-1  by pit-supervisor Sue and dealer Dan
        to-betting
        ",
    );
}

#[test]
fn r_158_a_broken_dome_or_broken_dice_void_the_round() {
    for cause in ["dome-broken", "dice-broken"] {
        for state in ["", "to-closed", "to-closed\n to-visible"] {
            check_each(
                &of(cause),
                &format!(
                    "
                    table   BOOK
                    station T1 LAYOUT 100.00
                    to-betting T1 b1 big 10.00
                    {state}
                    void    {cause} by dealer Dan and pit-supervisor Sue   void RULE
                    purse   T1 100.00
                    "
                ),
            );
        }
    }
    check("table mbs-etg\n to-betting\n void dice-broken\n activate refused dice_change_needed");
    check("table mbs-etg\n to-betting\n void dome-broken\n activate");
}

#[test]
fn r_159_all_bets_of_a_void_round_are_returned() {
    check(
        "
        each    rws-etg 5.3.2 | rws-open-cover 5.3.2
        table   BOOK
        station T1 a 100.00
        station T2 c 50.00
        station T3 b
        to-betting T1 b1 big 10.00 total:9 20.00
        bet     T2 b1 small 50.00
        to-visible
        void    die-not-flat   void RULE
        balance T1 100.00
        balance T2 50.00
        balance T3 0
        atrisk  T1 0
        house   0
        meter   T1 void-returned 30.00
        meter   T1 returned 0
        ",
    );
}

#[test]
fn q_18_bets_are_returned_where_the_book_says_only_void() {
    check(
        "
        each    mbs-table 5.4 (Q-15) | mbs-etg 5.4 (Q-15) | quang-nam-table 7.5 (Q-15)
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00 total:9 20.00
        purse   T1 70.00
        to-visible
        void    dice-damaged by dealer Dan and pit-supervisor Sue   void RULE
        purse   T1 100.00
        house   0
        ",
    );
    check(
        "
        table   mbs-table chip 1
        seat    S1 a
        colour  S1 red 2.00
        colours S1 bought 40.00
        chips   brought 100.00
        open
        tumble  3
        bet     S1 b1 big 10.00 colour
        bet     S1 b2 big 15.00
        balance S1 30.00
        account chips-outstanding 85.00
        void    dome-broken   void mbs-table 5.5
        balance S1 40.00
        account chips-outstanding 100.00
        house   0
        ",
    );
}

#[test]
fn r_160_a_void_is_never_a_second_tumble_and_carries_no_bets() {
    check_each(
        &of("too-few-tumbles"),
        "
        table    BOOK
        station  T1 LAYOUT 100.00
        to-tumble
        tumble   2
        activate                  refused only_void_possible RULE
        activate by device tumbler  refused only_void_possible RULE
        void     too-few-tumbles   void RULE
        rounds   1
        to-betting
        rounds   2
        atrisk   T1 0
        exposure 0
        ",
    );
}

#[test]
fn r_020_a_void_round_has_no_result() {
    let run = check(
        "
        table   mbs-etg
        station T1 rapid
        to-visible
        flat
        dice    6 6 6
        void    dice-damaged by dealer Dan and pit-supervisor Sue   void mbs-etg 5.4 (Q-15)
        last    no-result
        phase   idle
        correct 1 6 6 6 by pit-supervisor Sue and dealer Dan   refused round_is_void
        ",
    );
    assert!(run.table.last_record.as_ref().unwrap().stations.is_empty());
}

#[test]
fn r_161_a_void_round_never_counts_as_a_result() {
    let run = check(
        "
        table   rws-etg
        station T1 a 100.00
        to-betting T1 b1 big 10.00
        to-visible
        flat
        dice    6 6 5
        void    die-not-flat by dealer Dan and pit-supervisor Sue   void rws-etg 5.3.2
        ",
    );
    let results = run.events.iter().filter(|event| {
        matches!(
            event.fact,
            Fact::RoundSettled { .. } | Fact::ResultConfirmed { .. }
        )
    });
    assert_eq!(results.count(), 0);
    let meters = &run.table.stations[0].meters;
    assert_eq!((meters.rounds, meters.voids), (0, 1));
}

#[test]
fn r_162_every_void_is_recorded_with_its_cause_and_rule() {
    let run = check(
        "
        table   mbs-etg
        to-betting
        void    dome-broken
        to-betting
        rule-void the dealer fainted by shift-manager Sam
        ",
    );
    let voids: Vec<(&VoidBasis, &str)> = run
        .events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::RoundVoided { basis, rule, .. } => Some((basis, rule.as_str())),
            _ => None,
        })
        .collect();
    let listed = VoidBasis::Listed(Cause::DomeBroken);
    let ruling = VoidBasis::Ruling("the dealer fainted".to_owned());
    assert_eq!(
        voids,
        [(&listed, "mbs-etg 5.5"), (&ruling, "mbs-etg 6.1, 6.2")]
    );
}
