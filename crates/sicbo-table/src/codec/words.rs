//! The stable numbers of words. A number is never reused and never changes its meaning.

use sicbo_rules::rulebook::words::{AfterInterruption, Cause, LateAct, Position, TumbleStep};

use super::{DecodeError, Reader, Wire, Writer};
use crate::actor::Device;
use crate::command::{ChipMove, ColourMove, Counting, IncidentKind, LateKind, Part, Ruling};
use crate::positions::Means;
use crate::round::{CoverState, Phase};
use crate::station::{Link, StationKind};
use crate::table::Status;

macro_rules! words {
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
        }
    )+};
}

words! {
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
    Device { 1 Tumbler, 2 DiceReader, 3 Lights, 4 NoteAcceptor }
    ChipMove { 0 Bought, 1 Brought, 2 TakenAway, 3 Fill, 4 CreditSlip, 5 Tip }
    ColourMove { 0 BoughtWithCash, 1 ExchangedFromChips, 2 ExchangedForChips }
    LateKind { 0 Placement, 1 Increase, 2 Withdrawal }
    IncidentKind { 0 CallSupervisor, 1 CallAttendant, 2 Counterfeit, 3 Dispute, 4 Other }
    Ruling {
        0 Void, 1 Conclude, 2 Accept, 3 AtClose, 4 AsTheyLie, 20 Affected, 21 NotAffected,
        22 Release,
    }
    Part { 0 Tumbler, 1 Console, 2 Keys, 3 Lights, 4 Other }
    Counting { 0 Either, 1 Line, 2 Hand }
    Means { 0 Credit, 1 CashChips, 2 ColourChips }
    StationKind { 0 Terminal, 1 Seat }
    Link { 0 Online, 1 Offline }
    Phase { 0 Prepared, 1 Betting, 2 Closing, 3 Closed }
    CoverState { 0 Covered, 1 Uncovered, 2 Open }
    Status { 0 Closed, 1 Open, 2 Suspended }
}
