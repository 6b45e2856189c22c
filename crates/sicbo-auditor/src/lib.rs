//! An auditor with no code in common with the engine's decisions.
//!
//! It knows the five documents from their text alone: own odds, own books, own
//! order of play, own list of who decides what. It hears a table's records as
//! plain words and numbers ([`heard`]), says which one cannot have been, and
//! what every balance must be. Where the house and the auditor differ, one of
//! them is wrong. [`hear`] and [`balances`] are the only places where a type of
//! the engine's is read.

mod books;
mod desk;
pub mod heard;
pub mod odds;
mod play;
mod translate;

pub use books::Objection;
pub use translate::{balances, chips, hear, person, stakes, who};

use books::Books;
use desk::Desk;
use heard::{Balances, Record};
use odds::Quirk;
use play::Play;

/// The auditor of one table.
#[derive(Clone, Debug)]
pub struct Auditor {
    play: Play,
    desk: Desk,
    books: Books,
}

impl Default for Auditor {
    fn default() -> Auditor {
        Auditor::new(Quirk::None)
    }
}

impl Auditor {
    /// An auditor who may be told to get one rule wrong.
    #[must_use]
    pub fn new(quirk: Quirk) -> Auditor {
        Auditor {
            play: Play::default(),
            desk: Desk::default(),
            books: Books::new(quirk),
        }
    }

    /// Times are those of a simulated clock: deadlines are held to the
    /// millisecond.
    #[must_use]
    pub fn timed(mut self) -> Auditor {
        self.play.timed = true;
        self
    }

    /// The program was held for so long.
    pub fn away(&mut self, held_ms: i64) {
        self.play.away(held_ms);
    }

    /// The next record of the journal.
    ///
    /// # Errors
    /// Why it cannot have been.
    pub fn enter(&mut self, record: &Record) -> Result<(), Objection> {
        self.play.enter(record)?;
        self.desk.enter(record)?;
        self.books.enter(record)
    }

    /// The number of the last round that began.
    #[must_use]
    pub fn last_round(&self) -> u64 {
        self.play.last_round()
    }

    /// What every balance must be now.
    #[must_use]
    pub fn balances(&self) -> Balances {
        self.books.balances()
    }

    /// What the house shows must be what the auditor's own books say.
    ///
    /// # Errors
    /// Both, where they differ.
    pub fn compare(&self, shown: &Balances) -> Result<(), Objection> {
        let own = self.balances();
        match own == *shown {
            true => Ok(()),
            false => Err(format!(
                "the house shows {shown:?}, the auditor finds {own:?}"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;
    use crate::heard::{Heard, Person, Who};

    fn record(position: &'static str, heard: Heard) -> Record {
        Record {
            at_ms: 0,
            who: Who::Person(Person {
                number: 1,
                position,
            }),
            second: None,
            command: 1,
            heard,
        }
    }

    /// A table on which one round was void, and something waits.
    fn held(revision: u16) -> Auditor {
        let mut auditor = Auditor::default();
        for heard in [
            Heard::Opened {
                book: "rws-etg".to_owned(),
                dice: "one".to_owned(),
                stations: Vec::new(),
                revision,
            },
            Heard::RoundBegan { round: 1, revision },
            Heard::Voided {
                cause: Some("die-not-flat"),
                staked: 0,
                digest: Sha256::digest([]).into(),
            },
            Heard::DecisionRaised {
                id: 1,
                question: "uncovered",
                by: None,
                bet_status: None,
            },
        ] {
            let heard = record("dealer", heard);
            assert_eq!(auditor.enter(&heard), Ok(()), "{heard:?}");
        }
        auditor
    }

    #[test]
    fn records_of_earlier_readings_are_followed_and_not_held_to_todays() {
        for (revision, passes) in [(1, true), (2, true), (3, false)] {
            let began = Heard::RoundBegan { round: 2, revision };
            let began = held(revision).enter(&record("dealer", began));
            assert_eq!(began.is_ok(), passes, "a round while a decision waits");
            let taken = Heard::DecisionTaken {
                id: 1,
                ruling: "conclude",
            };
            let taken = held(revision).enter(&record("dealer", taken));
            assert_eq!(taken.is_ok(), passes, "a ruling by the dealer");
            let sound = held(revision).enter(&record("dealer", Heard::Sound("one".to_owned())));
            assert_eq!(sound.is_ok(), passes, "dice found sound by one");
        }
    }

    #[test]
    fn r_200_or_above_includes_what_a_house_names_above_the_director() {
        for (position, passes) in [
            ("pit-manager", false),
            ("above-director-1", true),
            ("above-director-4", true),
            ("head-of-operations", false),
        ] {
            let taken = Heard::DecisionTaken {
                id: 1,
                ruling: "conclude",
            };
            let taken = held(3).enter(&record(position, taken));
            assert_eq!(taken.is_ok(), passes, "{position}");
        }
    }

    #[test]
    fn an_approval_is_for_whom_the_document_names() {
        for (position, passes) in [
            ("director", false),
            ("above-director-1", false),
            ("head-of-operations", true),
        ] {
            let mut auditor = held(3);
            let failed = Heard::DecisionRaised {
                id: 2,
                question: "device-failure",
                by: None,
                bet_status: None,
            };
            auditor.enter(&record("dealer", failed)).expect("raised");
            let resumed = auditor.enter(&record(position, Heard::Resumed));
            assert_eq!(resumed.is_ok(), passes, "{position}");
        }
    }

    /// What the auditor says to this after a table with one void round; `said`
    /// came between.
    fn objection(said: Vec<Heard>, heard: Heard) -> String {
        let mut auditor = held(3);
        let released = Heard::DecisionTaken {
            id: 1,
            ruling: "conclude",
        };
        for heard in std::iter::once(released).chain(said) {
            let heard = record("director", heard);
            assert_eq!(auditor.enter(&heard), Ok(()), "{heard:?}");
        }
        // The desk alone is asked: the order of play has objections of its own.
        let entered = auditor.desk.enter(&record("director", heard));
        entered.err().unwrap_or_default()
    }

    #[test]
    fn r_156_no_round_is_paid_whose_dice_are_said_to_be_damaged() {
        let began = Heard::RoundBegan {
            round: 2,
            revision: 3,
        };
        let paid = || Heard::Settled {
            dice: [1, 2, 3],
            staked: 0,
            returned: 0,
            digest: Sha256::digest([]).into(),
        };
        let spoilt = "a round with damaged dice was paid";
        let damaged = |set: &str| vec![began.clone(), Heard::Damaged(set.to_owned())];
        assert!(objection(damaged("one"), paid()).contains(spoilt));
        assert!(!objection(damaged("another"), paid()).contains(spoilt));
    }

    #[test]
    fn p_031_dice_that_are_read_again_are_not_changed() {
        let proposed = Heard::DecisionRaised {
            id: 2,
            question: "correction-proposed",
            by: None,
            bet_status: None,
        };
        let changed = || Heard::DiceChanged("two".to_owned());
        let read = "dice were changed while they were read";
        assert!(objection(vec![proposed], changed()).contains(read));
        assert!(!objection(Vec::new(), changed()).contains(read));
    }
}
