//! Simulated means beside exact values, for every section of every layout.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use sicbo_lab::game::{Game, Loading};
use sicbo_lab::simulate::{Simulation, report};
use sicbo_lab::stakes::{Rules, unit_of};
use sicbo_lab::{Generator, Histogram, Run, Seed};
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Outcome, Profile, RuleBook, Stakes};

use crate::fresh_seed;

/// Every layout settled on one and the same run.
fn every_layout(rounds: &str, generator: Generator) -> Vec<(String, Simulation)> {
    let run = Run {
        generator,
        ..Run::new(Seed(2026))
    };
    let histogram = run.play(rounds.parse().unwrap(), &|_| ()).unwrap();
    let mut results = Vec::new();
    for book in RuleBook::all() {
        for layout in &book.layouts {
            let game = Game::of(book, layout);
            let rules = Rules {
                game: &game,
                currency: game.currency,
                unit: unit_of(game.currency),
            };
            let mix = rules.one_each();
            let fair = Loading::fair();
            let result = report(&game, &mix, &fair, &run, 0.95, &histogram).unwrap();
            results.push((game.name().to_owned(), result));
        }
    }
    results
}

fn check(rounds: &str, generator: Generator) {
    let results = every_layout(rounds, generator);
    assert_eq!(results.len(), 11);
    for (layout, result) in &results {
        for section in &result.sections {
            let off = section.estimate.standard_errors_from_exact;
            // The sample's own spread is the exact one, but for chance.
            let half = (section.estimate.high - section.estimate.low) / 2.0;
            let ratio = half / 1.959_964 / section.estimate.standard_error;
            assert!((ratio - 1.0).abs() < 0.02, "{}: {ratio}", section.section);
            assert!(off.abs() < 4.0, "{layout} {}: {off}", section.section);
        }
        assert!(
            result.house_minor.standard_errors_from_exact.abs() < 4.0,
            "{layout}"
        );
        let half = (result.house_minor.high - result.house_minor.low) / 2.0;
        let ratio = half / 1.959_964 / result.house_minor.standard_error;
        assert!((ratio - 1.0).abs() < 0.02, "{layout}: {ratio}");
        let dice = &result.dice;
        for (test, degrees) in [(&dice.faces, 5), (&dice.totals, 15), (&dice.outcomes, 215)] {
            let test = test.as_ref().unwrap();
            assert_eq!(test.degrees, degrees);
            assert!(test.p > 1e-4 && test.p < 1.0 - 1e-4, "{test:?}");
        }
    }
}

#[test]
fn means_lie_within_four_standard_errors_of_exact() {
    check("2e7", Generator::Fast);
    check("5e6", Generator::Crypto);
}

#[test]
#[ignore = "the long run: some ten seconds with optimisation"]
fn means_lie_within_four_standard_errors_of_exact_in_a_long_run() {
    check("2e10", Generator::Fast);
    check("2e9", Generator::Crypto);
}

#[test]
fn j_11_settlement_from_counts_equals_settlement_round_by_round() {
    let (book, layout) = find_layout("rws-open-cover/c").unwrap();
    let game = Game::of(book, layout);
    let rules = Rules {
        game: &game,
        currency: game.currency,
        unit: unit_of(game.currency),
    };
    let mix = rules
        .read("big 10\ntotal:11 5\nsingle:3 2\nany-triple 1\n")
        .unwrap();
    let mut stakes = Stakes::default();
    for (at, stake) in mix.iter() {
        stakes
            .add(game.bets[at].name.parse().unwrap(), stake)
            .unwrap();
    }
    let run = Run::new(Seed(42));
    let histogram = run.play("10000".parse().unwrap(), &|_| ()).unwrap();
    let result = report(&game, &mix, &Loading::fair(), &run, 0.95, &histogram).unwrap();
    let mut returned = 0;
    let mut house = 0;
    let profile = Profile::of(layout, &stakes).unwrap();
    for outcome in Outcome::all() {
        for _ in 0..histogram.counts()[outcome.index()] {
            for (section, stake) in stakes.iter() {
                returned += layout
                    .settlement()
                    .returned(outcome.dice(), section, stake)
                    .unwrap()
                    .minor();
            }
            house += profile.by_outcome[outcome.index()].minor();
        }
    }
    let sum: i64 = result
        .sections
        .iter()
        .map(|s| i64::try_from(s.returned_minor).unwrap())
        .sum();
    assert_eq!(sum, returned);
    assert_eq!(house, 10_000 * stakes.total().minor() - returned);
    assert!((result.house_minor.simulated - house as f64 / 10_000.0).abs() < 1e-9);
}

/// One simulation of a section, and whether its interval holds the exact edge.
fn covered(game: &Game, name: &str, rounds: u32, run: &Run, index: u64) -> bool {
    let histogram: Histogram = run.generator.stream(run.seed, index).play(rounds);
    let at = game.position(name).unwrap();
    let mix = sicbo_lab::game::Mix::one(at, unit_of(game.currency));
    let result = report(game, &mix, &Loading::fair(), run, 0.95, &histogram).unwrap();
    let edge = &result.sections[0].estimate;
    let house = &result.house_minor;
    assert!(edge.low < edge.high, "{name}: an interval of nothing");
    let holds = |low: f64, high: f64, exact: f64| low - 1e-12 <= exact && exact <= high + 1e-12;
    let both = (
        holds(edge.low, edge.high, edge.exact_value),
        holds(house.low, house.high, house.exact_value),
    );
    // One section alone: the house's interval is the section's.
    assert_eq!(both.0, both.1, "{name}");
    both.0
}

/// A section that never won had an interval of 100 % to 100 %, and 95 %
/// intervals held the edge in 35 % of runs.
#[test]
fn intervals_cover_as_often_as_they_say_however_few_the_wins() {
    let (book, layout) = find_layout("rws-open-cover/b").unwrap();
    let game = Game::of(book, layout);
    let seed = fresh_seed();
    let run = Run::new(Seed(seed));
    let times = 2_000;
    for (name, rounds) in [
        ("triple:6", 100),
        ("triple:6", 1_000),
        ("total:4", 100),
        ("single:3", 200),
        ("double-single:113", 500),
        ("big", 300),
        ("any-triple", 5_000),
    ] {
        let hits = (0..times)
            .filter(|index| covered(&game, name, rounds, &run, *index))
            .count();
        // 0.95 less seven standard deviations: one run in 1e11 fails by chance.
        let share = hits as f64 / times as f64;
        assert!(
            share >= 0.95 - 7.0 * (0.05f64 * 0.95 / 2000.0).sqrt(),
            "{name} {rounds}: {share}, seed {seed}"
        );
    }
}

#[test]
fn a_run_with_weighted_dice_meets_its_own_exact_edges() {
    let (book, layout) = find_layout("rws-open-cover/b").unwrap();
    let game = Game::of(book, layout);
    let loading = Loading::of(["1,1,1,1,1,1.3".parse().unwrap(); 3]);
    let seed = fresh_seed();
    let run = Run::new(Seed(seed));
    let histogram = run
        .play_with(&loading, "400000".parse().unwrap(), &|_| ())
        .unwrap();
    let rules = Rules {
        game: &game,
        currency: game.currency,
        unit: unit_of(game.currency),
    };
    let result = report(&game, &rules.one_each(), &loading, &run, 0.95, &histogram).unwrap();
    // 104 sections, each beyond 6.5 standard errors in 8e-11 of runs.
    assert!(
        result.furthest_standard_errors < 6.5,
        "{}, seed {seed}",
        result.furthest_standard_errors
    );
    assert!(result.dice.outcomes.unwrap().p > 1e-9, "seed {seed}");
    // Six is three tenths heavier: 13/63, and big gains from it.
    let six: f64 = histogram.faces()[5] as f64 / 1_200_000.0;
    assert!((six - 13.0 / 63.0).abs() < 0.003, "{six}, seed {seed}");
}

/// Plus is above the exact edge, in `simulate` as in `strategy`.
#[test]
fn an_edge_above_the_exact_one_has_a_plus() {
    let game = crate::game("rws-open-cover/c");
    let rules = crate::rules(&game);
    let run = Run::new(Seed(2));
    let histogram = run.play("10000".parse().unwrap(), &|_| ()).unwrap();
    let fair = Loading::fair();
    let result = report(&game, &rules.one_each(), &fair, &run, 0.95, &histogram).unwrap();
    let (mut above, mut below) = (0, 0);
    for one in &result.sections {
        let edge = &one.estimate;
        let off = edge.simulated - edge.exact_value;
        assert_eq!(
            off > 0.0,
            edge.standard_errors_from_exact > 0.0,
            "{}",
            one.section
        );
        above += usize::from(off > 0.0);
        below += usize::from(off < 0.0);
    }
    assert!(above > 5 && below > 5, "{above} above, {below} below");
}
