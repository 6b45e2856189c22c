//! Play with chips at seats, which the dealer works: buying in, bets on the
//! layout, spoken bets, positions written down, and changes made too late.

use std::collections::BTreeSet;

use sicbo_rules::Money;
use sicbo_table::command::{ChipMove, ColourMove, LateKind};
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::round::{CoverState, Round};
use sicbo_table::station::{Station, StationKind};
use sicbo_table::{Act, Table};

use crate::dealer::{DEALER, Said, say, together};
use crate::random::Random;
use crate::translate::minor;

/// What the dealer remembers of the chips.
#[derive(Default, Debug)]
pub(crate) struct Chips {
    bets: u64,
    /// Seats whose chips were written down after the close, by round: once each.
    written: BTreeSet<(u64, u32)>,
}

fn seats(table: &Table) -> Vec<(StationId, &Station)> {
    table
        .stations
        .iter()
        .enumerate()
        .filter(|(_, station)| station.kind == StationKind::Seat && !station.removed)
        .map(|(i, station)| (StationId(i as u32), station))
        .collect()
}

fn one_seat<'t>(table: &'t Table, random: &mut Random) -> Option<(StationId, &'t Station)> {
    let seats = seats(table);
    (!seats.is_empty()).then(|| *random.pick(&seats))
}

fn step(table: &Table) -> i64 {
    let limits = table.config.as_ref().map(|config| config.limits.by_kind[0]);
    limits.map_or(100, |limit| limit.step.minor())
}

fn line(table: &Table, station: &Station, random: &mut Random) -> Option<Line> {
    let sections: Vec<_> = table.layout_of(station)?.sections().collect();
    Some(Line {
        section: *random.pick(&sections),
        stake: minor(step(table) * random.between(1, 12)),
    })
}

impl Chips {
    /// Chips and colour chips change hands.
    pub(crate) fn between_rounds(&mut self, table: &Table, random: &mut Random) -> Option<Said> {
        let (id, station) = one_seat(table, random)?;
        let amount = minor(step(table) * random.between(1, 60) * 5);
        let slip = "slip 7".to_owned();
        let chips = |how: ChipMove| Act::MoveChips {
            how,
            amount,
            slip: slip.clone(),
        };
        let colour = |how: ColourMove, amount: Money| Act::MoveColour {
            station: id,
            how,
            amount,
        };
        Some(match random.below(9) {
            0 => together(DEALER, chips(ChipMove::Fill)),
            1 => together(DEALER, chips(ChipMove::CreditSlip)),
            2 => say(DEALER, chips(ChipMove::Brought)),
            3 => say(DEALER, chips(ChipMove::Tip)),
            4 | 5 => match &station.colour {
                None => say(
                    DEALER,
                    Act::AssignColour {
                        station: id,
                        colour: format!("colour {}", id.0),
                        value: minor(step(table)),
                    },
                ),
                Some(_) if station.credit.is_positive() && random.chance(300) => say(
                    DEALER,
                    colour(ColourMove::ExchangedForChips, station.credit),
                ),
                Some(_) => say(DEALER, colour(ColourMove::BoughtWithCash, amount)),
            },
            6 if station.colour.is_some() => say(DEALER, Act::ReleaseColour { station: id }),
            _ => say(DEALER, chips(ChipMove::Bought)),
        })
    }

    /// Bets laid or spoken while bets are taken.
    pub(crate) fn while_betting(
        &mut self,
        table: &Table,
        round: &Round,
        random: &mut Random,
    ) -> Option<Said> {
        let (station, state) = one_seat(table, random)?;
        self.bets += 1;
        let (round_number, bet) = (round.number, BetId(1_000_000 + self.bets));
        let lines = vec![line(table, state, random)?];
        let on_layout = round.station(station)?.positions.lines().first().copied();
        Some(say(
            DEALER,
            match (random.below(10), on_layout) {
                (0, _) => Act::CallBet {
                    station,
                    round: round_number,
                    bet,
                    lines,
                    chips_present: random.chance(800),
                },
                (1, Some(there)) => Act::RemoveBets {
                    station,
                    round: round_number,
                    bet,
                    means: Means::CashChips,
                    lines: vec![there],
                },
                (2, Some(_)) => Act::ClearBets {
                    station,
                    round: round_number,
                    bet,
                },
                (chosen, _) => Act::PlaceBets {
                    station,
                    round: round_number,
                    bet,
                    means: match chosen {
                        3..=5 if state.credit.is_positive() => Means::ColourChips,
                        _ => Means::CashChips,
                    },
                    lines,
                },
            },
        ))
    }

    /// Chips that lay there at the announcement, written down while the dice
    /// cannot be seen: the dealer alone may.
    pub(crate) fn before_uncovering(
        &mut self,
        table: &Table,
        round: &Round,
        random: &mut Random,
    ) -> Option<Said> {
        let (station, state) = one_seat(table, random)?;
        let lines = vec![line(table, state, random)?];
        let first = self.written.insert((round.number.0, station.0));
        let act = Act::RecordPositions {
            station,
            round: round.number,
            bet: BetId(2_000_000 + round.number.0),
            means: Means::CashChips,
            lines,
        };
        first.then(|| say(DEALER, act))
    }

    /// Chips written down after the close, observed at the uncovering, or moved too late.
    pub(crate) fn after_close(
        &mut self,
        table: &Table,
        round: &Round,
        random: &mut Random,
    ) -> Option<Said> {
        let (station, state) = one_seat(table, random)?;
        let one = line(table, state, random)?;
        let part = round.station(station)?;
        Some(say(
            DEALER,
            match random.below(3) {
                0 if round.cover == CoverState::Uncovered => Act::ObservePositions {
                    station,
                    round: round.number,
                    means: Means::CashChips,
                    lines: if random.chance(600) {
                        part.positions.lines().to_vec()
                    } else {
                        vec![one]
                    },
                },
                1 if self.written.insert((round.number.0, station.0)) => Act::RecordPositions {
                    station,
                    round: round.number,
                    bet: BetId(2_000_000 + round.number.0),
                    means: Means::CashChips,
                    lines: vec![one],
                },
                _ => Act::RecordLate {
                    station,
                    round: round.number,
                    late: *random.pick(&[
                        LateKind::Placement,
                        LateKind::Increase,
                        LateKind::Withdrawal,
                    ]),
                    means: Means::CashChips,
                    line: part.positions.lines().first().copied().unwrap_or(one),
                },
            },
        ))
    }
}
