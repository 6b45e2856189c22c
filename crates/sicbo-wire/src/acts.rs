//! What comes of an act of staff, and how two-person acts are proposed and
//! confirmed.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::pit::ProposedCounts;

/// It is done, durably.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Done {
    /// Sequence of the last record it rests on.
    pub sequence: u64,
    /// It was done by this very request before: nothing more was done now.
    pub again: bool,
}

/// A proposal was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Proposed {
    /// Its number, which is never used again.
    pub proposal: u64,
    /// Digest of the act: a confirmation carries it.
    pub digest: String,
}

/// What the second person states.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// Digest of the act as it was shown to the second person.
    pub digest: String,
    /// The dice as they read them, where that is asked.
    #[serde(default)]
    #[ts(optional)]
    #[schema(schema_with = crate::schemas::dice)]
    pub dice: Option<[u8; 3]>,
}

/// What two persons do together.
pub trait TwoPersonAct {
    /// A stable word.
    fn word(&self) -> String;
    /// In words for the second person.
    fn told(&self) -> String;
    /// The second person must state the dice.
    fn wants_second_dice(&self) -> bool {
        false
    }
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
