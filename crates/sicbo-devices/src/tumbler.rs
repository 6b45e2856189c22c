//! What tumbles the dice: simulated with a commitment that anyone can check,
//! or nothing bound, when a dealer works it by hand.
//!
//! A simulated tumble is drawn from the house's secret and the round's number,
//! so the dice survive a crash: whoever asks again gets the same dice.

use std::collections::VecDeque;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use sicbo_rules::Dice;
use sicbo_table::ids::RoundNumber;
use sicbo_table::tumble_proof;

use sicbo_dealer::Seen;
use sicbo_register::enrolment::TableName;

/// What a tumble came to, and what a person standing there would see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tumbled {
    /// How often the dice were thrown up.
    pub count: u8,
    /// Every die moved.
    pub all_dice_moved: bool,
    /// What the dealer sees.
    pub seen: Seen,
}

/// What tumbles the dice at one table. `None` where nothing is bound: the
/// dealer attests the tumbles and keys the dice.
pub trait Tumbler: Send {
    /// Published before betting: the hash of the round's seed.
    fn commitment(&self, round: RoundNumber) -> Option<[u8; 32]>;
    /// The seed; published only when the round has ended.
    fn seed(&self, round: RoundNumber) -> Option<[u8; 32]>;
    /// Runs the round's tumble; asked again, the answer is the same.
    fn tumble(&mut self, round: RoundNumber) -> Option<Tumbled>;
    /// The dice of the round. `mixed` is what the book's order adds to the
    /// seed: the hash of the close where the tumble comes after it, else nothing.
    fn dice(&self, round: RoundNumber, mixed: &[u8; 32]) -> Option<Dice>;
}

/// A tumbler worked by hand: nothing is bound.
#[derive(Clone, Copy, Debug)]
pub struct Manual;

impl Tumbler for Manual {
    fn commitment(&self, _: RoundNumber) -> Option<[u8; 32]> {
        None
    }

    fn seed(&self, _: RoundNumber) -> Option<[u8; 32]> {
        None
    }

    fn tumble(&mut self, _: RoundNumber) -> Option<Tumbled> {
        None
    }

    fn dice(&self, _: RoundNumber, _: &[u8; 32]) -> Option<Dice> {
        None
    }
}

/// Something that goes wrong on purpose, in practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The tumbler stops after so many tumbles.
    TooFewTumbles(u8),
    /// A die sticks.
    DieDidNotMove,
    /// A die leans against the wall.
    Leaning,
    /// The cover lets the dice be seen before the close.
    Exposed,
}

/// Faults that wait; more would be no practice.
const MAX_FAULTS: usize = 64;

/// A simulated tumbler.
pub struct Simulated {
    secret: [u8; 32],
    table: TableName,
    faults: VecDeque<Fault>,
    last: Option<(RoundNumber, Tumbled)>,
}

impl Simulated {
    /// A tumbler that draws from a secret of the house. Two tables may share
    /// the secret: the table's name is part of every seed. It belongs to the
    /// journals beside it: with new journals and the old secret the same dice
    /// would come again.
    #[must_use]
    pub fn new(secret: [u8; 32], table: TableName) -> Simulated {
        Simulated {
            secret,
            table,
            faults: VecDeque::new(),
            last: None,
        }
    }

    /// The next tumbles go wrong, one fault each, in this order. False when
    /// too many wait already.
    pub fn inject(&mut self, fault: Fault) -> bool {
        let room = self.faults.len() < MAX_FAULTS;
        if room {
            self.faults.push_back(fault);
        }
        room
    }

    fn seed_of(&self, round: RoundNumber) -> [u8; 32] {
        // A key of any length is taken, so this cannot fail.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.secret) else {
            unreachable!("HMAC takes keys of any length");
        };
        // The length keeps table and round apart whatever the table is called.
        let name = self.table.as_str().as_bytes();
        mac.update(b"sicbo tumble seed 1");
        mac.update(&(name.len() as u32).to_be_bytes());
        mac.update(name);
        mac.update(&round.0.to_be_bytes());
        mac.finalize().into_bytes().into()
    }
}

impl std::fmt::Debug for Simulated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Simulated({}, secret)", self.table)
    }
}

impl Tumbler for Simulated {
    fn commitment(&self, round: RoundNumber) -> Option<[u8; 32]> {
        Some(Sha256::digest(self.seed_of(round)).into())
    }

    fn seed(&self, round: RoundNumber) -> Option<[u8; 32]> {
        Some(self.seed_of(round))
    }

    fn tumble(&mut self, round: RoundNumber) -> Option<Tumbled> {
        if let Some((last, tumbled)) = self.last
            && last == round
        {
            return Some(tumbled);
        }
        let mut tumbled = Tumbled {
            count: 3 + Sha256::digest(self.seed_of(round))[0] % 4,
            all_dice_moved: true,
            seen: Seen::default(),
        };
        match self.faults.pop_front() {
            None => {}
            Some(Fault::TooFewTumbles(count)) => tumbled.count = count,
            Some(Fault::DieDidNotMove) => tumbled.all_dice_moved = false,
            Some(Fault::Leaning) => tumbled.seen.leaning = true,
            Some(Fault::Exposed) => tumbled.seen.exposed = true,
        }
        self.last = Some((round, tumbled));
        Some(tumbled)
    }

    fn dice(&self, round: RoundNumber, mixed: &[u8; 32]) -> Option<Dice> {
        Some(tumble_proof::dice(
            &self.seed_of(round),
            self.table.as_str(),
            round.0,
            mixed,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is mixed in where the dice tumble before the close.
    const NOTHING: [u8; 32] = [0; 32];

    fn tumbler(secret: u8, table: &str) -> Simulated {
        Simulated::new([secret; 32], TableName::new(table).unwrap())
    }

    #[test]
    fn the_dice_of_a_round_survive_a_crash_and_are_committed_to() {
        let first = tumbler(7, "mbs-etg");
        let again = tumbler(7, "mbs-etg");
        for round in (1..50).map(RoundNumber) {
            assert_eq!(first.dice(round, &NOTHING), again.dice(round, &NOTHING));
            let seed = first.seed(round).unwrap();
            let hash: [u8; 32] = Sha256::digest(seed).into();
            assert_eq!(first.commitment(round), Some(hash));
        }
        let seeds = [
            first.seed(RoundNumber(1)),
            first.seed(RoundNumber(2)),
            tumbler(7, "mbs-etg2").seed(RoundNumber(1)),
            tumbler(8, "mbs-etg").seed(RoundNumber(1)),
        ];
        for (at, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..at].contains(seed), "{at}");
        }
        assert!(!format!("{first:?}").contains('7'));
    }

    /// Worked out apart from this program, with Python's `hmac` and `hashlib`.
    /// The first draw of round 194 is above the even part and is drawn again.
    #[test]
    fn the_derivation_is_the_published_one() {
        let tumbler = tumbler(7, "mbs-etg");
        for (round, mixed, faces) in [
            (1, NOTHING, [2, 6, 3]),
            (2, NOTHING, [4, 4, 1]),
            (5_121, NOTHING, [2, 3, 1]),
            (1, [9; 32], [3, 2, 1]),
            (5_121, [9; 32], [1, 3, 1]),
            (194, NOTHING, [3, 6, 2]),
        ] {
            let dice = tumbler.dice(RoundNumber(round), &mixed).unwrap();
            assert_eq!(dice.faces(), faces, "round {round}");
        }
    }

    /// What is mixed in at the close changes the dice: the seed alone does not tell them.
    #[test]
    fn the_close_is_mixed_in() {
        let tumbler = tumbler(7, "rws-open-cover");
        let differs = (1..40)
            .map(RoundNumber)
            .filter(|round| tumbler.dice(*round, &[1; 32]) != tumbler.dice(*round, &[2; 32]))
            .count();
        assert!(differs > 30, "{differs}");
    }

    /// Every outcome comes up about as often as any other: chi square of 215
    /// degrees, whose mean is 215 and deviation 20.7; the draw is fixed.
    #[test]
    fn all_216_outcomes_are_equally_likely() {
        let tumbler = tumbler(3, "rws-etg");
        let mut counts = [0i64; 216];
        let rounds = 43_200;
        for round in 0..rounds {
            let dice = tumbler.dice(RoundNumber(round), &NOTHING).unwrap();
            counts[dice.outcome().index()] += 1;
        }
        let expected = rounds as i64 / 216;
        let squares: i64 = counts.iter().map(|n| (n - expected).pow(2)).sum();
        let chi = squares / expected;
        assert!((130..300).contains(&chi), "{chi}");
    }

    #[test]
    fn faults_come_in_order_one_a_round_and_the_same_when_asked_again() {
        let mut tumbler = tumbler(1, "rws-etg");
        let good = tumbler.tumble(RoundNumber(1)).unwrap();
        assert!((3..=6).contains(&good.count) && good.all_dice_moved);
        for fault in [
            Fault::TooFewTumbles(2),
            Fault::DieDidNotMove,
            Fault::Leaning,
            Fault::Exposed,
        ] {
            assert!(tumbler.inject(fault));
        }
        let few = tumbler.tumble(RoundNumber(2)).unwrap();
        assert_eq!(few.count, 2);
        assert_eq!(tumbler.tumble(RoundNumber(2)), Some(few));
        assert!(!tumbler.tumble(RoundNumber(3)).unwrap().all_dice_moved);
        assert!(tumbler.tumble(RoundNumber(4)).unwrap().seen.leaning);
        assert!(tumbler.tumble(RoundNumber(5)).unwrap().seen.exposed);
        assert_eq!(
            tumbler.tumble(RoundNumber(6)).unwrap().seen,
            Seen::default()
        );
        while tumbler.inject(Fault::Leaning) {}
        assert_eq!(tumbler.faults.len(), MAX_FAULTS);
    }

    #[test]
    fn nothing_is_bound_to_a_tumbler_worked_by_hand() {
        let round = RoundNumber(1);
        assert_eq!(Manual.tumble(round), None);
        assert_eq!(Manual.dice(round, &NOTHING), None);
        assert_eq!((Manual.commitment(round), Manual.seed(round)), (None, None));
    }
}
