//! The close of bets, and what waits for the next round.

use crate::rules::script::{check, check_each};

const ELECTRONIC: [(&str, &str); 3] = [
    ("rws-etg", "3.5"),
    ("rws-open-cover", "3.5"),
    ("mbs-etg", "5.7"),
];

#[test]
fn r_054_no_bet_after_the_terminal_shows_no_more_bets() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting
        bet     T1 b1 big 5.00     registered
        close
        ack     T1
        phase   closed
        bet     T1 b2 small 5.00   refused bets_closed RULE
        bet     T1 b3 big 5.00     refused bets_closed RULE
        bet     T1 b1 big 5.00     again        # was registered before: told so
        atrisk  T1 5.00
        ",
    );
}

#[test]
fn r_055_the_announcement_closes_and_the_deal_button_follows() {
    check(
        "
        table   mbs-table
        station S1 a 100.00
        open
        tumble  3
        bet     S1 b1 big 5.00     registered
        deal                       refused wrong_phase
        close
        phase   closed
        bet     S1 b2 small 5.00   refused bets_closed mbs-table 5.6
        deal
        ",
    );
}

#[test]
fn q_13_closing_waits_for_every_terminal_and_loses_no_bet_in_flight() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT 100.00
        station T3 LAYOUT 100.00
        to-betting
        disconnect T3
        bet     T3 b1 big 5.00            registered   # reached us all the same
        close                             by house     # the betting clock
        phase   closing
        close                             refused wrong_phase
        bet     T1 b1 big 5.00            registered   # sent before T1 showed it
        bet     T3 b2 big 5.00            refused station_fenced
        ack     T1
        ack     T1                        again
        phase   closing
        bet     T1 b2 big 5.00            refused bets_closed RULE
        unbet   T1 b3 big 5.00            refused bets_closed
        bet     T2 b1 small 5.00          registered
        flat                              refused wrong_phase
        fence   T2
        phase   closed
        fence   T2                        by house     again
        fence   T1                        by house     again
        ack     T2                        refused station_fenced
        bet     T2 b2 small 5.00          refused station_fenced
        bet     T2 b1 small 5.00          again
        atrisk  T1 5.00
        atrisk  T2 5.00
        atrisk  T3 5.00
        round   6 5 1
        balance T1 105.00
        balance T2 95.00
        balance T3 105.00
        connect T3
        to-betting                                     # nobody stays cut off
        bet     T2 b1 big 5.00            registered
        bet     T3 b1 big 5.00            registered
        close
        ack     T3
        ack     T2
        ack     T1
        phase   closed
        ",
    );
    // An announcement needs no answer.
    check(
        "
        each    mbs-table | quang-nam-table
        table   BOOK
        station S1 LAYOUT
        to-betting
        close
        phase   closed
        ",
    );
}

#[test]
fn q_14_settlement_is_on_the_books_of_a_terminal_that_is_dead() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT
        to-betting T1 b1 big 5.00
        to-closed
        disconnect T1
        disconnect T2
        round   6 5 1
        balance T1 105.00
        connect T1
        balance T1 105.00
        ",
    );
}

#[test]
fn r_005_a_rule_book_change_waits_for_the_next_round() {
    // The layouts keep their names, whatever their order in the next book.
    check(
        "
        table   rws-etg tumble after-close
        station T1 c 100.00
        open
        bet     T1 b1 total:11 5.00
        rulebook rws-open-cover
        book    rws-etg
        to-closed
        tumble  3
        uncover
        to-result 4 3 4
        book    rws-etg
        balance T1 130.00            # 6 to 1 on Appendix C
        activate                     refused tumbler_locked rws-open-cover 5.3.3 (Q-01)
        station T2 a
        open
        book    rws-open-cover
        bet     T1 b1 total:11 5.00
        to-closed
        tumble  3
        uncover                      refused no_cover
        to-result 4 3 4
        balance T1 160.00
        correct 1 1 1 2  by shift-manager Sam and pit-supervisor Sue
        said    ResultCorrected
        recoverable T1 35.00
        ",
    );
    // Stations and limits must fit the book that is to come.
    check(
        "
        table    mbs-etg
        station  T1 alfastreet
        rulebook rws-etg             refused layout_missing
        table    mbs-etg             refused table_already_open
        ",
    );
    check(
        "
        table    rws-etg tumble after-close
        station  T1 a
        rulebook rws-open-cover
        station  T2 z only           refused layout_missing
        limits   min 5 max 500 step 0.50  by pit-manager Pam   refused config_faulty
        ",
    );
}

#[test]
fn q_13_only_the_house_hears_and_fences_and_only_at_the_close() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT
        station T2 LAYOUT
        to-betting
        ack     T1                        refused wrong_phase
        fence   T1                        refused wrong_phase
        disconnect T1 by dealer Dan       refused not_your_station
        connect T1    by station T1       refused not_your_station
        connect T1                        again
        close
        fence   T1    by dealer Dan       refused not_your_station
        fence   T1    by station T2       refused not_your_station
        station T3 LAYOUT                 # comes too late to be asked
        ack     T3                        refused wrong_phase
        fence   T3                        refused wrong_phase
        ack     T1
        ack     T2
        phase   closed
        ack     T3                        refused wrong_phase
        ",
    );
    check("table mbs-etg\n suspend\n suspend refused already_done");
}

/// Deadlines follow the steady clock: what is under way is finished, and no
/// round begins until somebody has looked at the clock that parted.
#[test]
fn no_round_begins_while_the_clocks_have_parted() {
    for (begin, books) in [
        ("open", &[("rws-etg", ""), ("rws-open-cover", "")][..]),
        ("activate", &[("mbs-etg", "")][..]),
    ] {
        let script = "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting
        clock-parted 1                   by dealer Dan   refused not_your_station
        clock-parted 1
        clock-parted 2                   again
        bet     T1 b1 big 5.00           registered
        round   1 2 3
        BEGIN                            refused clock_parted
        clock-set 1                      by pit-supervisor Sue   refused not_your_station
        clock-set 1
        clock-set 1                      again
        to-betting
        bet     T1 b2 big 5.00           registered
        ";
        check_each(books, &script.replace("BEGIN", begin));
    }
    // Where chips are played it is no different.
    check(
        "
        each    mbs-table | quang-nam-table
        table   BOOK
        station T1 LAYOUT
        to-betting
        clock-parted 1
        round   1 2 3
        open                             refused clock_parted
        clock-set 1
        to-betting
        ",
    );
}

#[test]
fn p_020_a_clock_that_is_set_leaves_the_time_a_tumble_has_taken() {
    let before = check("table rws-etg\n activate\n tumbled 3\n open");
    let after =
        check("table rws-etg\n activate\n tumbled 3\n open\n clock-parted 1\n clock-set 100000");
    let taken = |table: &sicbo_table::Table| {
        let round = table.round.as_deref().expect("a round");
        (
            round.opened_ms.expect("called"),
            round.activated_ms.expect("tumbled"),
        )
    };
    let ((called, ran), (called_then, ran_then)) = (taken(&before.table), taken(&after.table));
    assert_ne!(called, called_then, "the clock was set");
    assert_eq!(called - ran, called_then - ran_then);
}
