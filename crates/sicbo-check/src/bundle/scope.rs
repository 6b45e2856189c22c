//! What a bundle shows: which records set the table up, which belong to the
//! round, and which of them one station may see. When in doubt a record is
//! not shown.

use sicbo_table::Fact;
use sicbo_table::ids::StationId;
use sicbo_table::pending::Question;

/// The record sets up what a round is played with.
pub fn sets_up(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::TableOpened { .. }
            | Fact::StationAdded { .. }
            | Fact::StationRemoved { .. }
            | Fact::RuleBookScheduled { .. }
            | Fact::LimitsScheduled { .. }
            | Fact::DiceChanged { .. }
    )
}

/// The record ends a round.
pub fn ends(fact: &Fact) -> bool {
    matches!(fact, Fact::RoundSettled { .. } | Fact::RoundVoided { .. })
}

/// The station a record is about, if it is about one.
pub fn station(fact: &Fact) -> Option<StationId> {
    match fact {
        Fact::Adjusted { station, .. }
        | Fact::BetsPlaced { station, .. }
        | Fact::BetsRemoved { station, .. }
        | Fact::CasePaid { station, .. }
        | Fact::CashOutReversed { station, .. }
        | Fact::CashedOut { station, .. }
        | Fact::CloseAcknowledged { station }
        | Fact::ColourAssigned { station, .. }
        | Fact::ColourMoved { station, .. }
        | Fact::ColourReleased { station }
        | Fact::Connected { station }
        | Fact::CreditBought { station, .. }
        | Fact::Disconnected { station }
        | Fact::HandPaid { station, .. }
        | Fact::LateActRecorded { station, .. }
        | Fact::PlayGranted { station, .. }
        | Fact::PositionsAttested { station, .. }
        | Fact::PositionsClaimed { station, .. }
        | Fact::PositionsObserved { station, .. }
        | Fact::PositionsRecorded { station, .. }
        | Fact::PositionsReturned { station, .. }
        | Fact::StationFenced { station }
        | Fact::StationRemoved { station }
        | Fact::TransferredOut { station, .. } => Some(*station),
        Fact::CaseOverpaid { recoverable, .. } => Some(recoverable.station),
        Fact::DecisionRaised { pending } => match pending.question {
            Question::TerminalOpenCase { station }
            | Question::BetStatus { station }
            | Question::ChipsUnrecorded { station, .. } => Some(station),
            _ => None,
        },
        _ => None,
    }
}

/// The record puts a bet on the layout or takes one off.
pub fn is_bet(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::BetsPlaced { .. }
            | Fact::BetsRemoved { .. }
            | Fact::PositionsRecorded { .. }
            | Fact::PositionsObserved { .. }
            | Fact::PositionsClaimed { .. }
            | Fact::PositionsAttested { .. }
            | Fact::PositionsReturned { .. }
            | Fact::LateActRecorded { .. }
    )
}

/// Whether a station may see a record of the round. `alone`: no other station
/// had a bet in it, so that sums are its own.
pub fn shown_to(own: StationId, alone: bool, fact: &Fact) -> bool {
    if let Some(station) = station(fact) {
        return station == own;
    }
    match fact {
        // What everyone at the table can see and hear.
        Fact::RoundBegan { .. }
        | Fact::TumbleCommitted { .. }
        | Fact::TumbleRevealed { .. }
        | Fact::TumblerActivated
        | Fact::TumbleEnded { .. }
        | Fact::BetsCalled
        | Fact::ClosingBegan { .. }
        | Fact::DealPressed
        | Fact::Uncovered
        | Fact::CoverReported { .. }
        | Fact::FlatConfirmed
        | Fact::DiceKeyed { .. }
        | Fact::KeysCleared
        | Fact::SecondRead { .. }
        | Fact::ReadingsAgreed { .. }
        | Fact::ResultConfirmed { .. }
        | Fact::LightsReported { .. }
        | Fact::Interrupted { .. }
        | Fact::DeviceFailed { .. }
        | Fact::TumblerBound { .. }
        | Fact::CountingSwitched { .. } => true,
        // Set-up within the round, which later records rest on.
        fact if sets_up(fact) => true,
        // Sums over all stations, and a fingerprint of all payments that can
        // be tried out: only where they are the station's own.
        Fact::BetsClosed { .. } | Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => alone,
        Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. } => {
            alone && effects.iter().all(|effect| effect.station == own)
        }
        // Free text and money of the house may speak of anyone.
        _ => false,
    }
}
