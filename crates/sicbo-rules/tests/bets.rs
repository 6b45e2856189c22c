//! What each bet wins on, rule by rule. Each test catches one wrong program
//! that part F of the requirements warns of.

use std::collections::BTreeSet;

use sicbo_rules::{Kind, Outcome, Profile, Section, Stakes};

use crate::game::{LAYOUTS, dice, layout, lit, money, outcomes, paid, section, ways};

/// Checks bets on dice: `bet, dice, odds paid` or `lost`, on one layout.
#[track_caller]
fn check(name: &str, cases: &str) {
    for case in cases.lines().filter(|case| !case.trim().is_empty()) {
        let words: Vec<&str> = case.split_whitespace().collect();
        let [bet, roll, expected] = words[..] else {
            panic!("{case}");
        };
        let is = paid(layout(name), bet, roll).unwrap_or("lost".to_owned());
        assert_eq!(is, expected, "{name}: {bet} on {roll}");
    }
}

/// The layouts that offer a kind of bet.
fn offering(kind: Kind) -> impl Iterator<Item = &'static str> {
    LAYOUTS.into_iter().filter(move |name| {
        let offered = kind
            .sections()
            .filter(|section| layout(name).offers(*section));
        offered.count() > 0
    })
}

/// A section wins on these totals, and on no triple.
#[track_caller]
fn wins_on(name: &str, bet: &str, totals: [u8; 7]) {
    let won = outcomes(layout(name), section(bet));
    let is: BTreeSet<u8> = won.iter().map(|dice| dice.total()).collect();
    assert!(is.into_iter().eq(totals), "{name} {bet}");
    assert!(won.iter().all(|dice| !dice.is_triple()), "{name} {bet}");
}

#[test]
fn r_070_one_player_may_bet_on_all_sections_at_once() {
    for name in LAYOUTS {
        let mut stakes = Stakes::default();
        for section in layout(name).sections() {
            stakes.add(section, money(200)).unwrap();
        }
        let spots = layout(name).sections().count();
        assert_eq!(stakes.iter().count(), spots, "{name}");
        let profile = Profile::of(layout(name), &stakes).unwrap();
        assert_eq!(profile.staked, money(200 * spots as i64), "{name}");
    }
}

#[test]
fn r_072_small_wins_on_4_to_10_and_on_no_triple() {
    for name in LAYOUTS {
        wins_on(name, "small", [4, 5, 6, 7, 8, 9, 10]);
        check(
            name,
            "small 1-1-2 1
             small 4-3-3 1
             small 4-3-4 lost
             small 1-1-1 lost
             small 2-2-2 lost
             small 3-3-3 lost",
        );
    }
}

#[test]
fn r_073_big_wins_on_11_to_17_and_on_no_triple() {
    for name in LAYOUTS {
        wins_on(name, "big", [11, 12, 13, 14, 15, 16, 17]);
        check(
            name,
            "big 6-6-5 1
             big 4-3-4 1
             big 4-3-3 lost
             big 4-4-4 lost
             big 5-5-5 lost
             big 6-6-6 lost",
        );
    }
}

#[test]
fn r_074_odd_loses_on_triples_105_ways_not_108() {
    for name in offering(Kind::Odd) {
        wins_on(name, "odd", [5, 7, 9, 11, 13, 15, 17]);
        assert_eq!(ways(layout(name), section("odd")), 105, "{name}");
        check(
            name,
            "odd 1-1-3 1
             odd 1-1-1 lost
             odd 3-3-3 lost
             odd 5-5-5 lost",
        );
    }
    assert_eq!(offering(Kind::Odd).count(), 9);
}

#[test]
fn r_075_even_loses_on_triples_105_ways_not_108() {
    for name in offering(Kind::Even) {
        wins_on(name, "even", [4, 6, 8, 10, 12, 14, 16]);
        assert_eq!(ways(layout(name), section("even")), 105, "{name}");
        check(
            name,
            "even 1-1-2 1
             even 2-2-2 lost
             even 4-4-4 lost
             even 6-6-6 lost",
        );
    }
    assert_eq!(offering(Kind::Even).count(), 9);
}

#[test]
fn r_076_a_specific_triple_wins_on_three_of_its_number_only() {
    for name in LAYOUTS {
        for section in Kind::Triple.sections() {
            let won = outcomes(layout(name), section);
            let face = section.numbers()[0];
            let faces: Vec<[u8; 3]> = won.iter().map(|dice| dice.faces()).collect();
            assert_eq!(faces, [[face; 3]], "{name} {section}");
        }
    }
}

#[test]
fn r_077_a_double_wins_on_two_or_three_at_the_same_odds() {
    check(
        "rws-etg/a",
        "double:3 3-3-1 11.5\ndouble:3 3-3-3 11.5\ndouble:3 3-1-2 lost",
    );
    check("rws-etg/c", "double:3 1-3-3 11\ndouble:3 3-3-3 11");
    check("mbs-etg/rapid", "double:3 3-1-3 11.5\ndouble:3 3-3-3 11.5");
}

#[test]
fn q_22_a_double_wins_once_on_its_triple_16_ways_not_15() {
    for name in LAYOUTS {
        for double in Kind::Double.sections() {
            assert_eq!(ways(layout(name), double), 16, "{name} {double}");
        }
    }
    check("mbs-table/a", "double:6 6-6-6 11\ndouble:6 6-6-1 11");
    check("quang-nam-table/a", "double:6 6-6-6 8\ndouble:6 6-6-1 8");
}

#[test]
fn r_078_any_triple_wins_on_the_six_triples() {
    for name in LAYOUTS {
        let won = outcomes(layout(name), section("any-triple"));
        let faces: Vec<[u8; 3]> = won.iter().map(|dice| dice.faces()).collect();
        assert_eq!(faces, [1, 2, 3, 4, 5, 6].map(|face| [face; 3]), "{name}");
    }
}

#[test]
fn r_079_a_total_wins_in_any_combination_and_there_is_no_3_or_18() {
    let by_total = [3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3];
    for name in LAYOUTS {
        let counted: Vec<usize> = Kind::Total
            .sections()
            .map(|total| ways(layout(name), total))
            .collect();
        assert_eq!(counted, by_total, "{name}");
    }
    assert!("total:3".parse::<Section>().is_err());
    assert!("total:18".parse::<Section>().is_err());
}

#[test]
fn q_23_totals_6_9_12_15_win_on_triples_10_and_25_ways_not_9_and_24() {
    for name in LAYOUTS {
        for (total, triple, ways_of) in [
            ("total:6", "2-2-2", 10),
            ("total:9", "3-3-3", 25),
            ("total:12", "4-4-4", 25),
            ("total:15", "5-5-5", 10),
        ] {
            assert!(
                paid(layout(name), total, triple).is_some(),
                "{name} {total}"
            );
            assert_eq!(
                ways(layout(name), section(total)),
                ways_of,
                "{name} {total}"
            );
        }
    }
}

#[test]
fn r_080_a_pair_wins_when_both_numbers_appear_15_sections() {
    assert_eq!(Kind::Pair.sections().count(), 15);
    for name in LAYOUTS {
        for pair in Kind::Pair.sections() {
            let [a, b] = pair.numbers() else { panic!() };
            assert!(a < b && layout(name).offers(pair), "{name} {pair}");
            assert_eq!(ways(layout(name), pair), 30, "{name} {pair}");
        }
    }
}

#[test]
fn q_25_a_pair_is_paid_once_however_often_its_numbers_show() {
    check(
        "rws-etg/b",
        "pair:1-2 1-2-3 6
         pair:1-2 1-1-2 6
         pair:1-2 1-2-2 6
         pair:1-2 1-1-1 lost
         pair:1-2 1-3-3 lost",
    );
    check(
        "quang-nam-table/a",
        "pair:5-6 5-5-6 5\npair:5-6 5-6-6 5\npair:5-6 5-5-5 lost",
    );
}

#[test]
fn r_081_a_single_die_wins_by_how_often_it_shows() {
    for name in LAYOUTS {
        for single in Kind::Single.sections() {
            assert_eq!(ways(layout(name), single), 91, "{name} {single}");
        }
    }
    let steps = "single:4 4-1-2 1\nsingle:4 4-1-4 2\nsingle:4 1-2-3 lost";
    for name in LAYOUTS {
        check(name, steps);
        let three = if name == "quang-nam-table/a" {
            "3"
        } else {
            "12"
        };
        check(name, &format!("single:4 4-4-4 {three}"));
    }
}

#[test]
fn q_26_the_lines_of_a_single_die_are_never_added_up() {
    // Added up, two dice would pay 3 and three dice 15 (6 in quang-nam).
    for name in LAYOUTS {
        assert_eq!(
            paid(layout(name), "single:1", "1-1-2").unwrap(),
            "2",
            "{name}"
        );
        assert_ne!(
            paid(layout(name), "single:1", "1-1-1").unwrap(),
            "15",
            "{name}"
        );
    }
    check("quang-nam-table/a", "single:1 1-1-1 3");
    check("mbs-table/a", "single:1 1-1-1 12");
}

#[test]
fn r_082_four_numbers_are_four_sections_and_no_others() {
    let all: Vec<String> = Kind::Four.sections().map(|four| four.to_string()).collect();
    assert_eq!(all, ["four:6543", "four:6532", "four:5432", "four:4321"]);
    check(
        "rws-etg/a",
        "four:6543 6-5-4 7.5
         four:6543 3-4-5 7.5
         four:6543 6-5-2 lost
         four:4321 1-2-4 7.5",
    );
    assert_eq!(offering(Kind::Four).count(), 9);
}

#[test]
fn q_24_four_number_wants_three_different_numbers_24_ways_not_60_or_64() {
    for name in offering(Kind::Four) {
        for four in Kind::Four.sections() {
            assert_eq!(ways(layout(name), four), 24, "{name} {four}");
            let won = outcomes(layout(name), four);
            let different = |faces: [u8; 3]| BTreeSet::from(faces).len() == 3;
            assert!(
                won.iter().all(|dice| different(dice.faces())),
                "{name} {four}"
            );
        }
        check(
            name,
            "four:6543 6-6-5 lost
             four:6543 6-6-6 lost
             four:6543 4-3-4 lost",
        );
    }
}

#[test]
fn q_27_the_four_dice_combination_is_about_numbers_three_dice_decide() {
    // Pay Tables 2 and 3 say "four dice"; they win exactly as Pay Table 1 does.
    for book in ["rws-etg", "rws-open-cover"] {
        for four in Kind::Four.sections() {
            let won = |id: &str| outcomes(layout(&format!("{book}/{id}")), four);
            assert_eq!(won("a"), won("b"));
            assert_eq!(won("a"), won("c"));
        }
        for id in ["b", "c"] {
            let name = &layout(&format!("{book}/{id}")).names[&Kind::Four];
            assert_eq!(name.is, "Four Number Combination Bet");
            assert_eq!(name.cite.resolution.as_deref(), Some("Q-27"));
        }
    }
}

#[test]
fn r_083_three_single_are_all_20_combinations_6_ways_each() {
    assert_eq!(Kind::ThreeSingle.sections().count(), 20);
    for name in offering(Kind::ThreeSingle) {
        for three in Kind::ThreeSingle.sections() {
            assert_eq!(ways(layout(name), three), 6, "{name} {three}");
        }
        check(
            name,
            "three-single:126 6-2-1 30
             three-single:126 1-2-2 lost
             three-single:126 1-2-5 lost",
        );
    }
    assert_eq!(offering(Kind::ThreeSingle).count(), 7);
}

#[test]
fn r_084_double_with_single_wins_on_exactly_its_three_dice() {
    for name in offering(Kind::DoubleSingle) {
        for double in Kind::DoubleSingle.sections() {
            assert_eq!(ways(layout(name), double), 3, "{name} {double}");
        }
        check(
            name,
            "double-single:113 3-1-1 50
             double-single:331 3-1-1 lost
             double-single:113 1-1-1 lost",
        );
    }
    assert_eq!(offering(Kind::DoubleSingle).count(), 7);
}

#[test]
fn q_28_112_and_665_are_no_sections_28_not_30() {
    assert_eq!(Kind::DoubleSingle.sections().count(), 28);
    for text in ["double-single:112", "double-single:665"] {
        assert!(text.parse::<Section>().is_err(), "{text}");
    }
    // They would be the totals 4 and 17 again, which pay better.
    for name in offering(Kind::DoubleSingle) {
        for (roll, total) in [("1-1-2", "total:4"), ("6-6-5", "total:17")] {
            let lit = lit(layout(name), roll);
            assert!(
                !lit.iter()
                    .any(|section| section.starts_with("double-single")),
                "{name}"
            );
            let better: u16 = paid(layout(name), total, roll).unwrap().parse().unwrap();
            assert!(better > 50, "{name}");
        }
    }
}

#[test]
fn r_085_the_28_sections_of_double_with_single() {
    let all: Vec<String> = Kind::DoubleSingle
        .sections()
        .map(|s| s.to_string())
        .collect();
    let printed = "113 114 115 116 221 223 224 225 226 331 332 334 335 336 \
                   441 442 443 445 446 551 552 553 554 556 661 662 663 664";
    let printed: Vec<String> = printed
        .split(' ')
        .map(|n| format!("double-single:{n}"))
        .collect();
    assert_eq!(all, printed);
}

#[test]
fn r_087_on_a_triple_only_five_kinds_win() {
    let allowed = [
        Kind::Triple,
        Kind::AnyTriple,
        Kind::Double,
        Kind::Single,
        Kind::Total,
    ];
    for name in LAYOUTS {
        for face in 1..=6 {
            for section in layout(name)
                .settlement()
                .lit(dice(&format!("{face}-{face}-{face}")))
            {
                assert!(allowed.contains(&section.kind()), "{name} {section}");
            }
        }
    }
}

#[test]
fn r_088_a_triple_lights_four_or_five_spots() {
    for name in LAYOUTS {
        for (face, total) in [
            (1, ""),
            (2, "total:6"),
            (3, "total:9"),
            (4, "total:12"),
            (5, "total:15"),
            (6, ""),
        ] {
            let mut expected = vec!["any-triple".to_owned()];
            expected.extend(["triple", "double"].map(|kind| format!("{kind}:{face}")));
            expected.extend((!total.is_empty()).then(|| total.to_owned()));
            expected.push(format!("single:{face}"));
            assert_eq!(
                lit(layout(name), &format!("{face}-{face}-{face}")),
                expected,
                "{name}"
            );
        }
    }
}

#[test]
fn r_089_on_a_triple_every_combination_loses() {
    for name in LAYOUTS {
        for kind in [
            Kind::Pair,
            Kind::Four,
            Kind::ThreeSingle,
            Kind::DoubleSingle,
        ] {
            for section in kind.sections() {
                let won = outcomes(layout(name), section);
                assert!(won.iter().all(|dice| !dice.is_triple()), "{name} {section}");
            }
        }
    }
}

#[test]
fn r_090_quang_nam_offers_no_odd_even_four_or_three_dice_bets() {
    let table = layout("quang-nam-table/a");
    for kind in Kind::ALL {
        let missing = matches!(
            kind,
            Kind::Odd | Kind::Even | Kind::Four | Kind::ThreeSingle | Kind::DoubleSingle
        );
        for section in kind.sections() {
            assert_eq!(table.offers(section), !missing, "{section}");
            assert_eq!(ways(table, section) == 0, missing, "{section}");
        }
    }
}

/// Outcome class, outcomes of 216, lit spots with 104, 56 and 50 spots.
const LIT: [(&str, usize, [usize; 3]); 7] = [
    ("triple of 1 or 6", 2, [4, 4, 4]),
    ("other triple", 4, [5, 5, 5]),
    ("1-1-2 or 6-6-5", 6, [7, 7, 6]),
    ("other pair and single", 84, [8, 7, 6]),
    ("different, in no four-set", 48, [10, 9, 8]),
    ("different, in one four-set", 48, [11, 10, 8]),
    ("different, in two four-sets", 24, [12, 11, 8]),
];

fn outcome_class(faces: [u8; 3]) -> &'static str {
    let set = BTreeSet::from(faces);
    let fours = [[6, 5, 4, 3], [6, 5, 3, 2], [5, 4, 3, 2], [4, 3, 2, 1]];
    let holding = fours
        .iter()
        .filter(|four| set.iter().all(|face| four.contains(face)));
    let sum: u8 = faces.iter().sum();
    let class = match (set.len(), holding.count()) {
        (1, _) if [1, 6].contains(&faces[0]) => 0,
        (1, _) => 1,
        (2, _) if [4, 17].contains(&sum) => 2,
        (2, _) => 3,
        (_, fours) => 4 + fours,
    };
    LIT[class].0
}

#[test]
fn lit_spots_by_outcome_class_on_every_layout() {
    for name in LAYOUTS {
        let column = match layout(name).sections().count() {
            104 => 0,
            56 => 1,
            50 => 2,
            other => panic!("{name} has {other} spots"),
        };
        for (class, outcomes, lit) in LIT {
            let of_class: Vec<usize> = Outcome::all()
                .filter(|outcome| outcome_class(outcome.dice().faces()) == class)
                .map(|outcome| layout(name).settlement().lit(outcome.dice()).count())
                .collect();
            assert_eq!(of_class.len(), outcomes, "{class}");
            assert!(
                of_class.iter().all(|n| *n == lit[column]),
                "{name} {class}: {of_class:?}"
            );
        }
    }
    // The four sets of three that two four-sets share.
    for roll in ["2-3-4", "3-4-5", "3-5-6", "2-3-5"] {
        assert_eq!(
            outcome_class(dice(roll).faces()),
            "different, in two four-sets"
        );
    }
}

#[test]
fn the_example_of_the_issue_settles_to_the_cent() {
    let stakes = [("total:11", 500), ("big", 1000), ("four:6543", 500)];
    let back: i64 = stakes
        .iter()
        .map(|(bet, stake)| {
            let settlement = layout("rws-etg/a").settlement();
            settlement
                .returned(dice("4,3,4"), section(bet), money(*stake))
                .unwrap()
                .minor()
        })
        .sum();
    assert_eq!(back, 5750);
}
