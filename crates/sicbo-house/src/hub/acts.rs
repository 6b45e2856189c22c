//! Bets, notes and calls of terminals that are under way, and the newest that
//! were refused: an act that arrives twice is judged once and has one answer.
//!
//! What was done is in the table's own memory, but for calls, which only this
//! one knows again. An act under way is in no
//! durable state yet, and a refusal leaves no record: without this memory a
//! second copy, from a terminal whose line broke, could be refused while the
//! first is done, or done after its player was told that it was not.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU64, Ordering};

use sicbo_table::Act;
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::past::MAX_ACTS;
use sicbo_wire::Frame;

use super::by_station::ByStation;

/// A bet, a note or a call, as its terminal names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActName {
    /// Whose.
    pub station: StationId,
    /// The round a bet is meant for; a note and a call are of none.
    pub round: Option<RoundNumber>,
    /// The terminal's number for it.
    pub id: u64,
}

/// What is known of an act when it arrives.
pub enum Arrived<'a> {
    /// Nothing: whoever holds the claim has it judged, and nobody else does.
    New(Claim<'a>),
    /// A copy of it is being judged: to be looked at again in a moment.
    UnderWay,
    /// It was answered so.
    Answered(Frame),
}

struct UnderWay {
    name: ActName,
    content: u64,
    claim: u64,
    /// The table does not know it again when it is done.
    is_call: bool,
}

struct Answered {
    name: ActName,
    content: u64,
    answer: Frame,
}

/// The acts of one station.
#[derive(Default)]
struct Memory {
    under_way: Vec<UnderWay>,
    answered: VecDeque<Answered>,
}

impl Memory {
    /// Ends what is under way, and says what it was.
    fn end(&mut self, is_it: impl Fn(&UnderWay) -> bool) -> Option<UnderWay> {
        let at = self.under_way.iter().position(is_it)?;
        Some(self.under_way.swap_remove(at))
    }

    fn keep(&mut self, name: ActName, content: u64, answer: Frame) {
        if self.answered.len() >= MAX_ACTS {
            self.answered.pop_front();
        }
        self.answered.push_back(Answered {
            name,
            content,
            answer,
        });
    }
}

/// The bets and notes of a table's stations.
#[derive(Default)]
pub struct TerminalActs {
    stations: ByStation<Memory>,
    claims: AtomicU64,
}

impl TerminalActs {
    /// An act has arrived. Under another content its number is another act,
    /// which the table judges; but one at a time.
    pub fn arrived(&self, name: ActName, act: &Act) -> Arrived<'_> {
        let content = content(act);
        let mut part = self.stations.part(name.station);
        let memory = part.get_or_insert_with(name.station, Memory::default);
        let mut same = memory
            .answered
            .iter()
            .filter(|known| known.name == name && known.content == content);
        if let Some(known) = same.next() {
            return Arrived::Answered(known.answer.clone());
        }
        if memory.under_way.iter().any(|act| act.name == name) {
            return Arrived::UnderWay;
        }
        let claim = self.claims.fetch_add(1, Ordering::Relaxed);
        memory.under_way.push(UnderWay {
            name,
            content,
            claim,
            is_call: matches!(act, Act::RaiseIncident { .. }),
        });
        Arrived::New(Claim {
            acts: self,
            name,
            claim,
            settled: false,
        })
    }

    /// The table has answered: with a refusal, or that it was done, which it
    /// knows again itself but for a call, or so that it is open what becomes of it.
    pub(super) fn answered(&self, name: ActName, refusal: Option<&Frame>, done: Option<&Frame>) {
        self.end(
            name,
            |act| act.name == name,
            |act| refusal.or_else(|| done.filter(|_| act.is_call)),
        );
    }

    /// Ends an act that is under way, and keeps the answer that copies of it have.
    fn end<'f>(
        &self,
        name: ActName,
        is_it: impl Fn(&UnderWay) -> bool,
        kept: impl Fn(&UnderWay) -> Option<&'f Frame>,
    ) {
        let mut part = self.stations.part(name.station);
        let Some(memory) = part.get_mut(name.station) else {
            return;
        };
        let Some(act) = memory.end(is_it) else {
            return;
        };
        if let Some(answer) = kept(&act) {
            memory.keep(name, act.content, answer.clone());
        }
    }

    /// Nothing that is under way will be answered any more.
    pub(super) fn give_up(&self) {
        for mut part in self.stations.parts() {
            part.values_mut()
                .for_each(|memory| memory.under_way.clear());
        }
    }
}

/// The right to have an act judged. Dropped, it is as if the act had not come.
pub struct Claim<'a> {
    acts: &'a TerminalActs,
    name: ActName,
    claim: u64,
    settled: bool,
}

impl Claim<'_> {
    /// The table has it, and will answer.
    pub fn handed_in(mut self) {
        self.settled = true;
    }

    /// The house refused it before the table saw it.
    pub fn refused(mut self, answer: &Frame) {
        self.settled = true;
        let claim = self.claim;
        self.acts
            .end(self.name, |act| act.claim == claim, |_| Some(answer));
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.settled {
            let claim = self.claim;
            self.acts.end(self.name, |act| act.claim == claim, |_| None);
        }
    }
}

/// What an act asks for, in few bits.
fn content(act: &Act) -> u64 {
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(act).hash(&mut hasher);
    match act {
        Act::PlaceBets { lines, .. } | Act::RemoveBets { lines, .. } => {
            for line in lines {
                (line.section.index(), line.stake.minor()).hash(&mut hasher);
            }
        }
        Act::BuyCredit { amount, .. } => amount.minor().hash(&mut hasher),
        Act::RaiseIncident { kind, note } => (*kind as u8, note).hash(&mut hasher),
        // A clear asks for one thing only.
        _ => {}
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use sicbo_rules::{Money, Section};
    use sicbo_table::ids::BetId;
    use sicbo_table::positions::{Line, Means};

    use super::*;

    fn name(id: u64) -> ActName {
        ActName {
            station: StationId(2),
            round: Some(RoundNumber(7)),
            id,
        }
    }

    fn bet(stake: i64) -> Act {
        Act::PlaceBets {
            station: StationId(2),
            round: RoundNumber(7),
            bet: BetId(1),
            means: Means::Credit,
            lines: vec![Line {
                section: Section::ALL[0],
                stake: Money::from_minor(stake),
            }],
        }
    }

    fn claim(acts: &TerminalActs, id: u64, stake: i64) -> Claim<'_> {
        match acts.arrived(name(id), &bet(stake)) {
            Arrived::New(claim) => claim,
            Arrived::UnderWay => panic!("under way"),
            Arrived::Answered(answer) => panic!("{answer}"),
        }
    }

    fn refused(acts: &TerminalActs, id: u64, stake: i64) -> Option<Frame> {
        match acts.arrived(name(id), &bet(stake)) {
            Arrived::Answered(answer) => Some(answer),
            Arrived::New(_) | Arrived::UnderWay => None,
        }
    }

    fn is_under_way(acts: &TerminalActs, id: u64, stake: i64) -> bool {
        matches!(acts.arrived(name(id), &bet(stake)), Arrived::UnderWay)
    }

    #[test]
    fn an_act_under_way_is_not_judged_a_second_time() {
        let acts = TerminalActs::default();
        let first = claim(&acts, 1, 100);
        assert!(is_under_way(&acts, 1, 100));
        assert!(is_under_way(&acts, 1, 200));
        claim(&acts, 2, 100).handed_in();
        // As if it had never come.
        drop(first);
        claim(&acts, 1, 100).handed_in();
        assert!(is_under_way(&acts, 1, 100));
        // Registered: the table answers copies from here on.
        acts.answered(name(1), None, None);
        drop(claim(&acts, 1, 100));
        assert!(is_under_way(&acts, 2, 100));
        acts.give_up();
        drop(claim(&acts, 2, 100));
    }

    #[test]
    fn a_refusal_is_the_answer_to_every_copy() {
        let acts = TerminalActs::default();
        claim(&acts, 1, 100).handed_in();
        acts.answered(name(1), Some(&Frame::from("by the table")), None);
        claim(&acts, 2, 100).refused(&Frame::from("by the house"));
        assert_eq!(refused(&acts, 1, 100).as_deref(), Some("by the table"));
        assert_eq!(refused(&acts, 2, 100).as_deref(), Some("by the house"));
        // Something else under the same number is the table's to judge.
        drop(claim(&acts, 1, 200));
        // Only so many are remembered.
        for id in 3..3 + MAX_ACTS as u64 {
            claim(&acts, id, 100).refused(&Frame::from("no"));
        }
        drop(claim(&acts, 1, 100));
        drop(claim(&acts, 2, 100));
        assert!(refused(&acts, 3, 100).is_some());
    }

    #[test]
    fn a_call_that_was_heard_is_answered_alike_however_often_it_comes() {
        let acts = TerminalActs::default();
        let call = || Act::RaiseIncident {
            kind: sicbo_table::command::IncidentKind::CallAttendant,
            note: String::new(),
        };
        let Arrived::New(first) = acts.arrived(name(1), &call()) else {
            panic!("nothing is known of it");
        };
        first.handed_in();
        acts.answered(name(1), None, Some(&Frame::from("done")));
        match acts.arrived(name(1), &call()) {
            Arrived::Answered(answer) => assert_eq!(&*answer, "done"),
            Arrived::New(_) | Arrived::UnderWay => panic!("it would be made again"),
        }
        // What the table knows again it answers itself.
        claim(&acts, 2, 100).handed_in();
        acts.answered(name(2), None, Some(&Frame::from("done")));
        drop(claim(&acts, 2, 100));
    }

    #[test]
    fn a_claim_that_was_given_up_ends_no_other() {
        let acts = TerminalActs::default();
        let lost = claim(&acts, 1, 100);
        acts.give_up();
        claim(&acts, 1, 100).handed_in();
        drop(lost);
        assert!(is_under_way(&acts, 1, 100));
    }
}
