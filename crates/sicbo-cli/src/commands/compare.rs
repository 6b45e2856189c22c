//! `sicbo compare LAYOUT LAYOUT...`: odds and edges side by side, differences marked.

use clap::Args;
use serde::Serialize;
use sicbo_lab::game::{Bet, Game, Loading, Source};
use sicbo_rules::Ratio;

use crate::books;
use crate::failure::Failure;
use crate::lab::origin::{FORMAT, PROGRAM};
use crate::lab::{CsvFile, Origin};
use crate::output::{Grid, MARK, Output, marked};
use crate::sections::{gathered, percent};

#[derive(Args)]
pub(crate) struct Compare {
    /// Two or more layouts, e.g. rws-etg/b rws-etg/c quang-nam-table/a, or pay table files
    #[arg(required = true, num_args = 2..)]
    layouts: Vec<String>,
    /// Only what differs
    #[arg(long)]
    differences: bool,
    #[command(flatten)]
    csv: CsvFile,
}

#[derive(Serialize)]
struct Comparison<'a> {
    format: &'static str,
    command: &'static str,
    program: &'static str,
    layouts: Vec<String>,
    /// Where each comes from, in the order of `layouts`.
    sources: Vec<&'a Source>,
    sections: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    section: String,
    kind: String,
    same: bool,
    /// In the order of `layouts`; null where a layout does not offer the section.
    by_layout: Vec<Option<Column>>,
}

#[derive(Serialize)]
struct Column {
    pays: Vec<String>,
    #[serde(rename = "return")]
    returned: String,
    edge: String,
    edge_percent: f64,
}

/// What two layouts must share on a section to be the same there.
type Terms = Option<(Vec<String>, Ratio)>;

fn terms(game: &Game, name: &str) -> Terms {
    let bet = game.bet(name)?;
    Some((bet.pays(), bet.par(&Loading::fair()).edge()))
}

fn same(row: &[Terms]) -> bool {
    row.windows(2).all(|pair| pair[0] == pair[1])
}

/// Every bet that any of the games has, those of a kind together.
fn offered(games: &[Game]) -> Vec<&Bet> {
    let mut all: Vec<&Bet> = Vec::new();
    for bet in games.iter().flat_map(|game| &game.bets) {
        if all.iter().any(|other| other.name == bet.name) {
            continue;
        }
        let after = all.iter().rposition(|other| other.kind == bet.kind);
        all.insert(after.map_or(all.len(), |at| at + 1), bet);
    }
    all
}

impl Compare {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let games: Vec<Game> = self
            .layouts
            .iter()
            .map(|name| books::game(name).map(|(game, _)| game))
            .collect::<Result<_, _>>()?;
        let files = self.csv.open(out)?;
        let rows: Vec<(&Bet, Vec<Terms>)> = offered(&games)
            .into_iter()
            .map(|bet| {
                let row = games.iter().map(|game| terms(game, &bet.name));
                (bet, row.collect())
            })
            .filter(|(_, row): &(&Bet, Vec<Terms>)| !(self.differences && same(row)))
            .collect();
        let fair = Loading::fair();
        let origin = Origin::new("compare", &games[0], &fair);
        if files.write(&origin, out, || csv(&games, &rows), String::new)? {
            return Ok(());
        }
        if out.is_json() {
            return out.json(&Comparison {
                format: FORMAT,
                command: "compare",
                program: PROGRAM,
                layouts: games.iter().map(|game| game.name().to_owned()).collect(),
                sources: games.iter().map(|game| &game.source).collect(),
                sections: rows.iter().map(|(bet, row)| entry(bet, row)).collect(),
            });
        }
        let mut heads = vec!["section".to_owned()];
        for game in &games {
            heads.push(format!(">{}", game.name()));
            heads.push(">edge".to_owned());
            heads.push(">edge %".to_owned());
        }
        let mut grid = Grid::new(&heads);
        let groups = gathered(rows.into_iter());
        let differing = groups.iter().filter(|group| !same(&group.value)).count();
        for group in &groups {
            let mut cells = vec![marked(!same(&group.value), &group.label())];
            for column in &group.value {
                match column {
                    Some((pays, edge)) => {
                        cells.push(pays.join("/"));
                        cells.push(edge.to_string());
                        cells.push(format!("{:.4}", percent(*edge)));
                    }
                    None => cells.extend(["–".to_owned(), String::new(), String::new()]),
                }
            }
            grid.row(cells);
        }
        out.table(&grid)?;
        out.line(format!(
            "{MARK} differs ({differing} of {} lines); – not offered; edge: the house's, per unit staked",
            groups.len()
        ))?;
        for game in &games {
            out.line(Origin::new("compare", game, &fair).line())?;
        }
        Ok(())
    }
}

fn csv(games: &[Game], rows: &[(&Bet, Vec<Terms>)]) -> String {
    let mut text = String::from("section,same");
    for game in games {
        text.push_str(&format!(",{0} pays,{0} edge,{0} edge_percent", game.name()));
    }
    text.push('\n');
    for (bet, row) in rows {
        text.push_str(&format!("{},{}", bet.name, same(row)));
        for column in row {
            match column {
                Some((pays, edge)) => {
                    text.push_str(&format!(",{},{edge},{}", pays.join("/"), percent(*edge)));
                }
                None => text.push_str(",,,"),
            }
        }
        text.push('\n');
    }
    text
}

fn entry(bet: &Bet, row: &[Terms]) -> Entry {
    Entry {
        section: bet.name.clone(),
        kind: bet.kind.clone(),
        same: same(row),
        by_layout: row
            .iter()
            .map(|terms| {
                terms.as_ref().map(|(pays, edge)| Column {
                    pays: pays.clone(),
                    returned: (Ratio::from_integer(1) - edge).to_string(),
                    edge: edge.to_string(),
                    edge_percent: percent(*edge),
                })
            })
            .collect(),
    }
}
