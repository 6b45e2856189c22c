//! What two persons do together, and what the second is told of it.

use sicbo_wire::pit::{HouseAct, ProposedCounts};
use sicbo_wire::staff::StaffAct;

/// What two persons do together.
pub trait TwoPersonAct {
    /// A stable word.
    fn word(&self) -> String;
    /// In words for the second person.
    fn told(&self) -> String;
    /// The second person must state the dice.
    fn wants_second_dice(&self) -> bool;
    /// The number that who proposes gives it.
    fn request(&self) -> Option<u64> {
        None
    }
    /// What it is about, piece by piece.
    fn about(&self) -> About {
        About::default()
    }
}

/// What a two-person act is about, for the second person.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// Ended rounds it amends.
    pub rounds: Vec<u64>,
    /// The station whose money it moves.
    pub station: Option<u32>,
    /// How much.
    pub amount: Option<i64>,
    /// What it rules.
    pub ruling: Option<String>,
    /// The cause of a void.
    pub cause: Option<String>,
    /// The reason or evidence given.
    pub note: Option<String>,
    /// Whether a round to be corrected was conducted by the rules.
    pub conducted: Option<bool>,
    /// What is counted at an end of a shift.
    pub counts: Option<ProposedCounts>,
}

impl TwoPersonAct for StaffAct {
    fn word(&self) -> String {
        StaffAct::word(self)
    }
    fn told(&self) -> String {
        StaffAct::told(self)
    }
    fn wants_second_dice(&self) -> bool {
        StaffAct::wants_second_dice(self)
    }
    fn request(&self) -> Option<u64> {
        StaffAct::request(self)
    }
    fn about(&self) -> About {
        About {
            rounds: self.ended_rounds(),
            station: self.station(),
            amount: self.amount(),
            ruling: self.ruling(),
            cause: self.cause().map(str::to_owned),
            note: self.note().map(str::to_owned),
            conducted: self.conducted(),
            counts: None,
        }
    }
}

impl TwoPersonAct for HouseAct {
    fn word(&self) -> String {
        HouseAct::word(self).to_owned()
    }
    fn told(&self) -> String {
        HouseAct::told(self)
    }
    fn wants_second_dice(&self) -> bool {
        false
    }
    fn about(&self) -> About {
        About {
            counts: self.counts(),
            ..About::default()
        }
    }
}
