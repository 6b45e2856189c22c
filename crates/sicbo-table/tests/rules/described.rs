//! What the documents define and describe, as it is in play: not the sentence
//! of the rule book, but what would go wrong at the table without it
//! (requirements A.2, A.3).

use sicbo_table::views::PublicState;

use crate::rules::script::{ALL, check, check_each};

/// The books that are played at terminals.
const ELECTRONIC: [(&str, &str); 3] = [("rws-etg", ""), ("rws-open-cover", ""), ("mbs-etg", "")];

#[test]
fn r_010_a_bet_of_one_book_is_a_wager_of_another_and_is_taken_and_paid_alike() {
    check_each(
        &ELECTRONIC,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting
        bet     T1 b1 small 10.00 total:10 10.00   registered
        atrisk  T1 20.00
        round   2 3 5
        atrisk  T1 0
        balance T1 175.00
        ",
    );
}

#[test]
fn r_012_what_players_lose_is_the_houses_and_what_they_win_comes_from_it() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT 100.00
        station T2 LAYOUT 100.00
        to-betting T1 b1 small 10.00
        bet     T2 b1 big 5.00
        round   6 5 4
        house   5.00
        ",
    );
}

#[test]
fn r_013_dealer_pit_supervisor_and_pit_manager_are_the_pit_and_nobody_else_is() {
    for who in ["dealer Dan", "pit-supervisor Sue", "pit-manager Max"] {
        check_each(
            &[("rws-etg", "5.10"), ("rws-open-cover", "5.10")],
            &format!(
                "
                table   BOOK
                station T1 LAYOUT
                to-betting
                hold    a cat on the layout by {who}   pending uncovered RULE
                "
            ),
        );
    }
    for who in [
        "cashier Cam",
        "technician Tea",
        "auditor Ann",
        "regulator Rex",
        "trainer Tom",
        "surveillance Eve",
    ] {
        check_each(
            &[("rws-etg", ""), ("rws-open-cover", "")],
            &format!(
                "
                table   BOOK
                station T1 LAYOUT
                to-betting
                hold    a cat on the layout by {who}   refused not_authorised
                "
            ),
        );
    }
}

#[test]
fn r_033_r_034_dice_under_the_cover_are_read_only_once_it_is_taken_off() {
    for (book, rule) in [
        ("rws-etg", "3.6"),
        ("mbs-table", "3.8"),
        ("mbs-etg", "3.4"),
        ("quang-nam-table", "3.3 (Q-46)"),
    ] {
        check_each(
            &[(book, rule)],
            "
            table   BOOK
            station T1 LAYOUT
            to-closed
            dice    1 2 3   refused uncover_first RULE
            flat            refused uncover_first RULE
            to-visible
            flat
            dice    1 2 3
            ",
        );
    }
    // Where nothing is covered nothing can be uncovered.
    check(
        "
        table   rws-open-cover
        station T1 a
        to-closed
        uncover   refused no_cover
        ",
    );
}

#[test]
fn q_46_the_dome_is_of_glass_and_its_cover_is_opaque() {
    // What breaks voids the round (7.6); what is under the cover is not seen.
    check(
        "
        table   quang-nam-table
        station S1 a 100.00
        to-betting S1 b1 big 10.00
        to-closed
        dice    6 5 1             refused uncover_first quang-nam-table 3.3 (Q-46)
        void    dome-broken       void quang-nam-table 7.6 (Q-46)
        purse   S1 100.00
        last    no-result
        ",
    );
}

/// The words on the wall after a script.
fn words(script: &str) -> Option<String> {
    PublicState::of(&check(script).table).and_then(|wall| wall.words)
}

#[test]
fn r_056_q_48_the_wall_says_the_words_of_the_book_while_they_hold() {
    for (book, layout, call, close) in [
        ("rws-etg", "a", "Place Your Bets", "No More Bets"),
        ("rws-open-cover", "a", "Place Your Bets", "No More Bets"),
        ("mbs-table", "a", "Place your bets, please", "No more bets"),
        ("mbs-etg", "rapid", "Place your bets", "No more bets"),
        (
            "quang-nam-table",
            "a",
            "Mời đặt cược",
            "không đặt cược thêm",
        ),
    ] {
        let idle = format!("table {book}\n station T1 {layout}");
        assert_eq!(words(&idle), None, "{book}");
        let betting = format!("{idle}\n to-betting");
        assert_eq!(words(&betting).as_deref(), Some(call), "{book}");
        let closed = format!("{betting}\n to-closed");
        assert_eq!(words(&closed).as_deref(), Some(close), "{book}");
        let ended = format!("{betting}\n round 1 2 4");
        assert_eq!(words(&ended), None, "{book}");
    }
}

#[test]
fn r_193_a_wrong_display_changes_nothing_the_dice_prevail() {
    check(
        "
        each    rws-etg | rws-open-cover
        table   BOOK
        station T1 LAYOUT 100.00
        to-betting T1 b1 big 20.00
        round   3 3 4                 # shown everywhere; the dice show 3 3 5
        balance T1 80.00
        last    3 3 4
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        last    3 3 5
        balance T1 120.00
        house   -20.00
        ",
    );
}

#[test]
fn q_11_whatever_interrupts_a_terminal_its_registered_bet_is_settled() {
    // Its line is lost for good or for a moment, the table's device stops, the
    // whole house goes dark: 5.9 says "power failure", and each counts alike.
    let lost = "disconnect T1\n to-closed\n to-visible";
    let back = "disconnect T1\n connect T1\n to-closed\n to-visible";
    let stopped = "device-failure screen of T1 is dark   pending technical-stop\n \
                   rule technical-stop not-affected by pit-supervisor Sue\n \
                   to-closed\n to-visible";
    let dark = "to-closed\n to-visible\n interrupt power cut   pending interrupted\n \
                confirm-interruption in-place by dealer Dan and pit-supervisor Sue";
    let console = "to-closed\n to-visible\n device-failure console froze   pending technical-stop\n \
                   rule technical-stop affected by pit-supervisor Sue   pending interrupted\n \
                   confirm-interruption in-place by dealer Dan and pit-supervisor Sue";
    for how in [lost, back, stopped, dark, console] {
        check(&format!(
            "
            table   mbs-etg
            station T1 rapid 100.00
            to-betting
            bet     T1 b1 big 10.00   registered
            {how}
            to-result 6 5 1
            balance T1 110.00
            last    6 5 1
            "
        ));
    }
}
