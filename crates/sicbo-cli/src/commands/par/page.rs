//! The par sheet as one HTML page that needs nothing else: what stands in
//! `templates/par.html`.

use std::collections::BTreeMap;

use askama::Template;
use sicbo_rules::drawing::{self, Lit};
use sicbo_rules::rulebook::Known;
use sicbo_rules::{Dice, Layout, Outcome, Par, RuleBook, Section, SelfTest};

use crate::books::Found;
use crate::sections::{kind_name, percent_text};

const PROGRAM: &str = concat!("sicbo ", env!("CARGO_PKG_VERSION"));

#[derive(Template)]
#[template(path = "par.html")]
struct Page<'p> {
    title: String,
    found: &'p Found,
    book: &'p RuleBook,
    layout: &'p Layout,
    drawing: String,
    lines: Vec<Line>,
    test: &'p SelfTest,
    summary: String,
    /// How many sections each outcome wins: a figure a lab can count by hand.
    by_lit: BTreeMap<usize, (u32, Dice)>,
}

/// The values of one section.
struct Line {
    section: Section,
    bet: String,
    figures: [String; 9],
    rules: String,
}

/// The whole page.
pub(super) fn page(found: &Found, test: &SelfTest) -> String {
    let layout = found.layout();
    let mut sections: Vec<Section> = layout.sections().collect();
    sections.sort_unstable();
    let mut by_lit = BTreeMap::new();
    for outcome in Outcome::all() {
        let lit = layout.settlement().lit(outcome.dice()).count();
        by_lit.entry(lit).or_insert((0, outcome.dice())).0 += 1;
    }
    let page = Page {
        title: format!("Par sheet {}", found.name()),
        found,
        book: &found.book,
        layout,
        drawing: drawing::svg(&found.book, layout, &Lit::nothing()),
        lines: sections
            .into_iter()
            .filter_map(|section| line(layout, section))
            .collect(),
        test,
        summary: super::summary(test),
        by_lit,
    };
    page.render().expect("a page is written to memory")
}

fn line(layout: &Layout, section: Section) -> Option<Line> {
    let (par, pays) = (Par::of(layout, section)?, layout.pays(section)?);
    let lines = pays.lines();
    let odds: Vec<String> = lines.iter().map(|line| line.is.to_string()).collect();
    let ways: Vec<String> = par.ways_by_line.iter().map(u32::to_string).collect();
    let mut rules: Vec<String> = lines.iter().map(|line| line.cite.to_string()).collect();
    rules.dedup();
    Some(Line {
        section,
        bet: kind_name(layout, section.kind()),
        figures: [
            odds.join(" / "),
            ways.join(" / "),
            par.chance().to_string(),
            par.returned.to_string(),
            percent_text(par.returned),
            par.edge().to_string(),
            percent_text(par.edge()),
            par.variance.to_string(),
            format!("{:.6}", par.deviation()),
        ],
        rules: rules.join("; "),
    })
}
