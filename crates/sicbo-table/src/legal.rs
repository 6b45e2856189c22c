//! What may be done now: every legal step, who may take it, and the one that is next.
//!
//! Written from the state and the rule book as a table of conditions, and
//! sharing no code with `decide`: the two are two readings of the same rules
//! and the tests hold them against each other. What a step carries (which
//! dice, which stakes) is not judged here but for bets, whose limits
//! [`room`] gives.

mod next;
mod room;
mod state;
mod steps;
mod who;

use sicbo_rules::rulebook::words::Cause;

use crate::command::Ruling;
use crate::ids::{NoticeId, PendingId, StationId};
use crate::table::Table;

pub use next::{default_ruling, next_step};
pub use room::{Room, room};
pub use who::Who;

sicbo_rules::worded! {
    /// A step of the game or a decision about it. Named as the commands are.
    #[derive(Clone, PartialEq, Eq, Debug)]
    #[expect(
        missing_docs,
        reason = "each is the act of the same name; holding, and what is said of the dice after an interruption, are two each"
    )]
    pub enum Step: key {
        ActivateTumbler = "activate-tumbler",
        ReportTumbles = "report-tumbles",
        CallBets = "call-bets",
        CloseBets = "close-bets",
        AcknowledgeClose { station: StationId } = "acknowledge-close",
        Fence { station: StationId } = "fence",
        PressDeal = "press-deal",
        Uncover = "uncover",
        ConfirmFlat = "confirm-flat",
        KeyDice = "key-dice",
        ClearKeys = "clear-keys",
        ReadSecond = "read-second",
        ConfirmResult = "confirm-result",
        ReportLights = "report-lights",
        TakeAndPay = "take-and-pay",

        PlaceBets { station: StationId } = "place-bets",
        RecordPositions { station: StationId } = "record-positions",
        ObservePositions { station: StationId } = "observe-positions",
        RecordLate { station: StationId } = "record-late",

        DeclareVoid { cause: Cause } = "declare-void",
        RuleVoid = "rule-void",
        Hold = "hold",
        HoldForMeaning = "hold-for-meaning",
        ReportDeviceFailure = "report-device-failure",
        AcknowledgeNotice { notice: NoticeId } = "acknowledge-notice",
        ConfirmInterruption { pending: PendingId } = "confirm-interruption",
        DiceNotInPlace { pending: PendingId } = "dice-not-in-place",
        Rule { pending: PendingId, ruling: Ruling } = "rule",
        ResolveReadings { pending: PendingId } = "resolve-readings",
        AttestPositions { pending: PendingId } = "attest-positions",

        ReportDamage = "report-damage",
        FindDiceSound = "find-dice-sound",
        ChangeDice = "change-dice",
        SwitchCounting { by_hand: bool } = "switch-counting",
        AnnounceLastRound = "announce-last-round",
        TakeBackLastRound = "take-back-last-round",
        Suspend = "suspend",
        Resume = "resume",
        CloseTable = "close-table",
    }
}

impl Step {
    /// The station it is a step of, where it is one station's.
    #[must_use]
    pub const fn station(&self) -> Option<StationId> {
        match self {
            Step::AcknowledgeClose { station }
            | Step::Fence { station }
            | Step::PlaceBets { station }
            | Step::RecordPositions { station }
            | Step::ObservePositions { station }
            | Step::RecordLate { station } => Some(*station),
            _ => None,
        }
    }
}

/// A step that is legal now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalAct {
    /// The step.
    pub step: Step,
    /// Who may take it: any one of these.
    pub who: Vec<Who>,
    /// The rule it rests on, as cited to people, where the book has one.
    pub rule: Option<String>,
    /// The next step by the book's order: the only bright button (P-020).
    pub next: bool,
}

impl LegalAct {
    /// A person may take it: it can be offered on a screen. What only a device
    /// reports, such as a tumbler that ran out of order, cannot.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.who.iter().any(|who| who.persons() > 0)
    }
}

/// Every step that is legal now.
#[must_use]
pub fn legal_acts(table: &Table) -> Vec<LegalAct> {
    let mut acts = table_acts(table);
    steps::of_stations(table, &mut acts);
    acts
}

/// The steps that are no single station's.
#[must_use]
pub fn table_acts(table: &Table) -> Vec<LegalAct> {
    let mut acts = Vec::new();
    steps::of_play(table, &mut acts);
    steps::of_decisions(table, &mut acts);
    steps::of_the_desk(table, &mut acts);
    if let Some(next) = next_step(table)
        && let Some(act) = acts.iter_mut().find(|act| act.step == next)
    {
        act.next = true;
    }
    acts
}

/// The steps to offer on a console or a pit desk.
#[must_use]
pub fn offered_acts(table: &Table) -> Vec<LegalAct> {
    let mut acts = table_acts(table);
    acts.retain(LegalAct::is_offered);
    acts
}
