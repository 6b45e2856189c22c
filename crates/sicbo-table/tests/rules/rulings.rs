//! What no rule covers, and voids that reach back.

use sicbo_table::pending::Question;
use sicbo_table::{Fact, codec};

use crate::rules::script::{ALL, check, check_each};

#[test]
fn q_34_a_tumbler_that_runs_out_of_order_where_no_rule_says_so_is_decided() {
    check(
        "
        table    mbs-table
        station  S1 a
        activate by device tumbler
        tumbled  3 by device tumbler
        activate by device tumbler   pending uncovered mbs-table Q-36
        waits    uncovered shift-manager+ 1
        rule     uncovered void-it by shift-manager Sam   void mbs-table Q-36
        ",
    );
    // No round is tumbled twice; a machine that did it leaves a decision.
    check(
        "
        each    rws-etg 5.10 | mbs-etg 6.1, 6.2 | quang-nam-table 7.8
        table    BOOK
        station  T1 LAYOUT
        to-betting
        activate                     refused already_done
        activate by device tumbler   pending uncovered RULE
        close                        refused decision_pending RULE
        rule     uncovered void-it by director Dora   void RULE
        ",
    );
}

#[test]
fn q_21_a_broken_dome_is_ruled_on_where_the_book_does_not_list_it() {
    check(
        "
        each    rws-etg 5.10 | rws-open-cover 5.10
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        void    dome-broken    refused cause_not_in_book
        hold    the dome broke   pending uncovered RULE
        waits   uncovered shift-manager+ 1
        bet     T1 b2 big 10.00   refused decision_pending RULE
        rule    uncovered void-it by pit-manager Pam    refused not_authorised
        rule    uncovered void-it by shift-manager Sam  void RULE
        balance T1 100.00
        ",
    );
    check(
        "
        each    rws-etg 5.10 | rws-open-cover 5.10
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-visible
        hold    the dome broke   pending uncovered RULE
        flat                     refused decision_pending RULE
        rule    uncovered accept by shift-manager Sam     refused ruling_does_not_fit
        rule    uncovered conclude by director Dora       registered
        to-result 6 5 1
        balance T1 110.00
        ",
    );
}

#[test]
fn q_36_a_ruling_may_void_where_no_cause_is_listed() {
    check(
        "
        each    rws-etg 5.10 | rws-open-cover 5.10 | mbs-table Q-36 | mbs-etg 6.1, 6.2
        each    quang-nam-table 7.8
        table     BOOK
        station   T1 LAYOUT 100.00
        rule-void flood by director Dora        refused no_round
        to-betting T1 b1 big 10.00
        rule-void flood                         refused not_authorised
        rule-void \"\" by director Dora         refused reason_needed
        rule-void flood by director Dora        void RULE
        purse     T1 100.00
        ",
    );
}

#[test]
fn r_156_damaged_dice_void_all_affected_rounds_where_the_book_reaches_back() {
    check(
        "
        each    rws-etg 5.4 (Q-15) | rws-open-cover 5.4 (Q-15)
        table    BOOK
        station  T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round   6 5 1
        to-betting T1 b1 big 10.00
        round   1 1 2
        to-betting T1 b1 small 10.00
        balance  T1 90.00
        damage   a chip   void RULE    # the round in hand too
        balance  T1 100.00
        waits    affected-rounds shift-manager+ 2
        open     refused dice_change_needed
        activate refused dice_change_needed
        void-rounds 1 2 answering it by shift-manager Sam and pit-supervisor Sue   void RULE
        balance  T1 110.00      # round 2: the lost 10 came back
        recoverable T1 10.00    # round 1: won 10
        rule     affected-rounds accept sound by shift-manager Sam and pit-supervisor Sue   refused no_such_decision
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue     refused round_is_void
        correct  1 1 1 1 by shift-manager Sam and pit-supervisor Sue  refused round_is_void
        open     refused dice_change_needed
        dice-set set-2 by pit-supervisor Sue and dealer Dan
        to-betting
        ",
    );
}

#[test]
fn r_156_once_dice_can_be_seen_a_supervisor_looks_at_them() {
    for book in [
        "rws-etg",
        "rws-open-cover",
        "mbs-etg",
        "mbs-table",
        "quang-nam-table",
    ] {
        check_each(
            &[(book, "")],
            "
            table    BOOK
            station  T1 LAYOUT 100.00
            to-betting T1 b1 big 10.00
            to-visible
            damage   a chip      pending damaged-round
            waits    damaged-round pit-supervisor+ 1
            flat                 refused decision_pending
            rule     damaged-round void-it seen   refused not_authorised
            rule     damaged-round conclude fine by pit-supervisor Sue   refused dice_change_needed
            rule     damaged-round void-it seen by pit-supervisor Sue
            last     no-result
            purse    T1 100.00
            open     refused dice_change_needed
            ",
        );
        // The supervisor who said so is not the one who looks.
        check_each(
            &[(book, "")],
            "
            table    BOOK
            station  T1 LAYOUT
            to-visible
            damage   a chip by pit-supervisor Sue
            rule     damaged-round void-it seen by pit-supervisor Sue   refused same_person_twice
            ",
        );
        // Inspected and found sound, the round goes on.
        check_each(
            &[(book, "")],
            "
            table    BOOK
            station  T1 LAYOUT
            to-visible
            damage   a chip
            sound    set-1 measured                                      refused second_person_needed
            sound    set-1 measured by pit-supervisor Sue and dealer Dan
            rule     damaged-round conclude fine by pit-supervisor Sue
            to-result 1 2 4
            to-betting
            ",
        );
    }
}

#[test]
fn r_157_damage_is_reported_between_rounds_too() {
    check(
        "
        each    rws-etg 5.4 (Q-15) | rws-open-cover 5.4 (Q-15) | mbs-table 5.4 (Q-15)
        each    mbs-etg 5.4 (Q-15) | quang-nam-table 7.5 (Q-15)
        table    BOOK
        station  T1 LAYOUT 100.00
        damage   before any round
        waits    nothing
        sound    set-1 measured by pit-supervisor Sue and dealer Dan
        to-betting T1 b1 big 10.00
        round    6 5 1
        damage   a chip
        said     DecisionRaised
        open     refused dice_change_needed
        dice-set set-2 by pit-supervisor Sue and dealer Dan
        round    1 2 4
        void-rounds 1 answering it by director Dora and pit-supervisor Sue   void RULE
        recoverable T1 10.00
        to-betting               # the new dice are not condemned
        ",
    );
}

#[test]
fn r_156_a_round_that_is_played_with_damaged_dice_is_not_left_to_go_on() {
    check_each(
        &ALL,
        "
        table    BOOK
        station  T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round    6 5 1
        to-betting T1 b2 big 10.00
        void-rounds 1 by director Dora and pit-supervisor Sue   refused damage_not_reported
        void-rounds 1 for dice-broken by director Dora and pit-supervisor Sue   refused damage_not_reported
        damage   a chip          # the current round is void, and round 1 is asked about
        void-rounds 1 answering it by director Dora and pit-supervisor Sue
        recoverable T1 10.00
        open                     refused dice_change_needed
        ",
    );
}

#[test]
fn r_156_damage_voids_no_round_that_was_played_with_other_dice() {
    check_each(
        &ALL,
        "
        table    BOOK
        station  T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round    6 5 1
        dice-set set-2 by pit-supervisor Sue and dealer Dan
        to-betting T1 b2 big 10.00
        round    6 5 1
        damage   a chip
        void-rounds 1 answering it by director Dora and pit-supervisor Sue     refused played_with_other_dice
        void-rounds 1 2 answering it by director Dora and pit-supervisor Sue   refused played_with_other_dice
        void-rounds 2 answering it by director Dora and pit-supervisor Sue
        recoverable T1 10.00     # of round 2 alone
        ",
    );
}

#[test]
fn q_15_where_the_book_says_the_round_older_ones_are_a_ruling() {
    check(
        "
        each    mbs-table 5.4 (Q-15) | mbs-etg 5.4 (Q-15) | quang-nam-table 7.5 (Q-15)
        table    BOOK
        station  T1 LAYOUT
        round    6 5 1
        void-rounds 1 by director Dora and pit-supervisor Sue   void RULE
        ",
    );
    check(
        "
        each    mbs-table Q-15 | mbs-etg 6.1, 6.2 (Q-15) | quang-nam-table 7.8 (Q-15)
        table    BOOK
        station  T1 LAYOUT
        round    6 5 1
        round    1 1 2
        void-rounds 1 by director Dora and pit-supervisor Sue   void RULE
        ",
    );
}

#[test]
fn q_17_an_error_in_one_round_does_not_infect_the_next() {
    check(
        "
        each    rws-etg | rws-open-cover
        table    BOOK
        station  T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round    6 5 1
        dice-set set-2 by pit-supervisor Sue and dealer Dan
        to-betting T1 b1 big 10.00
        round    6 6 1
        balance  T1 120.00
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue
        balance  T1 120.00
        recoverable T1 10.00
        last     6 6 1
        to-betting               # the new dice are not condemned
        ",
    );
}

/// Positions below the Table Games Shift Manager, and beside the ladder.
const NOT_FOR_THEM: [&str; 8] = [
    "dealer Dan",
    "pit-supervisor Sue",
    "pit-manager Pam",
    "surveillance Eve",
    "cashier Cam",
    "technician Tea",
    "auditor Ann",
    "regulator Rex",
];

#[test]
fn r_200_interpretation_is_ruled_by_the_table_games_shift_manager_or_above_only() {
    for book in ["rws-etg", "rws-open-cover"] {
        let refused = |ruling: &str| -> String {
            let lines = NOT_FOR_THEM.iter().map(|who| {
                format!("rule interpretation {ruling} by {who}   refused not_authorised RULE\n")
            });
            lines.collect()
        };
        for who in ["shift-manager Sam", "director Dora"] {
            check_each(
                &[(book, "5.10")],
                &format!(
                    "
                    table   BOOK
                    station T1 LAYOUT 100.00
                    hold-for-meaning what flat is by dealer Dan     pending interpretation RULE
                    waits   interpretation shift-manager+ 1
                    open                                            refused decision_pending
                    {between}
                    rule    interpretation conclude by {who}
                    waits   nothing
                    to-betting T1 b1 big 10.00
                    hold-for-meaning what flat is by pit-supervisor Sue   pending interpretation RULE
                    bet     T1 b2 big 10.00                         refused decision_pending RULE
                    {during}
                    atrisk  T1 10.00
                    rule    interpretation conclude by {who}
                    round   6 5 1
                    balance T1 110.00
                    to-betting T1 b1 big 10.00
                    hold-for-meaning what flat is                   pending interpretation RULE
                    rule    interpretation void-it by {who}         void RULE
                    balance T1 110.00
                    last    no-result
                    ",
                    between = refused("conclude"),
                    during = refused("void-it"),
                ),
            );
        }
    }
}

#[test]
fn r_200_what_a_rule_means_is_told_apart_from_what_no_rule_covers() {
    for book in ["rws-etg", "rws-open-cover"] {
        let run = check(&format!(
            "
            table   {book}
            station T1 a
            to-betting
            hold             a cat on the layout                  pending uncovered {book} 5.10
            hold-for-meaning what flat is                         pending interpretation {book} 5.10
            waits            uncovered shift-manager+ 1 | interpretation shift-manager+ 1
            hold             another cat                          refused already_done
            hold-for-meaning what flat is                         refused already_done
            rule             interpretation conclude as printed by shift-manager Sam
            waits            uncovered shift-manager+ 1
            close                                                 refused decision_pending {book} 5.10
            rule             uncovered conclude no harm by shift-manager Sam
            round            1 2 4
            hold-for-meaning who is a player                      pending interpretation {book} 5.10
            rule             interpretation conclude as in 1.6 by director Dora
            "
        ));
        // On record, after it was written and read: what was asked, and when.
        let mut asked = std::collections::BTreeMap::new();
        let mut ruled = Vec::new();
        for event in &run.events {
            let mut written = Vec::new();
            let (kind, version) = codec::encode(event, &mut written);
            let read = codec::decode(kind, version, &written);
            match read.expect("a record that can be read").fact {
                Fact::DecisionRaised { pending } => {
                    asked.insert(pending.id, (pending.question, pending.round.map(|r| r.0)));
                }
                Fact::DecisionTaken {
                    pending, reason, ..
                } => {
                    let (question, round) = asked.remove(&pending).expect("it was asked");
                    ruled.push((question, round, reason));
                }
                _ => {}
            }
        }
        let meaning = |what: &str| Question::Interpretation {
            what: what.to_owned(),
        };
        let uncovered = Question::Uncovered {
            what: "a cat on the layout".to_owned(),
        };
        let expected = [
            (meaning("what flat is"), Some(1), "as printed".to_owned()),
            (uncovered, Some(1), "no harm".to_owned()),
            (meaning("who is a player"), None, "as in 1.6".to_owned()),
        ];
        assert_eq!(ruled, expected, "{book}");
    }
}
