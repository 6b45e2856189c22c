//! The stable numbers of words. A number is never reused and never changes its meaning.

use sicbo_rules::rulebook::words::{AfterInterruption, Cause, LateAct, Position, TumbleStep};

use super::{DecodeError, Forms, Reader, Wire, Writer};
use crate::actor::Device;
use crate::command::{ChipMove, ColourMove, Counting, IncidentKind, LateKind, Part, Ruling};
use crate::describe::{Describe, Value};
use crate::positions::Means;
use crate::round::{CoverState, Phase};
use crate::station::{Link, StationKind};
use crate::table::Status;

macro_rules! numbers {
    ($($type:ident { $($number:literal $variant:ident),+ $(,)? })+) => {$(
        impl Wire for $type {
            fn put(&self, to: &mut Writer<'_>) {
                to.unsigned(match self { $($type::$variant => $number,)+ });
            }
            fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
                match from.unsigned()? {
                    $($number => Ok($type::$variant),)+
                    _ => Err(from.expected(concat!("the number of a ", stringify!($type)))),
                }
            }
            fn form(forms: &mut Forms) -> String {
                forms.define::<Self>(stringify!($type), |_| {
                    let words = [$(concat!(stringify!($number), " ", stringify!($variant))),+];
                    vec![format!("number: {}", words.join(", "))]
                })
            }
        }
    )+};
}

/// Words of this crate, which have a spelling in exports besides.
macro_rules! words {
    ($($type:ident { $($number:literal $variant:ident $key:literal),+ $(,)? })+) => {
        numbers! { $($type { $($number $variant),+ })+ }

        $(
            impl $type {
                /// A stable word.
                #[must_use]
                pub const fn key(&self) -> &'static str {
                    match self { $($type::$variant => $key,)+ }
                }
            }

            impl<N> Describe<N> for $type {
                fn value(&self, _: &N) -> Value {
                    self.key().into()
                }
            }
        )+
    };
}

numbers! {
    Position {
        0 Dealer, 1 PitSupervisor, 2 PitManager, 3 ShiftManager, 4 Director,
        5 HeadOfOperations, 6 Surveillance, 7 Cashier, 8 Auditor, 9 Regulator, 10 Trainer,
        11 Technician, 12 AboveDirector1, 13 AboveDirector2, 14 AboveDirector3, 15 AboveDirector4,
    }
    Cause {
        0 TooFewTumbles, 1 DieNotFlat, 2 DiceExposedEarly, 3 TumblerActivatedEarly,
        4 DiceDamaged, 5 DiceBroken, 6 DomeBroken, 7 TechnicalInterruption,
    }
    LateAct { 0 Refused, 1 IncreaseRefused, 2 BetStands, 3 DealerDecides }
    AfterInterruption { 0 Conclude, 1 Void, 2 FinishByDiceThenSuspend, 3 StopUntilApproved }
    TumbleStep { 0 BeforeOpen, 1 DuringBetting, 2 AfterClose }
    Link { 0 Online, 1 Offline }
    Phase { 0 Prepared, 1 Betting, 2 Closing, 3 Closed }
    CoverState { 0 Covered, 1 Uncovered, 2 Open }
    Status { 0 Closed, 1 Open, 2 Suspended }
}

words! {
    Device {
        1 Tumbler "tumbler", 2 DiceReader "dice-reader", 3 Lights "lights",
        4 NoteAcceptor "note-acceptor",
    }
    ChipMove {
        0 Bought "bought", 1 Brought "brought", 2 TakenAway "taken-away", 3 Fill "fill",
        4 CreditSlip "credit-slip", 5 Tip "tip",
    }
    ColourMove {
        0 BoughtWithCash "bought-with-cash", 1 ExchangedFromChips "exchanged-from-chips",
        2 ExchangedForChips "exchanged-for-chips",
    }
    LateKind { 0 Placement "placement", 1 Increase "increase", 2 Withdrawal "withdrawal" }
    IncidentKind {
        0 CallSupervisor "call-supervisor", 1 CallAttendant "call-attendant",
        2 Counterfeit "counterfeit", 3 Dispute "dispute", 4 Other "other",
    }
    Ruling {
        0 Void "void", 1 Conclude "conclude", 2 Accept "accept", 3 AtClose "at-close",
        4 AsTheyLie "as-they-lie", 20 Affected "affected", 21 NotAffected "not-affected",
        22 Release "release",
    }
    Part {
        0 Tumbler "tumbler", 1 Console "console", 2 Keys "keys", 3 Lights "lights", 4 Other "other",
    }
    Counting { 0 Either "either", 1 Line "line", 2 Hand "hand" }
    Means { 0 Credit "credit", 1 CashChips "cash-chips", 2 ColourChips "colour-chips" }
    StationKind { 0 Terminal "terminal", 1 Seat "seat" }
}
