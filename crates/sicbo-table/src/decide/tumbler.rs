//! How a table's tumbler is bound, who counts its tumbles and how its cover is
//! on the line; a simulated
//! tumbler's commitment to its seed, and the seed's reveal.
//!
//! The commitment comes before anything that rests on it: before a bet is
//! registered and before the tumbler runs, once a round. The seed comes after
//! the round. So neither side can choose with the other's knowledge, and
//! anyone can derive the dice again ([`crate::tumble_proof`]).

use super::Decision;
use crate::actor::{Actor, Device};
use crate::authority::{self, SUPERVISING, TABLE_STAFF};
use crate::command::{Command, Counting};
use crate::event::Fact;
use crate::ids::RoundNumber;
use crate::mutant;
use crate::open::Opened;
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;
use crate::round::{Round, Tumble};
use crate::tumble_proof;

/// Asked by the tumbler itself, at a table that does not play for money: there
/// the dice are real.
fn simulated(table: &Opened<'_>, command: &Command) -> Result<(), Refusal> {
    if command.by != Actor::Device(Device::Tumbler) {
        return Err(Reason::NotYourStation.into());
    }
    let config = table.config;
    refuse_if!(config.real_money, Reason::NoSimulatedTumbler);
    Ok(())
}

/// Somebody has bet in the round, though they may have taken it back.
fn anyone_bet(round: &Round) -> bool {
    let mut parts = round.stations.iter();
    parts.any(|part| part.takes_part() || !part.seen.is_empty())
}

pub(super) fn commit(table: &Opened<'_>, command: &Command, commitment: [u8; 32]) -> Decision {
    simulated(table, command)?;
    let next = RoundNumber(table.last_round.0 + 1);
    let round = table.round.as_deref().map_or(next, |round| round.number);
    match table.commitment {
        // Said again because the answer was lost.
        Some((of, known)) if of == round && known == commitment => return Ok(Vec::new()),
        Some((of, _)) if of == round => return Err(Reason::AlreadyDone.into()),
        _ => {}
    }
    if let Some(round) = table.round.as_deref()
        && (round.tumble != Tumble::None || anyone_bet(round))
    {
        return Err(Reason::TooLateToCommit.into());
    }
    Ok(vec![Fact::TumbleCommitted { round, commitment }])
}

pub(super) fn reveal(
    table: &Opened<'_>,
    command: &Command,
    number: RoundNumber,
    seed: [u8; 32],
) -> Decision {
    simulated(table, command)?;
    let in_hand = table.round.as_deref();
    if in_hand.is_some_and(|round| round.number == number) {
        return Err(Reason::RoundInHand.into());
    }
    let last = table.last_tumble.as_ref();
    let last = last
        .filter(|last| last.round == number)
        .ok_or(Reason::NothingCommitted)?;
    if tumble_proof::commitment(&seed) != last.commitment {
        return Err(Reason::SeedDoesNotFit.into());
    }
    if last.seed.is_some() {
        return Ok(Vec::new());
    }
    Ok(vec![Fact::TumbleRevealed {
        round: number,
        seed,
    }])
}

/// The house says how the tumbler is bound; nothing happens where it is so already.
pub(super) fn bind(
    table: &Opened<'_>,
    command: &Command,
    line: bool,
    shortest_ms: u32,
) -> Decision {
    refuse_if!(command.by != Actor::House, Reason::NotYourStation);
    let bound = table.counting != Counting::Either;
    match bound == line && table.shortest_tumble_ms == shortest_ms {
        true => Ok(Vec::new()),
        false => Ok(vec![Fact::TumblerBound { line, shortest_ms }]),
    }
}

/// Two persons take the count from a tumbler on the line to the dealer, or give
/// it back, between rounds.
pub(super) fn switch(table: &Opened<'_>, command: &Command, by_hand: bool) -> Decision {
    authority::require_two(table, command, SUPERVISING, TABLE_STAFF)?;
    refuse_if!(table.round.is_some(), Reason::RoundInHand);
    match table.counting {
        Counting::Either => Err(Reason::NoTumblerLine.into()),
        now if (now == Counting::Hand) == by_hand => Err(Reason::AlreadyDone.into()),
        _ => Ok(vec![Fact::CountingSwitched { by_hand }]),
    }
}

/// The line says how the cover is. Where the game has none there is nothing to
/// say; elsewhere it is a fact of the round, whoever presses what. The
/// house itself only says that a device which had reported it open is gone.
pub(super) fn cover(table: &Opened<'_>, command: &Command, open: bool) -> Decision {
    let news = match command.by {
        Actor::Device(device @ (Device::Tumbler | Device::DiceReader)) => {
            table.open_covers.contains(&device) != open && table.hears_cover(device)
        }
        Actor::House if !open => !table.open_covers.is_empty(),
        _ => return Err(Reason::NotYourStation.into()),
    };
    match news && !mutant::off(table, "cover-reported") {
        true => Ok(vec![Fact::CoverReported { open }]),
        false => Ok(Vec::new()),
    }
}
