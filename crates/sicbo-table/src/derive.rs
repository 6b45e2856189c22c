//! Derives again what a journalled event claims, before it is applied: totals,
//! fingerprints of payments, and the effects of amendments. A verifier calls
//! it for every event, so that a later change of code can never change an old
//! balance unseen.

use std::collections::BTreeMap;
use std::sync::Arc;

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Closing;

use crate::actor::Actor;
use crate::command::{ColourMove, Ruling};
use crate::decide::{amend, result};
use crate::event::{Event, Fact, RulesRevision};
use crate::ids::{PendingId, RoundNumber, StationId};
use crate::pending::Question;
use crate::positions::{Line, Means};
use crate::record::{RoundRecord, Standing, returns_digest};
use crate::round::CoverState;
use crate::table::Table;

/// Records of ended rounds that are amended later, by round.
pub type Records = BTreeMap<RoundNumber, Arc<RoundRecord>>;

/// Checks an event against the state it is about to change.
///
/// # Errors
/// What the event claims that does not follow from what came before.
pub fn derive(table: &Table, event: &Event, records: &Records) -> Result<(), String> {
    match &event.fact {
        Fact::RoundBegan { round, digests, .. } => {
            expect("the round's number", round.0, table.last_round.0 + 1)?;
            let book = table
                .next_book
                .as_ref()
                .or(table.book())
                .ok_or("no rule book is in force")?;
            expect("the digest of the rule book", digests.book, book.sha256())
        }
        Fact::ClockSet { .. } if table.clock_parted.is_none() => {
            Err("the clock was set although it had not parted".to_owned())
        }
        Fact::TumbleCommitted { round, .. } => {
            let next = RoundNumber(table.last_round.0 + 1);
            let in_hand = table.round.as_deref().map(|round| round.number);
            expect("the round committed to", *round, in_hand.unwrap_or(next))
        }
        Fact::TumbleRevealed { round, seed } => {
            let last = table.last_tumble.as_ref();
            let last = last
                .filter(|last| last.round == *round)
                .ok_or("nothing was committed to for that round")?;
            expect(
                "the hash of the seed",
                crate::tumble_proof::commitment(seed),
                last.commitment,
            )
        }
        Fact::BetsPlaced {
            station,
            means,
            lines,
            ..
        } => funds(table, *station, *means, lines),
        Fact::PositionsRecorded {
            station,
            means,
            lines,
            dice_visible,
            ..
        } => {
            if at_tables_today(table) {
                // what is recorded later takes a second person.
                let seen = table.round.as_deref();
                let seen = seen.is_some_and(|round| round.cover != CoverState::Covered);
                expect("that no die can be seen", *dice_visible || seen, false)?;
            }
            funds(table, *station, *means, lines)
        }
        Fact::PositionsAttested {
            pending,
            station,
            means,
            lines,
            ..
        } => {
            attested(table, event, *pending, (*station, *means, lines))?;
            funds(table, *station, *means, lines)
        }
        Fact::ClosingBegan { .. } if at_tables_today(table) => {
            let announced = table
                .book()
                .is_some_and(|book| book.play.closes.is == Closing::Announcement);
            let by_clock = announced && event.by == Actor::House;
            expect("that the clock closed announced bets", by_clock, false)
        }
        Fact::ColourAssigned { .. }
        | Fact::ColourMoved {
            how: ColourMove::BoughtWithCash | ColourMove::ExchangedFromChips,
            ..
        } if at_tables_today(table) => {
            let colours = table
                .book()
                .and_then(|book| book.play.colour_chips.as_ref());
            let none = colours.is_some_and(|colours| !colours.is);
            expect("that colour chips were issued", !none, true)
        }
        Fact::DecisionTaken {
            pending, ruling, ..
        } if at_tables_today(table) => {
            let asked = table.pending.iter().find(|waits| waits.id == *pending);
            let status =
                asked.is_some_and(|waits| matches!(waits.question, Question::BetStatus { .. }));
            let late = status && *ruling == Ruling::AsTheyLie;
            expect("that late chips were ruled to count", late, false)
        }
        Fact::CasePaid { amount, .. } => expect("a payment", amount.is_positive(), true),
        Fact::CaseOverpaid { recoverable, .. } => {
            expect("a sum owed back", recoverable.amount.is_positive(), true)?;
            expect("its number", recoverable.id, table.next_recoverable)
        }
        Fact::BetsRemoved {
            station,
            means,
            lines,
            ..
        } => there(table, *station, *means, lines),
        Fact::BetsClosed { staked } => {
            let round = table.round.as_deref().ok_or("no round is in hand")?;
            expect("the stakes at the close", *staked, round.exposure.staked())
        }
        Fact::RoundSettled {
            dice,
            staked,
            returned,
            digest,
        } => {
            let round = table.round.as_deref().ok_or("no round is in hand")?;
            let (all, sum) = result::returns(table, round, *dice);
            expect("the stakes settled", *staked, round.exposure.staked())?;
            expect("the payments in all", *returned, sum)?;
            expect(
                "the fingerprint of the payments",
                *digest,
                returns_digest(all.into_iter()),
            )
        }
        Fact::RoundVoided { staked, digest, .. } => {
            let round = table.round.as_deref().ok_or("no round is in hand")?;
            let all = round
                .stations
                .iter()
                .enumerate()
                .filter(|(_, part)| part.takes_part())
                .map(|(i, part)| (StationId(i as u32), part.staked()));
            expect("the stakes returned", *staked, round.exposure.staked())?;
            expect(
                "the fingerprint of the returns",
                *digest,
                returns_digest(all),
            )
        }
        Fact::ResultCorrected {
            round,
            revision,
            from,
            dice,
            effects,
            ..
        } => {
            let record = amended_record(table, records, *round, *revision, *from)?;
            let derived = amend::effects(table, &record, Standing::Settled(*dice));
            expect("the effects of the correction", effects, &derived)
        }
        Fact::RoundVoidedLate {
            round,
            revision,
            from,
            effects,
            ..
        } => {
            let record = amended_record(table, records, *round, *revision, *from)?;
            let derived = amend::effects(table, &record, Standing::Void);
            expect("the effects of the late void", effects, &derived)
        }
        Fact::OverpaymentRecovered {
            recoverable,
            amount,
        } => {
            let entry = table
                .recoverables
                .get(recoverable)
                .ok_or("there is no such overpayment")?;
            within("the sum recovered", *amount, entry.amount)
        }
        Fact::OverpaymentWaived {
            recoverable,
            amount,
            ..
        } => {
            let entry = table
                .recoverables
                .get(recoverable)
                .ok_or("there is no such overpayment")?;
            expect("the sum waived", *amount, entry.amount)
        }
        Fact::UnclaimedPaid { unclaimed, amount } => {
            let entry = table
                .unclaimed
                .get(unclaimed)
                .ok_or("there is no such unclaimed credit")?;
            expect("the credit paid", *amount, entry.amount)
        }
        Fact::CashedOut {
            station, amount, ..
        }
        | Fact::TransferredOut { station, amount }
        | Fact::HandPaid { station, amount } => {
            let station = table.station(*station).ok_or("there is no such station")?;
            within("the sum paid out", *amount, station.credit)
        }
        _ => Ok(()),
    }
}

/// Records of this revision are held to what chip tables do today.
fn at_tables_today(table: &Table) -> bool {
    table.rules >= RulesRevision(2)
}

/// The chips are those that were claimed, and somebody else attests them.
fn attested(
    table: &Table,
    event: &Event,
    id: PendingId,
    given: (StationId, Means, &[Line]),
) -> Result<(), String> {
    let waits = table.pending.iter().find(|waits| waits.id == id);
    match waits.map(|waits| &waits.question) {
        Some(Question::ChipsUnrecorded {
            station,
            means,
            lines,
            by,
        }) => {
            let claimed = (*station, *means, lines.as_slice());
            expect("the chips attested", given, claimed)?;
            let second = match event.by {
                Actor::Staff(staff) => staff.person != *by,
                _ => false,
            };
            expect("that a second person attests", second, true)
        }
        _ => Err("no such chips wait to be attested".to_owned()),
    }
}

/// The record an amendment rests on, as it stood then.
fn amended_record(
    table: &Table,
    records: &Records,
    round: RoundNumber,
    revision: u32,
    from: Standing,
) -> Result<RoundRecord, String> {
    let record = records
        .get(&round)
        .ok_or_else(|| format!("{round} is not in the journal"))?;
    let known = table.amended.get(&round);
    let standing = known.map_or(record.standing, |amended| amended.standing);
    expect(
        "the revision",
        revision,
        known.map_or(0, |amended| amended.revision) + 1,
    )?;
    expect("how the round stood", from, standing)?;
    Ok(RoundRecord {
        standing,
        revision: revision - 1,
        ..RoundRecord::clone(record)
    })
}

fn expect<T: PartialEq + std::fmt::Debug>(
    what: &str,
    claimed: T,
    derived: T,
) -> Result<(), String> {
    if claimed == derived {
        Ok(())
    } else {
        Err(format!(
            "{what} is given as {claimed:?} but follows as {derived:?}"
        ))
    }
}

fn within(what: &str, claimed: Money, most: Money) -> Result<(), String> {
    if claimed.is_positive() && claimed <= most {
        Ok(())
    } else {
        Err(format!(
            "{what} is given as {claimed:?} where at most {most:?} is there"
        ))
    }
}

/// The stakes are there to be staked.
fn funds(table: &Table, id: StationId, means: Means, lines: &[Line]) -> Result<(), String> {
    let station = table.station(id).ok_or("there is no such station")?;
    if table.round.is_none() {
        return Err("a bet without a round".to_owned());
    }
    let sum: Money = lines.iter().map(|line| line.stake).sum();
    if lines.iter().any(|line| !line.stake.is_positive()) {
        return Err("a stake that is not above zero".to_owned());
    }
    match means {
        Means::CashChips => Ok(()),
        Means::Credit | Means::ColourChips => within("the sum staked", sum, station.credit),
    }
}

/// What is taken back lies there.
fn there(table: &Table, id: StationId, means: Means, lines: &[Line]) -> Result<(), String> {
    let round = table.round.as_deref().ok_or("no round is in hand")?;
    let part = round.station(id).ok_or("there is no such station")?;
    for line in lines {
        let on = match means {
            Means::ColourChips => part.colour_positions.on(line.section),
            Means::Credit | Means::CashChips => part.positions.on(line.section),
        };
        within("the stake taken back", line.stake, on)?;
    }
    Ok(())
}
