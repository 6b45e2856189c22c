//! What many sessions of a system come to.

use serde::Serialize;
use sicbo_rules::maths::approx;
use sicbo_rules::{Layout, Par};

use super::{End, Plan, Session, System};
use crate::generator::{Generator, Seed};
use crate::simulate::Run;
use crate::stats::normal_width;

/// Where some figure of the sessions lies.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The average.
    pub mean: f64,
    /// Standard error of the average.
    pub standard_error: f64,
    /// The least.
    pub least: i64,
    /// One session in a hundred is below.
    pub percent_1: i64,
    /// One in twenty is below.
    pub percent_5: i64,
    /// One in four is below.
    pub percent_25: i64,
    /// Half are below.
    pub median: i64,
    /// One in four is above.
    pub percent_75: i64,
    /// One in twenty is above.
    pub percent_95: i64,
    /// One session in a hundred is above.
    pub percent_99: i64,
    /// The most.
    pub most: i64,
    /// Counts of equally wide bins, for pictures.
    pub bins: Vec<Bin>,
}

/// Sessions within a span.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bin {
    /// Lower end, included.
    pub from: f64,
    /// Upper end, included in the last bin only.
    pub to: f64,
    /// Sessions.
    pub count: u64,
}

impl Spread {
    fn of(mut values: Vec<i64>, step: i64) -> Spread {
        values.sort_unstable();
        let count = values.len();
        let at = |share: f64| values[((count as f64 * share) as usize).min(count - 1)];
        let sum: i128 = values.iter().map(|value| i128::from(*value)).sum();
        let mean = sum as f64 / count as f64;
        let squares: f64 = values
            .iter()
            .map(|value| (*value as f64 - mean).powi(2))
            .sum();
        Spread {
            mean,
            standard_error: (squares / (count as f64 - 1.0).max(1.0) / count as f64).sqrt(),
            least: at(0.0),
            percent_1: at(0.01),
            percent_5: at(0.05),
            percent_25: at(0.25),
            median: at(0.5),
            percent_75: at(0.75),
            percent_95: at(0.95),
            percent_99: at(0.99),
            most: at(1.0),
            bins: bins(&values, step),
        }
    }
}

/// At most sixty bins, as wide as a whole number of steps, so that a lattice
/// of results does not make a comb.
fn bins(sorted: &[i64], step: i64) -> Vec<Bin> {
    let (least, most) = match (sorted.first(), sorted.last()) {
        (Some(least), Some(most)) => (*least, *most),
        _ => return Vec::new(),
    };
    let step = step.max(1);
    let width = ((most - least) / step / 60 + 1) * step;
    let mut bins: Vec<Bin> = (0..=(most - least) / width)
        .map(|index| Bin {
            from: (least + index * width) as f64,
            to: (least + (index + 1) * width) as f64,
            count: 0,
        })
        .collect();
    for value in sorted {
        bins[((value - least) / width) as usize].count += 1;
    }
    bins
}

/// A share of the sessions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Share {
    /// Sessions.
    pub sessions: u64,
    /// The share of all.
    pub share: f64,
    /// Lower end of its 95 % confidence interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Share {
    fn of(sessions: u64, all: u64) -> Share {
        // Wilson's interval, which holds near zero and one as well.
        let (n, z) = (all as f64, normal_width(0.95));
        let share = sessions as f64 / n;
        let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half =
            z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        Share {
            sessions,
            share,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
        }
    }
}

/// What a system comes to. Amounts are in minor units.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Full name of the layout.
    pub layout: String,
    /// The section played.
    pub section: String,
    /// The system.
    pub system: System,
    /// Sessions played.
    pub sessions: u64,
    /// Rounds played in all sessions together.
    pub rounds_played: u64,
    /// The seed.
    pub seed: Seed,
    /// The generator.
    pub generator: Generator,
    /// Base stake, bankroll, least and greatest stake, chip unit.
    pub base_minor: i64,
    /// What the player comes with.
    pub bankroll_minor: i64,
    /// The table's least stake.
    pub least_minor: i64,
    /// The table's greatest stake.
    pub most_minor: i64,
    /// The chip unit.
    pub unit_minor: i64,
    /// The most rounds of a session.
    pub rounds: u32,
    /// The player's result.
    pub result: Spread,
    /// The deepest fall from a high point.
    pub drawdown: Spread,
    /// Rounds played.
    pub length: Spread,
    /// All stakes of a session together.
    pub staked: Spread,
    /// The greatest stake of a session.
    pub greatest: Spread,
    /// Sessions that ended in ruin.
    pub ruined: Share,
    /// Sessions that reached the wanted win.
    pub target: Share,
    /// Sessions that ended with more than they began with.
    pub ahead: Share,
    /// Sessions in which a stake was cut to the maximum or the bankroll.
    pub cut: Share,
    /// What the player lost for each unit staked.
    pub loss_per_unit_staked: f64,
    /// The section's exact edge, which no system changes, as a fraction.
    pub edge: String,
    /// The same as a number.
    pub edge_value: f64,
    /// How many standard errors the loss lies from the edge times what was staked.
    pub standard_errors_off: f64,
    /// Share of sessions still playing after so many rounds, for pictures.
    pub still_playing: Vec<(u32, f64)>,
}

impl Report {
    /// Sums up sessions; there is at least one.
    #[must_use]
    pub fn of(name: &str, layout: &Layout, plan: &Plan, run: &Run, sessions: &[Session]) -> Report {
        let all = sessions.len() as u64;
        let spread = |of: fn(&Session) -> i64, step: i64| {
            Spread::of(sessions.iter().map(of).collect(), step)
        };
        let share = |is: fn(&Session) -> bool| {
            Share::of(sessions.iter().filter(|s| is(s)).count() as u64, all)
        };
        let edge = Par::of(layout, plan.section)
            .map(|par| par.edge())
            .unwrap_or_default();
        let edge_value = approx(edge);
        let staked = spread(|s| s.staked_minor, plan.unit.minor());
        let result = spread(|s| s.result_minor, plan.unit.minor());
        // Result plus edge times stake averages zero whatever the system: each
        // bet is fair but for the edge, and stopping early changes nothing.
        let excess: Vec<f64> = sessions
            .iter()
            .map(|s| s.result_minor as f64 + edge_value * s.staked_minor as f64)
            .collect();
        let mean = excess.iter().sum::<f64>() / all as f64;
        let squares: f64 = excess.iter().map(|one| (one - mean).powi(2)).sum();
        let error = (squares / (all as f64 - 1.0).max(1.0) / all as f64).sqrt();
        Report {
            layout: name.to_owned(),
            section: plan.section.to_string(),
            system: plan.system,
            sessions: all,
            rounds_played: sessions.iter().map(|s| u64::from(s.rounds)).sum(),
            seed: run.seed,
            generator: run.generator,
            base_minor: plan.base.minor(),
            bankroll_minor: plan.bankroll.minor(),
            least_minor: plan.least.minor(),
            most_minor: plan.most.minor(),
            unit_minor: plan.unit.minor(),
            rounds: plan.rounds,
            loss_per_unit_staked: -result.mean / staked.mean,
            edge: edge.to_string(),
            edge_value,
            standard_errors_off: if error > 0.0 { mean / error } else { 0.0 },
            result,
            drawdown: spread(|s| s.drawdown_minor, plan.unit.minor()),
            length: spread(|s| i64::from(s.rounds), 1),
            staked,
            greatest: spread(|s| s.greatest_minor, plan.unit.minor()),
            ruined: share(|s| s.end == End::Ruined),
            target: share(|s| s.end == End::Target),
            ahead: share(|s| s.result_minor > 0),
            cut: share(|s| s.cut),
            still_playing: still_playing(sessions, plan.rounds),
        }
    }

    /// The sessions as CSV, with a header.
    #[must_use]
    pub fn csv(sessions: &[Session]) -> String {
        let mut text = String::from(
            "session,result_minor,rounds,staked_minor,drawdown_minor,greatest_stake_minor,cut,end\n",
        );
        for (index, s) in sessions.iter().enumerate() {
            let end = match s.end {
                End::Ruined => "ruined",
                End::Target => "target",
                End::Finished => "finished",
            };
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{end}\n",
                index + 1,
                s.result_minor,
                s.rounds,
                s.staked_minor,
                s.drawdown_minor,
                s.greatest_minor,
                s.cut,
            ));
        }
        text
    }
}

fn still_playing(sessions: &[Session], rounds: u32) -> Vec<(u32, f64)> {
    let mut ended: Vec<u32> = sessions
        .iter()
        .filter(|s| s.end != End::Finished)
        .map(|s| s.rounds)
        .collect();
    ended.sort_unstable();
    let points = rounds.min(200);
    (0..=points)
        .map(|point| {
            let round = (u64::from(rounds) * u64::from(point) / u64::from(points)) as u32;
            let gone = ended.partition_point(|end| *end <= round);
            (round, 1.0 - gone as f64 / sessions.len() as f64)
        })
        .collect()
}
