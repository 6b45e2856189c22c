//! `sicbo dist`: the distribution of the house's result over N rounds.

use clap::Args;
use serde::Serialize;
use sicbo_lab::distribution::{Against, Checks, Distribution, Method, Tail};
use sicbo_lab::hold::{self, HoldRange};
use sicbo_lab::rounds::Rounds;
use sicbo_lab::{pictures, plot};

use crate::failure::Failure;
use crate::lab::{Chips, Files, RunArgs, StakeArgs, Table, percent, share, signed_amount};
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct Dist {
    #[command(flatten)]
    chips: Chips,
    #[command(flatten)]
    stakes: StakeArgs,
    /// Rounds with the same stakes
    #[arg(
        long,
        value_name = "N",
        default_value = "1000",
        allow_hyphen_values = true
    )]
    rounds: Rounds,
    /// Probability of this result of the house or less, of exactly it, and of it or more; may be
    /// repeated, e.g. --at -5000
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    at: Vec<String>,
    /// Quantile at this share, e.g. 0.005 or 0.5%; may be repeated
    #[arg(long, value_name = "SHARE", value_parser = share)]
    quantile: Vec<f64>,
    /// Hold ranges for 1e3 to 1e7 rounds
    #[arg(long)]
    hold: bool,
    /// Number of simulated sessions to compare with (0 = none) [default: 20000, fewer when long]
    #[arg(long, value_name = "N")]
    against: Option<u32>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    files: Files,
}

const SHARES: [f64; 11] = [
    0.0001, 0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 0.9999,
];

/// No comparison draws more rounds than this unless asked to.
const MAX_DRAWN: u64 = 4_000_000_000;

/// The share of stretches of play that a hold range holds.
const CONFIDENCE: f64 = 0.9;

#[derive(Serialize)]
struct Quantile {
    share: f64,
    house_minor: i128,
}

#[derive(Serialize)]
struct At {
    house_minor: i64,
    at_most: Tail,
    exactly: Tail,
    at_least: Tail,
}

#[derive(Serialize)]
struct Summary<'a> {
    rounds: u64,
    staked_minor: i64,
    method: Method,
    error: &'a str,
    error_bound: f64,
    results: usize,
    step_minor: i64,
    lowest_minor: i128,
    loss: Tail,
    break_even: Tail,
    gain: Tail,
    at: Vec<At>,
    quantiles: Vec<Quantile>,
    mean_minor: f64,
    deviation_minor: f64,
    skewness: f64,
    excess_kurtosis: f64,
    edge: String,
    edge_percent: f64,
    volatility_index: f64,
    volatility_confidence: f64,
    hold_ranges: Vec<HoldRange>,
    checks: &'a Checks,
    against: Option<&'a Against>,
}

impl Dist {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let table = self.chips.find()?;
        let mix = self.stakes.required(&table)?;
        let at = self
            .at
            .iter()
            .map(|text| signed_amount(table.currency, "--at", text))
            .collect::<Result<Vec<i64>, Failure>>()?;
        let profile = table.game.profile(&mix, &table.loading)?;
        let files = self.files.open(out)?;
        let rounds = self.rounds.get();
        let exact = Distribution::of(&profile, rounds)?;
        let sessions = self
            .against
            .unwrap_or_else(|| (MAX_DRAWN / rounds).min(20_000) as u32);
        let against = match sessions {
            0 => None,
            sessions => Some(exact.against(&profile, &self.run.run(), sessions as usize)?),
        };
        let title = format!(
            "{}: result of the house, {} staked per round",
            table.game.name(),
            table.money(profile.staked.minor())
        );
        let origin = table.origin("dist");
        let taken = files.write(
            &origin,
            out,
            || exact.csv(),
            || {
                let currency = table.currency;
                let foot = origin.line();
                pictures::distribution(&title, &exact, against.as_ref(), currency, &foot).svg()
            },
        )?;
        if taken {
            return Ok(());
        }
        let mut shares = SHARES.to_vec();
        shares.extend(&self.quantile);
        shares.sort_by(f64::total_cmp);
        shares.dedup();
        let (skewness, kurtosis) = profile.shape();
        let edge =
            profile.mean() / sicbo_rules::Ratio::from_integer(i128::from(profile.staked.minor()));
        let summary = Summary {
            rounds,
            staked_minor: profile.staked.minor(),
            method: exact.method,
            error: &exact.error,
            error_bound: exact.error_bound,
            results: exact.listed().count(),
            step_minor: exact.step_minor,
            lowest_minor: exact
                .listed()
                .next()
                .map_or(0, |first| exact.result_minor(first)),
            loss: exact.at_most(-1),
            break_even: exact.exactly(0),
            gain: exact.at_least(1),
            at: at
                .into_iter()
                .map(|minor| At {
                    house_minor: minor,
                    at_most: exact.at_most(i128::from(minor)),
                    exactly: exact.exactly(i128::from(minor)),
                    at_least: exact.at_least(i128::from(minor)),
                })
                .collect(),
            quantiles: shares
                .into_iter()
                .map(|share| Quantile {
                    share,
                    house_minor: exact.quantile(share),
                })
                .collect(),
            mean_minor: exact.checks.mean_minor,
            deviation_minor: exact.checks.deviation_minor,
            skewness: skewness / (rounds as f64).sqrt(),
            excess_kurtosis: kurtosis / rounds as f64,
            edge_percent: sicbo_lab::simulate::rounded_percent(edge),
            edge: edge.to_string(),
            volatility_index: hold::volatility_index(&profile, CONFIDENCE),
            volatility_confidence: CONFIDENCE,
            hold_ranges: if self.hold {
                hold::ROUNDS
                    .map(|rounds| HoldRange::of(&profile, rounds, CONFIDENCE))
                    .to_vec()
            } else {
                Vec::new()
            },
            checks: &exact.checks,
            against: against.as_ref(),
        };
        if out.is_json() {
            origin.json(&summary, out)
        } else {
            print(&summary, &table, out)?;
            out.line(origin.line())
        }
    }
}

/// A probability as far as it is known.
fn probability(tail: &Tail) -> String {
    if tail.probability > 0.0 && tail.probability < 1e-12 {
        format!("{:.4e} %", tail.probability * 100.0)
    } else {
        format!("{:.10} %", tail.probability * 100.0)
    }
}

fn print(summary: &Summary<'_>, table: &Table, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!(
        "{}: the house's result over {} rounds, {} staked per round",
        table.game.name(),
        plot::group(&summary.rounds.to_string()),
        table.money(summary.staked_minor)
    ))?;
    let method = match summary.method {
        Method::Exact => "exact",
        Method::Direct => "direct convolution (double precision)",
        Method::Fourier => "FFT (double precision)",
    };
    out.line(format!("Method: {method}. Error: {}", summary.error))?;
    out.line(format!("House loses  {}", probability(&summary.loss)))?;
    out.line(format!("Break even   {}", probability(&summary.break_even)))?;
    out.line(format!("House gains  {}", probability(&summary.gain)))?;
    let mut grid = Grid::new(&[">quantile", ">result of the house"]);
    for quantile in &summary.quantiles {
        grid.row([
            format!("{} %", short(quantile.share * 100.0)),
            table.major(quantile.house_minor as f64),
        ]);
    }
    out.table(&grid)?;
    if !summary.at.is_empty() {
        let mut grid = Grid::headed(">result | >or less | >exactly | >or more | >error below");
        for at in &summary.at {
            let error = [&at.at_most, &at.exactly, &at.at_least].map(|tail| tail.error_bound);
            grid.row([
                table.money(at.house_minor),
                probability(&at.at_most),
                probability(&at.exactly),
                probability(&at.at_least),
                format!("{:.0e} %", error.into_iter().fold(0.0, f64::max) * 100.0),
            ]);
        }
        out.table(&grid)?;
    }
    let checks = summary.checks;
    out.line(format!(
        "Mean {} (exact {} minor units), standard deviation {} (variance {} minor units²)",
        table.major(checks.mean_minor),
        checks.mean_exact,
        table.major(checks.deviation_minor),
        checks.variance_exact,
    ))?;
    out.line(format!(
        "Skewness {:.6}, excess kurtosis {:.6}; sum of all probabilities {:.12}: {}",
        summary.skewness,
        summary.excess_kurtosis,
        checks.sum,
        if checks.agree {
            "sum, mean and variance agree with those known without it"
        } else {
            "SUM, MEAN OR VARIANCE DISAGREE"
        }
    ))?;
    out.line(format!(
        "Edge {} = {:.4} % of stakes; volatility index {:.4} at {} %: over N rounds the hold is within ±{:.4}/√N of the edge, nearly",
        summary.edge,
        summary.edge_percent,
        summary.volatility_index,
        CONFIDENCE * 100.0,
        summary.volatility_index,
    ))?;
    if !summary.hold_ranges.is_empty() {
        let mut grid = Grid::headed(">rounds | >hold from | >to | found by");
        for range in &summary.hold_ranges {
            grid.row([
                plot::group(&range.rounds.to_string()),
                percent(range.low),
                percent(range.high),
                match range.method {
                    Some(_) => "quantiles of the distribution".to_owned(),
                    None => "normal approximation".to_owned(),
                },
            ]);
        }
        out.table(&grid)?;
    }
    match summary.against {
        None => out.line("No simulation to compare with"),
        Some(drawn) => print_against(drawn, summary, out),
    }
}

fn print_against(drawn: &Against, summary: &Summary<'_>, out: &mut Output) -> Result<(), Failure> {
    let chi = match (drawn.chi_square, drawn.degrees, drawn.p) {
        (Some(statistic), Some(degrees), Some(p)) => {
            format!("chi-square {statistic:.2} with {degrees} degrees of freedom, p = {p:.4}")
        }
        _ => "too few sessions for a chi-square".to_owned(),
    };
    out.line(format!(
        "Against {} simulated sessions: house loses {} (exact {}), mean z {:+.2}, {chi}",
        plot::group(&drawn.sessions.to_string()),
        percent(drawn.loss),
        percent(summary.loss.probability),
        drawn.mean_z,
    ))
}

/// A figure without needless noughts.
fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "0" {
        format!("{value:e}")
    } else {
        text.to_owned()
    }
}
