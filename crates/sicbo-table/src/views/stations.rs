//! Stations as staff see them, and what the dealer takes and pays at each seat.

use serde::Serialize;
use sicbo_rules::{Dice, Layout};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Stake, stakes};
use crate::ids::StationId;
use crate::positions::{Line, Means};
use crate::round::{Round, StationRound};
use crate::station::{Link, StationKind};
use crate::table::Table;

/// The colour chips issued to a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownColour {
    /// The colour.
    pub name: String,
    /// What one chip is worth.
    pub value: i64,
}

/// A station as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownStation {
    /// Its number.
    pub station: u32,
    /// Its name.
    pub name: String,
    /// A terminal; else a seat.
    pub terminal: bool,
    /// Its layout within the book.
    pub layout: String,
    /// It can be heard.
    pub online: bool,
    /// Free credit.
    pub credit: i64,
    /// Staked in this round.
    pub at_risk: i64,
    /// The colour issued to it.
    pub colour: Option<ShownColour>,
    /// Chips or credit bets of a seat; of terminals only the sum is shown.
    pub chips: Vec<Stake>,
    /// Colour chips.
    pub colour_chips: Vec<Stake>,
    /// Cash chips as they were last seen after the close, where they were.
    pub observed: Option<Vec<Stake>>,
    /// The same of colour chips.
    pub colour_observed: Option<Vec<Stake>>,
    /// What the dealer does with each bet of a seat by the dice that are keyed
    /// or confirmed: first what is taken, then what is paid. The stake of a
    /// winning bet stays on the layout and is no part of what is paid.
    pub take_and_pay: Option<Vec<ShownBet>>,
}

/// A bet that is taken or paid (004 4.8.1, 4.8.2; 001 1.1.3).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownBet {
    /// Where it lies.
    pub section: String,
    /// What lies there.
    pub stake: i64,
    /// In the seat's colour.
    pub colour: bool,
    /// The odds to 1 at which it wins: `6`, `11 1/2`; none where it is taken.
    pub odds: Option<String>,
    /// What is paid to it beside the stake.
    pub winnings: i64,
}

/// Stations beyond this many are left out of a console's frame; a screen for
/// thousands of them would be no use to a dealer.
pub const STATIONS_SHOWN: usize = 500;

/// The stations in use.
pub(super) fn stations(table: &Table) -> Vec<ShownStation> {
    let round = table.round.as_deref();
    let keyed = |round: &Round| round.keyed.map(|keyed| keyed.dice);
    let dice: Option<Dice> = round.and_then(|round| round.confirmed.or_else(|| keyed(round)));
    let stations = table.stations.iter().enumerate();
    stations
        .filter(|(_, station)| !station.removed)
        .take(STATIONS_SHOWN)
        .map(|(at, station)| {
            let terminal = station.kind == StationKind::Terminal;
            let part = round
                .and_then(|round| round.stations.get(at))
                .filter(|_| !terminal);
            let layout = table.layout_of(station);
            let number = u32::try_from(at).unwrap_or(u32::MAX);
            let observed = |means: Means| {
                let seen = round?.observed.get(&(StationId(number), means))?;
                Some(stakes(seen))
            };
            ShownStation {
                station: number,
                name: station.name.clone(),
                terminal,
                layout: layout.map_or_else(String::new, |layout| layout.id.clone()),
                online: station.link == Link::Online || !terminal,
                credit: station.credit.minor(),
                at_risk: station.at_risk.minor(),
                colour: station.colour.as_ref().map(|colour| ShownColour {
                    name: colour.name.clone(),
                    value: colour.value.minor(),
                }),
                chips: part.map_or_else(Vec::new, |part| stakes(&part.positions.sorted())),
                colour_chips: part
                    .map_or_else(Vec::new, |part| stakes(&part.colour_positions.sorted())),
                observed: observed(Means::CashChips),
                colour_observed: observed(Means::ColourChips),
                take_and_pay: part
                    .zip(layout.zip(dice))
                    .map(|(part, (layout, dice))| take_and_pay(layout, dice, part)),
            }
        })
        .collect()
}

/// Each bet of a seat, what is taken first.
fn take_and_pay(layout: &Layout, dice: Dice, part: &StationRound) -> Vec<ShownBet> {
    let of = |colour: bool| {
        move |line: &Line| {
            let pays = layout.pays(line.section);
            let odds = pays.and_then(|pays| pays.line(line.section.hits(dice)));
            // Twice the odds are whole, and a stake at half odds is even.
            let halves = odds.map_or(0, |odds| i64::from(odds.is.halves()));
            ShownBet {
                section: line.section.to_string(),
                stake: line.stake.minor(),
                colour,
                odds: odds.map(|odds| odds.is.printed()),
                winnings: line.stake.minor() * halves / 2,
            }
        }
    };
    let cash = part.positions.sorted();
    let colour = part.colour_positions.sorted();
    let all = cash.iter().map(of(false));
    let mut bets: Vec<ShownBet> = all.chain(colour.iter().map(of(true))).collect();
    bets.sort_by_key(|bet| bet.odds.is_some());
    bets
}
