//! Wrong results, late voids and overpayments (requirements A.12, Q-16, Q-19, Q-20, Q-47, Q-52).

use sicbo_table::Fact;
use sicbo_table::record::Standing;

use crate::rules::script::{ALL, Runner, check, check_each};

const RULES: [(&str, &str); 5] = [
    ("rws-etg", "5.5 (Q-16)"),
    ("rws-open-cover", "5.5 (Q-16)"),
    ("mbs-table", "Q-36"),
    ("mbs-etg", "6.3 (Q-47)"),
    ("quang-nam-table", "7.7"),
];

#[test]
fn r_190_a_wrongly_registered_result_is_settled_by_the_dice() {
    for (book, rule) in RULES {
        let layout = if book == "mbs-etg" { "rapid" } else { "a" };
        // Small returned 20 on 3-3-4; by the dice big returns 40, so 20 more is owed.
        let run = check(&format!(
            "
            table   {book}
            station T1 {layout} 100.00
            to-betting T1 b1 small 10.00 big 20.00
            round   3 3 4
            purse   T1 90.00
            correct 1 3 3 5                                                refused second_person_needed
            correct 1 3 3 5 by dealer Dan and dealer Dee                   refused not_authorised
            correct 1 3 3 5 by pit-supervisor Dan and dealer Dan           refused same_person_twice
            correct 1 3 3 5 also 3 3 6 by pit-supervisor Sue and dealer Dan  refused readings_differ
            correct 1 4 3 3 by pit-supervisor Sue and dealer Dan           refused result_unchanged
            correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
            last    3 3 5
            purse   T1 110.00
            recoverable T1 0
            house   -10.00
            "
        ));
        let rules: Vec<String> = run
            .events
            .iter()
            .filter_map(|event| match &event.fact {
                Fact::ResultCorrected { rule, .. } => Some(rule.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(rules, [format!("{book} {rule}")]);
    }
}

#[test]
fn r_191_an_error_found_late_leaves_later_rounds_as_they_are() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        to-betting T1 b1 big 10.00
        round   6 5 1
        to-betting T1 b1 small 30.00
        balance T1 70.00
        correct 1 3 3 6 by shift-manager Sam and pit-supervisor Sue
        balance T1 90.00
        last    6 5 1
        atrisk  T1 30.00
        round   6 5 1
        balance T1 90.00
        ",
    );
}

#[test]
fn r_192_the_faulty_round_itself_is_corrected_however_late() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        round   1 1 2
        round   1 1 3
        round   1 1 4
        correct 1 3 3 6 by pit-supervisor Sue and dealer Dan        refused not_authorised
        correct 1 3 3 6 by director Dora and pit-supervisor Sue
        said    ResultCorrected
        house   -10.00
        ",
    );
}

#[test]
fn q_16_a_correction_is_new_entries_never_an_edit() {
    let run = check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        station T2 rapid 100.00
        to-betting T1 b1 small 10.00
        bet     T2 b1 big 10.00
        round   3 3 4
        balance T1 110.00
        balance T2 90.00
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        balance T1 110.00          # overpaid: owed back, not taken
        recoverable T1 20.00
        balance T2 110.00          # credited at once
        house   0                  # what the dice say
        correct 1 3 3 4 by pit-supervisor Sue and dealer Dan
        balance T1 110.00          # back: as if never corrected
        recoverable T1 0
        balance T2 110.00
        recoverable T2 20.00
        recover 2 20.00 by shift-manager Sam
        balance T2 90.00
        house   0
        ",
    );
    let settled = run.events.iter().filter(
        |event| matches!(&event.fact, Fact::RoundSettled { dice, .. } if dice.faces() == [3, 3, 4]),
    );
    assert_eq!(
        settled.count(),
        1,
        "the first settlement is still on record"
    );
}

#[test]
fn r_194_a_correction_needs_a_round_conducted_by_the_rules() {
    // Small was paid on 3 3 4; the dice show 3 3 5. They prevail only when the
    // two persons say that the round was conducted by the Game Rules.
    let played = "
        table   mbs-etg
        station T1 rapid 100.00
        station T2 rapid 100.00
        to-betting T1 b1 big 10.00
        bet     T2 b1 small 10.00
        round   3 3 4
        balance T1 90.00
        balance T2 110.00
        ";
    check(&format!(
        "{played}
        correct 1 3 3 5 unanswered by pit-supervisor Sue and dealer Dan      refused conduct_unanswered mbs-etg 6.3 (Q-47)
        correct 1 3 3 5 not-conducted by pit-supervisor Sue and dealer Dan   refused void_instead mbs-etg 6.3 (Q-47)
        balance T1 90.00
        last    3 3 4
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        last    3 3 5
        balance T1 110.00
        recoverable T2 20.00
        "
    ));
    // One that was not is void under its cause: stakes come back, and the dice
    // that lie there decide nothing any more.
    check(&format!(
        "{played}
        correct 1 3 3 5 not-conducted by pit-supervisor Sue and dealer Dan   refused void_instead mbs-etg 6.3 (Q-47)
        void-rounds 1 for too-few-tumbles by shift-manager Sam and pit-supervisor Sue
        last    no-result
        balance T1 100.00
        recoverable T2 10.00
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan                 refused round_is_void
        "
    ));
    // And while it is open whether it was, nothing is corrected.
    check(&format!(
        "{played}
        damage  a chip on the four
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan   refused void_instead mbs-etg 6.3 (Q-47)
        balance T1 90.00
        rule    affected-rounds accept sound by shift-manager Sam and pit-supervisor Sue
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        balance T1 110.00
        "
    ));
}

#[test]
fn q_47_no_correction_while_a_void_cause_is_open() {
    check(
        "
        table   mbs-etg
        station T1 rapid
        tumble  2
        dice    1 2 3                                          refused only_void_possible
        void    too-few-tumbles
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan   refused round_is_void
        ",
    );
}

#[test]
fn q_47_both_answer_whether_the_round_was_conducted_by_the_rules() {
    let run = check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        balance T1 90.00
        correct 1 3 3 5 unanswered by pit-supervisor Sue and dealer Dan      refused conduct_unanswered mbs-etg 6.3 (Q-47)
        correct 1 3 3 5 not-conducted by pit-supervisor Sue and dealer Dan   refused void_instead mbs-etg 6.3 (Q-47)
        balance T1 90.00
        void-rounds 1 for dice-exposed-early by shift-manager Sam and pit-supervisor Sue
        balance T1 100.00
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan                 refused round_is_void
        ",
    );
    assert_eq!(run.table.amended.len(), 1);
    check(
        "
        table   mbs-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        round   3 3 4
        correct 1 3 3 5 unanswered by pit-supervisor Sue and dealer Dan      refused conduct_unanswered mbs-table Q-36
        correct 1 3 3 5 not-conducted by pit-supervisor Sue and dealer Dan   refused void_instead mbs-table Q-36
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        purse   S1 110.00
        ",
    );
    let answered = |run: &Runner| {
        run.events.iter().find_map(|event| match event.fact {
            Fact::ResultCorrected { conducted, .. } => Some(conducted),
            _ => None,
        })
    };
    // The other three let the dice prevail without the question.
    for (book, layout) in [
        ("rws-etg", "a"),
        ("rws-open-cover", "a"),
        ("quang-nam-table", "a"),
    ] {
        let run = check(&format!(
            "
            table   {book}
            station T1 {layout}
            round   3 3 4
            correct 1 3 3 5 unanswered by pit-supervisor Sue and dealer Dan
            "
        ));
        assert_eq!(answered(&run), Some(None), "{book}");
    }
    let run = check(
        "
        table   mbs-etg
        station T1 rapid
        round   3 3 4
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        ",
    );
    assert_eq!(answered(&run), Some(Some(true)));
}

#[test]
fn q_47_no_correction_while_it_is_open_whether_the_dice_were_damaged() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        damage  a chip on the four
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan   refused void_instead mbs-etg 6.3 (Q-47)
        rule    affected-rounds accept sound by shift-manager Sam and pit-supervisor Sue
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        balance T1 110.00
        ",
    );
    // Dice that came later cannot have spoilt it.
    check(
        "
        table   mbs-etg
        station T1 rapid
        round   3 3 4
        dice-set set-2 by pit-supervisor Sue and dealer Dan
        round   3 3 4
        damage  a chip on the four
        correct 2 3 3 5 by pit-supervisor Sue and dealer Dan   refused void_instead
        correct 1 3 3 5 by shift-manager Sam and pit-supervisor Sue
        ",
    );
}

#[test]
fn p_031_a_proposed_correction_holds_the_table_until_it_has_ended() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        correction-proposed 1 7 2 by dealer Dan                refused not_your_station
        correction-proposed 2 7 2 by house                     refused record_not_ended
        correction-proposed 1 7 2 by house                     pending correction-proposed
        correction-proposed 1 7 2 by house                     again
        open                                                   refused decision_pending
        dice-set set-2 by pit-supervisor Sue and dealer Dan    refused decision_pending
        correction-withdrawn 8 by house                        again
        open                                                   refused decision_pending
        correction-withdrawn 7 by dealer Dan                   refused not_your_station
        correction-withdrawn 7 by house
        to-betting
        rounds  2
        ",
    );
    // In a round it stops every step but a listed void.
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        to-betting
        correction-proposed 1 7 2 by house
        bet     T1 b2 small 5.00                               refused decision_pending
        close                                                  refused decision_pending
        rule    correction-proposed accept x by director Dora  refused ruling_does_not_fit
        void    dice-damaged
        open                                                   refused decision_pending
        correction-withdrawn 7 by house
        ",
    );
}

#[test]
fn p_031_a_hold_for_a_correction_is_let_go_by_whom_the_correction_would_need() {
    // The latest round: a supervisor, and never the dealer, the house or others.
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        correction-proposed 1 7 2 by house                     pending correction-proposed
        correction-proposed 1 8 2 by house                     pending correction-proposed
        rule    correction-proposed release x by dealer Dan    refused not_authorised
        rule    correction-proposed release x by cashier Cal   refused not_authorised
        open                                                   refused decision_pending
        rule    correction-proposed release the dice lie as keyed by pit-supervisor Sue
        to-betting
        rounds  2
        ",
    );
    // An older one: who decides what no rule covers.
    for id in [
        "rws-etg",
        "rws-open-cover",
        "mbs-table",
        "mbs-etg",
        "quang-nam-table",
    ] {
        let decider = match id {
            "quang-nam-table" => "director Dora",
            _ => "shift-manager Sam",
        };
        let script = "
            table   BOOK
            station T1 LAYOUT
            round   3 3 4
            to-visible
            correction-proposed 1 7 2 by house                           pending correction-proposed
            rule    correction-proposed release x by pit-supervisor Sue  refused not_authorised
            rule    correction-proposed release seen by DECIDER
            flat
            ";
        check_each(&[(id, "")], &script.replace("DECIDER", decider));
    }
}

#[test]
fn p_031_a_release_ends_the_holds_that_its_person_could_end_and_no_other() {
    // Two holds of one round under two books: a director's, a shift manager's.
    let run = check(
        "
        table   quang-nam-table
        station S1 a
        round   3 3 4
        round   3 3 4
        correction-proposed 1 7 2 by house                                 pending correction-proposed quang-nam-table 7.7
        suspend for the night
        close-table
        table   mbs-table
        correction-proposed 1 8 2 by house                                 pending correction-proposed mbs-table Q-36
        rule    correction-proposed release x by shift-manager Sam         refused not_authorised
        rule    last:correction-proposed release seen by shift-manager Sam
        open                                                               refused decision_pending
        rule    correction-proposed release x by shift-manager Sam         refused not_authorised
        correction-proposed 1 9 2 by house                                 pending correction-proposed mbs-table Q-36
        rule    last:correction-proposed release both seen by director Dora
        open
        ",
    );
    assert!(run.table.pending.is_empty());
}

#[test]
fn p_031_a_later_proposal_takes_a_hold_over_and_a_void_ends_it() {
    let run = check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round   3 3 4
        balance T1 90.00
        correction-proposed 1 7 2 by house
        correction-proposed 1 9 4 by house
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        balance T1 110.00
        correction-proposed 1 10 2 by house                    pending correction-proposed
        void-rounds 1 for too-few-tumbles by shift-manager Sam and pit-supervisor Sue
        recoverable T1 10.00
        to-betting
        ",
    );
    assert!(run.table.pending.is_empty());
}

#[test]
fn p_031_a_confirmed_correction_lets_the_table_go_in_the_same_breath() {
    let run = check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        round   3 3 4
        open by dealer Dan
        correction-proposed 1 7 1 by house
        activate                                               refused decision_pending
        correct 1 3 3 5 by dealer Dan and pit-supervisor Sue
        purse   S1 110.00
        tumble  3
        ",
    );
    assert!(run.table.pending.is_empty());
}

#[test]
fn q_58_a_void_declared_in_error_stays_void_and_what_is_owed_is_paid_once() {
    // Electronic: credit, by the book's decider and a second person.
    check(
        "
        each    rws-etg 5.10 | rws-open-cover 5.10 | mbs-etg 6.1, 6.2
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-visible
        void    die-not-flat
        balance T1 100.00
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan     refused round_is_void
        case    T1 4 10.00 the die lay flat by pit-supervisor Sue and dealer Dan     refused not_authorised RULE
        case-undecided T1 4 10.00 no decision yet by shift-manager Sam and pit-supervisor Sue     refused no_such_decision
        case-undecided T1 4 -5.00 no decision yet by shift-manager Sam and pit-supervisor Sue     refused no_such_decision
        case    T1 4 10.00 the die lay flat by shift-manager Sam and pit-supervisor Sue
        balance T1 110.00
        case    T1 4 10.00 once more by shift-manager Sam and pit-supervisor Sue     refused case_settled
        case    T1 4 -5.00 too much by shift-manager Sam and pit-supervisor Sue
        case    T1 4 -5.00 once more by shift-manager Sam and pit-supervisor Sue     refused case_settled
        balance T1 110.00
        recoverable T1 5.00
        ",
    );
    // With chips: from the float, by two persons.
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        to-visible
        void    die-not-flat
        purse   S1 100.00
        case    S1 4 10.00 the die lay flat by pit-supervisor Sue and dealer Dan
        purse   S1 110.00
        case    S1 4 10.00 once more by pit-supervisor Sue and dealer Dan     refused case_settled
        ",
    );
}

#[test]
fn r_217_a_case_of_a_player_who_has_left_the_terminal_is_paid_at_the_cage() {
    let run = check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round   1 2 2
        cashout T1 90.00 v1
        credit  T1 50.00                # somebody else sits there now
        case-of-former T1 4 10.00 upheld by shift-manager Sam and pit-supervisor Sue
        balance T1 50.00
        unclaimed T1 10.00
        case-of-former T1 4 10.00 once more by shift-manager Sam and pit-supervisor Sue refused case_settled
        case-of-former T1 5 -3.00 too much by shift-manager Sam and pit-supervisor Sue
        balance T1 50.00
        recoverable T1 3.00
        pay-unclaimed 1 by shift-manager Sam
        unclaimed T1 0
        balance T1 50.00
        ",
    );
    assert!(run.table.case_credits.is_empty());
}

#[test]
fn r_217_once_play_has_gone_on_a_case_credits_no_empty_terminal() {
    check(
        "
        table   mbs-etg
        station T1 rapid 10.00
        station T2 rapid 100.00
        to-betting T1 b1 big 10.00
        round   1 2 2
        balance T1 0
        case    T1 4 10.00 upheld by shift-manager Sam and pit-supervisor Sue
        balance T1 10.00
        to-betting T1 b1 big 10.00
        round   1 2 2
        to-closed
        case-before T1 5 10.00 upheld by shift-manager Sam and pit-supervisor Sue
        balance T1 0
        unclaimed T1 10.00
        ",
    );
}

#[test]
fn r_217_a_correction_takes_nothing_back_from_what_a_case_gave() {
    let run = check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round   6 5 1
        cashout T1 110.00 v1
        case-of-former T1 4 30.00 upheld by shift-manager Sam and pit-supervisor Sue
        unclaimed T1 30.00
        correct 1 1 2 2 why the camera by shift-manager Sam and pit-supervisor Sue
        unclaimed T1 30.00
        recoverable T1 20.00
        ",
    );
    assert_eq!(run.table.case_credits.len(), 1);
}

#[test]
fn r_217_a_higher_decision_is_paid_what_it_adds() {
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        round   1 2 2
        purse   S1 90.00
        case    S1 4 10.00 in part by pit-supervisor Sue and dealer Dan
        purse   S1 100.00
        case    S1 4 10.00 once more by pit-supervisor Sue and dealer Dan     refused case_settled
        case-raised S1 4 10.00 the rest by pit-supervisor Sue and dealer Dan
        purse   S1 110.00
        case-raised S1 4 10.00 once more by pit-supervisor Sue and dealer Dan refused case_settled
        ",
    );
}

#[test]
fn r_195_lights_that_show_a_wrong_result_give_way_to_the_dice() {
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        close
        uncover
        flat
        dice    6 5 6                   # the dice show 1 5 6
        confirm
        lights  on
        second  1 5 6                   refused not_authorised
        second  1 5 6 by pit-supervisor Sue   pending readings-disagree quang-nam-table 7.7
        pay                             refused decision_pending quang-nam-table 7.7
        agree   1 5 6                   refused second_person_needed
        agree   1 5 6 by pit-supervisor Sue and dealer Dan
        pay                             refused lights_first quang-nam-table 3.2, 4.8
        lights  on
        pay                             settled
        last    1 5 6
        purse   S1 110.00
        ",
    );
    // A second reading that agrees changes nothing.
    check(
        "
        table   quang-nam-table
        to-visible
        flat
        dice    6 5 6
        confirm
        lights  on
        second  6 6 5 by pit-supervisor Sue   registered
        pay                             settled
        ",
    );
}

#[test]
fn q_52_an_amended_round_keeps_its_revisions() {
    let run = check(
        "
        table   rws-etg
        station T1 a
        round   3 3 4
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        correct 1 3 3 6 by pit-supervisor Sue and dealer Dan
        ",
    );
    let record = run.table.last_record.as_ref().unwrap();
    assert_eq!(record.revision, 2);
    assert!(matches!(record.standing, Standing::Settled(dice) if dice.faces() == [3, 3, 6]));
    let from: Vec<Standing> = run
        .events
        .iter()
        .filter_map(|event| match event.fact {
            Fact::ResultCorrected { from, .. } => Some(from),
            _ => None,
        })
        .collect();
    assert_eq!(from.len(), 2, "each says what stood before");
}

#[test]
fn q_19_affected_rounds_are_named_by_the_shift_manager_and_a_second_person() {
    check(
        "
        each    rws-etg | rws-open-cover
        table   BOOK
        station T1 LAYOUT
        round   3 3 4
        void-rounds 1                                                refused not_authorised
        void-rounds 1 by shift-manager Sam                           refused second_person_needed
        void-rounds 1 by pit-manager Pam and pit-supervisor Sue      refused not_authorised
        void-rounds 1 by shift-manager Sam and dealer Dan            refused not_authorised
        void-rounds 1 by shift-manager Sam and shift-manager Sam     refused same_person_twice
        void-rounds none by shift-manager Sam and pit-supervisor Sue refused no_records
        void-rounds 2 by shift-manager Sam and pit-supervisor Sue    refused record_not_ended
        void-rounds 1 1 by shift-manager Sam and pit-supervisor Sue  refused record_repeated
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue
        ",
    );
}

#[test]
fn q_20_an_overpayment_is_recovered_or_waived_by_a_ruling_and_never_below_zero() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT 100.00
        to-betting T1 b1 big 50.00
        bet     T2 b1 big 50.00
        round   6 5 1
        balance T1 150.00
        cashout T1 130.00 v1
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        balance T1 20.00                         # nothing is taken by itself
        balance T2 150.00
        recoverable T1 100.00
        recover 1 10.00                          refused not_authorised
        recover 1 10.00 by pit-manager Pam       refused not_authorised
        recover 9 10.00 by shift-manager Sam     refused no_such_recoverable
        recover 1 0 by shift-manager Sam         refused amount_not_positive
        recover 1 101.00 by shift-manager Sam    refused amount_too_large
        recover 1 21.00 by shift-manager Sam     refused insufficient_credit
        recover 1 20.00 by shift-manager Sam
        balance T1 0
        recoverable T1 80.00
        waive   1 \"\" by shift-manager Sam      refused reason_needed
        waive   1 force majeure by shift-manager Sam
        recoverable T1 0
        waive   1 once more by shift-manager Sam     refused no_such_recoverable
        recover 2 100.00 by shift-manager Sam
        balance T2 50.00
        house   20.00                            # 100 lost by the players, 80 waived
        ",
    );
}

#[test]
fn q_20_what_is_owed_never_goes_to_the_next_player() {
    // A leaves with everything; B sits down; A's round is corrected.
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 50.00
        round   1 1 2
        cashout T1 50.00 v1
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        balance T1 0
        unclaimed T1 100.00
        credit  T1 30.00
        round   1 1 2
        correct 1 6 5 2 by shift-manager Sam and pit-supervisor Sue
        balance T1 30.00
        correct 1 1 1 2 by shift-manager Sam and pit-supervisor Sue
        unclaimed T1 0
        balance T1 30.00
        correct 1 6 5 2 by shift-manager Sam and pit-supervisor Sue
        pay-unclaimed 1                       refused not_authorised
        pay-unclaimed 1 by shift-manager Sam  refused no_such_unclaimed
        pay-unclaimed 2 by shift-manager Sam
        unclaimed T1 0
        correct 1 1 1 2 by shift-manager Sam and pit-supervisor Sue
        recoverable T1 100.00
        recover 1 10.00 by shift-manager Sam  refused player_has_left
        balance T1 30.00
        ",
    );
    // A lost everything and play went on: the terminal stands empty.
    check(
        "
        table   mbs-etg
        station T1 rapid 50.00
        to-betting T1 b1 big 50.00
        round   1 1 2
        correct 1 1 1 3 by pit-supervisor Sue and dealer Dan
        round   1 1 2
        correct 1 6 5 1 by shift-manager Sam and pit-supervisor Sue
        balance T1 0
        unclaimed T1 100.00
        ",
    );
    // Right after the round A still stands there.
    check(
        "
        table   mbs-etg
        station T1 rapid 50.00
        to-betting T1 b1 big 50.00
        round   1 1 2
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        balance T1 100.00
        ",
    );
}

#[test]
fn q_20_recovered_money_comes_back_when_the_correction_is_itself_corrected() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 50.00
        round   6 5 1
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        recover 1 60.00 by shift-manager Sam
        balance T1 90.00
        recoverable T1 40.00
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        balance T1 150.00
        recoverable T1 0
        house   -50.00
        ",
    );
}

#[test]
fn q_20_a_waived_overpayment_is_not_paid_again_when_the_result_goes_back() {
    // 100 was paid, found to be too much, and let go; then it was right after all.
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 50.00
        round   6 5 1
        balance T1 150.00
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        waive   1 goodwill by shift-manager Sam
        house   -50.00
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        balance T1 150.00            # what the dice give, once
        recoverable T1 0
        unclaimed T1 0
        house   -50.00
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        recoverable T1 0             # the ruling covers it still
        balance T1 150.00
        house   -50.00
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue
        balance T1 150.00            # 50 are the stake, 50 remain given
        house   -50.00
        ",
    );
}

#[test]
fn q_20_a_late_void_returns_no_stake_that_a_waiver_has_covered() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 50.00
        round   6 5 1
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        waive   1 goodwill by shift-manager Sam
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue
        balance T1 150.00            # 50 are the stake, 50 remain given
        recoverable T1 0
        house   -50.00
        ",
    );
}

#[test]
fn q_20_what_was_recovered_before_a_waiver_comes_back_and_no_more() {
    // 100 too much: 60 recovered, 40 waived.
    let start = "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 50.00
        round   6 5 1
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        recover 1 60.00 by shift-manager Sam
        waive   1 the rest by shift-manager Sam
        balance T1 90.00
        house   10.00
        ";
    // Back in full: the 40 are set against the waiver, the 60 are paid.
    check(&format!(
        "{start}
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        balance T1 150.00
        house   -50.00
        "
    ));
    // Void: 50 are owed, 40 of them were given already.
    check(&format!(
        "{start}
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue
        balance T1 100.00
        house   0
        "
    ));
}

#[test]
fn q_20_a_waiver_stands_when_still_less_is_owed() {
    // Two bets: first one falls away and is waived, then the other as well.
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00 total:12 10.00
        round   6 5 1
        balance T1 180.00
        correct 1 6 5 2 by pit-supervisor Sue and dealer Dan
        recoverable T1 80.00
        waive   1 goodwill by shift-manager Sam
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        recoverable T1 20.00         # only what the second change makes
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        recoverable T1 0             # first off what is open, then off the waiver
        balance T1 180.00
        house   -80.00
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        recoverable T1 20.00         # 80 are covered by the ruling, 20 never were
        ",
    );
}

#[test]
fn q_20_a_waiver_counts_for_who_left_and_at_a_seat_too() {
    // The player has gone: nothing is set aside that was given already.
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 50.00
        round   6 5 1
        cashout T1 150.00 v1
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        waive   1 has left by shift-manager Sam
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        unclaimed T1 0
        balance T1 0
        house   -50.00
        ",
    );
    check(
        "
        each    mbs-table | quang-nam-table
        table   BOOK
        seat    S1 LAYOUT 100.00
        to-betting S1 b1 big 50.00
        round   6 5 1
        purse   S1 150.00
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        waive   1 goodwill by director Dora
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        purse   S1 150.00
        house   -50.00
        ",
    );
}

#[test]
fn j_04_a_correction_at_a_table_is_paid_in_chips_while_the_players_stand_there() {
    check(
        "
        each    mbs-table | quang-nam-table
        table   BOOK
        seat    S1 LAYOUT 100.00
        to-betting S1 b1 big 10.00 small 20.00
        round   1 1 2
        purse   S1 110.00
        correct 1 6 5 1 by pit-supervisor Sue and dealer Dan
        recoverable S1 20.00
        recover 1 20.00 by director Dora
        purse   S1 90.00
        house   10.00
        to-betting S1 b1 big 10.00
        round   1 1 2
        round   1 1 2
        correct 2 6 5 1 by director Dora and pit-supervisor Sue
        unclaimed S1 20.00
        purse   S1 80.00
        ",
    );
}

#[test]
fn p_022_two_readings_must_agree_before_anything_is_paid() {
    check_each(
        &RULES,
        "
        table   BOOK second always
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-visible
        flat
        dice    6 5 1
        confirm                                   refused second_reading_needed
        second  6 5 1                             refused not_authorised
        second  6 5 1 by pit-supervisor Dan       refused same_person_twice
        second  6 5 2 by pit-supervisor Sue
        confirm                                   pending readings-disagree RULE
        waits   readings-disagree pit-supervisor+ 2
        confirm                                   refused decision_pending RULE
        dice    6 5 2                             refused decision_pending RULE
        rule    readings-disagree accept by pit-supervisor Sue   refused ruling_does_not_fit
        agree   6 5 1                             refused second_person_needed
        agree   6 5 1 by dealer Dan and dealer Dee   refused not_authorised
        agree   6 5 1 by pit-supervisor Sue and dealer Dan
        waits   nothing
        ",
    );
    // Above a payout only.
    check(
        "
        table   mbs-etg above 50
        station T1 rapid 100.00
        to-betting T1 b1 big 25.00
        round   6 5 1
        balance T1 125.00        # 50.00 is not above 50
        to-betting T1 b1 big 26.00
        to-visible
        flat
        dice    6 5 1
        confirm                  refused second_reading_needed
        second  1 5 6 by device reader
        confirm                  settled
        ",
    );
    // Independent whichever comes first: nobody reads twice.
    check(
        "
        table   mbs-etg second always
        station T1 rapid
        to-visible
        flat
        second  6 5 1 by pit-supervisor Sue
        dice    6 5 1 by pit-supervisor Sue    refused same_person_twice
        dice    6 5 1
        confirm                                settled
        ",
    );
    // What holds the round besides the readings comes first.
    check(
        "
        table   mbs-etg second always
        station T1 rapid
        to-visible
        flat
        dice    6 5 1
        second  6 5 2 by pit-supervisor Sue
        confirm                                pending readings-disagree
        interrupt power cut                    pending interrupted
        agree   6 5 1 by pit-supervisor Sue and dealer Dan   refused decision_pending
        confirm-interruption in-place by dealer Dan and pit-supervisor Sue
        agree   6 5 1 by pit-supervisor Sue and dealer Dan   settled
        ",
    );
}

#[test]
fn j_04_a_record_that_is_not_what_the_table_remembers_is_refused() {
    use std::sync::Arc;

    use sicbo_rules::Dice;
    use sicbo_rules::rulebook::words::Position;
    use sicbo_table::actor::{Actor, Staff};
    use sicbo_table::ids::PersonId;
    use sicbo_table::record::RoundRecord;
    use sicbo_table::{Act, Reason};

    let mut run = check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round   6 5 1
        ",
    );
    let staff = |person: u32, position| Staff {
        person: PersonId(person),
        position,
    };
    let right = RoundRecord::clone(run.table.last_record.as_ref().unwrap());
    let dice = |faces| Dice::from_faces(faces).unwrap();
    let mut wrong_standing = right.clone();
    wrong_standing.standing = Standing::Settled(dice([1, 1, 2]));
    let mut wrong_stakes = right.clone();
    wrong_stakes.stations[0].lines.clear();
    let mut wrong_revision = right.clone();
    wrong_revision.revision = 1;
    for record in [wrong_standing, wrong_stakes, wrong_revision] {
        let act = Act::CorrectResult {
            record: Arc::new(record),
            dice: dice([3, 3, 4]),
            second_dice: dice([3, 3, 4]),
            evidence: "camera".to_owned(),
            conducted: Some(true),
        };
        let answer = run.give(
            act,
            Actor::Staff(staff(1, Position::Dealer)),
            Some(staff(2, Position::PitSupervisor)),
        );
        assert_eq!(
            answer.unwrap_err().reason,
            Reason::RecordOutdated { known: 0 }
        );
    }
}

#[test]
fn p_006_a_void_is_shown_with_its_cause_and_rule() {
    use sicbo_rules::rulebook::words::{Cause, Word};
    use sicbo_table::ids::StationId;
    use sicbo_table::record::VoidWhy;
    use sicbo_table::views::settlement::{lines_of, own_last};
    use sicbo_table::views::{PublicState, ShownEnd};

    let why = |script: &str| {
        let run = check(script);
        let (record, part) = own_last(&run.table, StationId(0)).unwrap();
        for line in lines_of(record, part) {
            assert_eq!(line.stake, line.returned, "all bets returned");
        }
        let last = |table| -> ShownEnd { PublicState::of(table).unwrap().last.unwrap() };
        let shown = last(&run.table);
        assert_eq!(shown.result, None);
        // What is shown survives a restart.
        let bytes = sicbo_table::snapshot::encode(&run.table);
        let back = sicbo_table::snapshot::decode(&bytes).unwrap();
        assert_eq!(last(&back), shown);
        let (why, void) = (shown.why.unwrap(), record.void.clone().unwrap());
        assert_eq!(why.cause.as_deref(), void.cause.map(Word::key));
        assert_eq!(why.reason, void.reason);
        assert!(void.rule.starts_with(&why.rule.unwrap()), "{}", void.rule);
        void
    };
    let played = "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        ";
    assert_eq!(
        why(&format!(
            "{played}
        void    dice-damaged
        "
        )),
        VoidWhy {
            cause: Some(Cause::DiceDamaged),
            rule: "mbs-etg 5.4 (Q-15)".to_owned(),
            reason: None,
            ground: None,
        }
    );
    let ruled = why(&format!(
        "{played}
        rule-void the lights went out by shift-manager Sam
        "
    ));
    assert_eq!(ruled.cause, None);
    assert_eq!(ruled.reason.as_deref(), Some("the lights went out"));
    assert!(ruled.rule.starts_with("mbs-etg "), "{}", ruled.rule);
    let late = why(&format!(
        "{played}
        round   6 5 1
        correct 1 6 5 2 by pit-supervisor Sue and dealer Dan
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue
        "
    ));
    assert_eq!(late.cause, Some(Cause::DiceDamaged));
    assert_eq!(late.reason.as_deref(), Some("a chipped die"));
    assert!(late.rule.starts_with("mbs-etg "), "{}", late.rule);
}

#[test]
fn p_045_a_correction_is_shown_with_what_it_replaced_and_its_rule() {
    use sicbo_table::views::PublicState;

    for (book, rule) in RULES {
        let layout = if book == "mbs-etg" { "rapid" } else { "a" };
        let run = check(&format!(
            "
            table   {book}
            station T1 {layout}
            round   3 3 4
            correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
            correct 1 3 6 3 by pit-supervisor Sue and dealer Dan
            "
        ));
        let last = PublicState::of(&run.table).unwrap().last.unwrap();
        let why = last.why.unwrap();
        assert_eq!(last.result.unwrap().dice, [3, 3, 6]);
        assert_eq!(why.from.unwrap().dice, [3, 3, 5]);
        let record = run.table.last_record.as_deref().unwrap();
        let cited = &record.corrected.as_ref().unwrap().rule;
        assert_eq!(*cited, format!("{book} {rule}"));
        assert_eq!(why.rule, sicbo_rules::citation::public(cited));
        assert_eq!(why.cause, None);
    }
}

#[test]
fn j_04_a_forged_record_is_refused_and_never_breaks_the_table() {
    use std::sync::Arc;

    use sicbo_rules::rulebook::words::Position;
    use sicbo_rules::{Dice, Money, Section};
    use sicbo_table::actor::{Actor, Staff};
    use sicbo_table::ids::{PersonId, SessionNumber, StationId};
    use sicbo_table::record::RoundRecord;
    use sicbo_table::station::StationKind;
    use sicbo_table::{Act, Reason};

    let mut run = check(
        "
        table   mbs-etg
        station T1 alfastreet 100.00
        station T2 rapid 100.00
        to-betting T1 b1 big 10.00
        bet     T2 b1 big 10.00
        round   6 5 1
        round   1 1 2
        ",
    );
    let staff = |person: u32, position| Staff {
        person: PersonId(person),
        position,
    };
    let dice = Dice::from_faces([3, 3, 4]).unwrap();
    let right = RoundRecord::clone(&run.records[&1]);
    let odd: Section = "odd".parse().unwrap();
    type Forge = fn(&mut RoundRecord, Section);
    let forgeries: [Forge; 12] = [
        |r, _| r.stations[0].layout = 2,
        |r, _| r.stations[1].layout = usize::MAX,
        |r, _| r.stations[1].station = StationId(2),
        |r, _| r.stations[1].station = StationId(u32::MAX),
        |r, _| r.stations[1].station = StationId(0),
        |r, _| r.stations.reverse(),
        |r, _| r.stations[0].kind = StationKind::Seat,
        |r, _| r.stations[0].session = SessionNumber(9),
        |r, _| r.stations[0].lines[0].stake = Money::from_minor(-1_000),
        |r, _| r.stations[0].lines[0].stake = Money::MAX,
        // Not on that terminal's layout.
        |r, odd| r.stations[0].lines[0].section = odd,
        |r, _| r.stations[0].colour_lines = r.stations[0].lines.clone(),
    ];
    for (i, forge) in forgeries.iter().enumerate() {
        let mut forged = right.clone();
        forge(&mut forged, odd);
        let forged = Arc::new(forged);
        let acts = [
            Act::CorrectResult {
                record: forged.clone(),
                dice,
                second_dice: dice,
                evidence: "camera".to_owned(),
                conducted: Some(true),
            },
            Act::VoidRounds {
                records: vec![forged],
                cause: Some(sicbo_rules::rulebook::words::Cause::DiceDamaged),
                pending: None,
                reason: "a chipped die".to_owned(),
            },
        ];
        for act in acts {
            let answer = run.give(
                act,
                Actor::Staff(staff(1, Position::ShiftManager)),
                Some(staff(2, Position::PitSupervisor)),
            );
            let reason = answer.unwrap_err().reason;
            assert!(
                matches!(reason, Reason::RecordNotOurs { .. }),
                "{i}: {reason:?}"
            );
        }
    }
    // The true one is taken.
    let true_one = Act::CorrectResult {
        record: Arc::new(right),
        dice,
        second_dice: dice,
        evidence: "camera".to_owned(),
        conducted: Some(true),
    };
    let by = Actor::Staff(staff(1, Position::ShiftManager));
    run.give(true_one, by, Some(staff(2, Position::PitSupervisor)))
        .unwrap();
}

#[test]
fn j_04_a_round_amended_before_may_be_amended_when_no_other_may() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 10.00
        round   6 5 1
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        to-betting T1 b1 big 10.00
        round   6 5 1
        MANY-AMENDED 9999
        correct 2 1 1 2 by pit-supervisor Sue and dealer Dan         refused too_many_amended
        void-rounds 2 by shift-manager Sam and pit-supervisor Sue    refused too_many_amended
        correct 1 6 5 1 by shift-manager Sam and pit-supervisor Sue
        recoverable T1 0
        ",
    );
}
