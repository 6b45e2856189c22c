//! What one station has on the layout: a stake per section, kept in section order.

use sicbo_rules::{Money, Section};

/// What chips a stake is made of at a physical table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Means {
    /// Credit of a terminal.
    Credit,
    /// Chips of fixed value that anyone may hold.
    CashChips,
    /// Chips without printed value, issued to one player.
    ColourChips,
}

/// A stake on a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Where.
    pub section: Section,
    /// How much.
    pub stake: Money,
}

/// Stakes by section, in stable section order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Positions {
    /// Bit `i` is set when section `i` has a stake; its rank is the place in `lines`.
    mask: u128,
    lines: Vec<Line>,
}

impl Positions {
    fn rank(&self, section: Section) -> usize {
        let below = (1u128 << section.index()) - 1;
        (self.mask & below).count_ones() as usize
    }

    /// The stake on a section.
    #[must_use]
    pub fn on(&self, section: Section) -> Money {
        if self.mask >> section.index() & 1 == 1 {
            self.lines[self.rank(section)].stake
        } else {
            Money::ZERO
        }
    }

    /// Adds to a section's stake; a negative amount takes away. A section that
    /// comes to nothing is no longer there.
    pub fn add(&mut self, section: Section, amount: Money) {
        let rank = self.rank(section);
        let bit = 1u128 << section.index();
        if self.mask & bit == 0 {
            if amount != Money::ZERO {
                self.lines.insert(
                    rank,
                    Line {
                        section,
                        stake: amount,
                    },
                );
                self.mask |= bit;
            }
            return;
        }
        let line = &mut self.lines[rank];
        line.stake += amount;
        debug_assert!(!line.stake.is_negative(), "a stake below zero");
        if line.stake == Money::ZERO {
            self.lines.remove(rank);
            self.mask &= !bit;
        }
    }

    /// The stakes, in section order.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// All stakes together.
    #[must_use]
    pub fn total(&self) -> Money {
        self.lines.iter().map(|line| line.stake).sum()
    }

    /// Nothing is staked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Forgets everything but keeps its memory for the next round.
    pub fn clear(&mut self) {
        self.mask = 0;
        self.lines.clear();
    }
}
