//! The pay tables, rule by rule.

use sicbo_rules::{Kind, Outcome, PayTable, Section};

use crate::game::{BOOKS, LAYOUTS, book, dice, layout, money, paid, section};

/// `kind: odds` for each kind of a table, totals from 4 to 10, a single die by steps.
fn odds_of(table: &PayTable) -> String {
    let mut kinds = Vec::new();
    for kind in Kind::ALL {
        let mut odds: Vec<String> = Vec::new();
        for section in kind
            .sections()
            .filter(|section| table.pays(*section).is_some())
        {
            let lines = table.pays(section).unwrap().lines().iter();
            let text: Vec<String> = lines.map(|line| line.is.to_string()).collect();
            let text = text.join("/");
            if kind == Kind::Total || !odds.contains(&text) {
                odds.push(text);
            }
        }
        if kind == Kind::Total {
            let mirrored: Vec<String> = odds.iter().rev().cloned().collect();
            assert_eq!(
                odds, mirrored,
                "{}: totals pay alike from both ends",
                table.id
            );
            odds.truncate(7);
        }
        if !odds.is_empty() {
            kinds.push(format!("{kind} {}", odds.join(" ")));
        }
    }
    kinds.join(", ")
}

fn table(book_id: &str, id: &str) -> &'static PayTable {
    let tables = &book(book_id).pay_tables;
    tables.iter().find(|table| table.id == id).unwrap()
}

#[track_caller]
fn layout_pays_by(name: &str, id: &str, rule: &str) {
    let (book_id, _) = name.split_once('/').unwrap();
    let layout = layout(name);
    assert_eq!(book(book_id).pay_table(layout).id, id, "{name}");
    assert_eq!(layout.cite.rule, rule, "{name}");
}

#[test]
fn r_100_appendix_a_pays_by_pay_table_1() {
    layout_pays_by("rws-etg/a", "pt1", "4.1.1");
    layout_pays_by("rws-open-cover/a", "pt1", "4.1.1");
}

#[test]
fn r_101_appendix_b_pays_by_pay_table_2() {
    layout_pays_by("rws-etg/b", "pt2", "4.1.2");
    layout_pays_by("rws-open-cover/b", "pt2", "4.1.2");
}

#[test]
fn r_102_appendix_c_pays_by_pay_table_3() {
    layout_pays_by("rws-etg/c", "pt3", "4.1.3");
    layout_pays_by("rws-open-cover/c", "pt3", "4.1.3");
}

#[test]
fn r_103_one_roll_settles_under_three_pay_tables() {
    for book in ["rws-etg", "rws-open-cover"] {
        let pays = |id: &str, bet: &str| paid(layout(&format!("{book}/{id}")), bet, "2-2-4");
        for (bet, a, b, c) in [
            ("total:8", Some("8.5"), Some("8.5"), Some("8")),
            ("double:2", Some("11.5"), Some("11.5"), Some("11")),
            ("double-single:224", None, Some("50"), Some("50")),
        ] {
            let expected = [a, b, c].map(|odds| odds.map(str::to_owned));
            assert_eq!(
                [pays("a", bet), pays("b", bet), pays("c", bet)],
                expected,
                "{book} {bet}"
            );
        }
    }
}

#[test]
fn q_42_odds_belong_to_the_layout_not_to_the_round() {
    // No pay table hangs on the book: two layouts of one book may differ.
    let odds = |name: &str| layout(name).pays(section("total:4")).unwrap().lines()[0].is;
    assert_ne!(odds("rws-etg/b"), odds("rws-etg/c"));
    assert_eq!(odds("mbs-etg/rapid"), odds("mbs-etg/alfastreet"));
}

const PT1: &str = "small 1, big 1, odd 1, even 1, any-triple 32, triple 195, double 11.5, \
                   total 64 32 19 12 8.5 7 6.5, pair 6, single 1/2/12, four 7.5";
const PT3: &str = "small 1, big 1, odd 1, even 1, any-triple 31, triple 180, double 11, \
                   total 62 31 18 12 8 7 6, pair 6, single 1/2/12, four 7, three-single 30, \
                   double-single 50";

#[test]
fn r_104_pay_table_1() {
    for book in ["rws-etg", "rws-open-cover"] {
        assert_eq!(odds_of(table(book, "pt1")), PT1);
        assert_eq!(table(book, "pt1").sections().count(), 56);
    }
}

#[test]
fn r_105_pay_table_2_is_1_with_the_three_dice_bets() {
    let pt2 = format!("{PT1}, three-single 30, double-single 50");
    for book in ["rws-etg", "rws-open-cover"] {
        assert_eq!(odds_of(table(book, "pt2")), pt2);
        assert_eq!(table(book, "pt2").sections().count(), 104);
    }
}

#[test]
fn r_106_pay_table_3() {
    for book in ["rws-etg", "rws-open-cover"] {
        assert_eq!(odds_of(table(book, "pt3")), PT3);
        assert_eq!(table(book, "pt3").sections().count(), 104);
    }
}

#[test]
fn r_107_the_mbs_table_pays_exactly_pay_table_3() {
    let (mbs, rws) = (table("mbs-table", "settlement"), table("rws-etg", "pt3"));
    for section in Section::ALL {
        let odds = |table: &PayTable| -> Vec<_> {
            let lines = table.pays(section).unwrap().lines();
            lines.iter().map(|line| line.is).collect()
        };
        assert_eq!(odds(mbs), odds(rws), "{section}");
    }
}

#[test]
fn r_108_both_mbs_terminals_pay_exactly_pay_table_2() {
    let pt2 = table("rws-etg", "pt2");
    let mut compared = 0;
    for name in ["mbs-etg/rapid", "mbs-etg/alfastreet"] {
        for section in layout(name).sections() {
            let lines = layout(name).pays(section).unwrap().lines().iter();
            let odds: Vec<_> = lines.map(|line| line.is).collect();
            let rws = pt2.pays(section).unwrap().lines().iter();
            assert_eq!(
                odds,
                rws.map(|line| line.is).collect::<Vec<_>>(),
                "{name} {section}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 154);
}

#[test]
fn r_109_quang_nam_named_bets() {
    let odds = odds_of(table("quang-nam-table", "ty-le"));
    assert!(
        odds.starts_with("small 1, big 1, any-triple 24, triple 150, double 8, "),
        "{odds}"
    );
}

#[test]
fn r_110_quang_nam_totals() {
    let odds = odds_of(table("quang-nam-table", "ty-le"));
    assert!(odds.contains(", total 50 18 14 12 8 6 6, "), "{odds}");
}

#[test]
fn r_111_quang_nam_pays_5_on_all_15_pairs() {
    let table = table("quang-nam-table", "ty-le");
    assert!(odds_of(table).contains(", pair 5, "));
    let pairs = table
        .sections()
        .filter(|section| section.kind() == Kind::Pair);
    assert_eq!(pairs.count(), 15);
}

#[test]
fn r_112_quang_nam_single_number_1_2_3() {
    let odds = odds_of(table("quang-nam-table", "ty-le"));
    assert!(odds.ends_with(", single 1/2/3"), "{odds}");
}

#[test]
fn q_31_the_lost_ratio_of_two_dice_comes_from_6_8_2() {
    let table = table("quang-nam-table", "ty-le");
    for single in Kind::Single.sections() {
        let line = &table.pays(single).unwrap().lines()[1];
        assert_eq!(line.is.to_string(), "2");
        assert_eq!(line.cite.to_string(), "6.8.2 (Q-31)");
    }
}

#[test]
fn q_30_odds_are_profit_the_stake_comes_back_in_addition() {
    let back = |name: &str, bet: &str, roll: &str| {
        let settlement = layout(name).settlement();
        settlement
            .returned(dice(roll), section(bet), money(100))
            .unwrap()
    };
    // 1:180 on the layout, 180 to 1 in the table: 181 come back for 1.
    assert_eq!(back("rws-etg/c", "triple:6", "6-6-6"), money(18_100));
    // Read as stake-inclusive, 1:1 would pay nothing.
    assert_eq!(back("quang-nam-table/a", "single:1", "1-2-3"), money(200));
    let cite = &table("quang-nam-table", "ty-le").cite;
    assert_eq!(cite.resolution.as_deref(), Some("Q-30"));
}

#[test]
fn r_115_every_odds_cell_cites_a_rule_of_settlement() {
    for id in BOOKS {
        for table in &book(id).pay_tables {
            for section in table.sections() {
                for line in table.pays(section).unwrap().lines() {
                    let rules = line.cite.rule.split(", ");
                    let settles = |rule: &str| match id {
                        "quang-nam-table" => rule == "5.1" || rule.starts_with("6.8."),
                        _ => rule.starts_with("4.1."),
                    };
                    assert!(line.cite.is_in_document(), "{id} {section}");
                    assert!(rules.clone().all(settles), "{id} {section} {}", line.cite);
                }
            }
        }
    }
}

#[test]
fn r_223_half_odds_are_paid_exactly_or_not_at_all() {
    let halves = ["6.5", "7.5", "8.5", "11.5"];
    let mut seen = 0;
    for name in LAYOUTS {
        for section in layout(name).sections() {
            for outcome in Outcome::all() {
                let row = i64::from(layout(name).settlement().row(outcome.dice())[section.index()]);
                for stake in [1, 2, 5, 50, 999] {
                    let back =
                        layout(name)
                            .settlement()
                            .returned(outcome.dice(), section, money(stake));
                    match back {
                        Ok(back) => assert_eq!(back.minor() * 2, stake * row),
                        Err(_) => {
                            seen += 1;
                            assert_eq!(stake * row % 2, 1, "{name} {section}");
                            let odds = paid(
                                layout(name),
                                &section.to_string(),
                                &outcome.dice().to_string(),
                            );
                            assert!(halves.contains(&odds.unwrap().as_str()));
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 0);
}

#[test]
fn q_29_a_stake_that_would_not_pay_exactly_is_named_not_rounded() {
    let unpayable = |name: &str, stake: i64| -> Vec<String> {
        let found = layout(name).unpayable(money(stake));
        found
            .map(|(section, odds)| format!("{section} {odds}"))
            .collect()
    };
    for name in ["rws-etg/a", "rws-etg/b", "mbs-etg/rapid"] {
        // Two totals at 8.5, two at 6.5, six doubles, four four-numbers.
        assert_eq!(unpayable(name, 1).len(), 14, "{name}");
        assert_eq!(unpayable(name, 250), [""; 0], "{name}");
    }
    assert!(unpayable("rws-etg/a", 25).contains(&"total:10 6.5".to_owned()));
    for name in ["rws-etg/c", "mbs-table/a", "quang-nam-table/a"] {
        assert_eq!(unpayable(name, 1), [""; 0], "{name}");
    }
}
