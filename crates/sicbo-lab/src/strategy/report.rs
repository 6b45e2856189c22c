//! What many sessions of a system come to.

use serde::Serialize;
use sicbo_rules::Ratio;
use sicbo_rules::maths::approx;

use super::{End, Exact, Plan, Session};
use crate::game::{Game, Loading};
use crate::generator::{Generator, Seed};
use crate::interval;
use crate::simulate::{Run, rounded_percent};

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
    // Zero begins a bin, so that none holds both losses and gains.
    let least = least.div_euclid(width) * width;
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
        let (low, high) = interval::share(sessions, all);
        Share {
            sessions,
            share: sessions as f64 / all as f64,
            low,
            high,
        }
    }
}

/// One section played and its part of the stake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Played {
    /// The section.
    pub section: String,
    /// Its part of the base stake, in minor units.
    pub stake_minor: i64,
}

/// What a system comes to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The sections played.
    pub sections: Vec<Played>,
    /// The system.
    pub system: String,
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
    /// The wanted win, in minor units; `null` when none was given.
    pub target_minor: Option<i64>,
    /// The player's net result, in minor units.
    pub result_minor: Spread,
    /// The same of the sessions that were not ruined; `null` when all were.
    pub result_not_ruined_minor: Option<Spread>,
    /// Maximum drawdown: the deepest fall from a high point, in minor units.
    pub drawdown_minor: Spread,
    /// Rounds played.
    pub length: Spread,
    /// Rounds played in the sessions that ended in ruin; `null` when none did.
    pub length_ruined: Option<Spread>,
    /// All stakes of a session together, in minor units.
    pub staked_minor: Spread,
    /// The greatest stake of a session, in minor units.
    pub greatest_minor: Spread,
    /// Sessions that ended in ruin.
    pub ruined: Share,
    /// Sessions that reached the wanted win; `null` when none was given.
    pub target: Option<Share>,
    /// Sessions that ended with more than they began with.
    pub ahead: Share,
    /// Sessions in which a stake was limited by the table maximum or the bankroll.
    pub cut: Share,
    /// What the player lost for each unit staked.
    pub loss_per_unit_staked: f64,
    /// The exact edge of the bets, which no system changes, as a fraction.
    pub edge: String,
    /// The same in percent, rounded.
    pub edge_percent: f64,
    /// How many standard errors the loss lies above the edge times what was staked.
    pub standard_errors_from_exact: f64,
    /// The same session worked out; `null` when it cannot be.
    pub exact: Option<Exact>,
    /// Why it cannot be.
    pub exact_left_out: Option<&'static str>,
    /// Share of sessions still playing after so many rounds, for pictures.
    pub still_playing: Vec<(u32, f64)>,
}

impl Report {
    /// Sums up sessions; there is at least one.
    #[must_use]
    pub fn of(
        game: &Game,
        plan: &Plan,
        loading: &Loading,
        run: &Run,
        sessions: &[Session],
    ) -> Report {
        let all = sessions.len() as u64;
        let spread = |of: fn(&Session) -> i64, step: i64| {
            Spread::of(sessions.iter().map(of).collect(), step)
        };
        let share = |is: fn(&Session) -> bool| {
            Share::of(sessions.iter().filter(|s| is(s)).count() as u64, all)
        };
        let parts: i64 = plan.bets.iter().map(|(_, part)| part).sum();
        let edge: Ratio = plan
            .bets
            .iter()
            .map(|(at, part)| {
                game.bets[*at].par(loading).edge()
                    * Ratio::new(i128::from(*part), i128::from(parts))
            })
            .sum();
        let edge_value = approx(edge);
        let unit = plan.unit.minor();
        let staked = spread(|s| s.staked_minor, unit);
        let result = spread(|s| s.result_minor, unit);
        // Result plus edge times stake averages zero whatever the system: each
        // bet is fair but for the edge, and stopping early changes nothing.
        let excess: Vec<f64> = sessions
            .iter()
            .map(|s| s.result_minor as f64 + edge_value * s.staked_minor as f64)
            .collect();
        let mean = excess.iter().sum::<f64>() / all as f64;
        let squares: f64 = excess.iter().map(|one| (one - mean).powi(2)).sum();
        let error = (squares / (all as f64 - 1.0).max(1.0) / all as f64).sqrt();
        let ruined_lengths: Vec<i64> = sessions
            .iter()
            .filter(|s| s.end == End::Ruined)
            .map(|s| i64::from(s.rounds))
            .collect();
        let left: Vec<i64> = sessions
            .iter()
            .filter(|s| s.end != End::Ruined)
            .map(|s| s.result_minor)
            .collect();
        let (exact, exact_left_out) = match super::exact(game, plan, loading) {
            Ok(exact) => (Some(exact), None),
            Err(why) => (None, Some(why)),
        };
        Report {
            sections: plan
                .bets
                .iter()
                .map(|(at, part)| Played {
                    section: game.bets[*at].name.clone(),
                    stake_minor: plan.base.minor() * part / parts,
                })
                .collect(),
            system: plan.system.to_string(),
            sessions: all,
            rounds_played: sessions.iter().map(|s| u64::from(s.rounds)).sum(),
            seed: run.seed,
            generator: run.generator,
            base_minor: plan.base.minor(),
            bankroll_minor: plan.bankroll.minor(),
            least_minor: plan.least.minor(),
            most_minor: plan.most.minor(),
            unit_minor: unit,
            rounds: plan.rounds,
            target_minor: plan.target.map(|target| target.minor()),
            loss_per_unit_staked: -result.mean / staked.mean,
            edge: edge.to_string(),
            edge_percent: rounded_percent(edge),
            // The house's side, as everywhere: a loss above the edge is above.
            standard_errors_from_exact: if error > 0.0 { -mean / error } else { 0.0 },
            exact,
            exact_left_out,
            result_minor: result,
            result_not_ruined_minor: (!left.is_empty()).then(|| Spread::of(left, unit)),
            drawdown_minor: spread(|s| s.drawdown_minor, unit),
            length: spread(|s| i64::from(s.rounds), 1),
            length_ruined: (!ruined_lengths.is_empty()).then(|| Spread::of(ruined_lengths, 1)),
            staked_minor: staked,
            greatest_minor: spread(|s| s.greatest_minor, unit),
            ruined: share(|s| s.end == End::Ruined),
            target: plan.target.map(|_| share(|s| s.end == End::Target)),
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
