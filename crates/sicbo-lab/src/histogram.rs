//! How often each of the 216 outcomes came up, and what follows from it.
//!
//! A round is an outcome and nothing else, so the counts settle every section
//! exactly, whatever the order of the rounds was.

use sicbo_rules::Outcome;

use crate::game::Bet;

/// Counts of rounds by outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    counts: [u64; Outcome::COUNT],
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram {
            counts: [0; Outcome::COUNT],
        }
    }
}

impl Histogram {
    /// Counts in the order of [`Outcome::all`].
    #[must_use]
    pub const fn from_counts(counts: [u64; Outcome::COUNT]) -> Histogram {
        Histogram { counts }
    }

    /// Counts in the order of [`Outcome::all`].
    #[must_use]
    pub const fn counts(&self) -> &[u64; Outcome::COUNT] {
        &self.counts
    }

    /// Counts one more round.
    pub fn add(&mut self, outcome: Outcome) {
        self.counts[outcome.index()] += 1;
    }

    /// Counts one more round by the number of its outcome.
    pub(crate) fn add_index(&mut self, index: usize) {
        self.counts[index] += 1;
    }

    /// Adds the rounds of another.
    #[must_use]
    pub fn merged(mut self, other: &Histogram) -> Histogram {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        self
    }

    /// Rounds counted.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How often each face was shown, all three dice together.
    #[must_use]
    pub fn faces(&self) -> [u64; 6] {
        let mut faces = [0; 6];
        for by_face in self.faces_by_position() {
            for (face, count) in faces.iter_mut().zip(by_face) {
                *face += count;
            }
        }
        faces
    }

    /// How often each face was shown by the first, the second and the third die.
    #[must_use]
    pub fn faces_by_position(&self) -> [[u64; 6]; 3] {
        let mut faces = [[0; 6]; 3];
        for outcome in Outcome::all() {
            for (by_face, face) in faces.iter_mut().zip(outcome.dice().faces()) {
                by_face[usize::from(face) - 1] += self.counts[outcome.index()];
            }
        }
        faces
    }

    /// How often each total came, 3 to 18.
    #[must_use]
    pub fn totals(&self) -> [u64; 16] {
        let mut totals = [0; 16];
        for outcome in Outcome::all() {
            totals[usize::from(outcome.dice().total()) - 3] += self.counts[outcome.index()];
        }
        totals
    }

    /// Sums of what came back for a stake of the bet's denominator, and of its
    /// square: exact.
    #[must_use]
    pub fn returned(&self, bet: &Bet) -> Returned {
        let mut returned = Returned::default();
        for (back, count) in bet.back().iter().zip(&self.counts) {
            if *back > 0 {
                let (back, times) = (back.unsigned_abs() as u128, u128::from(*count));
                returned.back += back * times;
                returned.squares += back * back * times;
                returned.wins += count;
            }
        }
        returned
    }

    /// Rounds in which each line of a bet paid.
    #[must_use]
    pub fn hits(&self, bet: &Bet) -> Vec<u64> {
        let mut hits = vec![0; bet.lines.len()];
        for (line, count) in bet.hits().iter().zip(&self.counts) {
            if let Some(at) = usize::from(*line).checked_sub(1) {
                hits[at] += count;
            }
        }
        hits
    }
}

/// What came back for the bet's denominator staked in every round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Returned {
    /// Rounds in which anything came back.
    pub wins: u64,
    /// Sum of what came back.
    pub back: u128,
    /// Sum of its square.
    pub squares: u128,
}
