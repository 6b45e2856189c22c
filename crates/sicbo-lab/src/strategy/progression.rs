//! The systems: what to stake next, from what has been won and lost.

use std::fmt;

use std::str::FromStr;

use serde::Serialize;

sicbo_rules::worded! {
    /// A system by name.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum System: key, ALL {
        /// The same stake in every round: `flat`.
        Flat = "flat",
        /// Twice the stake after a loss, back to the first after a win: `martingale`.
        Martingale = "martingale",
        /// Twice the stake after a win, back to the first after a loss or three wins: `paroli`.
        Paroli = "paroli",
        /// One base stake more after a loss, one less after a win: `dalembert`.
        DAlembert = "dalembert",
        /// One step on along 1, 1, 2, 3, 5, 8 after a loss, two back after a win: `fibonacci`.
        Fibonacci = "fibonacci",
        /// First and last number of a list; a win crosses them out, a loss adds
        /// what was lost at the end: `labouchere`.
        Labouchere = "labouchere",
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// There is no system of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is not a valid system: they are flat martingale paroli dalembert fibonacci labouchere, or a file ending in .toml"
)]
pub struct UnknownSystem(String);

impl FromStr for System {
    type Err = UnknownSystem;

    fn from_str(text: &str) -> Result<System, UnknownSystem> {
        System::ALL
            .into_iter()
            .find(|system| system.key() == text)
            .ok_or_else(|| UnknownSystem(text.chars().take(40).collect()))
    }
}

/// Stakes that depend on the past, in minor units. The player is told what
/// was really staked, which limits may have cut.
pub trait Progression {
    /// The next stake wanted: a multiple of the base stake, or of what was staked.
    fn stake(&self) -> i64;
    /// The last bet won.
    fn won(&mut self, staked: i64);
    /// The last bet lost.
    fn lost(&mut self, staked: i64);
}

/// No wish grows beyond this: far above any table's maximum, far below overflow.
const CEILING: i64 = 1 << 50;

/// The same stake in every round.
pub struct Flat(i64);

impl Flat {
    /// Starts at the base stake.
    #[must_use]
    pub fn new(base: i64) -> Flat {
        Flat(base)
    }
}

impl Progression for Flat {
    fn stake(&self) -> i64 {
        self.0
    }
    fn won(&mut self, _: i64) {}
    fn lost(&mut self, _: i64) {}
}

/// Doubles after a loss.
pub struct Martingale {
    base: i64,
    next: i64,
}

impl Martingale {
    /// Starts at the base stake.
    #[must_use]
    pub fn new(base: i64) -> Martingale {
        Martingale { base, next: base }
    }
}

impl Progression for Martingale {
    fn stake(&self) -> i64 {
        self.next
    }
    fn won(&mut self, _: i64) {
        self.next = self.base;
    }
    fn lost(&mut self, _: i64) {
        if self.next < CEILING {
            self.next *= 2;
        }
    }
}

/// Doubles after a win, up to three wins in a row.
pub struct Paroli {
    base: i64,
    wins: u32,
}

impl Paroli {
    /// Starts at the base stake.
    #[must_use]
    pub fn new(base: i64) -> Paroli {
        Paroli { base, wins: 0 }
    }
}

impl Progression for Paroli {
    fn stake(&self) -> i64 {
        self.base << self.wins
    }
    fn won(&mut self, _: i64) {
        self.wins = (self.wins + 1) % 3;
    }
    fn lost(&mut self, _: i64) {
        self.wins = 0;
    }
}

/// One base stake more after a loss, one less after a win, never below one.
pub struct DAlembert {
    base: i64,
    next: i64,
}

impl DAlembert {
    /// Starts at the base stake.
    #[must_use]
    pub fn new(base: i64) -> DAlembert {
        DAlembert { base, next: base }
    }
}

impl Progression for DAlembert {
    fn stake(&self) -> i64 {
        self.next
    }
    fn won(&mut self, _: i64) {
        self.next = (self.next - self.base).max(self.base);
    }
    fn lost(&mut self, _: i64) {
        if self.next < CEILING {
            self.next += self.base;
        }
    }
}

/// One step along the Fibonacci numbers after a loss, two back after a win.
pub struct Fibonacci {
    base: i64,
    /// The number at the current step, and the one before it.
    pair: (i64, i64),
}

impl Fibonacci {
    /// Starts at the first 1.
    #[must_use]
    pub fn new(base: i64) -> Fibonacci {
        Fibonacci { base, pair: (1, 0) }
    }
}

impl Progression for Fibonacci {
    fn stake(&self) -> i64 {
        self.base.saturating_mul(self.pair.0)
    }
    fn won(&mut self, _: i64) {
        for _ in 0..2 {
            // The first step is 1 with 0 before it.
            if self.pair != (1, 0) {
                self.pair = (self.pair.1, self.pair.0 - self.pair.1);
            }
        }
    }
    fn lost(&mut self, _: i64) {
        if self.pair.0 < CEILING {
            self.pair = (self.pair.0 + self.pair.1, self.pair.0);
        }
    }
}

/// A list that starts as 1 2 3 4 base stakes and starts again when crossed out.
pub struct Labouchere {
    base: i64,
    list: Vec<i64>,
    /// Numbers before this one are crossed out.
    first: usize,
}

impl Labouchere {
    /// Starts with the whole list.
    #[must_use]
    pub fn new(base: i64) -> Labouchere {
        let mut new = Labouchere {
            base,
            list: Vec::new(),
            first: 0,
        };
        new.restart();
        new
    }

    fn restart(&mut self) {
        self.list.clear();
        self.list
            .extend([1, 2, 3, 4].map(|times| times * self.base));
        self.first = 0;
    }
}

impl Progression for Labouchere {
    fn stake(&self) -> i64 {
        match &self.list[self.first..] {
            [] => self.base,
            [only] => *only,
            [first, .., last] => first + last,
        }
    }
    fn won(&mut self, _: i64) {
        if self.list.len() - self.first <= 2 {
            self.restart();
        } else {
            self.first += 1;
            self.list.pop();
        }
    }
    fn lost(&mut self, staked: i64) {
        self.list.push(staked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stakes wanted over a row of results, `w` for a win and `l` for a loss.
    fn stakes(mut progression: impl Progression, results: &str) -> Vec<i64> {
        results
            .chars()
            .map(|result| {
                let stake = progression.stake();
                match result {
                    'w' => progression.won(stake),
                    _ => progression.lost(stake),
                }
                stake
            })
            .collect()
    }

    #[test]
    fn systems_follow_sequences_worked_out_by_hand() {
        assert_eq!(stakes(Flat::new(5), "lwlw"), [5, 5, 5, 5]);
        assert_eq!(stakes(Martingale::new(5), "lllwlw"), [5, 10, 20, 40, 5, 10]);
        assert_eq!(stakes(Paroli::new(5), "wwwwlwl"), [5, 10, 20, 5, 10, 5, 10]);
        assert_eq!(stakes(DAlembert::new(5), "llwwwl"), [5, 10, 15, 10, 5, 5]);
        assert_eq!(
            stakes(Fibonacci::new(5), "lllllwwlw"),
            [5, 5, 10, 15, 25, 40, 15, 5, 10]
        );
        // 1234: 5 lost; 12345: 6 lost; 123456: 7 won; 2345: 7 won; 34: 7 won;
        // again 1234: 5 won; 23: 5 lost; 235: 7 won; 3: 3 won; again 1234.
        assert_eq!(
            stakes(Labouchere::new(1), "llwwwwlwww"),
            [5, 6, 7, 7, 7, 5, 5, 7, 3, 5]
        );
    }

    #[test]
    fn endless_losses_do_not_overflow() {
        let losses = "l".repeat(3000);
        for last in [
            stakes(Martingale::new(1 << 30), &losses).pop(),
            stakes(Fibonacci::new(1 << 10), &losses).pop(),
            stakes(DAlembert::new(1 << 40), &losses).pop(),
        ] {
            assert!(last.unwrap() > 1 << 30);
        }
    }
}
