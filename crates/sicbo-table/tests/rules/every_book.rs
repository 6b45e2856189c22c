//! What holds at every table, whatever its book: limits, stops and the order
//! of reading dice, tried under each of the five. A rule that is tested under
//! one book only could be lost under another unseen.

use crate::rules::script::{ALL, check, check_each};

#[test]
fn a_table_that_is_suspended_begins_no_round_under_any_book() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT
        suspend leak in the ceiling
        open       refused table_suspended
        activate   refused table_suspended
        resume     by pit-supervisor Sue
        to-betting
        phase   betting
        ",
    );
}

#[test]
fn p_032_the_exposure_of_the_house_is_bounded_under_every_book() {
    check_each(
        &ALL,
        "
        table   BOOK min 5 max 500 exposure 100
        station T1 LAYOUT 1000.00
        to-betting
        bet     T1 b1 big 100.00                   registered
        bet     T1 b2 big 5.00                     refused exposure_above_maximum
        bet     T1 b3 big 10.00 any-triple 5.00    refused exposure_above_maximum
        atrisk  T1 100.00
        ",
    );
}

#[test]
fn r_017_no_terminal_bets_more_than_its_credit_under_any_book() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 20.00
        to-betting
        bet     T1 b1 big 15.00    registered
        bet     T1 b2 small 6.00   refused insufficient_credit
        bet     T1 b3 small 5.00   registered
        balance T1 0
        ",
    );
}

#[test]
fn p_022_a_second_reading_that_the_house_asks_for_is_asked_for_under_every_book() {
    check_each(
        &ALL,
        "
        table   BOOK second always
        station T1 LAYOUT
        to-visible
        flat
        dice    1 2 4
        confirm                             refused second_reading_needed
        second  1 2 4 by pit-supervisor Sue
        confirm
        ",
    );
}

#[test]
fn r_062_no_dice_are_read_before_they_were_seen_to_lie_flat_under_any_book() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT
        to-visible
        dice    1 2 4   refused flat_first
        flat
        dice    1 2 4
        ",
    );
}

#[test]
fn r_200_a_round_that_is_held_goes_no_further_under_any_book() {
    for (book, decider) in [
        ("rws-etg", "shift-manager Sam"),
        ("rws-open-cover", "shift-manager Sam"),
        ("mbs-table", "shift-manager Sam"),
        ("mbs-etg", "shift-manager Sam"),
        ("quang-nam-table", "director Dora"),
    ] {
        check_each(
            &[(book, "")],
            &format!(
                "
                table   BOOK
                station T1 LAYOUT 100.00
                to-betting
                bet     T1 b1 big 10.00     registered
                hold    a cat on the layout
                bet     T1 b2 big 10.00     refused decision_pending
                close                       refused decision_pending
                rule    uncovered conclude by {decider}
                bet     T1 b2 big 10.00     registered
                "
            ),
        );
    }
}

#[test]
fn r_123_a_section_that_is_not_offered_is_refused_under_every_book() {
    // Layouts with every section have nothing to refuse; these lack some.
    for (book, layout, section) in [
        ("rws-etg", "a", "three-single:126"),
        ("rws-open-cover", "a", "three-single:126"),
        ("mbs-etg", "alfastreet", "odd"),
        ("quang-nam-table", "a", "odd"),
    ] {
        check(&format!(
            "
            table   {book}
            station T1 {layout} 100.00
            to-betting
            bet     T1 b1 {section} 10.00   refused not_offered
            atrisk  T1 0
            "
        ));
    }
}

#[test]
fn r_054_no_bet_after_the_close_under_any_book() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting
        bet     T1 b1 big 10.00   registered
        to-closed
        bet     T1 b2 big 10.00   refused bets_closed
        unbet   T1 b3 big 10.00   refused bets_closed
        atrisk  T1 10.00
        ",
    );
}
