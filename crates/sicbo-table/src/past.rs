//! What a station did in rounds that are over: so that an act of betting whose
//! answer was lost is still answered with what happened when it is sent again
//! after its round.
//!
//! A station's newest acts are remembered, however many rounds they span, and
//! for each such round what was staked and came back. Only a station's own later
//! acts push its older ones out, so a terminal that was away for a day finds
//! its last acts where it left them. All of it is made from events and kept in
//! snapshots: a restart forgets nothing.
//!
//! While a round lasts, its acts stand once, in the station's part of the round
//! ([`SeenBets`]), so that betting writes to no other list. They come here when
//! the round ends (decision 0051).

use std::collections::VecDeque;

use sicbo_rules::Money;

use crate::codec::{DecodeError, Reader, Wire, Writer};
use crate::event::Effect;
use crate::ids::{BetId, RoundNumber, SessionNumber, StationId};
use crate::refusal::{Reason, Refusal};
use crate::round::StationRound;
use crate::seen::{SeenBet, SeenBets};
use crate::station::Station;
use crate::table::Table;

/// Acts of betting that each station is remembered by. A terminal has no more
/// than a few on their way at once.
pub const MAX_ACTS: usize = 64;

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

/// A round with how many of its acts are remembered: at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    part: PastRound,
    acts: u32,
}

/// The newest acts of one station.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastActs {
    /// Oldest first, at most [`MAX_ACTS`].
    acts: VecDeque<SeenBet>,
    /// The rounds they are of, in the same order.
    spans: VecDeque<Span>,
    /// Acts of this round and of earlier ones may have been forgotten.
    forgotten: RoundNumber,
}

impl Default for PastActs {
    fn default() -> PastActs {
        PastActs {
            acts: VecDeque::new(),
            spans: VecDeque::new(),
            forgotten: RoundNumber(0),
        }
    }
}

impl PastActs {
    /// An act, while it is remembered.
    #[must_use]
    pub fn act(&self, round: RoundNumber, bet: BetId) -> Option<&SeenBet> {
        let mut end = self.acts.len();
        for span in self.spans.iter().rev() {
            let begin = end - span.acts as usize;
            if span.part.round == round {
                return self
                    .acts
                    .range(begin..end)
                    .rev()
                    .find(|act| act.id == bet.0);
            }
            end = begin;
        }
        None
    }

    /// The station's part of a round that is over and of which an act is remembered.
    #[must_use]
    pub fn round(&self, round: RoundNumber) -> Option<&PastRound> {
        let mut newest = self.spans.iter().rev();
        let found = newest.find(|span| span.part.round == round);
        found.map(|span| &span.part)
    }

    fn part_mut(&mut self, round: RoundNumber) -> Option<&mut PastRound> {
        let mut newest = self.spans.iter_mut().rev();
        let found = newest.find(|span| span.part.round == round);
        found.map(|span| &mut span.part)
    }

    /// Takes over the acts of a round that is newer than all before.
    fn add(&mut self, part: PastRound, seen: &mut SeenBets) {
        let new = seen.sort_by_record();
        if new == 0 {
            return;
        }
        self.forget((self.acts.len() + new).saturating_sub(MAX_ACTS), part.round);
        let kept = new.min(MAX_ACTS);
        // A short list is copied, so that both keep the memory they need.
        if kept == MAX_ACTS {
            seen.give(&mut self.acts, kept);
        } else {
            self.acts.extend(seen.newest(kept));
        }
        self.spans.push_back(Span {
            part,
            acts: kept as u32,
        });
    }

    /// Forgets the oldest acts; those that are not here are of the round to come.
    fn forget(&mut self, acts: usize, next: RoundNumber) {
        let here = acts.min(self.acts.len());
        self.acts.drain(..here);
        let mut left = here as u32;
        while left > 0
            && let Some(oldest) = self.spans.front_mut()
        {
            self.forgotten = oldest.part.round;
            let gone = left.min(oldest.acts);
            left -= gone;
            oldest.acts -= gone;
            if oldest.acts == 0 {
                self.spans.pop_front();
            }
        }
        if acts > here {
            self.forgotten = next;
        }
    }
}

/// A round has ended for a station that had staked so much and to which so
/// much came back.
pub(crate) fn ended(
    station: &mut Station,
    part: &mut StationRound,
    round: RoundNumber,
    void: bool,
    staked: Money,
    returned: Money,
) {
    let past = PastRound {
        round,
        session: station.session,
        void,
        staked,
        returned,
    };
    station.past.add(past, &mut part.seen);
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
    let past = &station.past;
    match past.act(round, bet) {
        Some(act) if act.content == content => Ok(()),
        Some(_) => Err(Reason::BetIdReused.into()),
        None if round <= past.forgotten => Err(Reason::TooOldToSay { round }.into()),
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

    /// What a station did in rounds that are over.
    #[must_use]
    pub fn past(&self, station: StationId) -> Option<&PastActs> {
        self.station(station).map(|station| &station.past)
    }
}

/// As `[rounds, forgotten]`, each round with its acts, oldest first.
impl Wire for PastActs {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(2);
        to.array(self.spans.len() as u64);
        let mut acts = self.acts.iter();
        for Span { part, acts: count } in &self.spans {
            to.array(6);
            part.round.put(to);
            part.session.put(to);
            part.void.put(to);
            part.staked.put(to);
            part.returned.put(to);
            to.array(u64::from(*count));
            for act in acts.by_ref().take(*count as usize) {
                act.put(to);
            }
        }
        self.forgotten.put(to);
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.array_of(2)?;
        let mut past = PastActs::default();
        for _ in 0..from.array()? {
            from.array_of(6)?;
            let part = PastRound {
                round: Wire::get(from)?,
                session: Wire::get(from)?,
                void: Wire::get(from)?,
                staked: Wire::get(from)?,
                returned: Wire::get(from)?,
            };
            let acts = from.array()?;
            if acts == 0 || acts > (MAX_ACTS - past.acts.len()) as u64 {
                return Err(from.expected("acts, and no more than are remembered"));
            }
            for _ in 0..acts {
                past.acts.push_back(Wire::get(from)?);
            }
            let acts = acts as u32;
            past.spans.push_back(Span { part, acts });
        }
        past.forgotten = Wire::get(from)?;
        Ok(past)
    }
}
