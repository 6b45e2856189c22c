//! `sicbo odds LAYOUT [SECTION]`: the par sheet, exact.

use clap::Args;
use serde::Serialize;
use sicbo_rules::{Outcome, Par, Section};

use crate::books::{self, Found};
use crate::failure::Failure;
use crate::output::{Grid, Output};
use crate::sections::{self, grouped, kind_name, percent, percent_text};

#[derive(Args)]
pub(crate) struct Odds {
    /// The layout, e.g. rws-etg/a
    layout: String,
    /// One section only, e.g. total:11
    section: Option<String>,
    /// A line for every section, not one for each group that shares its odds
    #[arg(long)]
    every: bool,
}

#[derive(Serialize)]
pub(crate) struct Sheet {
    layout: String,
    rulebook_sha256: String,
    sections: Vec<Entry>,
}

/// The par values of one section. Ratios are exact, as `7/72`.
#[derive(Serialize)]
pub(crate) struct Entry {
    section: String,
    kind: &'static str,
    pays: Vec<String>,
    ways: u32,
    #[serde(rename = "return")]
    returned: String,
    edge: String,
    edge_percent: f64,
    name: String,
    ways_by_line: Vec<u32>,
    chance: String,
    return_percent: f64,
    variance: String,
    deviation: f64,
    rules: Vec<String>,
}

impl Sheet {
    /// The par values of the given sections of a layout.
    pub(crate) fn of(found: &Found, sections: impl Iterator<Item = Section>) -> Sheet {
        Sheet {
            layout: found.name(),
            rulebook_sha256: found.book.sha256_hex(),
            sections: sections
                .filter_map(|section| Entry::of(found, section))
                .collect(),
        }
    }
}

impl Entry {
    fn of(found: &Found, section: Section) -> Option<Entry> {
        let layout = found.layout();
        let par = Par::of(layout, section)?;
        Some(Entry {
            section: section.to_string(),
            kind: section.kind().key(),
            pays: sections::pays(layout, section),
            ways: par.ways(),
            returned: par.returned.to_string(),
            edge: par.edge().to_string(),
            edge_percent: percent(par.edge()),
            name: kind_name(layout, section.kind()),
            ways_by_line: par.ways_by_line.clone(),
            chance: par.chance().to_string(),
            return_percent: percent(par.returned),
            variance: par.variance.to_string(),
            deviation: (par.deviation() * 1e6).round() / 1e6,
            rules: rules(found, section),
        })
    }
}

fn rules(found: &Found, section: Section) -> Vec<String> {
    found.layout().pays(section).map_or_else(Vec::new, |pays| {
        pays.lines()
            .iter()
            .map(|line| line.cite.full(found.book.id()))
            .collect()
    })
}

impl Odds {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = books::layout(&self.layout)?;
        let section = self
            .section
            .as_deref()
            .map(|text| found.section(text))
            .transpose()?;
        if out.is_json() {
            let sheet = match section {
                Some(section) => Sheet::of(&found, std::iter::once(section)),
                None => Sheet::of(&found, found.layout().sections()),
            };
            return out.json(&sheet);
        }
        match section {
            Some(section) => one(&found, section, out),
            None => whole(&found, self.every, out),
        }
    }
}

/// Prints the par sheet of a layout.
pub(crate) fn whole(found: &Found, every: bool, out: &mut Output) -> Result<(), Failure> {
    let layout = found.layout();
    out.heading(&format!(
        "{}  {}",
        found.name(),
        found.book.identity.title.is
    ))?;
    out.line(format!(
        "{}, {}, {} sections, rule book sha256 {}",
        layout.title,
        found.pay_table().title,
        layout.sections().count(),
        &found.book.sha256_hex()[..16]
    ))?;
    let mut grid = Grid::headed("section | >pays | >ways | >return | >edge | >edge % | >deviation");
    let par_of = |section| {
        let par = Par::of(layout, section)?;
        Some((
            sections::pays(layout, section),
            par.ways_by_line,
            par.returned,
            par.variance,
        ))
    };
    let groups = if every {
        let mut sorted: Vec<Section> = layout.sections().collect();
        sorted.sort_unstable();
        sorted
            .into_iter()
            .flat_map(|section| grouped(std::iter::once(section), par_of))
            .collect()
    } else {
        grouped(layout.sections(), par_of)
    };
    for group in &groups {
        let first = group.sections[0];
        let Some(par) = Par::of(layout, first) else {
            continue;
        };
        grid.row([
            group.label(),
            sections::pays(layout, first).join("/"),
            join(&par.ways_by_line),
            par.returned.to_string(),
            par.edge().to_string(),
            format!("{:.4}", percent(par.edge())),
            format!("{:.4}", par.deviation()),
        ]);
    }
    out.table(&grid)?;
    out.line("pays: profit to 1; ways: of 216 for each line of odds; return, edge: per unit staked")
}

fn one(found: &Found, section: Section, out: &mut Output) -> Result<(), Failure> {
    let layout = found.layout();
    let (Some(par), Some(pays)) = (Par::of(layout, section), layout.pays(section)) else {
        return Ok(());
    };
    out.heading(&format!("{}  {section}", found.name()))?;
    out.line(format!("bet        {}", kind_name(layout, section.kind())))?;
    for (i, (line, ways)) in pays.lines().iter().zip(&par.ways_by_line).enumerate() {
        let on = match (pays.lines().len(), i) {
            (1, _) => String::new(),
            (_, 0) => " on one die".to_owned(),
            (_, i) => format!(" on {} dice", i + 1),
        };
        out.line(format!(
            "pays       {} to 1{on}, {ways} {} of 216 ({})",
            line.is,
            if *ways == 1 { "way" } else { "ways" },
            line.cite.full(found.book.id())
        ))?;
    }
    out.line(format!(
        "wins       {} of 216 = {} = {}",
        par.ways(),
        par.chance(),
        percent_text(par.chance())
    ))?;
    out.line(format!(
        "return     {} = {}",
        par.returned,
        percent_text(par.returned)
    ))?;
    out.line(format!(
        "house edge {} = {}",
        par.edge(),
        percent_text(par.edge())
    ))?;
    out.line(format!(
        "deviation  {:.6} (variance {})",
        par.deviation(),
        par.variance
    ))?;
    let mut winning: Vec<String> = Outcome::all()
        .map(|outcome| outcome.dice())
        .filter(|dice| section.hits(*dice) > 0)
        .map(|dice| dice.sorted().to_string())
        .collect();
    winning.sort_unstable();
    winning.dedup();
    let shown = winning.len().min(28);
    let more = if shown < winning.len() {
        format!(" and {} more", winning.len() - shown)
    } else {
        String::new()
    };
    out.line(format!("wins on    {}{more}", winning[..shown].join(" ")))
}

fn join(ways: &[u32]) -> String {
    let texts: Vec<String> = ways.iter().map(u32::to_string).collect();
    texts.join("/")
}
