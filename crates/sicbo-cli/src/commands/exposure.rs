//! `sicbo exposure`: what the house can lose on these stakes, and what limits would do.

use clap::Args;
use sicbo_lab::exposure::{Exposure as Result_, Limits};
use sicbo_lab::pictures;
use sicbo_rules::Money;

use crate::failure::Failure;
use crate::lab::{Chips, Files, StakeArgs, Table, amount};
use crate::output::{Grid, Output, marked};

#[derive(Args)]
pub(crate) struct Exposure {
    #[command(flatten)]
    chips: Chips,
    #[command(flatten)]
    stakes: StakeArgs,
    /// The most the house is ready to lose in a round: shows the limits that keep it
    #[arg(long, value_name = "AMOUNT")]
    worst: Option<String>,
    /// Show all 56 kinds of dice, not only the ten worst
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    files: Files,
}

impl Exposure {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let table = self.chips.find()?;
        let stakes = self.stakes.required(&table)?;
        let most = match &self.worst {
            Some(text) => Some(amount(table.currency, "--worst", text)?),
            None => None,
        };
        if most == Some(Money::ZERO) {
            return Err(Failure::input("--worst: it must be more than zero"));
        }
        let files = self.files.open()?;
        let name = table.found.name();
        let result = Result_::of(&name, table.found.layout(), &stakes, table.unit, most)?;
        files.write(
            || result.csv(),
            || pictures::exposure(&result, table.currency).svg(),
        )?;
        if out.is_json() {
            out.json(&result)
        } else {
            print(&result, &table, self.all, out)
        }
    }
}

fn print(result: &Result_, table: &Table, all: bool, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!(
        "{}: {} staked",
        result.layout,
        table.money(result.staked_minor)
    ))?;
    out.line(format!(
        "Worst {}, best {}, {} of 216 outcomes cost the house",
        table.money(result.worst_minor),
        table.money(result.best_minor),
        result.losing_ways
    ))?;
    let mut grid = Grid::new(&["  dice", ">ways of 216", ">result of the house"]);
    let shown = if all { result.lines.len() } else { 10 };
    for line in result.lines.iter().take(shown) {
        grid.row([
            marked(line.house_minor < 0, &line.dice),
            line.ways.to_string(),
            table.money(line.house_minor),
        ]);
    }
    out.table(&grid)?;
    if shown < result.lines.len() {
        out.line(format!(
            "… and {} better kinds of dice; --all shows them",
            result.lines.len() - shown
        ))?;
    }
    match &result.limits {
        Some(limits) => print_limits(limits, table, out),
        None => Ok(()),
    }
}

fn print_limits(limits: &Limits, table: &Table, out: &mut Output) -> Result<(), Failure> {
    out.line("")?;
    out.heading(&format!(
        "To lose at most {} in a round",
        table.money(limits.worst_minor)
    ))?;
    match (&limits.factor, &limits.scaled) {
        (Some(factor), Some(scaled)) => {
            let stakes: Vec<String> = scaled
                .iter()
                .map(|(section, minor)| format!("{section} {}", table.money(*minor)))
                .collect();
            out.line(format!(
                "These stakes may be multiplied by {factor}; in whole chips: {}",
                stakes.join(", ")
            ))?;
        }
        _ => out.line("These stakes cannot lose, however large")?,
    }
    out.line(format!(
        "Whatever the mix, with at most {} on each section (worst on {})",
        table.money(limits.any_mix_minor),
        limits.any_mix_dice
    ))?;
    let mut grid = Grid::new(&["section alone", ">at most"]);
    for limit in &limits.alone {
        grid.row([limit.section.clone(), table.money(limit.alone_minor)]);
    }
    out.table(&grid)
}
