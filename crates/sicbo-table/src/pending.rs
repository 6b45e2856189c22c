//! Decisions that wait for a person, overpayments that may be recovered, and
//! credits nobody has claimed.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{AfterInterruption, Position};

use crate::ids::{
    PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId, UnclaimedId,
};

/// What waits to be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// The round was interrupted; the rule book says what becomes of it, a person confirms.
    Interrupted {
        /// A die of a valid tumble could be seen after the close.
        established: bool,
        /// What the rule makes of it.
        then: AfterInterruption,
    },
    /// The dice were no longer as they lay: whoever decides what no rule covers decides.
    DiceNotInPlace,
    /// Two readings of the dice disagree; two persons must agree.
    ReadingsDisagree,
    /// Something no rule covers has stopped the round.
    Uncovered {
        /// What happened.
        what: String,
    },
    /// A bet was accepted on a terminal that never showed the close.
    TerminalOpenCase {
        /// Which terminal.
        station: StationId,
    },
    /// A bet was placed, increased or withdrawn after the close and the dealer rules on it.
    BetStatus {
        /// Which seat.
        station: StationId,
    },
    /// A device failed: play resumes only when approved (004 7.1).
    DeviceFailure,
    /// Dice that can be seen are said to be damaged: a supervisor looks at
    /// them before the round is void.
    DamagedRound {
        /// Who said so, and is not the one who looks.
        reporter: PersonId,
    },
    /// Which earlier rounds damaged dice affected.
    AffectedRounds {
        /// The dice.
        dice_set: String,
        /// The last round that had ended, where none was in hand: "the round"
        /// of a book that speaks of one only.
        last: Option<RoundNumber>,
    },
}

impl Question {
    /// A stable word.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Question::Interrupted { .. } => "interrupted",
            Question::DiceNotInPlace => "dice-not-in-place",
            Question::ReadingsDisagree => "readings-disagree",
            Question::Uncovered { .. } => "uncovered",
            Question::TerminalOpenCase { .. } => "terminal-open-case",
            Question::BetStatus { .. } => "bet-status",
            Question::DeviceFailure => "device-failure",
            Question::DamagedRound { .. } => "damaged-round",
            Question::AffectedRounds { .. } => "affected-rounds",
        }
    }

    /// The round cannot go on before it is decided.
    #[must_use]
    pub const fn holds_round(&self) -> bool {
        matches!(
            self,
            Question::Interrupted { .. }
                | Question::DiceNotInPlace
                | Question::ReadingsDisagree
                | Question::Uncovered { .. }
                | Question::BetStatus { .. }
                | Question::DamagedRound { .. }
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
