//! From journalled facts the command that made them.
//!
//! Nothing here judges: an act that is named wrongly is refused, or makes other
//! facts, when it is decided again.

use std::sync::Arc;

use sicbo_rules::rulebook::words::Cause;

use super::{Records, as_it_stood, same_command};
use crate::command::{Act, Held, Ruling};
use crate::event::{Event, Fact, VoidBasis};
use crate::ids::{PendingId, RoundNumber};
use crate::pending::{Pending, Question};
use crate::record::RoundRecord;
use crate::table::Table;

/// Acts that may have made the first of these events, and those after it that
/// carry the same command; the likeliest first.
pub(super) fn acts(table: &Table, events: &[Event], records: &Records) -> Vec<Act> {
    let Some(first) = events.first() else {
        return Vec::new();
    };
    let then = &events[1..];
    let further = then.iter().take_while(|event| same_command(first, event));
    let facts = Facts {
        table,
        records,
        then: &then[..further.count()],
    };
    match &first.fact {
        Fact::RoundBegan { .. } => facts.beginning(),
        Fact::RoundSettled { .. } => vec![facts.paying()],
        Fact::DamageReported { note, .. } => vec![
            Act::ReportDamage { note: note.clone() },
            Act::DeclareVoid {
                cause: Cause::DiceDamaged,
            },
            Act::DeclareVoid {
                cause: Cause::DiceBroken,
            },
        ],
        Fact::DecisionRaised { pending } => raising(pending),
        Fact::DecisionTaken { pending, .. } => facts.taking(first, *pending),
        fact @ Fact::LateActRecorded { .. } => facts.late(fact),
        // A tumbler that runs while nothing may go on leaves an incident.
        fact @ Fact::IncidentRaised { .. } => {
            let noted = facts.one(fact);
            noted.into_iter().chain([Act::ActivateTumbler]).collect()
        }
        fact => facts.one(fact).into_iter().collect(),
    }
}

/// Acts that raise a decision and do nothing before it.
fn raising(pending: &Pending) -> Vec<Act> {
    let hold = |what: &String, about| Act::Hold {
        what: what.clone(),
        about,
    };
    match &pending.question {
        Question::Uncovered { what } => {
            vec![hold(what, Held::Uncovered), Act::ActivateTumbler]
        }
        Question::Interpretation { what } => vec![hold(what, Held::Interpretation)],
        Question::ReadingsDisagree => vec![Act::ConfirmResult],
        Question::CorrectionProposed {
            round,
            proposal,
            by,
        } => vec![Act::HoldForCorrection {
            round: *round,
            proposal: *proposal,
            by: *by,
        }],
        _ => Vec::new(),
    }
}

struct Facts<'a> {
    table: &'a Table,
    records: &'a Records,
    /// The events that the same command made after the first.
    then: &'a [Event],
}

impl Facts<'_> {
    /// Bets name their round in the command and stand in it on record.
    fn round(&self) -> RoundNumber {
        self.table.last_round
    }

    fn record(&self, number: RoundNumber) -> Option<Arc<RoundRecord>> {
        as_it_stood(self.table, self.records, number)
            .ok()
            .map(Arc::new)
    }

    fn beginning(&self) -> Vec<Act> {
        match self.then.first().map(|event| &event.fact) {
            Some(Fact::TumblerActivated) => vec![Act::ActivateTumbler],
            Some(Fact::BetsCalled) => vec![Act::CallBets],
            _ => vec![Act::CallBets, Act::ActivateTumbler],
        }
    }

    /// Where the winning areas are lit first, paying is a step of its own.
    fn paying(&self) -> Act {
        let book = self.table.book();
        let lit = book.and_then(|book| book.play.lit_layout.as_ref());
        match lit.is_some_and(|lit| lit.is) {
            true => Act::TakeAndPay,
            false => Act::ConfirmResult,
        }
    }

    /// Acts that begin by answering what waits.
    fn taking(&self, first: &Event, id: PendingId) -> Vec<Act> {
        let Fact::DecisionTaken { ruling, reason, .. } = &first.fact else {
            return Vec::new();
        };
        let waits = self.table.pending.iter().find(|waits| waits.id == id);
        let mut acts = Vec::new();
        match waits.map(|waits| &waits.question) {
            Some(Question::Interrupted { .. }) => {
                acts.push(Act::ConfirmInterruption {
                    pending: id,
                    dice_in_place: *ruling != Ruling::Accept,
                });
            }
            Some(Question::CorrectionProposed { proposal, .. }) => {
                acts.push(Act::EndCorrection {
                    proposal: *proposal,
                });
            }
            Some(Question::DeviceFailure) => acts.push(Act::Resume),
            _ => {}
        }
        // An amended round ends every hold for its correction at once.
        let mut further = self.then.iter().map(|event| &event.fact);
        match further.find(|fact| !matches!(fact, Fact::DecisionTaken { .. })) {
            Some(Fact::ReadingsAgreed { dice }) => acts.push(Act::ResolveReadings {
                pending: id,
                dice: *dice,
            }),
            Some(fact @ Fact::ResultCorrected { .. }) => acts.extend(self.one(fact)),
            Some(Fact::RoundVoidedLate { cause, reason, .. }) => {
                let damage =
                    |waits: &&Pending| matches!(waits.question, Question::AffectedRounds { .. });
                let pending = waits.filter(damage).map(|_| id);
                acts.push(self.late_void(self.then, *cause, pending, reason));
            }
            _ => {}
        }
        acts.push(Act::Rule {
            pending: id,
            ruling: ruling.clone(),
            reason: reason.clone(),
        });
        acts
    }

    /// Chips that changed place after the close: said by name, or seen when the
    /// layout was looked at.
    fn late(&self, fact: &Fact) -> Vec<Act> {
        let Fact::LateActRecorded {
            station,
            late,
            means: Some(means),
            line,
            ..
        } = fact
        else {
            return Vec::new();
        };
        let mut further = self.then.iter().map(|event| &event.fact);
        let seen = further.find(|fact| !matches!(fact, Fact::LateActRecorded { .. }));
        let observed = match seen {
            Some(fact @ Fact::PositionsObserved { .. }) => self.one(fact),
            _ => None,
        };
        let named = Act::RecordLate {
            station: *station,
            round: self.round(),
            late: *late,
            means: *means,
            line: *line,
        };
        [Some(named), observed].into_iter().flatten().collect()
    }

    fn late_void(
        &self,
        events: &[Event],
        cause: Option<Cause>,
        pending: Option<PendingId>,
        reason: &str,
    ) -> Act {
        let rounds = events.iter().filter_map(|event| match &event.fact {
            Fact::RoundVoidedLate { round, .. } => Some(*round),
            _ => None,
        });
        let records = rounds.filter_map(|round| self.record(round)).collect();
        Act::VoidRounds {
            records,
            cause,
            pending,
            reason: reason.to_owned(),
        }
    }

    /// The act of a fact that only one kind of command makes.
    fn one(&self, fact: &Fact) -> Option<Act> {
        if let Some(act) = fact.act() {
            return Some(act);
        }
        let round = self.round();
        Some(match fact {
            Fact::TumbleEnded { count, valid } => Act::ReportTumbles {
                count: *count,
                all_dice_moved: *valid,
            },
            Fact::BetsPlaced {
                station,
                bet,
                lines,
                called: true,
                ..
            } => Act::CallBet {
                station: *station,
                round,
                bet: *bet,
                lines: lines.clone(),
                chips_present: true,
            },
            Fact::BetsPlaced {
                station,
                bet,
                means,
                lines,
                called: false,
            } => Act::PlaceBets {
                station: *station,
                round,
                bet: *bet,
                means: *means,
                lines: lines.clone(),
            },
            Fact::BetsRemoved {
                station,
                bet,
                all: true,
                ..
            } => Act::ClearBets {
                station: *station,
                round,
                bet: *bet,
            },
            Fact::BetsRemoved {
                station,
                bet,
                means,
                lines,
                all: false,
            } => Act::RemoveBets {
                station: *station,
                round,
                bet: *bet,
                means: *means,
                lines: lines.clone(),
            },
            Fact::CloseAcknowledged { station } => Act::AcknowledgeClose {
                station: *station,
                round,
            },
            Fact::PositionsRecorded {
                station,
                bet: Some(bet),
                means,
                lines,
                ..
            }
            | Fact::PositionsClaimed {
                station,
                bet,
                means,
                lines,
            } => Act::RecordPositions {
                station: *station,
                round,
                bet: *bet,
                means: *means,
                lines: lines.clone(),
            },
            Fact::PositionsObserved {
                station,
                means,
                lines,
            } => Act::ObservePositions {
                station: *station,
                round,
                means: *means,
                lines: lines.clone(),
            },
            Fact::PositionsAttested {
                pending, bookmark, ..
            } => Act::AttestPositions {
                pending: *pending,
                lay_there: true,
                bookmark: bookmark.clone(),
            },
            Fact::PositionsReturned {
                pending, bookmark, ..
            } => Act::AttestPositions {
                pending: *pending,
                lay_there: false,
                bookmark: bookmark.clone(),
            },
            Fact::RoundVoided { basis, .. } => match basis {
                VoidBasis::Listed(cause) => Act::DeclareVoid { cause: *cause },
                VoidBasis::Ruling(reason) => Act::RuleVoid {
                    reason: reason.clone(),
                },
            },
            Fact::CasePaid {
                station,
                case,
                round,
                amount,
                reason,
                decision,
                unclaimed,
            } => {
                // What is paid at the station is paid to the player there now.
                let there = self.table.station(*station)?.session;
                Act::SettleCase {
                    station: *station,
                    session: unclaimed.as_ref().map_or(there, |kept| kept.session),
                    case: *case,
                    decision: *decision,
                    round: *round,
                    amount: *amount,
                    reason: reason.clone(),
                }
            }
            Fact::CaseOverpaid {
                case,
                recoverable,
                reason,
                decision,
            } => Act::SettleCase {
                station: recoverable.station,
                session: recoverable.session,
                case: *case,
                decision: *decision,
                round: Some(recoverable.round),
                amount: -recoverable.amount,
                reason: reason.clone(),
            },
            Fact::ResultCorrected {
                round,
                dice,
                evidence,
                conducted,
                ..
            } => Act::CorrectResult {
                record: self.record(*round)?,
                dice: *dice,
                // Only readings that agree are written down.
                second_dice: *dice,
                evidence: evidence.clone(),
                conducted: *conducted,
            },
            Fact::RoundVoidedLate {
                round,
                cause,
                reason,
                ..
            } => {
                let mut act = self.late_void(self.then, *cause, None, reason);
                if let Act::VoidRounds { records, .. } = &mut act {
                    records.push(self.record(*round)?);
                }
                act
            }
            // The others follow from what comes before them and never come first.
            _ => return None,
        })
    }
}
