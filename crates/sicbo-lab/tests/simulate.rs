//! Simulated means beside exact values, for every section of every layout.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use sicbo_lab::simulate::{Simulation, report};
use sicbo_lab::stakes::{Rules, currency_of, unit_of};
use sicbo_lab::{Generator, Run, Seed};
use sicbo_rules::{Outcome, Profile, RuleBook};

/// Every layout settled on one and the same run.
fn every_layout(rounds: &str, generator: Generator) -> Vec<Simulation> {
    let run = Run {
        generator,
        ..Run::new(Seed(2026))
    };
    let histogram = run.play(rounds.parse().unwrap(), &|_| ()).unwrap();
    let mut results = Vec::new();
    for book in RuleBook::all() {
        for layout in &book.layouts {
            let currency = currency_of(book);
            let rules = Rules {
                layout,
                currency,
                unit: unit_of(currency),
            };
            let stakes = rules.one_each();
            let name = book.layout_name(layout);
            results.push(report(&name, layout, &stakes, &run, 0.95, &histogram).unwrap());
        }
    }
    results
}

fn check(rounds: &str, generator: Generator) {
    let results = every_layout(rounds, generator);
    assert_eq!(results.len(), 11);
    for result in &results {
        for section in &result.sections {
            let off = section.edge.standard_errors_off;
            // The sample's own spread is the exact one, but for chance.
            let half = (section.edge.high - section.edge.low) / 2.0;
            let ratio = half / 1.959_964 / section.edge.standard_error;
            assert!((ratio - 1.0).abs() < 0.02, "{}: {ratio}", section.section);
            assert!(
                off.abs() < 4.0,
                "{} {}: {off}",
                result.layout,
                section.section
            );
        }
        assert!(
            result.house.standard_errors_off.abs() < 4.0,
            "{}",
            result.layout
        );
        let half = (result.house.high - result.house.low) / 2.0;
        let ratio = half / 1.959_964 / result.house.standard_error;
        assert!((ratio - 1.0).abs() < 0.02, "{}: {ratio}", result.layout);
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
    let (book, layout) = sicbo_rules::rulebook::find_layout("rws-open-cover/c").unwrap();
    let rules = Rules {
        layout,
        currency: currency_of(book),
        unit: unit_of(currency_of(book)),
    };
    let stakes = rules
        .read("big 10\ntotal:11 5\nsingle:3 2\nany-triple 1\n")
        .unwrap();
    let run = Run::new(Seed(42));
    let histogram = run.play("10000".parse().unwrap(), &|_| ()).unwrap();
    let result = report("rws-open-cover/c", layout, &stakes, &run, 0.95, &histogram).unwrap();
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
        .map(|s| s.returned_minor.parse::<i64>().unwrap())
        .sum();
    assert_eq!(sum, returned);
    assert_eq!(house, 10_000 * stakes.total().minor() - returned);
    assert!((result.house.simulated - house as f64 / 10_000.0).abs() < 1e-9);
}
