//! Exposure and what-if against values worked out by hand or found by search.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use crate::{game, rules};
use sicbo_lab::exposure::Exposure;
use sicbo_lab::game::{Game, Loading};
use sicbo_lab::what_if::{WhatIf, parse_change, parse_edge, what_if};
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Money, Profile, RuleBook, Stakes};

fn asked(layout: &str, change: &str, edge: Option<&str>) -> Result<WhatIf, String> {
    let game = game(layout);
    let change = parse_change(&game, change).map_err(|error| error.to_string())?;
    let edge = edge.map(|edge| parse_edge(edge).unwrap());
    what_if(&game, &Loading::fair(), &change, edge).map_err(|error| error.to_string())
}

#[test]
fn exposure_is_the_profile_read_from_the_worst() {
    let game = game("rws-open-cover/c");
    let rules = rules(&game);
    let layout = find_layout("rws-open-cover/c").unwrap().1;
    let stakes = rules.read("big 100\ntriple:6 10").unwrap();
    let got = Exposure::of(&game, &stakes, &Loading::fair(), rules.unit, None).unwrap();
    // On 6-6-6 the triple pays 180 to 1 and big loses.
    let odds = layout.pays("triple:6".parse().unwrap()).unwrap().lines()[0].is;
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
            let game = Game::of(book, layout);
            let rules = rules(&game);
            let worst = |stakes: &Stakes| -Profile::of(layout, stakes).unwrap().worst().0.minor();
            let stakes = rules.read("big 30\nsmall 10\ntotal:9 20").unwrap();
            let got =
                Exposure::of(&game, &stakes, &Loading::fair(), rules.unit, Some(most)).unwrap();
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
                for one in limits.scaled.as_ref().unwrap() {
                    let (section, minor) = (&one.section, one.stake_minor);
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
    let game = game("rws-open-cover/c");
    let rules = rules(&game);
    let got = Exposure::of(
        &game,
        &rules.read("big 5\nsmall 5").unwrap(),
        &Loading::fair(),
        rules.unit,
        Some(Money::from_minor(100)),
    )
    .unwrap();
    assert_eq!(got.worst_minor, 0);
    assert_eq!(got.limits.unwrap().factor, None);
}

#[test]
fn j_11_total_5_at_30_in_quang_nam() {
    let got = asked("quang-nam-table/a", "total:5=30", Some("5%")).unwrap();
    let change = &got.changes[0];
    assert_eq!(change.before.edge, "17/36");
    let after = change.after.as_ref().unwrap();
    assert_eq!(after.edge, "5/36");
    assert_eq!(format!("{:.4}", after.edge_percent), "13.8889");
    // 6 (x + 1) / 216 = 19 / 20.
    let wanted = &change.wanted[0];
    assert_eq!(wanted.odds.as_deref(), Some("166/5"));
    let (below, above) = (
        wanted.payable_below.as_ref().unwrap(),
        wanted.payable_above.as_ref().unwrap(),
    );
    assert_eq!((below.odds.as_str(), below.edge.as_str()), ("33", "1/18"));
    assert_eq!((above.odds.as_str(), above.edge.as_str()), ("33.5", "1/24"));
}

#[test]
fn a_single_die_has_three_lines() {
    let got = asked("quang-nam-table/a", "single:1=1/2/12", Some("0")).unwrap();
    let change = &got.changes[0];
    // 75 * 2 + 15 * 3 + 1 * 13 = 208 of 216 come back.
    assert_eq!(change.ways, [75, 15, 1]);
    assert_eq!(change.after.as_ref().unwrap().edge, "1/27");
    assert_eq!(change.wanted.len(), 3);
    assert_eq!(change.wanted[2].odds.as_deref(), Some("20"));
    let below = change.wanted[2].payable_below.as_ref().unwrap();
    assert_eq!(below.edge, "0");
}

/// `total:5 --edge 99%` answered odds of -16/25 to 1, and `after` repeated
/// `before` when only an edge was asked for.
#[test]
fn an_edge_no_odds_give_is_refused_with_the_range() {
    let error = asked("rws-etg/a", "total:5", Some("99%")).unwrap_err();
    // At odds of nothing 6 of 216 stakes come back: 35/36.
    assert!(
        error.contains("no odds give") && error.contains("35/36"),
        "{error}"
    );
    let got = asked("rws-etg/a", "total:5", Some("97%")).unwrap();
    let change = &got.changes[0];
    assert_eq!(change.after, None);
    // 6 (x + 1) / 216 = 3/100.
    assert_eq!(change.wanted[0].odds.as_deref(), Some("2/25"));
    assert_eq!(change.wanted[0].payable_below, None);
    assert_eq!(change.wanted[0].payable_above.as_ref().unwrap().odds, "0.5");
}

#[test]
fn several_cells_change_at_once_and_a_player_edge_is_marked() {
    let got = asked("rws-etg/a", "triple:*=180", None).unwrap();
    assert_eq!(got.changes.len(), 6);
    assert!(
        got.changes
            .iter()
            .all(|one| one.after.as_ref().unwrap().edge == "35/216")
    );
    let changed = got.changed.unwrap();
    assert_eq!(changed.bet("triple:6").unwrap().pays(), ["180"]);
    let got = asked("rws-etg/a", "total:5=40", None).unwrap();
    let after = got.changes[0].after.as_ref().unwrap();
    assert!(after.player_edge && !got.changes[0].before.player_edge);
    assert_eq!(after.edge, "-5/36");
    let got = asked("rws-etg/a", "total:5=(95/3)", None).unwrap();
    assert_eq!(got.changes[0].after.as_ref().unwrap().odds, ["95/3"]);
}

#[test]
fn bad_changes_and_edges_are_refused_with_the_reason() {
    for (text, hint) in [
        ("total:5=", "not odds"),
        ("total:5=x", "not odds"),
        ("total:5=-1", "not odds"),
        ("total:5=10001", "not odds"),
        ("total:5=30/31", "one line"),
        ("single:1=12", "three lines"),
        ("total:3=30", "total:4"),
        ("=30", "is not a bet"),
    ] {
        let error = asked("rws-etg/a", text, None).unwrap_err();
        assert!(error.contains(hint), "{text}: {error}");
    }
    for text in ["", "%", "100%", "1", "x", "1/0", "5%%", "-1001%", "1e3"] {
        assert!(parse_edge(text).is_err(), "{text}");
    }
    assert_eq!(parse_edge("2.5%").unwrap().to_string(), "1/40");
    assert_eq!(parse_edge("1/36").unwrap().to_string(), "1/36");
    assert_eq!(parse_edge("-0.05").unwrap().to_string(), "-1/20");
}
