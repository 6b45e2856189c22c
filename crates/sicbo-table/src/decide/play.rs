//! The order of play: tumble, call, close, cover. What may come when is the rule book's.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{Cause, Closing, Cover, Matter, TumbleWindow};

use super::{Decision, by_rule, may_go_on, named_round, round, station};
use crate::actor::{Actor, Device};
use crate::apply::RAN_ON;
use crate::authority::{self, DEALING};
use crate::command::{Command, Counting, IncidentKind, Ruling};
use crate::config::Config;
use crate::event::{Digests, Fact, RulesRevision};
use crate::ids::{PendingId, RoundNumber, StationId};
use crate::mutant;
use crate::open::Opened;
use crate::pending::{Pending, Question};
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::round::{CoverState, Phase, Round, StationRound, Tumble};
use crate::station::{Link, StationKind};
use crate::table::{Status, Table};

/// A fingerprint of the set-up a round is played with.
#[must_use]
pub(crate) fn config_digest(config: &Config) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(config.canonical());
    hash.finalize().into()
}

/// A round may begin: the table plays, nothing holds it, the dice are sound and
/// the clocks agree.
fn may_begin(table: &Opened<'_>) -> Result<Fact, Refusal> {
    if table.status == Status::Suspended && !mutant::off(table, "suspended") {
        // Stopped by a failure, it waits for whom the rule names (004 7.1).
        return Err(Refusal {
            reason: Reason::TableSuspended,
            rule: table.device_failure().map(|failure| failure.rule.clone()),
        });
    }
    if table.last_round_announced == Some(true) {
        return Err(Reason::TableClosing.into());
    }
    if let Some(pending) = table.holding()
        && !mutant::off(table, "held-between-rounds")
    {
        return Err(Refusal {
            reason: Reason::DecisionPending {
                pending: pending.id,
            },
            rule: Some(pending.rule.clone()),
        });
    }
    if table.dice_condemned && !mutant::off(table, "dice-condemned") {
        return Err(Reason::DiceChangeNeeded.into());
    }
    let asked = |pending: &&Pending| matches!(pending.question, Question::AffectedRounds { .. });
    if table.pending.iter().filter(asked).count() >= super::damage::MAX_QUESTIONS
        && let Some(pending) = table.pending.iter().find(asked)
    {
        return Err(Refusal {
            reason: Reason::DecisionPending {
                pending: pending.id,
            },
            rule: Some(pending.rule.clone()),
        });
    }
    if table.clock_parted.is_some() && !mutant::off(table, "clock-parted") {
        return Err(Reason::ClockParted.into());
    }
    let config = table.config;
    let next = super::desk::next_config(table, config);
    Ok(Fact::RoundBegan {
        round: RoundNumber(table.last_round.0 + 1),
        digests: Digests {
            program: config.program,
            book: next.book.sha256(),
            config: config_digest(&next),
        },
        rules: RulesRevision::CURRENT,
    })
}

/// The rule book of the current round, or of one that would begin now.
fn book_of_play<'t>(table: &'t Opened<'_>) -> &'t Arc<RuleBook> {
    let next = table.next_book.as_ref().filter(|_| table.round.is_none());
    next.unwrap_or(table.book)
}

/// What no rule covers has stopped the current round, or the one that begins with it.
fn out_of_order(table: &Opened<'_>, what: &str) -> Fact {
    let next = RoundNumber(table.last_round.0 + 1);
    let needed = authority::decider(table, Matter::Uncovered);
    Fact::DecisionRaised {
        pending: Pending {
            id: PendingId(table.next_pending.0),
            round: Some(table.round.as_deref().map_or(next, |round| round.number)),
            question: Question::Uncovered {
                what: what.to_owned(),
            },
            rule: authority::decider_rule(table, Matter::Uncovered).unwrap_or_default(),
            by: needed.position,
            or_above: needed.or_above,
            persons: 1,
        },
    }
}

/// The machine ran although nothing may go on. Said once until something is
/// decided or play goes on, however often the machine repeats it.
fn ran_on(table: &Opened<'_>, why: &Reason) -> Result<Fact, Refusal> {
    refuse_if!(table.ran_on, Reason::AlreadyDone);
    Ok(Fact::IncidentRaised {
        kind: IncidentKind::Other,
        note: format!("{RAN_ON}: {why}"),
    })
}

/// The machine ran in a round that is held. Before the close that is a cause of
/// its own where the book has it (003 5.3.3); else what lies in the tumbler now
/// is for whom the book names to decide.
fn ran_while_held(table: &Opened<'_>, round: &Round, why: &Reason) -> Decision {
    refuse_if!(round.tumble == Tumble::Activated, Reason::AlreadyDone);
    let mut facts = vec![ran_on(table, why)?];
    if round.must_void.is_some() {
        return Ok(facts);
    }
    let listed = table
        .book
        .void_cause(Cause::TumblerActivatedEarly)
        .is_some();
    let asked = |waits: &Pending| matches!(waits.question, Question::Uncovered { .. });
    if listed && round.phase != Phase::Closed && round.tumble == Tumble::None {
        facts.push(Fact::TumblerActivated);
    } else if !table.pending.iter().any(asked) {
        facts.push(out_of_order(table, "the tumbler ran while play was held"));
    }
    Ok(facts)
}

pub(super) fn activate(table: &Opened<'_>, command: &Command) -> Decision {
    let by_device = command.by == Actor::Device(Device::Tumbler);
    if !by_device {
        authority::require(table, command, DEALING)?;
    }
    let book = book_of_play(table);
    let allowed = matches!(
        (book.play.tumble_window.is, table.phase()),
        (
            TumbleWindow::Any,
            None | Some(Phase::Betting | Phase::Closed)
        ) | (TumbleWindow::BeforeOpen, None)
            | (TumbleWindow::BeforeClose, Some(Phase::Betting))
            | (TumbleWindow::UntilClose, None | Some(Phase::Betting))
            | (TumbleWindow::AfterClose, Some(Phase::Closed))
    );
    let mut facts = Vec::new();
    match table.round.as_deref() {
        None => match may_begin(table) {
            Ok(began) => facts.push(began),
            // It ran all the same: on record, and no round.
            Err(refusal) if by_device => return Ok(vec![ran_on(table, &refusal.reason)?]),
            Err(refusal) => return Err(refusal),
        },
        Some(round) => {
            match may_go_on(table, round) {
                Err(Refusal {
                    reason: why @ Reason::DecisionPending { .. },
                    ..
                }) if by_device => return ran_while_held(table, round, &why),
                held => held?,
            }
            match round.tumble {
                Tumble::None => {}
                // No round is tumbled twice; a machine that did it all
                // the same has left dice that no rule speaks of.
                Tumble::Valid { .. } | Tumble::Invalid { .. } if by_device => {
                    return Ok(vec![out_of_order(table, "the tumbler ran again")]);
                }
                _ => return Err(Reason::AlreadyDone.into()),
            }
        }
    }
    if !allowed && !by_device {
        return Err(Refusal {
            reason: Reason::TumblerLocked,
            rule: Some(book.play.tumble_window.cite.full(book.id())),
        });
    }
    facts.push(Fact::TumblerActivated);
    if !allowed && book.void_cause(Cause::TumblerActivatedEarly).is_none() {
        // The machine ran out of order and no rule says what that does.
        facts.push(out_of_order(table, "the tumbler ran out of order"));
    }
    Ok(facts)
}

pub(super) fn report_tumbles(
    table: &Opened<'_>,
    command: &Command,
    count: u8,
    all_dice_moved: bool,
) -> Decision {
    let by_device = command.by == Actor::Device(Device::Tumbler);
    if !by_device {
        authority::require(table, command, DEALING)?;
    }
    let round = round(table)?;
    match round.tumble {
        Tumble::Activated => {}
        Tumble::None => return Err(Reason::TumbleFirst.into()),
        Tumble::Valid { .. } | Tumble::Invalid { .. } => return Err(Reason::AlreadyDone.into()),
    }
    let minimum = &table.book.play.minimum_tumbles;
    if !by_device {
        counted_by_hand(table, round, command.at_ms)
            .map_err(|reason| by_rule(table, reason, &minimum.cite))?;
    }
    // a die that sticks has not tumbled, however often the device cycled.
    let valid = count >= minimum.is && all_dice_moved;
    let mut facts = vec![Fact::TumbleEnded { count, valid }];
    if !valid {
        facts.extend(super::interruption::tumbles_failed(
            table,
            round,
            command.at_ms,
        ));
    }
    Ok(facts)
}

/// A person counts the tumbles: not in place of a tumbler on the line, whose
/// silence is a technical stop, and not sooner than a tumble takes.
fn counted_by_hand(table: &Opened<'_>, round: &Round, at_ms: i64) -> Result<(), Reason> {
    if table.counting == Counting::Line && !mutant::off(table, "counted-by-line") {
        return Err(Reason::CountedByLine);
    }
    let shortest_ms = table.shortest_tumble_ms;
    let since = round.activated_ms.map(|began| at_ms.saturating_sub(began));
    match since {
        Some(since)
            if since < i64::from(shortest_ms) && !mutant::off(table, "counted-too-soon") =>
        {
            Err(Reason::CountedTooSoon { shortest_ms })
        }
        _ => Ok(()),
    }
}

pub(super) fn call_bets(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, DEALING)?;
    let book = book_of_play(table);
    let tumble_first = || Refusal {
        reason: Reason::TumbleFirst,
        rule: Some(book.play.tumble_window.cite.full(book.id())),
    };
    match table.round.as_deref() {
        None if book.play.tumble_window.is == TumbleWindow::BeforeOpen => {
            may_begin(table)?;
            Err(tumble_first())
        }
        None => Ok(vec![may_begin(table)?, Fact::BetsCalled]),
        Some(round) => {
            may_go_on(table, round)?;
            match (round.phase, round.tumble) {
                (Phase::Prepared, Tumble::Valid { .. }) => Ok(vec![Fact::BetsCalled]),
                (Phase::Prepared, _) => Err(tumble_first()),
                (phase, _) => Err(Reason::WrongPhase {
                    phase: phase.key(),
                    needed: "no round, or prepared",
                }
                .into()),
            }
        }
    }
}

pub(super) fn close_bets(table: &Opened<'_>, command: &Command) -> Decision {
    let closes = &table.book.play.closes;
    match command.by {
        // Only the dealer's announcement closes (001 3.2, 3.7; 004 4.4; R-146).
        Actor::House if closes.is == Closing::Announcement => {
            let reason = Reason::NotAuthorised {
                needed: DEALING.position,
                or_above: DEALING.or_above,
            };
            return Err(by_rule(table, reason, &closes.cite));
        }
        // At terminals the betting clock may close too.
        Actor::House => {}
        _ => {
            authority::require(table, command, DEALING)?;
        }
    }
    let round = round(table)?;
    may_go_on(table, round)?;
    if round.phase != Phase::Betting {
        return Err(Reason::WrongPhase {
            phase: round.phase.key(),
            needed: "betting",
        }
        .into());
    }
    let book = table.book;
    let must_have_tumbled = matches!(
        book.play.tumble_window.is,
        TumbleWindow::BeforeOpen | TumbleWindow::BeforeClose | TumbleWindow::UntilClose
    );
    let tumbled = matches!(round.tumble, Tumble::Valid { .. });
    if (round.tumble == Tumble::Activated || (must_have_tumbled && !tumbled))
        && !mutant::off(table, "tumble-before-close")
    {
        return Err(by_rule(
            table,
            Reason::TumbleFirst,
            &book.play.tumble_window.cite,
        ));
    }
    let awaiting = match book.play.closes.is {
        Closing::Announcement => 0,
        Closing::TerminalDisplay => table
            .stations
            .iter()
            .filter(|s| !s.removed && s.kind == StationKind::Terminal && s.link == Link::Online)
            .count() as u32,
    };
    let mut facts = vec![Fact::ClosingBegan { awaiting }];
    if awaiting == 0 {
        facts.extend(closed(table, round, None));
    }
    Ok(facts)
}

/// Bets are closed; a bet on a terminal that never showed it is flagged where
/// the book leaves the case open. `last` was fenced by this very command.
fn closed(table: &Opened<'_>, round: &Round, last: Option<StationId>) -> Vec<Fact> {
    let mut facts = vec![Fact::BetsClosed {
        staked: round.exposure.staked(),
    }];
    let Some(open_case) = &table.book.interruption.terminal_open_cases else {
        return facts;
    };
    let mut raised = Vec::new();
    let mut next = table.next_pending.0;
    for (i, (station, part)) in table.stations.iter().zip(&round.stations).enumerate() {
        let id = StationId(i as u32);
        let never_shown = part.fenced
            || last == Some(id)
            || (round.phase == Phase::Betting && station.link == Link::Offline);
        if station.kind == StationKind::Terminal && never_shown && part.takes_part() {
            raised.push(Fact::DecisionRaised {
                pending: Pending {
                    id: PendingId(next),
                    round: Some(round.number),
                    question: Question::TerminalOpenCase { station: id },
                    rule: table.cite(&open_case.cite),
                    by: open_case.is,
                    or_above: true,
                    persons: 1,
                },
            });
            next += 1;
        }
    }
    facts.extend(close_oldest_cases(table, raised.len()));
    facts.extend(raised);
    facts
}

/// Terminal cases that may wait at a table beside those of the round that is
/// closing. Each is flagged with its default chosen already, an accepted bet
/// counts, and holds nothing up; where nobody confirms them for so long
/// that more would wait, the oldest are closed by that default, on record.
pub const MAX_OPEN_CASES: usize = 1_000;

/// Makes room for `new` cases.
fn close_oldest_cases(table: &Table, new: usize) -> impl Iterator<Item = Fact> + '_ {
    let is_case =
        |pending: &&Pending| matches!(pending.question, Question::TerminalOpenCase { .. });
    let waiting = match new {
        0 => 0,
        _ => table.pending.iter().filter(is_case).count(),
    };
    let too_many = (waiting + new).saturating_sub(MAX_OPEN_CASES);
    let oldest = table.pending.iter().filter(is_case).take(too_many);
    oldest.map(|pending| Fact::DecisionTaken {
        pending: pending.id,
        ruling: Ruling::Accept,
        reason: format!("closed by its default: {MAX_OPEN_CASES} newer cases wait"),
    })
}

/// Betting is being closed, and the round waits for this station.
fn awaited(round: &Round, part: &StationRound) -> Result<(), Refusal> {
    if round.phase == Phase::Closing && part.awaited {
        return Ok(());
    }
    Err(Reason::WrongPhase {
        phase: round.phase.key(),
        needed: "closing",
    }
    .into())
}

pub(super) fn acknowledge(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    number: RoundNumber,
) -> Decision {
    if table.status == Status::Closed {
        return Err(Reason::TableNotOpen.into());
    }
    station(table, id)?;
    refuse_if!(command.by != Actor::Station(id), Reason::NotYourStation);
    let round = named_round(table, number)?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    if part.acknowledged {
        return Ok(Vec::new());
    }
    refuse_if!(part.fenced, Reason::StationFenced);
    awaited(round, part)?;
    let mut facts = vec![Fact::CloseAcknowledged { station: id }];
    if round.awaiting == 1 {
        facts.extend(closed(table, round, None));
    }
    Ok(facts)
}

pub(super) fn fence(table: &Opened<'_>, command: &Command, id: StationId) -> Decision {
    station(table, id)?;
    refuse_if!(command.by != Actor::House, Reason::NotYourStation);
    let round = round(table)?;
    let part = round.station(id).ok_or(Reason::UnknownStation)?;
    if part.fenced || part.acknowledged {
        return Ok(Vec::new());
    }
    awaited(round, part)?;
    let mut facts = vec![Fact::StationFenced { station: id }];
    if round.awaiting == 1 {
        facts.extend(closed(table, round, Some(id)));
    }
    Ok(facts)
}

/// The round, closed and able to go on.
pub(super) fn closed_round<'t>(table: &'t Opened<'_>) -> Result<&'t Round, Refusal> {
    let round = round(table)?;
    may_go_on(table, round)?;
    if round.phase != Phase::Closed {
        return Err(Reason::WrongPhase {
            phase: round.phase.key(),
            needed: "closed",
        }
        .into());
    }
    Ok(round)
}

pub(super) fn press_deal(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, DEALING)?;
    let book = table.book;
    if !book
        .play
        .deal_button
        .as_ref()
        .is_some_and(|button| button.is)
    {
        return Err(Reason::NoDealButton.into());
    }
    let round = closed_round(table)?;
    if round.deal_pressed {
        Err(Reason::AlreadyDone.into())
    } else {
        Ok(vec![Fact::DealPressed])
    }
}

pub(super) fn uncover(table: &Opened<'_>, command: &Command) -> Decision {
    authority::require(table, command, DEALING)?;
    let book = table.book;
    refuse_if!(book.play.cover.is == Cover::Open, Reason::NoCover);
    let round = closed_round(table)?;
    refuse_if!(round.cover == CoverState::Uncovered, Reason::AlreadyDone);
    if !matches!(round.tumble, Tumble::Valid { .. }) {
        return Err(by_rule(
            table,
            Reason::TumbleFirst,
            &book.play.minimum_tumbles.cite,
        ));
    }
    if let Some(button) = &book.play.deal_button
        && button.is
        && !round.deal_pressed
    {
        return Err(by_rule(table, Reason::DealFirst, &button.cite));
    }
    Ok(vec![Fact::Uncovered])
}
