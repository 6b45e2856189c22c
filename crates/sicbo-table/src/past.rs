//! What a station did in rounds that are over: so that an act of betting whose
//! answer was lost is still answered with what happened when it is sent again
//! after its round.
//!
//! A station's newest acts are remembered, however many rounds they span, and
//! for each such round what was staked and came back. Only a station's own later
//! acts push its older ones out, so a terminal that was away for a day finds
//! its last acts where it left them. All of it is made from events and kept in
//! snapshots: a restart forgets nothing.

use std::collections::VecDeque;

use sicbo_rules::Money;

use crate::codec::{DecodeError, Reader, Wire, Writer};
use crate::event::Effect;
use crate::ids::{BetId, RoundNumber, SessionNumber, StationId};
use crate::refusal::{Reason, Refusal};
use crate::station::Station;
use crate::table::Table;

/// Acts of betting that each station is remembered by. A terminal has no more
/// than a few on their way at once.
pub const MAX_ACTS: usize = 64;

/// An act of betting that was registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastAct {
    /// Its round.
    pub round: RoundNumber,
    /// Its id.
    pub bet: BetId,
    /// The digest of what it asked for.
    pub content: u64,
    /// The record of the table's journal that holds it.
    pub record: u64,
}

/// A station's part of a round that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastRound {
    /// Which round.
    pub round: RoundNumber,
    /// Who played there.
    pub session: SessionNumber,
    /// It is void.
    pub void: bool,
    /// What stood when bets were closed.
    pub staked: Money,
    /// What came back, stakes included, as the round stands now.
    pub returned: Money,
}

/// The newest acts of one station.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastActs {
    acts: VecDeque<PastAct>,
    rounds: VecDeque<PastRound>,
    /// Acts of this round and of earlier ones may have been forgotten.
    forgotten: RoundNumber,
}

impl Default for PastActs {
    fn default() -> PastActs {
        PastActs {
            acts: VecDeque::new(),
            rounds: VecDeque::new(),
            forgotten: RoundNumber(0),
        }
    }
}

impl PastActs {
    /// An act, while it is remembered.
    #[must_use]
    pub fn act(&self, round: RoundNumber, bet: BetId) -> Option<&PastAct> {
        let mut newest = self.acts.iter().rev();
        newest.find(|act| act.round == round && act.bet == bet)
    }

    /// The station's part of a round that is over and of which an act is remembered.
    #[must_use]
    pub fn round(&self, round: RoundNumber) -> Option<&PastRound> {
        self.rounds.iter().rev().find(|part| part.round == round)
    }

    pub(crate) fn remember(&mut self, act: PastAct) {
        let last = self.acts.back();
        // Clearing two kinds of chips is one act in two records.
        if last.is_some_and(|last| last.round == act.round && last.bet == act.bet) {
            return;
        }
        if self.acts.len() == MAX_ACTS
            && let Some(oldest) = self.acts.pop_front()
        {
            self.forgotten = oldest.round;
            let first = self.acts.front().map_or(act.round, |act| act.round);
            while self.rounds.front().is_some_and(|part| part.round < first) {
                self.rounds.pop_front();
            }
        }
        self.acts.push_back(act);
    }

    fn part_mut(&mut self, round: RoundNumber) -> Option<&mut PastRound> {
        let mut newest = self.rounds.iter_mut().rev();
        newest.find(|part| part.round == round)
    }
}

/// A round has ended for a station to which `paid_before` had ever come back.
pub(crate) fn ended(
    station: &mut Station,
    round: RoundNumber,
    void: bool,
    staked: Money,
    paid_before: Money,
) {
    let acted = station.past.acts.back();
    if acted.is_none_or(|act| act.round != round) {
        return;
    }
    let part = PastRound {
        round,
        session: station.session,
        void,
        staked,
        returned: paid(station) - paid_before,
    };
    station.past.rounds.push_back(part);
}

/// All that ever came back to a station from rounds.
pub(crate) fn paid(station: &Station) -> Money {
    station.meters.returned + station.meters.void_returned
}

/// A round that was over stands otherwise now.
pub(crate) fn amended(table: &mut Table, round: RoundNumber, void: bool, effects: &[Effect]) {
    for station in &mut table.stations {
        if let Some(part) = station.past.part_mut(round) {
            part.void = void;
        }
    }
    for effect in effects {
        let station = table.stations.get_mut(effect.station.0 as usize);
        if let Some(part) = station.and_then(|station| station.past.part_mut(round)) {
            part.returned = effect.is;
        }
    }
}

/// Whether an act of betting that names a round which is over was registered
/// in it.
///
/// # Errors
/// When its id was used for something else, when it was not registered, and
/// when that cannot be said any more.
pub(crate) fn registered(
    station: &Station,
    round: RoundNumber,
    bet: BetId,
    content: u64,
) -> Result<(), Refusal> {
    match station.past.act(round, bet) {
        Some(act) if act.content == content => Ok(()),
        Some(_) => Err(Reason::BetIdReused.into()),
        None if round <= station.past.forgotten => Err(Reason::TooOldToSay { round }.into()),
        None => Err(Reason::NotRegistered { round }.into()),
    }
}

impl Table {
    /// The named round is over.
    #[must_use]
    pub fn is_over(&self, round: RoundNumber) -> bool {
        let in_hand = self.round.as_deref().map(|round| round.number);
        round.0 > 0 && round <= self.last_round && Some(round) != in_hand
    }

    /// What a station did in rounds that are over, and in this one.
    #[must_use]
    pub fn past(&self, station: StationId) -> Option<&PastActs> {
        self.station(station).map(|station| &station.past)
    }
}

/// As `[acts, rounds, forgotten]`, oldest first.
impl Wire for PastActs {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(3);
        to.array(self.acts.len() as u64);
        for act in &self.acts {
            ((act.round, act.bet), (act.content, act.record)).put(to);
        }
        to.array(self.rounds.len() as u64);
        for part in &self.rounds {
            let ended = (part.void, (part.staked, part.returned));
            ((part.round, part.session), ended).put(to);
        }
        self.forgotten.put(to);
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.array_of(3)?;
        let mut past = PastActs::default();
        let acts = from.array()?;
        if acts > MAX_ACTS as u64 {
            return Err(from.expected("no more acts than are remembered"));
        }
        for _ in 0..acts {
            let ((round, bet), (content, record)) = Wire::get(from)?;
            past.acts.push_back(PastAct {
                round,
                bet,
                content,
                record,
            });
        }
        let rounds = from.array()?;
        if rounds > acts {
            return Err(from.expected("no more rounds than acts"));
        }
        for _ in 0..rounds {
            let ((round, session), (void, (staked, returned))) = Wire::get(from)?;
            past.rounds.push_back(PastRound {
                round,
                session,
                void,
                staked,
                returned,
            });
        }
        past.forgotten = Wire::get(from)?;
        Ok(past)
    }
}
