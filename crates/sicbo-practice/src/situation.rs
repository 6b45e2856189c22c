//! What can go wrong in a round, and what the one who deals must do about it
//! under each book. Which situations a book has is read from its data.

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{Cause, Cover, Form, Position, TumbleWindow, Word};
use sicbo_table::command::{IncidentKind, LateKind};

use super::ruling::{Consequence, ruled};

sicbo_rules::words! {
    /// What happens in a round of practice.
    Situation {
        /// Nothing goes wrong.
        Normal = "normal",
        /// The tumbler stops too early.
        TooFewTumbles = "too-few-tumbles",
        /// The tumbler cycles but a die sticks.
        DieStuck = "die-stuck",
        /// A die leans against the wall.
        DieNotFlat = "die-not-flat",
        /// Concealed dice are seen while bets are open.
        DiceExposedEarly = "dice-exposed-early",
        /// The tumbler runs by itself while bets are open.
        TumblerActivatedEarly = "tumbler-activated-early",
        /// A corner of a die is chipped.
        DiceDamaged = "dice-damaged",
        /// A die breaks.
        DiceBroken = "dice-broken",
        /// The dome breaks.
        DomeBroken = "dome-broken",
        /// The power fails while bets are open.
        PowerCutNoOutcome = "power-cut-no-outcome",
        /// The power fails when the dice can be seen.
        PowerCutOutcome = "power-cut-outcome",
        /// An electronic device of the table fails.
        DeviceFailure = "device-failure",
        /// The wrong areas light up.
        LightsWrong = "lights-wrong",
        /// A terminal with a registered bet goes dark.
        TerminalLost = "terminal-lost",
        /// A colleague has keyed the dice wrongly.
        WrongKey = "wrong-key",
        /// A player calls out a bet without chips.
        SpokenBet = "spoken-bet",
        /// A player calls out a bet and hands over the chips in time.
        SpokenBetWithChips = "spoken-bet-with-chips",
        /// A bet after the close.
        LateBet = "late-bet",
        /// More on a bet after the close.
        LateIncrease = "late-increase",
        /// A bet is taken away after the close.
        LateWithdrawal = "late-withdrawal",
        /// A player disputes something.
        Dispute = "dispute",
        /// A note or chip looks forged.
        Counterfeit = "counterfeit",
        /// Something that no rule of any book speaks of.
        UncoveredMatter = "uncovered-matter",
    }
}

sicbo_rules::words! {
    /// A group of situations to practise together.
    Pack {
        /// Everything the book knows.
        All = "all",
        /// Rounds in which nothing goes wrong.
        Routine = "routine",
        /// What makes a round void.
        Voids = "voids",
        /// Power, devices and terminals.
        Interruptions = "interruptions",
        /// Bets made, changed or spoken at the wrong time.
        Bets = "bets",
        /// What goes to the supervisor and above.
        People = "people",
    }
}

impl Pack {
    /// Whether a situation is practised in it.
    #[must_use]
    pub fn holds(self, situation: Situation) -> bool {
        self == Pack::All || self == situation.pack()
    }
}

/// What the one who deals must do when it happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Go on as if nothing had happened.
    GoOn,
    /// Declare the round void for this cause.
    DeclareVoid(Cause),
    /// Hold the round for whoever decides what no rule covers.
    Hold,
    /// Confirm what the rule makes of an interruption.
    ConfirmInterruption,
    /// Report the failed device.
    ReportDeviceFailure,
    /// Say that the lights are wrong.
    ReportLightsWrong,
    /// Take the wrong keys back, or key the dice as they lie.
    KeyAgain,
    /// Place a spoken bet with its chips.
    PlaceSpokenBet,
    /// Write a late act down.
    RecordLate(LateKind),
    /// Raise an incident.
    Raise(IncidentKind),
}

impl Response {
    /// A stable word.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Response::GoOn => "go-on",
            Response::DeclareVoid(_) => "declare-void",
            Response::Hold => "hold",
            Response::ConfirmInterruption => "confirm-interruption",
            Response::ReportDeviceFailure => "report-device-failure",
            Response::ReportLightsWrong => "report-lights-wrong",
            Response::KeyAgain => "key-again",
            Response::PlaceSpokenBet => "place-spoken-bet",
            Response::RecordLate(_) => "record-late",
            Response::Raise(IncidentKind::Dispute) => "raise-dispute",
            Response::Raise(IncidentKind::Counterfeit) => "raise-counterfeit",
            Response::Raise(_) => "call-supervisor",
        }
    }
}

impl Situation {
    /// The pack it is practised in.
    #[must_use]
    pub fn pack(self) -> Pack {
        match self {
            Situation::Normal => Pack::Routine,
            Situation::TooFewTumbles
            | Situation::DieStuck
            | Situation::DieNotFlat
            | Situation::DiceExposedEarly
            | Situation::TumblerActivatedEarly
            | Situation::DiceDamaged
            | Situation::DiceBroken
            | Situation::DomeBroken => Pack::Voids,
            Situation::PowerCutNoOutcome
            | Situation::PowerCutOutcome
            | Situation::DeviceFailure
            | Situation::LightsWrong
            | Situation::TerminalLost => Pack::Interruptions,
            Situation::WrongKey
            | Situation::SpokenBet
            | Situation::SpokenBetWithChips
            | Situation::LateBet
            | Situation::LateIncrease
            | Situation::LateWithdrawal => Pack::Bets,
            Situation::Dispute | Situation::Counterfeit | Situation::UncoveredMatter => {
                Pack::People
            }
        }
    }

    /// The void cause it shows, where it is one.
    #[must_use]
    pub fn cause(self) -> Option<Cause> {
        Some(match self {
            Situation::TooFewTumbles | Situation::DieStuck => Cause::TooFewTumbles,
            Situation::DieNotFlat => Cause::DieNotFlat,
            Situation::DiceExposedEarly => Cause::DiceExposedEarly,
            Situation::TumblerActivatedEarly => Cause::TumblerActivatedEarly,
            Situation::DiceDamaged => Cause::DiceDamaged,
            Situation::DiceBroken => Cause::DiceBroken,
            Situation::DomeBroken => Cause::DomeBroken,
            Situation::PowerCutNoOutcome => Cause::TechnicalInterruption,
            _ => return None,
        })
    }

    /// Whether it can happen at a table of this book and asks for something
    /// there: what is the usual order of play is no irregularity.
    #[must_use]
    pub fn arises(self, book: &RuleBook) -> bool {
        let table = book.play.form.is == Form::Table;
        match self {
            Situation::DiceExposedEarly => book.play.cover.is == Cover::Covered,
            Situation::TumblerActivatedEarly => {
                book.play.tumble_window.is == TumbleWindow::AfterClose
            }
            Situation::DeviceFailure => book.interruption.device_failure.is_some(),
            Situation::LightsWrong => book.play.lit_layout.as_ref().is_some_and(|lit| lit.is),
            Situation::TerminalLost => book.interruption.terminal_registered.is_some(),
            Situation::SpokenBet
            | Situation::SpokenBetWithChips
            | Situation::LateIncrease
            | Situation::LateWithdrawal => table,
            Situation::Counterfeit => book.equipment.iter().any(|item| item.item.contains("uv")),
            _ => true,
        }
    }

    /// Every situation of a book, in order.
    #[must_use]
    pub fn of(book: &RuleBook) -> Vec<Situation> {
        let all = Situation::all().iter().copied();
        all.filter(|situation| situation.arises(book)).collect()
    }

    /// What the one who deals must do.
    #[must_use]
    pub fn response(self, book: &RuleBook) -> Response {
        let table = book.play.form.is == Form::Table;
        match self {
            Situation::Normal | Situation::TerminalLost | Situation::SpokenBet => Response::GoOn,
            Situation::LightsWrong => Response::ReportLightsWrong,
            Situation::WrongKey => Response::KeyAgain,
            Situation::SpokenBetWithChips => Response::PlaceSpokenBet,
            // A terminal refuses by itself.
            Situation::LateBet if !table => Response::GoOn,
            Situation::LateBet => Response::RecordLate(LateKind::Placement),
            Situation::LateIncrease => Response::RecordLate(LateKind::Increase),
            Situation::LateWithdrawal => Response::RecordLate(LateKind::Withdrawal),
            Situation::Dispute => Response::Raise(IncidentKind::Dispute),
            Situation::Counterfeit => Response::Raise(IncidentKind::Counterfeit),
            Situation::DeviceFailure => Response::ReportDeviceFailure,
            Situation::PowerCutNoOutcome | Situation::PowerCutOutcome => {
                let ruled = ruled(book, self);
                match ruled.by {
                    // Whom the dealer must call, because the document is silent.
                    Some(by) if by != Position::Dealer => {
                        Response::Raise(IncidentKind::CallSupervisor)
                    }
                    _ => Response::ConfirmInterruption,
                }
            }
            _ => match ruled(book, self).consequence {
                Consequence::Void(cause) => Response::DeclareVoid(cause),
                _ => Response::Hold,
            },
        }
    }
}
