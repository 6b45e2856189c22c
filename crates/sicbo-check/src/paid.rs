//! What every line of a round paid, and by which odds: settlement told line by
//! line, derived from the bets and the rule book alone.

use sicbo_rules::{Money, Section};
use sicbo_table::positions::Line;
use sicbo_table::record::{RoundRecord, Standing, StationRecord, returns_digest};

use crate::text;

/// One bet and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaidLine {
    /// Where.
    pub section: Section,
    /// With colour chips.
    pub colour: bool,
    /// How much was staked.
    pub stake: Money,
    /// Odds in halves; nothing when the bet lost or the round is void.
    pub odds_halves: Option<u16>,
    /// Profit.
    pub profit: Money,
    /// All that came back.
    pub returned: Money,
}

impl PaidLine {
    /// E.g. `11 1/2 × 20.00 = 230.00 + stake 20.00`.
    #[must_use]
    pub fn sum(&self, money: &dyn Fn(Money) -> String) -> String {
        match self.odds_halves {
            Some(halves) => format!(
                "{} × {} = {} + stake {}",
                text::odds(halves),
                money(self.stake),
                money(self.profit),
                money(self.stake)
            ),
            None if self.returned.is_positive() => format!("stake {} returned", money(self.stake)),
            None => format!("{} lost", money(self.stake)),
        }
    }
}

/// One station's part of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaidStation {
    /// Which station.
    pub record: StationRecord,
    /// The layout it played on, e.g. `mbs-etg/rapid`.
    pub layout: String,
    /// Bet by bet.
    pub lines: Vec<PaidLine>,
    /// All it staked.
    pub staked: Money,
    /// All that came back.
    pub returned: Money,
}

/// What an ended round pays each station when it stands so.
#[must_use]
pub fn paid(record: &RoundRecord, standing: Standing) -> Vec<PaidStation> {
    let station = |part: &StationRecord| {
        let layout = record.book.layouts.get(part.layout);
        let line = |line: &Line, colour: bool| {
            let gross = match standing {
                Standing::Void => 2,
                Standing::Settled(dice) => layout.map_or(0, |layout| {
                    layout.settlement().row(dice)[line.section.index()]
                }),
            };
            let returned = Money::from_minor(line.stake.minor() * i64::from(gross) / 2);
            let won = matches!(standing, Standing::Settled(_)) && gross > 0;
            PaidLine {
                section: line.section,
                colour,
                stake: line.stake,
                odds_halves: won.then(|| gross.saturating_sub(2)),
                profit: if won {
                    returned - line.stake
                } else {
                    Money::ZERO
                },
                returned,
            }
        };
        let lines: Vec<PaidLine> = (part.lines.iter().map(|bet| line(bet, false)))
            .chain(part.colour_lines.iter().map(|bet| line(bet, true)))
            .collect();
        PaidStation {
            record: part.clone(),
            layout: layout.map_or_else(String::new, |layout| record.book.layout_name(layout)),
            staked: lines.iter().map(|line| line.stake).sum(),
            returned: lines.iter().map(|line| line.returned).sum(),
            lines,
        }
    };
    record.stations.iter().map(station).collect()
}

/// The fingerprint of these payments, as the round's last record carries it.
#[must_use]
pub fn fingerprint(stations: &[PaidStation]) -> [u8; 32] {
    returns_digest(
        stations
            .iter()
            .map(|station| (station.record.station, station.returned)),
    )
}
