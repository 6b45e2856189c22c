//! What is drawn can be read: nothing lies over anything else, and a bar
//! stands for the results under it and for no others.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use crate::{game, rules};
use sicbo_lab::distribution::Distribution;
use sicbo_lab::exposure::Exposure;
use sicbo_lab::game::Loading;
use sicbo_lab::pictures;
use sicbo_lab::plot::{Axis, Hue, Mark, Panel, Picture};
use sicbo_lab::simulate::report;
use sicbo_lab::strategy::{Plan, Report, Staking, System, run};
use sicbo_lab::{Run, Seed};
use sicbo_rules::{Currency, Money};

/// Something drawn: what it is and where it lies.
#[derive(Debug)]
struct Drawn {
    what: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Drawn {
    /// By more than a pixel, in both directions.
    fn lies_over(&self, other: &Drawn) -> bool {
        let across = self.right.min(other.right) - self.left.max(other.left);
        let down = self.bottom.min(other.bottom) - self.top.max(other.top);
        across > 1.0 && down > 1.0
    }
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).unwrap().parse().unwrap()
}

/// The words and the squares of the legends of a picture. Words that stand
/// upright have a margin of their own, beside the figures of their axis.
fn drawn(svg: &str) -> Vec<Drawn> {
    let mut found = Vec::new();
    for line in svg.lines() {
        if line.starts_with("<rect") && attribute(line, "rx").is_some() {
            let (x, y) = (number(line, "x"), number(line, "y"));
            found.push(Drawn {
                what: "a square of the legend".to_owned(),
                left: x,
                right: x + number(line, "width"),
                top: y,
                bottom: y + number(line, "height"),
            });
        }
        if !line.starts_with("<text") || attribute(line, "transform").is_some() {
            continue;
        }
        let (element, rest) = line.split_once('>').unwrap();
        let words = rest.trim_end_matches("</text>");
        // As the style sheet of the pictures has it.
        let size = match attribute(element, "class") {
            Some("t") => 20.0,
            Some("p") => 14.0,
            Some("f") => 10.5,
            _ => 13.0,
        };
        // Half the height of the letters is their usual mean width.
        let width = words.chars().count() as f64 * size * 0.5;
        let (x, y) = (number(element, "x"), number(element, "y"));
        let left = match attribute(element, "text-anchor") {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        if !words.is_empty() {
            found.push(Drawn {
                what: words.to_owned(),
                left,
                right: left + width,
                // Letters reach three quarters of their size above the line.
                top: y - size * 0.75,
                bottom: y + size * 0.2,
            });
        }
    }
    found
}

fn assert_readable(name: &str, picture: &Picture) {
    let svg = picture.svg();
    let all = drawn(&svg);
    assert!(all.len() > 5, "{name}: this test no longer finds the words");
    let (width, height) = (number(&svg, "width"), number(&svg, "height"));
    for (at, one) in all.iter().enumerate() {
        assert!(
            one.left >= 0.0 && one.right <= width && one.top >= 0.0 && one.bottom <= height,
            "{name}: {:?} leaves the picture: {one:?}",
            one.what
        );
        for other in &all[at + 1..] {
            assert!(
                !one.lies_over(other),
                "{name}: {:?} and {:?}: {one:?} {other:?}",
                one.what,
                other.what
            );
        }
    }
}

/// Layout, stakes and rounds of distributions of all widths: one result, two,
/// few and far apart, and more than there is room for bars.
const DISTRIBUTIONS: &[(&str, &str, u64)] = &[
    ("rws-etg/a", "big 10", 1),
    ("rws-etg/a", "big 10", 3),
    ("rws-etg/a", "big 1", 1000),
    ("rws-etg/a", "big 10\nsmall 10", 100),
    ("rws-etg/a", "triple:6 1", 1),
    ("rws-etg/a", "triple:6 1", 50),
    ("rws-etg/a", "triple:6 1", 500),
    ("rws-etg/a", "triple:6 1\nbig 1", 2),
    ("rws-etg/a", "any-triple 1", 20),
    ("rws-etg/a", "total:4 1", 150),
    ("rws-etg/a", "single:3 2\nany-triple 1\nodd 7", 1),
    ("rws-etg/a", "single:3 2\nany-triple 1\nodd 7", 40),
    ("rws-open-cover/c", "big 10\ntotal:11 5\nsingle:3 2", 2000),
];

fn distributions() -> Vec<(String, Distribution, Picture)> {
    let mut all = Vec::new();
    for (layout, stakes, rounds) in DISTRIBUTIONS {
        let game = game(layout);
        let mix = rules(&game).read(stakes).unwrap();
        let profile = game.profile(&mix, &Loading::fair()).unwrap();
        let exact = Distribution::of(&profile, *rounds).unwrap();
        let against = exact.against(&profile, &Run::new(Seed(1)), 200).unwrap();
        let picture = pictures::distribution(
            "rws-etg/a: result of the house, 10.00 SGD staked per round",
            &exact,
            Some(&against),
            Currency::SGD,
            "rws-etg version 1",
        );
        all.push((format!("{stakes:?} over {rounds}"), exact, picture));
    }
    all
}

/// "median" and "99 %" were printed over one another.
#[test]
fn no_words_of_a_distribution_lie_over_others() {
    for (name, _, picture) in distributions() {
        assert_readable(&name, &picture);
    }
}

/// The red square of the legend lay on the title of the panel.
#[test]
fn no_words_of_a_system_a_simulation_or_an_exposure_lie_over_others() {
    let game = game("rws-open-cover/c");
    let setup = Run::new(Seed(5));
    let money = |units: i64| Money::from_minor(units * 100);
    for (system, bankroll, rounds) in [
        (System::Flat, 2_000, 50),
        (System::Flat, 20, 1000),
        (System::Martingale, 100, 500),
        (System::Labouchere, 100_000, 300),
    ] {
        let plan = Plan {
            bets: vec![(game.position("big").unwrap(), 1)],
            system: Staking::Named(system),
            base: money(5),
            bankroll: money(bankroll),
            least: money(5),
            most: money(400),
            unit: money(1),
            target: None,
            rounds,
        };
        let sessions = run(&game, &plan, &Loading::fair(), &setup, 500, &|_| ()).unwrap();
        let result = Report::of(&game, &plan, &Loading::fair(), &setup, &sessions);
        let picture = pictures::strategy(game.name(), &result, Currency::SGD, "a footer");
        assert_readable(&format!("{system} with {bankroll}"), &picture);
    }
    let histogram = setup.play("100000".parse().unwrap(), &|_| ()).unwrap();
    for stakes in ["big 10", "big 10\ntotal:11 5\nsingle:3 2\ntriple:6 1"] {
        let mix = rules(&game).read(stakes).unwrap();
        let fair = Loading::fair();
        let result = report(&game, &mix, &fair, &setup, 0.95, &histogram).unwrap();
        let picture = pictures::simulation(game.name(), &result, "a footer");
        assert_readable(stakes, &picture);
        for worst in [None, Some(money(500))] {
            let result = Exposure::of(&game, &mix, &fair, money(1), worst).unwrap();
            let picture = pictures::exposure(game.name(), &result, Currency::SGD, "a footer");
            assert_readable(stakes, &picture);
        }
    }
}

/// Rules at one place, next to each other, and at the ends of the axis.
#[test]
fn labels_of_rules_keep_clear_of_each_other_wherever_they_stand() {
    for places in [
        [0.5, 0.5, 0.5],
        [0.500, 0.503, 0.506],
        [0.50, 0.52, 0.54],
        [0.0, 0.01, 0.02],
        [0.98, 0.99, 1.0],
        [0.0, 0.5, 1.0],
        [0.49, 0.5, 0.5],
        [0.49, 0.49, 0.5],
    ] {
        let mut panel = Panel::new(
            "A panel with a title as long as they are",
            Axis::new("result", 0.0, 1.0),
            Axis::new("share", 0.0, 1.0),
        );
        for (x, label) in places.into_iter().zip(["1 %", "median", "99 %"]) {
            panel.rule(x, label, Hue::Faint);
        }
        panel.legend = vec![
            (Hue::Loss, "house loses".to_owned()),
            (Hue::Main, "house does not lose".to_owned()),
        ];
        let picture = Picture {
            title: "A picture".to_owned(),
            subtitle: "with a line below it".to_owned(),
            panels: vec![panel.clone(), panel],
            columns: 2,
            footer: String::new(),
        };
        assert_readable(&format!("{places:?}"), &picture);
    }
}

/// The bar of the single result +50 ran from -48 to +150.
#[test]
fn a_bar_stands_for_the_results_under_it_and_no_others() {
    for (name, exact, picture) in distributions() {
        let results: Vec<(f64, f64)> = (0..exact.probability.len())
            .map(|at| (exact.result_minor(at) as f64, exact.probability[at]))
            .collect();
        let bars: Vec<(f64, f64, f64, Hue)> = picture.panels[0]
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Bar { x0, x1, y, hue } => Some((x0 * 100.0, x1 * 100.0, *y, *hue)),
                _ => None,
            })
            .collect();
        assert!(!bars.is_empty() && bars.len() <= 200, "{name}");
        let mut last = f64::MIN;
        for (from, to, height, hue) in &bars {
            assert!(*from >= last - 1e-6 && from < to, "{name}: {from} to {to}");
            last = *to;
            let under: Vec<&(f64, f64)> = results
                .iter()
                .filter(|(result, _)| *from < *result && *result < *to)
                .collect();
            let sum: f64 = under.iter().map(|(_, probability)| probability).sum();
            assert!(
                (sum - height).abs() < 1e-12,
                "{name}: {from} to {to} shows {height} of {sum}"
            );
            let loses = *hue == Hue::Loss;
            assert!(
                under.iter().all(|(result, _)| (*result < 0.0) == loses),
                "{name}: {from} to {to} is a loss and none"
            );
            // Few bars show how far they reach: none on the wrong side of zero.
            let holds_zero = under.iter().any(|(result, _)| *result == 0.0);
            let crosses = *from < -1e-6 && *to > 1e-6;
            assert!(
                bars.len() > 40 || holds_zero || !crosses,
                "{name}: {from} to {to} crosses zero"
            );
        }
        let shown: f64 = bars.iter().map(|bar| bar.2).sum();
        assert!(shown > 0.999, "{name}: {shown} is shown");
    }
}

/// A bin that began below zero and ended above it was drawn as a loss.
#[test]
fn no_bin_of_a_system_holds_losses_and_gains() {
    let game = game("rws-open-cover/c");
    let setup = Run::new(Seed(9));
    let money = |units: i64| Money::from_minor(units * 100);
    for bankroll in [100, 777, 5_000] {
        let plan = Plan {
            bets: vec![(game.position("big").unwrap(), 1)],
            system: Staking::Named(System::Martingale),
            base: money(5),
            bankroll: money(bankroll),
            least: money(5),
            most: money(400),
            unit: money(1),
            target: None,
            rounds: 200,
        };
        let sessions = run(&game, &plan, &Loading::fair(), &setup, 1000, &|_| ()).unwrap();
        let result = Report::of(&game, &plan, &Loading::fair(), &setup, &sessions);
        let bins = &result.result_minor.bins;
        assert!(bins.iter().all(|bin| bin.from >= 0.0 || bin.to <= 0.0));
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 1000);
        for bin in bins {
            let inside = |result: f64| bin.from <= result && result < bin.to;
            let count = sessions
                .iter()
                .filter(|one| inside(one.result_minor as f64));
            assert_eq!(count.count() as u64, bin.count, "{bin:?}");
        }
    }
}
