//! Tests that stay valid however often they are looked at.
//!
//! Evidence is a bet against fair dice that fair dice make fair: the stake of
//! 1 becomes `e`, whose mean stays 1 as long as the dice are fair. So fair dice
//! ever bring it to `1/α` in at most a share `α` of all records (Ville), at
//! whatever round and after however many looks. Several bets side by side, each
//! with a part of the stake, are again one bet.

mod finding;
mod power;

use serde::Serialize;
use sicbo_rules::Dice;
use sicbo_rules::exposure::{COMBINATIONS, combinations};

use crate::simulate::TOTAL_WAYS;

pub use finding::{Finding, Follow};
pub use power::{Loaded, Measured, measure};

/// How much heavier or lighter a face may be: the alternatives that are bet on.
const HEAVIER: [f64; 8] = [0.05, 0.1, 0.2, 0.4, -0.05, -0.1, -0.2, -0.4];
/// How often a tumbler that sticks may give the last result again.
const STICKS: [f64; 4] = [0.02, 0.05, 0.1, 0.25];
/// How close to fair the dice are believed to be when they are not: the larger, the closer.
const CLOSE: [f64; 3] = [100.0, 1_000.0, 10_000.0];

/// What is bet on, and the part of the stake it gets, in sixteenths.
const PARTS: [(Test, u32); 8] = [
    (Test::OneFace, 4),
    (Test::OneFaceOfOneDie, 2),
    (Test::Faces, 2),
    (Test::Totals, 2),
    (Test::Combinations, 2),
    (Test::HighLowRuns, 1),
    (Test::OddEvenRuns, 1),
    (Test::Repeats, 2),
];

sicbo_rules::worded! {
    /// One way in which dice may not be fair.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Test: key {
        /// One face comes too often or too seldom, all dice together.
        OneFace = "one-face",
        /// The same of the die read first, second or third.
        OneFaceOfOneDie = "one-face-of-one-die",
        /// Faces in any other proportion.
        Faces = "faces",
        /// Totals.
        Totals = "totals",
        /// The 56 combinations.
        Combinations = "combinations",
        /// Totals 11 to 18 and 3 to 10 follow one another too often or too seldom.
        HighLowRuns = "high-low-runs",
        /// The same of odd and even totals.
        OddEvenRuns = "odd-even-runs",
        /// The last result comes again.
        Repeats = "repeats",
    }
}

/// What results so far say against the dice.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    rounds: u64,
    by_position: [[u64; 6]; 3],
    totals: [u64; 16],
    combinations: [u64; COMBINATIONS],
    /// High after high or low after low, and otherwise.
    high_low: [u64; 2],
    odd_even: [u64; 2],
    /// Results that came again at once.
    repeats: u64,
    stick_logs: [f64; STICKS.len()],
    last: Option<usize>,
    last_total: u8,
    /// The stake on one position of the dice is not bet: their order means nothing.
    ignores_positions: bool,
}

impl Default for Evidence {
    fn default() -> Self {
        Evidence {
            rounds: 0,
            by_position: [[0; 6]; 3],
            totals: [0; 16],
            combinations: [0; COMBINATIONS],
            high_low: [0; 2],
            odd_even: [0; 2],
            repeats: 0,
            stick_logs: [0.0; STICKS.len()],
            last: None,
            last_total: 0,
            ignores_positions: false,
        }
    }
}

/// Place of a combination, by its dice from lowest to highest.
fn place(dice: Dice) -> usize {
    combinations().binary_search(&dice.sorted()).unwrap_or(0)
}

fn ways(dice: Dice) -> f64 {
    let [a, b, c] = dice.sorted().faces();
    match (a == b, b == c) {
        (true, true) => 1.0,
        (false, false) => 6.0,
        _ => 3.0,
    }
}

impl Evidence {
    /// Adds a result.
    pub fn add(&mut self, dice: Dice) {
        self.rounds += 1;
        for (counts, face) in self.by_position.iter_mut().zip(dice.faces()) {
            counts[usize::from(face) - 1] += 1;
        }
        let total = dice.total();
        self.totals[usize::from(total) - 3] += 1;
        let place = place(dice);
        self.combinations[place] += 1;
        if let Some(last) = self.last {
            let other = self.last_total;
            self.high_low[usize::from((total >= 11) != (other >= 11))] += 1;
            self.odd_even[usize::from(total % 2 != other % 2)] += 1;
            let again = last == place;
            self.repeats += u64::from(again);
            let chance = ways(combinations()[last]) / 216.0;
            for (log, sticks) in self.stick_logs.iter_mut().zip(STICKS) {
                *log += if again {
                    libm::log(sticks / chance + 1.0 - sticks)
                } else {
                    libm::log1p(-sticks)
                };
            }
        }
        (self.last, self.last_total) = (Some(place), total);
    }

    /// Results so far.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// How often each face was shown, all dice together.
    #[must_use]
    pub fn faces(&self) -> [u64; 6] {
        let mut faces = [0; 6];
        for counts in &self.by_position {
            for (sum, count) in faces.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        faces
    }

    /// How often each total came, 3 to 18.
    #[must_use]
    pub const fn totals(&self) -> &[u64; 16] {
        &self.totals
    }

    /// How often each of the 56 combinations came, in their stable order.
    #[must_use]
    pub const fn combinations(&self) -> &[u64; COMBINATIONS] {
        &self.combinations
    }

    /// Rounds after which the total stayed on its side of the middle, and
    /// after which it changed; the same of odd and even; results that came again.
    #[must_use]
    pub const fn runs(&self) -> ([u64; 2], [u64; 2], u64) {
        (self.high_low, self.odd_even, self.repeats)
    }

    /// The logarithm of the evidence of one test.
    #[must_use]
    pub fn log_of(&self, test: Test) -> f64 {
        match test {
            Test::OneFace => one_face(&self.faces()),
            // A stake that is not bet stays as it is.
            Test::OneFaceOfOneDie if self.ignores_positions => 0.0,
            Test::OneFaceOfOneDie => {
                let logs = self.by_position.each_ref().map(one_face);
                average(logs.into_iter())
            }
            Test::Faces => spread(&self.faces(), &[1; 6]),
            Test::Totals => spread(&self.totals, &TOTAL_WAYS),
            Test::Combinations => {
                let ways = combinations().map(|dice| ways(dice) as u64);
                spread(&self.combinations, &ways)
            }
            Test::HighLowRuns => spread(&self.high_low, &[1; 2]),
            Test::OddEvenRuns => spread(&self.odd_even, &[1; 2]),
            Test::Repeats => average(self.stick_logs.into_iter()),
        }
    }

    /// The logarithm of all evidence together.
    #[must_use]
    pub fn log(&self) -> f64 {
        let parts = PARTS.map(|(test, part)| (self.log_of(test), f64::from(part) / 16.0));
        weighted(parts.into_iter())
    }
}

/// One face heavier or lighter than it should be.
fn one_face(counts: &[u64; 6]) -> f64 {
    let draws: u64 = counts.iter().sum();
    let logs = counts.iter().flat_map(|count| {
        let (count, rest) = (*count as f64, (draws - count) as f64);
        HEAVIER.map(|by| count * libm::log1p(by) + rest * libm::log1p(-by / 5.0))
    });
    average(logs)
}

/// Any other proportion: Dirichlet mixtures around the fair one.
fn spread<const N: usize>(counts: &[u64; N], weights: &[u64; N]) -> f64 {
    let draws: u64 = counts.iter().sum();
    let all: u64 = weights.iter().sum();
    let logs = CLOSE.into_iter().map(|close| {
        let mut log = libm::lgamma(close) - libm::lgamma(close + draws as f64);
        for (count, weight) in counts.iter().zip(weights) {
            if *count > 0 {
                let share = *weight as f64 / all as f64;
                let prior = close * share;
                log += libm::lgamma(prior + *count as f64)
                    - libm::lgamma(prior)
                    - *count as f64 * libm::log(share);
            }
        }
        log
    });
    average(logs)
}

fn average(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let share = 1.0 / logs.clone().count().max(1) as f64;
    weighted(logs.map(move |log| (log, share)))
}

/// The logarithm of a weighted sum of what has these logarithms.
fn weighted(parts: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let most = parts.clone().map(|(log, _)| log).fold(f64::MIN, f64::max);
    let sum: f64 = parts
        .map(|(log, weight)| weight * libm::exp(log - most))
        .sum();
    most + libm::log(sum)
}

/// Evidence that something of known chance happens more often than it should.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct TooOften {
    logs: [f64; ODDS.len()],
    /// Times it could have happened.
    pub tries: u64,
    /// Times it did.
    pub times: u64,
    /// How often it was to be expected.
    pub expected: f64,
}

/// How many times larger its odds may be.
const ODDS: [f64; 4] = [1.25, 1.5, 2.0, 4.0];

impl TooOften {
    /// One more try, with the chance it had.
    pub fn add(&mut self, chance: f64, happened: bool) {
        self.tries += 1;
        self.times += u64::from(happened);
        self.expected += chance;
        for (log, odds) in self.logs.iter_mut().zip(ODDS) {
            let gain = if happened { odds } else { 1.0 };
            *log += libm::log(gain / (1.0 - chance + odds * chance));
        }
    }

    /// The evidence.
    #[must_use]
    pub fn e(&self) -> f64 {
        libm::exp(average(self.logs.into_iter()))
    }
}
