//! Two-person acts that wait for their second person, on a session of their own.
//!
//! The register gives each its number and keeps it on record; the act itself
//! waits here, and a restart ends it. A confirmation carries the digest of the
//! act that was shown, so that nobody confirms what they have not seen.

mod refused;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Weak};

use futures_channel::oneshot;
use futures_util::FutureExt as _;
use futures_util::future::Shared;
use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sicbo_clock::HouseClock;
use sicbo_loop::Answer;
use sicbo_register::enrolment::TableName;
use sicbo_register::person::SessionId;
use sicbo_register::proposal::{MAX_WORDS, NewProposal, ProposalEnd};
use sicbo_register::{Act, Fact, Party, Reason};
use sicbo_table::actor::Staff;
use sicbo_table::ids::PersonId;

use crate::house::{House, Present, TableAt};
use crate::hub::ToHub;
use sicbo_wire::acts::{Done, Proposed, TwoPersonAct};
use sicbo_wire::console::{EndedProposal, HouseToStaff, ProposalOutcome, ShownProposal};
use sicbo_wire::problem::Problem;
use sicbo_wire::staff::StaffAct;
use sicbo_wire::{Frame, frame, hex};

pub use refused::{NotAdded, NotConfirmed};

/// A proposal lapses after this long.
const LAPSES_MS: i64 = 5 * 60_000;
/// Proposals that may wait at one table, or for the house.
const MAX: usize = 16;
/// Of one person: nobody takes the places of all others.
const MAX_EACH: usize = 4;
/// Proposals that were carried out and are remembered, for a confirmation that is repeated.
const DONE: usize = 64;
/// Proposals whose outcome is told to those who made them.
const OUTCOMES_TOLD: usize = 16;
/// A proposal that a restart has ended is shown for this long.
const ENDED_SHOWN_MS: i64 = 60 * 60_000;

/// The number and the digest of a proposal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbered {
    /// Never used again, not even after a restart.
    pub number: u64,
    /// Of the whole act.
    pub digest: [u8; 32],
}

impl Numbered {
    /// As whoever proposed it is told.
    #[must_use]
    pub fn proposed(&self) -> Proposed {
        Proposed {
            proposal: self.number,
            digest: hex(self.digest),
        }
    }
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
    /// Of the whole act.
    pub digest: [u8; 32],
}

/// What came of a confirmation: the last record it rests on, and whether its
/// request had been done before.
pub type Outcome = Result<(u64, bool), Problem>;

/// What will come of a confirmation that is being carried out. Whoever
/// confirmed it can wait for it, more than once and over another line.
#[derive(Clone)]
pub struct UnderWay(Shared<oneshot::Receiver<Outcome>>);

impl UnderWay {
    /// Waits for it.
    ///
    /// # Errors
    /// Why it was not done.
    pub async fn outcome(self) -> Outcome {
        let came = self.0.await;
        came.unwrap_or_else(|_| Err(Problem::ours(&"a confirmation broke off")))
    }
}

/// The end of a confirmation, given once to the task that carries it out.
pub struct Ends {
    sender: oneshot::Sender<Outcome>,
    /// Gone when this is gone: nobody is left who could end it.
    _alive: Arc<()>,
}

/// How a proposal stands for somebody who confirms it.
pub enum Confirming<A = StaffAct> {
    /// It waits to be confirmed.
    Waits(Proposal<A>),
    /// They have confirmed it already.
    Before(Before),
}

/// A confirmation that the same person gave before.
pub enum Before {
    /// It is being carried out.
    UnderWay(UnderWay),
    /// It was carried out: the last record.
    Done(u64),
}

impl Before {
    /// What came of it, as the person is told again.
    async fn answer(self) -> Result<Done, Problem> {
        let sequence = match self {
            Before::Done(sequence) => sequence,
            Before::UnderWay(under_way) => under_way.outcome().await?.0,
        };
        Ok(Done {
            sequence,
            again: true,
        })
    }
}

/// A proposal that is being carried out.
struct Doing<A> {
    proposal: Proposal<A>,
    second: PersonId,
    under_way: UnderWay,
    alive: Weak<()>,
}

/// The proposals of one table, or of the house.
pub struct Proposals<A = StaffAct> {
    clock: Arc<HouseClock>,
    open: BTreeMap<u64, Proposal<A>>,
    /// Confirmed, and not yet known to be done.
    doing: BTreeMap<u64, Doing<A>>,
    /// What was carried out and is remembered.
    done: VecDeque<Carried>,
    /// Proposals that have ended, to be put on record.
    ended: Vec<(u64, ProposalEnd)>,
    /// What came of the last ones, for their proposers.
    outcomes: VecDeque<ProposalOutcome>,
    /// Withdrawn by their proposers: what holds the table for them is let go.
    withdrawn: BTreeSet<u64>,
    /// Proposals whose hold the table is being asked for.
    holding: BTreeSet<u64>,
}

/// A proposal that was carried out.
struct Carried {
    number: u64,
    digest: [u8; 32],
    second: PersonId,
    /// The last record.
    sequence: u64,
}

impl<A> Proposals<A> {
    /// None wait.
    #[must_use]
    pub fn new(clock: Arc<HouseClock>) -> Proposals<A> {
        Proposals {
            clock,
            open: BTreeMap::new(),
            doing: BTreeMap::new(),
            done: VecDeque::new(),
            ended: Vec::new(),
            outcomes: VecDeque::new(),
            withdrawn: BTreeSet::new(),
            holding: BTreeSet::new(),
        }
    }
}

impl<A: TwoPersonAct + PartialEq + Clone> Proposals<A> {
    fn lapse(&mut self) {
        let now = self.clock.steady_ms();
        let lapsed = self.open.iter().filter(|(_, known)| known.until_ms <= now);
        let lapsed: Vec<u64> = lapsed.map(|(number, _)| *number).collect();
        for number in lapsed {
            self.has_ended(number, ProposalEnd::Lapsed);
        }
        self.open.retain(|_, proposal| proposal.until_ms > now);
        // One that broke off has nobody left who could end it.
        self.doing.retain(|_, doing| doing.alive.strong_count() > 0);
    }

    /// Whether one may be added. The same request of the same person again is
    /// the same proposal, and that is given back.
    ///
    /// # Errors
    /// When too many wait, or the request is that of another proposal.
    pub fn room_for(&mut self, act: &A, by: PersonId) -> Result<Option<Numbered>, NotAdded> {
        self.lapse();
        if let Some(request) = act.request() {
            let doing = self.doing.iter().map(|(n, doing)| (n, &doing.proposal));
            let mut known = self.open.iter().chain(doing);
            let known = known
                .find(|(_, known)| known.by.person == by && known.act.request() == Some(request));
            match known {
                Some((number, known)) if known.act == *act => {
                    return Ok(Some(Numbered {
                        number: *number,
                        digest: known.digest,
                    }));
                }
                Some(_) => return Err(NotAdded::RequestReused),
                None => {}
            }
        }
        let doing = self.doing.values().map(|doing| &doing.proposal);
        let own = self.open.values().chain(doing);
        let own = own.filter(|known| known.by.person == by).count();
        if own >= MAX_EACH || self.open.len() + self.doing.len() >= MAX {
            return Err(NotAdded::TooMany);
        }
        Ok(None)
    }

    /// Adds one that is on record under this number.
    fn add(&mut self, numbered: Numbered, act: A, by: Present) {
        let proposal = Proposal {
            act,
            by: by.staff,
            name: by.name,
            session: by.session,
            until_ms: self.clock.steady_ms() + LAPSES_MS,
            digest: numbered.digest,
        };
        self.open.insert(numbered.number, proposal);
    }

    /// How one stands for `second`, who confirms the act of this digest.
    /// Somebody else's confirmation is nothing of theirs.
    ///
    /// # Errors
    /// When there is none for them, or it is another act.
    pub fn confirming(
        &mut self,
        number: u64,
        second: PersonId,
        digest: &str,
    ) -> Result<Confirming<A>, NotConfirmed> {
        self.lapse();
        let same = |known: &[u8; 32]| match hex(known) == digest {
            true => Ok(()),
            false => Err(NotConfirmed::OtherAct),
        };
        let mut done = self.done.iter();
        let before = done.find(|done| done.number == number && done.second == second);
        if let Some(before) = before {
            same(&before.digest)?;
            return Ok(Confirming::Before(Before::Done(before.sequence)));
        }
        if let Some(doing) = self.doing.get(&number).filter(|d| d.second == second) {
            same(&doing.proposal.digest)?;
            let under_way = doing.under_way.clone();
            return Ok(Confirming::Before(Before::UnderWay(under_way)));
        }
        let waits = self.open.get(&number).ok_or(NotConfirmed::Unknown)?;
        same(&waits.digest)?;
        Ok(Confirming::Waits(waits.clone()))
    }

    /// One is carried out from now on, confirmed by `second`. Confirmed twice
    /// at once it is done once, and the other confirmation follows that one.
    ///
    /// # Errors
    /// When there is none for them, or it is another act.
    pub fn begin(
        &mut self,
        number: u64,
        second: PersonId,
        digest: &str,
    ) -> Result<Result<(Ends, UnderWay), Before>, NotConfirmed> {
        let proposal = match self.confirming(number, second, digest)? {
            Confirming::Before(before) => return Ok(Err(before)),
            Confirming::Waits(proposal) => proposal,
        };
        self.open.remove(&number);
        let (sender, receiver) = oneshot::channel();
        let under_way = UnderWay(receiver.shared());
        let alive = Arc::new(());
        let doing = Doing {
            proposal,
            second,
            under_way: under_way.clone(),
            alive: Arc::downgrade(&alive),
        };
        self.doing.insert(number, doing);
        let ends = Ends {
            sender,
            _alive: alive,
        };
        Ok(Ok((ends, under_way)))
    }

    /// It was carried out and is remembered, or was not and waits on.
    pub fn end(&mut self, number: u64, ends: Ends, outcome: Outcome) {
        if let Some(doing) = self.doing.remove(&number) {
            match &outcome {
                Ok((sequence, _)) => {
                    if self.done.len() >= DONE {
                        self.done.pop_front();
                    }
                    self.done.push_back(Carried {
                        number,
                        digest: doing.proposal.digest,
                        second: doing.second,
                        sequence: *sequence,
                    });
                    let second = doing.second;
                    self.has_ended(number, ProposalEnd::Confirmed { second });
                }
                Err(_) => drop(self.open.insert(number, doing.proposal)),
            }
        }
        // Whoever waited may have gone; it is remembered for them.
        let _ = ends.sender.send(outcome);
    }

    /// One that has not lapsed.
    pub fn get(&mut self, number: u64) -> Option<&Proposal<A>> {
        self.lapse();
        self.open.get(&number)
    }

    /// Takes one out, and why.
    pub fn remove(&mut self, number: u64, why: ProposalEnd) {
        if self.open.remove(&number).is_some() {
            self.has_ended(number, why);
            if why == ProposalEnd::Withdrawn {
                self.withdrawn.insert(number);
            }
        }
    }

    /// One has ended: it is put on record, and its proposer is told.
    fn has_ended(&mut self, number: u64, end: ProposalEnd) {
        self.ended.push((number, end));
        if self.outcomes.len() >= OUTCOMES_TOLD {
            self.outcomes.pop_front();
        }
        self.outcomes.push_back(ProposalOutcome {
            proposal: number,
            outcome: end.word().to_owned(),
        });
    }

    /// What came of the last ones, the newest last.
    fn outcomes(&self) -> Vec<ProposalOutcome> {
        self.outcomes.iter().cloned().collect()
    }

    /// What came of one of them; none while it waits, and of one from long ago.
    pub fn outcome(&mut self, number: u64) -> Option<ProposalOutcome> {
        if self.shown().iter().any(|open| open.proposal == number) {
            return None;
        }
        let mut told = self.outcomes.iter().rev();
        told.find(|one| one.proposal == number).cloned()
    }

    /// The table is asked to wait for one that is open. False when it no longer
    /// is: nothing waits for it.
    pub(crate) fn begin_hold(&mut self, number: u64) -> bool {
        let open = self.open.contains_key(&number);
        if open {
            // Whoever asked may have hung up without hearing the answer.
            while self.holding.len() >= DONE {
                self.holding.pop_first();
            }
            self.holding.insert(number);
        }
        open
    }

    /// The table has answered.
    pub(crate) fn end_hold(&mut self, number: u64) {
        self.holding.remove(&number);
    }

    /// Those of the proposals for which a table is held that were withdrawn.
    /// Others that ended leave what they were about in dispute.
    pub(crate) fn withdrawn(&mut self, held: &[u64]) -> Vec<u64> {
        // One whose hold is still on its way is remembered until it is there.
        let holding = &self.holding;
        self.withdrawn
            .retain(|number| held.contains(number) || holding.contains(number));
        let withdrawn = self.withdrawn.iter().copied();
        withdrawn.filter(|number| held.contains(number)).collect()
    }

    /// Takes what has ended and is not on record yet.
    fn take_ended(&mut self) -> Vec<(u64, ProposalEnd)> {
        self.lapse();
        std::mem::take(&mut self.ended)
    }

    /// As they are shown.
    pub fn shown(&mut self) -> Vec<ShownProposal> {
        self.lapse();
        let (now_ms, steady_ms) = (self.clock.now_ms(), self.clock.steady_ms());
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
                    cause: about.cause,
                    note: about.note,
                    conducted: about.conducted,
                    counts: about.counts,
                    dice_wanted: proposal.act.wants_second_dice(),
                    // As a time of day, for a screen that counts down.
                    until_ms: now_ms + proposal.until_ms - steady_ms,
                    digest: hex(proposal.digest),
                }
            })
            .collect()
    }
}

impl TableAt {
    /// The proposals that wait, as a frame for staff.
    #[must_use]
    pub fn proposals_frame(&self, house: &House) -> Frame {
        let ended = house.ended_proposals(Some(&self.hub.name));
        let mut proposals = self.proposals.lock();
        frame(&HouseToStaff::Proposals {
            table: self.hub.name.to_string(),
            proposals: proposals.shown(),
            ended,
            outcomes: proposals.outcomes(),
        })
    }
}

/// At most as long as the record allows.
fn shortened(mut words: String) -> String {
    if words.len() > MAX_WORDS {
        let mut end = MAX_WORDS - '…'.len_utf8();
        while !words.is_char_boundary(end) {
            end -= 1;
        }
        words.truncate(end);
        words.push('…');
    }
    words
}

/// The digest of an act, for the table or the house it is proposed to.
fn digest_of<A: Serialize>(table: Option<&TableName>, act: &A, by: PersonId) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"sicbo proposal 1\0");
    hash.update(table.map_or("", TableName::as_str).as_bytes());
    hash.update([0]);
    hash.update(by.0.to_be_bytes());
    // Numbers, texts and lists of them: they can always be written.
    hash.update(serde_json::to_vec(act).unwrap_or_default());
    hash.finalize().into()
}

impl House {
    /// Tells the staff of a table which proposals wait there.
    pub async fn tell_proposals(&self, at: &TableAt) {
        let told = ToHub::TellStaff(at.proposals_frame(self));
        at.hub.tell(told, || self.host.pause()).await;
    }

    /// Puts a two-person act on record under a new number and lets it wait.
    ///
    /// # Errors
    /// When it may not wait, or the register cannot take it.
    pub async fn propose<A>(
        &self,
        list: &Mutex<Proposals<A>>,
        table: Option<&TableName>,
        act: A,
        by: Present,
    ) -> Result<Numbered, Problem>
    where
        A: TwoPersonAct + PartialEq + Clone + Serialize,
    {
        // One at a time: the same request twice at once is one proposal.
        let _turn = self.proposing.lock().await;
        let known = {
            let mut list = list.lock();
            list.room_for(&act, by.staff.person)
        };
        if let Some(known) = known.map_err(NotAdded::problem)? {
            return Ok(known);
        }
        let digest = digest_of(table, &act, by.staff.person);
        let new = NewProposal {
            table: table.cloned(),
            act: act.word(),
            words: shortened(act.told()),
            digest,
        };
        let party = Party::Person(by.staff.person);
        let facts = self.desk.enter(party, None, Act::Propose { new }).await?;
        let number = facts.iter().find_map(|fact| match fact {
            Fact::ProposalMade { proposal, .. } => Some(*proposal),
            _ => None,
        });
        let number = number.ok_or_else(|| Problem::ours(&"a proposal without a number"))?;
        let numbered = Numbered { number, digest };
        let mut list = list.lock();
        list.add(numbered, act, by);
        Ok(numbered)
    }

    /// Takes a proposal of one's own back.
    ///
    /// # Errors
    /// When there is none, or it is somebody else's.
    pub fn withdraw<A: TwoPersonAct + PartialEq + Clone>(
        list: &Mutex<Proposals<A>>,
        by: PersonId,
        number: u64,
    ) -> Result<(), Problem> {
        let mut open = list.lock();
        match open.get(number) {
            None => return Err(Problem::not_found("proposal")),
            Some(proposal) if proposal.by.person != by => {
                return Err(Problem::not_allowed("only who proposed it may withdraw it"));
            }
            Some(_) => open.remove(number, ProposalEnd::Withdrawn),
        }
        Ok(())
    }

    /// What a second person confirms; what came of it, where that was asked before.
    ///
    /// # Errors
    /// Why there is nothing to confirm.
    pub async fn to_be_confirmed<A: TwoPersonAct + PartialEq + Clone>(
        &self,
        list: &Mutex<Proposals<A>>,
        second: PersonId,
        number: u64,
        digest: &str,
    ) -> Result<Result<Done, Proposal<A>>, Problem> {
        let stands = {
            let mut open = list.lock();
            open.confirming(number, second, digest)
        };
        match stands.map_err(|why| self.not_confirmed(number, why))? {
            Confirming::Waits(proposal) => Ok(Err(proposal)),
            Confirming::Before(before) => Ok(Ok(before.answer().await?)),
        }
    }

    /// Begins to carry out what `second` confirms; what came of it, where the
    /// same confirmation began it meanwhile over another line.
    ///
    /// # Errors
    /// Why there is nothing to confirm any more.
    pub async fn begin_confirmed<A: TwoPersonAct + PartialEq + Clone>(
        &self,
        list: &Mutex<Proposals<A>>,
        second: PersonId,
        number: u64,
        digest: &str,
    ) -> Result<Result<Done, (Ends, UnderWay)>, Problem> {
        let begun = {
            let mut open = list.lock();
            open.begin(number, second, digest)
        };
        match begun.map_err(|why| self.not_confirmed(number, why))? {
            Ok(begun) => Ok(Err(begun)),
            Err(before) => Ok(Ok(before.answer().await?)),
        }
    }

    /// Two different persons are present, each on a session of their own.
    ///
    /// # Errors
    /// When they are not.
    pub fn both_present<A>(&self, first: &Proposal<A>, second: PersonId) -> Result<(), Problem> {
        if first.by.person == second {
            return Err(Problem::conflict(
                "same_person_twice",
                "the two persons must be different",
            ));
        }
        // An account that nobody has seen anybody use is neither of two persons.
        let unseen = {
            let register = self.desk.register();
            let seen = |id| {
                register
                    .people
                    .get(&id)
                    .is_some_and(|known| known.is_seen())
            };
            !seen(first.by.person) || !seen(second)
        };
        if unseen {
            return Err(Problem::declined(&Reason::NotWitnessed.into()));
        }
        let known = self.desk.register().sessions.contains_key(&first.session);
        if !known || !self.sessions.is_present(first.session) {
            return Err(Problem::conflict(
                "first_person_left",
                "whoever proposed this is no longer logged in",
            ));
        }
        Ok(())
    }

    /// Puts every proposal that has ended on record.
    pub async fn record_ended_proposals(&self) {
        for at in self.tables() {
            self.record_ended_at(at).await;
        }
        self.record_ended(&self.proposals).await;
    }

    /// As [`House::record_ended_proposals`], for one list.
    pub async fn record_ended<A: TwoPersonAct + PartialEq + Clone>(
        &self,
        list: &Mutex<Proposals<A>>,
    ) -> Vec<(u64, ProposalEnd)> {
        let ended = {
            let mut list = list.lock();
            list.take_ended()
        };
        for (proposal, end) in ended.iter().copied() {
            let act = Act::EndProposal { proposal, end };
            let entered = self.desk.ask(Party::House, None, act).await;
            if matches!(entered.answer, Answer::Busy) {
                // Written down when there is room.
                let mut list = list.lock();
                list.ended.push((proposal, end));
            }
        }
        ended
    }

    /// Proposals that the last restart has ended, at a table or for the house.
    #[must_use]
    pub fn ended_proposals(&self, table: Option<&TableName>) -> Vec<EndedProposal> {
        let since = self.clock.now_ms() - ENDED_SHOWN_MS;
        let register = self.desk.register();
        let ended = register.ended_proposals.iter();
        let ended =
            ended.filter(|(_, known)| known.new.table.as_ref() == table && known.at_ms > since);
        let shown = ended.map(|(number, known)| EndedProposal {
            proposal: *number,
            table: known.new.table.as_ref().map(ToString::to_string),
            act: known.new.act.clone(),
            words: known.new.words.clone(),
            by: register
                .people
                .get(&known.by)
                .map_or_else(String::new, |person| person.name.clone()),
            person: known.by.0,
            ended: ProposalEnd::Restarted.word().to_owned(),
            ended_ms: known.at_ms,
        });
        shown.collect()
    }

    /// Why a confirmation finds nothing to confirm.
    #[must_use]
    pub fn not_confirmed(&self, number: u64, why: NotConfirmed) -> Problem {
        let ended = self.desk.register().ended_proposals.contains_key(&number);
        why.problem(ended)
    }
}
