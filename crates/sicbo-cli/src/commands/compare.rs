//! `sicbo compare LAYOUT LAYOUT...`: odds and edges side by side, differences marked.

use clap::Args;
use serde::Serialize;
use sicbo_rules::{Par, Ratio, Section};

use crate::books::{self, Found};
use crate::failure::Failure;
use crate::output::{Grid, MARK, Output, marked};
use crate::sections::{self, grouped, percent};

#[derive(Args)]
pub(crate) struct Compare {
    /// Two or more layouts, e.g. rws-etg/b rws-etg/c quang-nam-table/a
    #[arg(required = true, num_args = 2..)]
    layouts: Vec<String>,
    /// Only what differs
    #[arg(long)]
    differences: bool,
}

#[derive(Serialize)]
struct Comparison {
    layouts: Vec<String>,
    sections: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    section: String,
    kind: &'static str,
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

fn terms(found: &Found, section: Section) -> Terms {
    let par = Par::of(found.layout(), section)?;
    Some((sections::pays(found.layout(), section), par.edge()))
}

fn same(row: &[Terms]) -> bool {
    row.windows(2).all(|pair| pair[0] == pair[1])
}

impl Compare {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let all: Vec<Found> = self
            .layouts
            .iter()
            .map(|name| books::layout(name))
            .collect::<Result<_, _>>()?;
        let offered: Vec<Section> = Section::ALL
            .into_iter()
            .filter(|section| all.iter().any(|found| found.layout().offers(*section)))
            .collect();
        let row = |section: Section| -> Vec<Terms> {
            all.iter().map(|found| terms(found, section)).collect()
        };
        if out.is_json() {
            return out.json(&Comparison {
                layouts: all.iter().map(Found::name).collect(),
                sections: offered
                    .iter()
                    .map(|section| entry(*section, &row(*section)))
                    .filter(|entry| !(self.differences && entry.same))
                    .collect(),
            });
        }
        let mut heads = vec!["section".to_owned()];
        for found in &all {
            heads.push(format!(">{}", found.name()));
            heads.push(">edge".to_owned());
            heads.push(">edge %".to_owned());
        }
        let mut grid = Grid::new(&heads);
        let groups = grouped(offered.into_iter(), row);
        let differing = groups.iter().filter(|group| !same(&group.value)).count();
        for group in &groups {
            let differs = !same(&group.value);
            if self.differences && !differs {
                continue;
            }
            let mut cells = vec![marked(differs, &group.label())];
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
        ))
    }
}

fn entry(section: Section, row: &[Terms]) -> Entry {
    Entry {
        section: section.to_string(),
        kind: section.kind().key(),
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
