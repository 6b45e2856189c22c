//! Charts of a report.

use sicbo_lab::plot::{Axis, Hue, Panel, Picture};
use sicbo_lab::simulate::TOTAL_WAYS;

use super::super::sheet::TableReport;

/// Edge against what was won, by kind; totals against what fair dice give.
pub(super) fn charts(report: &TableReport) -> Vec<Picture> {
    let mut pictures = Vec::new();
    if !report.kinds.is_empty() {
        pictures.push(kinds(report));
    }
    if report.dice.iter().any(|line| line.rounds > 0) {
        pictures.push(dice(report));
    }
    pictures
}

fn kinds(report: &TableReport) -> Picture {
    let share = |win: i64, handle: i64| 100.0 * win as f64 / handle.max(1) as f64;
    let lines = &report.kinds;
    let both = lines
        .iter()
        .flat_map(|line| [share(line.win, line.handle), line.edge_percent]);
    let (low, high) = both.fold((0.0f64, 1.0f64), |(low, high), one| {
        (low.min(one), high.max(one))
    });
    let names = lines.iter().enumerate();
    let names = names.map(|(at, line)| (at as f64, line.kind.clone()));
    let mut panel = Panel::new(
        "",
        Axis::named(
            "kind of bet",
            -0.6,
            lines.len() as f64 - 0.4,
            names.collect(),
        ),
        Axis::new("% of the handle", low * 1.1, high * 1.1),
    );
    for (at, line) in lines.iter().enumerate() {
        let at = at as f64;
        let won = share(line.win, line.handle);
        panel.bar(
            at - 0.36,
            at,
            won,
            if won < 0.0 { Hue::Loss } else { Hue::Main },
        );
        panel.bar(at, at + 0.36, line.edge_percent, Hue::Other);
    }
    panel.legend = vec![
        (Hue::Main, "won".to_owned()),
        (Hue::Other, "exact edge".to_owned()),
    ];
    Picture {
        title: "Won and expected, by kind of bet".to_owned(),
        subtitle: format!("{} rounds that stand settled", report.play.settled),
        panels: vec![panel],
        columns: 1,
        footer: String::new(),
    }
}

fn dice(report: &TableReport) -> Picture {
    let mut totals = [0u64; 16];
    let mut faces = [0u64; 6];
    for line in &report.dice {
        for (sum, count) in totals.iter_mut().zip(&line.totals) {
            *sum += count;
        }
        for (sum, count) in faces.iter_mut().zip(&line.faces) {
            *sum += count;
        }
    }
    let rounds = totals.iter().sum::<u64>() as f64;
    let expected = TOTAL_WAYS.map(|ways| rounds * ways as f64 / 216.0);
    let panel = |title: &str, label: &str, first: f64, counts: &[u64], expected: &[f64]| {
        let most = counts.iter().map(|count| *count as f64);
        let most = most.chain(expected.iter().copied()).fold(1.0, f64::max);
        let last = first + counts.len() as f64 - 1.0;
        let ticks = (0..counts.len()).map(|at| {
            let value = first + at as f64;
            (value, format!("{value:.0}"))
        });
        let mut panel = Panel::new(
            title,
            Axis::named(label, first - 0.6, last + 0.6, ticks.collect()),
            Axis::new("times", 0.0, most * 1.1),
        );
        for (at, count) in counts.iter().enumerate() {
            panel.bar(
                first + at as f64 - 0.4,
                first + at as f64 + 0.4,
                *count as f64,
                Hue::Main,
            );
        }
        let points = expected.iter().enumerate();
        panel.dots(
            points.map(|(at, y)| (first + at as f64, *y)).collect(),
            Hue::Other,
        );
        panel.legend = vec![
            (Hue::Main, "came".to_owned()),
            (Hue::Other, "expected".to_owned()),
        ];
        panel
    };
    Picture {
        title: "Dice".to_owned(),
        subtitle: format!("{rounds:.0} results, all dice sets together"),
        panels: vec![
            panel("Faces", "face", 1.0, &faces, &[rounds / 2.0; 6]),
            panel("Totals", "total", 3.0, &totals, &expected),
        ],
        columns: 2,
        footer: String::new(),
    }
}
