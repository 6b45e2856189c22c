//! `sicbo exposure`: what the house can lose on these stakes, and what limits would do.

use clap::Args;
use sicbo_lab::exposure::{Exposure as Result_, Limits};
use sicbo_lab::pictures;
use sicbo_rules::Money;

use crate::failure::Failure;
use crate::lab::{Chips, Files, StakeArgs, Table, amount, deliver};
use crate::output::{Grid, Output, marked};

#[derive(Args)]
pub(crate) struct Exposure {
    #[command(flatten)]
    chips: Chips,
    #[command(flatten)]
    stakes: StakeArgs,
    /// The most the house is ready to lose in a round: shows the stake limits that cap it
    #[arg(long, value_name = "AMOUNT")]
    worst: Option<String>,
    /// Show all 56 combinations, not only the ten worst
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    files: Files,
}

impl Exposure {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let table = self.chips.find()?;
        let mix = self.stakes.required(&table)?;
        let most = match &self.worst {
            Some(text) => Some(amount(table.currency, "--worst", text)?),
            None => None,
        };
        if most == Some(Money::ZERO) {
            return Err(Failure::input("--worst: it must be more than zero"));
        }
        let files = self.files.open(out)?;
        let (game, loading) = (&table.game, &table.loading);
        let result = Result_::of(game, &mix, loading, table.unit, most)?;
        let origin = table.origin("exposure");
        deliver(
            files,
            &origin,
            out,
            &result,
            || result.csv(),
            || pictures::exposure(game.name(), &result, table.currency, &origin.line()).svg(),
            |out| print(&result, &table, self.all, out),
        )
    }
}

/// Combinations in words, not too many.
fn dice(list: &[String]) -> String {
    match list {
        [some @ .., _] if some.len() >= 8 => {
            format!("{} and {} more", list[..6].join(", "), list.len() - 6)
        }
        all => all.join(", "),
    }
}

fn print(result: &Result_, table: &Table, all: bool, out: &mut Output) -> Result<(), Failure> {
    out.heading(&format!(
        "{}: {} staked",
        table.game.name(),
        table.money(result.staked_minor)
    ))?;
    out.line(format!(
        "Worst {} on {} (chance {}), largest payout {}; best {}",
        table.money(result.worst_minor),
        dice(&result.worst_dice),
        result.worst_chance,
        table.money(result.largest_payout_minor),
        table.money(result.best_minor),
    ))?;
    out.line(format!(
        "{} of 216 outcomes cost the house (chance {}); mean {}, standard deviation {}",
        result.losing_ways,
        result.losing_chance,
        table.major(result.mean_minor),
        table.major(result.deviation_minor),
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
            "… and {} more combinations; --all shows them",
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
                .map(|one| format!("{} {}", one.section, table.money(one.stake_minor)))
                .collect();
            out.line(format!(
                "These stakes may be multiplied by {factor}; in whole chips: {}",
                stakes.join(", ")
            ))?;
        }
        _ => out.line("These stakes cannot lose, however large")?,
    }
    out.line(format!(
        "The same limit on every section, whatever the mix: at most {} each (worst on {}, with a bet on every winning section)",
        table.money(limits.any_mix_minor),
        dice(&limits.any_mix_dice)
    ))?;
    let mut grid = Grid::new(&["section alone", ">at most"]);
    for limit in &limits.alone {
        grid.row([limit.section.clone(), table.money(limit.alone_minor)]);
    }
    out.table(&grid)
}
