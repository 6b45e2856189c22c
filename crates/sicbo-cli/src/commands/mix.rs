//! `sicbo mix`: covariances of sections, and the mix of stakes with the smallest variance.

use clap::Args;
use sicbo_lab::hedge::{MixReport, mix};
use sicbo_lab::what_if::parse_edge;

use crate::failure::Failure;
use crate::lab::{CsvFile, GameArgs, Origin, deliver, percent};
use crate::output::{Grid, Output};

/// Without sections, all of the layout are looked at.
#[derive(Args)]
pub(crate) struct Mix {
    #[command(flatten)]
    game: GameArgs,
    /// Sections, e.g. small big any-triple
    #[arg(value_name = "SECTION")]
    sections: Vec<String>,
    /// Only mixes whose edge is at most this, e.g. 2.8% or 1/36
    #[arg(long, value_name = "EDGE", allow_hyphen_values = true)]
    max_edge: Option<String>,
    #[command(flatten)]
    csv: CsvFile,
}

/// Beyond this many sections the table of correlations is left to --csv and --json.
const SHOWN: usize = 9;

impl Mix {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let (game, _, loading) = self.game.find()?;
        let mut sections: Vec<usize> = self
            .sections
            .iter()
            .map(|name| game.find(name).map_err(Failure::input))
            .collect::<Result<_, _>>()?;
        if sections.is_empty() {
            sections = (0..game.bets.len()).collect();
        }
        sections.sort_unstable();
        sections.dedup();
        let limit = match &self.max_edge {
            Some(text) => Some(parse_edge(text)?),
            None => None,
        };
        let files = self.csv.open(out)?;
        let report = mix(&game, &loading, &sections, limit)?;
        let origin = Origin::new("mix", &game, &loading);
        let name = game.name();
        deliver(
            files,
            &origin,
            out,
            &report,
            || csv(&report),
            String::new,
            |out| print(&report, name, out),
        )
    }
}

fn csv(report: &MixReport) -> String {
    let mut text = String::from("first,second,covariance,covariance_value,correlation\n");
    for one in &report.covariances {
        text.push_str(&format!(
            "{},{},{},{},{}\n",
            one.first, one.second, one.covariance, one.covariance_value, one.correlation
        ));
    }
    text
}

fn print(report: &MixReport, name: &str, out: &mut Output) -> Result<(), Failure> {
    let count = report.sections.len();
    out.heading(&format!(
        "{name}: {count} section{} together",
        if count == 1 { "" } else { "s" }
    ))?;
    if count <= SHOWN {
        let mut heads = vec!["correlation".to_owned()];
        heads.extend(
            report
                .sections
                .iter()
                .map(|one| format!(">{}", one.section)),
        );
        heads.extend([">edge %".to_owned(), ">std dev".to_owned()]);
        let mut grid = Grid::new(&heads);
        for row in &report.sections {
            let mut cells = vec![row.section.clone()];
            for column in &report.sections {
                let pair = report.covariances.iter().find(|one| {
                    (one.first == row.section && one.second == column.section)
                        || (one.second == row.section && one.first == column.section)
                });
                cells.push(pair.map_or_else(String::new, |one| format!("{:+.4}", one.correlation)));
            }
            cells.push(format!("{:.4}", row.edge_percent));
            cells.push(format!("{:.4}", row.deviation));
            grid.row(cells);
        }
        out.table(&grid)?;
    } else {
        out.line(format!(
            "Correlations of {} pairs: --csv or --json shows them",
            report.covariances.len()
        ))?;
    }
    let hedge = &report.hedge;
    let limit = report.max_edge.as_ref().map_or_else(String::new, |edge| {
        format!(" with an edge of at most {edge}")
    });
    out.heading(&format!("Smallest variance{limit}"))?;
    let mut grid = Grid::new(&["section", ">share of the stake"]);
    for part in &hedge.parts {
        grid.row([part.section.clone(), percent(part.share)]);
    }
    out.table(&grid)?;
    out.line(format!(
        "Edge {}, standard deviation {:.6} per unit staked; variance {:.3e}, within {:.0e} of the smallest possible",
        percent(hedge.edge),
        hedge.deviation,
        hedge.variance,
        hedge.gap.max(1e-16),
    ))?;
    out.line(if hedge.worst_for_house > 1e-9 {
        format!(
            "The house takes at least {} of the stake whatever falls: a certain loss for the player",
            percent(hedge.worst_for_house)
        )
    } else {
        format!(
            "The most a round can win the player: {} of the stake",
            percent(hedge.best_for_player)
        )
    })
}
