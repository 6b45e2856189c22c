//! `sicbo simulate`: real rounds from a seed, every section beside its exact value.

use clap::Args;
use sicbo_lab::rounds::Rounds;
use sicbo_lab::simulate::{Simulation, report};
use sicbo_lab::stats::ChiSquare;
use sicbo_lab::{pictures, plot};

use crate::failure::Failure;
use crate::lab::{Chips, Files, RunArgs, StakeArgs, Table, percent, progress};
use crate::output::{Grid, Output, marked};

/// Without stakes, one chip unit stands on every section.
#[derive(Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    chips: Chips,
    #[command(flatten)]
    stakes: StakeArgs,
    /// Rounds, e.g. 1000000 or 1e9; up to 1e15
    #[arg(
        long,
        value_name = "N",
        default_value = "1e8",
        allow_hyphen_values = true
    )]
    rounds: Rounds,
    /// Confidence of the intervals, between 0.5 and 0.999999
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = confidence)]
    confidence: f64,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    files: Files,
}

fn confidence(text: &str) -> Result<f64, String> {
    let share: f64 = text
        .parse()
        .map_err(|_| "write a share such as 0.95".to_owned())?;
    if (0.5..=0.999_999).contains(&share) {
        Ok(share)
    } else {
        Err("it must lie between 0.5 and 0.999999".to_owned())
    }
}

impl Simulate {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let table = self.chips.find()?;
        let stakes = match self.stakes.read(&table)? {
            Some(stakes) => stakes,
            None => table.rules().one_each(),
        };
        let files = self.files.open()?;
        let run = self.run.run();
        let bar = progress(self.rounds.get(), "rounds");
        let histogram = run.play(self.rounds, &|more| bar.inc(more))?;
        bar.finish_and_clear();
        let name = table.found.name();
        let layout = table.found.layout();
        let result = report(&name, layout, &stakes, &run, self.confidence, &histogram)?;
        files.write(|| result.csv(), || pictures::simulation(&result).svg())?;
        if out.is_json() {
            out.json(&result)
        } else {
            print(&result, &table, out)
        }
    }
}

fn print(result: &Simulation, table: &Table, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!(
        "{}: {} rounds drawn, seed {}, {}",
        result.layout,
        plot::group(&result.rounds.to_string()),
        result.seed.0,
        result.algorithm
    ))?;
    let interval = format!(">{} % interval", result.confidence * 100.0);
    let mut grid = Grid::headed(&format!(
        "  section | >stake | >won | >simulated edge | {interval} | >exact edge | >exact | >standard errors off"
    ));
    for one in &result.sections {
        let edge = &one.edge;
        grid.row([
            marked(edge.standard_errors_off.abs() > 4.0, &one.section),
            table.money(one.stake_minor),
            one.wins.to_string(),
            percent(edge.simulated),
            format!("{} to {}", percent(edge.low), percent(edge.high)),
            percent(edge.exact_value),
            edge.exact.clone(),
            format!("{:+.2}", edge.standard_errors_off),
        ]);
    }
    out.table(&grid)?;
    let house = &result.house;
    let scale = 10f64.powi(i32::from(table.currency.decimals()));
    out.line(format!(
        "House per round: {:.6} {} simulated ({:.6} to {:.6}), {:.6} exact, {:+.2} standard errors off",
        house.simulated / scale,
        table.currency,
        house.low / scale,
        house.high / scale,
        house.exact_value / scale,
        house.standard_errors_off
    ))?;
    out.line(format!(
        "Furthest section: {:.2} standard errors off; beyond 4 would be marked",
        result.furthest_standard_errors
    ))?;
    for (name, test) in [
        ("faces", &result.dice.faces),
        ("totals", &result.dice.totals),
        ("outcomes", &result.dice.outcomes),
    ] {
        out.line(chi_square(name, test.as_ref()))?;
    }
    Ok(())
}

fn chi_square(name: &str, test: Option<&ChiSquare>) -> String {
    match test {
        Some(test) => format!(
            "Chi-square of {name}: {:.2} with {} degrees of freedom, p = {:.4}",
            test.statistic, test.degrees, test.p
        ),
        None => format!("Chi-square of {name}: too few rounds"),
    }
}
