//! `sicbo simulate`: real rounds from a seed, every section beside its exact value.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use sicbo_lab::dump::{DumpForm, dump};
use sicbo_lab::rounds::Rounds;
use sicbo_lab::simulate::{Simulation, report};
use sicbo_lab::stats::ChiSquare;
use sicbo_lab::{pictures, plot};

use crate::failure::Failure;
use crate::lab::{Chips, Files, RunArgs, StakeArgs, Table, deliver, percent, progress, share};
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
    /// Confidence of the intervals, between 0.5 and 0.999999, e.g. 0.95 or 95%
    #[arg(long, value_name = "SHARE", default_value = "0.95", value_parser = confidence)]
    confidence: f64,
    /// Write the rounds themselves to this file instead; - is standard output
    ///
    /// For PractRand, NIST SP 800-22 or dieharder use --dump-as draws.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "plot", "stakes", "bet"])]
    dump: Option<PathBuf>,
    /// What is written for a round: dice (text, 4,3,4), outcomes (one byte, 0 to 215) or draws (the
    /// generator's 16 bits, rejected ones included)
    #[arg(long, value_name = "FORM", default_value = "dice", requires = "dump")]
    dump_as: DumpForm,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    files: Files,
}

fn confidence(text: &str) -> Result<f64, String> {
    let given = share(text).map_err(|error| error.replace("0.01 or 1%", "0.95 or 95%"));
    match given {
        Ok(share) if (0.5..=0.999_999).contains(&share) => Ok(share),
        Ok(_) => Err("it must lie between 0.5 and 0.999999".to_owned()),
        Err(error) if error.contains("between 0 and 1") => {
            Err("it must lie between 0.5 and 0.999999".to_owned())
        }
        Err(error) => Err(error),
    }
}

impl Simulate {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let table = self.chips.find()?;
        if let Some(path) = &self.dump {
            return self.write_rounds(&table, path, out);
        }
        let mix = match self.stakes.read(&table)? {
            Some(mix) => mix,
            None => table.rules().one_each(),
        };
        let files = self.files.open(out)?;
        let run = self.run.run();
        let bar = progress(self.rounds.get(), "rounds");
        let histogram = run.play_with(&table.loading, self.rounds, &|more| bar.inc(more))?;
        bar.finish_and_clear();
        let (game, loading) = (&table.game, &table.loading);
        let result = report(game, &mix, loading, &run, self.confidence, &histogram)?;
        let origin = table.origin("simulate");
        deliver(
            files,
            &origin,
            out,
            &result,
            || result.csv(),
            || pictures::simulation(game.name(), &result, &origin.line()).svg(),
            |out| print(&result, &table, out),
        )
    }

    fn write_rounds(&self, table: &Table, path: &PathBuf, out: &mut Output) -> Result<(), Failure> {
        let run = self.run.run();
        let write =
            |sink: &mut dyn Write| dump(&run, &table.loading, self.rounds, self.dump_as, sink);
        if path.as_os_str() == "-" {
            return write(out.writer()).map_err(Failure::from);
        }
        let file =
            std::fs::File::create(path).map_err(|error| Failure::file("write", path, &error))?;
        write(&mut BufWriter::new(file)).map_err(|error| Failure::file("write", path, &error))?;
        if out.is_json() {
            return Ok(());
        }
        out.line(format!(
            "{} rounds as {} written to {}, seed {}, {}",
            plot::group(&self.rounds.to_string()),
            self.dump_as.key(),
            path.display(),
            run.seed.0,
            run.generator.algorithm()
        ))
    }
}

fn print(result: &Simulation, table: &Table, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!(
        "{}: {} rounds drawn, seed {}, {}",
        table.game.name(),
        plot::group(&result.rounds.to_string()),
        result.seed.0,
        result.algorithm
    ))?;
    let interval = format!(">{} % interval", result.confidence * 100.0);
    let mut grid = Grid::headed(&format!(
        "  section | >stake | >won | >simulated edge | {interval} | >exact edge | >exact | >z"
    ));
    for one in &result.sections {
        let edge = &one.estimate;
        grid.row([
            marked(edge.standard_errors_from_exact.abs() > 4.0, &one.section),
            table.money(one.stake_minor),
            plot::group(&one.wins.to_string()),
            percent(edge.simulated),
            format!("{} to {}", percent(edge.low), percent(edge.high)),
            percent(edge.exact_value),
            edge.exact.clone(),
            format!("{:+.2}", edge.standard_errors_from_exact),
        ]);
    }
    out.table(&grid)?;
    let house = &result.house_minor;
    let scale = 10f64.powi(i32::from(table.currency.decimals()));
    out.line(format!(
        "House per round: {:.6} {} simulated ({:.6} to {:.6}), {:.6} exact, z {:+.2}",
        house.simulated / scale,
        table.currency,
        house.low / scale,
        house.high / scale,
        house.exact_value / scale,
        house.standard_errors_from_exact
    ))?;
    out.line(format!(
        "z: standard errors from the exact value, plus above it; furthest section {:.2}, beyond 4 would be marked",
        result.furthest_standard_errors
    ))?;
    let mut methods: Vec<&str> = Vec::new();
    for one in result
        .sections
        .iter()
        .map(|one| &one.estimate)
        .chain([house])
    {
        if !methods.contains(&one.interval.words()) {
            methods.push(one.interval.words());
        }
    }
    out.line(format!("Intervals: {}", methods.join(", ")))?;
    for (name, test) in [
        ("faces", &result.dice.faces),
        ("totals", &result.dice.totals),
        ("outcomes", &result.dice.outcomes),
    ] {
        if table.loading.is_fair() || test.is_some() {
            out.line(chi_square(name, test.as_ref()))?;
        }
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
