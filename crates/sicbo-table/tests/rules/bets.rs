//! Placing bets, layouts and pay tables (requirements A.5 to A.8, P-001, Q-40, Q-42, Q-53).

use sicbo_rules::{Exposure, RuleBook, Section};

use crate::rules::script::{ALL, check, check_each};

#[test]
fn r_070_any_or_all_sections_may_be_bet_at_once() {
    for book in RuleBook::all() {
        for layout in &book.layouts {
            let lines: Vec<String> = layout.sections().map(|s| format!("{s} 5.00")).collect();
            check(&format!(
                "table {} \n station T1 {}\n fund T1 1000\n to-betting\n bet T1 b1 {}\n atrisk T1 {}",
                book.id(),
                layout.id,
                lines.join(" "),
                lines.len() * 5
            ));
        }
    }
}

/// What each layout leaves out, from the appendices and pay tables.
fn left_out(layout: &str) -> &'static [&'static str] {
    match layout {
        "rws-etg/a" | "rws-open-cover/a" => &["three-single", "double-single"],
        "mbs-etg/alfastreet" | "quang-nam-table/a" => {
            &["odd", "even", "four", "three-single", "double-single"]
        }
        _ => &[],
    }
}

#[test]
fn r_123_a_section_not_on_the_layout_is_refused() {
    for book in RuleBook::all() {
        for layout in &book.layouts {
            let name = book.layout_name(layout);
            // Chips lie on an area where the player answers for that (004 4.3.1).
            let answers = book.play.player_answers.as_ref();
            let cite = answers.map_or(&layout.cite, |answers| &answers.cite);
            let rule = cite.full(book.id());
            let mut script = format!(
                "table {} \n station T1 {}\n fund T1 1000\n to-betting\n",
                book.id(),
                layout.id
            );
            for (i, section) in Section::ALL.iter().enumerate() {
                let kind = section.kind().to_string();
                let outcome = if left_out(&name).contains(&kind.as_str()) {
                    format!("refused not_offered {rule}")
                } else {
                    "registered".to_owned()
                };
                script.push_str(&format!("bet T1 b{i} {section} 5.00 {outcome}\n"));
            }
            check(&script);
        }
    }
}

const RWS: [(&str, &str); 2] = [("rws-etg", ""), ("rws-open-cover", "")];

#[test]
fn r_100_appendix_a_pays_by_pay_table_1() {
    check_each(
        &RWS,
        "
        table   BOOK
        station T1 a 100.00
        to-betting T1 b1 total:11 10.00 double:4 10.00
        bet     T1 b2 three-single:126 10.00   refused not_offered BOOK 4.1.1
        round   4 3 4
        balance T1 280.00     # 80 + 10 x 7.5 + 10 x 12.5
        ",
    );
}

#[test]
fn r_101_appendix_b_pays_by_pay_table_2() {
    check_each(
        &RWS,
        "
        table   BOOK
        station T1 b 100.00
        to-betting T1 b1 total:9 10.00 three-single:126 10.00 four:6543 10.00
        round   1 6 2
        balance T1 460.00     # 70 + 10 x 8 + 10 x 31
        ",
    );
}

#[test]
fn r_102_appendix_c_pays_by_pay_table_3() {
    check_each(
        &RWS,
        "
        table   BOOK
        station T1 c 100.00
        to-betting T1 b1 total:11 10.00 double:4 10.00 four:6543 10.00
        round   4 3 4
        balance T1 260.00     # 70 + 10 x 7 + 10 x 12
        ",
    );
}

#[test]
fn r_103_one_round_settles_under_several_pay_tables() {
    check_each(
        &RWS,
        "
        table   BOOK
        station T1 a 100.00
        station T2 b 100.00
        station T3 c 100.00
        to-betting T1 b1 total:8 10.00 any-triple 10.00
        bet     T2 b1 total:8 10.00 double-single:224 10.00
        bet     T3 b1 total:8 10.00 double-single:224 10.00
        round   2 4 2
        balance T1 175.00     # 80 + 10 x 9.5
        balance T2 685.00     # 80 + 10 x 9.5 + 10 x 51
        balance T3 680.00     # 80 + 10 x 9   + 10 x 51
        house   -1240.00
        ",
    );
}

#[test]
fn q_42_each_station_is_paid_by_its_own_layout_in_a_mixed_cluster() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        station T2 alfastreet 100.00
        to-betting T1 b1 big 5.00 odd 5.00
        bet     T2 b1 odd 5.00            refused not_offered mbs-etg Appendix B (Q-41)
        bet     T2 b1 big 5.00            registered
        round   6 6 1
        balance T1 110.00
        balance T2 105.00
        ",
    );
}

#[test]
fn r_066_winning_bets_are_paid_and_losing_bets_collected_by_the_pay_table() {
    check_each(
        &RWS,
        "
        table   BOOK
        station T1 b 100.00
        to-betting T1 b1 small 20.00 big 20.00
        round   1 1 2
        balance T1 100.00
        account house-bank 0
        meter   T1 staked 40.00
        meter   T1 returned 40.00
        ",
    );
}

#[test]
fn r_130_a_terminal_bets_for_itself_alone() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        station T2 rapid
        to-betting
        bet     T1 b1 big 5.00  by station T2         refused not_your_station
        bet     T1 b1 big 5.00  by dealer Dan         refused not_your_station
        bet     T1 b1 big 5.00  by director Dora      refused not_your_station
        bet     T1 b1 big 5.00  by house              refused not_your_station
        bet     T1 b1 big 5.00                        registered
        clear   T1 b2           by station T2         refused not_your_station
        ack     T1              by station T2         refused not_your_station
        ",
    );
}

#[test]
fn r_016_a_player_is_who_places_a_bet_in_the_round() {
    let run = check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        station T2 rapid 100.00
        station T3 rapid
        to-betting T1 b1 big 10.00
        bet     T2 b1 big 10.00
        clear   T2 b2                # and takes it back
        round   6 5 1
        ",
    );
    let players = &run.records[&1].stations;
    assert_eq!(players.len(), 1);
    assert_eq!(players[0].station.0, 0);
}

#[test]
fn r_131_the_limits_are_shown_at_every_moment_of_a_round() {
    let moments = [
        "",
        "to-betting",
        "to-betting\n to-closed",
        "to-betting\n to-closed\n to-visible",
        "to-betting\n void dice-damaged",
        "suspend",
    ];
    for book in RuleBook::all() {
        for layout in &book.layouts {
            for moment in moments {
                let run = check(&format!(
                    "table {} min 7 max 70\n station T1 {}\n {moment}",
                    book.id(),
                    layout.id
                ));
                let view = sicbo_table::views::TableInfo::of(&run.table).unwrap();
                for section in layout.sections() {
                    let shown = view
                        .limits
                        .iter()
                        .find(|limit| limit.kind == section.kind().key());
                    let limits = shown.map(|limit| (limit.minimum, limit.maximum));
                    assert_eq!(limits, Some((700, 7_000)), "{} {moment}", layout.id);
                }
            }
        }
    }
}

#[test]
fn r_136_a_bet_placed_in_error_stands_once_bets_are_closed() {
    check(
        "
        each    rws-etg 5.7 (Q-39) | rws-open-cover 5.7 (Q-39)
        table   BOOK
        station T1 a 100.00
        to-betting T1 b1 small 5.00
        to-closed
        unbet   T1 b2 small 5.00   refused bets_closed RULE
        clear   T1 b3              refused bets_closed RULE
        atrisk  T1 5.00
        ",
    );
}

#[test]
fn r_137_bets_are_settled_as_they_lay_at_the_close() {
    check_each(
        &RWS,
        "
        table   BOOK
        station T1 a 100.00
        to-betting T1 b1 small 5.00 big 10.00
        unbet   T1 b2 small 5.00
        bet     T1 b3 odd 5.00
        round   6 5 2
        balance T1 115.00
        ",
    );
}

#[test]
fn q_53_virtual_chips_are_the_registered_amounts_per_section() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 5.00 big 10.00 odd 5.00
        bet     T1 b2 big 5.00
        unbet   T1 b3 big 25.00     refused not_that_much_there
        unbet   T1 b3 big 20.00     registered
        unbet   T1 b3 big 20.00     again
        atrisk  T1 5.00
        clear   T1 b4
        clear   T1 b4               again
        clear   T1 b5               refused nothing_to_clear
        atrisk  T1 0
        balance T1 100.00
        exposure 0
        ",
    );
}

#[test]
fn r_142_no_wager_is_placed_increased_or_withdrawn_after_the_display() {
    check(
        "
        table   mbs-etg
        station T1 rapid 100.00
        to-betting T1 b1 big 5.00
        to-closed
        bet     T1 b2 small 5.00   refused bets_closed mbs-etg 5.7
        bet     T1 b3 big 5.00     refused bets_closed mbs-etg 5.7
        unbet   T1 b4 big 5.00     refused bets_closed mbs-etg 5.6
        clear   T1 b5              refused bets_closed mbs-etg 5.6
        atrisk  T1 5.00
        ",
    );
}

#[test]
fn q_40_the_limits_hold_in_every_book() {
    check_each(
        &ALL,
        "
        table   BOOK min 5 max 100 step 1 station 250 exposure 2000
        station T1 LAYOUT 1000.00
        to-betting
        bet     T1 b1 big 0.00                refused stake_not_positive
        bet     T1 b1 big -5.00               refused stake_not_positive
        bet     T1 b1 big 5.50                refused stake_off_step
        bet     T1 b1 big 4.00                refused stake_below_minimum
        bet     T1 b1 big 5.00                registered
        bet     T1 b2 big 96.00               refused stake_above_maximum
        bet     T1 b2 big 95.00               registered
        bet     T1 b3 big 1.00                refused stake_above_maximum
        bet     T1 b3 small 100.00 total:9 51.00   refused station_maximum
        bet     T1 b3 small 100.00 total:9 50.00   registered
        bet     T1 b4 total:4 5.00            refused station_maximum
        atrisk  T1 250.00
        unbet   T1 b5 big 96.00               refused stake_below_minimum
        unbet   T1 b5 big 0.50                refused stake_off_step
        unbet   T1 b5 big 0                   refused stake_not_positive
        unbet   T1 b5 big 100.00              registered
        ",
    );
}

#[test]
fn p_032_a_bet_beyond_the_houses_exposure_is_refused_whole() {
    check(
        "
        table   mbs-etg min 5 max 500 exposure 100
        station T1 rapid 1000.00
        to-betting
        bet     T1 b1 big 100.00              registered
        exposure 100.00
        bet     T1 b2 big 5.00                refused exposure_above_maximum
        bet     T1 b2 total:4 5.00            refused exposure_above_maximum
        bet     T1 b2 small 50.00 big 5.00    registered    # all or none, seen together
        exposure 55.00
        bet     T1 b3 small 5.00              registered    # lowers the worst case
        exposure 50.00
        ",
    );
    // A player may always take a bet back. What leaves the worst case as it is
    // may then still be placed; what makes it worse may not.
    check(
        "
        table   mbs-etg min 5 max 500 exposure 100
        station T1 rapid 1000.00
        to-betting
        bet     T1 b1 small 49.00 big 150.00  refused exposure_above_maximum
        bet     T1 b1 small 50.00 big 150.00  registered    # the limit itself
        exposure 100.00
        unbet   T1 b2 small 50.00             registered
        exposure 150.00
        bet     T1 b3 big 10.00 small 10.00   registered
        exposure 150.00
        bet     T1 b4 big 15.00 small 10.00   refused exposure_above_maximum
        ",
    );
}

#[test]
fn p_032_a_round_holds_no_more_than_can_be_reckoned_with() {
    // The largest stakes on every section of ever more seats, until the sums
    // behind the exposure could no longer be trusted.
    let book = RuleBook::named("mbs-table").unwrap();
    let stake = sicbo_table::config::LARGEST_LIMIT.minor();
    let sections: Vec<Section> = book.layouts[0].sections().collect();
    let full = stake * sections.len() as i64;
    let most = Exposure::MAX_STAKED.minor();
    let seats = most / full;
    let money = |minor: i64| format!("{}.{:02}", minor / 100, minor % 100);
    let lines: String = sections
        .iter()
        .map(|section| format!(" {section} {}", money(stake)))
        .collect();
    let mut script = format!(
        "table mbs-table min 0.01 step 0.01 chip 0.01 max {} station {most} exposure {}\n",
        money(stake),
        money(sicbo_rules::Money::MAX.minor()),
        most = money(sicbo_rules::Money::MAX.minor()),
    );
    for seat in 0..=seats {
        script += &format!("seat S{seat} a\n");
    }
    script += "to-betting\n";
    for seat in 0..seats {
        script += &format!("bet S{seat} b1 {lines}\n");
    }
    // What is left over, section by section, then one minor unit too much.
    let mut room = most - seats * full;
    let mut last = sections.iter();
    while room > 0 {
        let section = last.next().expect("room for less than a whole seat");
        let part = room.min(stake);
        let too_much = if part == room && part < stake {
            format!(
                "bet S{seats} b9 {section} {} refused amount_too_large\n",
                money(part + 1)
            )
        } else {
            String::new()
        };
        script += &format!(
            "{too_much} bet S{seats} b{room} {section} {}\n",
            money(part)
        );
        room -= part;
    }
    script += &format!(
        "bet S{seats} b9 {} 0.01 refused amount_too_large\n",
        sections[103]
    );
    check(&script);
}

#[test]
fn j_06_bets_are_all_or_none_and_each_id_is_charged_once() {
    check(
        "
        table   mbs-etg min 5 max 500
        station T1 rapid 20.00
        station T2 rapid
        to-betting
        bet     T1 b1 big 5.00 small 20.00      refused insufficient_credit
        atrisk  T1 0
        bet     T1 b1 big 5.00 small 2.00       refused stake_below_minimum
        bet     T1 b1 big 5.00 small 15.00      registered   # a refused id is free
        bet     T1 b1 big 5.00 small 15.00      again
        bet     T1 b1 small 15.00 big 5.00      refused bet_id_reused
        bet     T1 b1 big 5.00                  refused bet_id_reused
        unbet   T1 b1 big 5.00 small 15.00      refused bet_id_reused
        clear   T1 b1                           refused bet_id_reused
        bet     T1 b2 big 5.00 round 2          refused wrong_round
        bet     T1 b2 big 5.00                  refused insufficient_credit
        balance T1 0
        round   6 5 1
        bet     T1 b1 big 5.00 round 1          refused bet_id_reused
        bet     T1 b1 big 5.00 small 15.00 round 1   again   # what happened stays so
        to-betting
        bet     T1 b1 big 10.00                 registered   # ids end with their round
        bet     T1 b1 big 5.00 small 15.00 round 1   again
        bet     T1 b2 big 5.00 round 1          refused not_registered
        bet     T1 b2 big 5.00 round 3          refused wrong_round
        balance T1 0
        ",
    );
}

#[test]
fn p_032_taking_a_bet_back_is_never_refused_for_the_exposure() {
    // The losing side of T1 is what keeps the worst case within the limit.
    crate::rules::script::check(
        "
        table   mbs-etg exposure 120
        station T1 rapid 200.00
        station T2 rapid 300.00
        to-betting T1 b1 small 100.00
        bet     T2 b1 big 200.00
        bet     T2 b2 big 30.00       refused exposure_above_maximum
        clear   T1 b2                 registered
        atrisk  T1 0
        bet     T2 b3 big 5.00        refused exposure_above_maximum
        bet     T1 b3 small 5.00      registered     # lowers the worst case
        unbet   T2 b4 big 40.00       registered
        ",
    );
}

#[test]
fn p_078_what_the_register_granted_is_spent_bet_by_bet_and_ends_with_the_visit() {
    check(
        "
        each    rws-etg | rws-open-cover | mbs-etg
        table   BOOK
        station T1 LAYOUT 1000
        to-betting T1 b1 big 20.00
        grant   T1 50.00 none                   # 20.00 of it are spent
        bet     T1 b2 small 20.00 big 15.00     refused spend_limit_reached
        bet     T1 b2 small 20.00               registered
        bet     T1 b3 big 10.00                 registered
        bet     T1 b4 big 5.00                  refused spend_limit_reached
        unbet   T1 b5 big 5.00                  registered
        bet     T1 b6 big 5.00                  registered
        bet     T1 b6 big 5.00                  again   # said again, it is not spent again
        round   6 5 1
        to-betting
        bet     T1 b1 big 5.00                  refused spend_limit_reached
        grant   T1 none 0                       # 30.00 won, 20.00 lost: 10.00 may be lost again
        bet     T1 b1 big 15.00                 refused loss_limit_reached
        bet     T1 b1 big 10.00                 registered
        grant   T1 none none
        bet     T1 b2 big 15.00                 registered
        round   1 2 1
        to-betting
        grant   T1 0 none                       # the card is used elsewhere
        bet     T1 b1 big 5.00                  refused spend_limit_reached
        cashout T1 985.00 v1
        credit  T1 100.00
        bet     T1 b2 big 5.00                  registered   # somebody else
        ",
    );
}

#[test]
fn p_078_what_holds_play_holds_it_through_every_door_a_seats_chips_too() {
    check(
        "
        table   mbs-etg
        station T1 rapid 1000
        to-betting T1 b1 big 20.00
        hold-play T1 break
        bet     T1 b2 big 5.00                  refused on_a_break
        bet     T1 b1 big 20.00                 again   # a registered bet is never touched
        unbet   T1 b3 big 5.00                  registered
        grant   T1 none none
        bet     T1 b4 big 5.00                  registered
        hold-play T1 stopped
        cashout T1 980.00 v1
        credit  T1 100.00
        ",
    );
    check(
        "
        table   mbs-table
        seat    S1 a
        chips   brought 500.00
        hold-play S1 stopped
        to-betting
        call    S1 b1 big 20.00                 refused play_stopped
        grant   S1 20.00 none
        call    S1 b1 big 25.00                 refused spend_limit_reached
        call    S1 b1 big 20.00                 registered
        ",
    );
}
