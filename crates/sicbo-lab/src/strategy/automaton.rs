//! A system as steps: what to stake at each, and which step follows a win or a
//! loss. All systems but Labouchère are of this form, and what is of this form
//! can be worked out exactly.

use super::progression::{DAlembert, Fibonacci, Flat, Martingale, Paroli};
use super::{Progression, Staking, System};

/// Steps of a system, in minor units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The stake wanted at each step; play starts at the first.
    pub stakes: Vec<i64>,
    /// The step after a win.
    pub won: Vec<u32>,
    /// The step after a loss.
    pub lost: Vec<u32>,
}

impl Automaton {
    /// The steps of a system, those that want more than `most` taken as one
    /// only where they lead to the same; `None` when it has no fixed steps.
    #[must_use]
    pub fn of(system: &Staking, base: i64, rounds: u32) -> Option<Automaton> {
        let named = match system {
            Staking::Own(own) => return Some(own.automaton(base)),
            Staking::Named(named) => *named,
        };
        // No more losses in a row than there are rounds, and none so many
        // that a stake could still be paid.
        let steps = rounds.min(4_000);
        match named {
            System::Labouchere => None,
            System::Flat => Some(Automaton {
                stakes: vec![Flat::new(base).stake()],
                won: vec![0],
                lost: vec![0],
            }),
            System::Martingale => {
                let mut stakes = Vec::new();
                let mut one = Martingale::new(base);
                while stakes.last() != Some(&one.stake()) {
                    stakes.push(one.stake());
                    one.lost(0);
                }
                let count = stakes.len() as u32;
                Some(Automaton {
                    won: vec![0; stakes.len()],
                    lost: (0..count).map(|step| (step + 1).min(count - 1)).collect(),
                    stakes,
                })
            }
            System::Paroli => {
                let mut one = Paroli::new(base);
                let mut stakes = Vec::new();
                for _ in 0..3 {
                    stakes.push(one.stake());
                    one.won(0);
                }
                Some(Automaton {
                    stakes,
                    won: vec![1, 2, 0],
                    lost: vec![0; 3],
                })
            }
            System::DAlembert => {
                let mut one = DAlembert::new(base);
                Some(ladder(steps, 1, move || {
                    let stake = one.stake();
                    one.lost(0);
                    stake
                }))
            }
            System::Fibonacci => {
                let mut one = Fibonacci::new(base);
                Some(ladder(steps.min(90), 2, move || {
                    let stake = one.stake();
                    one.lost(0);
                    stake
                }))
            }
        }
    }
}

/// Steps up after a loss and `back` steps down after a win, never below the first.
fn ladder(steps: u32, back: u32, mut next: impl FnMut() -> i64) -> Automaton {
    Automaton {
        stakes: (0..=steps).map(|_| next()).collect(),
        won: (0..=steps).map(|step| step.saturating_sub(back)).collect(),
        lost: (0..=steps).map(|step| (step + 1).min(steps)).collect(),
    }
}

/// Plays an automaton.
pub struct Player<'a> {
    automaton: &'a Automaton,
    step: u32,
}

impl<'a> Player<'a> {
    /// At the first step.
    #[must_use]
    pub const fn new(automaton: &'a Automaton) -> Player<'a> {
        Player { automaton, step: 0 }
    }
}

impl Progression for Player<'_> {
    fn stake(&self) -> i64 {
        self.automaton.stakes[self.step as usize]
    }
    fn won(&mut self, _: i64) {
        self.step = self.automaton.won[self.step as usize];
    }
    fn lost(&mut self, _: i64) {
        self.step = self.automaton.lost[self.step as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::OwnSystem;

    /// Stakes wanted over a row of results, `w` for a win and `l` for a loss.
    fn stakes(progression: &mut dyn Progression, results: &str) -> Vec<i64> {
        let one = |result| {
            let stake = progression.stake();
            match result {
                'w' => progression.won(stake),
                _ => progression.lost(stake),
            }
            stake
        };
        results.chars().map(one).collect()
    }

    #[test]
    fn the_steps_are_the_systems() {
        let results = "llwlwwlllwwwwllllllwlwlwwwwwwlllllllllwwlwl";
        let named: [(System, Box<dyn Progression>); 5] = [
            (System::Flat, Box::new(Flat::new(5))),
            (System::Martingale, Box::new(Martingale::new(5))),
            (System::Paroli, Box::new(Paroli::new(5))),
            (System::DAlembert, Box::new(DAlembert::new(5))),
            (System::Fibonacci, Box::new(Fibonacci::new(5))),
        ];
        for (system, mut progression) in named {
            let automaton = Automaton::of(&Staking::Named(system), 5, 1000).unwrap();
            let expected = stakes(progression.as_mut(), results);
            assert_eq!(
                stakes(&mut Player::new(&automaton), results),
                expected,
                "{system}"
            );
        }
        assert!(Automaton::of(&Staking::Named(System::Labouchere), 5, 10).is_none());
    }

    #[test]
    fn an_own_system_follows_its_steps() {
        let own: OwnSystem = "name = \"1-3-2-6\"\n\
            step = [ { stake = 1, won = 2, lost = 1 }, { stake = 3, won = 3, lost = 1 },\n\
            { stake = 2, won = 4, lost = 1 }, { stake = 6, won = 1, lost = 1 } ]"
            .parse()
            .unwrap();
        let automaton = own.automaton(10);
        assert_eq!(
            stakes(&mut Player::new(&automaton), "wwwwwlww"),
            [10, 30, 20, 60, 10, 30, 10, 30]
        );
    }
}
