//! Reading the dice, confirming the result and settling the round.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Dice, Money};

use super::play::closed_round;
use super::{Decision, by_rule, round};
use crate::actor::{Actor, Device};
use crate::authority::{self, DEALING, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Ruling};
use crate::config::SecondReading;
use crate::event::Fact;
use crate::ids::{PendingId, StationId};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Pending, Question};
use crate::record::returns_digest;
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::round::{CoverState, Phase, Round, Tumble};

/// The round with dice that can be seen.
fn visible_round<'t>(table: &'t Opened<'_>) -> Result<&'t Round, Refusal> {
    let round = closed_round(table)?;
    let play = &table.book.play;
    if !matches!(round.tumble, Tumble::Valid { .. }) {
        return Err(by_rule(
            table,
            Reason::TumbleFirst,
            &play.minimum_tumbles.cite,
        ));
    }
    if round.cover == CoverState::Covered {
        return Err(by_rule(table, Reason::UncoverFirst, &play.cover.cite));
    }
    Ok(round)
}

/// The round with dice that were seen to lie flat.
fn flat_round<'t>(table: &'t Opened<'_>) -> Result<&'t Round, Refusal> {
    let round = visible_round(table)?;
    if !round.flat && !mutant::off(table, "flat-first") {
        let play = &table.book.play;
        return Err(by_rule(table, Reason::FlatFirst, &play.flat_check.cite));
    }
    Ok(round)
}

/// The same, with no confirmed result yet.
fn readable_round<'t>(table: &'t Opened<'_>) -> Result<&'t Round, Refusal> {
    let round = flat_round(table)?;
    refuse_if!(round.confirmed.is_some(), Reason::AlreadyDone);
    Ok(round)
}

pub(super) fn confirm_flat(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, DEALING)?;
    let round = visible_round(table)?;
    if round.flat {
        Err(Reason::AlreadyDone.into())
    } else {
        Ok(vec![Fact::FlatConfirmed])
    }
}

pub(super) fn key(table: &Opened<'_>, command: &Command, dice: Dice) -> Decision {
    let dealer = authority::require(table, command, DEALING)?;
    let round = readable_round(table)?;
    // The two readings are independent whichever came first.
    if round.second.and_then(|reading| reading.by) == Some(dealer.person) {
        return Err(Reason::SamePersonTwice.into());
    }
    Ok(vec![Fact::DiceKeyed { dice }])
}

pub(super) fn clear_keys(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, DEALING)?;
    let round = readable_round(table)?;
    if round.keyed.is_none() {
        Err(Reason::DiceFirst.into())
    } else {
        Ok(vec![Fact::KeysCleared])
    }
}

pub(super) fn read_second(table: &Opened<'_>, command: &Command, dice: Dice) -> Decision {
    let person = match command.by {
        Actor::Device(Device::DiceReader) => None,
        _ => Some(authority::require(table, command, SUPERVISING)?.person),
    };
    let round = flat_round(table)?;
    // Independent: not by the one who keyed the dice.
    if person.is_some() && round.keyed.and_then(|reading| reading.by) == person {
        return Err(Reason::SamePersonTwice.into());
    }
    let mut facts = vec![Fact::SecondRead { dice }];
    // Confirmed but not yet paid (004): lights that show a wrongly keyed
    // result are wrong, and the dice prevail (7.7).
    if let Some(confirmed) = round.confirmed
        && confirmed.sorted() != dice.sorted()
    {
        facts.push(Fact::DecisionRaised {
            pending: disagreement(table, round),
        });
    }
    Ok(facts)
}

/// What every station gets back, in the order of stations, and all of it
/// together; none when a stake cannot be paid exactly.
pub(crate) fn returns(
    table: &Opened<'_>,
    round: &Round,
    dice: Dice,
) -> Option<(Vec<(StationId, Money)>, Money)> {
    let rows: Vec<&[u16; 128]> = table
        .book
        .layouts
        .iter()
        .map(|layout| layout.settlement().row(dice))
        .collect();
    let mut all = Vec::new();
    let mut sum = 0i64;
    for (i, (station, part)) in table.stations.iter().zip(&round.stations).enumerate() {
        if !part.takes_part() {
            continue;
        }
        let row = rows[station.layout];
        let mut twice = 0i64;
        for line in part
            .positions
            .lines()
            .iter()
            .chain(part.colour_positions.lines())
        {
            twice += line.stake.minor() * i64::from(row[line.section.index()]);
        }
        if twice % 2 != 0 {
            return None;
        }
        sum += twice / 2;
        all.push((StationId(i as u32), Money::from_minor(twice / 2)));
    }
    Some((all, Money::from_minor(sum)))
}

/// What every station gets back of bets that were taken: limits and steps make
/// every stake one that can be paid exactly.
fn owed(table: &Opened<'_>, round: &Round, dice: Dice) -> (Vec<(StationId, Money)>, Money) {
    returns(table, round, dice).expect("every stake can be paid exactly")
}

/// The round is settled by these dice, and what must follow.
fn settled(table: &Opened<'_>, round: &Round, dice: Dice) -> Vec<Fact> {
    let (all, returned) = owed(table, round, dice);
    let digest = returns_digest(all.into_iter());
    let mut facts = vec![Fact::RoundSettled {
        dice,
        staked: round.exposure.staked(),
        returned,
        digest,
    }];
    facts.extend(suspension(table, round));
    facts
}

/// A device failed in this round: play stops when it has ended (004 7.1, Q-35).
pub(super) fn suspension(table: &Opened<'_>, round: &Round) -> Vec<Fact> {
    let failure = table.book.interruption.device_failure.as_ref();
    let due = round.suspend_after && table.device_failure().is_none();
    let Some(failure) = failure.filter(|_| due) else {
        return Vec::new();
    };
    let pending = Pending {
        id: PendingId(table.next_pending.0),
        round: None,
        question: Question::DeviceFailure,
        rule: table.cite(&failure.cite),
        by: failure.resume_by,
        or_above: false,
        persons: 1,
    };
    vec![
        Fact::TableSuspended {
            reason: "a device failed".to_owned(),
        },
        Fact::DecisionRaised { pending },
    ]
}

pub(super) fn confirm(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, DEALING)?;
    let round = readable_round(table)?;
    let keyed = round.keyed.ok_or(Reason::DiceFirst)?;
    let config = table.config;
    let wanted = match config.second_reading {
        SecondReading::Never => false,
        SecondReading::Always => true,
        SecondReading::AbovePayout(limit) => owed(table, round, keyed.dice).1 > limit,
    };
    match round.second {
        None if wanted && !mutant::off(table, "second-reading") => {
            return Err(Reason::SecondReadingNeeded.into());
        }
        Some(second) if second.dice.sorted() != keyed.dice.sorted() => {
            return Ok(vec![Fact::DecisionRaised {
                pending: disagreement(table, round),
            }]);
        }
        _ => {}
    }
    Ok(confirmed(table, round, keyed.dice))
}

/// Confirmed: paid at once, or once the winning areas are lit.
fn confirmed(table: &Opened<'_>, round: &Round, dice: Dice) -> Vec<Fact> {
    let lit = table.book.play.lit_layout.as_ref();
    if lit.is_some_and(|lit| lit.is) {
        vec![Fact::ResultConfirmed { dice }]
    } else {
        settled(table, round, dice)
    }
}

fn disagreement(table: &Opened<'_>, round: &Round) -> Pending {
    Pending {
        id: PendingId(table.next_pending.0),
        round: Some(round.number),
        question: Question::ReadingsDisagree,
        rule: table.cite(&table.book.corrections.wrong_result.cite),
        by: Position::PitSupervisor,
        or_above: true,
        persons: 2,
    }
}

pub(super) fn resolve(
    table: &Opened<'_>,
    command: &Command,
    id: PendingId,
    dice: Dice,
) -> Decision {
    authority::require_two(table, command, SUPERVISING, TABLE_STAFF)?;
    let pending = table
        .pending
        .iter()
        .find(|pending| pending.id == id && pending.question == Question::ReadingsDisagree)
        .ok_or(Reason::NoSuchDecision)?;
    let round = round(table)?;
    // What else holds the round, such as an interruption since, comes first.
    let other = |waits: &&Pending| waits.id != id && waits.question.holds_round();
    if let Some(waits) = table.pending.iter().find(other) {
        return Err(Reason::DecisionPending { pending: waits.id }.into());
    }
    let mut facts = vec![
        Fact::DecisionTaken {
            pending: pending.id,
            ruling: Ruling::Accept,
            reason: format!("both persons read {dice}"),
        },
        Fact::ReadingsAgreed { dice },
    ];
    facts.extend(confirmed(table, round, dice));
    Ok(facts)
}

fn lit_round<'t>(table: &'t Opened<'_>) -> Result<(&'t Round, Dice), Refusal> {
    let book = table.book;
    if !book.play.lit_layout.as_ref().is_some_and(|lit| lit.is) {
        return Err(Reason::NoLights.into());
    }
    let round = closed_round(table)?;
    assert!(round.phase == Phase::Closed, "settled before the close");
    let dice = round.confirmed.ok_or(Reason::DiceFirst)?;
    Ok((round, dice))
}

pub(super) fn report_lights(table: &Opened<'_>, command: &Command, lit: bool) -> Decision {
    if command.by != Actor::Device(Device::Lights) {
        authority::require(table, command, DEALING)?;
    }
    let (round, _) = lit_round(table)?;
    refuse_if!(round.lights.is_some(), Reason::AlreadyDone);
    let mut facts = vec![Fact::LightsReported { lit }];
    if !lit {
        // 004 7.7: the dice decide; 7.1: then play stops until approved.
        facts.extend(super::interruption::lights_failed(table, command.at_ms));
    }
    Ok(facts)
}

pub(super) fn take_and_pay(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, DEALING)?;
    let (round, dice) = lit_round(table)?;
    if round.lights.is_none() && !mutant::off(table, "lights-first") {
        let book = table.book;
        let cite = book.play.lit_layout.as_ref().ok_or(Reason::NoLights)?;
        return Err(by_rule(table, Reason::LightsFirst, &cite.cite));
    }
    Ok(settled(table, round, dice))
}
