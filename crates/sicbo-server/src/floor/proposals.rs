//! Two-person acts that wait for their second person, on a session of their own.

use std::collections::{BTreeMap, VecDeque};
use std::sync::PoisonError;

use axum::extract::ws::Utf8Bytes;
use sicbo_house::register::person::SessionId;
use sicbo_house::{now_ms, steady_ms};
use sicbo_table::actor::Staff;
use sicbo_table::ids::PersonId;
use tokio::sync::watch;

use super::TableAt;
use crate::connection::frame;
use crate::problem::Problem;
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
    /// When it lapses, by the steady clock.
    pub until_ms: i64,
}

/// What came of a confirmation: the last record it rests on, and whether its
/// request had been done before.
pub(crate) type Outcome = Result<(u64, bool), Problem>;

/// What will come of a confirmation that is being carried out. Whoever
/// confirmed it can wait for it, more than once and over another line.
#[derive(Clone)]
pub struct UnderWay(watch::Receiver<Option<Outcome>>);

impl UnderWay {
    /// Waits for it.
    ///
    /// # Errors
    /// Why it was not done.
    pub async fn outcome(mut self) -> Outcome {
        let came = self.0.wait_for(Option::is_some).await;
        let came = came.ok().and_then(|came| came.clone());
        came.unwrap_or_else(|| Err(Problem::ours(&"a confirmation broke off")))
    }
}

/// The end of a confirmation, given once to who carries it out.
pub struct Ends(watch::Sender<Option<Outcome>>);

/// How a proposal stands for somebody who confirms it.
pub enum Confirming<A = StaffAct> {
    /// It waits to be confirmed.
    Waits(Proposal<A>),
    /// They have confirmed it, and it is being done.
    UnderWay(UnderWay),
    /// They have confirmed it, and it was done: the last record.
    Done(u64),
}

/// A proposal that is being carried out.
struct Doing<A> {
    proposal: Proposal<A>,
    second: PersonId,
    under_way: UnderWay,
}

/// The proposals of one table, or of the house.
pub struct Proposals<A = StaffAct> {
    last: u64,
    open: BTreeMap<u64, Proposal<A>>,
    /// Confirmed, and not yet known to be done.
    doing: BTreeMap<u64, Doing<A>>,
    /// What was carried out: its number, who confirmed it, the last record.
    done: VecDeque<(u64, PersonId, u64)>,
}

impl<A> Default for Proposals<A> {
    fn default() -> Proposals<A> {
        Proposals {
            last: 0,
            open: BTreeMap::new(),
            doing: BTreeMap::new(),
            done: VecDeque::new(),
        }
    }
}

impl<A: TwoPersonAct + PartialEq + Clone> Proposals<A> {
    fn lapse(&mut self) {
        let now = steady_ms();
        self.open.retain(|_, proposal| proposal.until_ms > now);
        // One that broke off has nobody left who could end it.
        self.doing
            .retain(|_, doing| doing.under_way.0.has_changed().is_ok());
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
            let doing = self.doing.iter().map(|(n, doing)| (n, &doing.proposal));
            let mut known = self.open.iter().chain(doing);
            let known = known.find(|(_, known)| {
                known.by.person == by.person && known.act.request() == Some(request)
            });
            match known {
                Some((number, known)) if known.act == act => return Ok(*number),
                Some(_) => return Err(NotAdded::RequestReused),
                None => {}
            }
        }
        if self.open.len() + self.doing.len() >= MOST {
            return Err(NotAdded::TooMany);
        }
        self.last += 1;
        let proposal = Proposal {
            act,
            by,
            name,
            session,
            until_ms: steady_ms() + LAPSES_MS,
        };
        self.open.insert(self.last, proposal);
        Ok(self.last)
    }

    /// How one stands for `second`, who confirms it. Somebody else's
    /// confirmation is nothing of theirs.
    pub fn confirming(&mut self, number: u64, second: PersonId) -> Option<Confirming<A>> {
        self.lapse();
        let mut done = self.done.iter();
        let before = done.find(|(known, by, _)| *known == number && *by == second);
        if let Some((_, _, sequence)) = before {
            return Some(Confirming::Done(*sequence));
        }
        if let Some(doing) = self.doing.get(&number).filter(|d| d.second == second) {
            return Some(Confirming::UnderWay(doing.under_way.clone()));
        }
        let waits = self.open.get(&number).cloned();
        waits.map(Confirming::Waits)
    }

    /// One is carried out from now on, confirmed by `second`: confirmed twice
    /// at once, it is done once.
    pub fn begin(&mut self, number: u64, second: PersonId) -> Option<(Ends, UnderWay)> {
        let proposal = self.open.remove(&number)?;
        let (sender, receiver) = watch::channel(None);
        let under_way = UnderWay(receiver);
        let doing = Doing {
            proposal,
            second,
            under_way: under_way.clone(),
        };
        self.doing.insert(number, doing);
        Some((Ends(sender), under_way))
    }

    /// It was carried out and is remembered, or was not and waits on.
    pub fn end(&mut self, number: u64, ends: Ends, outcome: Outcome) {
        if let Some(doing) = self.doing.remove(&number) {
            match &outcome {
                Ok((sequence, _)) => {
                    if self.done.len() >= DONE {
                        self.done.pop_front();
                    }
                    self.done.push_back((number, doing.second, *sequence));
                }
                Err(_) => drop(self.open.insert(number, doing.proposal)),
            }
        }
        // Whoever waited may have gone; it is remembered for them.
        let _ = ends.0.send(Some(outcome));
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
                    // As a time of day, for a screen that counts down.
                    until_ms: now_ms() + proposal.until_ms - steady_ms(),
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
