//! What a station could still bet on a section: the least and the most that
//! would be accepted now.

use sicbo_rules::rulebook::words::Closing;
use sicbo_rules::{Money, Section};

use super::state::State;
use crate::ids::StationId;
use crate::round::{Phase, Round};
use crate::station::{Station, StationKind};
use crate::table::Table;

/// What could still be staked on a section, in whole steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// The least that would be accepted.
    pub least: Money,
    /// The most.
    pub most: Money,
    /// Amounts between go by this.
    pub step: Money,
}

impl Room {
    /// Whether this amount would be accepted.
    #[must_use]
    pub fn takes(&self, stake: Money) -> bool {
        self.least <= stake && stake <= self.most && stake.minor() % self.step.minor().max(1) == 0
    }
}

/// What a station could still stake on a section with its credit, or with cash
/// chips at a seat; none when nothing.
#[must_use]
pub fn room(table: &Table, id: StationId, section: Section) -> Option<Room> {
    let state = State::of(table)?;
    let station = table.station(id)?;
    let round = state.going()?;
    let part = round.station(id)?;
    let silent = part.awaited && !part.acknowledged;
    let open = match round.phase {
        Phase::Betting => true,
        Phase::Closing => silent && state.book.play.closes.is == Closing::TerminalDisplay,
        Phase::Prepared | Phase::Closed => false,
    };
    if !open || part.fenced || !state.book.layouts[station.layout].offers(section) {
        return None;
    }
    let limit = state.config.limits.of(section.kind());
    let step = limit.step.minor();
    let there = part.positions.on(section) + part.colour_positions.on(section);
    let up = |amount: i64| (amount + step - 1) / step * step;
    let least = up((limit.minimum - there).minor().max(step));
    let mut most = (limit.maximum - there).minor();
    most = most.min((state.config.limits.station_maximum - station.at_risk).minor());
    if station.kind == StationKind::Terminal {
        most = most.min(station.credit.minor());
    }
    let room = Room {
        least: Money::from_minor(least),
        most: Money::from_minor(most / step * step),
        step: limit.step,
    };
    within_exposure(state, station, round, section, room)
}

/// Cuts the room to what the house may lose. A stake that does not worsen the
/// worst case is always taken, and exposure grows evenly with the stake beyond
/// the point where it begins to, so the largest acceptable stake is found by halving.
fn within_exposure(
    state: State<'_>,
    station: &Station,
    round: &Round,
    section: Section,
    room: Room,
) -> Option<Room> {
    if room.least > room.most {
        return None;
    }
    let column = state.table.exposure_tables.get(station.layout)?;
    let now = round.exposure.worst_loss();
    let bound = state.config.limits.exposure_maximum.max(now);
    let acceptable = |steps: i64| {
        let stake = Money::from_minor(steps * room.step.minor());
        round.exposure.worst_loss_with(column, section, stake) <= bound
    };
    let step = room.step.minor();
    let (mut good, mut bad) = (room.least.minor() / step, room.most.minor() / step + 1);
    if !acceptable(good) {
        return None;
    }
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if acceptable(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(Room {
        most: Money::from_minor(good * step),
        ..room
    })
}
