//! Exposure and what-if against values worked out by hand or found by search.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use sicbo_lab::exposure::Exposure;
use sicbo_lab::stakes::Rules;
use sicbo_lab::what_if::{parse_change, parse_edge, what_if};
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Currency, Money, Profile, RuleBook, Stakes};

fn rules(layout: &str) -> Rules<'static> {
    Rules {
        layout: find_layout(layout).unwrap().1,
        currency: Currency::SGD,
        unit: Money::from_minor(100),
    }
}

#[test]
fn exposure_is_the_profile_read_from_the_worst() {
    let rules = rules("rws-open-cover/c");
    let stakes = rules.read("big 100\ntriple:6 10").unwrap();
    let got = Exposure::of("x", rules.layout, &stakes, rules.unit, None).unwrap();
    // On 6-6-6 the triple pays 180 to 1 and big loses.
    let odds = rules
        .layout
        .pays("triple:6".parse().unwrap())
        .unwrap()
        .lines()[0]
        .is;
    let pays = i64::from(odds.halves()) * 1000 / 2;
    assert_eq!(got.worst_minor, 10_000 - pays);
    assert_eq!(got.lines[0].dice, "6-6-6");
    assert_eq!(got.lines[0].ways, 1);
    assert_eq!(got.lines.len(), 56);
    assert_eq!(got.lines.iter().map(|line| line.ways).sum::<u32>(), 216);
    assert_eq!(got.outcomes.len(), 216);
    assert_eq!(got.losing_ways, 106);
    assert_eq!(got.best_minor, 11_000);
}

#[test]
fn limits_hold_and_one_chip_more_breaks_them() {
    let most = Money::from_minor(1_234_500);
    for book in RuleBook::all() {
        for layout in &book.layouts {
            let rules = Rules {
                layout,
                currency: Currency::SGD,
                unit: Money::from_minor(100),
            };
            let worst = |stakes: &Stakes| -Profile::of(layout, stakes).unwrap().worst().0.minor();
            let stakes = rules.read("big 30\nsmall 10\ntotal:9 20").unwrap();
            let got = Exposure::of("x", layout, &stakes, rules.unit, Some(most)).unwrap();
            let limits = got.limits.unwrap();

            // Each section alone.
            for limit in &limits.alone {
                let on = |minor| {
                    let mut stakes = Stakes::default();
                    stakes
                        .add(limit.section.parse().unwrap(), Money::from_minor(minor))
                        .unwrap();
                    worst(&stakes)
                };
                assert!(on(limit.alone_minor) <= most.minor(), "{}", limit.section);
                assert!(
                    on(limit.alone_minor + 100) > most.minor(),
                    "{}",
                    limit.section
                );
            }

            // The same proportions, as far as whole chips go.
            let scaled = |extra: i64| {
                let mut stakes = Stakes::default();
                for (section, minor) in limits.scaled.as_ref().unwrap() {
                    // The stakes stand as 3 : 1 : 2.
                    let share = match section.as_str() {
                        "big" => 3,
                        "small" => 1,
                        _ => 2,
                    };
                    assert_eq!(minor % 100, 0);
                    let stake = Money::from_minor(minor + extra * share * 100);
                    stakes.add(section.parse().unwrap(), stake).unwrap();
                }
                worst(&stakes)
            };
            assert!(scaled(0) <= most.minor());
            assert!(scaled(1) > most.minor());

            // Whatever the mix: the worst is to stand on all that wins and nothing else.
            let mixed = |minor: i64| {
                let all: Vec<_> = layout.sections().collect();
                sicbo_rules::Outcome::all()
                    .map(|outcome| {
                        let mut stakes = Stakes::default();
                        for section in &all {
                            if section.hits(outcome.dice()) > 0 {
                                stakes.add(*section, Money::from_minor(minor)).unwrap();
                            }
                        }
                        worst(&stakes)
                    })
                    .max()
                    .unwrap()
            };
            assert!(mixed(limits.any_mix_minor) <= most.minor());
            assert!(mixed(limits.any_mix_minor + 100) > most.minor());
        }
    }
}

#[test]
fn stakes_that_cannot_lose_have_no_factor() {
    let rules = rules("rws-open-cover/c");
    let got = Exposure::of(
        "x",
        rules.layout,
        &rules.read("big 5\nsmall 5").unwrap(),
        rules.unit,
        Some(Money::from_minor(100)),
    )
    .unwrap();
    assert_eq!(got.worst_minor, 0);
    assert_eq!(got.limits.unwrap().factor, None);
}

#[test]
fn j_11_total_5_at_30_in_quang_nam() {
    let layout = find_layout("quang-nam-table/a").unwrap().1;
    let (section, odds) = parse_change("total:5=30").unwrap();
    let edge = Some(parse_edge("5%").unwrap());
    let got = what_if("quang-nam-table/a", layout, section, odds, edge).unwrap();
    assert_eq!(got.before.edge, "17/36");
    assert_eq!(got.after.edge, "5/36");
    assert_eq!(format!("{:.2}", got.after.edge_percent), "13.89");
    // 6 (x + 1) / 216 = 19 / 20.
    assert_eq!(got.wanted[0].odds, "166/5");
    assert_eq!(got.wanted[0].payable.as_deref(), Some("33"));
    assert_eq!(got.wanted[0].payable_edge.as_deref(), Some("1/18"));
}

#[test]
fn a_single_die_has_three_lines() {
    let layout = find_layout("quang-nam-table/a").unwrap().1;
    let (section, odds) = parse_change("single:1=1/2/12").unwrap();
    let got = what_if("q", layout, section, odds, Some(parse_edge("0").unwrap())).unwrap();
    // 75 * 2 + 15 * 3 + 1 * 13 = 208 of 216 come back.
    assert_eq!(got.ways, [75, 15, 1]);
    assert_eq!(got.after.edge, "1/27");
    assert_eq!(got.wanted.len(), 3);
    assert_eq!(got.wanted[2].odds, "20");
    assert_eq!(got.wanted[2].payable_edge.as_deref(), Some("0"));
}

#[test]
fn bad_changes_and_edges_are_refused_with_the_reason() {
    for (text, hint) in [
        ("total:5=", "not odds"),
        ("total:5=x", "not odds"),
        ("total:5=30/31", "one line"),
        ("single:1=12", "three lines"),
        ("total:3=30", "total:4"),
        ("=30", "kind must be"),
    ] {
        let error = parse_change(text).unwrap_err().to_string();
        assert!(error.contains(hint), "{text}: {error}");
    }
    for text in ["", "%", "100%", "1", "x", "1/0", "5%%", "-1001%", "1e3"] {
        assert!(parse_edge(text).is_err(), "{text}");
    }
    assert_eq!(parse_edge("2.5%").unwrap().to_string(), "1/40");
    assert_eq!(parse_edge("1/36").unwrap().to_string(), "1/36");
    assert_eq!(parse_edge("-0.05").unwrap().to_string(), "-1/20");
}
