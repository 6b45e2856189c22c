//! Bets and notes of terminals that are under way, and the newest that were
//! refused: an act that arrives twice is judged once and has one answer.
//!
//! What was done is in the table's own memory. An act under way is in no
//! durable state yet, and a refusal leaves no record: without this memory a
//! second copy, from a terminal whose line broke, could be refused while the
//! first is done, or done after its player was told that it was not.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use parking_lot::Mutex;
use sicbo_table::Act;
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::past::MAX_ACTS;
use sicbo_wire::Frame;

/// A bet or a note, as its terminal names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActName {
    /// Whose.
    pub station: StationId,
    /// The round a bet is meant for; a note is of none.
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
    /// It was refused so.
    Refused(Frame),
}

struct UnderWay {
    name: ActName,
    content: u64,
    claim: u64,
}

struct Refused {
    name: ActName,
    content: u64,
    answer: Frame,
}

#[derive(Default)]
struct Memory {
    claims: u64,
    under_way: BTreeMap<StationId, Vec<UnderWay>>,
    refused: BTreeMap<StationId, VecDeque<Refused>>,
}

impl Memory {
    /// Ends what is under way, and says what it asked for.
    fn end(&mut self, station: StationId, is_it: impl Fn(&UnderWay) -> bool) -> Option<u64> {
        let own = self.under_way.get_mut(&station)?;
        let at = own.iter().position(is_it)?;
        Some(own.swap_remove(at).content)
    }

    fn refuse(&mut self, name: ActName, content: u64, answer: Frame) {
        let refused = self.refused.entry(name.station).or_default();
        if refused.len() >= MAX_ACTS {
            refused.pop_front();
        }
        refused.push_back(Refused {
            name,
            content,
            answer,
        });
    }
}

/// The bets and notes of a table's stations.
#[derive(Default)]
pub struct TerminalActs(Mutex<Memory>);

impl TerminalActs {
    /// An act has arrived. Under another content its number is another act,
    /// which the table judges; but one at a time.
    pub fn arrived(&self, name: ActName, act: &Act) -> Arrived<'_> {
        let content = content(act);
        let mut memory = self.0.lock();
        let refused = memory.refused.get(&name.station).into_iter().flatten();
        let mut same = refused.filter(|known| known.name == name && known.content == content);
        if let Some(known) = same.next() {
            return Arrived::Refused(known.answer.clone());
        }
        memory.claims += 1;
        let claim = memory.claims;
        let own = memory.under_way.entry(name.station).or_default();
        if own.iter().any(|act| act.name == name) {
            return Arrived::UnderWay;
        }
        own.push(UnderWay {
            name,
            content,
            claim,
        });
        Arrived::New(Claim {
            acts: self,
            name,
            claim,
            settled: false,
        })
    }

    /// The table has answered: with a refusal, or so that it knows the act
    /// itself, or so that it is open what becomes of it.
    pub(super) fn answered(&self, name: ActName, refusal: Option<&Frame>) {
        let mut memory = self.0.lock();
        let content = memory.end(name.station, |act| act.name == name);
        if let (Some(content), Some(answer)) = (content, refusal) {
            memory.refuse(name, content, answer.clone());
        }
    }

    /// Nothing that is under way will be answered any more.
    pub(super) fn give_up(&self) {
        self.0.lock().under_way.clear();
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
    pub fn refused(mut self, answer: Frame) {
        self.settled = true;
        let (name, claim) = (self.name, self.claim);
        let mut memory = self.acts.0.lock();
        if let Some(content) = memory.end(name.station, |act| act.claim == claim) {
            memory.refuse(name, content, answer);
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.settled {
            let mut memory = self.acts.0.lock();
            memory.end(self.name.station, |act| act.claim == self.claim);
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
            Arrived::Refused(answer) => panic!("{answer}"),
        }
    }

    fn refused(acts: &TerminalActs, id: u64, stake: i64) -> Option<Frame> {
        match acts.arrived(name(id), &bet(stake)) {
            Arrived::Refused(answer) => Some(answer),
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
        acts.answered(name(1), None);
        drop(claim(&acts, 1, 100));
        assert!(is_under_way(&acts, 2, 100));
        acts.give_up();
        drop(claim(&acts, 2, 100));
    }

    #[test]
    fn a_refusal_is_the_answer_to_every_copy() {
        let acts = TerminalActs::default();
        claim(&acts, 1, 100).handed_in();
        acts.answered(name(1), Some(&Frame::from("by the table")));
        claim(&acts, 2, 100).refused(Frame::from("by the house"));
        assert_eq!(refused(&acts, 1, 100).as_deref(), Some("by the table"));
        assert_eq!(refused(&acts, 2, 100).as_deref(), Some("by the house"));
        // Something else under the same number is the table's to judge.
        drop(claim(&acts, 1, 200));
        // Only so many are remembered.
        for id in 3..3 + MAX_ACTS as u64 {
            claim(&acts, id, 100).refused(Frame::from("no"));
        }
        drop(claim(&acts, 1, 100));
        drop(claim(&acts, 2, 100));
        assert!(refused(&acts, 3, 100).is_some());
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
