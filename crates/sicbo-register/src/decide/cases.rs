//! Cases: who may open one, and who may take which step when.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::refuse_if;

use super::{Decision, Register, acting, check_reason, short};
use crate::case::{
    Answer, Case, CaseId, Kind, LONGEST_PROMISE_MS, MAX_NOTED, MAX_OPEN, MAX_OPEN_PER_STATION,
    MAX_REFUSED, MAX_STEPS, NewCase, Outcome, Standing, Step,
};
use crate::command::{Command, Party};
use crate::enrolment::Role;
use crate::event::Fact;
use crate::refusal::{Reason, Refusal};

/// Longest name of a camera, in bytes.
const LONGEST_CAMERA: usize = 60;

pub(super) fn open(register: &Register, command: &Command, new: &NewCase) -> Decision {
    match command.by {
        Party::House => {}
        Party::Person(id) => {
            let position = acting(register, id)?.position;
            let counterfeit = new.kind == Kind::Counterfeit && position == Position::Cashier;
            refuse_if!(!is_heard(position) && !counterfeit, Reason::NotAuthorised);
        }
        // A player disputes what happened at their own station.
        Party::Place(_) => {
            own_station(register, command, new)?;
            refuse_if!(new.kind != Kind::Dispute, Reason::NotAuthorised);
            let own = |case: &&Case| case.opened_by == command.by && case.is_open();
            if register.cases.values().filter(own).count() >= MAX_OPEN_PER_STATION {
                return Err(Reason::TooManyCases.into());
            }
        }
    }
    if command.by == Party::House || new.kind != Kind::Dispute {
        check_reason(&new.words)?;
    }
    short(&new.words, super::LONGEST_TEXT)?;
    let refused_fit = new.refused.iter().all(|refused| refused.code.len() <= 60);
    if new.refused.len() > MAX_REFUSED || !refused_fit || new.ladder.book.len() > 60 {
        return Err(Reason::TextTooLong { allowed: 60 }.into());
    }
    if register.open_cases().count() >= MAX_OPEN {
        return Err(Reason::TooManyCases.into());
    }
    Ok(vec![Fact::CaseOpened {
        case: CaseId(register.last_case + 1),
        new: Box::new(new.clone()),
    }])
}

pub(super) fn step(
    register: &Register,
    command: &Command,
    id: CaseId,
    acting_as: Option<Position>,
    step: &Step,
) -> Decision {
    let case = register.cases.get(&id).ok_or(Reason::UnknownCase)?;
    let now = case.standing();
    may(register, command, case, &now, acting_as, step)?;
    check(command.at_ms, case, &now, step)?;
    Ok(vec![Fact::CaseStepped {
        case: id,
        acting: acting_as,
        step: step.clone(),
    }])
}

/// Those who see what happens at tables and may say so.
fn is_heard(position: Position) -> bool {
    position.is_at_least(Position::Dealer)
        || matches!(
            position,
            Position::HeadOfOperations | Position::Surveillance
        )
}

/// The place that acts is the station the case is about.
fn own_station(register: &Register, command: &Command, new: &NewCase) -> Result<(), Refusal> {
    let Party::Place(id) = command.by else {
        return Err(Reason::NotAuthorised.into());
    };
    let place = register.enrolled(id).ok_or(Reason::EnrolmentRevoked)?;
    match &place.role {
        Role::Station { table, station }
            if *table == new.table && Some(*station) == new.station =>
        {
            Ok(())
        }
        _ => Err(Reason::NotYourStation.into()),
    }
}

/// Whether a position may take a step, as a case stands.
#[must_use]
pub(crate) fn position_may(case: &Case, now: &Standing, position: Position, step: &Step) -> bool {
    let (first, escalated) = case.rungs();
    let present = match now.escalated_ms {
        None => first,
        Some(_) => escalated,
    };
    match step {
        Step::Take
        | Step::Promise { .. }
        | Step::Decide { .. }
        | Step::DecideOnEach { .. }
        | Step::LinkAdjustment { .. }
        | Step::Answer { .. }
        | Step::Close { .. } => present.fits(position),
        Step::Escalate { .. } => first.fits(position) || escalated.fits(position),
        Step::TellRights | Step::NotifyAuthority { .. } | Step::Complain { .. } => {
            escalated.fits(position)
        }
        Step::Note { .. } | Step::Bookmark { .. } => is_heard(position),
        Step::CheckUv { .. } => {
            position.is_at_least(Position::Dealer) || position == Position::Cashier
        }
        Step::AcknowledgeNotice => position == Position::Surveillance,
    }
}

fn may(
    register: &Register,
    command: &Command,
    case: &Case,
    now: &Standing,
    acting_as: Option<Position>,
    step: &Step,
) -> Result<(), Refusal> {
    match command.by {
        Party::House => Err(Reason::NotAuthorised.into()),
        Party::Place(_) => {
            own_station(register, command, &case.new)?;
            match step {
                Step::Answer { answer } if *answer != Answer::Left && acting_as.is_none() => Ok(()),
                _ => Err(Reason::NotAuthorised.into()),
            }
        }
        Party::Person(id) => {
            let held = acting(register, id)?.position;
            let may = |position| position_may(case, now, position, step);
            // Surveillance watches and never acts for the table.
            let acts = acting_as.is_some_and(|position| {
                position.is_at_least(Position::Dealer)
                    && held.is_at_least(Position::Dealer)
                    && may(position)
            });
            if may(held) || acts {
                Ok(())
            } else {
                Err(Reason::NotAuthorised.into())
            }
        }
    }
}

/// Whether a step can be taken, as a case stands.
fn check(at_ms: i64, case: &Case, now: &Standing, step: &Step) -> Result<(), Refusal> {
    let wrong_state = Reason::WrongCaseState { state: now.word() };
    let dispute = case.new.kind == Kind::Dispute;
    refuse_if!(now.closed_ms.is_some(), wrong_state);
    let noted = matches!(step, Step::Note { .. } | Step::Bookmark { .. });
    let most = if noted { MAX_NOTED } else { MAX_STEPS };
    if case.entries.len() >= most && !matches!(step, Step::Close { .. }) {
        return Err(Reason::TooManySteps.into());
    }
    match step {
        Step::Take => refuse_if!(now.taken.is_some(), Reason::AlreadyDone),
        Step::Note { text } => check_reason(text)?,
        Step::Bookmark {
            camera,
            from_ms,
            to_ms,
            text,
        } => {
            check_reason(camera)?;
            short(camera, LONGEST_CAMERA)?;
            short(text, super::LONGEST_TEXT)?;
            let ends_before = to_ms.is_some_and(|to| to < *from_ms);
            refuse_if!(ends_before || *from_ms < 0, Reason::TimeInvalid);
        }
        Step::CheckUv { text, .. } => {
            short(text, super::LONGEST_TEXT)?;
            refuse_if!(case.new.kind != Kind::Counterfeit, Reason::NotInBook);
        }
        Step::Escalate { text } => {
            check_reason(text)?;
            let settled = matches!(
                now.answered,
                Some((_, Answer::Agrees | Answer::Left | Answer::Withdraws))
            );
            refuse_if!(now.escalated_ms.is_some() || settled, wrong_state);
        }
        Step::AcknowledgeNotice => {
            refuse_if!(now.escalated_ms.is_none(), wrong_state);
            refuse_if!(now.noticed_ms.is_some(), Reason::AlreadyDone);
        }
        Step::Promise { until_ms } => {
            refuse_if!(now.decided.is_some(), wrong_state);
            let ahead = until_ms.saturating_sub(at_ms);
            let promised = (1..=LONGEST_PROMISE_MS).contains(&ahead);
            refuse_if!(!promised, Reason::TimeInvalid);
        }
        Step::Decide { bases, text, .. } => {
            check_reason(text)?;
            let done = now.decided.is_some() || now.answered.is_some();
            refuse_if!(done, wrong_state);
            check_bases(case, bases)?;
            // Last of all: records of earlier programs lack only this.
            let listed = dispute && case.new.ladder.bases > 0;
            refuse_if!(listed, Reason::BasesUnanswered);
        }
        Step::DecideOnEach {
            bases,
            silent,
            text,
            ..
        } => {
            check_reason(text)?;
            let done = now.decided.is_some() || now.answered.is_some();
            refuse_if!(done, wrong_state);
            check_bases(case, bases)?;
            check_silent(case, bases, silent)?;
        }
        Step::LinkAdjustment { amount, .. } => {
            refuse_if!(now.decided.is_none(), wrong_state);
            refuse_if!(*amount == Money::ZERO, Reason::AmountNotPositive);
        }
        Step::Answer { answer } => {
            let early = now.decided.is_none() && *answer != Answer::Withdraws;
            let answered = now.answered.is_some();
            refuse_if!(!dispute || early || answered, wrong_state);
        }
        Step::TellRights => {
            refuse_if!(!now.is_unresolved(), wrong_state);
            refuse_if!(now.rights_told_ms.is_some(), Reason::AlreadyDone);
        }
        Step::NotifyAuthority { text } => {
            check_reason(text)?;
            refuse_if!(case.new.ladder.authority_days.is_none(), Reason::NotInBook);
            refuse_if!(!now.is_unresolved(), wrong_state);
            refuse_if!(now.authority_notified_ms.is_some(), Reason::AlreadyDone);
        }
        Step::Complain { text } => {
            check_reason(text)?;
            refuse_if!(now.rights_told_ms.is_none(), wrong_state);
            refuse_if!(now.complained_ms.is_some(), Reason::AlreadyDone);
        }
        Step::Close { text } => {
            check_reason(text)?;
            if dispute {
                may_close(at_ms, case, now)?;
            }
        }
    }
    Ok(())
}

/// quang-nam-table 8.4: a decision rests on one or more of the bases listed.
fn check_bases(case: &Case, bases: &[u8]) -> Result<(), Refusal> {
    let listed = case.new.ladder.bases;
    let in_order = bases.windows(2).all(|pair| pair[0] < pair[1]);
    if !in_order || bases.iter().any(|basis| *basis == 0 || *basis > listed) {
        return Err(Reason::UnknownBasis.into());
    }
    if case.new.kind == Kind::Dispute && listed > 0 && bases.is_empty() {
        return Err(Reason::BasisNeeded.into());
    }
    Ok(())
}

/// quang-nam-table 8.4: "must rest on" the eight bases. Some may be silent on a
/// case, but the record answers for each of them, once.
fn check_silent(case: &Case, bases: &[u8], silent: &[u8]) -> Result<(), Refusal> {
    let listed = case.new.ladder.bases;
    let in_order = silent.windows(2).all(|pair| pair[0] < pair[1]);
    let known = |basis: &u8| (1..=listed).contains(basis) && !bases.contains(basis);
    refuse_if!(!in_order || !silent.iter().all(known), Reason::UnknownBasis);
    if bases.len() + silent.len() < usize::from(listed) {
        return Err(Reason::BasesUnanswered.into());
    }
    Ok(())
}

/// A dispute is closed when the player accepts, or when everything the player
/// has a right to was done and its time has passed.
fn may_close(at_ms: i64, case: &Case, now: &Standing) -> Result<(), Refusal> {
    let state = || Err(Reason::WrongCaseState { state: now.word() }.into());
    match now.answered {
        None => state(),
        Some((_, Answer::Agrees | Answer::Left | Answer::Withdraws)) => Ok(()),
        Some((_, Answer::Disagrees)) => {
            let authority_told =
                case.new.ladder.authority_days.is_none() || now.authority_notified_ms.is_some();
            if !now.is_unresolved() || now.rights_told_ms.is_none() || !authority_told {
                return state();
            }
            match case.players_time_ms(now) {
                Some(until_ms) if now.complained_ms.is_none() && at_ms < until_ms => {
                    Err(Reason::ClockRunning { until_ms }.into())
                }
                _ => Ok(()),
            }
        }
    }
}

/// The steps a person may take now, as stable words.
#[must_use]
pub(crate) fn offered(case: &Case, positions: &[Position], now_ms: i64) -> Vec<&'static str> {
    let text = || "-".to_owned();
    let dispute = case.new.kind == Kind::Dispute;
    let decide = match case.new.ladder.bases {
        0 => Step::Decide {
            outcome: Outcome::Upheld,
            bases: Vec::new(),
            text: text(),
        },
        listed => Step::DecideOnEach {
            outcome: Outcome::Upheld,
            bases: (1..=listed).collect(),
            silent: Vec::new(),
            text: text(),
        },
    };
    let answer = match case.standing().decided {
        Some(_) => Answer::Agrees,
        None => Answer::Withdraws,
    };
    let steps = [
        Step::Take,
        Step::Note { text: text() },
        Step::Bookmark {
            camera: text(),
            from_ms: 0,
            to_ms: None,
            text: text(),
        },
        Step::CheckUv {
            genuine: true,
            text: text(),
        },
        Step::Escalate { text: text() },
        Step::AcknowledgeNotice,
        Step::Promise {
            until_ms: now_ms.saturating_add(1),
        },
        decide,
        Step::LinkAdjustment {
            sequence: 1,
            amount: sicbo_rules::Money::from_minor(1),
        },
        Step::Answer { answer },
        Step::TellRights,
        Step::NotifyAuthority { text: text() },
        Step::Complain { text: text() },
        Step::Close { text: text() },
    ];
    let now = case.standing();
    let mut may: Vec<&'static str> = steps
        .iter()
        .filter(|step| {
            positions
                .iter()
                .any(|held| position_may(case, &now, *held, step))
        })
        .filter(|step| check(now_ms, case, &now, step).is_ok())
        .map(Step::word)
        .collect();
    if !dispute {
        may.retain(|word| *word != "answer");
    }
    may
}
