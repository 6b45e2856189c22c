//! What each client is shown, made here so that no client is sent what it may
//! not see.
//!
//! A player sees their own money and bets, never another's; nobody but the
//! dealer's console sees a reading of the dice before it is confirmed. A view is
//! what is sent: amounts are whole minor units, sections are written in the one
//! notation (`total:11`), times are UTC milliseconds. The edge makes frames of
//! them and never looks into the table itself.

pub mod decisions;
pub mod info;
pub mod own;
pub mod round;
pub mod settlement;
pub mod staff;
pub mod stations;
pub mod wall;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Dice, Kind, Money, RuleBook, Section};
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use crate::positions::Line;
use crate::table::Table;

pub use decisions::{ShownDecision, ShownEffect};
pub use info::{ShownCurrency, ShownLimit, TableInfo, TumbleOrder};
pub use own::Mine;
pub use round::{ShownEnd, ShownRound, TumbleState, Why};
pub use settlement::{CardLine, LineOutcome};
pub use staff::{
    MayAct, ShownConsoleRound, ShownFailure, ShownMoney, ShownOwing, ShownPreview, ShownStep,
    StaffState,
};
pub use stations::{STATIONS_SHOWN, ShownBet, ShownColour, ShownStation};
pub use wall::{PublicState, ShownNotice};

/// A stake on a section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stake {
    /// Where, e.g. `total:11`.
    #[schema(schema_with = every_section)]
    pub section: String,
    /// How much, in minor units.
    #[schema(example = 500, minimum = 1, maximum = 100_000_000_000_i64)]
    pub stake: i64,
}

fn every_section() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(Section::ALL.iter().map(ToString::to_string)))
        .build()
}

impl Stake {
    /// As it is shown.
    #[must_use]
    pub fn of(line: &Line) -> Stake {
        Stake {
            section: line.section.to_string(),
            stake: line.stake.minor(),
        }
    }

    /// As the table knows it.
    ///
    /// # Errors
    /// When there is no such section.
    pub fn line(&self) -> Result<Line, String> {
        let section: Section = self
            .section
            .parse()
            .map_err(|error| format!("{:?} is no section: {error}", clipped(&self.section)))?;
        Ok(Line {
            section,
            stake: Money::from_minor(self.stake),
        })
    }
}

/// The start of a text that came from outside, for an answer about it.
#[must_use]
pub fn clipped(text: &str) -> String {
    const MAX: usize = 40;
    if text.chars().count() <= MAX {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(MAX).collect();
    short.push('…');
    short
}

/// Stakes as they are shown.
#[must_use]
pub fn stakes(lines: &[Line]) -> Vec<Stake> {
    lines.iter().map(Stake::of).collect()
}

/// Small, big, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "SideName")]
#[schema(as = SideName)]
pub enum Side {
    /// Total 4 to 10.
    Small,
    /// Total 11 to 17.
    Big,
    /// Three alike: neither side, neither odd nor even.
    Triple,
}

/// A result as it is called: lowest to highest, then the total.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownResult {
    /// From lowest to highest.
    pub dice: [u8; 3],
    /// Their sum.
    pub total: u8,
    /// Small, big or triple.
    pub side: Side,
    /// The total is odd; null for a triple, and where the book has no such bet.
    pub odd: Option<bool>,
}

impl ShownResult {
    /// The result of these dice.
    #[must_use]
    pub fn of(dice: Dice) -> ShownResult {
        let total = dice.total();
        let (side, odd) = match (dice.is_triple(), total) {
            (true, _) => (Side::Triple, None),
            (false, ..=10) => (Side::Small, Some(total % 2 == 1)),
            (false, _) => (Side::Big, Some(total % 2 == 1)),
        };
        ShownResult {
            dice: dice.sorted().faces(),
            total,
            side,
            odd,
        }
    }

    /// The result of these dice as a book calls it: odd and even are said only
    /// where they can be bet on.
    #[must_use]
    pub fn under(book: Option<&RuleBook>, dice: Dice) -> ShownResult {
        let view = ShownResult::of(dice);
        let parity = book.is_none_or(|book| {
            let mut layouts = book.layouts.iter();
            layouts.any(|layout| layout.sections().any(|section| section.kind() == Kind::Odd))
        });
        ShownResult {
            odd: view.odd.filter(|_| parity),
            ..view
        }
    }

    /// As the table's own book calls it.
    fn at(table: &Table, dice: Dice) -> ShownResult {
        ShownResult::under(table.book().map(AsRef::as_ref), dice)
    }
}

/// What lights up, by layout of the book.
fn lit(table: &Table, dice: Dice) -> BTreeMap<String, Vec<String>> {
    let layouts = table.book().map_or(&[][..], |book| &book.layouts);
    layouts
        .iter()
        .map(|layout| {
            let sections = layout.settlement().lit(dice);
            let sections = sections.map(|section| section.to_string());
            (layout.id.clone(), sections.collect())
        })
        .collect()
}

/// What the book calls a position.
fn title(table: &Table, position: Position) -> Option<String> {
    let title = table.book().and_then(|book| book.title(position));
    title.map(|title| title.title.is.clone())
}

/// A stable word as messages spell it: `at_close`.
#[must_use]
pub fn sent(word: &str) -> String {
    word.replace('-', "_")
}
