//! Par values: every cell of the expected tables, and part F of the
//! requirements as a third source beside the tables and the code.

use std::collections::BTreeMap;

use sicbo_rules::maths::approx;
use sicbo_rules::{Kind, Par, Profile, Section, Stakes};

use crate::expected;
use crate::game::{BOOKS, LAYOUTS, book, layout, money, section, ways};

#[test]
fn r_115_every_cell_and_citation_equals_the_expected_tables() {
    for id in BOOKS {
        let differences = expected::differences(book(id));
        assert!(differences.is_empty(), "{differences:#?}");
    }
}

#[test]
fn expected_tables_name_their_source() {
    for (book, table, text) in expected::TABLES {
        let source = text.lines().next().unwrap();
        assert!(source.starts_with("# Source: "), "{book} {table}");
        assert!(text.contains("part F"), "{book} {table}");
    }
}

/// The rows of part F: bet, winning ways, then what the player gains on average
/// per unit, house advantage in percent and deviation for the three odds tables.
const PART_F: &str = "
    small              105      -1/36   2.7778  0.9996   -1/36   2.7778  0.9996   -1/36   2.7778  0.9996
    big                105      -1/36   2.7778  0.9996   -1/36   2.7778  0.9996   -1/36   2.7778  0.9996
    odd                105      -1/36   2.7778  0.9996   -1/36   2.7778  0.9996   -       -       -
    even               105      -1/36   2.7778  0.9996   -1/36   2.7778  0.9996   -       -       -
    single             75+15+1  -1/27   3.7037  1.3671   -1/27   3.7037  1.3671   -17/216 7.8704  1.1132
    total:4,17         3        -7/72   9.7222  7.6069   -1/8    12.5000 7.3729   -7/24   29.1667 5.9685
    total:5,16         6        -1/12   8.3333  5.4231   -1/9    11.1111 5.2587   -17/36  47.2222 3.1224
    total:6,15         10       -2/27   7.4074  4.2025   -13/108 12.0370 3.9924   -11/36  30.5556 3.1519
    total:7,14         15       -7/72   9.7222  3.3047   -7/72   9.7222  3.3047   -7/72   9.7222  3.3047
    total:8,13         21       -11/144 7.6389  2.8145   -1/8    12.5000 2.6663   -1/8    12.5000 2.6663
    total:9,12         25       -2/27   7.4074  2.5593   -2/27   7.4074  2.5593   -41/216 18.9815 2.2394
    total:10,11        27       -1/16   6.2500  2.4804   -1/8    12.5000 2.3150   -1/8    12.5000 2.3150
    pair               30       -1/36   2.7778  2.4208   -1/36   2.7778  2.4208   -1/6    16.6667 2.0750
    four               24       -1/18   5.5556  2.6713   -1/9    11.1111 2.5142   -       -       -
    double             16       -2/27   7.4074  3.2736   -1/9    11.1111 3.1427   -1/3    33.3333 2.3570
    any-triple         6        -1/12   8.3333  5.4231   -1/9    11.1111 5.2587   -11/36  30.5556 4.1084
    triple             1        -5/54   9.2593  13.3052  -35/216 16.2037 12.2869  -65/216 30.0926 10.2504
    three-single       6        -5/36   13.8889 5.0944   -5/36   13.8889 5.0944   -       -       -
    double-single      3        -7/24   29.1667 5.9685   -7/24   29.1667 5.9685   -       -       -
";

/// Which of part F's three columns a layout pays by.
fn column(name: &str) -> usize {
    match name {
        "rws-etg/a" | "rws-etg/b" | "rws-open-cover/a" | "rws-open-cover/b" => 0,
        "mbs-etg/rapid" | "mbs-etg/alfastreet" => 0,
        "rws-etg/c" | "rws-open-cover/c" | "mbs-table/a" | "mbs-table/b" => 1,
        "quang-nam-table/a" => 2,
        other => panic!("{other}"),
    }
}

/// The sections a row of part F speaks of.
fn row_sections(bet: &str) -> Vec<Section> {
    match bet.split_once(':') {
        Some((_, totals)) => totals
            .split(',')
            .map(|total| section(&format!("total:{total}")))
            .collect(),
        None => Kind::from_key(bet).unwrap().sections().collect(),
    }
}

#[test]
fn part_f_every_value_on_every_layout() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for row in PART_F.lines().filter(|row| !row.trim().is_empty()) {
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells.len(), 11, "{row}");
        for name in LAYOUTS {
            let layout = layout(name);
            let values = &cells[2 + 3 * column(name)..][..3];
            for section in row_sections(cells[0]) {
                let Some(par) = Par::of(layout, section) else {
                    continue;
                };
                let by_line: Vec<String> = par.ways_by_line.iter().map(u32::to_string).collect();
                let gain = -par.edge();
                let is = [
                    by_line.join("+"),
                    format!("{}/{}", gain.numer(), gain.denom()),
                    format!("{:.4}", approx(par.edge()) * 100.0),
                    format!("{:.4}", par.deviation()),
                ];
                assert_eq!(
                    is,
                    [cells[1], values[0], values[1], values[2]],
                    "{name} {section}"
                );
                assert_eq!(
                    par.ways() as usize,
                    ways(layout, section),
                    "{name} {section}"
                );
                *seen.entry(name).or_default() += 1;
            }
        }
    }
    for name in LAYOUTS {
        assert_eq!(seen[name], layout(name).sections().count(), "{name}");
    }
}

#[test]
fn part_f_sections_that_partition_the_outcomes() {
    for name in LAYOUTS {
        let layout = layout(name);
        let count = |text: &str| ways(layout, section(text));
        assert_eq!(count("small"), 105, "{name}");
        assert_eq!(count("small") + count("big") + count("any-triple"), 216);
        if layout.offers(section("odd")) {
            assert_eq!(count("odd") + count("even") + count("any-triple"), 216);
        }
        let totals: usize = Kind::Total
            .sections()
            .map(|total| ways(layout, total))
            .sum();
        assert_eq!(totals, 214, "{name}: 3 and 18 are no totals to bet on");
        let triples: usize = Kind::Triple
            .sections()
            .map(|triple| ways(layout, triple))
            .sum();
        assert_eq!(triples, count("any-triple"), "{name}");
    }
}

#[test]
fn part_f_one_unit_on_every_spot() {
    let best = [
        ("rws-etg/a", "218.5"),
        ("rws-open-cover/a", "218.5"),
        ("rws-etg/b", "170.5"),
        ("rws-open-cover/b", "170.5"),
        ("mbs-etg/rapid", "170.5"),
        ("rws-etg/c", "153"),
        ("rws-open-cover/c", "153"),
        ("mbs-table/a", "153"),
        ("mbs-table/b", "153"),
        ("mbs-etg/alfastreet", "224.5"),
        ("quang-nam-table/a", "154"),
    ];
    assert_eq!(best.len(), LAYOUTS.len());
    for (name, gain) in best {
        let layout = layout(name);
        let mut stakes = Stakes::default();
        for section in layout.sections() {
            stakes.add(section, money(10)).unwrap();
        }
        let profile = Profile::of(layout, &stakes).unwrap();
        let (worst, outcomes) = profile.worst();
        let tenths: f64 = gain.parse::<f64>().unwrap() * 10.0;
        assert_eq!(-worst.minor(), tenths as i64, "{name}");
        let dice: Vec<String> = outcomes.iter().map(|o| o.dice().to_string()).collect();
        assert_eq!(dice, ["2-2-2", "5-5-5"], "{name}");
        assert_eq!(profile.distribution().values().sum::<u32>(), 216);
    }
}

#[test]
fn q_32_total_five_at_eighteen_is_the_worst_bet_of_all() {
    let worst = LAYOUTS
        .iter()
        .flat_map(|name| layout(name).sections().map(move |section| (name, section)))
        .max_by_key(|(name, section)| Par::of(layout(name), *section).unwrap().edge())
        .unwrap();
    assert_eq!(*worst.0, "quang-nam-table/a");
    let par = Par::of(layout("quang-nam-table/a"), section("total:5")).unwrap();
    assert_eq!(
        par.edge(),
        Par::of(layout(worst.0), worst.1).unwrap().edge()
    );
    assert_eq!(format!("{}", par.edge()), "17/36");
    let table = &book("quang-nam-table").pay_tables[0];
    let odds: Vec<String> = ["4", "5", "6", "7", "8", "9", "10"]
        .iter()
        .map(|n| table.pays(section(&format!("total:{n}"))).unwrap())
        .map(|pays| pays.lines()[0].is.to_string())
        .collect();
    assert_eq!(odds.join("/"), "50/18/14/12/8/6/6");
}
