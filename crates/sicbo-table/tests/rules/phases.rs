//! The order of play (requirements A.2, A.4, Q-01 to ).

use sicbo_rules::{RuleBook, Section};
use sicbo_table::ids::StationId;
use sicbo_table::views::PublicState;
use sicbo_table::views::settlement::lines_of;

use crate::rules::script::{ALL, Runner, check, check_each};

#[test]
fn r_019_an_invalid_tumble_has_no_total() {
    check_each(
        &[
            ("rws-etg", "5.3.1 (Q-33)"),
            ("rws-open-cover", "5.3.1 (Q-33)"),
            ("mbs-table", "5.1 (Q-33)"),
            ("mbs-etg", "5.1 (Q-33)"),
            ("quang-nam-table", "7.2 (Q-33)"),
        ],
        "
        table   BOOK
        station T1 LAYOUT
        to-tumble
        tumble  2
        flat                  refused only_void_possible RULE
        dice    1 2 3         refused only_void_possible RULE
        confirm               refused only_void_possible RULE
        last    nothing
        ",
    );
}

#[test]
fn r_021_the_tumbler_may_be_a_machine_or_worked_by_hand() {
    check_each(
        &ALL,
        "
        table    BOOK
        station  T1 LAYOUT
        to-tumble
        activate   by device tumbler
        tumbled  3 by device tumbler
        ",
    );
    check_each(
        &ALL,
        "
        table    BOOK
        station  T1 LAYOUT
        to-tumble
        activate
        tumbled  3
        tumbled  3   refused already_done
        ",
    );
}

#[test]
fn r_050_the_notice_for_bets_opens_the_round() {
    check_each(
        &[("rws-etg", ""), ("rws-open-cover", "")],
        "
        table   BOOK
        station T1 LAYOUT
        credit  T1 100.00
        bet     T1 b1 big 5.00 round 1   refused wrong_round
        open
        said    RoundBegan
        said    BetsCalled
        phase   betting
        bet     T1 b1 big 5.00           registered
        ",
    );
}

#[test]
fn r_051_the_dealers_call_opens_the_round() {
    check(
        "
        table   mbs-table
        station S1 a
        fund    S1 100.00
        open
        said    RoundBegan
        phase   betting
        bet     S1 b1 big 5.00   registered
        ",
    );
}

#[test]
fn r_052_the_round_opens_when_it_has_tumbled_and_shows_the_notice() {
    check(
        "
        table    mbs-etg
        station  T1 rapid
        credit   T1 100.00
        open                      refused tumble_first mbs-etg 3.1 (Q-01)
        rounds   0
        activate
        said     RoundBegan
        phase    prepared
        open                      refused tumble_first mbs-etg 3.1 (Q-01)
        bet      T1 b1 big 5.00   refused wrong_phase
        tumbled  3
        bet      T1 b1 big 5.00   refused wrong_phase
        open
        phase    betting
        bet      T1 b1 big 5.00   registered
        ",
    );
}

#[test]
fn r_053_the_formal_round_opens_at_no_more_bets() {
    // quang-nam 2.1: until the announcement no round has commenced, so the one
    // before is still corrected at the table, by its dealer and a supervisor.
    let run = check(
        "
        table   quang-nam-table
        station S1 a
        fund    S1 100.00
        to-betting
        bet     S1 b1 big 10.00
        round   3 3 4
        purse   S1 90.00
        open
        rounds  2
        bet     S1 b2 small 5.00
        correct 1 3 3 5 by dealer Dan and dealer Dee     refused not_authorised
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        purse   S1 105.00          # 20.00 in chips, 5.00 on the layout
        atrisk  S1 5.00
        tumble  3
        correct 1 3 3 6 by pit-supervisor Sue and dealer Dan
        close
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan     refused not_authorised quang-nam-table 7.8
        correct 1 3 3 4 by director Dora and pit-supervisor Sue
        recoverable S1 20.00
        ",
    );
    assert_eq!(run.table.last_started.0, 2);
    // Elsewhere the call for bets is the start of the round.
    check_each(
        &ALL[..4],
        "
        table   BOOK
        station T1 LAYOUT
        to-betting
        round   3 3 4
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        to-betting
        correct 1 3 3 6 by pit-supervisor Sue and dealer Dan     refused not_authorised
        correct 1 3 3 6 by shift-manager Sam and pit-supervisor Sue
        ",
    );
}

#[test]
fn q_04_a_record_void_before_no_more_bets_was_no_later_round() {
    let run = check(
        "
        table   quang-nam-table
        station S1 a
        fund    S1 100.00
        to-betting
        bet     S1 b1 big 10.00
        round   3 3 4
        open
        tumble  3
        void    dice-exposed-early
        rounds  2
        correct 1 3 3 5 by pit-supervisor Sue and dealer Dan
        purse   S1 110.00
        ",
    );
    assert_eq!(run.table.last_started.0, 1);
    // The dice were tumbled again: nobody reads the first round's any more.
    assert_eq!(run.table.dice_in_place().map(|round| round.0), Some(2));
}

#[test]
fn q_04_dice_can_be_read_until_a_new_tumble_whatever_the_round_is_called() {
    let dice_of = |script: &str| {
        let run = check(script);
        (
            run.table.last_started.0,
            run.table.dice_in_place().map(|round| round.0),
        )
    };
    let played = "table quang-nam-table\nstation S1 a\nto-betting\nround 3 3 4\nopen\n";
    assert_eq!(dice_of(played), (1, Some(1)), "bets are taken");
    let tumbled = format!("{played}activate\n");
    assert_eq!(dice_of(&tumbled), (1, None), "still the same round");
    // mbs-etg tumbles first: its next round has not started, its dice are gone.
    let played = "table mbs-etg\nstation T1 rapid\nto-betting\nround 3 3 4\n";
    assert_eq!(dice_of(played), (1, Some(1)));
    let tumbled = format!("{played}activate\n");
    assert_eq!(dice_of(&tumbled), (1, None));
    let called = format!("{played}tumble 3\nopen\n");
    assert_eq!(dice_of(&called), (2, None));
    // Other dice are in the tumbler.
    let changed = format!("{played}dice-set set-2 by pit-supervisor Sue and dealer Dan\n");
    assert_eq!(dice_of(&changed), (1, None));
}

#[test]
fn q_04_one_record_spans_betting_and_the_formal_round() {
    check(
        "
        table   quang-nam-table
        station S1 a
        fund    S1 100.00
        open
        said    RoundBegan
        bet     S1 b1 big 5.00   registered
        rounds  1
        tumble  3
        close
        rounds  1
        atrisk  S1 5.00
        uncover
        to-result 6 5 4
        rounds  1
        purse   S1 105.00
        ",
    );
}

#[test]
fn r_057_three_tumbles_or_more_are_valid() {
    for count in 0..=u8::MAX {
        let fact = if count < 3 {
            "refused only_void_possible"
        } else {
            ""
        };
        check_each(
            &[("rws-etg", ""), ("mbs-etg", ""), ("quang-nam-table", "")],
            &format!("table BOOK\n station T1 LAYOUT\n tumble {count}\n open {fact}"),
        );
        check(&format!(
            "table mbs-table\n station S1 a\n open\n tumble {count}\n close {fact}"
        ));
        check(&format!(
            "table rws-open-cover\n station T1 a\n open\n to-closed\n tumble {count}\n flat {fact}"
        ));
    }
}

#[test]
fn q_33_a_die_that_sticks_has_not_tumbled() {
    check_each(
        &[
            ("rws-etg", "5.3.1 (Q-33)"),
            ("rws-open-cover", "5.3.1 (Q-33)"),
            ("mbs-table", "5.1 (Q-33)"),
            ("mbs-etg", "5.1 (Q-33)"),
            ("quang-nam-table", "7.2 (Q-33)"),
        ],
        "
        table   BOOK
        station T1 LAYOUT
        to-tumble
        tumble  5 stuck
        flat                   refused only_void_possible RULE
        void    too-few-tumbles   void RULE
        ",
    );
}

#[test]
fn r_058_the_dice_tumble_under_cover() {
    check(
        "
        table   rws-etg
        station T1 a
        tumble  3
        uncover              refused wrong_phase
        open
        uncover              refused wrong_phase
        close
        uncover              refused wrong_phase   # not every terminal has shown it
        ack     T1
        flat                 refused uncover_first rws-etg 3.6
        dice    1 2 3        refused uncover_first rws-etg 3.6
        uncover
        uncover              refused already_done
        flat
        ",
    );
}

#[test]
fn r_059_the_open_tumbler_runs_only_after_every_terminal_shows_the_close() {
    check(
        "
        table    rws-open-cover
        station  T1 a
        station  T2 b
        activate           refused tumbler_locked rws-open-cover 5.3.3 (Q-01)
        open
        activate           refused tumbler_locked rws-open-cover 5.3.3 (Q-01)
        close
        activate           refused tumbler_locked rws-open-cover 5.3.3 (Q-01)
        ack      T1
        activate           refused tumbler_locked rws-open-cover 5.3.3 (Q-01)
        fence    T2
        activate
        uncover            refused no_cover
        ",
    );
}

#[test]
fn r_060_the_tumbler_runs_before_betting_is_offered() {
    check(
        "
        table    mbs-etg
        station  T1 rapid
        open               refused tumble_first mbs-etg 3.1 (Q-01)
        tumble   3
        open
        activate           refused already_done
        ",
    );
}

#[test]
fn r_061_the_tumbler_runs_before_the_close_and_is_uncovered_after_it() {
    check(
        "
        table    mbs-table
        station  S1 a
        open
        close              refused tumble_first mbs-table 3.6, 3.7 (Q-01)
        activate
        close              refused tumble_first mbs-table 3.6, 3.7 (Q-01)
        tumbled  3
        uncover            refused wrong_phase
        close
        deal
        uncover
        ",
    );
    // 3.6 sets no start: also before the call.
    check(
        "
        table    mbs-table
        station  S1 a
        activate
        open               refused tumble_first mbs-table 3.6, 3.7 (Q-01)
        tumbled  3
        bet      S1 b1 big 5.00   refused wrong_phase
        open
        activate           refused already_done
        bet      S1 b1 big 5.00
        close
        activate           refused already_done
        deal
        uncover
        ",
    );
}

#[test]
fn r_062_the_dealer_checks_that_the_dice_lie_flat_before_a_result() {
    check_each(
        &[
            ("rws-etg", "3.7"),
            ("rws-open-cover", "3.7"),
            ("mbs-table", "3.8"),
            ("mbs-etg", "3.4"),
            ("quang-nam-table", "7.4"),
        ],
        "
        table   BOOK
        station T1 LAYOUT
        to-betting
        to-closed
        to-visible
        dice    1 2 3   refused flat_first RULE
        confirm         refused flat_first RULE
        flat
        flat            refused already_done
        dice    1 2 3
        ",
    );
}

#[test]
fn r_063_the_result_is_what_the_three_dice_show() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT
        fund    T1 100.00
        to-betting
        bet     T1 b1 total:11 5.00 triple:4 5.00
        to-closed
        to-visible
        to-result 4 3 4
        last    4 3 4
        ",
    );
}

#[test]
fn r_064_the_result_is_keyed_and_can_be_taken_back_until_confirmed() {
    check_each(
        &ALL,
        "
        table   BOOK
        station T1 LAYOUT
        to-betting
        to-closed
        to-visible
        flat
        confirm            refused dice_first
        clear-keys         refused dice_first
        dice    6 1 2
        said    DiceKeyed
        clear-keys
        confirm            refused dice_first
        dice    6 1 3
        dice    6 1 2
        confirm
        ",
    );
}

#[test]
fn r_065_nothing_is_taken_or_paid_before_the_winning_areas_are_lit() {
    check(
        "
        table   quang-nam-table
        station S1 a
        fund    S1 100.00
        to-betting
        bet     S1 b1 big 10.00 small 5.00
        close
        uncover
        flat
        lights  on      refused dice_first
        pay             refused dice_first
        dice    6 5 1
        lights  on      refused dice_first
        confirm
        said    ResultConfirmed
        phase   closed
        atrisk  S1 15.00
        dice    6 5 1   refused already_done
        pay             refused lights_first quang-nam-table 3.2, 4.8
        lights  on
        lights  on      refused already_done
        pay             settled
        atrisk  S1 0
        purse   S1 105.00
        ",
    );
    check_each(
        &[
            ("rws-etg", ""),
            ("rws-open-cover", ""),
            ("mbs-table", ""),
            ("mbs-etg", ""),
        ],
        "
        table   BOOK
        lights  on   refused no_lights
        pay          refused no_lights
        ",
    );
}

#[test]
fn r_065_what_lies_on_a_lit_area_is_paid_and_what_lies_on_an_unlit_one_is_taken() {
    let layout = &RuleBook::named("quang-nam-table").expect("a book").layouts[0];
    let sections: Vec<Section> = Section::ALL
        .into_iter()
        .filter(|s| layout.offers(*s))
        .collect();
    let bets: String = sections.iter().map(|s| format!(" {s} 10.00")).collect();
    for dice in ["1 2 4", "6 5 1", "3 3 5", "2 2 2"] {
        let before = format!(
            "
            table   quang-nam-table exposure 100000000
            station S1 a
            fund    S1 10000.00
            to-betting
            bet     S1 b1{bets}
            to-closed
            to-visible
            flat
            dice    {dice}
            "
        );
        // Before the numbers are complete nothing is lit, and nothing is taken.
        let run = check(&before);
        let lit = |run: &Runner| PublicState::of(&run.table).expect("a wall").lit;
        assert!(lit(&run).is_empty(), "{dice}");
        let run = check(&format!("{before}\n confirm\n pay refused lights_first"));
        let (_, lit) = lit(&run).pop_first().expect("a layout");
        assert!(run.table.last_record.is_none(), "nothing was taken or paid");
        let run = check(&format!("{before}\n confirm\n lights on\n pay settled"));
        let record = run.table.last_record.as_deref().expect("an ended round");
        for line in lines_of(record, record.station(StationId(0)).unwrap()) {
            let (paid, taken) = (line.returned > line.stake, line.returned == 0);
            let on = lit.contains(&line.section);
            assert_eq!((paid, taken), (on, !on), "{dice}: {}", line.section);
        }
    }
}

#[test]
fn r_067_the_round_ends_when_all_is_settled() {
    check_each(
        &[
            ("rws-etg", ""),
            ("rws-open-cover", ""),
            ("mbs-table", ""),
            ("mbs-etg", ""),
        ],
        "
        table   BOOK
        station T1 LAYOUT
        fund    T1 100.00
        to-betting
        bet     T1 b1 big 5.00
        to-closed
        to-visible
        flat
        dice    6 5 1
        phase   closed
        confirm           settled
        phase   idle
        atrisk  T1 0
        confirm           refused no_round
        ",
    );
    check(
        "
        table   quang-nam-table
        station S1 a
        to-betting
        to-closed
        to-visible
        flat
        dice    6 5 1
        confirm
        phase   closed
        lights  on
        pay               settled
        phase   idle
        ",
    );
}

#[test]
fn r_068_a_round_without_bets_is_a_round_with_a_result() {
    check_each(
        &ALL,
        "
        table   BOOK
        to-betting
        to-closed
        to-visible
        to-result 3 3 3
        rounds  1
        last    3 3 3
        house   0
        to-betting
        rounds  2
        ",
    );
}

#[test]
fn q_01_each_book_has_its_own_window_for_the_tumble() {
    for (id, idle, betting, closed) in [
        ("rws-etg", true, true, true),
        ("rws-open-cover", false, false, true),
        ("mbs-table", true, true, false),
        ("quang-nam-table", true, true, true),
    ] {
        let says = |allowed: bool| {
            if allowed {
                ""
            } else {
                "refused tumbler_locked"
            }
        };
        let book = [(id, "")];
        let table = "table BOOK\n station T1 LAYOUT\n";
        check_each(&book, &format!("{table} activate {}", says(idle)));
        check_each(&book, &format!("{table} open\n activate {}", says(betting)));
        if closed {
            check_each(&book, &format!("{table} open\n to-closed\n activate"));
        }
    }
    // mbs-etg tumbles first, so the other moments find it done.
    check("table mbs-etg\n activate\n tumbled 3\n open\n activate refused already_done");
    // Between the two steps of the close nothing runs.
    check(
        "table rws-etg\n station T1 a\n open\n close\n activate refused tumbler_locked rws-etg 3.6 (Q-01)",
    );
}

#[test]
fn q_02_the_deal_button_confirms_the_close_and_starts_nothing() {
    check(
        "
        table   mbs-table
        station S1 a
        open
        tumble  3
        deal      refused wrong_phase
        close
        phase   closed
        uncover   refused deal_first mbs-table 3.7 (Q-02)
        deal
        deal      refused already_done
        uncover
        ",
    );
    check_each(
        &[
            ("rws-etg", ""),
            ("rws-open-cover", ""),
            ("mbs-etg", ""),
            ("quang-nam-table", ""),
        ],
        "table BOOK\n deal refused no_deal_button",
    );
}

#[test]
fn q_03_a_misfire_before_betting_leaves_a_void_round_on_record() {
    check(
        "
        table   mbs-etg
        station T1 rapid
        tumble  1
        said    TumbleEnded
        rounds  1
        open                      refused only_void_possible mbs-etg 5.1 (Q-33)
        void    too-few-tumbles   void mbs-etg 5.1 (Q-33)
        last    no-result
        tumble  3
        rounds  2
        ",
    );
}

#[test]
fn q_05_quang_nam_shakes_before_during_or_after_betting() {
    for order in [
        "tumble 3\n open\n close",
        "open\n tumble 3\n close",
        "open\n close\n tumble 3",
    ] {
        check(&format!(
            "table quang-nam-table\n station S1 a\n fund S1 50.00\n {order}\n uncover\n to-result 1 2 3\n last 1 2 3"
        ));
    }
    check(
        "
        table   quang-nam-table
        open
        activate
        close      refused tumble_first quang-nam-table Q-05
        tumbled 3
        close
        ",
    );
}
