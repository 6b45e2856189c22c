//! `sicbo what-if`: one cell of a pay table changed, and odds for a wanted edge.

use clap::Args;
use sicbo_lab::what_if::{Value, WhatIf as Result_, parse_change, parse_edge, what_if};

use crate::books;
use crate::failure::Failure;
use crate::output::{Grid, Output};

#[derive(Args)]
pub(crate) struct WhatIf {
    /// The layout, e.g. quang-nam-table/a
    layout: String,
    /// The change, e.g. total:5=30 or single:1=1/2/12; a section alone with --edge
    change: String,
    /// Find the odds for this edge, e.g. 5% or 1/36
    #[arg(long, value_name = "EDGE", allow_hyphen_values = true)]
    edge: Option<String>,
}

impl WhatIf {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = books::layout(&self.layout)?;
        let (section, odds) = parse_change(&self.change)?;
        let section = found.section(&section.to_string())?;
        let edge = match &self.edge {
            Some(text) => Some(parse_edge(text)?),
            None => None,
        };
        let result = what_if(&found.name(), found.layout(), section, odds, edge)?;
        if out.is_json() {
            out.json(&result)
        } else {
            print(&result, out)
        }
    }
}

fn print(result: &Result_, out: &mut Output) -> Result<(), Failure> {
    let ways: Vec<String> = result.ways.iter().map(u32::to_string).collect();
    out.heading(&format!(
        "{}: {}, {} of 216 outcomes win",
        result.layout,
        result.section,
        ways.join("/")
    ))?;
    let mut grid = Grid::new(&["", ">odds", ">edge", ">edge", ">deviation"]);
    let mut row = |name: &str, value: &Value| {
        grid.row([
            name.to_owned(),
            format!("{} to 1", value.odds.join("/")),
            value.edge.clone(),
            format!("{:.4} %", value.edge_percent),
            format!("{:.4}", value.deviation),
        ]);
    };
    row("before", &result.before);
    if result.after != result.before {
        row("after", &result.after);
    }
    out.table(&grid)?;
    for wanted in &result.wanted {
        let line = if result.wanted.len() > 1 {
            format!(
                " on {} hit{}, the other lines as they are",
                wanted.line,
                if wanted.line == 1 { "" } else { "s" }
            )
        } else {
            String::new()
        };
        out.line(format!(
            "For an edge of {}{line}: odds of {} = {:.4} to 1",
            result.wanted_edge.as_deref().unwrap_or_default(),
            wanted.odds,
            wanted.odds_value
        ))?;
        match (&wanted.payable, wanted.payable_edge_percent) {
            (Some(payable), Some(percent)) => {
                out.line(format!(
                    "  nearest payable: {payable} to 1, edge {percent:.4} %"
                ))?;
            }
            _ => out.line("  no odds from 0.5 to 10000 come near")?,
        }
    }
    Ok(())
}
