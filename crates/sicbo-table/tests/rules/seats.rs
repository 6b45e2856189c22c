//! Chips at a physical table (requirements A.8, Q-06, Q-39, Q-45, R-022).

use crate::rules::script::{check, check_each};

const TABLES: [(&str, &str); 2] = [("mbs-table", ""), ("quang-nam-table", "")];

#[test]
fn r_022_colour_chips_belong_to_one_player_at_one_value() {
    check(
        "
        table   mbs-table min 5 max 500
        seat    S1 a
        seat    S2 a
        bet     S1 b1 big 10.00 colour round 1   refused wrong_round
        open
        tumble  3
        bet     S1 b1 big 10.00 colour   refused no_colour_issued
        colours S1 bought 100.00         refused no_colour_issued
        release S1                       refused no_colour_issued
        colour  S1 red 2.50              refused amount_off_unit
        colour  S1 red 5.00
        colour  S2 red 5.00              refused colour_in_use     # one player's
        colours S1 bought 101.00         refused amount_off_unit
        colours S1 bought 100.00
        balance S1 100.00
        colour  S1 red 10.00             refused colour_in_use     # one value while chips are out
        release S1                       refused colour_in_use
        bet     S1 b1 big 7.00 colour    refused stake_off_step
        bet     S1 b1 big 10.00 colour   registered
        unbet   S1 b2 big 3.00 colour    refused stake_off_step
        bet     S2 b1 big 10.00 colour   refused no_colour_issued
        bet     S1 b3 big 95.00 colour   refused insufficient_credit
        balance S1 90.00
        close
        round   6 5 1
        balance S1 110.00
        colours S1 for-chips 115.00      refused insufficient_credit
        colours S1 for-chips 110.00
        account chips-outstanding 110.00
        release S1
        colour  S2 red 10.00                                       # free again
        house   -10.00
        ",
    );
}

#[test]
fn r_132_cash_chips_and_colour_chips_may_lie_together() {
    check(
        "
        table   mbs-table min 5 max 100
        seat    S1 a
        chips   bought 200.00
        colour  S1 blue 5.00
        colours S1 from-chips 50.00
        account chips-outstanding 150.00
        balance S1 50.00
        open
        tumble  3
        bet     S1 b1 big 50.00
        bet     S1 b2 big 50.00 colour       registered
        bet     S1 b3 big 5.00               refused stake_above_maximum   # both together
        atrisk  S1 100.00
        close
        round   6 5 1
        balance S1 100.00
        account chips-outstanding 200.00
        house   -100.00
        ",
    );
}

#[test]
fn r_133_chips_are_the_only_means_of_betting_at_a_table() {
    check_each(
        &TABLES,
        "
        table   BOOK
        seat    S1 LAYOUT
        to-betting
        bet     S1 b1 big 5.00 credit   refused wrong_means
        credit  S1 100.00               refused not_a_terminal
        bet     S1 b1 big 5.00 cash     registered
        ",
    );
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting
        bet     T1 b1 big 5.00 cash     refused wrong_means
        bet     T1 b1 big 5.00 colour   refused wrong_means
        call    T1 b1 big 5.00          refused not_a_seat
        ",
    );
}

#[test]
fn r_134_a_spoken_bet_counts_with_its_chips_and_before_the_close() {
    check(
        "
        each    mbs-table 3.3 | quang-nam-table 4.2 (Q-45)
        table   BOOK
        seat    S1 LAYOUT 100.00
        to-betting
        call    S1 b1 big 10.00 nochips   refused chips_needed RULE
        ",
    );
    check(
        "
        each    mbs-table 5.6 | quang-nam-table 4.2 (Q-45)
        table   BOOK
        seat    S1 LAYOUT 100.00
        to-betting
        call    S1 b1 big 10.00 nochips   refused chips_needed
        call    S1 b1 big 10.00           registered
        call    S1 b1 big 10.00           again
        call    S1 b1 big 15.00           refused bet_id_reused
        atrisk  S1 10.00
        close
        call    S1 b2 big 10.00           refused bets_closed RULE
        purse   S1 90.00
        ",
    );
}

#[test]
fn q_45_accepting_the_call_places_it_as_an_ordinary_bet() {
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        tumble  3
        call    S1 b1 small 10.00   refused wrong_phase
        open
        call    S1 b1 small 10.00
        unbet   S1 b2 small 5.00    registered
        close
        uncover
        to-result 1 2 2
        purse   S1 105.00
        ",
    );
}

#[test]
fn r_135_the_player_answers_for_where_the_chips_lie() {
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        to-betting
        bet     S1 b9 odd 10.00     refused not_offered quang-nam-table 4.3, 4.3.1, 4.3.2
        bet     S1 b1 small 10.00   # big was meant
        close
        unbet   S1 b2 small 10.00   refused bets_closed quang-nam-table 4.4 (Q-39)
        uncover
        to-result 6 5 1
        purse   S1 90.00
        ",
    );
}

#[test]
fn r_138_bets_count_as_they_lie_when_the_cage_is_opened() {
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        to-betting S1 b1 small 10.00 total:9 5.00
        observe S1 small 10.00                refused late_act_not_allowed
        close
        observe S1 small 10.00                refused uncover_first quang-nam-table 4.5 (Q-06)
        uncover
        observe S1 odd 5.00                   refused not_offered
        observe S1 small 0                    refused stake_not_positive
        observe S1 small 5.50                 refused stake_off_step
        observe S1 small 501.00               refused stake_above_maximum
        observe S1 small 5.00 small 5.00      refused stake_above_maximum   # one stake a section
        observe S1 total:9 5.00 small 10.00   registered       # as at the close
        waits   nothing
        to-result 1 2 2
        purse   S1 105.00
        observe S1 small 10.00                refused wrong_round
        ",
    );
}

#[test]
fn q_06_a_difference_between_close_and_opening_is_the_dealers_to_rule_on() {
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        to-betting S1 b1 small 10.00
        close
        uncover
        observe S1 big 5.00              pending bet-status quang-nam-table 4.6
        said    IncidentRaised           # the supervisor hears of it
        waits   bet-status dealer 1
        flat                             refused decision_pending quang-nam-table 4.6
        rule    bet-status void-it       refused ruling_does_not_fit
        rule    bet-status as-they-lie   refused ruling_does_not_fit   # restores, never adds
        rule    bet-status at-close by pit-manager Pam   refused not_authorised
        rule    bet-status at-close
        atrisk  S1 10.00
        to-result 1 2 2
        purse   S1 110.00
        ",
    );
}

#[test]
fn q_60_an_observation_names_its_means_and_counts_no_chip_twice() {
    check(
        "
        table   mbs-table min 1 max 500
        seat    S1 a 100.00
        colour  S1 red 1.00
        colours S1 bought 50.00
        to-betting S1 b1 small 10.00 colour
        bet     S1 b2 big 7.00
        close
        observe S1 big 7.00                   refused uncover_first mbs-table Q-06
        deal
        uncover
        observe S1 big 7.00                   registered   # the cash chips
        observe S1 small 10.00 colour         registered   # the colour chips
        atrisk  S1 17.00
        waits   nothing
        observe S1 big 7.00 small 10.00       late refused mbs-table 5.6   # a late placement in cash
        said    IncidentRaised
        observe S1 colour                     late bet-stands mbs-table 5.7 # a late withdrawal of colour
        late    S1 withdrawal small 7.00      refused not_that_much_there  # no cash lay there
        late    S1 withdrawal big 7.00 colour refused not_that_much_there  # no colour lay there
        late    S1 withdrawal small 5.00 colour late bet-stands mbs-table 5.7
        atrisk  S1 17.00
        to-result 1 2 2
        purse   S1 93.00
        balance S1 60.00                      # 40 in hand, 10 back and 10 won
        house   -3.00
        ",
    );
}

#[test]
fn r_218_quang_nam_issues_no_colour_chips_and_takes_back_what_is_out() {
    check(
        "
        table   quang-nam-table
        seat    S1 a
        colour  S1 red 5.00                refused no_colour_chips_here quang-nam-table 4.1 (Q-60)
        colours S1 bought 5.00             refused no_colour_chips_here quang-nam-table 4.1 (Q-60)
        colours S1 from-chips 5.00         refused no_colour_chips_here quang-nam-table 4.1 (Q-60)
        to-betting
        bet     S1 b1 big 5.00 colour      refused no_colour_chips_here quang-nam-table 4.1 (Q-60)
        ",
    );
    // Issued under another book before this one came into force.
    check(
        "
        table   mbs-table
        seat    S1 a
        colour  S1 red 5.00
        colours S1 bought 20.00
        rulebook quang-nam-table
        to-betting
        bet     S1 b1 big 5.00 colour      refused no_colour_chips_here quang-nam-table 4.1 (Q-60)
        colours S1 bought 5.00             refused no_colour_chips_here
        colours S1 for-chips 20.00
        account chips-outstanding 20.00
        release S1
        colour  S1 red 5.00                refused no_colour_chips_here
        ",
    );
}

#[test]
fn q_06_chips_written_down_after_the_close_count_as_they_lay_at_it() {
    check_each(
        &TABLES,
        "
        table   BOOK min 5 max 100
        seat    S1 LAYOUT 200.00
        seat    S2 LAYOUT
        to-betting S1 b1 big 10.00
        lay     S1 b11 small 5.00      refused late_act_not_allowed
        to-closed
        lay     S1 b12 small 5.00      registered
        lay     S1 b13 big 95.00       refused stake_above_maximum
        lay     S2 b14 big 20.00       registered
        atrisk  S2 20.00
        lay     S2 b14 big 20.00       registered              # said again: the chips lie there once
        atrisk  S2 20.00
        lay     S2 b14 big 25.00       refused bet_id_reused   # the same name for something else
        lay     S1 b1 big 10.00       refused bet_id_reused
        to-visible
        lay     S2 b15 single:2 5.00   pending chips-unrecorded   # see R-145
        attest  lay-there camera 4 12:03 by pit-supervisor Sue
        to-result 6 5 1
        purse   S1 220.00          # 200 less the lost 5 and 5, with 10 and 20 won
        ",
    );
    check(
        "
        table   quang-nam-table
        seat    S1 a
        to-visible
        flat
        dice    6 5 1
        confirm
        lay     S1 b16 big 5.00                 refused already_done
        late    S1 placement big 5.00       refused already_done
        observe S1 big 5.00                 refused already_done
        ",
    );
}

#[test]
fn r_145_a_cover_that_the_line_reports_open_is_as_good_as_uncovered() {
    check(
        "
        each    mbs-table 5.6 | quang-nam-table 4.4 (Q-39)
        table   BOOK min 5 max 100
        seat    S1 LAYOUT 200.00
        to-betting S1 b1 big 10.00
        to-closed
        lay     S1 b2 small 5.00                # nobody can see a die yet
        atrisk  S1 15.00
        cover   open by device tumbler
        cover   closed by device tumbler
        lay     S1 b3 triple:6 50.00            pending chips-unrecorded RULE
        atrisk  S1 15.00                        # nothing counts yet
        uncover                                 refused decision_pending RULE
        attest  not-there camera 4 by pit-supervisor Sue
        void    dice-exposed-early              refused second_person_needed
        to-visible
        flat
        ",
    );
}

#[test]
fn r_145_chips_recorded_after_the_dice_were_seen_need_a_second_person() {
    check(
        "
        each    mbs-table 5.6 | quang-nam-table 4.4 (Q-39)
        table   BOOK min 5 max 100
        seat    S1 LAYOUT 200.00
        seat    S2 LAYOUT
        to-betting S1 b1 big 10.00
        to-visible
        lay     S1 b2 triple:6 50.00    pending chips-unrecorded RULE
        said    PositionsClaimed
        atrisk  S1 10.00                # nothing counts yet
        waits   chips-unrecorded pit-supervisor+ 1
        lay     S1 b2 triple:6 50.00    again
        flat                            refused decision_pending RULE
        lay     S2 b1 big 5.00          refused decision_pending RULE
        attest  lay-there camera 4      refused not_authorised
        acting  Dan pit-supervisor by pit-supervisor Sue
        attest  lay-there camera 4      refused same_person_twice   # one dealer alone never
        attest  lay-there \"\" by pit-supervisor Sue  refused reason_needed
        rule    chips-unrecorded accept it by pit-supervisor Sue    refused ruling_does_not_fit
        attest  not-there camera 4 shows none by pit-supervisor Sue
        said    PositionsReturned       # and the incident is on record
        attest  lay-there camera 4 by pit-supervisor Sue            refused no_such_decision
        waits   nothing
        atrisk  S1 10.00
        lay     S1 b3 triple:6 5.00     pending chips-unrecorded RULE
        attest  lay-there camera 4 12:03:05 by pit-manager Pam
        said    PositionsAttested
        atrisk  S1 15.00
        ",
    );
    check(
        "
        table   mbs-table
        seat    S1 a 100.00
        to-visible
        lay     S1 b1 triple:6 5.00     pending chips-unrecorded
        attest  lay-there camera 4 12:03:05 by pit-supervisor Sue
        to-result 6 6 6
        purse   S1 1000.00              # 95 kept, 5 back and 180 times 5 won
        ",
    );
    // A round made void while chips wait owes them nothing.
    check(
        "
        table   mbs-table
        seat    S1 a 100.00
        to-visible
        lay     S1 b1 triple:6 5.00     pending chips-unrecorded
        void    dice-damaged by dealer Dan and pit-supervisor Sue
        purse   S1 100.00
        ",
    );
}

#[test]
fn r_139_the_dealer_decides_every_bet_by_the_position_it_had_at_the_close() {
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        seat    S2 a
        to-betting S1 b1 small 10.00
        bet     S2 b1 small 10.00
        close
        late    S1 withdrawal small 10.00   late bet-stands quang-nam-table 4.4 (Q-39)
        said    IncidentRaised
        late    S2 placement big 5.00       late refused quang-nam-table 4.4 (Q-39)
        late    S2 increase small 5.00      late increase-refused quang-nam-table 4.4 (Q-39)
        waits   nothing
        uncover
        observe S1                          pending bet-status quang-nam-table 4.6
        rule    bet-status at-close
        atrisk  S1 10.00
        atrisk  S2 10.00
        to-result 1 2 2
        purse   S1 120.00                   # 80 in hand, two bets back and won
        ",
    );
}

#[test]
fn r_203_the_dealer_alone_restores_what_lay_there_and_nobody_adds_to_it() {
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        to-betting S1 b1 small 10.00
        close
        uncover
        observe S1 triple:6 50.00           pending bet-status quang-nam-table 4.6
        rule    bet-status as-they-lie      refused ruling_does_not_fit
        rule    bet-status as-they-lie by director Dee    refused not_authorised
        rule    bet-status at-close by pit-supervisor Sue refused not_authorised
        rule    bet-status at-close
        to-result 6 6 6
        purse   S1 90.00                    # the triple was never a bet
        ",
    );
}

#[test]
fn r_140_a_late_bet_or_the_late_part_of_it_is_not_honoured() {
    check(
        "
        table   mbs-table
        seat    S1 a 100.00
        to-betting S1 b1 big 10.00
        late    S1 placement small 5.00   refused late_act_not_allowed
        close
        bet     S1 b2 small 5.00          refused bets_closed mbs-table 5.6
        late    S1 placement small 5.00   late refused mbs-table 5.6
        late    S1 increase big 5.00      late increase-refused mbs-table 5.6
        waits   nothing
        atrisk  S1 10.00
        deal
        uncover
        to-result 6 5 1
        purse   S1 110.00
        ",
    );
}

#[test]
fn r_141_a_bet_withdrawn_late_is_still_won_or_lost() {
    check(
        "
        table   mbs-table
        seat    S1 a 100.00
        colour  S1 red 5.00
        colours S1 bought 20.00
        to-betting S1 b1 big 10.00 small 10.00
        bet     S1 b2 big 10.00 colour
        close
        unbet   S1 b3 big 10.00              refused bets_closed mbs-table 5.7
        late    S1 withdrawal big 15.00      refused not_that_much_there
        late    S1 withdrawal big 10.00      late bet-stands mbs-table 5.7
        late    S1 withdrawal big 10.00 colour late bet-stands mbs-table 5.7
        late    S1 withdrawal small 10.00    late bet-stands mbs-table 5.7
        waits   nothing
        deal
        uncover
        to-result 6 5 1
        purse   S1 100.00
        balance S1 30.00
        ",
    );
}

#[test]
fn r_143_no_bet_changes_after_the_announcement() {
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        to-betting S1 b1 big 10.00
        close
        bet     S1 b2 big 10.00   refused bets_closed quang-nam-table 4.4 (Q-39)
        unbet   S1 b3 big 10.00   refused bets_closed quang-nam-table 4.4 (Q-39)
        clear   S1 b4             refused bets_closed quang-nam-table 4.4 (Q-39)
        call    S1 b5 big 10.00   refused bets_closed quang-nam-table 4.2 (Q-45)
        atrisk  S1 10.00
        ",
    );
}

#[test]
fn r_144_what_was_placed_before_the_close_stands_when_more_is_added_late() {
    check(
        "
        table   mbs-table
        seat    S1 a 100.00
        to-betting S1 b1 big 10.00
        close
        late    S1 increase big 40.00   late increase-refused mbs-table 5.6
        deal
        uncover
        to-result 6 5 1
        purse   S1 110.00               # ten paid, not fifty
        ",
    );
}

#[test]
fn q_39_each_book_has_its_own_consequence_for_a_late_change() {
    for (book, placement, increase, withdrawal) in [
        (
            "mbs-table",
            "refused mbs-table 5.6",
            "increase-refused mbs-table 5.6",
            "bet-stands mbs-table 5.7",
        ),
        (
            "quang-nam-table",
            "refused quang-nam-table 4.4 (Q-39)",
            "increase-refused quang-nam-table 4.4 (Q-39)",
            "bet-stands quang-nam-table 4.4 (Q-39)",
        ),
    ] {
        for (late, consequence) in [
            ("placement small 5.00", placement),
            ("increase big 5.00", increase),
            ("withdrawal big 10.00", withdrawal),
        ] {
            check_each(
                &[(book, "")],
                &format!(
                    "table BOOK\n seat S1 LAYOUT\n to-betting\n bet S1 b1 big 10.00\n close\n late S1 {late} late {consequence}"
                ),
            );
        }
    }
    // Once the cage is open nothing that moves counts (004 4.5).
    check(
        "
        table   quang-nam-table
        seat    S1 a 100.00
        to-betting S1 b1 big 10.00
        close
        uncover
        late    S1 placement total:12 50.00   late refused quang-nam-table 4.4 (Q-39)
        late    S1 withdrawal big 10.00       late bet-stands quang-nam-table 4.4 (Q-39)
        waits   nothing
        to-result 6 5 1
        purse   S1 110.00
        ",
    );
    // Terminals reject.
    check(
        "
        each    rws-etg 5.7 (Q-39) | rws-open-cover 5.7 (Q-39) | mbs-etg 5.6
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 10.00
        to-closed
        unbet   T1 b2 big 10.00              refused bets_closed RULE
        late    T1 withdrawal big 10.00      refused not_a_seat
        ",
    );
}

#[test]
fn r_133_a_game_with_chips_has_no_terminals_and_a_game_at_terminals_no_seats() {
    check(
        "
        each    mbs-table 3.3 | quang-nam-table 1.1, 4.1
        table    BOOK
        terminal T1 a only    refused station_does_not_fit RULE
        seat     S1 a only
        ",
    );
    check(
        "
        each    rws-etg 1.7 | rws-open-cover 1.7
        table    BOOK
        seat     S1 a only    refused station_does_not_fit RULE
        terminal T1 a only
        ",
    );
    // Neither may another book bring them about.
    check(
        "
        table    mbs-table
        seat     S1 a
        rulebook rws-etg      refused station_does_not_fit rws-etg 1.7
        rulebook quang-nam-table
        ",
    );
}

#[test]
fn r_146_only_the_dealers_announcement_closes_at_a_table() {
    check(
        "
        each    mbs-table 3.2 (Q-13) | quang-nam-table 4.4 (Q-13)
        table   BOOK
        seat    S1 LAYOUT
        to-betting
        close by house     refused not_authorised RULE
        close
        ",
    );
}

#[test]
fn r_217_a_decided_case_is_paid_in_chips_from_the_float_by_two_persons() {
    check_each(
        &TABLES,
        "
        table   BOOK
        seat    S1 LAYOUT 100.00
        to-betting S1 b1 big 10.00
        round   6 5 1
        purse   S1 110.00
        adjust  S1 30.00 upheld by shift-manager Sam and pit-supervisor Sue   refused not_a_terminal
        case    S1 7 30.00 upheld                                       refused second_person_needed
        case    S1 7 0 upheld by pit-supervisor Sue and dealer Dan      refused amount_not_positive
        case    S1 7 0.01 upheld by pit-supervisor Sue and dealer Dan   refused amount_off_unit
        case    S1 7 30.00 upheld by pit-supervisor Sue and dealer Dan
        purse   S1 140.00
        house   -40.00
        case    S1 8 -20.00 paid twice by pit-supervisor Sue and dealer Dan
        purse   S1 140.00                     # nothing is taken by itself
        house   -20.00
        recover 1 15.00 by director Dee
        purse   S1 125.00
        waive   1 goodwill by director Dee
        house   -25.00
        ",
    );
}

#[test]
fn q_20_a_correction_sets_nothing_against_what_a_case_found() {
    check(
        "
        table   mbs-table
        seat    S1 a 100.00
        to-betting S1 b1 big 10.00
        round   1 2 2
        purse   S1 90.00
        case    S1 8 -20.00 a stack too many by pit-supervisor Sue and dealer Dan
        correct 1 6 5 1 why dice still in place by pit-supervisor Sue and dealer Dan
        purse   S1 110.00                     # paid in full
        recover 1 20.00 by director Dee
        purse   S1 90.00
        ",
    );
}
