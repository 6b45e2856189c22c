//! What a table is: its book, its limits and its chips.

use serde::Serialize;
use sicbo_rules::rulebook::words::{Cover, Form, TumbleStep};
use sicbo_rules::{Currency, Kind, Money};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::config::Config;
use crate::table::Table;

/// The limits of one kind of bet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownLimit {
    /// The kind: `total`, `any-triple`.
    pub kind: String,
    /// As the layout calls it.
    pub name: String,
    /// Least stake.
    pub minimum: i64,
    /// Most.
    pub maximum: i64,
    /// Whole multiples of it.
    pub step: i64,
}

/// The limits of every kind that any layout in use offers, in the order of kinds.
fn limits(table: &Table, config: &Config) -> Vec<ShownLimit> {
    let used = |at: usize| {
        let mut stations = table.stations.iter();
        stations.any(|station| !station.removed && station.layout == at)
    };
    let layouts = || config.book.layouts.iter().enumerate();
    let limit = |kind: Kind| {
        let offers = |section: sicbo_rules::Section| section.kind() == kind;
        let mut offered = layouts().filter(|(at, _)| used(*at));
        let (_, layout) = offered.find(|(_, layout)| layout.sections().any(offers))?;
        let limit = config.limits.of(kind);
        Some(ShownLimit {
            kind: kind.key().to_owned(),
            name: layout.name(kind).unwrap_or(kind.key()).to_owned(),
            minimum: limit.minimum.minor(),
            maximum: limit.maximum.minor(),
            step: limit.step.minor(),
        })
    };
    Kind::ALL.into_iter().filter_map(limit).collect()
}

/// A currency.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownCurrency {
    /// `SGD`.
    pub code: String,
    /// Digits after the point.
    pub decimals: u8,
}

impl ShownCurrency {
    /// As it is shown.
    #[must_use]
    pub fn of(currency: Currency) -> ShownCurrency {
        ShownCurrency {
            code: currency.code().to_owned(),
            decimals: currency.decimals(),
        }
    }
}

/// When the dice tumble: the order of play in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TumbleOrder {
    /// Tumble first, then bets.
    BeforeBets,
    /// The dice tumble while bets are taken.
    DuringBets,
    /// Bets close first, then the dice tumble.
    AfterClose,
}

/// What a table is: all that changes only between rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct TableInfo {
    /// Its name.
    pub table: String,
    /// The rule book's name.
    pub book: String,
    /// The game's title as printed.
    pub title: String,
    /// Another printed name.
    pub also_known_as: Option<String>,
    /// The operator as printed.
    pub operator: String,
    /// The version as printed; null when the document lost it.
    pub book_version: Option<String>,
    /// In force since; null when the document lost it.
    pub effective: Option<String>,
    /// SHA-256 of the rule book.
    pub book_sha256: String,
    /// Language of the document: `en`, `vi`.
    pub language: String,
    /// The currency.
    pub currency: ShownCurrency,
    /// Played at terminals; otherwise with chips at a table.
    pub electronic: bool,
    /// When the dice tumble.
    pub tumble: TumbleOrder,
    /// The dice are under a cover while bets are taken.
    pub covered: bool,
    /// Fewest tumbles that count.
    pub minimum_tumbles: u8,
    /// Players play for money.
    pub real_money: bool,
    /// How long bets are taken.
    pub window_ms: u32,
    /// The smallest chip.
    pub chip_unit: i64,
    /// Chips offered, from the smallest.
    pub chips: Vec<i64>,
    /// Limits of every kind any layout in use offers.
    pub limits: Vec<ShownLimit>,
    /// Most that one station may stake in a round.
    pub station_maximum: i64,
    /// Layouts in use, by their names within the book.
    pub layouts: Vec<String>,
    /// The dice in the tumbler.
    pub dice_set: String,
}

impl TableInfo {
    /// What a table is; nothing before it is first opened.
    #[must_use]
    pub fn of(table: &Table) -> Option<TableInfo> {
        let config = table.config.as_deref()?;
        let book = &config.book;
        let limits = limits(table, config);
        let largest = limits.iter().map(|limit| limit.maximum).max();
        let mut layouts: Vec<String> = Vec::new();
        for station in table.stations.iter().filter(|station| !station.removed) {
            if let Some(layout) = table.layout_of(station)
                && !layouts.contains(&layout.id)
            {
                layouts.push(layout.id.clone());
            }
        }
        layouts.sort();
        Some(TableInfo {
            table: config.name.clone(),
            book: book.id().to_owned(),
            title: book.identity.title.is.clone(),
            also_known_as: (book.identity.also_known_as.as_ref()).map(|name| name.is.clone()),
            operator: book.identity.operator.is.clone(),
            book_version: book.identity.version.known().cloned(),
            effective: book.identity.effective.known().cloned(),
            book_sha256: book.sha256_hex(),
            language: book.identity.language.clone(),
            currency: ShownCurrency::of(config.currency),
            electronic: book.play.form.is == Form::Electronic,
            tumble: match config.tumble {
                TumbleStep::BeforeOpen => TumbleOrder::BeforeBets,
                TumbleStep::DuringBetting => TumbleOrder::DuringBets,
                TumbleStep::AfterClose => TumbleOrder::AfterClose,
            },
            covered: book.play.cover.is != Cover::Open,
            minimum_tumbles: book.play.minimum_tumbles.is,
            real_money: config.real_money,
            window_ms: config.window_ms,
            chip_unit: config.chip_unit.minor(),
            chips: chips(config.chip_unit, largest.unwrap_or(0)),
            limits,
            station_maximum: config.limits.station_maximum.minor(),
            layouts,
            dice_set: config.dice_set.clone(),
        })
    }
}

/// Chips from the smallest up, in the steps 1, 2, 5, 10 … of the unit, none
/// above the largest stake: every one is payable exactly (P-011).
fn chips(unit: Money, largest: i64) -> Vec<i64> {
    let steps = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000,
    ];
    steps
        .into_iter()
        .filter_map(|step: i64| unit.minor().checked_mul(step))
        .filter(|chip| *chip <= largest)
        .take(8)
        .collect()
}
