//! The automatic dealer of a play-money house: which act comes next, after
//! which pause, and who must take it.
//!
//! Follows [`sicbo_table::legal::next_step`] and derives no order of its own.
//! Knows no clock, no dice and no persons: bets are closed by the house's
//! clock, the dice are the tumbler's, and the one who runs it finds a named
//! person for the position. What people have stopped, people start again.
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

use std::collections::BTreeSet;

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{AfterInterruption, Cause, Closing, Matter, Position};
use sicbo_table::authority::decider;
use sicbo_table::legal::{self, default_ruling};
use sicbo_table::pending::{Pending, Question};
use sicbo_table::round::{CoverState, Phase, Round, Tumble};
use sicbo_table::table::Status;
use sicbo_table::{Act, Table};

/// How fast the automatic dealer works, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// From the end of a round to the first act of the next.
    pub between_rounds_ms: u32,
    /// How long the tumbler runs.
    pub tumble_ms: u32,
    /// Before any other act.
    pub act_ms: u32,
    /// From the dice being seen to their being keyed: players look too.
    pub look_ms: u32,
    /// Before a decision that waits is taken by its default.
    pub decide_ms: u32,
}

impl Pace {
    /// The pace of a calm table.
    pub const USUAL: Pace = Pace {
        between_rounds_ms: 6_000,
        tumble_ms: 3_000,
        act_ms: 800,
        look_ms: 1_500,
        decide_ms: 15_000,
    };

    /// For a demonstration or a trainer in a hurry.
    pub const BRISK: Pace = Pace {
        between_rounds_ms: 1_500,
        tumble_ms: 1_000,
        act_ms: 250,
        look_ms: 500,
        decide_ms: 3_000,
    };

    /// No pauses at all: for tests and benchmarks.
    pub const NONE: Pace = Pace {
        between_rounds_ms: 0,
        tumble_ms: 0,
        act_ms: 0,
        look_ms: 0,
        decide_ms: 0,
    };
}

/// What the dealer can see and the table cannot.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// A die leans against the wall.
    pub leaning: bool,
    /// The covered dice could be seen before the close.
    pub exposed: bool,
    /// A device is bound that reports the lights itself.
    pub lights_bound: bool,
}

/// What the automatic dealer does next.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// An act, by a person in this position, with a second one where two are needed.
    Act {
        /// What.
        act: Act,
        /// Who acts.
        by: Position,
        /// Who is witness: another person.
        second: Option<Position>,
        /// First wait so long.
        pause_ms: u32,
    },
    /// The tumbler reports its tumbles, as a device.
    ReportTumbles {
        /// How long it runs.
        pause_ms: u32,
    },
    /// The dice are read from the tumbler: keyed by the dealer, or read a
    /// second time by another person.
    ReadDice {
        /// Who reads.
        by: Position,
        /// It is the second reading.
        second_reading: bool,
        /// First wait so long.
        pause_ms: u32,
    },
    /// Nothing: the clock, the terminals or a person comes first.
    Wait,
}

/// The dealer's next step at a table.
#[must_use]
pub fn next_step(table: &Table, pace: &Pace, seen: Seen) -> Step {
    let round = table.round.as_deref();
    if let Some(cause) = round.and_then(|round| trouble(table, round, seen)) {
        return void(table, cause, pace);
    }
    if round.is_none()
        && let Some(step) = waiting_case(table, pace)
    {
        return step;
    }
    let Some(next) = legal::next_step(table) else {
        return Step::Wait;
    };
    let between = if round.is_none() {
        pace.between_rounds_ms
    } else {
        pace.act_ms
    };
    let dealer = |act: Act, pause_ms: u32| Step::Act {
        act,
        by: Position::Dealer,
        second: None,
        pause_ms,
    };
    match next {
        legal::Step::ActivateTumbler => dealer(Act::ActivateTumbler, between),
        legal::Step::ReportTumbles => Step::ReportTumbles {
            pause_ms: pace.tumble_ms,
        },
        legal::Step::CallBets => dealer(Act::CallBets, between),
        // Where the dealer's word closes, no clock does: bets are taken as long
        // as the table is set up for, then the dealer announces.
        legal::Step::CloseBets if announced(table) => {
            let window_ms = table.config.as_ref().map_or(0, |config| config.window_ms);
            dealer(Act::CloseBets, window_ms)
        }
        legal::Step::PressDeal => dealer(Act::PressDeal, pace.act_ms),
        legal::Step::Uncover => dealer(Act::Uncover, pace.act_ms),
        legal::Step::ConfirmFlat => dealer(Act::ConfirmFlat, pace.look_ms),
        legal::Step::KeyDice => Step::ReadDice {
            by: Position::Dealer,
            second_reading: false,
            pause_ms: pace.act_ms,
        },
        legal::Step::ReadSecond => Step::ReadDice {
            by: Position::PitSupervisor,
            second_reading: true,
            pause_ms: pace.act_ms,
        },
        legal::Step::ConfirmResult => dealer(Act::ConfirmResult, pace.act_ms),
        legal::Step::ReportLights if seen.lights_bound => Step::Wait,
        legal::Step::ReportLights => dealer(Act::ReportLights { lit: true }, pace.act_ms),
        legal::Step::TakeAndPay => dealer(Act::TakeAndPay, pace.act_ms),
        legal::Step::DeclareVoid { cause } => void(table, cause, pace),
        legal::Step::RuleVoid => rule_void(table, pace),
        legal::Step::ConfirmInterruption { pending } => {
            let found = table.pending.iter().find(|waits| waits.id == pending);
            found.map_or(Step::Wait, |found| interrupted(found, pace))
        }
        legal::Step::Rule { pending, .. } => {
            let found = table.pending.iter().find(|waits| waits.id == pending);
            let step = found.and_then(|found| rule(table, found, pace));
            step.unwrap_or(Step::Wait)
        }
        legal::Step::ChangeDice => change_dice(table, pace),
        legal::Step::Resume => resume(table, pace),
        // What a person announced is carried out: the last round has been played.
        legal::Step::CloseTable => Step::Act {
            act: Act::CloseTable,
            by: Position::PitSupervisor,
            second: None,
            pause_ms: pace.decide_ms,
        },
        // The house's clock closes; dice that two read differently are for people.
        _ => Step::Wait,
    }
}

/// The dealer announces the close.
fn announced(table: &Table) -> bool {
    let closes = table.book().map(|book| book.play.closes.is);
    closes == Some(Closing::Announcement)
}

/// Every position the dealer may ask for under a book: a house that has nobody
/// in one of them would one day stand still.
#[must_use]
pub fn positions(book: &RuleBook) -> BTreeSet<Position> {
    let named = |matter: Matter| book.decision(matter).map(|decision| decision.by);
    let uncovered = named(Matter::Uncovered).unwrap_or(Position::ShiftManager);
    let failure = book.interruption.device_failure.as_ref();
    let open_cases = book.interruption.terminal_open_cases.as_ref();
    let mut positions = BTreeSet::from([Position::Dealer, Position::PitSupervisor, uncovered]);
    positions.extend(named(Matter::BetStatus));
    positions.extend(open_cases.map(|by| by.is));
    if failure.is_some() {
        positions.insert(named(Matter::ResumeAfterDeviceFailure).unwrap_or(uncovered));
    }
    positions
}

/// What the dealer sees that makes the round void, where the book says so.
fn trouble(table: &Table, round: &Round, seen: Seen) -> Option<Cause> {
    let at_rest = matches!(round.tumble, Tumble::Valid { .. });
    if table.holding().is_some() || round.must_void.is_some() || !at_rest {
        return None;
    }
    let early = matches!(round.phase, Phase::Prepared | Phase::Betting);
    let cause = if seen.exposed && early && round.cover == CoverState::Covered {
        Cause::DiceExposedEarly
    } else if seen.leaning && round.outcome_established() && !round.flat {
        Cause::DieNotFlat
    } else {
        return None;
    };
    table.book()?.void_cause(cause).map(|void| void.cause)
}

/// A listed cause is declared; who may is the table's own set-up (J-03).
fn void(table: &Table, cause: Cause, pace: &Pace) -> Step {
    let supervised = table.config.as_ref().is_some_and(|c| c.void_by_supervisor);
    Step::Act {
        act: Act::DeclareVoid { cause },
        by: if supervised {
            Position::PitSupervisor
        } else {
            Position::Dealer
        },
        second: None,
        pause_ms: pace.look_ms,
    }
}

/// The round is lost and the book does not list why.
fn rule_void(table: &Table, pace: &Pace) -> Step {
    let cause = table.round.as_deref().and_then(|round| round.must_void);
    let what = cause.map_or("the round", |cause| {
        use sicbo_rules::rulebook::words::Word;
        cause.key()
    });
    Step::Act {
        act: Act::RuleVoid {
            reason: format!("{what}: not listed in the book"),
        },
        by: decider(table, Matter::Uncovered).position,
        second: None,
        pause_ms: pace.decide_ms,
    }
}

/// What the rule makes of an interruption is confirmed. A simulated tumbler's
/// dice are in place: they are drawn from the round's own seed.
fn interrupted(pending: &Pending, pace: &Pace) -> Step {
    let Question::Interrupted { then, .. } = &pending.question else {
        return Step::Wait;
    };
    // The dealer's word on the dice needs a witness (J-05).
    let witnessed = *then != AfterInterruption::Void;
    Step::Act {
        act: Act::ConfirmInterruption {
            pending: pending.id,
            dice_in_place: true,
        },
        by: pending.by,
        second: witnessed.then_some(Position::PitSupervisor),
        pause_ms: pace.decide_ms,
    }
}

/// A decision comes to its default; one without a default waits for people.
fn rule(table: &Table, pending: &Pending, pace: &Pace) -> Option<Step> {
    // What stopped for a failure goes on when a person has looked at it.
    if matches!(pending.question, Question::TechnicalStop { .. }) {
        return None;
    }
    Some(Step::Act {
        act: Act::Rule {
            pending: pending.id,
            ruling: default_ruling(table, pending)?,
            reason: "the default of the rule".to_owned(),
        },
        by: pending.by,
        second: None,
        pause_ms: pace.decide_ms,
    })
}

/// Terminals that never showed the close: their cases hold no round up, so
/// they are seen to between rounds lest they pile up.
fn waiting_case(table: &Table, pace: &Pace) -> Option<Step> {
    let open = |pending: &&Pending| matches!(pending.question, Question::TerminalOpenCase { .. });
    if table.holding().is_some() || table.status != Status::Open {
        return None;
    }
    rule(table, table.pending.iter().find(open)?, pace)
}

/// Play that a failed device has stopped goes on by whom the book names (004
/// 7.1); what a person stopped stays stopped.
fn resume(table: &Table, pace: &Pace) -> Step {
    if table.device_failure().is_none() {
        return Step::Wait;
    }
    Step::Act {
        act: Act::Resume,
        by: decider(table, Matter::ResumeAfterDeviceFailure).position,
        second: None,
        pause_ms: pace.decide_ms,
    }
}

/// Condemned dice are changed for the next set, by two persons (P-035).
fn change_dice(table: &Table, pace: &Pace) -> Step {
    let now = table.config.as_ref().map_or("", |config| &config.dice_set);
    Step::Act {
        act: Act::ChangeDice {
            dice_set: next_set(now),
        },
        by: Position::PitSupervisor,
        second: Some(Position::Dealer),
        pause_ms: pace.decide_ms,
    }
}

/// `D-0001` → `D-0002`.
pub fn next_set(name: &str) -> String {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (stem, number) = name.split_at(name.len() - digits.min(9));
    match number.parse::<u64>() {
        Ok(number) => format!("{stem}{:0width$}", number + 1, width = digits.min(9)),
        Err(_) => format!("{name} 2"),
    }
}
