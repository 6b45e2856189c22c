//! What is drawn of each result.

use sicbo_rules::{Currency, Money};

use crate::distribution::{Against, Distribution};
use crate::exposure::Exposure;
use crate::plot::{Axis, Hue, Mark, Panel, Picture, group};
use crate::simulate::Simulation;
use crate::strategy::{Report, Spread};

/// Minor units as an amount of the currency, for axes.
fn major(minor: f64, currency: Currency) -> f64 {
    minor / 10f64.powi(i32::from(currency.decimals()))
}

fn amount(minor: i64, currency: Currency) -> String {
    format!("{} {}", currency.format(Money::from_minor(minor)), currency)
}

/// How far each section of a simulation lies from its exact value.
#[must_use]
pub fn simulation(name: &str, result: &Simulation, footer: &str) -> Picture {
    let count = result.sections.len();
    let row = |index: usize| (count - 1 - index) as f64;
    let furthest = result.furthest_standard_errors.max(4.2).ceil();
    let names = result
        .sections
        .iter()
        .enumerate()
        .map(|(index, one)| (row(index), one.section.clone()))
        .collect();
    let mut panel = Panel::new(
        "",
        Axis::new(
            "standard errors that the simulated edge lies above (+) or below (−) the exact edge",
            -furthest,
            furthest,
        )
        .with_ticks(10),
        Axis::named("section", -0.8, count as f64 - 0.2, names),
    );
    panel.height = (count as f64 * 19.0).max(120.0);
    panel.marks.push(Mark::Band { x0: -2.0, x1: 2.0 });
    for (at, label) in [(-4.0, "−4"), (0.0, "exact"), (4.0, "+4")] {
        panel.rule(at, label, Hue::Faint);
    }
    for (hue, beyond) in [(Hue::Main, false), (Hue::Loss, true)] {
        let points = result
            .sections
            .iter()
            .enumerate()
            .filter(|(_, one)| (one.estimate.standard_errors_from_exact.abs() > 4.0) == beyond)
            .map(|(index, one)| (one.estimate.standard_errors_from_exact, row(index)))
            .collect();
        panel.dots(points, hue);
    }
    panel.legend = vec![
        (Hue::Main, "within 4".to_owned()),
        (Hue::Loss, "beyond 4".to_owned()),
        (Hue::Faint, "shaded: within 2".to_owned()),
    ];
    Picture {
        title: format!("{name}: simulated against exact edges"),
        subtitle: format!(
            "{} rounds, seed {}, generator {}; about one section in 22 lies outside the shaded band by chance",
            group(&result.rounds.to_string()),
            result.seed.0,
            result.generator,
        ),
        panels: vec![panel],
        columns: 1,
        footer: footer.to_owned(),
    }
}

/// The distribution of the house's result, with a simulation beside it.
#[must_use]
pub fn distribution(
    title: &str,
    exact: &Distribution,
    against: Option<&Against>,
    currency: Currency,
    footer: &str,
) -> Picture {
    // Nearly all of the probability, so that the tails do not squeeze the rest.
    let (low, high) = (exact.quantile(0.0002), exact.quantile(0.9998));
    let inside: Vec<usize> = (0..exact.probability.len())
        .filter(|k| (low..=high).contains(&exact.result_minor(*k)) && exact.is_listed(*k))
        .collect();
    // At most some 180 bars, each of a whole number of lattice points.
    let first = inside.first().copied().unwrap_or(0);
    let last = inside.last().copied().unwrap_or(0);
    let width = (last - first) / 180 + 1;
    // A bar begins at the first result that is no loss, so that no bar is both.
    let level = (0..exact.probability.len()).find(|k| exact.result_minor(*k) >= 0);
    let first = match level {
        Some(level) if level > first => {
            first - first.min((width - (level - first) % width) % width)
        }
        _ => first,
    };
    let bars: Vec<(f64, f64)> = (first..=last)
        .step_by(width)
        .map(|k| {
            let end = (k + width).min(exact.probability.len());
            (
                exact.result_minor(k) as f64,
                exact.probability[k..end].iter().sum(),
            )
        })
        .collect();
    let step = exact.step_minor as f64;
    let span = width as f64 * step;
    // Single results far apart are drawn as what they are: narrow bars, each at
    // its own place. Otherwise a bar covers all the results it stands for.
    let lone = width == 1 && bars.len() <= 40;
    let reach = bars.len().max(2) as f64 * step;
    let half = if lone {
        (step * 0.4).min(reach * 0.012)
    } else {
        step / 2.0
    };
    let begin = |minor: f64| major(minor - half, currency);
    let end = |minor: f64| major(minor + span - step + half, currency);
    // A result next to zero on a wide axis: its bar ends there.
    let sides = |minor: f64| match (begin(minor), end(minor)) {
        (from, to) if lone && minor > 0.0 => (from.max(0.0), to),
        (from, to) if lone && minor < 0.0 => (from, to.min(0.0)),
        sides => sides,
    };
    let top = bars.iter().map(|bar| bar.1).fold(0.0, f64::max) * 1.08;
    let margin = if lone { reach * 0.04 } else { 0.0 };
    let from = bars.first().map_or(0.0, |bar| begin(bar.0 - margin));
    let to = bars.last().map_or(1.0, |bar| end(bar.0 + margin));
    let per = if width == 1 {
        String::new()
    } else {
        format!(" per {}", amount(span as i64, currency))
    };
    let mut panel = Panel::new(
        "",
        Axis::new(
            &format!(
                "result of the house after {} rounds, {currency}",
                group(&exact.rounds.to_string())
            ),
            from,
            to,
        ),
        Axis::new(&format!("probability{per}"), 0.0, top).in_percent(),
    );
    panel.height = 380.0;
    for (minor, probability) in &bars {
        let hue = if *minor < 0.0 { Hue::Loss } else { Hue::Main };
        if *probability > 0.0 {
            let (from, to) = sides(*minor);
            panel.bar(from, to, *probability, hue);
        }
    }
    panel.legend = vec![
        (Hue::Loss, "house loses".to_owned()),
        (Hue::Main, "house does not lose".to_owned()),
    ];
    if let Some(drawn) = against {
        let share = |low: f64| {
            let below = |minor: f64| drawn.results_minor.partition_point(|r| (*r as f64) < minor);
            (below(low + span - step / 2.0) - below(low - step / 2.0)) as f64
                / drawn.sessions as f64
        };
        let points = bars
            .iter()
            .filter(|(_, probability)| *probability > 0.0)
            .map(|(minor, _)| {
                let middle = minor + (span - step) / 2.0;
                (major(middle, currency), share(*minor).min(top))
            })
            .collect();
        panel.dots(points, Hue::Other);
        let sessions = group(&drawn.sessions.to_string());
        panel
            .legend
            .push((Hue::Other, format!("{sessions} simulated sessions")));
    }
    for (share, name) in [(0.01, "1 %"), (0.5, "median"), (0.99, "99 %")] {
        let x = major(exact.quantile(share) as f64, currency);
        panel.rule(x, name, Hue::Faint);
    }
    Picture {
        title: title.to_owned(),
        subtitle: format!(
            "probability that the house loses {}; method {}",
            percent(exact.at_most(-1).probability),
            match exact.method {
                crate::distribution::Method::Exact => "exact (integer arithmetic)",
                crate::distribution::Method::Direct => "direct convolution",
                crate::distribution::Method::Fourier => "FFT (double precision)",
            },
        ),
        panels: vec![panel],
        columns: 1,
        footer: footer.to_owned(),
    }
}

/// A probability in percent, however small.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 1e-6 {
        format!("{:.3e} %", share * 100.0)
    } else {
        format!("{:.4} %", share * 100.0)
    }
}

fn spread_panel(
    title: &str,
    label: &str,
    spread: &Spread,
    scale: impl Fn(f64) -> f64,
    split: bool,
) -> Panel {
    let all: u64 = spread.bins.iter().map(|bin| bin.count).sum();
    let share = |count: u64| count as f64 / all as f64;
    let top = spread
        .bins
        .iter()
        .map(|bin| share(bin.count))
        .fold(0.0, f64::max)
        * 1.08;
    let low = spread.bins.first().map_or(0.0, |bin| scale(bin.from));
    let high = spread.bins.last().map_or(1.0, |bin| scale(bin.to));
    let mut panel = Panel::new(
        title,
        Axis::new(label, low, high).with_ticks(5),
        Axis::new("share of sessions", 0.0, top)
            .in_percent()
            .with_ticks(5),
    );
    panel.height = 220.0;
    for bin in &spread.bins {
        let hue = if split && bin.from < 0.0 {
            Hue::Loss
        } else {
            Hue::Main
        };
        panel.bar(scale(bin.from), scale(bin.to), share(bin.count), hue);
    }
    panel.rule(scale(spread.median as f64), "median", Hue::Faint);
    panel
}

/// Results, drawdown, length of play and survival of a system.
#[must_use]
pub fn strategy(name: &str, report: &Report, currency: Currency, footer: &str) -> Picture {
    let money = |minor: f64| major(minor, currency);
    // Ruined sessions all end near one result, whose bar would flatten the rest.
    let (title, shown) = match &report.result_not_ruined_minor {
        Some(left) if report.ruined.sessions > 0 => (
            format!(
                "Net result, without the {} ruined",
                percent(report.ruined.share)
            ),
            left,
        ),
        _ => ("Net result".to_owned(), &report.result_minor),
    };
    let mut result = spread_panel(
        &title,
        &format!("net result, {currency}"),
        shown,
        money,
        true,
    );
    result.legend = vec![
        (Hue::Loss, "behind".to_owned()),
        (Hue::Main, "level or ahead".to_owned()),
    ];
    let drawdown = spread_panel(
        "Maximum drawdown",
        &format!("maximum drawdown, {currency}"),
        &report.drawdown_minor,
        money,
        false,
    );
    let length = spread_panel(
        "Length of play",
        "rounds played",
        &report.length,
        |rounds| rounds,
        false,
    );
    let mut survival = Panel::new(
        "Still playing",
        Axis::new("rounds", 0.0, f64::from(report.rounds)).with_ticks(5),
        Axis::new("share of sessions", 0.0, 1.0)
            .in_percent()
            .with_ticks(5),
    );
    survival.height = 220.0;
    survival.line(
        report
            .still_playing
            .iter()
            .map(|(round, share)| (f64::from(*round), *share))
            .collect(),
        Hue::Main,
    );
    Picture {
        title: format!("{} on {}, {name}", report.system, played(report)),
        subtitle: format!(
            "{} sessions of up to {} rounds; base {}, bankroll {}, maximum {}; ruined {:.1} %",
            group(&report.sessions.to_string()),
            group(&report.rounds.to_string()),
            amount(report.base_minor, currency),
            amount(report.bankroll_minor, currency),
            amount(report.most_minor, currency),
            report.ruined.share * 100.0,
        ),
        panels: vec![result, drawdown, length, survival],
        columns: 2,
        footer: footer.to_owned(),
    }
}

/// The sections a system plays.
fn played(report: &Report) -> String {
    let names: Vec<&str> = report
        .sections
        .iter()
        .map(|one| one.section.as_str())
        .collect();
    names.join(" + ")
}

/// The 216 outcomes of an exposure, from the worst to the best.
#[must_use]
pub fn exposure(name: &str, result: &Exposure, currency: Currency, footer: &str) -> Picture {
    let mut sorted: Vec<i64> = result
        .outcomes
        .iter()
        .map(|point| point.house_minor)
        .collect();
    sorted.sort_unstable();
    let money = |minor: i64| major(minor as f64, currency);
    // A limit far below the worst result would squeeze the picture.
    let limit = result.limits.as_ref().map(|limits| -limits.worst_minor);
    let limit = limit.filter(|limit| *limit >= 3 * result.worst_minor);
    let (low, high) = (
        money(result.worst_minor.min(limit.unwrap_or(0)).min(0)),
        money(result.best_minor.max(0)),
    );
    let room = (high - low).max(1.0) * 0.06;
    let mut panel = Panel::new(
        "",
        Axis::new("outcomes of 216, worst for the house first", 0.0, 216.0),
        Axis::new(
            &format!("result of the house, {currency}"),
            low - room,
            high + room,
        ),
    );
    panel.height = 380.0;
    // One bar for all outcomes of equal result.
    let mut start = 0;
    for equal in sorted.chunk_by(|a, b| a == b) {
        let hue = if equal[0] < 0 { Hue::Loss } else { Hue::Main };
        panel.bar(
            start as f64,
            (start + equal.len()) as f64,
            money(equal[0]),
            hue,
        );
        start += equal.len();
    }
    panel.line(vec![(0.0, 0.0), (216.0, 0.0)], Hue::Faint);
    if let Some(limit) = limit {
        panel.line(vec![(0.0, money(limit)), (216.0, money(limit))], Hue::Other);
        panel
            .legend
            .push((Hue::Other, format!("limit {}", amount(limit, currency))));
    }
    panel.legend.push((Hue::Loss, "house pays".to_owned()));
    panel.legend.push((Hue::Main, "house takes".to_owned()));
    let worst = match result.worst_dice.as_slice() {
        few if few.len() <= 4 => few.join(", "),
        many => format!("{} combinations", many.len()),
    };
    Picture {
        title: format!("{name}: exposure"),
        subtitle: format!(
            "staked {}; worst {} on {worst}; {} of 216 outcomes cost the house",
            amount(result.staked_minor, currency),
            amount(result.worst_minor, currency),
            result.losing_ways,
        ),
        panels: vec![panel],
        columns: 1,
        footer: footer.to_owned(),
    }
}
