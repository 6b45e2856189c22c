//! What a player sees beside everyone: their own money and bets. Nothing of
//! other players.

use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Stake, stakes};
use crate::ids::StationId;
use crate::pending::Question;
use crate::round::Phase;
use crate::table::Table;

/// A station's own money and bets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Mine {
    /// Free credit.
    pub credit: i64,
    /// Registered in this round: the only figure called "your bets".
    pub at_risk: i64,
    /// Registered bets.
    pub bets: Vec<Stake>,
    /// Bets are taken from this station now.
    pub may_bet: bool,
    /// Cut off at the close; takes part again in the next round.
    pub wait_for_next_round: bool,
    /// A decision about this station's bets is awaited.
    pub own_case: Option<u64>,
    /// Counts who plays here: another number is another player.
    pub session: u32,
}

impl Mine {
    /// A station's own part; none when there is no such station.
    #[must_use]
    pub fn of(table: &Table, id: StationId) -> Option<Mine> {
        let station = table.station(id)?;
        let part = table.round.as_deref().and_then(|round| round.station(id));
        let own_case = table.pending.iter().find(|pending| {
            matches!(
                pending.question,
                Question::TerminalOpenCase { station } | Question::BetStatus { station }
                if station == id
            )
        });
        Some(Mine {
            credit: station.credit.minor(),
            at_risk: station.at_risk.minor(),
            bets: part.map_or_else(Vec::new, |part| stakes(&part.positions.sorted())),
            may_bet: may_bet(table, id),
            wait_for_next_round: part.is_some_and(|part| part.fenced),
            own_case: own_case.map(|pending| pending.id.0),
            session: station.session.0,
        })
    }
}

/// A terminal bets while bets are called, until it has shown the close.
fn may_bet(table: &Table, id: StationId) -> bool {
    let Some(round) = table.round.as_deref() else {
        return false;
    };
    let goes_on = table.holding().is_none() && round.must_void.is_none();
    goes_on
        && round.station(id).is_some_and(|part| match round.phase {
            Phase::Betting => !part.fenced,
            Phase::Closing => part.awaited && !part.acknowledged && !part.fenced,
            Phase::Prepared | Phase::Closed => false,
        })
}
