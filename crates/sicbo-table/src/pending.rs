//! Decisions that wait for a person, overpayments that may be recovered, and
//! credits nobody has claimed.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{AfterInterruption, Position};

use crate::ids::{
    NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId,
    UnclaimedId,
};
use crate::positions::{Line, Means};

sicbo_rules::worded! {
    /// What waits to be decided.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub enum Question: key {
        /// The round was interrupted; the rule book says what becomes of it, a person confirms.
        Interrupted {
            /// A die of a valid tumble could be seen after the close.
            established: bool,
            /// What the rule makes of it.
            then: AfterInterruption,
        } = "interrupted",
        /// The dice were no longer as they lay: whoever decides what no rule covers decides.
        DiceNotInPlace = "dice-not-in-place",
        /// Two readings of the dice disagree; two persons must agree.
        ReadingsDisagree = "readings-disagree",
        /// Something no rule covers has stopped the round.
        Uncovered {
            /// What happened.
            what: String,
        } = "uncovered",
        /// A bet was accepted on a terminal that never showed the close.
        TerminalOpenCase {
            /// Which terminal.
            station: StationId,
        } = "terminal-open-case",
        /// A bet was placed, increased or withdrawn after the close and the dealer rules on it.
        BetStatus {
            /// Which seat.
            station: StationId,
        } = "bet-status",
        /// Chips were recorded only after the dice could be seen: a second person
        /// says whether they lay there at the announcement.
        ChipsUnrecorded {
            /// Which seat.
            station: StationId,
            /// What the chips are.
            means: Means,
            /// Where they are said to have lain.
            lines: Vec<Line>,
            /// Who recorded them, and so cannot attest them.
            by: PersonId,
        } = "chips-unrecorded",
        /// A device failed: play resumes only when approved (004 7.1).
        DeviceFailure = "device-failure",
        /// Equipment of the table failed; a supervisor answers whether that affects
        /// the continuation of the round.
        TechnicalStop {
            /// What failed.
            what: String,
            /// A die of a valid tumble could be seen after the close.
            established: bool,
        } = "technical-stop",
        /// What a rule means.
        Interpretation {
            /// What is unclear.
            what: String,
        } = "interpretation",
        /// Dice that can be seen are said to be damaged: a supervisor looks at
        /// them before the round is void.
        DamagedRound {
            /// Who said so, and is not the one who looks.
            reporter: PersonId,
        } = "damaged-round",
        /// Which earlier rounds damaged dice affected.
        AffectedRounds {
            /// The dice.
            dice_set: String,
            /// The last round that had ended, where none was in hand: "the round"
            /// of a book that speaks of one only.
            last: Option<RoundNumber>,
        } = "affected-rounds",
        /// A correction of an ended round was proposed: nothing goes on over dice
        /// that are being read, or are in dispute since a proposal came to nothing.
        CorrectionProposed {
            /// The round to be corrected.
            round: RoundNumber,
            /// The number of the proposal in the house's register.
            proposal: u64,
            /// Who proposed it.
            by: PersonId,
        } = "correction-proposed",
    }
}

impl Question {
    /// The round cannot go on, and none can begin, before it is decided.
    #[must_use]
    pub const fn holds_round(&self) -> bool {
        !matches!(
            self,
            Question::TerminalOpenCase { .. } | Question::AffectedRounds { .. }
        )
    }

    /// It waits although the round it was raised in has ended: the device still
    /// has failed, the correction is still proposed.
    #[must_use]
    pub const fn outlasts_round(&self) -> bool {
        matches!(
            self,
            Question::TerminalOpenCase { .. }
                | Question::DeviceFailure
                | Question::TechnicalStop { .. }
                | Question::AffectedRounds { .. }
                | Question::CorrectionProposed { .. }
        )
    }
}

/// A decision that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pending {
    /// Its number.
    pub id: PendingId,
    /// The round it concerns.
    pub round: Option<RoundNumber>,
    /// What is asked.
    pub question: Question,
    /// The rule, as cited to people.
    pub rule: String,
    /// Who may decide.
    pub by: Position,
    /// Anyone above may as well.
    pub or_above: bool,
    /// How many persons it takes.
    pub persons: u8,
}

/// Word of a failure to whoever the book says must be told (004 7.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Its number.
    pub id: NoticeId,
    /// When it was given, UTC milliseconds.
    pub at_ms: i64,
    /// What failed.
    pub what: String,
    /// Who must be told.
    pub inform: Position,
    /// The rule, as cited to people.
    pub rule: String,
    /// The current round then.
    pub round: Option<RoundNumber>,
    /// Who has acknowledged it, and when.
    pub read: Option<(PersonId, i64)>,
}

/// Notices kept at a table, acknowledged ones included; the oldest that were
/// acknowledged go first.
pub const NOTICES_KEPT: usize = 20;

/// An overpayment that a ruling may recover or waive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recoverable {
    /// Its number.
    pub id: RecoverableId,
    /// The round that was overpaid.
    pub round: RoundNumber,
    /// Where.
    pub station: StationId,
    /// To whom.
    pub session: SessionNumber,
    /// What is still owed.
    pub amount: Money,
}

/// A credit owed to a player who has left (J-04).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unclaimed {
    /// Its number.
    pub id: UnclaimedId,
    /// The round that gives it.
    pub round: RoundNumber,
    /// Where it was played.
    pub station: StationId,
    /// By whom.
    pub session: SessionNumber,
    /// What is owed.
    pub amount: Money,
}
