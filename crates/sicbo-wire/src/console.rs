//! The dealer's console and the pit: everything staff may see of a table.

use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

pub use sicbo_table::views::{
    MayAct, STATIONS_SHOWN, ShownBet, ShownColour, ShownConsoleRound, ShownDecision, ShownEffect,
    ShownFailure, ShownMoney, ShownOwing, ShownPreview, ShownStation, ShownStep, StaffState,
};

use super::pit::ProposedCounts;
use super::public::{RoadRound, TableInfo};

/// A two-person act that waits for its second person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownProposal {
    /// Its number.
    pub proposal: u64,
    /// What is proposed: the act's word.
    pub act: String,
    /// In words for the second person. Dice read by the first are not among
    /// them where the second must read them independently.
    pub words: String,
    /// Who proposes.
    pub by: String,
    /// Their number.
    pub person: u32,
    /// Ended rounds it is about.
    pub rounds: Vec<u64>,
    /// The station it is about.
    pub station: Option<u32>,
    /// The amount it is about.
    pub amount: Option<i64>,
    /// What it rules: a ruling's word, or whether the dice lie as they lay
    /// (`in_place`, `not_in_place`).
    pub ruling: Option<String>,
    /// The cause for which it makes a round or rounds void.
    pub cause: Option<String>,
    /// What the first person gives as reason or evidence.
    pub note: Option<String>,
    /// What the first person says to whether the round to be corrected was
    /// conducted in accordance with the rules of the game; whoever confirms says
    /// the same.
    pub conducted: Option<bool>,
    /// What is counted, where it is an end of a shift.
    pub counts: Option<ProposedCounts>,
    /// The second person must state the dice as they read them.
    pub dice_wanted: bool,
    /// When it lapses.
    pub until_ms: i64,
    /// Digest of the whole act: the confirmation sends it back.
    pub digest: String,
}

/// What came of a two-person act, for the person who proposed it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ProposalOutcome {
    /// Its number.
    pub proposal: u64,
    /// `confirmed`, `withdrawn`, `lapsed` or `readings_differ`: nothing was done
    /// unless it was confirmed.
    pub outcome: String,
}

/// A two-person act that ended unconfirmed when the house was started again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct EndedProposal {
    /// Its number.
    pub proposal: u64,
    /// The table it was for; null when it was for the house.
    pub table: Option<String>,
    /// What was proposed: the act's word.
    pub act: String,
    /// In words.
    pub words: String,
    /// Who proposed it.
    pub by: String,
    /// Their number.
    pub person: u32,
    /// Why it ended: `restarted`.
    pub ended: String,
    /// When.
    pub ended_ms: i64,
}

/// House to consoles and pit desks.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HouseToStaff {
    /// First, and again when what the table is has changed.
    Info {
        /// The table.
        info: Box<TableInfo>,
        /// The house's clock.
        server_ms: i64,
    },
    /// Ended rounds, the oldest first.
    Road {
        /// Up to 200 of them.
        rounds: Vec<RoadRound>,
    },
    /// The state.
    Staff {
        /// Which table.
        table: String,
        /// Sequence it rests on.
        version: u64,
        /// The house's clock.
        server_ms: i64,
        /// The state.
        state: Box<StaffState>,
        /// The dice in a simulated tumbler, once they can be seen there: what
        /// a camera over the tumbler would show.
        tumbler: Option<[u8; 3]>,
    },
    /// Two-person acts that wait.
    Proposals {
        /// Which table.
        table: String,
        /// All of them.
        proposals: Vec<ShownProposal>,
        /// Those that the last restart has ended, for an hour: they must be
        /// proposed anew.
        ended: Vec<EndedProposal>,
        /// What came of the last ones, the newest last.
        outcomes: Vec<ProposalOutcome>,
    },
    /// The table is out of service: nothing is dealt, bet or paid at it before
    /// it is started again.
    Stopped {
        /// Which table.
        table: String,
        /// Why.
        why: String,
    },
    /// Something was reported that staff should know of.
    Incident {
        /// Which table.
        table: String,
        /// A stable word.
        kind: String,
        /// What was said.
        note: String,
        /// The station it came from.
        station: Option<u32>,
        /// The current round.
        round: Option<u64>,
        /// When.
        at_ms: i64,
    },
    /// The house is there.
    Heartbeat {
        /// The house's clock.
        server_ms: i64,
    },
    /// The connection ends.
    Bye {
        /// A stable word.
        code: String,
        /// In words.
        words: String,
    },
}
