//! Applies events to the table. Never says no: everything was decided before, and
//! a fact that cannot be applied is a bug or a forgery, which the assertions here
//! stop the table for, in a release too.

mod amendments;
mod bets;
mod ending;
mod money;
mod play;

use std::collections::BTreeMap;
use std::sync::Arc;

use sicbo_rules::rulebook::words::Cover;
use sicbo_rules::{Exposure, ExposureTable, Money, RuleBook};

use crate::actor::{Actor, Device};
use crate::books::Account;
use crate::command::{Counting, NewStation, Ruling};
use crate::config::Config;
use crate::event::{Event, Fact};
use crate::ids::{NoticeId, PendingId, RoundNumber, SessionNumber};
use crate::must::must;
use crate::notes::Notes;
use crate::past::PastActs;
use crate::pending::{NOTICES_KEPT, Question};
use crate::round::{CoverState, Phase, Round, StationRound, Tumble};
use crate::station::{Link, Meters, Station, StationKind};
use crate::table::{ClocksParted, Status, Table};
use crate::visit::Visit;

/// Failed tumbles are remembered over so many rounds (J-03).
pub(crate) const OF_LATE: u64 = 10;
/// The beginning of an incident of a tumbler that ran although nothing might.
pub(crate) const RAN_ON: &str = "the tumbler ran although play was stopped";

/// Applies an event.
pub fn apply(table: &mut Table, event: &Event) {
    table.records += 1;
    crate::requests::note(table, event);
    crate::notes::note(table, event);
    crate::cash::note(table, event);
    let person = match event.by {
        Actor::Staff(staff) => Some(staff.person),
        _ => None,
    };
    match &event.fact {
        Fact::BetsPlaced {
            station,
            bet,
            means,
            lines,
            ..
        } => {
            bets::placed(table, *station, *bet, *means, lines);
        }
        Fact::BetsRemoved {
            station,
            bet,
            means,
            lines,
            all,
        } => {
            bets::removed(table, *station, *bet, *means, lines, *all);
        }
        Fact::PositionsRecorded {
            station,
            bet,
            means,
            lines,
            ..
        } => {
            bets::recorded(table, *station, *bet, *means, lines);
        }
        Fact::PositionsObserved {
            station,
            means,
            lines,
        } => bets::observed(table, *station, *means, lines),
        Fact::PositionsClaimed {
            station,
            bet,
            means,
            lines,
        } => bets::claimed(table, *station, *bet, *means, lines),
        Fact::PositionsAttested {
            station,
            means,
            lines,
            ..
        } => bets::recorded(table, *station, None, *means, lines),
        // They were never on the books.
        Fact::PositionsReturned { .. } => {}
        Fact::LateActRecorded {
            station,
            late,
            means,
            line,
            ..
        } => {
            bets::late(table, *station, *late, *means, *line);
        }
        Fact::RoundSettled { dice, .. } => ending::settled(table, *dice),
        Fact::RoundVoided { basis, rule, .. } => ending::voided(table, basis, rule),
        fact @ Fact::ResultCorrected {
            round,
            revision,
            dice,
            effects,
            ..
        } => {
            amendments::corrected(table, *round, *revision, *dice, effects);
            amendments::retell(table, fact);
        }
        fact @ Fact::RoundVoidedLate {
            round,
            revision,
            effects,
            cause,
            ..
        } => {
            amendments::voided_late(table, *round, *revision, *cause, effects);
            amendments::retell(table, fact);
        }
        Fact::OverpaymentRecovered {
            recoverable,
            amount,
        } => {
            amendments::recovered(table, *recoverable, *amount);
        }
        Fact::OverpaymentWaived {
            recoverable,
            amount,
            ..
        } => {
            amendments::waived(table, *recoverable, *amount);
        }
        Fact::UnclaimedPaid { unclaimed, amount } => {
            table.post(Account::Unclaimed, Account::Cage, *amount);
            let kept = must(table.unclaimed.remove(unclaimed), "nothing is unclaimed");
            assert_eq!(kept.amount, *amount, "not what was unclaimed");
            table.case_credits.remove(unclaimed);
        }
        Fact::RoundBegan { round, rules, .. } => {
            table.rules = *rules;
            begin(table, *round, event.at_ms);
        }
        fact @ (Fact::TumblerActivated
        | Fact::TumbleEnded { .. }
        | Fact::BetsCalled
        | Fact::ClosingBegan { .. }
        | Fact::CloseAcknowledged { .. }
        | Fact::StationFenced { .. }
        | Fact::BetsClosed { .. }
        | Fact::DealPressed
        | Fact::Uncovered
        | Fact::FlatConfirmed
        | Fact::DiceKeyed { .. }
        | Fact::KeysCleared
        | Fact::SecondRead { .. }
        | Fact::ReadingsAgreed { .. }
        | Fact::ResultConfirmed { .. }
        | Fact::LightsReported { .. }) => play::play(table, fact, event.at_ms, person),
        Fact::TumbleCommitted { round, commitment } => {
            table.commitment = Some((*round, *commitment));
        }
        Fact::TumbleRevealed { round, seed } => {
            let last = table.last_tumble.as_mut();
            let last = last.filter(|last| last.round == *round);
            must(last, "a seed of a round without a commitment").seed = Some(*seed);
        }
        Fact::TableOpened {
            config,
            stations,
            rules,
        } => {
            table.rules = *rules;
            open(table, config, stations);
        }
        Fact::StationAdded { station } => add_station(table, station),
        Fact::StationRemoved { station } => table.stations[station.0 as usize].removed = true,
        Fact::LastRoundAnnounced => {
            table.last_round_announced = Some(false);
            table.closing_round = Some(RoundNumber(table.last_round.0 + 1));
        }
        Fact::LastRoundTakenBack => {
            table.last_round_announced = None;
            table.closing_round = None;
        }
        Fact::TableClosed => {
            table.status = Status::Closed;
            table.last_round_announced = None;
            table.closing_round = None;
        }
        Fact::TableSuspended { .. } => table.status = Status::Suspended,
        Fact::TableResumed => {
            table.status = Status::Open;
            table.device_failed = false;
            table.ran_on = false;
        }
        Fact::MoneyDutiesSet { duties } => table.money_duties = Some(Box::new(*duties)),
        // What waits was noted above.
        Fact::MoneyCounted { .. } => {}
        Fact::LimitsScheduled { limits } => table.next_limits = Some(limits.clone()),
        Fact::RuleBookScheduled { book } => table.next_book = Some(book.clone()),
        Fact::DiceChanged { dice_set } => {
            let config = must(table.config.as_mut(), "dice at a table without a set-up");
            config.dice_set.clone_from(dice_set);
            new_dice(table, dice_set);
        }
        Fact::DamageReported { dice_set, .. } => {
            table.dice_condemned |= in_tumbler(table, dice_set);
            if table.damaged.len() < MAX_DAMAGED {
                table.damaged.insert(dice_set.clone());
            }
        }
        Fact::DiceFoundSound { dice_set, .. } => {
            if in_tumbler(table, dice_set) {
                table.dice_condemned = false;
            }
            table.damaged.remove(dice_set);
        }
        Fact::ActingAssigned { person, position } => {
            table.acting.insert((*person, *position));
        }
        Fact::ActingEnded { person, position } => {
            table.acting.remove(&(*person, *position));
        }
        Fact::Connected { station } => table.stations[station.0 as usize].link = Link::Online,
        Fact::PlayGranted { station, grant } => {
            table.stations[station.0 as usize].grant = Some(Box::new(*grant));
        }
        Fact::ClockParted { machine_ms } => {
            table.clock_parted = Some(ClocksParted {
                house_ms: event.at_ms,
                machine_ms: *machine_ms,
            });
        }
        Fact::ClockSet { was_ms, is_ms } => {
            table.clock_parted = None;
            // What is left of a window, a fence or a tumble stays what it is.
            if let Some(round) = table.round.as_deref_mut() {
                // What was recorded between the setting and this is by the new
                // clock already.
                let moved = |at_ms: i64| match (*is_ms..=event.at_ms).contains(&at_ms) {
                    true => at_ms,
                    false => at_ms.saturating_add(is_ms.saturating_sub(*was_ms)),
                };
                round.activated_ms = round.activated_ms.map(moved);
                round.opened_ms = round.opened_ms.map(moved);
                round.closing_ms = round.closing_ms.map(moved);
            }
        }
        Fact::Disconnected { station } => table.stations[station.0 as usize].link = Link::Offline,
        fact @ (Fact::CreditBought { .. }
        | Fact::CashedOut { .. }
        | Fact::CashOutReversed { .. }
        | Fact::TransferredOut { .. }
        | Fact::HandPaid { .. }
        | Fact::VoucherForgotten { .. }
        | Fact::ChipsMoved { .. }
        | Fact::ColourAssigned { .. }
        | Fact::ColourReleased { .. }
        | Fact::ColourMoved { .. }
        | Fact::Adjusted { .. }
        | Fact::CasePaid { .. }
        | Fact::CaseOverpaid { .. }) => money::money(table, fact),
        Fact::IncidentRaised { note, .. } => {
            table.ran_on |= event.by == Actor::Device(Device::Tumbler) && note.starts_with(RAN_ON);
        }
        Fact::DeviceFailed { by_dice, .. } => {
            table.device_failed = true;
            let approval = table
                .book()
                .is_some_and(|book| book.interruption.device_failure.is_some());
            if let Some(round) = table.round.as_deref_mut() {
                round.suspend_after |= approval && *by_dice;
            }
        }
        Fact::NoticeRaised { notice } => {
            table.next_notice = NoticeId(table.next_notice.0.max(notice.id.0 + 1));
            table.notices.push(notice.clone());
            if table.notices.len() > NOTICES_KEPT {
                let read = table.notices.iter().position(|n| n.read.is_some());
                table.notices.remove(read.unwrap_or(0));
            }
        }
        Fact::NoticeAcknowledged { notice } => {
            let known = table.notices.iter_mut().find(|known| known.id == *notice);
            let (known, person) = must(known.zip(person), "nobody reads an unknown notice");
            known.read = Some((person, event.at_ms));
        }
        Fact::TumblerBound { line, shortest_ms } => {
            // Two persons switched to hand counts until two switch back.
            table.counting = match (line, table.counting) {
                (true, Counting::Hand) => Counting::Hand,
                (true, _) => Counting::Line,
                (false, _) => Counting::Either,
            };
            table.shortest_tumble_ms = *shortest_ms;
            if !line {
                table.open_covers.remove(&Device::Tumbler);
            }
        }
        Fact::CoverReported { open } => {
            match (event.by, open) {
                (Actor::Device(device), true) => drop(table.open_covers.insert(device)),
                (Actor::Device(device), false) => drop(table.open_covers.remove(&device)),
                // A device that said so is gone.
                _ => table.open_covers.clear(),
            }
            play::expose(table);
        }
        Fact::CountingSwitched { by_hand } => {
            // A tumbler that is not relied on does not say how the cover is.
            if *by_hand {
                table.open_covers.remove(&Device::Tumbler);
            }
            table.counting = match by_hand {
                true => Counting::Hand,
                false => Counting::Line,
            };
        }
        Fact::Interrupted { .. } => interrupted(table),
        Fact::DecisionRaised { pending } => {
            table.next_pending = PendingId(table.next_pending.0.max(pending.id.0 + 1));
            table.holds += u32::from(pending.question.holds_round());
            table.pending.push(pending.clone());
        }
        Fact::DecisionTaken {
            pending, ruling, ..
        } => decided(table, event.at_ms, *pending, ruling),
    }
}

fn open(table: &mut Table, config: &Config, stations: &[NewStation]) {
    let first = table.config.is_none();
    set_book(table, &config.book, first);
    let same_dice = |known: &Config| known.dice_set == config.dice_set;
    if !table.config.as_deref().is_some_and(same_dice) {
        new_dice(table, &config.dice_set);
    }
    table.config = Some(Box::new(config.clone()));
    // Closing and opening again does not stand in for an approval (004 7.1).
    table.status = match table.device_failure() {
        Some(_) => Status::Suspended,
        None => Status::Open,
    };
    if config.real_money {
        table.commitment = None;
    }
    table.next_limits = None;
    table.next_book = None;
    table.last_round_announced = None;
    table.closing_round = None;
    // Devices that are there say how the cover is now.
    table.open_covers.clear();
    table.ran_on = false;
    for station in stations {
        add_station(table, station);
    }
}

/// Damaged sets that a table remembers. Custody remembers them for the house;
/// a table that never saw one inspected or destroyed forgets no more than the rest.
const MAX_DAMAGED: usize = 1_000;

/// The dice in the tumbler are this set.
fn in_tumbler(table: &Table, dice_set: &str) -> bool {
    let config = table.config.as_deref();
    config.is_some_and(|config| config.dice_set == dice_set)
}

/// Other dice are in the tumbler.
fn new_dice(table: &mut Table, dice_set: &str) {
    table.dice_condemned = table.damaged.contains(dice_set);
    table.dice_since = RoundNumber(table.last_round.0 + 1);
}

/// Another book: stations keep their layouts by name.
fn set_book(table: &mut Table, book: &Arc<RuleBook>, first: bool) {
    if !first && let Some(old) = table.book().cloned() {
        for station in &mut table.stations {
            let name = &old.layouts[station.layout].id;
            let at = book.layouts.iter().position(|layout| layout.id == *name);
            station.layout = at.unwrap_or(0);
        }
    }
    table.exposure_tables = Arc::new(book.layouts.iter().map(ExposureTable::of).collect());
}

fn add_station(table: &mut Table, new: &NewStation) {
    let layout = table.book().and_then(|book| {
        let mut layouts = book.layouts.iter();
        layouts.position(|layout| layout.id == new.layout)
    });
    let layout = must(layout, "a station with a layout the book does not have");
    table.stations.push(Station {
        name: new.name.clone(),
        kind: new.kind,
        layout,
        link: Link::Offline,
        credit: Money::ZERO,
        at_risk: Money::ZERO,
        session: SessionNumber(0),
        colour: None,
        meters: Meters::default(),
        removed: false,
        visit: Visit::default(),
        past: PastActs::default(),
        grant: None,
        notes: Notes::default(),
    });
    if let Some(round) = table.round.as_deref_mut() {
        round.stations.push(StationRound::default());
    }
}

fn begin(table: &mut Table, number: RoundNumber, at_ms: i64) {
    if let Some(book) = table.next_book.take() {
        set_book(table, &book, false);
        must(table.config.as_mut(), "a round without a set-up").book = book;
    }
    if let Some(limits) = table.next_limits.take() {
        must(table.config.as_mut(), "a round without a set-up").limits = *limits;
    }
    assert!(table.round.is_none(), "a round in a round");
    let open_cover = table
        .book()
        .is_some_and(|book| book.play.cover.is == Cover::Open);
    let mut stations = std::mem::take(&mut table.spare.0);
    stations.resize_with(table.stations.len(), StationRound::default);
    table.last_round = number;
    table.ran_on = false;
    table.round = Some(Box::new(Round {
        number,
        phase: Phase::Prepared,
        tumble: Tumble::None,
        cover: if open_cover {
            CoverState::Open
        } else {
            CoverState::Covered
        },
        exposed: false,
        began_ms: at_ms,
        activated_ms: None,
        opened_ms: None,
        closing_ms: None,
        awaiting: 0,
        deal_pressed: false,
        flat: false,
        keyed: None,
        second: None,
        confirmed: None,
        lights: None,
        must_void: None,
        exposure: Exposure::default(),
        suspend_after: false,
        concluded_after_interruption: false,
        stations,
        observed: BTreeMap::new(),
    }));
}

/// The program stopped: no station can be heard until it connects again.
fn interrupted(table: &mut Table) {
    for station in &mut table.stations {
        if station.kind == StationKind::Terminal {
            station.link = Link::Offline;
        }
    }
}

/// The round goes on after an interruption: what was seen and keyed before it
/// is seen and keyed again.
fn concluded(table: &mut Table, suspend: bool) {
    let round = must(table.round.as_deref_mut(), "no round to conclude");
    round.concluded_after_interruption = true;
    round.suspend_after |= suspend;
    round.keyed = None;
    round.second = None;
    round.flat = false;
}

fn decided(table: &mut Table, at_ms: i64, id: PendingId, ruling: &Ruling) {
    let at = table.pending.iter().position(|pending| pending.id == id);
    let pending = table
        .pending
        .remove(must(at, "a decision that did not wait"));
    table.holds -= u32::from(pending.question.holds_round());
    table.ran_on = false;
    // Bets that stood still while the round was held are taken for a whole window again.
    if pending.question.holds_round()
        && table.holds == 0
        && let Some(round) = table.round.as_deref_mut()
        && round.phase == Phase::Betting
    {
        round.opened_ms = Some(at_ms);
    }
    match (&pending.question, ruling) {
        (Question::Interrupted { then, .. }, Ruling::Conclude) => {
            use sicbo_rules::rulebook::words::AfterInterruption;
            let suspend = *then == AfterInterruption::FinishByDiceThenSuspend;
            concluded(table, suspend);
        }
        // The dice had moved: what footage shows is keyed again as well, also
        // where a result had been confirmed over them (004 7.8).
        (Question::DiceNotInPlace, Ruling::Conclude) => {
            concluded(table, false);
            let round = must(table.round.as_deref_mut(), "no round to conclude");
            round.confirmed = None;
            round.lights = None;
        }
        (Question::BetStatus { station }, Ruling::AsTheyLie) => bets::as_they_lie(table, *station),
        // Approved: what failed before counts no longer (J-03).
        (Question::DeviceFailure, Ruling::Accept) => table.failed_tumbles.clear(),
        (Question::TechnicalStop { .. }, _) => table.device_failed = false,
        _ => {}
    }
}
