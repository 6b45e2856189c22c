//! Chips at a physical table: spoken bets, positions written down after the
//! close, what lies there when the cage opens, and changes made too late.

use sicbo_rules::rulebook::words::{LateAct, Matter, Positions as TakenAt};

use super::bets::{
    MOST_ACTS, PLACE, RECORD, bets_not_called, check_stakes, content_digest, right_means,
};
use super::{Decision, bets_closed, by_rule, may_go_on, named_round, seat};
use crate::authority::{self, DEALING};
use crate::command::{Command, IncidentKind, LateKind};
use crate::event::Fact;
use crate::ids::{BetId, PendingId, RoundNumber, StationId};
use crate::pending::{Pending, Question};
use crate::positions::{Line, Means};
use crate::refusal::{Reason, Refusal};
use crate::round::{CoverState, Phase, Round};
use crate::table::Table;

pub(super) fn call_bet(
    table: &Table,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
    lines: &[Line],
    chips_present: bool,
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    let round = named_round(table, number)?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    let means = Means::CashChips;
    match part.seen.get(&bet.0) {
        Some(known) if *known == content_digest(PLACE, means, lines) => return Ok(Vec::new()),
        Some(_) => return Err(Reason::BetIdReused.into()),
        None => {}
    }
    may_go_on(table, round)?;
    match round.phase {
        Phase::Betting => {}
        Phase::Prepared => return Err(bets_not_called()),
        Phase::Closing | Phase::Closed => return Err(bets_closed(table, LateKind::Placement)),
    }
    if part.seen.len() >= MOST_ACTS {
        return Err(Reason::TooManyActs { allowed: MOST_ACTS }.into());
    }
    if !chips_present {
        // 004 4.2: a spoken bet counts only with its chips. No fact of a book
        // speaks of spoken bets; that chips are the means is what they rest on.
        let form = &table.book().ok_or(Reason::TableNotOpen)?.play.form;
        return Err(by_rule(table, Reason::ChipsNeeded, &form.cite));
    }
    check_stakes(table, station, round, part, means, lines)?;
    Ok(vec![Fact::BetsPlaced {
        station: id,
        bet,
        means,
        lines: lines.to_vec(),
        called: true,
    }])
}

/// The round after its close and before its result is confirmed, with nothing
/// that holds it up.
fn after_close(table: &Table, number: RoundNumber) -> Result<&Round, Refusal> {
    let round = named_round(table, number)?;
    may_go_on(table, round)?;
    if round.phase != Phase::Closed {
        return Err(Reason::LateActNotAllowed.into());
    }
    if round.confirmed.is_some() {
        return Err(Reason::AlreadyDone.into());
    }
    Ok(round)
}

pub(super) fn record(
    table: &Table,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
    means: Means,
    lines: &[Line],
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    let named = named_round(table, number)?;
    let part = named.station(id).ok_or(Reason::UnknownStation)?;
    // Said again because the answer was lost: the chips lie there once.
    match part.seen.get(&bet.0) {
        Some(known) if *known == content_digest(RECORD, means, lines) => return Ok(Vec::new()),
        Some(_) => return Err(Reason::BetIdReused.into()),
        None => {}
    }
    let round = after_close(table, number)?;
    if part.seen.len() >= MOST_ACTS {
        return Err(Reason::TooManyActs { allowed: MOST_ACTS }.into());
    }
    right_means(station, means)?;
    check_stakes(table, station, round, part, means, lines)?;
    let dice_visible = round.cover != CoverState::Covered;
    let mut facts = vec![Fact::PositionsRecorded {
        station: id,
        bet: Some(bet),
        means,
        lines: lines.to_vec(),
        dice_visible,
    }];
    if dice_visible {
        let what = format!(
            "{}: chips written down after the dice were seen",
            station.name
        );
        facts.push(supervisor_informed(what));
    }
    Ok(facts)
}

/// The dealer decides on bets, but never unseen.
fn supervisor_informed(note: String) -> Fact {
    Fact::IncidentRaised {
        kind: IncidentKind::CallSupervisor,
        note,
    }
}

pub(super) fn observe(
    table: &Table,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    lines: &[Line],
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    let round = after_close(table, number)?;
    let play = &table.book().ok_or(Reason::TableNotOpen)?.play;
    if play.positions.is != TakenAt::AtUncovering {
        return Err(by_rule(
            table,
            Reason::PositionsAtClose,
            &play.positions.cite,
        ));
    }
    if round.cover != CoverState::Uncovered {
        return Err(by_rule(table, Reason::UncoverFirst, &play.positions.cite));
    }
    if lines.len() > super::bets::MOST_LINES {
        return Err(Reason::TooManyLines {
            allowed: super::bets::MOST_LINES,
        }
        .into());
    }
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    check_observed(table, station.layout, lines)?;
    let mut facts = vec![Fact::PositionsObserved {
        station: id,
        lines: lines.to_vec(),
    }];
    let mut seen: Vec<Line> = lines.to_vec();
    seen.sort_by_key(|line| line.section);
    if seen != part.positions.sorted() {
        // nothing may change between, so a difference needs the dealer's ruling.
        facts.push(supervisor_informed(format!(
            "{}: chips changed place after the close",
            station.name
        )));
        facts.push(Fact::DecisionRaised {
            pending: bet_status(table, round, id),
        });
    }
    Ok(facts)
}

/// Observed chips must be on sections that exist, each once, in whole steps.
fn check_observed(table: &Table, layout: usize, lines: &[Line]) -> Result<(), Refusal> {
    let config = table.config.as_deref().ok_or(Reason::TableNotOpen)?;
    for (i, line) in lines.iter().enumerate() {
        if !config.book.layouts[layout].offers(line.section) {
            return Err(Reason::NotOffered {
                section: line.section,
            }
            .into());
        }
        let limit = config.limits.of(line.section.kind());
        if !line.stake.is_positive() {
            return Err(Reason::StakeNotPositive.into());
        }
        if line.stake.minor() % limit.step.minor() != 0 {
            return Err(Reason::StakeOffStep { step: limit.step }.into());
        }
        let repeated = lines[..i].iter().any(|other| other.section == line.section);
        if repeated || line.stake > limit.maximum {
            let maximum = limit.maximum;
            return Err(Reason::StakeAboveMaximum {
                section: line.section,
                maximum,
                already: sicbo_rules::Money::ZERO,
            }
            .into());
        }
    }
    Ok(())
}

fn bet_status(table: &Table, round: &Round, station: StationId) -> Pending {
    let needed = authority::decider(table, Matter::BetStatus);
    Pending {
        id: PendingId(table.next_pending.0),
        round: Some(round.number),
        question: Question::BetStatus { station },
        rule: authority::decider_rule(table, Matter::BetStatus).unwrap_or_default(),
        by: needed.position,
        or_above: needed.or_above,
        persons: 1,
    }
}

pub(super) fn late(
    table: &Table,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    kind: LateKind,
    line: Line,
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    let round = after_close(table, number)?;
    check_observed(table, station.layout, &[line])?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    let book = table.book().ok_or(Reason::TableNotOpen)?;
    let rule = match kind {
        LateKind::Placement => &book.late.placement,
        LateKind::Increase => &book.late.increase,
        LateKind::Withdrawal => &book.late.withdrawal,
    };
    // The dealer rules by where the chips lay when the cage was opened (004
    // 4.5, 4.6): what moves after that changes nothing.
    let too_late = rule.is == LateAct::DealerDecides && round.cover != CoverState::Covered;
    let (consequence, cite) = match (too_late, kind) {
        (false, _) => (rule.is, &rule.cite),
        (true, LateKind::Withdrawal) => (LateAct::BetStands, &book.play.positions.cite),
        (true, _) => (LateAct::Refused, &book.play.positions.cite),
    };
    let colour = part.colour_positions.on(line.section);
    let there = match consequence {
        // A ruling can move cash chips only.
        LateAct::DealerDecides => part.positions.on(line.section),
        _ => part.positions.on(line.section) + colour,
    };
    if kind == LateKind::Withdrawal && line.stake > there {
        return Err(Reason::NotThatMuchThere {
            section: line.section,
            there,
        }
        .into());
    }
    let mut facts = vec![Fact::LateActRecorded {
        station: id,
        late: kind,
        line,
        consequence,
        rule: table.cite(cite),
    }];
    if consequence == LateAct::DealerDecides {
        facts.push(Fact::DecisionRaised {
            pending: bet_status(table, round, id),
        });
    }
    Ok(facts)
}
