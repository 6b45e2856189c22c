//! `sicbo dist`: the exact distribution of the house's result over some rounds.

use clap::Args;
use serde::Serialize;
use sicbo_lab::distribution::{Against, Checks, Distribution, Method};
use sicbo_lab::rounds::Rounds;
use sicbo_lab::{pictures, plot};
use sicbo_rules::Profile;

use crate::failure::Failure;
use crate::lab::{Chips, Files, RunArgs, StakeArgs, Table, percent};
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
    /// Play the rounds so many times and compare; 0 for not at all [default: 20000, fewer when long]
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

#[derive(Serialize)]
struct Quantile {
    share: f64,
    house_minor: String,
}

#[derive(Serialize)]
struct Summary<'a> {
    layout: String,
    rounds: u64,
    staked_minor: i64,
    method: Method,
    error: &'a str,
    results: usize,
    step_minor: i64,
    lowest_minor: String,
    loss: f64,
    level: f64,
    gain: f64,
    quantiles: Vec<Quantile>,
    checks: &'a Checks,
    against: Option<&'a Against>,
}

impl Dist {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let table = self.chips.find()?;
        let stakes = self.stakes.required(&table)?;
        let profile = Profile::of(table.found.layout(), &stakes).map_err(Failure::input)?;
        let files = self.files.open()?;
        let rounds = self.rounds.get();
        let exact = Distribution::of(&profile, rounds)?;
        let sessions = self
            .against
            .unwrap_or_else(|| (MAX_DRAWN / rounds).min(20_000) as u32);
        let against = match sessions {
            0 => None,
            sessions => Some(exact.against(&profile, &self.run.run(), sessions as usize)?),
        };
        let name = table.found.name();
        let title = format!(
            "{name}: result of the house, {} staked a round",
            table.money(profile.staked.minor())
        );
        files.write(
            || exact.csv(),
            || pictures::distribution(&title, &exact, against.as_ref(), table.currency).svg(),
        )?;
        let summary = Summary {
            layout: name,
            rounds,
            staked_minor: profile.staked.minor(),
            method: exact.method,
            error: &exact.error,
            results: exact.probability.len(),
            step_minor: exact.step_minor,
            lowest_minor: exact.lowest_minor.to_string(),
            loss: exact.chance(|result| result < 0),
            level: exact.chance(|result| result == 0),
            gain: exact.chance(|result| result > 0),
            quantiles: SHARES
                .map(|share| Quantile {
                    share,
                    house_minor: exact.quantile(share).to_string(),
                })
                .into(),
            checks: &exact.checks,
            against: against.as_ref(),
        };
        if out.is_json() {
            out.json(&summary)
        } else {
            print(&summary, &table, out)
        }
    }
}

fn print(summary: &Summary<'_>, table: &Table, out: &mut Output) -> Result<(), Failure> {
    let scale = 10f64.powi(i32::from(table.currency.decimals()));
    let decimals = usize::from(table.currency.decimals());
    let major = |minor: f64| format!("{:.decimals$} {}", minor / scale, table.currency);
    out.heading(&format!(
        "{}: the house's result over {} rounds, {} staked a round",
        summary.layout,
        plot::group(&summary.rounds.to_string()),
        table.money(summary.staked_minor)
    ))?;
    let method = match summary.method {
        Method::Exact => "exact",
        Method::Direct => "direct convolution in floating point",
        Method::Fourier => "characteristic function in floating point",
    };
    out.line(format!("Method: {method}; error: {}", summary.error))?;
    out.line(format!("House loses  {:.10} %", summary.loss * 100.0))?;
    out.line(format!("Level        {:.10} %", summary.level * 100.0))?;
    out.line(format!("House gains  {:.10} %", summary.gain * 100.0))?;
    let mut grid = Grid::new(&[">not exceeded with", ">result of the house"]);
    for quantile in &summary.quantiles {
        let minor: f64 = quantile.house_minor.parse().unwrap_or(f64::NAN);
        grid.row([format!("{:.2} %", quantile.share * 100.0), major(minor)]);
    }
    out.table(&grid)?;
    let checks = summary.checks;
    out.line(format!(
        "Sum {:.12}, mean {} (exact {} minor), deviation {} (square exact {}): {}",
        checks.sum,
        major(checks.mean_minor),
        checks.mean_exact,
        major(checks.deviation_minor),
        checks.variance_exact,
        if checks.agree {
            "all agree"
        } else {
            "THEY DISAGREE"
        }
    ))?;
    match summary.against {
        None => out.line("No simulation beside it"),
        Some(drawn) => out.line(format!(
            "Against {} simulated sessions: house loses {} (exact {}), largest distance {:.5}, p = {:.4}",
            drawn.sessions,
            percent(drawn.loss),
            percent(summary.loss),
            drawn.distance,
            drawn.p
        )),
    }
}
