//! Opening and closing the table, stations, limits, dice, acting persons.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Form, Matter, Position};
use sicbo_rules::{Layout, Money, RuleBook};

use super::{Decision, by_house, checked_text, station};
use crate::actor::{Actor, Staff};
use crate::authority::{self, MANAGING, SUPERVISING};
use crate::command::{Command, NewStation};
use crate::config::{Config, Limits};
use crate::event::{Fact, RulesRevision};
use crate::grant::PlayGrant;
use crate::ids::{PersonId, StationId};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Pending, Question};
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::station::{Link, StationKind};
use crate::table::{Status, Table};

/// The most stations a table may have.
pub(super) const MAX_STATIONS: usize = 1_000_000;

/// The house itself, or staff in a needed position; before a book is in force
/// positions count as they are held.
fn house_or(table: &Table, command: &Command, needed: authority::Needed) -> Result<(), Refusal> {
    match command.by {
        Actor::House => Ok(()),
        _ => authority::require(table, command, needed).map(|_| ()),
    }
}

fn layouts_used<'b, 'n>(
    book: &'b RuleBook,
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<&'b Layout>, Refusal> {
    let mut used: Vec<&Layout> = Vec::new();
    for name in names {
        let layout = book.layout(name).ok_or_else(|| Reason::LayoutMissing {
            layout: name.chars().take(40).collect(),
        })?;
        if !used.iter().any(|known| known.id == layout.id) {
            used.push(layout);
        }
    }
    Ok(used)
}

/// A game at terminals has no seats and one with chips no terminals: where the
/// document says how it is played, it is the only means.
fn kinds_fit(book: &RuleBook, mut kinds: impl Iterator<Item = StationKind>) -> Result<(), Refusal> {
    let form = &book.play.form;
    let right = match form.is {
        Form::Electronic => StationKind::Terminal,
        Form::Table => StationKind::Seat,
    };
    match kinds.find(|kind| *kind != right) {
        None => Ok(()),
        Some(kind) => Err(Refusal {
            reason: Reason::StationDoesNotFit { kind },
            rule: Some(form.cite.full(book.id())),
        }),
    }
}

/// What kinds of station are in use.
fn kinds_now(table: &Table) -> impl Iterator<Item = StationKind> + '_ {
    let stations = table.stations.iter().filter(|station| !station.removed);
    stations.map(|station| station.kind)
}

pub(super) fn open(
    table: &Table,
    command: &Command,
    config: &Config,
    stations: &[NewStation],
) -> Decision {
    refuse_if!(table.status != Status::Closed, Reason::TableAlreadyOpen);
    house_or(table, command, SUPERVISING)?;
    // A table that opens again keeps its stations; new ones are added by name.
    let kept = table.stations.iter().filter(|station| !station.removed);
    let kept = kept.filter_map(|station| table.layout_of(station).map(|layout| layout.id.as_str()));
    let used = layouts_used(
        &config.book,
        stations
            .iter()
            .map(|station| station.layout.as_str())
            .chain(kept),
    )?;
    let new = stations.iter().map(|station| station.kind);
    kinds_fit(&config.book, new.chain(kinds_now(table)))?;
    let mut faults = Vec::new();
    faults.extend(config.faults(&used));
    if stations.len() + table.stations.len() > MAX_STATIONS {
        faults.push(format!("at most {MAX_STATIONS} stations"));
    }
    let mut seen = std::collections::BTreeSet::new();
    for station in stations {
        let known = table.station_named(&station.name).is_some();
        if station.name.is_empty() || station.name.len() > 64 {
            faults.push("a station's name must have 1 to 64 characters".to_owned());
        } else if known || !seen.insert(&station.name) {
            faults.push(format!("station {:?} is named twice", station.name));
        }
    }
    if let Some(known) = &table.config
        && known.currency != config.currency
    {
        faults.push("a table keeps its currency".to_owned());
    }
    refuse_if!(!faults.is_empty(), Reason::ConfigFaulty { faults });
    Ok(vec![Fact::TableOpened {
        config: Box::new(config.clone()),
        stations: stations.to_vec(),
        rules: RulesRevision::CURRENT,
    }])
}

pub(super) fn add_station(table: &Opened<'_>, command: &Command, new: &NewStation) -> Decision {
    house_or(table, command, SUPERVISING)?;
    let config = table.config;
    // It must fit what is in force and what the next round will be played with.
    let changes = table.next_book.is_some() || table.next_limits.is_some();
    let next = changes.then(|| next_config(table, config));
    let mut faults = Vec::new();
    for config in std::iter::once(config).chain(&next) {
        let used = layouts_used(&config.book, std::iter::once(new.layout.as_str()))?;
        kinds_fit(&config.book, std::iter::once(new.kind))?;
        faults.extend(config.faults(&used));
    }
    if new.name.is_empty() || new.name.len() > 64 || table.station_named(&new.name).is_some() {
        faults.push(format!(
            "station {:?} is named twice, or its name is not 1 to 64 characters",
            new.name
        ));
    }
    if table.stations.len() >= MAX_STATIONS {
        faults.push(format!("at most {MAX_STATIONS} stations"));
    }
    refuse_if!(!faults.is_empty(), Reason::ConfigFaulty { faults });
    Ok(vec![Fact::StationAdded {
        station: new.clone(),
    }])
}

/// The set-up the next round will have.
pub(super) fn next_config(table: &Opened<'_>, config: &Config) -> Config {
    let mut next = config.clone();
    if let Some(limits) = &table.next_limits {
        next.limits = (**limits).clone();
    }
    if let Some(book) = &table.next_book {
        next.book = book.clone();
    }
    next
}

pub(super) fn remove_station(table: &Opened<'_>, command: &Command, id: StationId) -> Decision {
    let empty = |station: &crate::station::Station| {
        station.credit == Money::ZERO && station.at_risk == Money::ZERO
    };
    let station = station(table, id)?;
    house_or(table, command, SUPERVISING)?;
    refuse_if!(table.round.is_some(), Reason::RoundInHand);
    refuse_if!(!empty(station), Reason::StationNotEmpty);
    Ok(vec![Fact::StationRemoved { station: id }])
}

pub(super) fn announce_last_round(table: &Opened<'_>, command: &Command) -> Decision {
    house_or(table, command, authority::TABLE_STAFF)?;
    refuse_if!(table.last_round_announced.is_some(), Reason::AlreadyDone);
    Ok(vec![Fact::LastRoundAnnounced])
}

/// When a table closes is the pit's to say, and so is that it does not.
pub(super) fn take_back_last_round(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, SUPERVISING)?;
    refuse_if!(
        table.last_round_announced.is_none(),
        Reason::LastRoundNotAnnounced
    );
    Ok(vec![Fact::LastRoundTakenBack])
}

pub(super) fn close_table(table: &Opened<'_>, command: &Command) -> Decision {
    house_or(table, command, SUPERVISING)?;
    refuse_if!(table.round.is_some(), Reason::RoundInHand);
    // S-07: players are told before the last round. A suspended table may
    // close as it is: there will be no further round.
    if table.last_round_announced != Some(true) && table.status != Status::Suspended {
        return Err(Reason::LastRoundNotAnnounced.into());
    }
    Ok(vec![Fact::TableClosed])
}

pub(super) fn suspend(table: &Opened<'_>, command: &Command, reason: &str) -> Decision {
    house_or(table, command, SUPERVISING)?;
    checked_text(reason)?;
    refuse_if!(table.status == Status::Suspended, Reason::AlreadyDone);
    Ok(vec![Fact::TableSuspended {
        reason: reason.to_owned(),
    }])
}

pub(super) fn resume(table: &Opened<'_>, command: &Command) -> Decision {
    refuse_if!(table.status != Status::Suspended, Reason::NotSuspended);
    // After a device failure only whom the book names may let play go on (004 7.1).
    if let Some(pending) = table.device_failure() {
        let needed = authority::decider(table, Matter::ResumeAfterDeviceFailure);
        authority::require(table, command, needed).map_err(|refusal| Refusal {
            rule: Some(pending.rule.clone()),
            ..refusal
        })?;
        return Ok(vec![
            Fact::DecisionTaken {
                pending: pending.id,
                ruling: crate::command::Ruling::Accept,
                reason: "play may resume".to_owned(),
            },
            Fact::TableResumed,
        ]);
    }
    authority::require(table, command, SUPERVISING)?;
    Ok(vec![Fact::TableResumed])
}

fn used_now<'b>(table: &Opened<'_>, book: &'b RuleBook) -> Result<Vec<&'b Layout>, Refusal> {
    let stations = table.stations.iter().filter(|station| !station.removed);
    let names =
        stations.filter_map(|station| table.layout_of(station).map(|layout| layout.id.as_str()));
    layouts_used(book, names)
}

pub(super) fn change_limits(table: &Opened<'_>, command: &Command, limits: &Limits) -> Decision {
    super::cash::limits_within(table, command, limits.exposure_maximum)?;
    let config = table.config;
    let next = Config {
        limits: limits.clone(),
        ..next_config(table, config)
    };
    let faults = next.faults(&used_now(table, &next.book)?);
    refuse_if!(!faults.is_empty(), Reason::ConfigFaulty { faults });
    Ok(vec![Fact::LimitsScheduled {
        limits: Box::new(limits.clone()),
    }])
}

pub(super) fn change_rule_book(
    table: &Opened<'_>,
    command: &Command,
    book: &Arc<RuleBook>,
) -> Decision {
    house_or(table, command, MANAGING)?;
    let config = table.config;
    let used = used_now(table, book)?;
    kinds_fit(book, kinds_now(table))?;
    let next = Config {
        book: book.clone(),
        ..next_config(table, config)
    };
    let faults = next.faults(&used);
    refuse_if!(!faults.is_empty(), Reason::ConfigFaulty { faults });
    Ok(vec![Fact::RuleBookScheduled { book: book.clone() }])
}

pub(super) fn change_dice(table: &Opened<'_>, command: &Command, dice_set: &str) -> Decision {
    authority::require_custody(table, command)?;
    checked_text(dice_set)?;
    refuse_if!(table.round.is_some(), Reason::RoundInHand);
    // Dice that are being read again stay where they lie.
    let mut waiting = table.pending.iter();
    let read_again =
        |pending: &&Pending| matches!(pending.question, Question::CorrectionProposed { .. });
    if let Some(pending) = waiting.find(read_again)
        && !mutant::off(table, "read-dice-stay")
    {
        return Err(Reason::DecisionPending {
            pending: pending.id,
        }
        .into());
    }
    let condemned = table.dice_condemned && table.config.dice_set == dice_set;
    if condemned || table.damaged.contains(dice_set) {
        return Err(Reason::DiceChangeNeeded.into());
    }
    Ok(vec![Fact::DiceChanged {
        dice_set: dice_set.to_owned(),
    }])
}

/// Whoever assigns must hold the position, or one above it, themselves.
fn may_assign(table: &Opened<'_>, command: &Command, position: Position) -> Result<(), Refusal> {
    let needed = match position.rung() {
        Some(0 | 1) => SUPERVISING,
        _ => authority::Needed {
            position,
            or_above: true,
        },
    };
    authority::require(table, command, needed).map(|_: Staff| ())
}

pub(super) fn assign_acting(
    table: &Opened<'_>,
    command: &Command,
    person: PersonId,
    position: Position,
) -> Decision {
    may_assign(table, command, position)?;
    if table.acting.contains(&(person, position)) {
        return Err(Reason::AlreadyDone.into());
    }
    Ok(vec![Fact::ActingAssigned { person, position }])
}

pub(super) fn end_acting(
    table: &Opened<'_>,
    command: &Command,
    person: PersonId,
    position: Position,
) -> Decision {
    may_assign(table, command, position)?;
    if !table.acting.contains(&(person, position)) {
        return Err(Reason::AlreadyDone.into());
    }
    Ok(vec![Fact::ActingEnded { person, position }])
}

pub(super) fn connect(table: &Opened<'_>, command: &Command, id: StationId) -> Decision {
    link(table, command, id, Link::Online)
}

pub(super) fn disconnect(table: &Opened<'_>, command: &Command, id: StationId) -> Decision {
    link(table, command, id, Link::Offline)
}

fn link(table: &Opened<'_>, command: &Command, id: StationId, link: Link) -> Decision {
    let station = station(table, id)?;
    refuse_if!(command.by != Actor::House, Reason::NotYourStation);
    if station.link == link {
        return Ok(Vec::new());
    }
    Ok(vec![match link {
        Link::Online => Fact::Connected { station: id },
        Link::Offline => Fact::Disconnected { station: id },
    }])
}

/// What the register lets whoever is at a station play for; it is the house
/// that reads the register.
pub(super) fn grant_play(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    grant: PlayGrant,
) -> Decision {
    let station = station(table, id)?;
    by_house(command)?;
    // Whoever it was for has left, or has it already.
    if grant.visit != station.visit.since || grant == station.play_grant() {
        return Ok(Vec::new());
    }
    Ok(vec![Fact::PlayGranted { station: id, grant }])
}

/// The machine's clock has parted from the house's. Said once until somebody
/// has looked.
pub(super) fn report_clock(table: &Opened<'_>, command: &Command, machine_ms: i64) -> Decision {
    by_house(command)?;
    match table.clock_parted {
        Some(_) => Ok(Vec::new()),
        None => Ok(vec![Fact::ClockParted { machine_ms }]),
    }
}

/// Somebody has looked. Who, stands in the house's register.
pub(super) fn set_clock(
    table: &Opened<'_>,
    command: &Command,
    was_ms: i64,
    is_ms: i64,
) -> Decision {
    by_house(command)?;
    match table.clock_parted {
        Some(_) => Ok(vec![Fact::ClockSet { was_ms, is_ms }]),
        None => Ok(Vec::new()),
    }
}
