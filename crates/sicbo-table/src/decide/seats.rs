//! Chips at a physical table: spoken bets, positions written down after the
//! close, what lies there when the cage opens, and changes made too late.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{LateAct, Matter, Positions as TakenAt};

use super::attest::claim;
use super::bets::{
    MAX_ACTS, PLACE, RECORD, bets_not_called, check_stakes, content_digest, known_bet, not_offered,
    right_means,
};
use super::{Decision, bets_closed, by_rule, may_go_on, named_round, seat};
use crate::authority::{self, DEALING};
use crate::command::{Command, IncidentKind, LateKind};
use crate::event::Fact;
use crate::ids::{BetId, PendingId, RoundNumber, StationId};
use crate::mutant;
use crate::open::Opened;
use crate::past;
use crate::pending::{Pending, Question};
use crate::positions::{Line, Means, Positions};
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::round::{CoverState, Phase, Round};
use crate::station::Station;

pub(super) fn call_bet(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
    lines: &[Line],
    chips_present: bool,
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    let means = Means::CashChips;
    let digest = content_digest(PLACE, means, lines);
    if table.is_over(number) {
        return past::registered(station, number, bet, digest).map(|()| Vec::new());
    }
    let round = named_round(table, number)?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    if known_bet(part, bet, digest)? {
        return Ok(Vec::new());
    }
    may_go_on(table, round)?;
    let play = &table.book.play;
    match round.phase {
        Phase::Betting => {}
        Phase::Prepared => return Err(bets_not_called()),
        Phase::Closing | Phase::Closed => {
            let refusal = bets_closed(table, LateKind::Placement);
            return Err(match &play.spoken_needs_chips {
                // 004 4.2: the dealer must have had time to place the chips.
                Some(spoken) => by_rule(table, refusal.reason, &spoken.cite),
                None => refusal,
            });
        }
    }
    refuse_if!(
        part.seen.len() >= MAX_ACTS,
        Reason::TooManyActs { allowed: MAX_ACTS }
    );
    if !chips_present {
        // 004 4.2: a spoken bet counts only with its chips. Where a document
        // says nothing of spoken bets, they rest on chips being the means.
        let spoken = play.spoken_needs_chips.as_ref().map(|spoken| &spoken.cite);
        let cite = spoken.unwrap_or(&play.form.cite);
        return Err(by_rule(table, Reason::ChipsNeeded, cite));
    }
    check_stakes(table, station, round, part, (means, lines), command.at_ms)?;
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
fn after_close<'t>(table: &'t Opened<'_>, number: RoundNumber) -> Result<&'t Round, Refusal> {
    let round = named_round(table, number)?;
    may_go_on(table, round)?;
    refuse_if!(round.phase != Phase::Closed, Reason::LateActNotAllowed);
    refuse_if!(round.confirmed.is_some(), Reason::AlreadyDone);
    Ok(round)
}

pub(super) fn record(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    bet: BetId,
    means: Means,
    lines: &[Line],
) -> Decision {
    let station = seat(table, id)?;
    let dealer = authority::require(table, command, DEALING)?;
    let digest = content_digest(RECORD, means, lines);
    if table.is_over(number) {
        return past::registered(station, number, bet, digest).map(|()| Vec::new());
    }
    let named = named_round(table, number)?;
    let part = named.station(id).ok_or(Reason::UnknownStation)?;
    // Said again because the answer was lost: the chips lie there once.
    if known_bet(part, bet, digest)? {
        return Ok(Vec::new());
    }
    let round = after_close(table, number)?;
    refuse_if!(
        part.seen.len() >= MAX_ACTS,
        Reason::TooManyActs { allowed: MAX_ACTS }
    );
    right_means(table, station, means)?;
    check_stakes(table, station, round, part, (means, lines), command.at_ms)?;
    if round.can_be_seen() && !mutant::off(table, "attested") {
        return claim(table, round, dealer, (id, bet), means, lines);
    }
    Ok(vec![Fact::PositionsRecorded {
        station: id,
        bet: Some(bet),
        means,
        lines: lines.to_vec(),
        dice_visible: false,
    }])
}

/// The dealer decides on bets, but never unseen.
pub(super) fn supervisor_informed(note: String) -> Fact {
    Fact::IncidentRaised {
        kind: IncidentKind::CallSupervisor,
        note,
    }
}

/// How the chips of one means lie now. Nothing may have changed since the close:
/// a difference is what somebody did too late, and moves no money. Where the book
/// lets the dealer decide a bet by its position, they rule that what lay there at
/// the close is restored (004 4.6); elsewhere each change has its consequence.
pub(super) fn observe(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    means: Means,
    lines: &[Line],
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    let round = after_close(table, number)?;
    let play = &table.book.play;
    if round.cover != CoverState::Uncovered {
        return Err(by_rule(table, Reason::UncoverFirst, &play.positions.cite));
    }
    if lines.len() > super::bets::MAX_LINES {
        return Err(Reason::TooManyLines {
            allowed: super::bets::MAX_LINES,
        }
        .into());
    }
    right_means(table, station, means)?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    check_observed(table, station, means, lines)?;
    let mut seen: Vec<Line> = lines.to_vec();
    seen.sort_by_key(|line| line.section);
    let observed = Fact::PositionsObserved {
        station: id,
        means,
        lines: lines.to_vec(),
    };
    if seen == part.of(means).sorted() {
        return Ok(vec![observed]);
    }
    let informed = supervisor_informed(format!(
        "{}: chips changed place after the close",
        station.name
    ));
    if play.positions.is == TakenAt::AtUncovering {
        let pending = bet_status(table, round, id);
        return Ok(vec![observed, informed, Fact::DecisionRaised { pending }]);
    }
    // Said before: what was done too late is on record once.
    if round.observed.get(&(id, means)) == Some(&seen) {
        return Ok(vec![observed]);
    }
    let mut facts = changes(table, id, means, part.of(means), &seen)?;
    facts.extend([observed, informed]);
    Ok(facts)
}

/// What was done too late, section by section, with its consequence.
fn changes(
    table: &Opened<'_>,
    id: StationId,
    means: Means,
    at_close: &Positions,
    seen: &[Line],
) -> Decision {
    let mut now = Positions::default();
    for line in seen {
        now.add(line.section, line.stake);
    }
    let gone = at_close.sorted();
    let gone = gone
        .iter()
        .filter(|line| !now.on(line.section).is_positive());
    let mut facts = Vec::new();
    for line in seen.iter().chain(gone) {
        let (section, was) = (line.section, at_close.on(line.section));
        let is = now.on(section);
        let (late, stake) = match was {
            _ if is == was => continue,
            _ if is < was => (LateKind::Withdrawal, was - is),
            was if was.is_positive() => (LateKind::Increase, is - was),
            _ => (LateKind::Placement, is),
        };
        let (consequence, rule) = consequence(table, late)?;
        facts.push(Fact::LateActRecorded {
            station: id,
            late,
            means: Some(means),
            line: Line { section, stake },
            consequence,
            rule,
        });
    }
    Ok(facts)
}

/// What a late change comes to. A book of an earlier program may leave it to the
/// dealer; no ruling can make a late bet count or a withdrawn one not (004 4.4,
/// Q-39), so what there is to rule is ruled here.
fn consequence(table: &Opened<'_>, kind: LateKind) -> Result<(LateAct, String), Refusal> {
    let book = table.book;
    let rule = match kind {
        LateKind::Placement => &book.late.placement,
        LateKind::Increase => &book.late.increase,
        LateKind::Withdrawal => &book.late.withdrawal,
    };
    let is = match (rule.is, kind) {
        (LateAct::DealerDecides, LateKind::Placement) => LateAct::Refused,
        (LateAct::DealerDecides, LateKind::Increase) => LateAct::IncreaseRefused,
        (LateAct::DealerDecides, LateKind::Withdrawal) => LateAct::BetStands,
        (is, _) => is,
    };
    Ok((is, table.cite(&rule.cite)))
}

/// Observed chips must be on sections that exist, each once, in whole steps.
fn check_observed(
    table: &Opened<'_>,
    station: &Station,
    means: Means,
    lines: &[Line],
) -> Result<(), Refusal> {
    let config = table.config;
    let colour = station.colour.as_ref().map(|colour| colour.value);
    let colour = colour.filter(|_| means == Means::ColourChips);
    for (i, line) in lines.iter().enumerate() {
        if !config.book.layouts[station.layout].offers(line.section) {
            return Err(not_offered(table, station, line.section));
        }
        let limit = config.limits.of(line.section.kind());
        refuse_if!(!line.stake.is_positive(), Reason::StakeNotPositive);
        let off = |unit: Money| line.stake.minor() % unit.minor() != 0;
        if off(limit.step) || colour.is_some_and(off) {
            let step = colour.map_or(limit.step, |value| value.max(limit.step));
            return Err(Reason::StakeOffStep { step }.into());
        }
        let repeated = lines[..i].iter().any(|other| other.section == line.section);
        if repeated || line.stake > limit.maximum {
            let maximum = limit.maximum;
            return Err(Reason::StakeAboveMaximum {
                section: line.section,
                maximum,
                already: Money::ZERO,
            }
            .into());
        }
    }
    Ok(())
}

fn bet_status(table: &Opened<'_>, round: &Round, station: StationId) -> Pending {
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
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
    kind: LateKind,
    (means, line): (Means, Line),
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    let round = after_close(table, number)?;
    right_means(table, station, means)?;
    check_observed(table, station, means, &[line])?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    let there = part.of(means).on(line.section);
    if kind == LateKind::Withdrawal && line.stake > there {
        return Err(Reason::NotThatMuchThere {
            section: line.section,
            there,
        }
        .into());
    }
    let (consequence, rule) = consequence(table, kind)?;
    let mut facts = vec![Fact::LateActRecorded {
        station: id,
        late: kind,
        means: Some(means),
        line,
        consequence,
        rule,
    }];
    let play = &table.book.play;
    if play.positions.is == TakenAt::AtUncovering {
        // the incident is logged and the supervisor told.
        facts.push(supervisor_informed(format!(
            "{}: a bet was changed after the close",
            station.name
        )));
    }
    Ok(facts)
}
