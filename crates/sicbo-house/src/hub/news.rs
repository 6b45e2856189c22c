//! What a block of events means to those who are connected, gathered before
//! any frame is made.

use std::collections::BTreeSet;

use sicbo_rules::Dice;
use sicbo_rules::rulebook::words::Cause;
use sicbo_table::actor::Actor;
use sicbo_table::command::IncidentKind;
use sicbo_table::event::Effect;
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::pending::Question;
use sicbo_table::{Event, Fact, Table};

/// What an amendment of an ended round means to its stations.
pub(super) struct Amendment {
    pub(super) round: RoundNumber,
    pub(super) dice: Option<Dice>,
    pub(super) rule: String,
    /// The cause of a late void, and the rule that lists it where another was ruled by.
    pub(super) cause: Option<Cause>,
    pub(super) ground: Option<String>,
    pub(super) effects: Vec<Effect>,
}

/// What a batch of events means to those who are connected.
#[derive(Default)]
pub(super) struct News {
    /// Something everyone may see has changed.
    pub(super) public: bool,
    /// What a table is may have changed.
    pub(super) info: bool,
    /// A round ended.
    pub(super) ended: bool,
    pub(super) amendments: Vec<Amendment>,
    /// Stations whose money or bets changed other than by their own betting.
    pub(super) touched: BTreeSet<StationId>,
    /// Vouchers at this table changed.
    pub(super) vouchers: bool,
    pub(super) incidents: Vec<(IncidentKind, String, Option<StationId>, i64)>,
}

impl News {
    /// Takes in an event; `before` is the table as it was without it.
    pub(super) fn note(&mut self, before: &Table, event: &Event) {
        let by_station = matches!(event.by, Actor::Station(_));
        self.touched.extend(affected(before, &event.fact));
        match &event.fact {
            // Betting is the station's own affair, and answered to it.
            Fact::BetsPlaced { station, .. } | Fact::BetsRemoved { station, .. } => {
                if !by_station {
                    self.touched.insert(*station);
                }
            }
            Fact::CloseAcknowledged { station } | Fact::Connected { station } => {
                self.touched.insert(*station);
            }
            Fact::Disconnected { .. } => {}
            Fact::StationFenced { station } => {
                self.touched.insert(*station);
            }
            Fact::CreditBought { station, .. } | Fact::CashedOut { station, .. } => {
                self.touched.insert(*station);
                self.vouchers = true;
            }
            Fact::CashOutReversed { station, .. } => {
                self.touched.insert(*station);
                self.vouchers = true;
            }
            Fact::VoucherForgotten { .. } => self.vouchers = true,
            Fact::TransferredOut { station, .. }
            | Fact::HandPaid { station, .. }
            | Fact::Adjusted { station, .. }
            | Fact::CasePaid { station, .. } => {
                self.touched.insert(*station);
            }
            Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => {
                self.public = true;
                self.ended = true;
            }
            Fact::ResultCorrected {
                round,
                dice,
                rule,
                effects,
                ..
            } => {
                let told = (rule.clone(), None, None);
                self.amended(before, *round, Some(*dice), told, effects);
            }
            Fact::RoundVoidedLate {
                round,
                rule,
                effects,
                cause,
                ground,
                ..
            } => {
                let told = (rule.clone(), *cause, ground.clone());
                self.amended(before, *round, None, told, effects);
            }
            Fact::OverpaymentRecovered { .. } => self.public = true,
            Fact::IncidentRaised { kind, note } => {
                let station = match event.by {
                    Actor::Station(station) => Some(station),
                    _ => None,
                };
                self.incidents
                    .push((*kind, note.clone(), station, event.at_ms));
            }
            Fact::RoundBegan { .. }
            | Fact::TableOpened { .. }
            | Fact::StationAdded { .. }
            | Fact::StationRemoved { .. }
            | Fact::DiceChanged { .. } => {
                self.public = true;
                self.info = true;
            }
            // Between the register and the table.
            Fact::PlayGranted { .. } | Fact::MoneyDutiesSet { .. } => {}
            _ => self.public = true,
        }
    }

    fn amended(
        &mut self,
        before: &Table,
        round: RoundNumber,
        dice: Option<Dice>,
        (rule, cause, ground): (String, Option<Cause>, Option<String>),
        effects: &[Effect],
    ) {
        self.public = true;
        let effects = effects
            .iter()
            .filter(|of| is_still_there(before, round, of));
        self.amendments.push(Amendment {
            round,
            dice,
            rule,
            cause,
            ground,
            effects: effects.cloned().collect(),
        });
    }
}

/// Whether the one who plays at a station is the one an effect is about. What
/// was won or lost there by a player who has left is not the business of the
/// player there now; where it cannot be told, nothing is said.
fn is_still_there(before: &Table, round: RoundNumber, effect: &Effect) -> bool {
    // Owed to someone who is known to have left.
    if effect.unclaimed.is_some() {
        return false;
    }
    let Some(now) = before.station(effect.station).map(|known| known.session) else {
        return false;
    };
    // Only who still plays there is credited.
    if effect.credited.is_positive() {
        return true;
    }
    let over = effect.recoverable.as_ref().map(|entry| entry.session);
    let mut netted = effect.netted.iter();
    let netted = netted.find_map(|(id, _)| before.recoverables.get(id).map(|entry| entry.session));
    let mut kept = effect.unclaimed_netted.iter();
    let kept = kept.find_map(|(id, _)| before.unclaimed.get(id).map(|entry| entry.session));
    let last = before
        .last_record
        .as_deref()
        .filter(|last| last.number == round);
    let last = last.and_then(|last| {
        let mut parts = last.stations.iter();
        parts.find(|part| part.station == effect.station)
    });
    let then = over.or(netted).or(kept).or(last.map(|part| part.session));
    then == Some(now)
}

/// Stations that a fact concerns without naming them.
fn affected(before: &Table, fact: &Fact) -> Vec<StationId> {
    let of_case = |question: &Question| match question {
        Question::TerminalOpenCase { station }
        | Question::BetStatus { station }
        | Question::ChipsUnrecorded { station, .. } => Some(*station),
        _ => None,
    };
    match fact {
        Fact::OverpaymentRecovered { recoverable, .. } => {
            let entry = before.recoverables.get(recoverable);
            entry.map(|entry| entry.station).into_iter().collect()
        }
        Fact::DecisionRaised { pending } => of_case(&pending.question).into_iter().collect(),
        Fact::DecisionTaken { pending, .. } => {
            let mut waiting = before.pending.iter();
            let taken = waiting.find(|waits| waits.id == *pending);
            let station = taken.and_then(|taken| of_case(&taken.question));
            station.into_iter().collect()
        }
        // Who was cut off at the close takes part again.
        Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => {
            let parts = before.round.iter().flat_map(|round| &round.stations);
            (0..)
                .zip(parts)
                .filter(|(_, part)| part.fenced)
                .map(|(at, _)| StationId(at))
                .collect()
        }
        _ => Vec::new(),
    }
}
