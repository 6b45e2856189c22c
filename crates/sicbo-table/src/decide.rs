//! Decides commands: what happens, or why not. Never changes the table.

pub(crate) mod amend;
mod attest;
pub(crate) mod bets;
pub(crate) mod cases;
mod cash;
mod damage;
mod desk;
mod interruption;
mod money;
pub(crate) mod play;
mod proposed;
pub(crate) mod result;
mod seats;
mod tumbler;
pub(crate) mod void;

use sicbo_rules::{Citation, Money};

use crate::actor::Actor;
use crate::command::{Act, ColourMove, Command, LateKind};
use crate::event::{Event, Fact};
use crate::ids::{RoundNumber, StationId};
use crate::mutant;
use crate::notes;
use crate::open::Opened;
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::requests;
use crate::round::Round;
use crate::station::{Station, StationKind};
use crate::table::{Status, Table};

/// What follows from a command; an empty list when it was answered before and changes nothing.
pub(crate) type Decision = Result<Vec<Fact>, Refusal>;

/// Decides a command.
///
/// # Errors
/// A refusal, when the command is not allowed.
pub fn decide(table: &Table, command: &Command) -> Result<Vec<Event>, Refusal> {
    let event = |fact| Event {
        at_ms: command.at_ms,
        by: command.by,
        second: command.second,
        command: command.id,
        fact,
    };
    if let Act::SetMoneyDuties { duties } = &command.act {
        let facts = cash::set(table, command, duties)?;
        return Ok(facts.into_iter().map(event).collect());
    }
    let Some(table) = &table.opened() else {
        let Act::OpenTable { config, stations } = &command.act else {
            return Err(Reason::TableNotOpen.into());
        };
        let facts = desk::open(table, command, config, stations)?;
        return Ok(facts.into_iter().map(event).collect());
    };
    // By far the most frequent, and never more than one fact: no list in between.
    if let Act::PlaceBets {
        station,
        round,
        bet,
        means,
        lines,
    } = &command.act
    {
        let placed = bets::place(table, command, *station, *round, *bet, *means, lines)?;
        return Ok(placed.map_or_else(Vec::new, |fact| vec![event(fact)]));
    }
    if requests::done_before(table, command)? || notes::credited_before(table, command)? {
        return Ok(Vec::new());
    }
    Ok(facts(table, command)?.into_iter().map(event).collect())
}

fn facts(table: &Opened<'_>, command: &Command) -> Decision {
    match &command.act {
        Act::PlaceBets { .. } | Act::SetMoneyDuties { .. } => {
            unreachable!("these are decided before the others")
        }
        Act::RemoveBets {
            station,
            round,
            bet,
            means,
            lines,
        } => bets::remove(table, command, *station, *round, *bet, *means, lines),
        Act::ClearBets {
            station,
            round,
            bet,
        } => bets::clear(table, command, *station, *round, *bet),
        Act::AcknowledgeClose { station, round } => {
            play::acknowledge(table, command, *station, *round)
        }
        Act::OpenTable { config, stations } => desk::open(table, command, config, stations),
        act if table.status == Status::Closed && !after_closing(act) => {
            Err(Reason::TableNotOpen.into())
        }
        Act::CallBet {
            station,
            round,
            bet,
            lines,
            chips_present,
        } => seats::call_bet(
            table,
            command,
            *station,
            *round,
            *bet,
            lines,
            *chips_present,
        ),
        Act::RecordPositions {
            station,
            round,
            bet,
            means,
            lines,
        } => seats::record(table, command, *station, *round, *bet, *means, lines),
        Act::ObservePositions {
            station,
            round,
            means,
            lines,
        } => seats::observe(table, command, *station, *round, *means, lines),
        Act::RecordLate {
            station,
            round,
            late,
            means,
            line,
        } => seats::late(table, command, *station, *round, *late, (*means, *line)),
        Act::AttestPositions {
            pending,
            lay_there,
            bookmark,
        } => attest::attest(table, command, *pending, *lay_there, bookmark),
        Act::SettleCase {
            station,
            session,
            case,
            decision,
            round,
            amount,
            reason,
        } => {
            let (who, of) = ((*station, *session), (*case, *decision));
            cases::settle(table, command, who, of, *round, *amount, reason)
        }
        Act::ActivateTumbler => play::activate(table, command),
        Act::ReportTumbles {
            count,
            all_dice_moved,
        } => play::report_tumbles(table, command, *count, *all_dice_moved),
        Act::CommitTumble { commitment } => tumbler::commit(table, command, *commitment),
        Act::RevealTumble { round, seed } => tumbler::reveal(table, command, *round, *seed),
        Act::CallBets => play::call_bets(table, command),
        Act::CloseBets => play::close_bets(table, command),
        Act::Fence { station } => play::fence(table, command, *station),
        Act::PressDeal => play::press_deal(table, command),
        Act::Uncover => play::uncover(table, command),
        Act::ConfirmFlat => result::confirm_flat(table, command),
        Act::KeyDice { dice } => result::key(table, command, *dice),
        Act::ClearKeys => result::clear_keys(table, command),
        Act::ReadSecond { dice } => result::read_second(table, command, *dice),
        Act::ConfirmResult => result::confirm(table, command),
        Act::ReportLights { lit } => result::report_lights(table, command, *lit),
        Act::TakeAndPay => result::take_and_pay(table, command),
        Act::ResolveReadings { pending, dice } => result::resolve(table, command, *pending, *dice),
        Act::DeclareVoid { cause } => void::declare(table, command, *cause),
        Act::RuleVoid { reason } => void::rule(table, command, reason),
        Act::Hold { what, about } => void::hold(table, command, what, *about),
        Act::ReportDamage { note } => damage::report(table, command, note),
        Act::FindDiceSound { dice_set, text } => damage::sound(table, command, dice_set, text),
        Act::RaiseIncident { kind, note } => void::incident(table, command, *kind, note),
        Act::ReportDeviceFailure { what, part } => {
            interruption::device(table, command, what, *part)
        }
        Act::AcknowledgeNotice { notice } => interruption::acknowledge(table, command, *notice),
        Act::BindTumbler { line, shortest_ms } => {
            tumbler::bind(table, command, *line, *shortest_ms)
        }
        Act::SwitchCounting { by_hand } => tumbler::switch(table, command, *by_hand),
        Act::ReportCover { open } => tumbler::cover(table, command, *open),
        Act::Interrupt { what } => interruption::interrupt(table, command, what),
        Act::ConfirmInterruption {
            pending,
            dice_in_place,
        } => interruption::confirm(table, command, *pending, *dice_in_place),
        Act::Rule {
            pending,
            ruling,
            reason,
        } => interruption::rule(table, command, *pending, ruling, reason),
        Act::CorrectResult {
            record,
            dice,
            second_dice,
            evidence,
            conducted,
        } => {
            let read = (*dice, *second_dice);
            amend::correct(table, command, record, read, evidence, *conducted)
        }
        Act::HoldForCorrection {
            round,
            proposal,
            by,
        } => proposed::hold(table, command, *round, *proposal, *by),
        Act::EndCorrection { proposal } => proposed::end(table, command, *proposal),
        Act::VoidRounds {
            records,
            cause,
            pending,
            reason,
        } => amend::void_rounds(table, command, records, *cause, *pending, reason),
        Act::Recover {
            recoverable,
            amount,
        } => amend::recover(table, command, *recoverable, *amount),
        Act::Waive {
            recoverable,
            reason,
        } => amend::waive(table, command, *recoverable, reason),
        Act::PayUnclaimed { unclaimed } => amend::pay_unclaimed(table, command, *unclaimed),
        Act::CountMoney { entry, amount } => cash::count(table, command, *entry, *amount),
        Act::BuyCredit {
            station,
            source,
            amount,
        } => money::buy_credit(table, command, *station, *source, *amount),
        Act::CashOut {
            station,
            amount,
            voucher,
        } => money::cash_out(table, command, *station, *amount, *voucher),
        Act::ReverseCashOut {
            station,
            voucher,
            amount,
        } => money::reverse_cash_out(table, command, *station, *voucher, *amount),
        Act::TransferOut { station, amount } => {
            money::transfer_out(table, command, *station, *amount)
        }
        Act::HandPay { station, amount } => money::hand_pay(table, command, *station, *amount),
        Act::ForgetVoucher { voucher } => money::forget_voucher(table, command, *voucher),
        Act::MoveChips { how, amount, slip } => {
            money::move_chips(table, command, *how, *amount, slip)
        }
        Act::AssignColour {
            station,
            colour,
            value,
        } => money::assign_colour(table, command, *station, colour, *value),
        Act::ReleaseColour { station } => money::release_colour(table, command, *station),
        Act::MoveColour {
            station,
            how,
            amount,
        } => money::move_colour(table, command, *station, *how, *amount),
        Act::Adjust {
            station,
            amount,
            reason,
        } => money::adjust(table, command, *station, *amount, reason),
        Act::AddStation { station } => desk::add_station(table, command, station),
        Act::RemoveStation { station } => desk::remove_station(table, command, *station),
        Act::AnnounceLastRound => desk::announce_last_round(table, command),
        Act::TakeBackLastRound => desk::take_back_last_round(table, command),
        Act::CloseTable => desk::close_table(table, command),
        Act::Suspend { reason } => desk::suspend(table, command, reason),
        Act::Resume => desk::resume(table, command),
        Act::ChangeLimits { limits } => desk::change_limits(table, command, limits),
        Act::ChangeRuleBook { book } => desk::change_rule_book(table, command, book),
        Act::ChangeDice { dice_set } => desk::change_dice(table, command, dice_set),
        Act::AssignActing { person, position } => {
            desk::assign_acting(table, command, *person, *position)
        }
        Act::EndActing { person, position } => desk::end_acting(table, command, *person, *position),
        Act::Connect { station } => desk::connect(table, command, *station),
        Act::Disconnect { station } => desk::disconnect(table, command, *station),
        Act::GrantPlay { station, grant } => desk::grant_play(table, command, *station, *grant),
        Act::ReportClock { machine_ms } => desk::report_clock(table, command, *machine_ms),
        Act::SetClock { was_ms, is_ms } => desk::set_clock(table, command, *was_ms, *is_ms),
    }
}

/// What may still be done at a table that has closed: money that is a player's
/// goes out, and ended rounds are put right (J-04, J-09).
fn after_closing(act: &Act) -> bool {
    match act {
        Act::MoveColour { how, .. } => *how == ColourMove::ExchangedForChips,
        act => matches!(
            act,
            Act::CashOut { .. }
                | Act::ReverseCashOut { .. }
                | Act::TransferOut { .. }
                | Act::HandPay { .. }
                | Act::ForgetVoucher { .. }
                | Act::CountMoney { .. }
                | Act::MoveChips { .. }
                | Act::ReleaseColour { .. }
                | Act::Adjust { .. }
                | Act::SettleCase { .. }
                | Act::RemoveStation { .. }
                | Act::ChangeDice { .. }
                | Act::AssignActing { .. }
                | Act::EndActing { .. }
                | Act::Connect { .. }
                | Act::Disconnect { .. }
                | Act::ReportDamage { .. }
                | Act::FindDiceSound { .. }
                | Act::GrantPlay { .. }
                | Act::ReportClock { .. }
                | Act::SetClock { .. }
                | Act::RaiseIncident { .. }
                | Act::Hold { .. }
                | Act::AcknowledgeNotice { .. }
                | Act::BindTumbler { .. }
                | Act::ReportCover { .. }
                | Act::Interrupt { .. }
                | Act::Rule { .. }
                | Act::CorrectResult { .. }
                | Act::HoldForCorrection { .. }
                | Act::EndCorrection { .. }
                | Act::VoidRounds { .. }
                | Act::Recover { .. }
                | Act::Waive { .. }
                | Act::PayUnclaimed { .. }
                | Act::RevealTumble { .. }
        ),
    }
}

/// Only the house itself speaks of its clock, its register and its proposals.
fn by_house(command: &Command) -> Result<(), Refusal> {
    match command.by {
        Actor::House => Ok(()),
        _ => Err(Reason::NotYourStation.into()),
    }
}

/// The longest text a command may carry, in bytes.
pub(crate) const LONGEST_TEXT: usize = 2_000;

/// A text that says something and is not too long.
fn checked_text(text: &str) -> Result<(), Refusal> {
    refuse_if!(text.trim().is_empty(), Reason::ReasonNeeded);
    short_text(text)
}

/// A text that may be empty but not too long.
fn short_text(text: &str) -> Result<(), Refusal> {
    refuse_if!(
        text.len() > LONGEST_TEXT,
        Reason::TextTooLong {
            allowed: LONGEST_TEXT
        }
    );
    Ok(())
}

fn station(table: &Table, id: StationId) -> Result<&Station, Refusal> {
    table
        .station(id)
        .ok_or_else(|| Reason::UnknownStation.into())
}

fn terminal(table: &Table, id: StationId) -> Result<&Station, Refusal> {
    let station = station(table, id)?;
    match station.kind {
        StationKind::Terminal => Ok(station),
        StationKind::Seat => Err(Reason::NotATerminal.into()),
    }
}

fn seat(table: &Table, id: StationId) -> Result<&Station, Refusal> {
    let station = station(table, id)?;
    match station.kind {
        StationKind::Seat => Ok(station),
        StationKind::Terminal => Err(Reason::NotASeat.into()),
    }
}

fn round(table: &Table) -> Result<&Round, Refusal> {
    table.round.as_deref().ok_or_else(|| Reason::NoRound.into())
}

/// The current round, if it is the one that is named.
fn named_round(table: &Table, given: RoundNumber) -> Result<&Round, Refusal> {
    match table.round.as_deref() {
        Some(round) if round.number == given => Ok(round),
        other => Err(Reason::WrongRound {
            given,
            current: other.map(|round| round.number),
        }
        .into()),
    }
}

/// Nothing holds the round up, and it is not beyond all but being void.
fn may_go_on(table: &Opened<'_>, round: &Round) -> Result<(), Refusal> {
    if let Some(pending) = table.holding()
        && !mutant::off(table, "held")
    {
        return Err(Refusal {
            reason: Reason::DecisionPending {
                pending: pending.id,
            },
            rule: Some(pending.rule.clone()),
        });
    }
    if let Some(cause) = round.must_void
        && !mutant::off(table, "must-void")
    {
        let rule = table.book.void_cause(cause);
        let rule = rule.map(|void| table.cite(&void.cite));
        return Err(Refusal {
            reason: Reason::OnlyVoidPossible { cause },
            rule,
        });
    }
    Ok(())
}

/// A refusal with the rule that says so.
fn by_rule(table: &Opened<'_>, reason: Reason, cite: &Citation) -> Refusal {
    Refusal {
        reason,
        rule: Some(table.cite(cite)),
    }
}

/// Betting is over for what is asked: the rule is the one on late changes of that kind.
fn bets_closed(table: &Opened<'_>, late: LateKind) -> Refusal {
    let rule = match late {
        LateKind::Placement => &table.book.late.placement,
        LateKind::Increase => &table.book.late.increase,
        LateKind::Withdrawal => &table.book.late.withdrawal,
    };
    by_rule(table, Reason::BetsClosed, &rule.cite)
}

/// An amount above zero that money can hold.
fn positive(amount: Money) -> Result<(), Refusal> {
    refuse_if!(!amount.is_positive(), Reason::AmountNotPositive);
    if amount > crate::config::LARGEST_LIMIT {
        return Err(Reason::AmountTooLarge {
            maximum: crate::config::LARGEST_LIMIT,
        }
        .into());
    }
    Ok(())
}
