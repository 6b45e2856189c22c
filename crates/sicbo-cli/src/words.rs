//! The choices of a rule book in plain words, for people who read it.
//!
//! The keys are the file's; these sentences are ours and decide nothing.

use sicbo_rules::rulebook::words::{
    AfterInterruption, AfterTerminalFailure, Cause, Closing, Cover, Form, LateAct, Matter,
    Position, Positions, RoundEnd, RoundStart, Scope, Substitution, TumbleStep, TumbleWindow,
    WrongResult,
};

/// A choice that can be said in plain words.
pub(crate) trait Plain {
    /// The words.
    fn plain(self) -> &'static str;
}

macro_rules! plain {
    ($name:ident { $($variant:ident => $words:literal,)+ }) => {
        impl Plain for $name {
            fn plain(self) -> &'static str {
                match self { $($name::$variant => $words,)+ }
            }
        }
    };
}

plain!(Form {
    Electronic => "electronic, at terminals with a live dealer",
    Table => "at a table, with chips",
});
plain!(Cover {
    Covered => "covered until the result is uncovered",
    Open => "open: the dice are always seen",
});
plain!(TumbleWindow {
    Any => "before, during or after betting",
    BeforeOpen => "before betting is offered",
    BeforeClose => "while bets are taken",
    UntilClose => "at any time before the close of bets, also before the call",
    AfterClose => "only after every terminal shows the close of bets",
});
plain!(TumbleStep {
    BeforeOpen => "as the first act of the round",
    DuringBetting => "while bets are placed",
    AfterClose => "once bets are closed",
});
plain!(RoundStart {
    NoticeDisplayed => "the notice for placing bets is displayed",
    BetsAnnounced => "the dealer calls for bets",
    TumbledAndNoticeDisplayed => "the tumbler has tumbled and the notice is displayed",
    NoMoreBets => "the announcement of no more bets",
});
plain!(Closing {
    TerminalDisplay => "each terminal displays the words",
    Announcement => "the dealer says the words",
});
plain!(RoundEnd {
    AllSettled => "settlement for all players is made",
    AnnouncedAndPaid => "the result is announced and bets are collected and paid",
    DisplayedAndSettled => "the outcome is announced or displayed and all bets are settled",
    DeterminedAndPaid => "the result is determined and winnings are paid",
});
plain!(Positions {
    AtClose => "as they stand at the close of bets",
    AtUncovering => "as they stand when the dice are uncovered",
});
plain!(Cause {
    TooFewTumbles => "fewer tumbles than the minimum",
    DieNotFlat => "a die does not lie flat",
    DiceExposedEarly => "concealed dice were seen before the close",
    TumblerActivatedEarly => "the tumbler ran before the close",
    DiceDamaged => "a die is damaged",
    DiceBroken => "a die broke",
    DomeBroken => "the dome broke",
    TechnicalInterruption => "a technical interruption left no outcome",
});
plain!(Scope {
    CurrentRound => "void: the current round",
    AllAffectedRounds => "void: every round it affected, settled ones included",
});
plain!(AfterInterruption {
    Conclude => "play goes on and the round is concluded",
    Void => "the round is void",
    StopUntilApproved => "play stops where it stands until approved, then the round goes on",
    FinishByDiceThenSuspend => "the round is finished by the dice, then play stops until approved",
});
plain!(AfterTerminalFailure {
    Settled => "settled as any other bet",
    Returned => "given back",
    NotParticipated => "the player did not take part",
});
plain!(LateAct {
    Refused => "refused; nothing changes",
    IncreaseRefused => "only what was added is refused",
    BetStands => "the bet stands and is won or lost",
    DealerDecides => "the dealer rules by position",
});
plain!(WrongResult {
    SettleByDice => "the dice prevail",
    SettleByDiceIfConducted => "the dice prevail if the round was conducted by the rules",
});
plain!(Position {
    Dealer => "dealer",
    PitSupervisor => "pit supervisor",
    PitManager => "pit manager",
    ShiftManager => "shift manager",
    Director => "director of table games",
    HeadOfOperations => "head of operations",
    Surveillance => "surveillance",
    Cashier => "cashier",
    Auditor => "auditor",
    Regulator => "regulator",
    Trainer => "trainer",
    Technician => "technician",
    AboveDirector1 => "first above the director",
    AboveDirector2 => "second above the director",
    AboveDirector3 => "third above the director",
    AboveDirector4 => "fourth above the director",
});
plain!(Substitution {
    ActingOnly => "only who is assigned to a position may act in it",
    ActingOrHigher => "who is assigned, or holds a higher position, may act",
});
plain!(Matter {
    Uncovered => "what no rule covers",
    Interpretation => "what a rule means",
    AffectedRounds => "which rounds damaged dice affected",
    BetStatus => "whether a bet stands",
    ResumeAfterDeviceFailure => "that play resumes after a device failed",
    DisputeFirst => "a dispute, first",
    DisputeEscalated => "a dispute not settled",
});
