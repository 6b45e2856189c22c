//! The acts of betting of one station in the current round.

use std::collections::VecDeque;

use crate::codec::{DecodeError, Reader, Wire, Writer};

/// An act of betting that was registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenBet {
    /// Its id.
    pub id: u64,
    /// The digest of what it asked for.
    pub content: u64,
    /// The record of the table's journal that holds it.
    pub record: u64,
}

/// Ids of one station's acts of betting in this round, with a digest of what they asked for.
///
/// Kept in order of id: clients count up, so that a new one goes to the end and
/// is known to be new without reading the list. Far smaller than a hash table,
/// and a repeated or reordered id is found by halving.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SeenBets {
    /// The highest id so far; beside the list, not in it, because the list's
    /// end is rarely in the processor's cache.
    highest: u64,
    acts: Vec<SeenBet>,
    /// The order of ids is not that of records.
    scrambled: bool,
}

/// Memory for so many acts is kept from round to round; what a busier round needed is given back.
const ACTS_KEPT: usize = 1_024;

impl SeenBets {
    fn place(&self, id: u64) -> Result<usize, usize> {
        if id > self.highest || self.acts.is_empty() {
            return Err(self.acts.len());
        }
        self.acts.binary_search_by_key(&id, |act| act.id)
    }

    /// What the act asked for, if there was one with this id.
    #[must_use]
    pub fn get(&self, id: &u64) -> Option<&u64> {
        self.place(*id).ok().map(|at| &self.acts[at].content)
    }

    /// Remembers an act. Clearing two kinds of chips is one act in two records:
    /// the first counts.
    pub(crate) fn insert(&mut self, act: SeenBet) {
        match self.place(act.id) {
            Ok(at) => self.acts[at].content = act.content,
            Err(at) if at == self.acts.len() => self.acts.push(act),
            Err(at) => {
                self.acts.insert(at, act);
                self.scrambled = true;
            }
        }
        self.highest = self.highest.max(act.id);
    }

    /// The ids with what they asked for, in order of id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        self.acts.iter().map(|act| (act.id, act.content))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.acts.len()
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.acts.is_empty()
    }

    /// Forgets all but keeps a round's usual memory.
    pub fn clear(&mut self) {
        self.highest = 0;
        self.acts.clear();
        self.acts.shrink_to(ACTS_KEPT);
        self.scrambled = false;
    }

    /// Puts the acts in the order they came in, as the round's end needs them;
    /// how many there are.
    pub(crate) fn sort_by_record(&mut self) -> usize {
        if self.scrambled {
            self.acts.sort_unstable_by_key(|act| act.record);
        }
        self.acts.len()
    }

    /// The newest, once they are in that order.
    pub(crate) fn newest(&self, count: usize) -> &[SeenBet] {
        &self.acts[self.acts.len() - count..]
    }

    /// Gives the newest away, and with them the memory they stand in, for that
    /// of a list that is empty. Nothing is copied unless the memory is more
    /// than a round usually needs.
    pub(crate) fn give(&mut self, to: &mut VecDeque<SeenBet>, count: usize) {
        if self.acts.capacity() > ACTS_KEPT {
            to.extend(self.newest(count));
            return;
        }
        let older = self.acts.len() - count;
        let spare = Vec::from(std::mem::take(to));
        *to = VecDeque::from(std::mem::replace(&mut self.acts, spare));
        to.drain(..older);
    }
}

/// As `[id, [content, record]]`.
impl Wire for SeenBet {
    fn put(&self, to: &mut Writer<'_>) {
        (self.id, (self.content, self.record)).put(to);
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (id, (content, record)) = Wire::get(from)?;
        Ok(SeenBet {
            id,
            content,
            record,
        })
    }
}

/// In the order of ids.
impl Wire for SeenBets {
    fn put(&self, to: &mut Writer<'_>) {
        self.acts.put(to);
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let acts: Vec<SeenBet> = Wire::get(from)?;
        if !acts.is_sorted_by(|act, next| act.id < next.id) {
            return Err(from.expected("ids of bets in order"));
        }
        Ok(SeenBets {
            highest: acts.last().map_or(0, |act| act.id),
            scrambled: !acts.is_sorted_by_key(|act| act.record),
            acts,
        })
    }
}
