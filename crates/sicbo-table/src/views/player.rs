//! What a player sees at a station: their own money and bets, the public side
//! of the round, and the result once it is confirmed. Nothing of other players.

use sicbo_rules::{Currency, Money};

use super::settlement::{SettlementLine, settlement_lines};
use super::{LastRound, LimitView, Notice, RoundView, limits_of, next_commitment, notices};
use crate::ids::{PendingId, StationId};
use crate::pending::Question;
use crate::positions::Line;
use crate::round::Phase;
use crate::station::{Link, StationKind};
use crate::table::Table;

/// The last round, with the player's own part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnLastRound {
    /// How it ended.
    pub round: LastRound,
    /// What the player had staked.
    pub staked: Money,
    /// What came back, stakes included.
    pub returned: Money,
    /// Bet by bet (P-006).
    pub lines: Vec<SettlementLine>,
}

/// What a player sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerView {
    /// The table's name.
    pub table: String,
    /// The rule book's name.
    pub book: String,
    /// The station's name.
    pub station: String,
    /// The layout's name within the book.
    pub layout: String,
    /// The currency.
    pub currency: Currency,
    /// Whether the house can hear the station.
    pub online: bool,
    /// Free credit.
    pub credit: Money,
    /// Registered in this round: the only figure called "your bets" (P-002).
    pub at_risk: Money,
    /// Registered bets with credit or cash chips.
    pub bets: Vec<Line>,
    /// Registered bets with colour chips.
    pub colour_bets: Vec<Line>,
    /// The round in hand.
    pub round: Option<RoundView>,
    /// What a simulated tumbler committed to for the round that begins next.
    pub next_commitment: Option<[u8; 32]>,
    /// Bets are taken from this station now.
    pub may_bet: bool,
    /// The station was cut off at the close and waits for the next round.
    pub wait_for_next_round: bool,
    /// The decision that waits about this station's bets.
    pub own_case: Option<PendingId>,
    /// Limits of every kind on its layout.
    pub limits: Vec<LimitView>,
    /// Most it may stake in a round.
    pub station_maximum: Money,
    /// The last round.
    pub last: Option<OwnLastRound>,
    /// Notices for everyone.
    pub notices: Vec<Notice>,
}

/// What of a player's view is theirs alone and changes within a round.
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

/// A station's own part alone; none when there is no such station.
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

/// The view of a station; none when there is no such station.
#[must_use]
pub fn player(table: &Table, id: StationId) -> Option<PlayerView> {
    let station = table.station(id)?;
    let config = table.config.as_deref()?;
    let layout = table.layout_of(station)?;
    let round = table.round.as_deref();
    let part = round.and_then(|round| round.station(id));
    let colour_bets = part.map_or_else(Vec::new, |part| part.colour_positions.sorted());
    let own = own(table, id)?;
    let last = table.last_record.as_deref().map(|record| {
        let lines = settlement_lines(record, id);
        OwnLastRound {
            round: LastRound::of(table, record),
            staked: lines.iter().map(|line| line.stake).sum(),
            returned: lines.iter().map(|line| line.returned).sum(),
            lines,
        }
    });
    // Who bought in after the last round sees nothing of the player before.
    let last = last.map(|mut last| {
        let record = table.last_record.as_deref();
        let part = record.and_then(|record| record.station(id));
        if part.is_none_or(|part| part.session != station.session) {
            last.staked = Money::ZERO;
            last.returned = Money::ZERO;
            last.lines.clear();
        }
        last
    });
    Some(PlayerView {
        table: config.name.clone(),
        book: config.book.id().to_owned(),
        station: station.name.clone(),
        layout: layout.id.clone(),
        currency: config.currency,
        online: station.link == Link::Online || station.kind == StationKind::Seat,
        credit: own.credit,
        at_risk: own.at_risk,
        bets: own.bets,
        colour_bets,
        round: round.map(|round| RoundView::of(table, round)),
        next_commitment: next_commitment(table),
        may_bet: own.may_bet,
        wait_for_next_round: own.wait_for_next_round,
        own_case: own.own_case,
        limits: limits_of(layout, &config.limits),
        station_maximum: config.limits.station_maximum,
        last,
        notices: notices(table),
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
