//! `sicbo what-if`: cells of a pay table changed, and odds for a wanted edge.

use clap::Args;
use sicbo_lab::what_if::{
    Change, Payable, Value, WhatIf as Result_, parse_change, parse_edge, what_if,
};

use crate::failure::Failure;
use crate::lab::{CsvFile, GameArgs, Origin, deliver};
use crate::output::{Grid, MARK, Output, marked};

#[derive(Args)]
pub(crate) struct WhatIf {
    #[command(flatten)]
    game: GameArgs,
    /// Changes, e.g. total:5=30, single:1=1/2/12 or triple:*=180; a section alone with --edge
    #[arg(required = true, value_name = "SECTION=ODDS")]
    changes: Vec<String>,
    /// Find the odds for this edge, e.g. 5% or 1/36
    #[arg(long, value_name = "EDGE", allow_hyphen_values = true)]
    edge: Option<String>,
    #[command(flatten)]
    csv: CsvFile,
}

impl WhatIf {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let (game, _, loading) = self.game.find()?;
        let mut asked = Vec::new();
        for text in &self.changes {
            asked.extend(parse_change(&game, text)?);
        }
        for (at, one) in asked.iter().enumerate() {
            if asked[..at].iter().any(|other| other.at == one.at) {
                return Err(Failure::input(format!(
                    "{} is changed twice",
                    game.bets[one.at].name
                )));
            }
        }
        let edge = match &self.edge {
            Some(text) => Some(parse_edge(text)?),
            None => None,
        };
        let files = self.csv.open(out)?;
        let result = what_if(&game, &loading, &asked, edge)?;
        let origin = Origin::new("what-if", &game, &loading);
        let name = game.name();
        deliver(
            files,
            &origin,
            out,
            &result,
            || csv(&result),
            String::new,
            |out| print(&result, name, out),
        )
    }
}

fn csv(result: &Result_) -> String {
    let mut text = String::from("section,which,odds,edge,edge_percent,deviation,player_edge\n");
    for change in &result.changes {
        let both = [
            ("before", Some(&change.before)),
            ("after", change.after.as_ref()),
        ];
        for (which, value) in both {
            if let Some(value) = value {
                text.push_str(&format!(
                    "{},{which},{},{},{},{},{}\n",
                    change.section,
                    value.odds.join("/"),
                    value.edge,
                    value.edge_percent,
                    value.deviation,
                    value.player_edge
                ));
            }
        }
    }
    text
}

fn print(result: &Result_, name: &str, out: &mut Output) -> Result<(), Failure> {
    let mut favoured = false;
    for change in &result.changes {
        let ways: Vec<String> = change.ways.iter().map(u32::to_string).collect();
        out.heading(&format!(
            "{name}: {}, {} of 216 outcomes win",
            change.section,
            ways.join("/")
        ))?;
        let mut grid = Grid::new(&["", ">odds", ">edge", ">edge %", ">std dev"]);
        let mut row = |name: &str, value: &Value| {
            favoured |= value.player_edge;
            grid.row([
                marked(value.player_edge, name),
                format!("{} to 1", value.odds.join("/")),
                value.edge.clone(),
                format!("{:.4}", value.edge_percent),
                format!("{:.4}", value.deviation),
            ]);
        };
        row("before", &change.before);
        if let Some(after) = &change.after {
            row("after", after);
        }
        out.table(&grid)?;
        print_wanted(
            change,
            result.wanted_edge.as_deref().unwrap_or_default(),
            out,
        )?;
    }
    if favoured {
        out.line(format!(
            "{MARK} the player has the edge: sicbo rules check refuses such odds unless [player_edge] lists them"
        ))?;
    }
    Ok(())
}

fn print_wanted(change: &Change, edge: &str, out: &mut Output) -> Result<(), Failure> {
    for wanted in &change.wanted {
        let line = if change.wanted.len() > 1 {
            format!(
                " on {} hit{}, the other lines as they are",
                wanted.line,
                if wanted.line == 1 { "" } else { "s" }
            )
        } else {
            String::new()
        };
        match (&wanted.odds, wanted.odds_value) {
            (Some(odds), Some(value)) => {
                out.line(format!(
                    "For an edge of {edge}{line}: odds of {odds} = {value:.4} to 1"
                ))?;
            }
            _ => {
                let [least, most] = &wanted.possible;
                out.line(format!(
                    "For an edge of {edge}{line}: no odds give it; this line gives {least} to {most}"
                ))?;
                continue;
            }
        }
        let one = |name: &str, payable: &Option<Payable>| {
            payable.as_ref().map(|payable| {
                format!(
                    "{name} {} to 1, edge {} = {:.4} %",
                    payable.odds, payable.edge, payable.edge_percent
                )
            })
        };
        let both: Vec<String> = [
            one("payable in halves:", &wanted.payable_below),
            one("or", &wanted.payable_above),
        ]
        .into_iter()
        .flatten()
        .collect();
        match both.is_empty() {
            true => out.line("  no odds in halves from 0.5 to 10000 are near")?,
            false => out.line(format!("  {}", both.join("; ")))?,
        }
    }
    Ok(())
}
