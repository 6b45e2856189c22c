//! Money at the table (requirements A.15, P-080 to P-082, Q-29, S-06 to S-08).

use crate::rules::script::{check, check_each};

const ELECTRONIC: [(&str, &str); 3] = [("rws-etg", ""), ("rws-open-cover", ""), ("mbs-etg", "")];

#[test]
fn r_017_a_terminal_takes_bets_sells_credit_and_pays_out() {
    check(
        "
        each    rws-etg | rws-open-cover
        table   BOOK
        station T1 LAYOUT
        credit  T1 50.00 cash
        to-betting
        bet     T1 b1 big 50.00   registered
        round   6 5 1
        cashout T1 100.00 v1
        balance T1 0
        ",
    );
}

#[test]
fn r_018_an_mbs_terminal_sells_credit_takes_wagers_and_cashes_out() {
    for layout in ["rapid", "alfastreet"] {
        check(&format!(
            "
            table   mbs-etg
            station T1 {layout}
            credit  T1 50.00 cash
            to-betting
            bet     T1 b1 big 50.00   registered
            round   6 5 1
            cashout T1 100.00 v1
            balance T1 0
            "
        ));
    }
}

#[test]
fn r_220_credit_is_bought_at_the_terminal() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT
        credit  T1 100.00 cash
        account drop -100.00
        credit  T1 50.00 attendant
        credit  T1 25.00 cage
        account cage -75.00
        credit  T1 10.00 voucher v7
        account vouchers -10.00
        credit  T1 10.00 voucher v7                    refused voucher_used
        credit  T1 10.00 voucher v8 by dealer Dan      refused not_your_station
        credit  T1 10.00 cash by station T1            refused not_authorised
        credit  T1 10.00 cash by auditor Art           refused not_authorised
        credit  T1 10.00 attendant by cashier Cat
        credit  T1 0                                   refused amount_not_positive
        credit  T1 -5.00                               refused amount_not_positive
        credit  T1 1000000000.01                       refused amount_too_large
        credit  T1 1000000000.00                       refused amount_too_large   # with what is there
        credit  T1 999999805.01                        refused amount_too_large
        balance T1 195.00
        meter   T1 cash-in 100.00
        meter   T1 voucher-in 10.00
        meter   T1 transfer-in 85.00
        house   0
        credit  T1 999999805.00
        balance T1 1000000000.00
        ",
    );
    check("table mbs-etg\n station T1 rapid\n credit T1 1000000000.00");
}

#[test]
fn r_221_credit_is_cashed_out_as_a_voucher_once() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT 100.00
        to-betting T1 b1 big 40.00
        cashout T1 61.00 v1                   refused insufficient_credit   # bets at risk stay
        cashout T1 0 v1                       refused amount_not_positive
        cashout T1 60.00 v1 by station T2     refused not_your_station
        cashout T1 60.00 v1
        cashout T1 60.00 v1                   again        # asked again: answered, debited once
        cashout T1 50.00 v1                   refused voucher_used
        cashout T2 60.00 v1                   refused voucher_used
        balance T1 0
        account vouchers 60.00
        meter   T1 voucher-out 60.00
        round   6 5 1
        balance T1 80.00
        cashout T1 10.00 v2 by cashier Cat
        ",
    );
}

#[test]
fn s_13_a_voucher_that_was_not_printed_gives_its_credit_back_once() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        cashout T1 100.00 v1
        reverse T1 v1 100.00 by dealer Dan    refused not_your_station
        reverse T1 v2 100.00                  refused no_such_voucher
        reverse T1 v1 90.00                   refused no_such_voucher
        reverse T1 v1 100.00
        balance T1 100.00
        reverse T1 v1 100.00                  refused no_such_voucher   # not twice
        cashout T1 100.00 v3
        credit  T1 20.00                      # someone else sits down
        reverse T1 v3 100.00                  refused player_has_left
        balance T1 20.00
        account vouchers 100.00               # it stays a voucher
        forget  v3 by dealer Dan              refused not_your_station
        forget  v3
        reverse T1 v3 100.00                  refused no_such_voucher
        forget  v3                            again
        ",
    );
}

#[test]
fn p_075_who_lost_everything_has_not_left_and_who_took_all_credit_out_has() {
    check(
        "
        table   mbs-etg
        station T1 rapid
        visit   T1 0 0
        credit  T1 10.00
        visit   T1 0 1
        to-betting
        bet     T1 b1 big 10.00   registered
        round   1 2 1
        balance T1 0
        credit  T1 20.00                      # a session of its own, the same visit
        visit   T1 0 2
        cashout T1 5.00 v1
        visit   T1 0 2
        cashout T1 15.00 v2
        visit   T1 3 3
        credit  T1 20.00
        visit   T1 3 4
        transfer T1 20.00 by cashier Cat
        visit   T1 5 5
        ",
    );
}

#[test]
fn p_075_money_that_comes_back_before_anybody_played_brings_the_visit_back() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        station T2 rapid
        to-betting
        bet     T1 b1 big 10.00   registered
        cashout T1 20.00 v1
        round   1 2 1
        credit  T1 10.00
        cashout T1 80.00 v2                   # all of it: 70.00 and 10.00
        visit   T1 2 2
        reverse T1 v2 80.00                   # it could not be printed
        visit   T1 0 2
        cashout T1 80.00 v3
        visit   T1 3 3
        credit  T1 5.00 cash                  # a note between does not hide who it is
        cashout T1 5.00 v4
        visit   T1 5 5
        credit  T2 5.00 voucher v4            # elsewhere it is money like any other
        visit   T2 0 1
        credit  T1 20.00 voucher v1
        visit   T1 0 6
        cashout T1 20.00 v5
        visit   T1 7 7
        credit  T1 50.00                      # someone else, who plays
        to-betting
        bet     T1 b2 big 10.00   registered
        round   1 2 1
        credit  T1 20.00 voucher v5
        visit   T1 7 8
        ",
    );
}

#[test]
fn p_080_credit_goes_out_by_hand_or_to_the_cage() {
    check(
        "
        table    mbs-etg
        station  T1 rapid 100.00
        transfer T1 10.00
        transfer T1 91.00                                        refused insufficient_credit
        transfer T1 10.00 by station T1                          refused not_authorised
        handpay  T1 10.00                                        refused second_person_needed
        handpay  T1 10.00 by pit-supervisor Sue and cashier Cat
        handpay  T1 10.00 by pit-supervisor Sue and dealer Dan
        balance  T1 70.00
        meter    T1 hand-pay 20.00
        meter    T1 transfer-out 10.00
        account  cage -70.00
        ",
    );
}

#[test]
fn p_031_an_adjustment_takes_two_persons_and_a_reason_and_never_overdraws() {
    check(
        "
        table    mbs-etg
        station  T1 rapid 100.00
        adjust   T1 5.00 goodwill by shift-manager Sam                     refused second_person_needed
        adjust   T1 5.00 \"\" by shift-manager Sam and pit-supervisor Sue  refused reason_needed
        adjust   T1 0 why by shift-manager Sam and pit-supervisor Sue      refused amount_not_positive
        adjust   T1 -100.01 why by shift-manager Sam and pit-supervisor Sue   refused insufficient_credit
        adjust   T1 -1000000000.00 why by shift-manager Sam and pit-supervisor Sue   refused insufficient_credit
        adjust   T1 -1000000000.01 why by shift-manager Sam and pit-supervisor Sue   refused amount_too_large
        adjust   T1 5.00 why by shift-manager Sam and pit-supervisor Sue
        adjust   T1 -30.00 why by shift-manager Sam and pit-supervisor Sue
        balance  T1 75.00
        meter    T1 adjusted -25.00
        account  adjustments 25.00
        house    0
        ",
    );
}

#[test]
fn p_031_the_smallest_amount_money_can_hold_is_refused_not_a_panic() {
    use sicbo_rules::Money;
    use sicbo_rules::rulebook::words::Position;
    use sicbo_table::Act;
    use sicbo_table::actor::{Actor, Staff};
    use sicbo_table::ids::{PersonId, StationId};

    let mut run = check("table mbs-etg\n station T1 rapid");
    let staff = |person: u32, position| Staff {
        person: PersonId(person),
        position,
    };
    for minor in [i64::MIN, i64::MAX] {
        let act = Act::Adjust {
            station: StationId(0),
            amount: Money::from_minor(minor),
            reason: "far out".to_owned(),
        };
        let answer = run.give(
            act,
            Actor::Staff(staff(5, Position::ShiftManager)),
            Some(staff(6, Position::PitSupervisor)),
        );
        assert_eq!(answer.unwrap_err().code(), "amount_too_large");
    }
}

#[test]
fn r_222_a_winning_bet_is_paid_stake_and_odds_and_a_losing_bet_is_collected() {
    check(
        "
        table   mbs-etg  min 5 max 500
        station T1  rapid 100.00
        tumble  3
        open
        bet     T1  b1  total:11   5.00   registered
        bet     T1  b1  total:11   5.00   registered         # same id, same bet: answered again, charged once
        bet     T1  b2  odd        5.00   registered
        close
        ack     T1
        bet     T1  b3  small      5.00   refused bets_closed   mbs-etg 5.7
        uncover
        flat
        dice    4 3 4
        confirm
        balance T1  137.50
        ",
    );
    check(
        "
        each    mbs-table | quang-nam-table
        table   BOOK
        seat    S1 LAYOUT
        chips   bought 100.00
        to-betting S1 b1 big 10.00 small 30.00
        round   6 5 1
        account chips-outstanding 80.00
        account chip-float -80.00
        house   20.00
        ",
    );
}

#[test]
fn r_223_half_odds_are_paid_exactly() {
    check(
        "
        table   mbs-etg min 1 max 500 step 1
        station T1 rapid 100.00
        to-betting T1 b1 total:8 1.00 double:2 1.00 four:6543 1.00
        round   2 4 2
        balance T1 119.00       # 97 + 9.50 + 12.50
        to-betting T1 b1 total:12 1.00 four:6543 3.00
        round   3 4 5
        balance T1 148.50       # 115 + 8 + 25.50
        ",
    );
}

#[test]
fn q_29_a_table_that_could_not_pay_exactly_does_not_open() {
    // One cent at 6.5 to 1 would win half a cent.
    check(
        "
        table   mbs-etg min 0.01 max 500 step 0.01 chip 0.01
        station T1 rapid only           refused config_faulty
        ",
    );
    check("table mbs-table min 0.01 max 5 step 0.01 chip 0.01\n seat S1 a");
    // What can be seen at once is refused at the opening, the rest with the station.
    for options in [
        "chip 0",
        "station 0",
        "exposure 0",
        "window 0",
        "tumble after-close",
    ] {
        check(&format!("table mbs-etg {options} refused config_faulty"));
    }
    for options in ["min 0", "min 10 max 5", "step 0.50", "step 7", "step 1.50"] {
        check(&format!(
            "table mbs-etg {options}\n station T1 rapid only refused config_faulty"
        ));
    }
}

#[test]
fn r_224_cash_goes_into_the_drop_box_and_tips_into_the_tip_box() {
    check(
        "
        each    quang-nam-table | mbs-table
        table   BOOK chip 5 step 5
        seat    S1 LAYOUT
        chips   fill 1000.00                                            refused second_person_needed
        chips   fill 1000.00 \"\" by pit-supervisor Sue and dealer Dan  refused reason_needed
        chips   fill 1000.00 F-1 by pit-supervisor Sue and dealer Dan
        chips   bought 100.00
        chips   bought 101.00                                           refused amount_off_unit
        account drop -100.00
        account chip-float 900.00
        account chips-outstanding 100.00
        chips   tip 5.00
        account tips 5.00
        chips   taken 50.00
        account chips-outstanding 45.00
        chips   slip 500.00 C-1 by pit-supervisor Sue and dealer Dan
        account chip-float 400.00
        house   0
        ",
    );
}

#[test]
fn s_07_players_are_told_before_the_last_round_begins() {
    check(
        "
        table    mbs-etg
        station  T1 rapid 10.00
        close-table              refused last_round_not_announced
        to-betting
        close-table              refused round_in_hand
        last-round               # one more round will be played after this one
        last-round               refused already_done
        round    1 2 3
        close-table              refused last_round_not_announced
        round    1 2 3
        activate                 refused table_closing
        close-table
        status   closed
        ",
    );
}

#[test]
fn s_07_a_last_round_that_was_announced_is_taken_back() {
    check(
        "
        table    mbs-etg
        station  T1 rapid 10.00
        no-last-round by pit-supervisor Sue refused last_round_not_announced
        last-round
        no-last-round            refused not_authorised
        no-last-round by pit-supervisor Sue # before it began: it is a round like any other
        round    1 2 3
        close-table              refused last_round_not_announced
        last-round               # told a second time
        round    1 2 3
        activate                 refused table_closing
        no-last-round by pit-supervisor Sue # after it was played: the table goes on
        close-table              refused last_round_not_announced
        round    4 5 6
        last-round
        to-betting
        no-last-round by pit-supervisor Sue # and while it is played
        close-table              refused round_in_hand
        ",
    );
}

#[test]
fn j_09_a_closed_table_still_pays_out_and_corrects() {
    check(
        "
        table    mbs-etg
        station  T1 rapid 100.00
        last-round
        to-betting T1 b1 big 10.00
        round    1 2 3
        close-table
        credit   T1 10.00                refused table_not_open
        activate                         refused table_not_open
        bet      T1 b1 big 10.00         again         # it was registered
        bet      T1 b1 big 5.00          refused bet_id_reused
        bet      T1 b2 big 5.00          refused table_not_open
        ack      T1                      refused table_not_open
        correct  1 6 5 1 by pit-supervisor Sue and dealer Dan
        balance  T1 110.00
        cashout  T1 110.00 v1
        remove   T1
        table    mbs-etg
        activate
        ",
    );
}

#[test]
fn s_08_every_meter_reconciles_with_the_credit_of_its_station() {
    check(
        "
        table    mbs-etg
        station  T1 rapid
        credit   T1 100.00 cash
        to-betting T1 b1 big 10.00 small 5.00
        unbet    T1 b2 small 5.00
        round    6 5 1
        meter    T1 staked 10.00
        meter    T1 returned 20.00
        to-betting T1 b1 big 10.00
        void     dome-broken
        meter    T1 void-returned 10.00
        correct  1 1 1 2 by shift-manager Sam and pit-supervisor Sue
        recover  1 20.00 by shift-manager Sam
        meter    T1 recovered 20.00
        correct  1 6 5 1 by shift-manager Sam and pit-supervisor Sue
        meter    T1 corrected-in 20.00
        balance  T1 110.00
        ",
    );
}

#[test]
fn p_031_credit_by_one_person_is_bounded_until_somebody_else_has_counted_it() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT
        credit  T1 900000.00 attendant by dealer Dan
        money-duties 100.00 500.00
        credit  T1 900000000.00 attendant by dealer Dan    refused amount_too_large
        credit  T1 60.00 attendant by dealer Dan
        credit  T1 41.00 attendant by dealer Dan           refused second_person_needed
        credit  T1 41.00 cash by dealer Dan                refused second_person_needed
        credit  T1 40.00 cage by dealer Dan
        credit  T1 0.01 attendant by dealer Dan            refused second_person_needed
        credit  T1 41.00 attendant by dealer Dan and dealer Dan           refused not_authorised
        credit  T1 41.00 attendant by dealer Dan and pit-supervisor Sue
        credit  T1 501.00 attendant by dealer Dan and pit-supervisor Sue refused amount_too_large
        count-money   1 60.00 by dealer Dan                      refused not_authorised
        count-money   3 41.00 by pit-supervisor Sue              refused not_authorised
        count-money   1 59.00 by cashier Cat
        credit  T1 60.00 attendant by dealer Dan           refused second_person_needed
        count-money   1 60.00 by cashier Cat
        count-money   1 60.00 by cashier Cat                     refused no_such_entry
        credit  T1 60.00 attendant by dealer Dan
        ",
    );
}

#[test]
fn p_031_whoever_moved_money_does_not_count_it() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT
        money-duties 100.00 500.00
        credit  T1 60.00 cage by cashier Cat
        count-money   1 60.00 by cashier Cat                     refused same_person_twice
        transfer T1 60.00 by shift-manager Hal
        count-money   2 60.00 by shift-manager Hal               refused same_person_twice
        count-money   2 60.00 by cashier Cat
        count-money   1 60.00 by shift-manager Hal
        ",
    );
}

#[test]
fn p_031_limits_that_allow_much_take_two_persons() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT
        money-duties 0.00 1.00
        limits  min 5 max 500 by pit-manager Pam           refused second_person_needed
        limits  min 5 max 500 by pit-manager Pam and pit-supervisor Sue refused amount_too_large
        money-duties 0.00 900000000.00
        limits  min 5 max 500 by pit-manager Pam and pit-supervisor Sue
        money-duties 900000000.00 900000000.00
        limits  min 5 max 500 by pit-manager Pam
        ",
    );
}

/// Credit kept for somebody who left: one person pays it within the bound, as all else they
/// moved alone, and two pay any amount.
#[test]
fn p_031_kept_credit_beyond_the_bound_is_paid_by_two() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT
        station T2 LAYOUT
        credit  T1 1000.00
        credit  T2 1000.00
        to-betting
        bet T1 b1 big 10.00
        bet T2 b2 big 60.00
        round 1 1 2
        transfer T1 990.00
        transfer T2 940.00
        credit  T1 50.00
        credit  T2 50.00
        to-betting
        round 1 1 2
        correct 1 6 5 1 by director Dora and pit-supervisor Sue
        money-duties 100.00 110.00
        unclaimed T1 20.00
        unclaimed T2 120.00
        pay-unclaimed 2 by shift-manager Sam                     refused second_person_needed
        pay-unclaimed 2 by shift-manager Sam and dealer Dan      refused not_authorised
        pay-unclaimed 2 by shift-manager Sam and shift-manager Sam refused same_person_twice
        pay-unclaimed 2 by shift-manager Sam and pit-supervisor Sue
        unclaimed T2 0
        credit  T2 90.00 attendant by shift-manager Sam
        pay-unclaimed 1 by shift-manager Sam                     refused second_person_needed
        count-money 1 90.00 by cashier Cat
        pay-unclaimed 1 by shift-manager Sam
        unclaimed T1 0
        credit  T2 90.00 attendant by shift-manager Sam          refused second_person_needed
        credit  T2 80.00 attendant by shift-manager Sam
        ",
    );
}

#[test]
fn p_031_an_overpayment_beyond_the_bound_is_waived_by_two() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT
        credit  T1 1000.00
        to-betting
        bet T1 b1 big 60.00
        round 6 5 1
        correct 1 1 1 2 by pit-supervisor Sue and dealer Dan
        money-duties 100.00 110.00
        waive 1 a friend by shift-manager Sam                    refused second_person_needed
        waive 1 a friend by shift-manager Sam and dealer Dan     refused not_authorised
        waive 1 goodwill by shift-manager Sam and pit-supervisor Sue
        waive 1 goodwill by shift-manager Sam and pit-supervisor Sue refused no_such_recoverable
        ",
    );
}
