//! What one station has on the layout: a stake per section.

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

/// Stakes by section, each section once, in the order they were first placed.
///
/// A new section goes to the end: nothing before it is read or moved, which is
/// what makes a bet cheap when thousands of stations take turns.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Positions {
    /// Bit `i` is set when section `i` has a stake.
    mask: [u64; 2],
    lines: Vec<Line>,
}

impl Positions {
    fn flip(&mut self, section: Section) {
        self.mask[section.index() / 64] ^= 1 << (section.index() % 64);
    }

    /// Where the section stands; there are never more than a layout has.
    fn place(&self, section: Section) -> Option<usize> {
        let bits = self.mask[section.index() / 64];
        if bits >> (section.index() % 64) & 1 == 0 {
            return None;
        }
        self.lines.iter().position(|line| line.section == section)
    }

    /// The stake on a section.
    #[must_use]
    pub fn on(&self, section: Section) -> Money {
        self.place(section)
            .map_or(Money::ZERO, |at| self.lines[at].stake)
    }

    /// Adds to a section's stake; a negative amount takes away. A section that
    /// comes to nothing is no longer there.
    pub fn add(&mut self, section: Section, amount: Money) {
        let Some(at) = self.place(section) else {
            if amount != Money::ZERO {
                self.lines.push(Line {
                    section,
                    stake: amount,
                });
                self.flip(section);
            }
            return;
        };
        let line = &mut self.lines[at];
        line.stake += amount;
        assert!(!line.stake.is_negative(), "a stake below zero");
        if line.stake == Money::ZERO {
            self.lines.remove(at);
            self.flip(section);
        }
    }

    /// The stakes, in the order they were first placed.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The stakes in section order, as layouts and reports show them.
    #[must_use]
    pub fn sorted(&self) -> Vec<Line> {
        let mut lines = self.lines.clone();
        lines.sort_unstable_by_key(|line| line.section);
        lines
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
        self.mask = [0; 2];
        self.lines.clear();
    }

    /// Gives the stakes away and starts again, with the memory of `spare`.
    pub(crate) fn replace(&mut self, mut spare: Vec<Line>) -> Vec<Line> {
        spare.clear();
        self.mask = [0; 2];
        std::mem::replace(&mut self.lines, spare)
    }
}
