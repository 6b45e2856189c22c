//! The next step by the book's order and the table's own tumble step: the only
//! bright button of the console (P-020).

use sicbo_rules::rulebook::words::{AfterInterruption, TumbleStep};

use super::Step;
use super::state::State;
use crate::command::{Counting, Ruling};
use crate::pending::{Pending, Question};
use crate::round::{CoverState, Phase, Round, Tumble};
use crate::table::{Status, Table};

/// The next step; none while terminals are being told of the close or a
/// correction waits for its second person, when the clocks have parted, or when
/// the table is not open.
#[must_use]
pub fn next_step(table: &Table) -> Option<Step> {
    let state = State::of(table)?;
    // Disagreeing readings are settled last, when nothing else holds the round.
    let lost = state.round.is_some_and(|round| round.must_void.is_some());
    let holding = || {
        table
            .pending
            .iter()
            .filter(|pending| match pending.question {
                // Between rounds the table resumes; a lost round is void before that.
                Question::DeviceFailure => state.round.is_some() && !lost,
                Question::TechnicalStop { .. } => !lost,
                _ => pending.question.holds_round(),
            })
    };
    let first = holding().find(|pending| pending.question != Question::ReadingsDisagree);
    if let Some(pending) = first.or_else(|| holding().next()) {
        return decision(table, pending);
    }
    let Some(round) = state.round else {
        return between_rounds(state);
    };
    if let Some(cause) = round.must_void {
        // Too few tumbles leave nothing else (P-023). Where the book does not
        // list the cause, whoever rules on such matters makes it void.
        return Some(match state.book.void_cause(cause) {
            Some(_) => Step::DeclareVoid { cause },
            None => Step::RuleVoid,
        });
    }
    if round.tumble == Tumble::Activated {
        // A tumbler on the line says so itself.
        let counted = table.counting != Counting::Line;
        return counted.then_some(Step::ReportTumbles);
    }
    match round.phase {
        Phase::Prepared => Some(Step::CallBets),
        Phase::Betting => {
            let due = state.config.tumble != TumbleStep::AfterClose;
            let tumble = due && round.tumble == Tumble::None && state.window_open();
            Some(if tumble {
                Step::ActivateTumbler
            } else {
                Step::CloseBets
            })
        }
        Phase::Closing => None,
        Phase::Closed => Some(after_close(state, round)),
    }
}

fn between_rounds(state: State<'_>) -> Option<Step> {
    let table = state.table;
    if table.status == Status::Suspended {
        return Some(Step::Resume);
    }
    if table.last_round_announced == Some(true) {
        return Some(Step::CloseTable);
    }
    if table.dice_condemned {
        return Some(Step::ChangeDice);
    }
    if table.clock_parted.is_some() {
        // Not at the table: a supervisor looks at the house's clock.
        return None;
    }
    let tumble = state.config.tumble == TumbleStep::BeforeOpen && state.window_open();
    Some(match tumble {
        true => Step::ActivateTumbler,
        false => Step::CallBets,
    })
}

fn after_close(state: State<'_>, round: &Round) -> Step {
    if state.has_deal_button() && !round.deal_pressed {
        return Step::PressDeal;
    }
    if round.tumble == Tumble::None {
        return Step::ActivateTumbler;
    }
    if round.cover == CoverState::Covered {
        return Step::Uncover;
    }
    if round.confirmed.is_some() {
        return if round.lights.is_none() {
            Step::ReportLights
        } else {
            Step::TakeAndPay
        };
    }
    if !round.flat {
        return Step::ConfirmFlat;
    }
    match round.keyed {
        None => Step::KeyDice,
        Some(keyed) if round.second.is_none() && state.second_reading_wanted(round, keyed.dice) => {
            Step::ReadSecond
        }
        Some(_) => Step::ConfirmResult,
    }
}

/// The step that answers a decision by its default.
fn decision(table: &Table, pending: &Pending) -> Option<Step> {
    let id = pending.id;
    Some(match pending.question {
        Question::Interrupted { .. } => Step::ConfirmInterruption { pending: id },
        Question::ReadingsDisagree => Step::ResolveReadings { pending: id },
        Question::ChipsUnrecorded { .. } => Step::AttestPositions { pending: id },
        _ => Step::Rule {
            pending: id,
            ruling: default_ruling(table, pending)?,
        },
    })
}

/// What a decision comes to if nobody has a reason to decide otherwise; none
/// where the dice must be read again.
#[must_use]
pub fn default_ruling(table: &Table, pending: &Pending) -> Option<Ruling> {
    match &pending.question {
        Question::Interrupted { then, .. } => Some(match then {
            AfterInterruption::Void => Ruling::Void,
            AfterInterruption::Conclude
            | AfterInterruption::FinishByDiceThenSuspend
            | AfterInterruption::StopUntilApproved => Ruling::Conclude,
        }),
        // The second person reads the dice, or somebody lets the table go.
        Question::ReadingsDisagree | Question::CorrectionProposed { .. } => None,
        // Whether the round is affected, a supervisor must say.
        Question::TechnicalStop { .. } => match table.round {
            Some(_) => None,
            None => Some(Ruling::NotAffected),
        },
        Question::DiceNotInPlace | Question::DamagedRound { .. } => Some(Ruling::Void),
        // Which rounds were affected is found, not assumed.
        Question::AffectedRounds { .. } => None,
        // void if no outcome is established yet, else concluded by the dice.
        Question::Uncovered { .. } | Question::Interpretation { .. } => {
            let goes_on = table
                .round
                .as_deref()
                .is_none_or(|round| round.outcome_established());
            Some(match goes_on {
                true => Ruling::Conclude,
                false => Ruling::Void,
            })
        }
        // accepted is settled. Q-06: the chips as they lay at the close.
        Question::TerminalOpenCase { .. } | Question::DeviceFailure => Some(Ruling::Accept),
        // what nobody attests does not count.
        Question::BetStatus { .. } | Question::ChipsUnrecorded { .. } => Some(Ruling::AtClose),
    }
}
