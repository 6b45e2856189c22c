//! `sicbo odds LAYOUT [SECTION]`: the par values, exact.

use clap::Args;
use serde::Serialize;
use sicbo_lab::game::{Bet, Game, Loading};
use sicbo_rules::Outcome;

use crate::failure::Failure;
use crate::lab::{CsvFile, GameArgs, Origin};
use crate::output::{Grid, Output};
use crate::sections::{gathered, percent, percent_text};

#[derive(Args)]
pub(crate) struct Odds {
    #[command(flatten)]
    game: GameArgs,
    /// One section only, e.g. total:11
    section: Option<String>,
    /// A line for every section, not one for each group that shares its odds
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    csv: CsvFile,
}

#[derive(Serialize)]
pub(crate) struct Sheet {
    pub(crate) sections: Vec<Entry>,
}

/// The par values of one section. Ratios are exact, as `7/72`.
#[derive(Serialize)]
pub(crate) struct Entry {
    section: String,
    kind: String,
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
    /// The par values of the given bets.
    pub(crate) fn of<'b>(bets: impl Iterator<Item = &'b Bet>, loading: &Loading) -> Sheet {
        Sheet {
            sections: bets.map(|bet| Entry::of(bet, loading)).collect(),
        }
    }

    fn csv(&self) -> String {
        let mut text = String::from(
            "section,kind,pays,ways,return,edge,edge_percent,chance,variance,deviation,rules\n",
        );
        for one in &self.sections {
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{},{},{},\"{}\"\n",
                one.section,
                one.kind,
                one.pays.join("/"),
                one.ways,
                one.returned,
                one.edge,
                one.edge_percent,
                one.chance,
                one.variance,
                one.deviation,
                one.rules.join("; ").replace('"', "\"\"")
            ));
        }
        text
    }
}

impl Entry {
    fn of(bet: &Bet, loading: &Loading) -> Entry {
        let par = bet.par(loading);
        Entry {
            section: bet.name.clone(),
            kind: bet.kind.clone(),
            pays: bet.pays(),
            ways: par.ways,
            returned: par.returned.to_string(),
            edge: par.edge().to_string(),
            edge_percent: percent(par.edge()),
            name: bet.label.clone(),
            chance: par.chance.to_string(),
            return_percent: percent(par.returned),
            variance: par.variance.to_string(),
            deviation: (par.deviation() * 1e6).round() / 1e6,
            ways_by_line: par.ways_by_line,
            rules: bet
                .lines
                .iter()
                .map(|line| line.rule.clone())
                .filter(|rule| !rule.is_empty())
                .collect(),
        }
    }
}

impl Odds {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let (game, _, loading) = self.game.find()?;
        let chosen: Option<&Bet> = match &self.section {
            Some(name) => Some(&game.bets[game.find(name).map_err(Failure::input)?]),
            None => None,
        };
        let origin = Origin::new("odds", &game, &loading);
        let files = self.csv.open(out)?;
        let sheet = || match chosen {
            Some(bet) => Sheet::of(std::iter::once(bet), &loading),
            None => Sheet::of(game.bets.iter(), &loading),
        };
        if files.write(&origin, out, || sheet().csv(), String::new)? {
            return Ok(());
        }
        if out.is_json() {
            return origin.json(&sheet(), out);
        }
        match chosen {
            Some(bet) => one(&game, bet, &loading, out)?,
            None => whole(&game, &loading, self.every, out)?,
        }
        out.line(origin.line())
    }
}

/// Prints the par values of a game.
pub(crate) fn whole(
    game: &Game,
    loading: &Loading,
    every: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    out.heading(&format!("{}  {}", game.name(), game.title))?;
    if let Some(published) = &game.source.published {
        out.line(format!("Published: {published}"))?;
    }
    let fair = loading.is_fair();
    let mut heads = "section | >pays | >ways | >return | >edge | >edge % | >std dev".to_owned();
    if !fair {
        heads = heads.replace(">ways", ">chance %");
    }
    let mut grid = Grid::headed(&heads);
    let values = game.bets.iter().enumerate().map(|(at, bet)| {
        let apart = every.then_some(at);
        (bet, (apart, bet.pays(), bet.par(loading)))
    });
    for group in gathered(values) {
        let (_, pays, par) = &group.value;
        grid.row([
            group.label(),
            pays.join("/"),
            match fair {
                true => join(&par.ways_by_line),
                false => format!("{:.4}", percent(par.chance)),
            },
            par.returned.to_string(),
            par.edge().to_string(),
            format!("{:.4}", percent(par.edge())),
            format!("{:.4}", par.deviation()),
        ]);
    }
    out.table(&grid)?;
    out.line(match fair {
        true => {
            "pays: profit to 1; ways: of 216 for each line of odds; return, edge: per unit staked"
        }
        false => "pays: profit to 1; chance, return, edge: with the weighted dice, per unit staked",
    })
}

fn one(game: &Game, bet: &Bet, loading: &Loading, out: &mut Output) -> Result<(), Failure> {
    let par = bet.par(loading);
    out.heading(&format!("{}  {}", game.name(), bet.name))?;
    out.line(format!("bet        {}", bet.label))?;
    for (i, (line, ways)) in bet.lines.iter().zip(&par.ways_by_line).enumerate() {
        let on = match (bet.lines.len(), i) {
            (1, _) => String::new(),
            (_, 0) => " on one die".to_owned(),
            (_, i) => format!(" on {} dice", i + 1),
        };
        let rule = match line.rule.as_str() {
            "" => String::new(),
            rule => format!(" ({rule})"),
        };
        out.line(format!(
            "pays       {} to 1{on}, {ways} {} of 216{rule}",
            line.written,
            if *ways == 1 { "way" } else { "ways" },
        ))?;
    }
    out.line(format!(
        "wins       {} of 216 = {} = {}",
        par.ways,
        par.chance,
        percent_text(par.chance)
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
        "std dev    {:.6} (variance {})",
        par.deviation(),
        par.variance
    ))?;
    let mut winning: Vec<String> = Outcome::all()
        .filter(|outcome| bet.hits()[outcome.index()] > 0)
        .map(|outcome| outcome.dice().sorted().to_string())
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
