//! What the dealer's console shows: the next step, what else is legal, the
//! keyed reading as a preview, who has not acknowledged, and the exposure.

use sicbo_rules::rulebook::words::Cause;
use sicbo_rules::{Dice, Money};

use super::{LastRound, LitLayout, ResultView, RoundView, lit};
use crate::ids::{RoundNumber, StationId};
use crate::legal::{LegalAct, Step, next_step, offered_acts};
use crate::pending::Pending;
use crate::positions::{Line, Means};
use crate::round::{Phase, Round};
use crate::station::{Colour, Link, StationKind};
use crate::table::{Status, Table};

/// The dice as keyed, not yet confirmed (P-021).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preview {
    /// In the order keyed.
    pub keyed: Dice,
    /// As it would be called.
    pub result: ResultView,
    /// What would light up, by layout.
    pub lit: Vec<LitLayout>,
    /// What would be returned to players in all.
    pub payout: Money,
}

/// Chips of one seat on the layout (P-026).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// Which seat.
    pub station: StationId,
    /// Its name.
    pub name: String,
    /// The colour issued to it.
    pub colour: Option<Colour>,
    /// Bets with cash chips.
    pub chips: Vec<Line>,
    /// Bets with colour chips.
    pub colour_chips: Vec<Line>,
    /// Cash chips as they were last seen, where they were looked at.
    pub observed: Option<Vec<Line>>,
    /// The same of colour chips.
    pub colour_observed: Option<Vec<Line>>,
}

/// What the house could lose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExposureView {
    /// All stakes of the round.
    pub staked: Money,
    /// The most that can be lost; negative when the house wins whatever falls.
    pub worst_loss: Money,
    /// House result for each of the 216 outcomes, in their order.
    pub by_outcome: Vec<Money>,
}

/// What the console shows of the round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConsoleRound {
    /// What everyone may know.
    pub public: RoundView,
    /// The deal button was pressed.
    pub deal_pressed: bool,
    /// The dice were seen to lie flat.
    pub flat: bool,
    /// The keyed reading.
    pub preview: Option<Preview>,
    /// A second reading was made. What it says stays hidden from the one who
    /// keys, so that the two are independent (P-022).
    pub second_read: bool,
    /// The winning areas are lit, or known not to be.
    pub lights: Option<bool>,
    /// What lights up, once the result is confirmed.
    pub lit: Vec<LitLayout>,
    /// Nothing is left but to declare the round void, for this cause.
    pub must_void: Option<Cause>,
    /// Terminals that have not yet shown the close.
    pub awaiting: Vec<StationId>,
    /// Terminals that were cut off.
    pub fenced: Vec<StationId>,
    /// Exposure.
    pub exposure: ExposureView,
    /// Seats with chips on the layout.
    pub seats: Vec<SeatView>,
}

/// What the console shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConsoleView {
    /// The table's name.
    pub table: String,
    /// Whether it plays.
    pub status: Status,
    /// The only bright button (P-020).
    pub next: Option<Step>,
    /// Everything a person may do now that is no single station's.
    pub acts: Vec<LegalAct>,
    /// The current round.
    pub round: Option<ConsoleRound>,
    /// Decisions that wait.
    pub pending: Vec<Pending>,
    /// Terminals that cannot be heard.
    pub offline: Vec<StationId>,
    /// The last round.
    pub last: Option<LastRound>,
    /// The round in which a wrong result is still found at once: no later one
    /// has commenced.
    pub current: RoundNumber,
    /// The ended round whose dice can still be read.
    pub dice_in_place: Option<RoundNumber>,
    /// One more round will be played, or has been.
    pub last_round_announced: Option<bool>,
}

/// The console's view.
#[must_use]
pub fn console(table: &Table) -> ConsoleView {
    ConsoleView {
        table: table
            .config
            .as_ref()
            .map_or_else(String::new, |config| config.name.clone()),
        status: table.status.clone(),
        next: next_step(table),
        acts: offered_acts(table),
        round: table.round.as_deref().map(|round| in_hand(table, round)),
        pending: table.pending.clone(),
        offline: offline(table),
        last: table
            .last_record
            .as_deref()
            .map(|last| LastRound::of(table, last)),
        current: table.last_started,
        dice_in_place: table.dice_in_place(),
        last_round_announced: table.last_round_announced,
    }
}

/// Terminals in use that cannot be heard.
pub(super) fn offline(table: &Table) -> Vec<StationId> {
    let stations = table.stations.iter().enumerate();
    stations
        .filter(|(_, s)| s.kind == StationKind::Terminal && s.link == Link::Offline && !s.removed)
        .map(|(i, _)| StationId(i as u32))
        .collect()
}

fn in_hand(table: &Table, round: &Round) -> ConsoleRound {
    let parts = || (0u32..).map(StationId).zip(&round.stations);
    let closing = round.phase == Phase::Closing;
    let awaiting =
        parts().filter(|(_, part)| closing && part.awaited && !part.acknowledged && !part.fenced);
    let seats = parts()
        .zip(&table.stations)
        .filter(|((station, part), at)| {
            let observed = |means| round.observed.contains_key(&(*station, means));
            let seen = observed(Means::CashChips) || observed(Means::ColourChips);
            at.kind == StationKind::Seat && (part.takes_part() || seen)
        });
    let seats = seats.map(|((station, part), at)| SeatView {
        station,
        name: at.name.clone(),
        colour: at.colour.clone(),
        chips: part.positions.sorted(),
        colour_chips: part.colour_positions.sorted(),
        observed: round.observed.get(&(station, Means::CashChips)).cloned(),
        colour_observed: round.observed.get(&(station, Means::ColourChips)).cloned(),
    });
    ConsoleRound {
        public: RoundView::of(table, round),
        deal_pressed: round.deal_pressed,
        flat: round.flat,
        preview: round
            .keyed
            .filter(|_| round.confirmed.is_none())
            .map(|reading| preview(table, round, reading.dice)),
        second_read: round.second.is_some(),
        lights: round.lights,
        lit: round
            .confirmed
            .map_or_else(Vec::new, |dice| lit(table, dice)),
        must_void: round.must_void,
        awaiting: awaiting.map(|(station, _)| station).collect(),
        fenced: parts()
            .filter(|(_, part)| part.fenced)
            .map(|(station, _)| station)
            .collect(),
        exposure: ExposureView {
            staked: round.exposure.staked(),
            worst_loss: round.exposure.worst_loss(),
            by_outcome: round.exposure.by_outcome(),
        },
        seats: seats.collect(),
    }
}

fn preview(table: &Table, round: &Round, dice: Dice) -> Preview {
    // The house's result on an outcome is what was staked less what returns.
    let house = round.exposure.by_outcome();
    let payout = house
        .get(dice.outcome().index())
        .map_or(Money::ZERO, |result| round.exposure.staked() - *result);
    Preview {
        keyed: dice,
        result: ResultView::under(table.book().map(AsRef::as_ref), dice),
        lit: lit(table, dice),
        payout,
    }
}
