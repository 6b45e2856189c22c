//! What a player sees beside everyone: their own money and bets. Nothing of
//! other players.

use sicbo_rules::Money;

use crate::ids::{PendingId, StationId};
use crate::pending::Question;
use crate::positions::Line;
use crate::round::Phase;
use crate::table::Table;

/// What is a player's alone and changes within a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnView {
    /// Free credit.
    pub credit: Money,
    /// Registered in this round: the only figure called "your bets" (P-002).
    pub at_risk: Money,
    /// Registered bets with credit or cash chips.
    pub bets: Vec<Line>,
    /// Bets are taken from this station now.
    pub may_bet: bool,
    /// The station was cut off at the close and waits for the next round.
    pub wait_for_next_round: bool,
    /// The decision that waits about this station's bets.
    pub own_case: Option<PendingId>,
}

/// A station's own part; none when there is no such station.
#[must_use]
pub fn own(table: &Table, id: StationId) -> Option<OwnView> {
    let station = table.station(id)?;
    let part = table.round.as_deref().and_then(|round| round.station(id));
    let own_case = table.pending.iter().find(|pending| {
        matches!(
            pending.question,
            Question::TerminalOpenCase { station } | Question::BetStatus { station }
            if station == id
        )
    });
    Some(OwnView {
        credit: station.credit,
        at_risk: station.at_risk,
        bets: part.map_or_else(Vec::new, |part| part.positions.sorted()),
        may_bet: may_bet(table, id),
        wait_for_next_round: part.is_some_and(|part| part.fenced),
        own_case: own_case.map(|pending| pending.id),
    })
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
