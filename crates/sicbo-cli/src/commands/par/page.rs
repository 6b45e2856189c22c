//! The par sheet as one HTML page that needs nothing else: what stands in
//! `templates/par.html`.

use std::collections::BTreeMap;

use askama::Template;
use sicbo_lab::game::Bet;
use sicbo_lab::hold::ROUNDS;
use sicbo_rules::drawing::{self, Lit};
use sicbo_rules::rulebook::Known;
use sicbo_rules::{Dice, Outcome};

use super::sheet::{CONFIDENCE, ParSheet};
use crate::lab::origin::PROGRAM;
use crate::sections::percent_text;

#[derive(Template)]
#[template(path = "par.html")]
struct Page<'p> {
    title: String,
    sheets: Vec<Printed<'p>>,
    rounds: Vec<String>,
    confidence: f64,
}

/// One layout's part of the page.
struct Printed<'p> {
    sheet: &'p ParSheet,
    drawing: String,
    lines: Vec<Line>,
    summary: String,
    /// How many sections each outcome wins: a figure a lab can count by hand.
    by_lit: BTreeMap<usize, (u32, Dice)>,
}

/// The values of one section.
struct Line {
    section: String,
    bet: String,
    figures: [String; 9],
    rules: String,
}

/// The whole page.
pub(super) fn page(sheets: &[ParSheet]) -> String {
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.game.name()).collect();
    let page = Page {
        title: format!("Par sheet {}", names.join(", ")),
        sheets: sheets.iter().map(printed).collect(),
        rounds: ROUNDS.map(|rounds| format!("{rounds:.0e}")).to_vec(),
        confidence: CONFIDENCE * 100.0,
    };
    page.render().expect("a page is written to memory")
}

fn printed(sheet: &ParSheet) -> Printed<'_> {
    let bets = &sheet.game.bets;
    let mut by_lit = BTreeMap::new();
    for outcome in Outcome::all() {
        let lit = bets
            .iter()
            .filter(|bet| bet.hits()[outcome.index()] > 0)
            .count();
        by_lit.entry(lit).or_insert((0, outcome.dice())).0 += 1;
    }
    Printed {
        drawing: sheet.found.as_ref().map_or_else(String::new, |found| {
            drawing::svg(&found.book, found.layout(), &Lit::nothing())
        }),
        lines: bets.iter().map(|bet| line(sheet, bet)).collect(),
        summary: sheet.summary(),
        by_lit,
        sheet,
    }
}

fn line(sheet: &ParSheet, bet: &Bet) -> Line {
    let par = bet.par(&sheet.loading);
    let ways: Vec<String> = par.ways_by_line.iter().map(u32::to_string).collect();
    let mut rules: Vec<&str> = bet.lines.iter().map(|line| line.rule.as_str()).collect();
    rules.dedup();
    Line {
        section: bet.name.clone(),
        bet: bet.label.clone(),
        figures: [
            bet.pays().join(" / "),
            ways.join(" / "),
            par.chance.to_string(),
            par.returned.to_string(),
            percent_text(par.returned),
            par.edge().to_string(),
            percent_text(par.edge()),
            par.variance.to_string(),
            format!("{:.6}", par.deviation()),
        ],
        rules: rules.join("; "),
    }
}
