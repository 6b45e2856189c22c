//! Two-person acts that wait for their second person, on a session of their own.

use std::collections::{BTreeMap, VecDeque};
use std::sync::PoisonError;

use axum::extract::ws::Utf8Bytes;
use sicbo_house::now_ms;
use sicbo_house::register::person::SessionId;
use sicbo_table::actor::Staff;
use sicbo_table::ids::PersonId;

use super::TableAt;
use crate::connection::frame;
use crate::wire::console::{HouseToStaff, ShownProposal};
use crate::wire::pit::{HouseAct, ProposedCounts};
use crate::wire::staff::StaffAct;

/// What two persons do together.
pub trait TwoPersonAct {
    /// A stable word.
    fn word(&self) -> String;
    /// In words for the second person.
    fn told(&self) -> String;
    /// The second person must state the dice.
    fn wants_second_dice(&self) -> bool;
    /// The number that who proposes gives it.
    fn request(&self) -> Option<u64> {
        None
    }
    /// What it is about, piece by piece.
    fn about(&self) -> About {
        About::default()
    }
}

/// What a two-person act is about, for who confirms it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// Ended rounds it amends.
    pub rounds: Vec<u64>,
    /// The station whose money it moves.
    pub station: Option<u32>,
    /// How much.
    pub amount: Option<i64>,
    /// What it rules.
    pub ruling: Option<String>,
    /// The reason or evidence given.
    pub note: Option<String>,
    /// What is counted at an end of a shift.
    pub counts: Option<ProposedCounts>,
}

impl TwoPersonAct for StaffAct {
    fn word(&self) -> String {
        StaffAct::word(self)
    }
    fn told(&self) -> String {
        StaffAct::told(self)
    }
    fn wants_second_dice(&self) -> bool {
        StaffAct::wants_second_dice(self)
    }
    fn request(&self) -> Option<u64> {
        StaffAct::request(self)
    }
    fn about(&self) -> About {
        About {
            rounds: self.ended_rounds(),
            station: self.station(),
            amount: self.amount(),
            ruling: self.ruling().map(str::to_owned),
            note: self.note().map(str::to_owned),
            counts: None,
        }
    }
}

impl TwoPersonAct for HouseAct {
    fn word(&self) -> String {
        HouseAct::word(self).to_owned()
    }
    fn told(&self) -> String {
        HouseAct::told(self)
    }
    fn wants_second_dice(&self) -> bool {
        false
    }
    fn about(&self) -> About {
        About {
            counts: self.counts(),
            ..About::default()
        }
    }
}

/// A proposal lapses after this long.
const LAPSES_MS: i64 = 5 * 60_000;
/// Proposals that may wait at one table, or for the house.
const MOST: usize = 16;
/// Proposals that were carried out and are remembered, for who asks again.
const DONE: usize = 64;

/// Why a proposal was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAdded {
    /// Too many wait.
    TooMany,
    /// Its request number is that of another proposal.
    RequestReused,
}

/// A two-person act.
#[derive(Clone, Debug)]
pub struct Proposal<A = StaffAct> {
    /// What is proposed.
    pub act: A,
    /// By whom.
    pub by: Staff,
    /// Their name.
    pub name: String,
    /// On which session.
    pub session: SessionId,
    /// When it lapses.
    pub until_ms: i64,
}

/// The proposals of one table, or of the house.
pub struct Proposals<A = StaffAct> {
    last: u64,
    open: BTreeMap<u64, Proposal<A>>,
    /// What was carried out: its number, who confirmed it, the last record.
    done: VecDeque<(u64, PersonId, u64)>,
}

impl<A> Default for Proposals<A> {
    fn default() -> Proposals<A> {
        Proposals {
            last: 0,
            open: BTreeMap::new(),
            done: VecDeque::new(),
        }
    }
}

impl<A: TwoPersonAct + PartialEq> Proposals<A> {
    fn lapse(&mut self) {
        let now = now_ms();
        self.open.retain(|_, proposal| proposal.until_ms > now);
    }

    /// Adds one. The same request of the same person again is the same proposal.
    ///
    /// # Errors
    /// When too many wait, or the request is that of another proposal.
    pub fn add(
        &mut self,
        act: A,
        by: Staff,
        name: String,
        session: SessionId,
    ) -> Result<u64, NotAdded> {
        self.lapse();
        if let Some(request) = act.request() {
            let mut open = self.open.iter();
            let known = open.find(|(_, known)| {
                known.by.person == by.person && known.act.request() == Some(request)
            });
            match known {
                Some((number, known)) if known.act == act => return Ok(*number),
                Some(_) => return Err(NotAdded::RequestReused),
                None => {}
            }
        }
        if self.open.len() >= MOST {
            return Err(NotAdded::TooMany);
        }
        self.last += 1;
        let proposal = Proposal {
            act,
            by,
            name,
            session,
            until_ms: now_ms() + LAPSES_MS,
        };
        self.open.insert(self.last, proposal);
        Ok(self.last)
    }

    /// One was carried out, confirmed by `second`.
    pub fn carried_out(&mut self, number: u64, second: PersonId, sequence: u64) {
        if self.done.len() >= DONE {
            self.done.pop_front();
        }
        self.done.push_back((number, second, sequence));
    }

    /// The last record of one that `second` confirmed before.
    #[must_use]
    pub fn confirmed_before(&self, number: u64, second: PersonId) -> Option<u64> {
        let mut done = self.done.iter();
        done.find(|(known, by, _)| *known == number && *by == second)
            .map(|(_, _, sequence)| *sequence)
    }

    /// One that has not lapsed.
    pub fn get(&mut self, number: u64) -> Option<&Proposal<A>> {
        self.lapse();
        self.open.get(&number)
    }

    /// Takes one out.
    pub fn remove(&mut self, number: u64) -> Option<Proposal<A>> {
        self.open.remove(&number)
    }

    /// Puts one back that could not be carried out.
    pub fn put_back(&mut self, number: u64, proposal: Proposal<A>) {
        self.open.insert(number, proposal);
    }

    /// As they are shown.
    pub fn shown(&mut self) -> Vec<ShownProposal> {
        self.lapse();
        self.open
            .iter()
            .map(|(number, proposal)| {
                let about = proposal.act.about();
                ShownProposal {
                    proposal: *number,
                    act: proposal.act.word(),
                    words: proposal.act.told(),
                    by: proposal.name.clone(),
                    person: proposal.by.person.0,
                    rounds: about.rounds,
                    station: about.station,
                    amount: about.amount,
                    ruling: about.ruling,
                    note: about.note,
                    counts: about.counts,
                    dice_wanted: proposal.act.wants_second_dice(),
                    until_ms: proposal.until_ms,
                }
            })
            .collect()
    }
}

impl TableAt {
    /// The proposals that wait, as a frame for staff.
    #[must_use]
    pub fn proposals_frame(&self) -> Utf8Bytes {
        let mut proposals = self
            .proposals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        frame(&HouseToStaff::Proposals {
            table: self.hub.name.to_string(),
            proposals: proposals.shown(),
        })
    }
}
