//! Short ways to ask the built-in books a question.

use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Dice, Layout, Money, Odds, Outcome, RuleBook, Section};

/// The eleven layouts, by full name.
pub(crate) const LAYOUTS: [&str; 11] = [
    "rws-etg/a",
    "rws-etg/b",
    "rws-etg/c",
    "mbs-table/a",
    "mbs-table/b",
    "mbs-etg/rapid",
    "mbs-etg/alfastreet",
    "rws-open-cover/a",
    "rws-open-cover/b",
    "rws-open-cover/c",
    "quang-nam-table/a",
];

/// The five books, by name.
pub(crate) const BOOKS: [&str; 5] = [
    "rws-etg",
    "mbs-table",
    "mbs-etg",
    "rws-open-cover",
    "quang-nam-table",
];

pub(crate) fn book(id: &str) -> &'static RuleBook {
    RuleBook::named(id).unwrap()
}

pub(crate) fn layout(name: &str) -> &'static Layout {
    find_layout(name).unwrap().1
}

pub(crate) fn section(text: &str) -> Section {
    text.parse().unwrap()
}

pub(crate) fn dice(text: &str) -> Dice {
    text.parse().unwrap()
}

/// What a winning bet is paid on top of its stake, as odds; `None` when it loses.
pub(crate) fn paid(layout: &Layout, bet: &str, roll: &str) -> Option<String> {
    let gross = layout.settlement().row(dice(roll))[section(bet).index()];
    let halves = gross.checked_sub(2)?;
    Some(Odds::from_halves(halves).unwrap().to_string())
}

/// Winning outcomes of 216 in the compiled settlement.
pub(crate) fn ways(layout: &Layout, section: Section) -> usize {
    outcomes(layout, section).len()
}

/// The outcomes on which a section wins in the compiled settlement.
pub(crate) fn outcomes(layout: &Layout, section: Section) -> Vec<Dice> {
    Outcome::all()
        .map(Outcome::dice)
        .filter(|dice| layout.settlement().row(*dice)[section.index()] > 0)
        .collect()
}

/// The sections that light up, as text, in stable order.
pub(crate) fn lit(layout: &Layout, roll: &str) -> Vec<String> {
    let lit = layout.settlement().lit(dice(roll));
    lit.map(|section| section.to_string()).collect()
}

pub(crate) fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}
